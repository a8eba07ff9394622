"""
Worker of `speed.py`, which measures one checkout.

``speed_worker.py rows TREE FOLDER`` reads lines of JSON, ``[row, count]``, from its standard input
and replies with the CPU time of that many rounds of a row and the number of items per round; files
are written to the folder. ``speed_worker.py start TREE FOLDER RUN`` loads a model, makes one step,
and prints the CPU time since the start of the process.
"""

from __future__ import annotations

from collections.abc import Callable
import contextlib
import gc
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from cases import all_cases, Case, simulation, use_tree
from queries import pair_poses, Query, shape

STEPS = {'heap2d': 600, 'heap3d': 250, 'single3d': 250, 'panda': 200, 'docking': 8200}
USUAL = 2000  # steps of other models in one call, as in `bits.py`
BEFORE = 300  # steps before an inspection: heaps are in contact then
POSES = 2000  # of a batch
PATIENCE = 0.3  # [s] of inspections before the measurement: until they are compiled

Timer = Callable[[int], float]  # rounds -> CPU time [s]


class Bench:
    """Rows of a checkout; their requirements are created on first use."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._cases = all_cases(tree)
        self._folder = folder
        self._timers: dict[str, tuple[Timer, int]] = {}

    def measure(self, row: str, count: int) -> tuple[float, int]:
        """Return the CPU time [s] of rounds of a row, and the number of items per round."""
        if row not in self._timers:
            self._timers[row] = self._made(row)
            gc.collect()
            gc.freeze()  # permanent objects are not scanned repeatedly
        timer, things = self._timers[row]
        gc.collect()
        gc.disable()  # collections would come at random times
        try:
            return timer(count), things
        finally:
            gc.enable()

    def _made(self, row: str) -> tuple[Timer, int]:
        kind, name, detector, last = row.split('/')
        if kind in ('batch', 'single'):
            query = Query(int(name[0]), detector, *last.split('-'))
            return (batch(query), POSES) if kind == 'batch' else (single(query), 1)
        run = simulation(name, self._cases[name], self._folder, detector, last)
        wait_for_fast_code()
        again = Restart(run, self._cases[name])
        if kind == 'steps':
            steps = STEPS.get(name, USUAL)
            return again.blocks(steps), steps
        if kind == 'calls':
            return again.calls, 1
        run.step(BEFORE)
        look = getattr(run, kind)
        begin = time.process_time()
        while time.process_time() - begin < PATIENCE:
            look()
        return lambda count: repeated(look, count), 1


class Restart:
    """Times steps from the same state each time."""

    def __init__(self, run: Any, case: Case) -> None:
        self._run, self._case = run, case

    def _go_back(self) -> None:
        self._run.reset()
        self._case.start(self._run)

    def blocks(self, steps: int) -> Timer:
        """Return a timer of rounds of many steps."""

        def timer(count: int) -> float:
            spent = 0.0
            for _ in range(count):
                self._go_back()
                start = time.process_time()
                self._run.step(steps)
                spent += time.process_time() - start
            return spent

        return timer

    def calls(self, count: int) -> float:
        """Return the CPU time of single steps [s]."""
        self._go_back()
        return repeated(lambda: self._run.step(1), count)


def wait_for_fast_code() -> None:
    """Wait for it, where a checkout has other code first."""
    with contextlib.suppress(ImportError):
        from symcontact_ros.kernels import improving

        improving.wait_for_fast_code()


def repeated(call: Callable[[], object], count: int) -> float:
    """Return the CPU time of calls [s]."""
    start = time.process_time()
    for _ in range(count):
        call()
    return time.process_time() - start


def batch(query: Query) -> Timer:
    """Time proximities of many poses."""
    import symcontact_ros as sc

    a, b = shape(query.kind_a, query.dimension), shape(query.kind_b, query.dimension, 0.5)
    first, second = pair_poses(query.name, query.dimension, POSES)
    how = (query.detector, query.dimension)
    return lambda count: repeated(lambda: sc.proximities(a, first, b, second, *how), count)


def single(query: Query) -> Timer:
    """Time the proximity of one pose, after a batch, which has compiled it."""
    import symcontact_ros as sc

    batch(query)(1)
    a, b = shape(query.kind_a, query.dimension), shape(query.kind_b, query.dimension, 0.5)
    poses = pair_poses(query.name, query.dimension, 1)
    one, other = (sc.Pose(pose.position[0], pose.quaternion[0]) for pose in poses)
    how = (query.detector, query.dimension)
    return lambda count: repeated(lambda: sc.proximity(a, one, b, other, *how), count)


def start(tree: Path, folder: Path, run: str) -> float:
    """Make one step of a model and return the CPU time of this process [s]."""
    name, detector, integrator = run.split('/')
    simulation(name, all_cases(tree)[name], folder, detector, integrator).step(1)
    return time.process_time()


def serve(bench: Bench) -> None:
    """Process the input line by line."""
    for line in sys.stdin:
        row, count = json.loads(line)
        try:
            answer: Any = bench.measure(row, count)
        except Exception as error:  # the other rows are still to be measured
            answer = f'{type(error).__name__}: {error}'
        print(json.dumps(answer), flush=True)


def main() -> None:
    """Run the command given by `speed.py`."""
    logging.disable(logging.WARNING)
    what, tree, folder, *more = sys.argv[1:]
    use_tree(Path(tree))
    if what == 'start':
        print(start(Path(tree), Path(folder), *more))
    else:
        serve(Bench(Path(tree), Path(folder)))


if __name__ == '__main__':
    main()
