"""Panels of the figure of a run that are drawn over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.figure_style import COLOURS, GREY, legend, MOST_LINES, steady
from symcontact_ros.cli.recording import ENERGY, Recording
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 1e30  # number that is drawn
ENERGIES = {  # names of the summary
    'kinetic': '#56B4E9',
    'potential': '#E69F00',
    'elastic': '#009E73',
    'dissipated': '#CC79A7',
}
SERIES = {  # column of a history, title, label
    'normal': (1, 'Normal force $F_N$', '$F_N$ [N]'),
    'friction': (2, 'Friction $F_T$', '$F_T$ [N]'),
    'depth': (3, 'Depth of contacts', 'depth [mm]'),
}
OF_PAIRS = ('#000000', '#D55E00', '#56B4E9', '#009E73', '#CC79A7', *COLOURS[4:9])
POSES = ('x', 'y', 'z', 'angle')


class Panels:
    """
    Panels of a run.

    Attributes
    ----------
    there
        Names of the panels that the model has.
    usual
        Of those, what is drawn unless others are chosen.
    bodies, colours
        Bodies that move, and the colours of those that are shown.

    """

    def __init__(
        self, simulation: Simulation, recording: Recording, monitor: ContactMonitor, room: int
    ) -> None:
        self._simulation = simulation
        self._recording = recording
        self._monitor = monitor
        self._room = room
        self._time = recording['time']
        model = simulation.model
        self.bodies = [name for name in model.body_names if name not in model.grounded]
        self._shown = _farthest(recording, self.bodies)
        self.colours = dict(zip(self._shown, COLOURS, strict=False))
        self._joints = [name for name in recording.units if name.endswith('.position')]
        self.there = panel_names(simulation)
        left_out = ['angle'] if self._joints else []
        left_out += ['speed', 'spin'] if model.dimension == 2 else []
        self.usual = [name for name in self.there if name not in left_out]
        self._named: set[tuple[str, str]] = set()  # pairs in legends so far

    def draw(self, name: str, axes: Axes, last: bool) -> None:
        """Draw a panel; the last one of a column has the labels of time."""
        if name in POSES:
            self._poses(axes, name)
        elif name in ('speed', 'spin'):
            self._norms(axes, name)
        elif name == 'joints':
            self._draw_joints(axes)
        elif name in SERIES:
            self._contacts(axes, name)
        elif name == 'distance':
            self._distances(axes)
        elif name == 'energy':
            self._energy(axes)
        else:
            self._residual(axes)
        self._time_axis(axes, last)

    def name_poses(self, names: Sequence[str], all_axes: Sequence[Axes]) -> None:
        """Put title and legend of the bodies above the first panel that shows them."""
        found = [a for n, a in zip(names, all_axes, strict=True) if n in (*POSES, 'speed', 'spin')]
        if not found:
            return
        hidden = len(self.bodies) - len(self._shown)
        title = found[0].get_title(loc='left') or 'Poses of the bodies'
        found[0].set_title(f'{title} ({hidden} that move least not shown)' if hidden else title)
        legend(found[0], self._room, below=True)

    def _poses(self, axes: Axes, kind: str) -> None:
        for body in self._shown:
            column = self._recording[f'{body}.{kind}']
            axes.plot(self._time, column, color=self.colours[body], label=body)
        axes.set_ylabel('angle [rad]' if kind == 'angle' else f'{kind} [m]')
        steady(axes)

    def _norms(self, axes: Axes, name: str) -> None:
        planar = self._simulation.model.dimension == 2
        letters: tuple[str, ...] = ('vx', 'vy', 'vz') if name == 'speed' else ('wx', 'wy', 'wz')
        if planar:
            letters = ('vx', 'vy') if name == 'speed' else ('rate',)
        for body in self._shown:
            parts = [self._recording[f'{body}.{letter}'] for letter in letters]
            size = np.linalg.norm(parts, axis=0)
            axes.plot(self._time, size, color=self.colours[body], label=body)
        axes.set_title(
            'Speed of the centres of mass' if name == 'speed' else 'Angular speed of the bodies'
        )
        axes.set_ylabel('speed [m/s]' if name == 'speed' else 'rate [rad/s]')
        steady(axes)

    def _draw_joints(self, axes: Axes) -> None:
        names = self._joints
        units = sorted({self._recording.units[name] for name in names})
        for name, colour in zip(names, COLOURS, strict=False):
            label = name.removesuffix('.position')
            axes.plot(self._time, self._recording[name], color=colour, label=label)
        more = len(names) - MOST_LINES
        axes.set_title(
            f'Joints (the first {MOST_LINES} of {len(names)})' if more > 0 else 'Joints'
        )
        axes.set_ylabel(f'position [{", ".join(units)}]')
        steady(axes)
        legend(axes, self._room, below=True)

    # Contacts -----------------------------------------------------------------------------------

    def _strongest(self) -> dict[tuple[str, str], str]:
        """Return the pairs to show, with their colours, and the same in every panel."""
        peaks = self._monitor.peaks
        strongest = sorted(peaks, key=lambda pair: -peaks[pair].force)[:MOST_LINES]
        near = sorted(set(self._monitor.histories) - set(peaks))
        chosen = sorted([*strongest, *near][:MOST_LINES])
        return dict(zip(chosen, OF_PAIRS, strict=False))

    def _contacts(self, axes: Axes, name: str) -> None:
        column, title, label = SERIES[name]
        factor = 1e3 if name == 'depth' else 1.0
        shown = {p: c for p, c in self._strongest().items() if p in self._monitor.peaks}
        for pair, colour in shown.items():
            rows = drawable(np.array(self._monitor.histories[pair].contacts))
            values = factor * rows[:, column]
            axes.plot(rows[:, 0], values, color=colour, label=' - '.join(pair))
            axes.fill_between(rows[:, 0], values, color=colour, alpha=0.15, linewidth=0)
        more = len(self._monitor.peaks) - len(shown)
        axes.set_title(f'{title} ({more} weaker pairs not shown)' if more else title)
        axes.set_ylabel(label)
        if name == 'friction':
            axes.axhline(0.0, color=GREY, linewidth=0.6)
        else:
            axes.set_ylim(bottom=0.0)
        self._or_none(axes, shown, 'no contact')

    def _distances(self, axes: Axes) -> None:
        shown = self._strongest()
        for pair, colour in shown.items():
            rows = np.array(sorted(self._monitor.histories[pair].distances)).reshape(-1, 2)
            axes.plot(rows[:, 0], rows[:, 1], color=colour, label=' - '.join(pair))
        axes.axhline(0.0, color=GREY, linewidth=0.6)
        axes.set_title('Signed distance')
        axes.set_ylabel(r'$\varphi$ [m]')
        self._or_none(axes, shown, 'never near')

    def _or_none(self, axes: Axes, shown: Any, text: str) -> None:
        if not {*shown} <= self._named:  # they have the same colours in all panels
            legend(axes, self._room, below=True)
            self._named |= {*shown}
        elif not shown:
            axes.text(0.5, 0.5, text, transform=axes.transAxes, ha='center', va='center')

    # Energy -------------------------------------------------------------------------------------

    def _energy(self, axes: Axes) -> None:
        """Draw the terms of the summary: mechanical energy and its parts, balance, dissipation."""
        time, every = self._energies()
        terms = {term: every[term] for term in ENERGIES}
        mechanical = terms['kinetic'] + terms['potential'] + terms['elastic']
        scale = max(float(np.abs(column).max()) for column in terms.values())
        for name, column in terms.items():
            if np.abs(column).max() > 1e-9 * scale:
                axes.plot(time, column, color=ENERGIES[name], label=name)
        if np.abs(every['integration']).max() > 1e-9 * scale:
            axes.plot(time, every['integration'], color='#882255', label='lost by integrator')
        axes.plot(time, mechanical, color='black', label='mechanical')
        balance = mechanical - every['residual']
        axes.plot(time, balance, color='#BBBBBB', ls=(0, (4, 4)), label='balance')
        axes.set_title('Energy')
        axes.set_ylabel('energy [J]')
        axes.margins(y=0.08)
        steady(axes)
        legend(axes, self._room, below=True)

    def _energies(self) -> tuple[Vector, dict[str, Vector]]:
        """Return times [s] and terms [J] of the rows, and of the samples between them."""
        rows = [self._time, *(self._recording[f'energy.{term}'] for term in ENERGY)]
        between = np.array(self._monitor.energies).reshape(-1, len(rows))
        every = np.concatenate([np.stack(rows, axis=1), drawable(between)])
        every = every[np.argsort(every[:, 0], kind='stable')]
        return every[:, 0], dict(zip(ENERGY, every[:, 1:].T, strict=True))

    def _residual(self, axes: Axes) -> None:
        time, every = self._energies()
        axes.plot(time, every['residual'], color='#882255')
        axes.axhline(0.0, color=GREY, linewidth=0.6)
        axes.set_title('Residual of the energy balance')
        axes.set_ylabel('residual [J]')
        axes.ticklabel_format(axis='y', style='sci', scilimits=(-2, 3), useMathText=True)
        axes.yaxis.get_offset_text().set_horizontalalignment('right')

    def _time_axis(self, axes: Axes, last: bool) -> None:
        start, end = float(self._time[0]), float(self._time[-1])
        axes.set_xlim(start, end if end > start else start + self._simulation.step_size)
        axes.tick_params(labelbottom=last)
        if last:
            axes.set_xlabel('time [s]')


def panel_names(simulation: Simulation) -> list[str]:
    """Return the names of the panels that a model has."""
    names = ['scene', 'x', 'y', 'angle' if simulation.model.dimension == 2 else 'z']
    names += ['joints'] if simulation.model.joint_names else []
    names += ['speed', 'spin']
    if simulation.pairs:
        names += ['normal', 'friction', 'depth', 'distance']
    return [*names, 'energy', 'residual']


def drawable(values: Vector) -> Vector:
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
