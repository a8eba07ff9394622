"""Panel of a planar run: paths, and bodies at a few instants."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.figure_style import GREY
from symcontact_ros.cli.outlines import outline_of, rotation
from symcontact_ros.cli.recording import Recording
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTANTS = 7  # at which shapes are drawn
ASPECTS = 0.32, 0.75  # height over width, lowest and highest
GROUND = '#D9D4CC'


class PlanePanel:
    """
    Paths and shapes of a planar model.

    Parameters
    ----------
    simulation, recording
        After the run, and its samples.
    bodies
        Those that move.
    colours
        Of bodies; others are grey.
    width
        Of the panel [in].

    """

    def __init__(
        self,
        simulation: Simulation,
        recording: Recording,
        bodies: list[str],
        colours: Mapping[str, str],
        width: float,
    ) -> None:
        self._simulation = simulation
        self._model = simulation.model
        self._recording = recording
        self._bodies = bodies
        self._colours = colours
        self._low, self._high = self._bounds()
        reached = self._high - self._low
        self._aspect = float(np.clip(reached[1] / reached[0], *ASPECTS))
        self.height = width * self._aspect  # [in]

    def draw(self, axes: Axes) -> None:
        """Draw paths, and shapes at a few instants, fainter the longer ago."""
        time = self._recording['time']
        chosen = np.unique(np.linspace(0, len(time) - 1, INSTANTS).round().astype(int))
        for body in self._bodies:
            colour = self._colours.get(body, GREY)
            axes.plot(*self.centre_path(body).T, color=colour, lw=0.9, alpha=0.8, zorder=3)
            for age, row in enumerate(chosen):
                strength = 0.25 + 0.75 * age / max(1, len(chosen) - 1)
                fill = 0.35 if row == chosen[-1] else 0.06
                self.draw_body(axes, body, row, (colour, strength), (colour, fill))
        self.set_limits(axes)
        self.draw_fixed(axes)
        period = float(time[chosen[-1]] - time[chosen[0]]) / max(1, len(chosen) - 1)
        axes.set_title(f'Bodies every {period:.3g} s, and their paths')
        axes.set_xlabel('x [m]')
        axes.set_ylabel('y [m]')

    def draw_body(
        self, axes: Axes, body: str, row: int, edge: tuple[str, float], fill: tuple[str, float]
    ) -> None:
        """Draw a body as it was in a row of the recording."""
        from matplotlib.patches import Polygon

        position, angle = self._path(body)[row], self._recording[f'{body}.angle'][row]
        for outline in self._outlines(body):
            points = position + outline @ rotation(angle).T
            axes.add_patch(Polygon(points, fc=fill, ec=edge, lw=1.0, zorder=2))
        if not self._model.body(body).shapes:
            stick = self._stick(body, row).T
            axes.plot(*stick, color=edge, lw=1.6, marker='o', markersize=3, zorder=2)

    def set_limits(self, axes: Axes) -> None:
        """Show all that is reached, centred, with equal units along both axes."""
        low, high, aspect = self._low, self._high, self._aspect
        middle, width = 0.5 * (low + high), max(high[0] - low[0], (high[1] - low[1]) / aspect)
        axes.set_xlim(middle[0] - 0.5 * width, middle[0] + 0.5 * width)
        axes.set_ylim(middle[1] - 0.5 * aspect * width, middle[1] + 0.5 * aspect * width)
        axes.set_aspect('equal', adjustable='box', anchor='NW')

    def draw_fixed(self, axes: Axes) -> None:
        """Draw the fixed bodies; half-planes reach beyond the panel."""
        from matplotlib.patches import Polygon

        axes.set_autoscale_on(False)
        poses = self._simulation.poses()
        for body in self._model.grounded:
            pose = poses[body]
            turn = rotation(2.0 * math.atan2(pose.quaternion[2], pose.quaternion[3]))
            for outline in self._outlines(body):
                points = pose.position[:2] + outline @ turn.T
                axes.add_patch(Polygon(points, fc=GROUND, ec=GREY, lw=0.8, zorder=1))

    # Geometry --------------------------------------------------------------------------

    def _bounds(self) -> tuple[Vector, Vector]:
        """Return the lowest and the highest x and y that anything reaches, with a margin."""
        reached = [np.zeros((0, 2))]
        for body in self._bodies:
            path = self._path(body)
            reach = max((np.linalg.norm(o, axis=1).max() for o in self._outlines(body)), default=0)
            reached += [path - reach, path + reach, self.centre_path(body)]
        points = np.concatenate(reached)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.04 * max(float((high - low).max()), 1e-3)
        return low - margin, high + margin

    def _path(self, body: str) -> Vector:
        """Return the path of the origin of a body."""
        return np.stack([self._recording[f'{body}.x'], self._recording[f'{body}.y']], axis=1)

    def centre_path(self, body: str) -> Vector:
        """Return the path of the centre of mass of a body."""
        values = self._simulation.parameters
        com = np.array(evaluate_all(self._model.body(body).com, values)[:2])
        angles = self._recording[f'{body}.angle']
        cosines, sines = np.cos(angles), np.sin(angles)
        turned = com[0] * cosines - com[1] * sines, com[0] * sines + com[1] * cosines
        moved: Vector = self._path(body) + np.stack(turned, axis=1)
        return moved

    def _stick(self, body: str, row: int) -> Vector:
        """Return the line of a body without shapes: parent, origin, centre of mass."""
        parent = self._model.body(body).joint.parent
        joints = [self._path(name)[row] for name in (parent, body) if name in self._bodies]
        return np.array([*joints, self.centre_path(body)[row]])

    def _outlines(self, body: str) -> list[Vector]:
        """Return the outline of every shape of a body, in its frame."""
        values = self._simulation.parameters
        return [outline_of(placed, values) for placed in self._model.body(body).shapes]
