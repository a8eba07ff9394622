"""
Comparison of our kernel compiler with numba and C++, on one example.

    python benchmarks/kernels/compare.py                     # two minutes

The example is `polygons.py`, distances and contact points of two polygons: see docs/kernels.md.
Numbers are minima. numba needs `pip install numba`, C++ needs g++; methods that are not available
are omitted.
"""

import ctypes
from importlib.util import find_spec
import itertools
import json
import math
import os
from pathlib import Path
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from types import FunctionType

import numpy as np
import polygons

from symcontact_ros.kernels.memory import floats_of

HERE = Path(__file__).resolve().parent
POSES = 2000
PROCESSES = 5  # fresh processes per method, without a cache and with one
ROUNDS = 300  # of all queries
COMPILER = ('g++', '-O2', '-ffp-contract=off', '-shared', '-fPIC', '-std=c++17')
NUT = [(0.4 * math.cos(k * math.pi / 3.0), 0.4 * math.sin(k * math.pi / 3.0)) for k in range(6)]
STONE = [(-0.45, -0.2), (0.1, -0.4), (0.5, 0.0), (0.2, 0.35), (-0.3, 0.3)]


# The example ------------------------------------------------------------------------------------


def block(corners, radius):
    """Return a polygon as memory."""
    count = len(corners)
    edges = []
    for first, (p, q) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        length = math.dist(p, q)
        normal = ((q[1] - p[1]) / length, (p[0] - q[0]) / length)
        edges.append((first, (first + 1) % count, *normal))
    reach = radius + max(math.hypot(*corner) for corner in corners)
    head = [radius, reach, 0.0, 0.0, count, count, polygons.VERTICES + 2 * count]
    return np.array([*head, *itertools.chain(*corners), *itertools.chain(*edges)])


def frames(rng, spread):
    angle = rng.uniform(-np.pi, np.pi, POSES)
    place = rng.uniform(-spread, spread, (POSES, 2))
    return np.column_stack([np.cos(angle), np.sin(angle), place]).reshape(-1)


def arguments():
    """Return the arguments of `measure`: random poses, of which half overlap."""
    rng = np.random.default_rng(1)
    return [
        POSES,
        block(NUT, 0.05),
        frames(rng, 0.1),
        block(STONE, 0.0),
        frames(rng, 1.1),
        np.zeros(polygons.WORK),
        np.zeros(POSES * polygons.RECORD),
    ]


# Methods ----------------------------------------------------------------------------------------


def plain(folder):
    return lambda count, *arrays: polygons.measure(count, *map(floats_of, arrays))


def ours(folder):
    from symcontact_ros.kernels.cache import Cache
    from symcontact_ros.kernels.kernel import Kernel
    from symcontact_ros.kernels.memory import Floats

    return Kernel(polygons.measure, [int, *[Floats] * 6], Cache(Path(folder)))


def with_cpp(folder):
    path = Path(folder, 'polygons.so')
    if not path.exists():
        subprocess.run([*COMPILER, '-o', path, HERE / 'polygons.cpp'], check=True)
    function = ctypes.CDLL(str(path)).measure
    function.argtypes = [ctypes.c_int64, *[ctypes.c_void_p] * 6]
    return lambda count, *arrays: function(count, *(array.ctypes.data for array in arrays))


def with_numba(folder):
    """Decorate every function of the file, permanently: must be the last method."""
    os.environ['NUMBA_CACHE_DIR'] = folder
    import numba

    for name, function in vars(polygons).copy().items():
        if isinstance(function, FunctionType) and function.__module__ == polygons.__name__:
            setattr(polygons, name, numba.njit(cache=True, error_model='numpy')(function))
    return polygons.measure


WAYS = {'plain': plain, 'ours': ours, 'c++': with_cpp, 'numba': with_numba}
NEEDS = {'c++': shutil.which('g++'), 'numba': find_spec('numba')}


# Measuring --------------------------------------------------------------------------------------


def first_result(way, folder):
    """Return the processor time of this process until the first result."""
    WAYS[way](folder)(*arguments())
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps(sum(one.ru_utime + one.ru_stime for one in used)))


def seconds_to_first_result(ways):
    """Return the processor times without and with a cache, by method; processes alternate."""
    found = {way: ([], []) for way in ways}
    for _, way in itertools.product(range(PROCESSES), ways):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in found[way]:
                command = [sys.executable, __file__, way, folder]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                seconds.append(json.loads(done.stdout))
    return {way: [min(seconds) for seconds in both] for way, both in found.items()}


def seconds_per_query(ways, folder):
    """Return times and results by method, alternating to share the branch predictor."""
    times, results, runs = {}, {}, {}
    for way in ways:
        runs[way] = WAYS[way](folder)
        given = arguments()
        start = time.process_time()
        runs[way](*given)
        times[way] = time.process_time() - start if way == 'plain' else math.inf
        results[way] = given[-1].tobytes()
    runs.pop('plain')
    for _, (way, run) in itertools.product(range(ROUNDS), runs.items()):
        start = time.perf_counter()
        run(*given)
        times[way] = min(times[way], time.perf_counter() - start)
    return {way: seconds / POSES for way, seconds in times.items()}, results


def main():
    ways = [way for way in WAYS if NEEDS.get(way, True)]
    first = seconds_to_first_result(ways)
    with tempfile.TemporaryDirectory() as folder:
        query, results = seconds_per_query(ways, folder)
    print('processor time until the first result, without and with a cache [s]; a query [us];')
    print('whether results equal those of plain Python bit for bit')
    for way in ways:
        cold, warm = first[way]
        same = results[way] == results['plain']
        print(f'{way:6} {cold:8.2f} {warm:8.2f} {1e6 * query[way]:10.3f}   {same}')


if __name__ == '__main__':
    first_result(*sys.argv[1:]) if len(sys.argv) > 1 else main()
