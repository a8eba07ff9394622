"""Physics numbers of docs/paper.md: runs of the five scenarios, and the printed formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
import math
from pathlib import Path
import sys

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'test'))  # folder of the printed formulas

from helpers.paper_formulas import (  # noqa: E402
    angular_momenta,
    at_random_poses,
    C,
    COUNT,
    ours,
    printed,
    printed_force,
    PrintedPoints,
    R,
)

from symcontact_ros.bench.paper_way import NumericSat  # noqa: E402
from symcontact_ros.bench.scenes import load_scene  # noqa: E402
from symcontact_ros.cli.contact_monitor import ContactMonitor  # noqa: E402
from symcontact_ros.cli.recording import Recorder, Recording  # noqa: E402
from symcontact_ros.model.library import load_model  # noqa: E402
from symcontact_ros.simulation.simulation import Simulation  # noqa: E402

STRIDE = 10  # steps between two rows of a recording
Numbers = dict[str, float]


@dataclass(frozen=True)
class ScenarioRun:
    """A scenario from its first to its last step."""

    simulation: Simulation
    recording: Recording  # with the first row alone, unless it is drawn
    monitor: ContactMonitor
    start: Numbers  # energy [J], and momenta
    end: Numbers

    @property
    def contacts(self) -> np.ndarray:
        """Rows of time [s], normal force [N], friction [N], depth [m] of the only pair."""
        (history,) = self.monitor.histories.values()
        return np.array(history.contacts)

    def intervals(self) -> Iterator[np.ndarray]:
        """Yield the rows of each contact, which begin and end with zeros."""
        rows = self.contacts
        apart = np.flatnonzero(rows[:, 1:].max(axis=1) <= 0.0)
        for first, last in pairwise(apart):
            if last > first + 1:
                yield rows[first : last + 1]


@cache
def run(name: str, drawn: bool = False) -> ScenarioRun:
    """Simulate a scenario as its model file says; with a recording of its poses if drawn."""
    simulation = Simulation(load_model(name), progress=lambda text: None)
    recorder, monitor = Recorder(simulation), ContactMonitor(simulation, STRIDE, every_step=True)
    start = _state(simulation)
    recorder.sample()
    for step in range(round(simulation.model.duration / simulation.step_size)):
        simulation.step()
        monitor.sample()
        if drawn and step % STRIDE == STRIDE - 1:
            recorder.sample()
    return ScenarioRun(simulation, recorder.recording(), monitor, start, _state(simulation))


def _state(simulation: Simulation) -> Numbers:
    energy, momentum = simulation.energy(), simulation.momentum()
    keys = ('mechanical', 'dissipated', 'manifold', 'residual', 'throughput')
    parts = {key: float(getattr(energy, key)) for key in keys}
    for name in ('linear', 'angular'):
        parts |= {f'{name}_{i}': float(x) for i, x in enumerate(getattr(momentum, name))}
    return parts


def scenario(name: str) -> Numbers:
    """Return what the page says of a scenario."""
    made = run(name)
    first = next(made.intervals())
    peak = next(iter(made.monitor.peaks.values()))
    return {
        'duration': made.simulation.time,
        'contacts': len(list(made.intervals())),
        'begin': float(first[0, 0]),
        'lasts': float(first[-1, 0] - first[0, 0]),
        'depth': peak.depth,
        'force': float(made.contacts[:, 1].max()),
        'energy_start': made.start['mechanical'],
        'energy_end': made.end['mechanical'],
        'dissipated': made.end['dissipated'],
        'manifold': made.end['manifold'],
        'residual': abs(made.end['residual']) / made.end['throughput'],
        'linear': _change(made, 'linear'),
        'angular': _change(made, 'angular'),
        'by_co': _difference_by_co(name),
    }


def _change(made: ScenarioRun, name: str) -> float:
    return max(abs(made.end[f'{name}_{i}'] - made.start[f'{name}_{i}']) for i in range(3))


def _difference_by_co(name: str) -> float:
    """Return the largest difference of coordinates [m, rad] at the end, by convex programs."""
    made = run(name).simulation
    other = Simulation(load_model(name), detector='co', progress=lambda text: None)
    other.step(made.steps)
    return float(np.abs(other.q - made.q).max())


# The printed formulas ----------------------------------------------------------------------------


@cache
def formulas() -> Numbers:
    """Return how far the printed formulas are off, over random poses and in special cases."""
    paper, answer = at_random_poses()
    overlap = answer.distance < 0.0
    inside, corner = paper.outside == 0, (paper.outside == 2) & overlap
    length = np.linalg.norm(paper.n[corner], axis=1)
    cosine = np.einsum('ni,ni->n', paper.n, answer.normal[:, :2])[corner] / length
    angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
    far = np.linalg.norm(paper.q - answer.point_b[:, :2], axis=1)[inside]
    depths = np.array([0.2, R])
    below = np.stack([0.3 + 0 * depths, C[1] - depths], -1)  # the centre, under the upper edge
    return {
        'poses': COUNT,
        'right': float((paper.outside == 1)[overlap].mean()),
        'missed': float((paper.phi > 0.0)[inside].mean()),
        'corner_length': float(length.mean()),
        'corner_median': float(np.median(angle)),
        'corner_largest': float(angle.max()),
        'far_side': float(far.mean()),
        'printed_rho': float(printed(below).rho[0]),
        'exact_rho': float(-ours(below).distance[0]),
        'energy_ratio': ((R + C[1]) ** 4 / 4.0) / (R**4 / 2.0),
        **{f'known_{r}': _known(paper, answer, 0.1 * r) for r in (2, 1, 0)},  # R* [0.1 m]
    }


def _known(paper: object, answer: object, radius: float) -> float:
    """Return the share of overlaps that eq. 16 covers with a smaller circle."""
    centre = paper.centre  # type: ignore[attr-defined]
    gap = np.linalg.norm(centre - np.clip(centre, -C, C), axis=1) - radius
    return float((gap > 0.0)[answer.distance < 0.0].mean())  # type: ignore[attr-defined]


@cache
def momenta() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return time [s] and angular momentum [kg m^2/s] of two discs, by points of the forces."""
    _, scene = load_scene('circle_circle')
    found = {}
    for words, way in (('two points', PrintedPoints), ('one point', NumericSat)):
        made = way(scene, 1e-3)
        made.build()
        made.run(1000)
        times = 1e-3 * np.arange(len(made.track))
        found[words] = times, angular_momenta(scene, made.track)
    return found


def law() -> Numbers:
    """Return where the printed contact law fails."""
    lost = {
        words.replace(' ', '_'): abs(float(values[-1] / values[0]) - 1.0)
        for words, (_, values) in momenta().items()
    }
    _, scene = load_scene('circle_circle')
    constants = scene.law
    leaving = 2.0 / constants.damping  # [m/s]
    pull, _ = printed_force(
        *(0.01, leaving, 0.0, constants.stiffness, constants.damping),
        *(constants.friction, constants.slip_speed),
    )
    largest = math.log(sys.float_info.max) * constants.slip_speed
    return {**lost, 'leaving': leaving, 'pull': pull, 'overflow': largest}


# The first axis ----------------------------------------------------------------------------------


def first_axis() -> Numbers:
    """Return how often one axis alone proves that two rectangles are apart, by axis."""
    rng = np.random.default_rng(2)
    half = rng.uniform(0.1, 1.0, (2, COUNT, 2))  # [m]
    angle = rng.uniform(-np.pi, np.pi, (2, COUNT))
    way = rng.uniform(-2.5, 2.5, (COUNT, 2))
    axes = np.stack([_unit(angle + quarter) for quarter in (0.0, 0.5 * np.pi)], 2)  # (2, n, 2, 2)

    def gap(axis: np.ndarray) -> np.ndarray:
        reach = np.einsum('bnk,bnk->n', half, np.abs(np.einsum('bnkc,nc->bnk', axes, axis)))
        return np.abs(np.einsum('nc,nc->n', way, axis)) - reach

    edges = np.stack([gap(axes[body, :, k]) for body in (0, 1) for k in (0, 1)])
    apart = (edges > 0.0).any(axis=0)  # by the theorem
    centres = gap(way / np.linalg.norm(way, axis=1)[:, None])
    return {
        'centres': float((centres > 0.0)[apart].mean()),
        'edge': float((edges > 0.0)[:, apart].mean(axis=1).max()),
    }


def _unit(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle)], -1)
