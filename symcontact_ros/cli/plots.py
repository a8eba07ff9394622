"""One figure of a run: paths, poses over time, contact forces, and where the energy went."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.outlines import outline_of, rotation
from symcontact_ros.cli.recording import Recording, Watch
from symcontact_ros.errors import MissingPackageError
from symcontact_ros.model.expressions import evaluate_all
from symcontact_ros.simulation.saving import write_file
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = ('.png', '.pdf', '.svg')
MOST_LINES = 10  # in one panel: colours that can be told apart
LARGEST = 1e30  # number that is drawn
INSTANTS = 7  # at which shapes are drawn
PLANE_WIDTH = 5.6  # [in] of its picture
PLANE_HEIGHTS = 1.8, 4.2  # [in], lowest and highest
PANELS_HEIGHT = 6.6  # [in] of three panels, without titles and labels
LEFT_ROOM, RIGHT_ROOM = 95, 80  # characters above a panel
KEY_ROOM, BOLD = 5, 1.3  # of them: the key of a name, a letter of the title
# Okabe and Ito's colours, then darker ones: told apart with any colour vision.
COLOURS = (
    *('#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00'),
    *('#56B4E9', '#332288', '#882255', '#7F7F7F', '#000000'),
)
ENERGY_COLOURS = {
    'kinetic': '#56B4E9',
    'potential': '#E69F00',
    'elastic': '#009E73',
    'dissipated': '#C8C8C8',
}
LABELS = {'potential': 'potential - lowest'}  # so that it can be stacked
GROUND = '#D9D4CC'
STYLE: dict[Any, Any] = {
    'font.size': 9.0,
    'axes.spines.top': False,
    'axes.spines.right': False,
    'axes.grid': True,
    'axes.titlelocation': 'left',
    'axes.titlesize': 10.0,
    'axes.titleweight': 'bold',
    'axes.axisbelow': True,
    'grid.color': '#E6E6E6',
    'grid.linewidth': 0.6,
    'lines.linewidth': 1.4,
    'legend.frameon': False,
    'legend.fontsize': 8.0,
    'svg.hashsalt': 'symcontact',  # the same run gives the same file
}


def require_matplotlib() -> None:
    """Raise MissingPackageError where there is no matplotlib."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(
            "--plot needs matplotlib, which is not installed: pip install 'symcontact_ros[record]'"
        ) from error


def write_plot(path: Path, simulation: Simulation, recording: Recording, watch: Watch) -> None:
    """Draw a run into a .png, .pdf or .svg file, whole or not at all."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    buffer = io.BytesIO()
    with rc_context(STYLE):
        figure = Figure(figsize=(12.5, 8.5), layout='constrained')
        drawable = Recording(recording.units, _drawable(recording.values))
        _Drawing(simulation, drawable, watch).draw(figure)
        figure.savefig(buffer, format=path.suffix[1:], dpi=150)
    write_file(path, buffer.getvalue())


class _Drawing:
    """The panels of the figure and what goes into them."""

    def __init__(self, simulation: Simulation, recording: Recording, watch: Watch) -> None:
        self._simulation = simulation
        self._model = simulation.model
        self._recording = recording
        self._watch = watch
        self._time = recording['time']
        still = self._model.grounded
        self._bodies = [name for name in self._model.body_names if name not in still]
        self._shown = _farthest(recording, self._bodies)
        self._colours = dict(zip(self._shown, COLOURS, strict=False))

    def draw(self, figure: Any) -> None:
        """Fill the figure: space and energy to the left, everything over time to the right."""
        left, right = figure.subfigures(1, 2, width_ratios=(1.12, 1.0), wspace=0.03)
        simulation, model = self._simulation, self._model
        figure.suptitle(
            f'{model.name}   {simulation.integrator}, steps of {1e3 * simulation.step_size:g} ms',
            x=0.01,
            ha='left',
            fontsize=12,
            fontweight='bold',
        )
        if model.dimension == 2:
            height = self._plane_height()
            rest = PANELS_HEIGHT - height
            shares = height, 0.72 * rest, 0.28 * rest
            plane, energy, residual = left.subplots(3, 1, height_ratios=shares)
            self._plane(plane, height / PLANE_WIDTH)
        else:
            speed, spin, energy, residual = left.subplots(4, 1, height_ratios=(1.4, 1.4, 1.7, 0.7))
            self._norms(speed, 'v', 'Speed of the centres of mass', 'speed [m/s]')
            self._norms(spin, 'w', 'Angular speed', 'rate [rad/s]')
            for axes in (speed, spin):
                self._time_axis(axes, last=False)
        self._energy(energy)
        self._residual(residual)
        self._over_time(right)
        for part in (left, right):
            part.align_ylabels()

    # Over time ----------------------------------------------------------------------------------

    def _over_time(self, figure: Any) -> None:
        axes_of_space = 'xy' if self._model.dimension == 2 else 'xyz'
        joints = [name for name in self._recording.units if name.endswith('.position')]
        panels = [*axes_of_space]
        panels += ['joints'] if joints else ['angle'] if self._model.dimension == 2 else []
        panels += ['forces'] if self._model.pairs else []
        all_axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
        for panel, axes in zip(panels, all_axes, strict=True):
            if panel == 'forces':
                self._forces(axes)
            elif panel == 'joints':
                self._joints(axes, joints)
            else:
                self._lines(axes, panel, 'angle [rad]' if panel == 'angle' else f'{panel} [m]')
            self._time_axis(axes, last=axes is all_axes[-1])
        hidden = len(self._bodies) - len(self._shown)
        title = 'Poses of the bodies'
        all_axes[0].set_title(f'{title} ({hidden} that move least not shown)' if hidden else title)
        _legend(all_axes[0])

    def _lines(self, axes: Axes, kind: str, label: str) -> None:
        for body in self._shown:
            column = self._recording[f'{body}.{kind}']
            axes.plot(self._time, column, color=self._colours[body], label=body)
        axes.set_ylabel(label)
        _steady(axes)

    def _norms(self, axes: Axes, letter: str, title: str, label: str) -> None:
        for body in self._shown:
            parts = [self._recording[f'{body}.{letter}{axis}'] for axis in 'xyz']
            axes.plot(self._time, np.linalg.norm(parts, axis=0), color=self._colours[body])
        axes.set_title(title)
        axes.set_ylabel(label)
        _steady(axes)

    def _joints(self, axes: Axes, names: list[str]) -> None:
        units = sorted({self._recording.units[name] for name in names})
        for name, colour in zip(names, COLOURS, strict=False):
            label = name.removesuffix('.position')
            axes.plot(self._time, self._recording[name], color=colour, label=label)
        more = len(names) - MOST_LINES
        axes.set_title(
            f'Joints (the first {MOST_LINES} of {len(names)})' if more > 0 else 'Joints'
        )
        axes.set_ylabel(f'position [{", ".join(units)}]')
        _steady(axes)
        _legend(axes)

    def _forces(self, axes: Axes) -> None:
        peaks = self._watch.peaks
        strongest = sorted(peaks, key=lambda pair: -peaks[pair].force)[:MOST_LINES]
        for pair, colour in zip(sorted(strongest), COLOURS[::-1], strict=False):
            times, forces = _drawable(np.transpose(self._watch.forces[pair]))
            label = f'{pair[0]} - {pair[1]}'
            axes.plot(times, forces, color=colour, label=label, linewidth=1.1)
            axes.fill_between(times, forces, color=colour, alpha=0.15, linewidth=0)
        more = len(peaks) - len(strongest)
        axes.set_title(
            f'Contact forces ({more} weaker pairs not shown)' if more else 'Contact forces'
        )
        axes.set_ylabel('force [N]')
        axes.set_ylim(bottom=0.0)
        if strongest:
            _legend(axes)
        else:
            axes.text(0.5, 0.5, 'nothing touched', transform=axes.transAxes, ha='center')

    def _time_axis(self, axes: Axes, last: bool) -> None:
        start, end = float(self._time[0]), float(self._time[-1])
        axes.set_xlim(start, end if end > start else start + self._simulation.step_size)
        axes.tick_params(labelbottom=last)
        if last:
            axes.set_xlabel('time [s]')

    # Energy -------------------------------------------------------------------------------------

    def _energy(self, axes: Axes) -> None:
        """Stack the terms: the top stays level where nothing works on the model."""
        terms = {term: self._recording[f'energy.{term}'] for term in ENERGY_COLOURS}
        lowest = float(terms['potential'].min())
        terms['potential'] = terms['potential'] - lowest
        scale = max(float(np.abs(column).max()) for column in terms.values())
        present = {n: c for n, c in terms.items() if np.abs(c).max() > 1e-9 * scale}
        if present:  # else nothing moves
            axes.stackplot(
                self._time,
                *present.values(),
                labels=[LABELS.get(name, name) for name in present],
                colors=[ENERGY_COLOURS[name] for name in present],
                linewidth=0,
            )
        mechanical = sum(
            self._recording[f'energy.{n}'] for n in ENERGY_COLOURS if n != 'dissipated'
        )
        given = mechanical + self._recording['energy.dissipated']
        supply = given - self._recording['energy.residual'] - lowest
        axes.plot(self._time, supply, 'k--', linewidth=1.0, label='supplied')
        axes.set_title('Energy ledger')
        axes.set_ylabel('energy [J]')
        axes.margins(y=0.08)
        axes.set_ylim(bottom=0.0)
        _legend(axes, LEFT_ROOM)
        self._time_axis(axes, last=False)

    def _residual(self, axes: Axes) -> None:
        residual = self._recording['energy.residual']
        axes.plot(self._time, residual, color='#882255', linewidth=1.1)
        axes.axhline(0.0, color='#7F7F7F', linewidth=0.6)
        axes.set_title('Residual of the ledger: the error of the integration')
        axes.set_ylabel('residual [J]')
        axes.ticklabel_format(axis='y', style='sci', scilimits=(-2, 3))
        self._time_axis(axes, last=True)

    # The plane ----------------------------------------------------------------------------------

    def _plane_height(self) -> float:
        """Return how high the picture of the plane is to be [in]."""
        low, high = self._bounds()
        return float(np.clip(PLANE_WIDTH * (high - low)[1] / (high - low)[0], *PLANE_HEIGHTS))

    def _bounds(self) -> tuple[Vector, Vector]:
        """Return the lowest and the highest x and y that anything reaches, with a margin."""
        reached = [np.zeros((0, 2))]
        for body in self._bodies:
            path = self._path(body)
            reach = max((np.linalg.norm(o, axis=1).max() for o in self._outlines(body)), default=0)
            reached += [path - reach, path + reach, self._centre_path(body)]
        points = np.concatenate(reached)
        low, high = points.min(axis=0), points.max(axis=0)
        margin = 0.04 * max(float((high - low).max()), 1e-3)
        return low - margin, high + margin

    def _path(self, body: str) -> Vector:
        """Return the path of the origin of a body."""
        return np.stack([self._recording[f'{body}.x'], self._recording[f'{body}.y']], axis=1)

    def _centre_path(self, body: str) -> Vector:
        """Return the path of the centre of mass of a body."""
        values = self._simulation.parameters
        com = np.array(evaluate_all(self._model.body(body).com, values)[:2])
        angles = self._recording[f'{body}.angle']
        cosines, sines = np.cos(angles), np.sin(angles)
        turned = com[0] * cosines - com[1] * sines, com[0] * sines + com[1] * cosines
        moved: Vector = self._path(body) + np.stack(turned, axis=1)
        return moved

    def _stick(self, body: str, row: int) -> Vector:
        """Return what stands for a body without shapes: its parent, its origin, its centre."""
        parent = self._model.body(body).joint.parent
        joints = [self._path(name)[row] for name in (parent, body) if name in self._bodies]
        return np.array([*joints, self._centre_path(body)[row]])

    def _plane(self, axes: Axes, aspect: float) -> None:
        """Draw paths, and shapes at a few instants, fainter the longer ago."""
        from matplotlib.patches import Polygon

        chosen = np.unique(np.linspace(0, len(self._time) - 1, INSTANTS).round().astype(int))
        for body in self._bodies:
            colour = self._colours.get(body, '#7F7F7F')
            path, angles = self._path(body), self._recording[f'{body}.angle']
            axes.plot(*self._centre_path(body).T, color=colour, lw=0.9, alpha=0.8, zorder=3)
            for age, row in enumerate(chosen):
                edge = colour, 0.25 + 0.75 * age / max(1, len(chosen) - 1)
                fill = colour, 0.35 if row == chosen[-1] else 0.06
                for outline in self._outlines(body):
                    points = path[row] + outline @ rotation(angles[row]).T
                    axes.add_patch(Polygon(points, fc=fill, ec=edge, lw=1.0, zorder=2))
                if not self._model.body(body).shapes:
                    stick = self._stick(body, row).T
                    axes.plot(*stick, color=edge, lw=1.6, marker='o', markersize=3, zorder=2)
        low, high = self._bounds()
        middle, width = 0.5 * (low + high), max(high[0] - low[0], (high[1] - low[1]) / aspect)
        axes.set_xlim(middle[0] - 0.5 * width, middle[0] + 0.5 * width)
        axes.set_ylim(middle[1] - 0.5 * aspect * width, middle[1] + 0.5 * aspect * width)
        axes.set_aspect('equal', adjustable='box', anchor='NW')
        self._fixed(axes)
        span = float(self._time[chosen[-1]] - self._time[chosen[0]])
        axes.set_title(
            'Paths of the centres of mass, '
            f'and bodies every {span / max(1, len(chosen) - 1):.3g} s'
        )
        axes.set_xlabel('x [m]')
        axes.set_ylabel('y [m]')

    def _fixed(self, axes: Axes) -> None:
        """Draw what never moves; half-planes reach beyond the picture."""
        from matplotlib.patches import Polygon

        axes.set_autoscale_on(False)
        poses = self._simulation.poses()
        for body in self._model.grounded:
            pose = poses[body]
            turn = rotation(2.0 * math.atan2(pose.quaternion[2], pose.quaternion[3]))
            for outline in self._outlines(body):
                points = pose.position[:2] + outline @ turn.T
                axes.add_patch(Polygon(points, fc=GROUND, ec='#7F7F7F', lw=0.8, zorder=1))

    def _outlines(self, body: str) -> list[Vector]:
        """Return the outline of every shape of a body, in its frame."""
        values = self._simulation.parameters
        return [outline_of(placed, values) for placed in self._model.body(body).shapes]


def _drawable(values: Vector) -> Vector:
    """Return numbers that fit on an axis, also from a run that diverged."""
    return np.clip(np.nan_to_num(values), -LARGEST, LARGEST)


def _farthest(recording: Recording, bodies: list[str]) -> list[str]:
    """Return the bodies to show, in their order: where there are many, those that move most."""

    def travel(body: str) -> float:
        parts = [
            recording[f'{body}.{axis}'] for axis in 'xyz' if f'{body}.{axis}' in recording.units
        ]
        return float(np.linalg.norm([np.ptp(part) for part in parts]))

    most = sorted(bodies, key=lambda body: -travel(body))[:MOST_LINES]
    return [body for body in bodies if body in most]


def _legend(axes: Axes, room: float = RIGHT_ROOM) -> None:
    """Put the names beside the title or, where they are many, beside the panel."""
    _, labels = axes.get_legend_handles_labels()
    needed = BOLD * len(axes.get_title(loc='left')) + sum(len(text) + KEY_ROOM for text in labels)
    settings: dict[str, Any] = {'loc': 'upper left', 'bbox_to_anchor': (1.0, 1.04)}
    if needed <= room:
        settings = {'loc': 'lower right', 'bbox_to_anchor': (1.01, 0.96), 'ncols': len(labels)}
    axes.legend(handlelength=1.2, columnspacing=1.0, handletextpad=0.5, **settings)


def _steady(axes: Axes) -> None:
    """Keep rounding errors of a constant from filling the panel."""
    low, high = axes.get_ylim()
    middle, least = 0.5 * (low + high), 1e-6
    if high - low < least:
        axes.set_ylim(middle - 0.5, middle + 0.5)
