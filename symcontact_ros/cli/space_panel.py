"""Panel of a spatial run: the scene at its end, at some instants before, and the paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.figure_style import GREY
from symcontact_ros.cli.recording import Recording
from symcontact_ros.cli.run_poses import RunPoses
from symcontact_ros.cli.space_view import SpaceView
from symcontact_ros.simulation.simulation import Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTANTS = 4  # at which bodies are drawn
ASPECT = 0.62  # height over width


class SpacePanel:
    """Bodies and paths of a spatial model."""

    def __init__(
        self,
        simulation: Simulation,
        recording: Recording,
        colours: Mapping[str, str],
        width: float,
    ) -> None:
        self._recording = recording
        self._poses = RunPoses(simulation, recording)
        self._colours = colours
        self.height = ASPECT * width  # [in]
        self.view = SpaceView(simulation.model, simulation.parameters, colours)
        self.view.look_at(self._poses)

    def draw(self, axes: Axes) -> None:
        """Draw the scene."""
        time = self._recording['time']
        chosen = np.unique(np.linspace(0, len(time) - 1, INSTANTS).round().astype(int))
        self.view.draw_grounds(axes, self._poses.still)
        self.view.draw(axes, self._poses.still)
        for age, row in enumerate(chosen):
            strength = 1.0 if row == chosen[-1] else 0.15 + 0.2 * age / len(chosen)
            self.view.draw(axes, self._poses.at(row), strength)
        for body in self._poses.moving:
            path = self.view.project(self._poses.path(body))
            axes.plot(*path.T, color=self._colours.get(body, GREY), lw=0.9, zorder=4)
        self.view.finish(axes, ASPECT)
        period = float(time[chosen[-1]] - time[chosen[0]]) / max(1, len(chosen) - 1)
        axes.set_title(f'Bodies every {period:.3g} s, and their paths')
