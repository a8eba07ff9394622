"""
Hashes of the results of the package, to check that two versions compute the same bits.

    python tools/bits.py --json before.json               # a table of the present code
    python tools/bits.py --compare before.json            # after a change: differences
    python tools/bits.py --compare before.json --only 'heap3d/co/*' --only 'proximity3d/*'
    python tools/bits.py --tree ../other --compare before.json

The package is that of --tree, else of PYTHONPATH, else of the checkout of this file. All rows take
about two minutes of one core, most of it compiling: compiled code is stored in a temporary folder,
unless SYMCONTACT_CACHE_DIR is set. A table is valid for one machine and one set of versions.

Runs are the shipped models and those of tools/cases.py, with each detector and integrator: 2000
steps of 1 ms (heaps in space 1000, `docking` 8200: until contact). A run, such as
heap3d/co/rk4, has a row for each of
  state        state_hash() after all steps, made in one call
  motion       final q and u alone: equal if only the layout of the state has changed
  looked       the same in a new simulation with an inspection every few steps: equal to `motion`
  contacts     contacts() at each of these inspections
  proximities  proximities() without features, and Jacobians, at some inspections
  energy       energy() and momentum() at the same
  snapshot     snapshot() and sensors() at the same
  pairs        heaps only: the pairs of shape types that came into contact
and a pair of shapes, such as proximity3d/sat/sphere-box, for
  single       proximity(), pose by pose, which runs as plain Python
  batch        proximities() of many poses, which runs compiled
  swapped      the same with the shapes exchanged

If a row differs, the sums of the magnitudes of its numbers show by how much: a relative difference
of 1e-15 is rounding, of 0.1 another trajectory.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
import hashlib
import itertools
import json
import logging
import math
import os
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from cases import about, all_cases, Case, MissingError, nothing, simulation, use_tree
import numpy as np
from queries import all_queries, pair_poses, Query, shape

FORMAT = 1
LOOKS = 200  # inspections of a run
DEEP_LOOKS = 5  # of them with all quantities: the first ones with contacts
JACOBIANS = 12  # at most, per inspection
SINGLE, BATCH, SWAPPED = 4, 120, 12  # poses of a pair of shapes: 10,064 in all (68 pairs)
CACHE = 'SYMCONTACT_CACHE_DIR'
ENERGY = ('kinetic', 'potential', 'elastic', 'dissipated', 'work_in', 'manifold', 'start')
PROXIMITY = ('distance', 'normal', 'point_a', 'point_b', 'proven', 'fallback')
CONTACT = ('body_a', 'body_b', 'point', 'normal', 'distance', 'force')
READINGS = ('specific_force', 'angular_velocity', 'quaternion', 'force', 'torque')

Row = dict[str, Any]  # its hash, and the sum of the magnitudes of the hashed numbers
Rows = dict[str, Row]


class Digest:
    """A hash of numbers and words, bit by bit."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._sum = 0.0

    def add(self, *values: Any) -> None:
        """Add words, numbers and arrays."""
        for value in values:
            if isinstance(value, str):
                self._hash.update(f'{value}\n'.encode())
            else:
                array = np.ascontiguousarray(value, dtype=np.float64)
                self._hash.update(f'{array.shape}\n'.encode() + array.tobytes())
                self._sum += float(np.abs(array[np.isfinite(array)]).sum())

    def add_fields(self, thing: object, names: Iterable[str]) -> None:
        """Add attributes."""
        self.add(*(getattr(thing, name) for name in names))

    def row(self) -> Row:
        """Return the row of a table."""
        return {'hash': self._hash.hexdigest(), 'sum': self._sum}


# Runs --------------------------------------------------------------------------------------------


def run_rows(name: str, case: Case, folder: Path, detector: str, integrator: str) -> Rows:
    """Return the rows of one run."""
    run = simulation(name, case, folder, detector, integrator)
    if case.midway is nothing:
        run.step(case.steps)
    else:
        run.step(case.steps // 2)
        case.midway(run)
        run.step(case.steps - case.steps // 2)
    looked = Looks(case, simulation(name, case, folder, detector, integrator))
    motion = motion_row(run)
    state = {**motion, 'hash': run.state_hash()}
    return {'state': state, 'motion': motion, **looked.rows()}


def motion_row(run: Any) -> Row:
    """Return the hash of the coordinates and speeds of a simulation."""
    digest = Digest()
    digest.add(run.q, run.u)
    return digest.row()


class Looks:
    """Hashes of the observable quantities of a running simulation."""

    def __init__(self, case: Case, run: Any) -> None:
        self._case, self._run = case, run
        self._digests = {
            name: Digest() for name in ('contacts', 'proximities', 'energy', 'snapshot')
        }
        self._touched: set[tuple[str, ...]] = set()

    def rows(self) -> Rows:
        """Make the steps of the case and return the rows."""
        block, deep = self._case.steps // LOOKS, DEEP_LOOKS
        for look in range(1, LOOKS + 1):
            self._run.step(block)
            if look == LOOKS // 2:
                self._case.midway(self._run)
            touches = self._look_at_contacts()
            if look == LOOKS or (touches and deep):
                deep -= 1
                self._look_deeper()
        rows = {'looked': motion_row(self._run)}
        rows |= {name: digest.row() for name, digest in self._digests.items()}
        if self._case.kinds:
            rows['pairs'] = self._pairs_row()
        return rows

    def _look_at_contacts(self) -> bool:
        contacts = self._run.contacts()
        self._digests['contacts'].add(len(contacts))
        for contact in contacts:
            self._digests['contacts'].add_fields(contact, CONTACT)
            bodies = (contact.body_a, contact.body_b)
            self._touched.add(tuple(sorted(name.partition('_')[2] for name in bodies)))
        return bool(contacts)

    def _look_deeper(self) -> None:
        run, digests = self._run, self._digests
        near = run.proximities()
        for proximity in near:
            add_proximity(digests['proximities'], proximity)
        for proximity in near[:JACOBIANS]:
            digests['proximities'].add(proximity.velocity_jacobian)
        digests['energy'].add_fields(run.energy(), ENERGY)
        digests['energy'].add_fields(run.momentum(), ('linear', 'angular'))
        add_snapshot(digests['snapshot'], run.snapshot())
        for name, reading in run.sensors().items():
            known = [field for field in READINGS if hasattr(reading, field)]
            digests['snapshot'].add(name, *known)
            digests['snapshot'].add_fields(reading, known)

    def _pairs_row(self) -> Row:
        """Return the pairs of shape types in contact: a heap must have them all."""
        floor = self._case.kinds[-1]
        wanted = set(map(_ordered, itertools.combinations_with_replacement(self._case.kinds, 2)))
        missing = sorted(wanted - self._touched - {(floor, floor)})
        if missing:
            raise RuntimeError(f'never seen touching: {", ".join(map("-".join, missing))}')
        return {'hash': f'all {len(wanted) - 1}', 'sum': float(len(wanted) - 1)}


def _ordered(pair: tuple[str, str]) -> tuple[str, ...]:
    return tuple(sorted(pair))


def add_proximity(digest: Digest, proximity: Any) -> None:
    """Add a proximity of a simulation, without its features, which are internal."""
    digest.add_fields(proximity, ('body_a', 'body_b', *PROXIMITY))
    digest.add_fields(proximity.manifold, ('normal', 'points', 'depths', 'shares'))


def add_snapshot(digest: Digest, snapshot: Any) -> None:
    """Add all quantities of an instant."""
    for name, pose in snapshot.poses.items():
        digest.add(name, pose.position, pose.quaternion, snapshot.coms[name])
        digest.add_fields(snapshot.twists[name], ('linear', 'angular'))
    for pair in snapshot.pairs:
        digest.add(pair.body_a, pair.body_b, pair.point, pair.wrench.force, pair.wrench.torque)
        for proximity in pair.proximities:
            add_proximity(digest, proximity)
        for contact in pair.contacts:
            digest.add_fields(contact, CONTACT)


# Queries -----------------------------------------------------------------------------------------


def query_rows(query: Query) -> Rows:
    """Return the rows of a pair of shapes; plain Python first, before it is compiled."""
    import symcontact_ros as sc

    a, b = shape(query.kind_a, query.dimension), shape(query.kind_b, query.dimension, 0.5)
    pair = f'{query.dimension} {query.kind_a} {query.kind_b}'
    single, batch, swapped = Digest(), Digest(), Digest()
    first, second = pair_poses(f'{pair} single', query.dimension, SINGLE)
    for i in range(SINGLE):
        pose_a, pose_b = (sc.Pose(p.position[i], p.quaternion[i]) for p in (first, second))
        found = sc.proximity(a, pose_a, b, pose_b, query.detector, query.dimension)
        single.add_fields(found, PROXIMITY)
        single.add_fields(found.manifold, ('normal', 'points', 'depths', 'shares', 'features'))
    first, second = pair_poses(f'{pair} batch', query.dimension, BATCH)
    add_batch(batch, sc.proximities(a, first, b, second, query.detector, query.dimension))
    second, first = pair_poses(f'{pair} swapped', query.dimension, SWAPPED)
    add_batch(swapped, sc.proximities(b, first, a, second, query.detector, query.dimension))
    one = sc.Pose(first.position[0], first.quaternion[0])  # for all
    add_batch(swapped, sc.proximities(b, one, a, second, query.detector, query.dimension))
    return {'single': single.row(), 'batch': batch.row(), 'swapped': swapped.row()}


def add_batch(digest: Digest, found: Any) -> None:
    """Add many proximities; rows after the last contact point are undefined."""
    digest.add_fields(found, ('distance', 'normal', 'point_a', 'point_b', 'proven'))
    digest.add(*found.fallback)
    digest.add_fields(found, ('contact_normal', 'contact_count'))
    for rows, count in zip(found.contact_rows, found.contact_count, strict=True):
        digest.add(rows[:count])


# The table ---------------------------------------------------------------------------------------


def tasks(tree: Path, folder: Path) -> Iterator[tuple[str, Callable[[], Rows]]]:
    """Yield all runs and pairs of shapes by name, with the functions that compute their rows."""
    for query in all_queries():
        yield query.name, lambda query=query: query_rows(query)
    for name, case in all_cases(tree).items():
        for how in itertools.product(case.detectors, case.integrators):
            arguments = (name, case, folder, *how)
            yield '/'.join((name, *how)), lambda given=arguments: run_rows(*given)


def chosen(names: Iterable[str], only: list[str], skip: list[str]) -> list[str]:
    """Return the names that match a pattern of ``only``, if any, and none of ``skip``."""
    return [
        name
        for name in names
        if (not only or any(matches(name, pattern) for pattern in only))
        and not any(matches(name, pattern) for pattern in skip)
    ]


def matches(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a run, by its name or that of one of its rows."""
    of_row = pattern.count('/') == 3
    return fnmatchcase(name, pattern.rpartition('/')[0] if of_row else pattern)


def computed(work: Mapping[str, Callable[[], Rows]]) -> dict[str, Rows]:
    """Return the rows of each run; progress is printed on stderr."""
    found: dict[str, Rows] = {}
    start = time.monotonic()
    for number, (name, rows) in enumerate(work.items(), 1):
        before = time.monotonic()
        try:
            found[name] = rows()
        except Exception as error:  # recorded as a row, so that the other rows are still computed
            found[name] = {'state': {'hash': f'{type(error).__name__}: {error}', 'sum': math.nan}}
        now = time.monotonic()
        print(
            f'[{number}/{len(work)} {now - start:5.1f} s] {name} ({now - before:.2f} s)',
            file=sys.stderr,
            flush=True,
        )
    return found


def flat(found: Mapping[str, Rows]) -> Rows:
    """Return all rows by their full names."""
    return {f'{name}/{what}': row for name, rows in found.items() for what, row in rows.items()}


def print_table(found: Mapping[str, Rows]) -> None:
    """Print a line per run, with the first digits of its hashes."""
    columns: tuple[str, ...] = ()
    for name, rows in found.items():
        if tuple(rows) != columns:
            columns = tuple(rows)
            print(f'\n{"":42}' + ''.join(f'{what:14}' for what in columns))
        print(f'{name:42}' + ''.join(f'{row["hash"][:12]:14}' for row in rows.values()))
    everything = json.dumps([row['hash'] for row in flat(found).values()])
    print(f'\n{len(flat(found))} rows, together {hashlib.sha256(everything.encode()).hexdigest()}')


def faults(found: Mapping[str, Rows], stored: Rows) -> Iterator[str]:
    """Yield errors that are not stored as such, and inspections that change the steps."""
    for name, rows in found.items():
        if list(rows) == ['state']:
            if stored.get(f'{name}/state', {}).get('hash') == rows['state']['hash']:
                continue  # it is to end like that
            yield f'{name}: {rows["state"]["hash"]}'
        elif 'looked' in rows and rows['looked']['hash'] != rows['motion']['hash']:
            yield f'{name}: inspecting the simulation changes its motion'


# Comparing ---------------------------------------------------------------------------------------


def read_table(path: Path) -> dict[str, Any]:
    """Return a stored table; ValueError if the file is invalid."""
    try:
        table = json.loads(path.read_text(encoding='utf-8'))
    except OSError as error:
        raise ValueError(f'{path}: {error.strerror}') from None
    except ValueError as error:
        raise ValueError(f'{path} is not JSON: {error}') from None
    known = isinstance(table, dict) and table.get('format') == FORMAT
    if not known or not all(isinstance(table.get(key), dict) for key in ('about', 'rows')):
        raise ValueError(f'{path} is not a table of this tool (format {FORMAT})')
    return table


def differences(before: Rows, now: Rows) -> Iterator[str]:
    """Yield a line for every row that differs."""
    for name in sorted({*before, *now}):
        if name not in now:
            yield f'{name}: only in the stored table'
        elif name not in before:
            yield f'{name}: not in the stored table'
        elif before[name]['hash'] != now[name]['hash']:
            yield f'{name}: {_how_much(before[name], now[name])}'


def _how_much(before: Row, now: Row) -> str:
    old, new = before['sum'], now['sum']
    if old is None or not math.isfinite(old) or not math.isfinite(new):
        return f'{before["hash"][:60]} -> {now["hash"][:60]}'
    part = abs(new - old) / max(abs(old), abs(new), sys.float_info.min)
    said = f'sums differ by {part:.1e}' if part else 'sums are equal'
    return f'{before["hash"][:12]} -> {now["hash"][:12]}, {said}'


def compare(path: Path, table: dict[str, Any], now: Rows, ran: list[str]) -> list[str]:
    """Return the differences from a stored table, of the runs that were made."""
    mine = about()
    for what, value in table['about'].items():
        if mine.get(what) != value:
            print(f'{path}: made with {what} {value}, here {mine.get(what)}', file=sys.stderr)
    known = set(ran)
    before = {name: row for name, row in table['rows'].items() if name.rpartition('/')[0] in known}
    return list(differences(before, now))


# The command -------------------------------------------------------------------------------------


def parsed() -> argparse.Namespace:
    """Return the arguments of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='exit code: 0 all equal, 1 something differs or failed, 2 wrong arguments or files',
    )
    parser.add_argument('--json', type=Path, metavar='F', help='write the table to a file')
    parser.add_argument('--compare', type=Path, metavar='F', help='compare with such a file')
    parser.add_argument(
        '--only', action='append', default=[], metavar='GLOB', help='runs to make, e.g. heap*/co/*'
    )
    parser.add_argument(
        '--skip', action='append', default=[], metavar='GLOB', help='runs to leave out'
    )
    parser.add_argument('--tree', type=Path, help='checkout of the package to run')
    parser.add_argument('--list', action='store_true', help='list the names of the runs and exit')
    parser.add_argument('--quiet', action='store_true', help='print no table')
    return parser.parse_args()


def main() -> int:
    """Run the command and return its exit code."""
    options = parsed()
    logging.disable(logging.WARNING)  # initial overlaps and many substeps are intended
    with tempfile.TemporaryDirectory(prefix='symcontact_bits_') as folder:
        os.environ.setdefault(CACHE, str(Path(folder, 'cache')))
        try:
            return hash_and_compare(options, Path(folder))
        except (MissingError, ValueError, OSError) as error:
            print(f'bits.py: {error}', file=sys.stderr)
            return 2


def hash_and_compare(options: argparse.Namespace, folder: Path) -> int:
    """Compute the selected rows, print them, compare them; return the exit code."""
    table = read_table(options.compare) if options.compare else None
    tree = use_tree(options.tree)
    if (tree / 'symcontact_ros' / 'kernels' / 'improving.py').exists():
        os.environ.setdefault('SYMCONTACT_KERNELS', 'best')  # others take time from one another
    print(f'package of {tree}, cache {os.environ[CACHE]}', file=sys.stderr)
    work = dict(tasks(tree, folder))
    names = chosen(work, options.only, options.skip)
    if not names:
        raise ValueError('no run matches; --list prints their names')
    if options.list:
        print('\n'.join(names))
        return 0
    found = computed({name: work[name] for name in names})
    if not options.quiet:
        print_table(found)
    if options.json:
        content = {'format': FORMAT, 'about': about(), 'rows': flat(found)}
        options.json.write_text(json.dumps(content, indent=1) + '\n', encoding='utf-8')
    wrong = list(faults(found, {} if table is None else table['rows']))
    if table is not None:
        chosen_before = {name.rpartition('/')[0] for name in table['rows']}
        ran = chosen({*names, *chosen_before}, options.only, options.skip)
        wrong += compare(options.compare, table, flat(found), ran)
        said = f'{len(wrong)} differ' if wrong else 'all equal'
        print(f'\n{len(flat(found))} rows compared with {options.compare}: {said}')
    print('\n'.join(wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
