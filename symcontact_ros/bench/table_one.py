"""
Measurement of Table I of the paper: every method on every scenario, alternating, on one core.

The methods of a scenario alternate, so that other load on the machine affects all of them. Times
are CPU times of the process: on an idle machine they equal wall-clock times; on a busy one
wall-clock times would include other processes, most of all for the methods with the longest runs.
Only results measured in this run are reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
import gc
from importlib.util import find_spec
import logging
import statistics
import time
from typing import Protocol

import numpy as np

from symcontact_ros.bench.convex import PACKAGES
from symcontact_ros.bench.machine import machine, pin_to_core, versions
from symcontact_ros.bench.ours import Ours
from symcontact_ros.bench.paper_way import NumericSat, PaperWay, SymbolicCo, SymbolicSat
from symcontact_ros.bench.peers import missing_packages, PEERS
from symcontact_ros.bench.scenes import load_scene, Scene
from symcontact_ros.types import Vector

STEP_SIZE = 1e-3  # [s]


class Method(Protocol):
    """A method of simulating a scenario."""

    @property
    def title(self) -> str:
        """Name in the table."""

    @property
    def loop(self) -> str:
        """Caller of the steps: 'Python' or 'compiled'."""

    @property
    def warms_up(self) -> bool:
        """Whether runs are so short that an untimed run precedes each of them."""

    @property
    def most_runs(self) -> int:
        """Largest number of runs, limited for slow methods."""

    @property
    def most_steps(self) -> int:
        """Largest number of steps per run."""

    def build(self) -> None:
        """Prepare a run: derive, compile, load."""

    def reset(self) -> None:
        """Return to the initial state."""

    def run(self, steps: int) -> None:
        """Make steps."""

    def end(self) -> Vector:
        """Return the positions of the bodies [m]."""


@dataclass(frozen=True)
class Sample:
    """Mean and minimum of repeated measurements."""

    mean: float
    minimum: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Sample:
        """Return mean and minimum of some values."""
        return cls(statistics.fmean(values), min(values))


@dataclass(frozen=True)
class Timing:
    """Times of one run of a method [s]."""

    steps: int  # made
    build: float  # CPU time
    run: float  # CPU time
    wall: float  # wall-clock time of the run


@dataclass(frozen=True)
class Difference:
    """Largest difference of two trajectories, over all steps and bodies."""

    position: float  # [m]
    angle: float  # [rad]

    @property
    def largest(self) -> float:
        """The larger of both numbers [m or rad]."""
        return max(self.position, self.angle)


@dataclass
class Row:
    """A method on a scenario."""

    method: str
    loop: str
    steps: int  # made
    step_us: Sample  # CPU time
    wall_step_us: Sample  # wall-clock time
    build_s: Sample  # derivation, compilation, loading
    whole_s: Sample | None  # that and all steps; None if not all were made
    ratio: float  # of the minima of step_us, to ours
    difference: Difference | None  # from ours, if the law is the same
    end: list[list[float]]  # positions [m]


@dataclass
class Result:
    """All measurements, and the packages that were missing."""

    machine: str
    versions: dict[str, str]
    runs: int
    steps: int
    integrator: str
    missing: list[str]  # packages
    step_size: float = STEP_SIZE
    scenarios: dict[str, list[Row]] = field(default_factory=dict)
    exceeded: dict[str, int] = field(default_factory=dict)  # steps beyond a limit of accuracy


def measure(
    scenarios: Sequence[str],
    runs: int,
    steps: int,
    *,
    integrator: str = 'rk4',
    peers: bool = False,
    core: int | None = None,
    convex_steps: int = SymbolicCo.most_steps,
    say: Callable[[str], None] = print,
) -> Result:
    """Measure scenarios one after the other, on one core; ``convex_steps`` at most by CVXPY."""
    core = pin_to_core(core)
    packages = dict.fromkeys(peer.package for peer in PEERS) if peers else ()
    no_solver = [package for package in PACKAGES if find_spec(package) is None]
    missing = no_solver + (missing_packages() if peers else [])
    result = Result(machine(core), versions(packages), runs, steps, integrator, missing)
    # Exceeded limits of accuracy are part of the report: no warning for each simulation.
    logging.getLogger('symcontact_ros.simulation').setLevel(logging.ERROR)
    for name in scenarios:
        say(f'measuring {name}')
        model, scene = load_scene(name)
        ours = Ours(model, scene, integrator, STEP_SIZE)
        methods: list[Method] = [
            SymbolicSat(scene, STEP_SIZE),
            NumericSat(scene, STEP_SIZE),
            *([] if no_solver else [SymbolicCo(scene, STEP_SIZE, convex_steps)]),
            ours,
            Ours(model, scene, integrator, STEP_SIZE, detector='co'),
        ]
        methods.append(Ours(model, scene, integrator, STEP_SIZE, cached=False))
        methods.append(Ours(model, scene, integrator, STEP_SIZE, singly=True))
        if scene.is_flat_on_flat:
            methods.append(Ours(model, scene, integrator, STEP_SIZE, manifold='shared'))
        if peers:
            there = [p for p in PEERS if p.package not in missing and p.simulates(scene)]
            methods += [peer(scene, STEP_SIZE) for peer in there]
        times = in_turns(methods, runs, steps)
        result.scenarios[name] = _rows(scene, methods, times, ours=ours, steps=steps)
        result.exceeded[name] = int(ours.simulation.counters['exceeded_steps'])
    return result


def in_turns(methods: Sequence[Method], runs: int, steps: int) -> list[list[Timing]]:
    """Return the times to build and to run, for every method and run."""
    for method in methods:  # imports, first calls, and the cache
        method.build()
        method.reset()
        method.run(min(steps, 10))
    times: list[list[Timing]] = [[] for _ in methods]
    for _ in range(runs):
        for method, own in zip(methods, times, strict=True):
            if len(own) < method.most_runs:
                own.append(_timed(method, min(steps, method.most_steps)))
    return times


def _timed(method: Method, steps: int) -> Timing:
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        method.build()
        built = time.process_time() - start
        if method.warms_up:  # the CPU caches hold data of the previous method
            method.reset()
            method.run(steps)
        method.reset()
        wall, start = time.perf_counter(), time.process_time()
        method.run(steps)
        run = time.process_time() - start
        return Timing(steps, built, run, time.perf_counter() - wall)
    finally:
        gc.enable()


def _rows(
    scene: Scene,
    methods: Sequence[Method],
    times: list[list[Timing]],
    *,
    ours: Ours,
    steps: int,
) -> list[Row]:
    rows = []
    for method, own in zip(methods, times, strict=True):
        row = Row(
            method.title,
            method.loop,
            own[0].steps,
            Sample.of([1e6 * timing.run / timing.steps for timing in own]),
            Sample.of([1e6 * timing.wall / timing.steps for timing in own]),
            Sample.of([timing.build for timing in own]),
            _whole(own) if own[0].steps == steps else None,
            ratio=0.0,
            difference=None,
            end=np.asarray(method.end()).tolist(),
        )
        rows.append(row)
    reference = rows[methods.index(ours)].step_us.minimum
    trajectory = ours.coordinates(steps)
    for method, row in zip(methods, rows, strict=True):
        row.ratio = row.step_us.minimum / reference
        if isinstance(method, PaperWay):
            row.difference = difference(
                scene.dimension, method.coordinates(), trajectory[: row.steps + 1]
            )
    return rows


def _whole(timings: Sequence[Timing]) -> Sample:
    return Sample.of([timing.build + timing.run for timing in timings])


def difference(dimension: int, q_a: Vector, q_b: Vector) -> Difference:
    """Return the largest difference of trajectories: rows of q as in `Simulation.q`."""
    size = 3 if dimension == 2 else 7
    a, b = q_a.reshape(len(q_a), -1, size), q_b.reshape(len(q_b), -1, size)
    position = np.linalg.norm(a[..., :dimension] - b[..., :dimension], axis=-1).max()
    if dimension == 2:
        angle = np.abs(a[..., 2] - b[..., 2]).max()
    else:  # of the relative rotation; q and -q are the same attitude
        v_a, w_a, v_b, w_b = a[..., 3:6], a[..., 6:], b[..., 3:6], b[..., 6:]
        turn = w_a * v_b - w_b * v_a - np.cross(v_a, v_b)
        angle = 2.0 * np.arcsin(np.minimum(1.0, np.linalg.norm(turn, axis=-1))).max()
    return Difference(float(position), float(angle))
