"""Times of distance and contact queries in a compiled loop, compared with coal and fcl."""

import argparse
import json
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from collision_study.compiled_loops import contact_loop, gap_loop, Ours
from collision_study.other_libraries import LIBRARIES, THEIRS, theirs, timed
from collision_study.queries import measured, POSES, poses, queries, Query, SHAPES
from measuring import in_fresh_process, Sample, seconds_per_call, table
import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions
from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.planar import table as planar_table
from symcontact_ros.collision.spatial import table as spatial_table
from symcontact_ros.shapes.packing import packed

SCRIPT = Path(__file__).resolve()
OFF = 1e-4  # [m]: larger deviations of another library are counted


def measure_queries(passes: int, libraries: list[str]) -> list[dict[str, Any]]:
    """Return the times of every query, over several passes."""
    cells = []
    for query in queries():
        at = poses(query)
        ours = Ours(contact_loop, query, *at)
        found = measured(query, *at)
        if query.regime != 'apart':
            exact = found.distance.sum()
            assert abs(ours.total() - exact) < 1e-6 * abs(exact), 'other queries were timed'
        cell = {'query': query, 'run': ours.run, 'theirs': theirs(query, at, libraries)}
        written = np.arange(MOST) < found.contact_count[:, None]
        touching = written & (found.contact_rows[:, :, 0] < 0.0)
        cell['points'] = float(touching.sum(axis=1).mean())
        for name, call in cell['theirs'].items():
            if 'distance' in name:
                cell[f'{name} off'] = int((~(np.abs(call() - found.distance) < OFF)).sum())
        cells.append({**cell, 'samples': {}})
    for _ in range(passes):
        for cell in cells:
            own = [1e6 * s / POSES for s in seconds_per_call(cell['run'], 15)]
            cell['samples'].setdefault('ours', []).extend(own)
            for name, call in cell['theirs'].items():
                cell['samples'].setdefault(name, []).extend(timed(call, 3))
    return [_result(cell) for cell in cells]


def _result(cell: dict[str, Any]) -> dict[str, Any]:
    query = cell['query']
    times = {name: Sample.of(values) for name, values in cell['samples'].items()}
    minimum = times['ours'].minimum
    verdict = '-'
    if query.must == query.must:
        verdict = 'MISSED' if minimum > query.must else 'ok' if minimum > query.goal else 'goal'
    off = {name: number for name, number in cell.items() if name.endswith(' off')}
    return {
        'title': query.title,
        'regime': query.regime,
        'must': query.must,
        'goal': query.goal,
        'points': cell['points'],
        'verdict': verdict,
        **off,
        **times,
    }


def all_pairs() -> list[tuple[str, str, int]]:
    return [
        *((*kinds, 2) for kinds in planar_table.PAIRS),
        *((*kinds, 3) for kinds in spatial_table.PAIRS),
    ]


def first(kind_a: str, kind_b: str, dimension: str) -> dict[str, float]:
    """Time the first call of `sc.proximities` for a pair, which compiles or loads its code."""
    import llvmlite.binding  # noqa: F401

    a, b, d = SHAPES[kind_a], SHAPES[kind_b], int(dimension)
    packed(a, d), packed(b, d)
    many = sc.Pose(np.zeros((101, 3)), np.array([0.0, 0.0, 0.0, 1.0]))
    cpu, start = time.process_time(), time.perf_counter()
    sc.proximities(a, many, b, many, dimension=d)
    return {'seconds': time.perf_counter() - start, 'cpu': time.process_time() - cpu}


def measure_pairs(passes: int, libraries: list[str], folder: Path) -> list[dict[str, Any]]:
    """Return the times of a distance query, of compiling and of loading, for every pair."""
    cells = []
    for kind_a, kind_b, dimension in all_pairs():
        a, b = SHAPES[kind_a], SHAPES[kind_b]
        query = Query(f'{kind_a}-{kind_b}', a, b, 'apart', planar=dimension == 2)
        at = poses(query)
        run = Ours(gap_loop, query, *at).run
        coal = theirs(query, at, [name for name in libraries if name == 'coal'])
        cell = {'title': query.title, 'dimension': dimension}
        own = [1e6 * s / POSES for s in seconds_per_call(run, 10 * passes)]
        cell['gap'] = Sample.of(own)
        if coal:
            cell['coal distance'] = Sample.of(timed(coal['coal distance'], 2 * passes))
        arguments = ['first', kind_a, kind_b, str(dimension)]
        cold, warm = [], []
        for number in range(min(passes, 2)):
            cache_folder = folder / f'{number}-{dimension}-{query.title}'
            cold.append(in_fresh_process(SCRIPT, arguments, cache_folder)['seconds'])
            warm.append(in_fresh_process(SCRIPT, arguments, cache_folder)['seconds'])
        cell.update(compile=Sample.of(cold), load=Sample.of(warm).scaled(1e3))
        cells.append(cell)
    return cells


def call_overhead(libraries: list[str]) -> dict[str, Sample]:
    """Return the overhead of a call of other libraries: two spheres."""
    ball = SHAPES['sphere']
    query = Query('sphere-sphere', ball, ball, 'apart')
    calls = theirs(query, poses(query), libraries)
    return {name: Sample.of(timed(call, 15)) for name, call in calls.items()}


# The tables -------------------------------------------------------------------------------------


def print_queries(cells: list[dict[str, Any]], overhead: dict[str, Sample]) -> None:
    print('One query with its contact points [us] (minimum / median); ours in a compiled loop,')
    print('theirs called from Python; off: distances of theirs more than 0.1 mm from ours:')
    names = [name for name in THEIRS if name in overhead]
    header = ['query', 'points', 'must / goal', 'ours', '', *names]
    header += [f'{name.split()[0]} off' for name in names if 'distance' in name]
    rows = []
    for cell in cells:
        budget = f'{cell["must"]:g} / {cell["goal"]:g}' if cell['verdict'] != '-' else '-'
        row = [f'{cell["title"]}, {cell["regime"]}', f'{cell["points"]:.1f}', budget]
        row += [cell['ours'].text(), cell['verdict']]
        row += [cell[name].text() if name in cell else '-' for name in names]
        row += [str(cell.get(f'{name} off', '-')) for name in names if 'distance' in name]
        rows.append(row)
    dashes = ['-'] * sum('distance' in name for name in names)
    rows.append(
        ['two spheres, separated: the call', '0.0', '-', '-', '-']
        + [overhead[name].text() for name in names]
        + dashes
    )
    print(table(header, rows), '\n')


def print_pairs(cells: list[dict[str, Any]]) -> None:
    print('Every pair: exact distance, and the first call in a process (minimum / median):')
    header = ['pair', 'distance us', 'coal, from Python us', 'compile s', 'from the cache ms']
    rows = [
        [
            f'{cell["title"]}, {cell["dimension"]}D',
            cell['gap'].text(),
            cell['coal distance'].text() if 'coal distance' in cell else '-',
            cell['compile'].text(),
            cell['load'].text(),
        ]
        for cell in cells
    ]
    print(table(header, rows))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--repeats', type=int, default=3, help='passes over all queries')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--only', choices=('queries', 'pairs'), help='only this table')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    core = pin_to_core(options.core)
    about = {
        'machine': machine(core),
        'versions': versions(LIBRARIES),
        'when': time.ctime(),
    }
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(f'{about["machine"]}\n{POSES} random poses per query, {options.repeats} passes\n')
    libraries = [name for name in LIBRARIES if name in about['versions']]
    for name in LIBRARIES:
        if name not in libraries:
            print(f'{name} is not installed (`pip install {name}`): not compared\n')
    overhead, cells, pairs = {}, [], []
    if options.only != 'pairs':
        overhead = call_overhead(libraries)
        cells = measure_queries(options.repeats, libraries)
        print_queries(cells, overhead)
    if options.only != 'queries':
        with tempfile.TemporaryDirectory() as scratch:
            pairs = measure_pairs(options.repeats, libraries, Path(scratch))
        print_pairs(pairs)
    if options.json:
        data = {**about, 'queries': cells, 'call': overhead, 'pairs': pairs}
        options.json.write_text(json.dumps(data, default=vars, indent=1) + '\n')


if __name__ == '__main__':
    if sys.argv[1:2] == ['first']:
        print(json.dumps(first(*sys.argv[2:])))
    else:
        main()
