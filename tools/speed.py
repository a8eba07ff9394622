"""
Comparison of the speed of two checkouts of the package, alternating on one core.

    python tools/speed.py ../before .                  # all rows, about four minutes
    python tools/speed.py ../before . --quick          # some of them, about one
    python tools/speed.py ../before . --only 'steps/heap*' --only 'start/*'
    python tools/speed.py . . --quick                  # noise level: all ratios are 1

Each checkout runs in a separate process with its own cache. Both measure the same row alternately,
many times, on the same core, so that other load affects both equally. Times are CPU times; the
least time of each side is used. The processes are restarted several times, because the location of
their memory affects the speed; the spread is the variation of the ratio of the least times between
restarts. Rows that are not equally fast are measured once more.

Rows
  steps/...        a step, of many in one call, from the same state each time
  calls/...        step(1) called from Python
  snapshot/...     snapshot()
  contacts/...     contacts()
  batch/...        a pose in proximities() of many
  single/...       proximity(), once it is compiled
  start/.../cold   a process that loads a model and makes a step, with an empty cache
  start/.../warm   the same with the cache that this process has written

A ratio is new / old: below 1 the second checkout is faster.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
import itertools
import json
import math
import os
from pathlib import Path
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from cases import about, all_cases, checkout, MissingError, OWN

SIDES = ('old', 'new')
WORKER = Path(__file__).with_name('speed_worker.py')
DOUBT = 0.02  # a row with a larger difference is measured once more
BLOCK = 0.015  # [s]: duration of a measurement
FULL, QUICK = (4, 6, 4), (3, 5, 3)  # new processes; measurements by each; cold starts
WARM = 3  # warm starts after a cold one
HEAPS = ('heap2d', 'heap3d', 'panda')
EXTRAS = ('docking', 'single3d', 'law2d', 'joints3d')
VERLET = ('bouncing_circle', 'cart_pole_walls', 'rectangle_rectangle', 'sphere_cuboid', 'heap3d')
CALLED = ('bouncing_circle', 'cart_pole', 'double_pendulum', 'sphere_cuboid', 'heap3d')
SEEN = ('bouncing_circle', 'docking_probe_drogue', *HEAPS)
PAIRS = {
    '2d': ('circle-rectangle', 'rectangle-rectangle', 'polygon-capsule', 'polygon-half_space'),
    '3d': ('sphere-box', 'box-box', 'capsule-capsule', 'box-cylinder', 'convex_hull-convex_hull'),
}
STARTED = ('bouncing_circle/sat/rk4', 'rectangle_rectangle/co/rk4', 'heap3d/sat/rk4')
# Equal hashes in all processes, and no system calls for large arrays.
STEADY = {'PYTHONHASHSEED': '0', 'MALLOC_MMAP_THRESHOLD_': str(2**28)}
STEADY |= {'MALLOC_TRIM_THRESHOLD_': str(2**28)}
OF_QUICK = (
    *('steps/[!jl]*/sat/rk4', 'steps/rectangle_rectangle/co/rk4', 'steps/sphere_cuboid/co/rk4'),
    *('calls/bouncing_circle/*', 'calls/double_pendulum/*', 'snapshot/bouncing_circle/*'),
    *('snapshot/heap2d/*', 'batch/*/sat/*', 'single/2d/*', 'start/bouncing_circle/*'),
)

Times = dict[str, list[list[float]]]  # side -> of each new process -> seconds


# Rows --------------------------------------------------------------------------------------------


def row_names(tree: Path) -> Iterator[str]:
    """Yield the names of all rows."""
    for name in (*(name for name in all_cases(tree) if name not in OWN), *HEAPS):
        yield from (f'steps/{name}/{detector}/rk4' for detector in ('sat', 'co'))
    yield from (f'steps/{name}/sat/verlet' for name in VERLET)
    yield from (f'steps/{name}/sat/rk4' for name in EXTRAS)
    yield from (f'calls/{name}/sat/rk4' for name in CALLED)
    for kind, name in itertools.product(('snapshot', 'contacts'), SEEN):
        yield f'{kind}/{name}/sat/rk4'
    for dimension, pairs in PAIRS.items():
        for detector, pair in itertools.product(('sat', 'co'), pairs):
            yield f'batch/{dimension}/{detector}/{pair}'
        yield f'single/{dimension}/sat/{pairs[0]}'
    for name, how in itertools.product(STARTED, ('cold', 'warm')):
        yield f'start/{name}/{how}'


def chosen(names: Iterable[str], patterns: Iterable[str]) -> list[str]:
    """Return the names that match any of the patterns."""
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


# Measuring ---------------------------------------------------------------------------------------


def command(what: str, tree: Path, folder: Path, *more: str) -> dict[str, Any]:
    """Return the command of a worker, with its cache named by side and repetition."""
    environment = {**os.environ, **STEADY, 'PYTHONPATH': str(tree)}
    return {
        'args': [sys.executable, str(WORKER), what, str(tree), str(folder), *more],
        'env': {**environment, 'SYMCONTACT_CACHE_DIR': str(folder / 'cache')},
        'text': True,
        'stdout': subprocess.PIPE,
    }


class Worker:
    """A process that measures the rows of a checkout."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._process = subprocess.Popen(**command('rows', tree, folder), stdin=subprocess.PIPE)

    def seconds(self, row: str, count: int) -> tuple[float, int]:
        """Return the CPU time [s] of rounds of a row, and the number of items per round."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([row, count]) + '\n')
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise MissingError(f'the process that measured {row} ended: see above')
        answer = json.loads(line)
        if isinstance(answer, str):
            raise RowError(answer)
        return answer[0], answer[1]

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


class RowError(Exception):
    """A row that cannot be measured."""


class Comparison:
    """
    Times of rows of two checkouts.

    Parameters
    ----------
    trees
        The checkouts, old and new.
    folder
        For caches and models.
    """

    def __init__(self, trees: dict[str, Path], folder: Path) -> None:
        self._trees = trees
        self._folder = folder
        self._counts: dict[str, int] = {}
        self.times: dict[str, Times] = {}
        self.failed: dict[str, str] = {}

    def measure(self, rows: list[str], processes: int, repeats: int) -> None:
        """Measure rows in new processes, a few times."""
        for number in range(processes if rows else 0):
            workers = {side: Worker(self._trees[side], self._place(side)) for side in SIDES}
            for place, row in enumerate(rows):
                progress(f'processes {number + 1}/{processes}, row {place + 1}/{len(rows)}: {row}')
                if row not in self.failed:
                    self._measure_row(row, workers, repeats)
            for worker in workers.values():
                worker.close()

    def _measure_row(self, row: str, workers: dict[str, Worker], repeats: int) -> None:
        try:
            for worker in workers.values():  # compiled and warm before the clock starts
                first, _ = worker.seconds(row, 1)
            if row not in self._counts:
                first = min(first, workers['new'].seconds(row, 2)[0] / 2)
                self._counts[row] = max(1, math.ceil(BLOCK / max(first, 1e-7)))
            count = self._counts[row]
            found: dict[str, list[float]] = {side: [] for side in SIDES}
            for side in turns(repeats):
                seconds, things = workers[side].seconds(row, count)
                found[side].append(seconds / (count * things))
        except RowError as error:
            self.failed[row] = str(error)
            return
        self._note(row, found)

    def doubtful(self) -> list[str]:
        """Return the rows that are not equally fast, to be measured again."""
        return [
            row for row, times in self.times.items() if abs(summary(times)['ratio'] - 1.0) > DOUBT
        ]

    def start(self, run: str, wanted: list[str], repeats: int) -> None:
        """Measure new processes with an empty cache, and with a full one."""
        for number in range(repeats):
            progress(f'starts {number + 1}/{repeats}: {run}')
            name = f'{run.replace("/", " ")} {number}'
            places = {side: self._place(f'{side} {name}') for side in SIDES}
            orders = {'cold': SIDES if number % 2 == 0 else SIDES[::-1], 'warm': turns(WARM)}
            for how, order in orders.items():
                found: dict[str, list[float]] = {side: [] for side in SIDES}
                for side in order:
                    found[side].append(self._started(side, places[side], run))
                if f'start/{run}/{how}' in wanted:
                    self._note(f'start/{run}/{how}', found)

    def _started(self, side: str, place: Path, run: str) -> float:
        done = subprocess.run(**command('start', self._trees[side], place, run), check=False)
        if done.returncode:
            raise MissingError(f'the process that started {run} failed: see above')
        return float(done.stdout)

    def _note(self, row: str, found: dict[str, list[float]]) -> None:
        times = self.times.setdefault(row, {side: [] for side in SIDES})
        for side in SIDES:
            times[side].append(found[side])

    def _place(self, name: str) -> Path:
        place = self._folder / name
        place.mkdir(exist_ok=True)
        return place


def turns(repeats: int) -> list[str]:
    """Return the order of sides: old new, new old, and so on."""
    return [side for i in range(repeats) for side in (SIDES if i % 2 == 0 else SIDES[::-1])]


def progress(text: str) -> None:
    """Print the progress."""
    end = '\r' if sys.stderr.isatty() else '\n'
    print(f'{text:90}', end=end, file=sys.stderr, flush=True)


# Report ------------------------------------------------------------------------------------------


def summary(times: Times) -> dict[str, float]:
    """Return the least times of a row [s], their ratio, and its spread."""
    least = {side: [min(own) for own in times[side]] for side in SIDES}
    ratios = [new / old for old, new in zip(*least.values(), strict=True)]
    old, new = (min(least[side]) for side in SIDES)
    return {'old': old, 'new': new, 'ratio': new / old, 'spread': max(ratios) - min(ratios)}


def written(seconds: float) -> str:
    """Return a time with a fitting unit."""
    for unit, factor in (('s', 1.0), ('ms', 1e3), ('us', 1e6)):
        if seconds * factor >= 1.0:
            return f'{seconds * factor:.4g} {unit}'
    return f'{seconds * 1e9:.4g} ns'


def print_table(rows: dict[str, dict[str, float]]) -> None:
    """Print a line per row, and a summary."""
    print(f'{"":44}{"old":>12}{"new":>12}{"ratio":>8}{"spread":>8}')
    for name, row in rows.items():
        old, new = written(row['old']), written(row['new'])
        print(f'{name:44}{old:>12}{new:>12}{row["ratio"]:8.3f}{row["spread"]:8.3f}')
    print()
    for kind in ('', *dict.fromkeys(name.partition('/')[0] for name in rows)):
        own = {name: row['ratio'] for name, row in rows.items() if name.startswith(kind)}
        least, most = min(own, key=own.__getitem__), max(own, key=own.__getitem__)
        print(
            f'{kind or "all":10}median {statistics.median(own.values()):.3f}, '
            f'largest {own[most]:.3f} ({most}), least {own[least]:.3f} ({least})'
        )


# The command -------------------------------------------------------------------------------------


def parsed() -> argparse.Namespace:
    """Return the arguments of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='exit code: 0; 1 if a row could not be measured; 2 for invalid arguments',
    )
    parser.add_argument('old', type=Path, metavar='OLD_TREE', help='a checkout')
    parser.add_argument('new', type=Path, metavar='NEW_TREE', help='checkout to compare with it')
    parser.add_argument('--quick', action='store_true', help='fewer rows, measured less often')
    parser.add_argument(
        '--only', action='append', default=[], metavar='GLOB', help='rows to measure'
    )
    parser.add_argument('--list', action='store_true', help='list the names of the rows and exit')
    parser.add_argument('--core', type=int, help='the core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='F', help='write all times to a file')
    return parser.parse_args()


def pin(core: int | None) -> int:
    """Pin this process and its children to one core; return its number."""
    chosen_core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen_core})
    return chosen_core


def compared(options: argparse.Namespace, folder: Path) -> int:
    """Measure, report, and return the exit code."""
    trees = {side: checkout(getattr(options, side)) for side in SIDES}
    rows = chosen(row_names(trees['old']), options.only or (OF_QUICK if options.quick else '*'))
    if not rows:
        raise MissingError('no row matches; --list prints their names')
    if options.list:
        print('\n'.join(rows))
        return 0
    processes, repeats, starts = QUICK if options.quick else FULL
    core = pin(options.core)
    comparison = Comparison(trees, folder)
    comparison.measure([row for row in rows if not row.startswith('start/')], processes, repeats)
    comparison.measure(comparison.doubtful(), processes, repeats)
    for run in STARTED:
        if chosen(rows, [f'start/{run}/*']):
            comparison.start(run, rows, starts)
    found = {row: summary(times) for row, times in comparison.times.items()}
    if found:
        print_table(found)
    for row, error in comparison.failed.items():
        print(f'{row}: {error}')
    if options.json:
        machine = {**about(), 'core': core, **{side: str(tree) for side, tree in trees.items()}}
        content = {'about': machine, 'rows': found, 'times': comparison.times}
        options.json.write_text(json.dumps(content, indent=1) + '\n', encoding='utf-8')
    return 1 if comparison.failed else 0


def main() -> int:
    """Run the command and return its exit code."""
    options = parsed()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='symcontact_speed_') as folder:
        try:
            code = compared(options, Path(folder))
        except (MissingError, OSError) as error:
            print(f'speed.py: {error}', file=sys.stderr)
            return 2
    print(f'took {time.monotonic() - begin:.0f} s', file=sys.stderr)
    return code


if __name__ == '__main__':
    sys.exit(main())
