"""Figure of a run: its scene, poses, contact forces, depths, distances, and energy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
import textwrap
from typing import Any

from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.figure_style import Format, FORMATS, write_figure
from symcontact_ros.cli.plane_panel import PlanePanel
from symcontact_ros.cli.recording import Recording
from symcontact_ros.cli.run_panels import drawable, panel_names, Panels
from symcontact_ros.cli.run_title import title_parts
from symcontact_ros.cli.space_panel import SpacePanel
from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.simulation.simulation import Simulation

LEFT = (
    'scene',
    'speed',
    'spin',
    'energy',
    'residual',
)  # of two columns; all others are in the right one
NAMES = (
    *('scene', 'x', 'y', 'z', 'angle', 'joints', 'speed', 'spin'),
    *('normal', 'friction', 'depth', 'distance', 'energy', 'residual'),
)
HEIGHTS = {'energy': 1.5, 'residual': 0.75}  # others are 1
AROUND = 0.62  # [in] for title and labels
NARROW = ('scene', 'normal', 'friction', 'depth', 'energy')  # of one column


def check_panels(panels: Sequence[str] | None, simulation: Simulation) -> None:
    """Raise OptionError for panels that there are not, or not of this model."""
    there = panel_names(simulation)
    for name in panels or ():
        if name not in NAMES:
            raise OptionError(not_one_of('--panels', NAMES, name))
        if name not in there:
            raise OptionError(f'--panels {name}: this model has {", ".join(there)}')


def write_plot(
    path: Path,
    simulation: Simulation,
    recording: Recording,
    monitor: ContactMonitor,
    *,
    width: str = 'screen',
    panels: Sequence[str] | None = None,
) -> None:
    """Draw a run into a .png, .pdf or .svg file, whole or not at all."""
    table = Recording(recording.units, drawable(recording.values))
    drawing = _Drawing(simulation, table, monitor, FORMATS[width], panels)
    write_figure(path, drawing.size, drawing.draw, FORMATS[width])


class _Drawing:
    """Layout of the panels."""

    def __init__(
        self,
        simulation: Simulation,
        recording: Recording,
        monitor: ContactMonitor,
        format_: Format,
        panels: Sequence[str] | None,
    ) -> None:
        self._simulation = simulation
        self._monitor = monitor
        self._format = format_
        self._panels = Panels(simulation, recording, monitor, format_.room)
        there = self._panels.there
        if panels is None:
            usual = NARROW if format_.columns == 1 else self._panels.usual
            panels = [name for name in usual if name in there]
        wide = format_.width / format_.columns - 0.8
        bodies, colours = self._panels.bodies, self._panels.colours
        self._scene = (
            PlanePanel(simulation, recording, bodies, colours, wide)
            if simulation.model.dimension == 2
            else SpacePanel(simulation, recording, colours, wide)
        )
        left = [name for name in panels if name in LEFT]
        right = [name for name in panels if name not in LEFT]
        both = format_.columns == 2 and left and right
        self._columns = [left, right] if both else [list(panels)]
        tallest = max(sum(map(self._height, column)) for column in self._columns)
        self.size = format_.width, tallest + AROUND * format_.font / 9.0 + 0.25

    def _height(self, name: str) -> float:
        """Return the height of a panel with what is around it [in]."""
        if name == 'scene':
            return self._scene.height + 0.5
        return HEIGHTS.get(name, 1.0) * self._format.panel

    def draw(self, figure: Any) -> None:
        """Fill the figure: space and energy to the left, everything else to the right."""
        self._headline(figure)
        parts = figure.subfigures(1, len(self._columns), wspace=0.03, squeeze=False)[0]
        for part, names in zip(parts, self._columns, strict=True):
            heights = [self._height(name) for name in names]
            if len(self._columns) == 2 and 'energy' in names:  # it takes what is left
                spare = self.size[1] - AROUND - sum(heights)
                heights[names.index('energy')] += max(0.0, spare)
            all_axes = part.subplots(len(names), 1, height_ratios=heights, squeeze=False)[:, 0]
            for name, axes in zip(names, all_axes, strict=True):
                if name == 'scene':
                    self._scene.draw(axes)
                else:
                    self._panels.draw(name, axes, last=axes is all_axes[-1])
            self._panels.name_poses(names, all_axes)
            part.align_ylabels(all_axes)

    def _headline(self, figure: Any) -> None:
        """Put model, law, constants, methods and version above all panels."""
        font = self._format.font
        line = ' · '.join(title_parts(self._simulation, self._monitor))
        wide = round(140.0 * self._format.width / font)
        text = '\n'.join(textwrap.wrap(line, wide))
        name = self._simulation.model.name.replace('_', r'\_')
        figure.suptitle(
            f'$\\bf{{{name}}}$\n{text}', x=0.01, ha='left', fontsize=font, linespacing=1.4
        )
