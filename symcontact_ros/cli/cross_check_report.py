"""Report of ``simulate --cross-check``: disagreements of two detectors, as text and figure."""

from __future__ import annotations

from collections.abc import Sequence
import math
from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.cli.figure_style import COLOURS, headline, legend, MOST_LINES, write_figure
from symcontact_ros.simulation.observing.cross_check import Comparison
from symcontact_ros.simulation.simulation import Simulation

Pair = tuple[str, str]
MOST_SHOWN = 20  # pairs in the summary
LEAST = 1e-16  # lowest power of ten on an axis; 0 is below it


class CrossCheckReport:
    """Results of another detector at the states of a run."""

    def __init__(self, simulation: Simulation) -> None:
        self._other = 'sat' if simulation.detector == 'co' else 'co'
        self._run = simulation.detector
        self._check = simulation.cross_check(self._other, simulation.co)
        self.by_pair: dict[Pair, list[Comparison]] = {}
        self.samples = 0

    def sample(self) -> None:
        """Query both detectors at the present state."""
        self.samples += 1
        for found in self._check.compare():
            self.by_pair.setdefault((found.body_a, found.body_b), []).append(found)

    def summary(self) -> str:
        """Return the largest disagreement of every pair, a line each."""
        states = f'{self.samples} states of the run with {self._run}'
        head = f'cross-check: {self._other} queried at {states}'
        if not self.by_pair:
            return f'{head}; no pair came near'
        worst = sorted(self.by_pair.items(), key=lambda item: -_worst(item[1]))
        first = 'largest disagreement'
        width = max(len(first), *(len(' - '.join(pair)) for pair, _ in worst))
        lines = [
            head,
            f'  {first:<{width}}  distance [m]   in overlap [m]   '
            'normal [deg]   force [N] (of)      signs differ   exact instead',
        ]
        for pair, found in worst[:MOST_SHOWN]:
            lines.append(f'  {" - ".join(pair):<{width}}  {_line(found)}')
        if len(worst) > MOST_SHOWN:
            lines.append(f'  ... and {len(worst) - MOST_SHOWN} pairs that agree better')
        return '\n'.join(lines)

    def write_plot(self, path: Path) -> None:
        """Draw distances, and the differences of both detectors, into a file."""
        write_figure(path, (10.0, 9.0), self._draw)

    def _draw(self, figure: Any) -> None:
        headline(figure, f'Cross-check: {self._other} at the states of a run with {self._run}')
        distance, difference, angle, force = figure.subplots(4, 1, sharex=True)
        worst = sorted(self.by_pair.items(), key=lambda item: -_worst(item[1]))[:MOST_LINES]
        for (pair, found), colour in zip(worst, COLOURS, strict=False):
            time = [c.time for c in found]
            label, dots = ' - '.join(pair), {'color': colour, 'marker': '.', 'lw': 0, 'ms': 3}
            near = [min(c.distances) for c in found]
            distance.plot(time, 1e3 * np.array(near), color=colour, label=label)
            difference.plot(time, [c.distance_error for c in found], **dots)
            angle.plot(time, [math.degrees(c.angle) for c in found], **dots)
            force.plot(time, [c.force_error for c in found], **dots)
        labels = 'distance [mm]', 'of distances [m]', 'of normals [deg]', 'of forces [N]'
        heads = 'Distance', 'Disagreement', '', ''
        for axes, label, head in zip(figure.axes, labels, heads, strict=True):
            axes.set_ylabel(label)
            axes.set_title(head)
            if axes is not distance:
                _show_powers(axes)
        distance.axhline(0.0, color='black', lw=0.8)
        force.set_xlabel('time [s]')
        legend(distance)


def _show_powers(axes: Any) -> None:
    """Scale an axis by powers of ten, with 0 below them."""
    highest = max((max(line.get_ydata()) for line in axes.lines), default=0.0)
    axes.set_yscale('symlog', linthresh=LEAST, linscale=0.5)
    axes.yaxis.get_major_locator().set_params(numticks=6)
    axes.set_ylim(-0.3 * LEAST, 3.0 * max(highest, 10.0 * LEAST))


def _worst(found: Sequence[Comparison]) -> float:
    return max(c.distance_error for c in found)


def _line(found: Sequence[Comparison]) -> str:
    overlap = max((c.distance_error for c in found if min(c.distances) < 0.0), default=0.0)
    force = max(c.force_error for c in found)
    of = max(float(np.linalg.norm(force)) for c in found for force in c.forces)
    signs = sum(c.distances[0] * c.distances[1] < 0.0 for c in found)
    exact = sum(bool(c.fallback) for c in found)
    angle = math.degrees(max(c.angle for c in found))
    return (
        f'{_worst(found):12.3g}   {overlap:14.3g}   {angle:12.3g}   '
        f'{force:9.3g} ({of:8.3g})   {signs:12d}   {exact} of {len(found)}'
    )
