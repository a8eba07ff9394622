"""Time per query of every detection method at the same poses, alternating."""

from collections.abc import Callable, Iterable
from importlib import util
import time
from typing import Any

from collision_study.other_libraries import coal_shape, places
import numpy as np

from co_study.bodies import (
    hull,
    motions,
    OVERLAP,
    Pair,
    pair_of,
    polygon,
    Poses,
    REGIMES,
    STEPS,
)
from co_study.kernels import axes_by_axes, Compiled, detectors, hits_loop
from symcontact_ros.collision.batch_query import PlanarPlacement, SpatialPlacement
from symcontact_ros.collision.convex_programs import planar_programs, spatial_programs
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.proximity import frames
from symcontact_ros.collision.shape_pair import WARM_START, WarmStart
from symcontact_ros.kernels.memory import floats_of, scratch
from symcontact_ros.kernels.records import rows_of

SAMPLE = 0.0015  # [s] that one measurement takes at least,
MOST = {'ECOS': 0.01, 'CVXPY': 0.01, 'SAT, textbook': 0.06}  # and at most, for fewer poses;
MOST_ELSE = 0.02  # these three are made only
SELDOM = 8  # in one pass of so many
EDGES = (4, 8, 16, 32, 64, 100, 200)
FACES = (4, 8, 12, 20, 36, 60, 100, 200)
ROUND = (
    ('circle', 'circle'),
    ('rectangle', 'circle'),
    ('16-gon', 'circle'),
    ('sphere', 'sphere'),
    ('box', 'sphere'),
    ('sphere', 'hull 20'),
    ('capsule', 'capsule'),
    ('box', 'capsule'),
    ('box', 'cylinder'),
    ('capsule', 'cylinder'),
    ('cylinder', 'cylinder'),
    ('hull 20', 'cylinder'),
)
Run = Callable[[int], Any]


def outside(solver: str, pair: Pair, poses: Poses) -> Run:
    """Return the program solved by another package, called from Python."""
    from symcontact_ros.collision.convex_programs.external_programs import external_programs

    d = pair.dimension
    placement: Any = PlanarPlacement if d == 2 else SpatialPlacement
    at_a, at_b = (
        rows_of(placement, frames('', shape, pose, d))
        for shape, pose in ((pair.a, poses.a), (pair.b, poses.b))
    )
    a, b = (Detection(d).solid(pair.block(side)) for side in (0, 1))
    program = external_programs(solver)['auto']
    memory = floats_of(scratch(WARM_START))
    warm = WarmStart.at(memory)  # other packages use neither it nor work memory

    def run(count: int) -> None:
        for i in range(count):
            program.solve(a, at_a[i].frame, b, at_b[i].frame, 0.0, warm, memory)

    return run


def coal(pair: Pair, poses: Poses) -> Run:
    """Return coal's signed distance, called from Python."""
    import coal as library

    shapes = coal_shape(pair.a), coal_shape(pair.b)
    placed = [[library.Transform3s(*place) for place in places(p)] for p in (poses.a, poses.b)]
    request, result = library.DistanceRequest(), library.DistanceResult()
    request.enable_signed_distance = True

    def run(count: int) -> None:
        for i in range(count):
            result.clear()
            library.distance(shapes[0], placed[0][i], shapes[1], placed[1][i], request, result)

    return run


def others(pair: Pair, poses: Poses) -> dict[str, Run]:
    """Return the methods of other packages that are installed."""
    found = {}
    if util.find_spec('ecos'):
        found['ECOS'] = outside('ecos', pair, poses)
        if util.find_spec('cvxpy'):
            found['CVXPY'] = outside('cvxpy', pair, poses)
    if pair.dimension == 3 and util.find_spec('coal'):
        found['coal'] = coal(pair, poses)
    return found


class Cell:
    """All methods for a pair in a regime, at the same poses; samples alternate between them."""

    def __init__(self, pair: Pair, regime: str, poses: int, size: int = 0) -> None:
        at = motions(pair, regime, poses)
        compiled = detectors(pair, at)
        if pair.a.kind == pair.b.kind and pair.a.kind in ('polygon', 'box', 'convex_hull'):
            compiled = {**axes_by_axes(pair, at), **compiled}
        self._methods: dict[str, Run] = {name: one.run for name, one in compiled.items()}
        if regime not in ('far', 'deep'):
            self._methods.update(others(pair, at))
        self._amounts = {name: _amount(name, run, poses) for name, run in self._methods.items()}
        self._best = dict.fromkeys(self._methods, np.inf)
        cold, warm = (compiled[f'CO program, {n}'].records['distance'] for n in ('cold', 'warm'))
        differ = float(np.abs(warm - cold).max()) if regime in OVERLAP else 0.0
        self._facts = {'pair': pair.title, 'regime': regime, 'size': size}
        self._facts |= {'hits': hit_rate(pair, at), 'warm against cold': differ}

    def sample(self, slow: bool) -> None:
        """Add a sample of every method; slow methods only on request."""
        for name, run in self._methods.items():
            if slow or name not in MOST:
                count, rounds = self._amounts[name]
                spent = _seconds(run, count, rounds) / (count * rounds)
                self._best[name] = min(self._best[name], 1e6 * spent)

    def result(self) -> dict[str, Any]:
        """Return the least thread CPU time per query of every method [us], and further facts."""
        return {**self._facts, 'times': self._best}


def _amount(name: str, run: Run, poses: int) -> tuple[int, int]:
    """Return the number of poses per sample, and of repetitions."""
    run(1)  # compile, build, load
    few = min(poses, 3 if name in MOST else STEPS)
    once = max(_seconds(run, few, 1) / few, 1e-8)
    count = int(np.clip(MOST.get(name, MOST_ELSE) / once, min(5, poses), poses))
    return count, max(1, int(SAMPLE / (once * count)))


def _seconds(run: Run, count: int, rounds: int) -> float:
    start = time.thread_time()
    for _ in range(rounds):
        run(count)
    return time.thread_time() - start


def hit_rate(pair: Pair, poses: Poses) -> float:
    """Return the hit rate of warm starts: the vertices of the last result determine the next."""
    programs: Any = planar_programs if pair.dimension == 2 else spatial_programs
    hits = Compiled(hits_loop, programs.PROGRAMS['auto'], pair, poses).records['is_hit']
    going_on = np.arange(len(poses)) % STEPS > 0
    return float(hits[going_on].mean())


def sweep(make: Callable[[int], Any], sizes: Iterable[int], poses: int) -> list[Cell]:
    """Return the cells of a pair of equal bodies over their number of edges or faces."""
    found = []
    for size in sizes:
        shape = make(size)
        pair = Pair(f'{shape.kind.replace("convex_", "")} {size}', shape, shape)
        found += [Cell(pair, regime, poses, size) for regime in REGIMES]
    return found


def queries(
    poses: int,
    passes: int,
    edges: Iterable[int] = EDGES,
    faces: Iterable[int] = FACES,
    rounds: Iterable[tuple[str, str]] = ROUND,
) -> dict[str, Any]:
    """Return all times of queries, over several passes."""
    boxes, hulls = pair_of('box', 'box'), pair_of('hull 20', 'hull 20')
    pairs = [boxes, *(pair_of(*names) for names in rounds)]
    cells = {
        'edges': sweep(polygon, edges, poses),
        'faces': sweep(hull, faces, poses),
        'pairs': [Cell(p, regime, poses) for p in pairs for regime in ('overlap', 'apart')],
        'deep': [Cell(pair, 'deep', poses) for pair in (boxes, hulls)],
    }
    for turn in range(passes):
        for cell in (cell for group in cells.values() for cell in group):
            cell.sample(slow=turn % SELDOM == 0)
    return {name: [cell.result() for cell in group] for name, group in cells.items()}
