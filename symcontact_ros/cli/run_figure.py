"""Figure of a run: paths, poses over time, contact forces, energy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.figure_style import (
    COLOURS,
    GREY,
    headline,
    LEFT_ROOM,
    legend,
    MOST_LINES,
    steady,
    write_figure,
)
from symcontact_ros.cli.plane_panel import PlanePanel
from symcontact_ros.cli.recording import Recording
from symcontact_ros.simulation.integrator_choice import integrator_words
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST = 1e30  # number that is drawn
PANELS_HEIGHT = 6.6  # [in] of three panels, without titles and labels
ENERGY_COLOURS = {
    'kinetic': '#56B4E9',
    'potential': '#E69F00',
    'elastic': '#009E73',
    'dissipated': '#C8C8C8',
    'integration': '#CC79A7',
}
# The potential so that it can be stacked; the other by implicit steps themselves.
LABELS = {'potential': 'potential - lowest', 'integration': 'lost by the integrator'}


def write_plot(
    path: Path, simulation: Simulation, recording: Recording, monitor: ContactMonitor
) -> None:
    """Draw a run into a .png, .pdf or .svg file, whole or not at all."""
    drawable = Recording(recording.units, _drawable(recording.values))
    write_figure(path, (12.5, 8.5), _Drawing(simulation, drawable, monitor).draw)


class _Drawing:
    """Panels of the figure."""

    def __init__(
        self, simulation: Simulation, recording: Recording, monitor: ContactMonitor
    ) -> None:
        self._simulation = simulation
        self._model = simulation.model
        self._recording = recording
        self._monitor = monitor
        self._time = recording['time']
        still = self._model.grounded
        self._bodies = [name for name in self._model.body_names if name not in still]
        self._shown = _farthest(recording, self._bodies)
        self._colours = dict(zip(self._shown, COLOURS, strict=False))

    def draw(self, figure: Any) -> None:
        """Fill the figure: space and energy to the left, everything over time to the right."""
        left, right = figure.subfigures(1, 2, width_ratios=(1.12, 1.0), wspace=0.03)
        simulation, model = self._simulation, self._model
        step = 1e3 * simulation.step_size
        made = integrator_words(simulation.integrator, simulation.used_integrator)
        headline(figure, f'{model.name}   {made}, steps of {step:g} ms')
        if model.dimension == 2:
            picture = PlanePanel(simulation, self._recording, self._bodies, self._colours)
            rest = PANELS_HEIGHT - picture.height
            shares = picture.height, 0.72 * rest, 0.28 * rest
            plane, energy, residual = left.subplots(3, 1, height_ratios=shares)
            picture.draw(plane)
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
                self._lines(
                    axes, panel, 'angle [rad], not wrapped' if panel == 'angle' else f'{panel} [m]'
                )
            self._time_axis(axes, last=axes is all_axes[-1])
        hidden = len(self._bodies) - len(self._shown)
        title = 'Poses of the bodies'
        all_axes[0].set_title(f'{title} ({hidden} that move least not shown)' if hidden else title)
        legend(all_axes[0])

    def _lines(self, axes: Axes, kind: str, label: str) -> None:
        for body in self._shown:
            column = self._recording[f'{body}.{kind}']
            axes.plot(self._time, column, color=self._colours[body], label=body)
        axes.set_ylabel(label)
        steady(axes)

    def _norms(self, axes: Axes, letter: str, title: str, label: str) -> None:
        for body in self._shown:
            parts = [self._recording[f'{body}.{letter}{axis}'] for axis in 'xyz']
            axes.plot(self._time, np.linalg.norm(parts, axis=0), color=self._colours[body])
        axes.set_title(title)
        axes.set_ylabel(label)
        steady(axes)

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
        steady(axes)
        legend(axes)

    def _forces(self, axes: Axes) -> None:
        peaks = self._monitor.peaks
        strongest = sorted(peaks, key=lambda pair: -peaks[pair].force)[:MOST_LINES]
        for pair, colour in zip(sorted(strongest), COLOURS[::-1], strict=False):
            times, forces = _drawable(np.transpose(self._monitor.forces[pair]))
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
            legend(axes)
        else:
            axes.text(0.5, 0.5, 'no contact', transform=axes.transAxes, ha='center')

    def _time_axis(self, axes: Axes, last: bool) -> None:
        start, end = float(self._time[0]), float(self._time[-1])
        axes.set_xlim(start, end if end > start else start + self._simulation.step_size)
        axes.tick_params(labelbottom=last)
        if last:
            axes.set_xlabel('time [s]')

    # Energy -------------------------------------------------------------------------------------

    def _energy(self, axes: Axes) -> None:
        """Stack the terms: their sum is constant where no work is done on the model."""
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
        found = sum(self._recording[f'energy.{term}'] for term in ENERGY_COLOURS)
        supply = found - self._recording['energy.residual'] - lowest
        axes.plot(self._time, supply, 'k--', linewidth=1.0, label='supplied')
        axes.set_title('Energy balance')
        axes.set_ylabel('energy [J]')
        axes.margins(y=0.08)
        axes.set_ylim(bottom=0.0)
        legend(axes, LEFT_ROOM)
        self._time_axis(axes, last=False)

    def _residual(self, axes: Axes) -> None:
        residual = self._recording['energy.residual']
        axes.plot(self._time, residual, color='#882255', linewidth=1.1)
        axes.axhline(0.0, color=GREY, linewidth=0.6)
        axes.set_title('Residual of the energy balance')
        axes.set_ylabel('residual [J]')
        axes.ticklabel_format(axis='y', style='sci', scilimits=(-2, 3))
        self._time_axis(axes, last=True)


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
