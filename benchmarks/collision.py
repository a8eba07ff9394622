"""How long distances and contact points take, in a compiled loop; coal and fcl beside."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
import json
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from common import (
    in_fresh_process,
    machine,
    pin_to_core,
    Sample,
    seconds_per_call,
    table,
    versions,
)
import numpy as np
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision import layout
from symcontact_ros.collision.packing import packed
from symcontact_ros.collision.planar import table as planar_table
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.query import frames
from symcontact_ros.collision.rows import MOST, ROW
from symcontact_ros.collision.spatial import table as spatial_table
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.compiled.kernels import Kernel
from symcontact_ros.memory import bound, Memory

SCRIPT = Path(__file__).resolve()
POSES = 2000  # of a cell
SHALLOW = (1e-4, 1e-2)  # depth of overlap [m], of bodies of about 1 m
DEEP = 0.1  # and more [m]
OFF = 1e-4  # [m]: another library that differs by more is counted
VERTICES = 52  # of the hulls: 100 triangles


# Bodies and where they are ----------------------------------------------------------------------


def polygon(count: int) -> sc.Polygon:
    """Return a regular polygon, 1 m across its vertices, with edges towards +y and -y."""
    angles = 2 * np.pi * (np.arange(count) + 0.5) / count + np.pi / 2
    return sc.Polygon([tuple(0.5 * np.array([np.cos(t), np.sin(t)])) for t in angles])


def hull() -> sc.ConvexHull:
    """Return a body of 100 triangles."""
    points = np.random.default_rng(1).normal(size=(VERTICES, 3))
    points *= np.array([0.6, 0.5, 0.4]) / np.linalg.norm(points, axis=1)[:, None]
    return sc.ConvexHull([tuple(point) for point in points])


SHAPES: dict[str, Any] = {
    'circle': sc.Circle(0.3),
    'rectangle': sc.Rectangle((0.5, 0.3)),
    'polygon': polygon(8),
    'capsule': sc.Capsule(0.2, 0.4),
    'half_space': sc.HalfSpace((0.0, 1.0, 0.0)),
    'sphere': sc.Sphere(0.3),
    'box': sc.Box((0.5, 0.4, 0.3)),
    'cylinder': sc.Cylinder(0.3, 0.5),
    'convex_hull': hull(),
}


@dataclass(frozen=True)
class Query:
    """Two shapes in one of the regimes: apart, shallow, deep, resting."""

    title: str
    a: Any
    b: Any
    regime: str
    must: float = float('nan')  # [us]
    goal: float = float('nan')

    @property
    def dimension(self) -> int:
        return max(d for d in self.a.dimensions if d in self.b.dimensions)

    @property
    def shapes(self) -> tuple[Any, Any]:
        return self.a, self.b


def queries() -> list[Query]:
    """Return what has a budget, and what is of interest beside."""
    box, cylinder = SHAPES['box'], SHAPES['cylinder']
    found = [
        Query('sphere-box', box, SHAPES['sphere'], regime, 0.06, 0.03)
        for regime in ('apart', 'shallow', 'deep')
    ]
    for count in (4, 8, 16):
        shape = polygon(count)
        for regime in ('apart', 'shallow', 'deep', 'resting'):
            found.append(Query(f'{count}-gons', shape, shape, regime, 0.25, 0.15))
    found.append(Query('box-box', box, box, 'apart', 0.25, 0.17))
    for regime in ('shallow', 'deep', 'resting'):
        found.append(Query('box-box', box, box, regime, 0.6, 0.45))
    many = SHAPES['convex_hull']
    found.append(Query('hulls, 100 faces', many, many, 'apart'))
    found.append(Query('hulls, 100 faces', many, many, 'shallow', 5.0, 3.5))
    found.append(Query('hulls, 100 faces', many, many, 'deep', 12.0, 10.0))
    for title, other in (('box-cylinder', box), ('cylinder-cylinder', cylinder)):
        for regime in ('apart', 'shallow', 'deep', 'resting'):
            found.append(Query(title, other, cylinder, regime, 10.0, 8.0))
    return found


def pose_of(positions: np.ndarray, turns: Rotation) -> sc.Pose:
    return sc.Pose(positions, turns.as_quat())


def random_turns(rng: np.random.Generator, dimension: int) -> Rotation:
    if dimension == 3:
        return Rotation.random(POSES, rng)
    return Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (POSES, 1)) * [0.0, 0.0, 1.0])


def reach(shape: Any, dimension: int) -> float:
    """Return the radius of a bounding sphere; a half-space has a point of its surface."""
    return 0.0 if shape.kind == 'half_space' else packed(shape, dimension)[layout.REACH]


def in_reach(rng: np.random.Generator, query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return random poses with bounding spheres that overlap, or nearly do."""
    d = query.dimension
    # Of a sphere and a sphere, or a half-space, that would leave none apart.
    room = 1.5 if all(s.kind in ('circle', 'sphere', 'half_space') for s in query.shapes) else 1.0
    way = rng.normal(size=(POSES, 3)) * (np.arange(3) < d)
    way *= rng.uniform(size=(POSES, 1)) ** (1 / d) / np.linalg.norm(way, axis=1)[:, None]
    start = rng.uniform(-1, 1, (POSES, 3)) * (np.arange(3) < d)
    end = start + way * room * sum(reach(shape, d) for shape in query.shapes)
    return pose_of(start, random_turns(rng, d)), pose_of(end, random_turns(rng, d))


def resting(rng: np.random.Generator, query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return poses with B lying on the upper face of A, tilted by up to 1 mrad."""
    d = query.dimension
    turns = random_turns(rng, d)
    up = np.eye(3)[d - 1]
    heights = [packed(shape, d)[layout.SIZE + 2] for shape in query.shapes]
    if d == 2:
        heights = [max(y for _, y in shape.vertices) for shape in query.shapes]
    depth = np.exp(rng.uniform(*np.log(SHALLOW), POSES))
    aside = rng.uniform(-0.2, 0.2, (POSES, 3)) * (np.arange(3) < d - 1)
    offset = aside + (sum(heights) - depth)[:, None] * up
    tilt = rng.uniform(-1e-3, 1e-3, (POSES, 3)) * ([0, 0, 1] if d == 2 else [1, 1, 0])
    own = Rotation.from_rotvec(tilt)
    if d == 3:
        own = Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (POSES, 1)) * up) * own
    start = rng.uniform(-1, 1, (POSES, 3)) * (np.arange(3) < d)
    return pose_of(start, turns), pose_of(start + turns.apply(offset), turns * own)


def measured(query: Query, a: sc.Pose, b: sc.Pose) -> sc.Proximities:
    return sc.proximities(query.a, a, query.b, b, dimension=query.dimension)


def moved_to_depth(rng: np.random.Generator, query: Query, a: sc.Pose, b: sc.Pose) -> sc.Pose:
    """Return B moved along the normals until it is about as deep as a shallow contact is."""
    depth = np.exp(rng.uniform(*np.log(SHALLOW), POSES))
    near = measured(query, a, b)
    return sc.Pose(b.position - (near.distance + depth)[:, None] * near.normal, b.quaternion)


def poses(query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return as many poses of a regime as are wanted."""
    rng = np.random.default_rng(2)
    kept: list[list[np.ndarray]] = [[], [], [], []]
    while sum(map(len, kept[0])) < POSES:
        a, b = (resting if query.regime == 'resting' else in_reach)(rng, query)
        if query.regime == 'shallow':
            b = moved_to_depth(rng, query, a, b)
        phi = measured(query, a, b).distance
        low, high = {
            'apart': (0.0, np.inf),
            'deep': (-np.inf, -DEEP),
        }.get(query.regime, (-SHALLOW[1], -SHALLOW[0]))
        good = (phi >= low) & (phi <= high)
        arrays = [a.position, a.quaternion, b.position, b.quaternion]
        for parts, array in zip(kept, arrays, strict=True):
            parts.append(array[good])
    arrays = [np.concatenate(parts)[:POSES] for parts in kept]
    return sc.Pose(*arrays[:2]), sc.Pose(*arrays[2:])


# Ours: what a step of a simulation does with a pair ---------------------------------------------


def look(*arguments: Any) -> Any:
    """Stand for the kernels of a pair below."""
    raise NotImplementedError


contacts = gap = frame_at = look
STRIDE = 0


def contact_loop(  # noqa: PLR0917
    rounds: int,
    count: int,
    a: Memory,
    frames_a: Memory,
    b: Memory,
    frames_b: Memory,
    work: Memory,
    rows: Memory,
    out: Memory,
) -> None:
    """Look at every pose and find contact points where there are any."""
    total = 0.0
    depth = 0.0
    for _round in range(rounds):
        for i in range(count):
            frame_a = frame_at(frames_a, STRIDE * i)
            frame_b = frame_at(frames_b, STRIDE * i)
            separation, feature, _ = look(a, frame_a, b, frame_b, -1, 0.0, rows, work)
            total += separation
            if separation < 0.0:
                number, normal = contacts(a, frame_a, b, frame_b, feature, rows, rows, work)
                depth += rows[0] * normal[0] + float(number)
    out[0] = total
    out[1] = depth


def gap_loop(  # noqa: PLR0917
    rounds: int,
    count: int,
    a: Memory,
    frames_a: Memory,
    b: Memory,
    frames_b: Memory,
    work: Memory,
    rows: Memory,
    out: Memory,
) -> None:
    """Measure the exact distance at every pose."""
    total = 0.0
    rest = 0.0
    for _round in range(rounds):
        for i in range(count):
            frame_a = frame_at(frames_a, STRIDE * i)
            frame_b = frame_at(frames_b, STRIDE * i)
            distance, normal, point_a, point_b, unproven = gap(a, frame_a, b, frame_b, work)
            total += distance
            rest += normal[0] + point_a[0] + point_b[0] + unproven
    out[0] = total
    out[1] = rest


@cache
def kernel(loop: Callable[..., None], kinds: tuple[str, str], dimension: int) -> Kernel:
    """Return a loop over the kernels of a pair, compiled."""
    tables: Any = planar_table if dimension == 2 else spatial_table
    vectors: Any = planar_vectors if dimension == 2 else spatial_vectors
    pair = tables.PAIRS[kinds]
    function = bound(
        loop,
        look=pair.look,
        contacts=pair.contacts,
        gap=pair.gap,
        frame_at=vectors.frame_at,
        STRIDE=vectors.FRAME,
    )
    return Kernel(function, ['int'] * 2 + ['memory'] * 7)


class Ours:
    """A query at its poses, ready to run."""

    def __init__(self, loop: Callable[..., None], query: Query, a: sc.Pose, b: sc.Pose) -> None:
        d = query.dimension
        self._kernel = kernel(loop, (query.a.kind, query.b.kind), d)
        work = np.zeros((planar_table if d == 2 else spatial_table).WORK)
        self._out = np.zeros(2)
        self._arrays = (
            packed(query.a, d),
            frames('A', query.a, a, d),
            packed(query.b, d),
            frames('B', query.b, b, d),
            work,
            np.zeros(MOST * ROW),
            self._out,
        )

    def run(self, rounds: int) -> None:
        self._kernel(rounds, POSES, *self._arrays)

    def total(self) -> float:
        """Return the sum of the separations of one round."""
        self.run(1)
        return float(self._out[0])


# Theirs, called from Python ---------------------------------------------------------------------


def places(pose: sc.Pose) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Return rotation and position of every pose."""
    return zip(Rotation.from_quat(pose.quaternion).as_matrix(), pose.position, strict=True)


def coal_shape(shape: Any) -> Any:
    """Return the same shape of coal, which takes full lengths."""
    import coal

    if shape.kind == 'convex_hull':
        points = coal.StdVec_Vec3s()
        points.extend([np.array(vertex) for vertex in shape.vertices])
        return coal.Convex.convexHull(points, False, 'Qt')
    if shape.kind == 'half_space':
        return coal.Halfspace(np.array(shape.normal), shape.offset)
    makers: dict[str, Callable[[], Any]] = {
        'sphere': lambda: coal.Sphere(shape.radius),
        'box': lambda: coal.Box(*(2 * x for x in shape.half_extents)),
        'cylinder': lambda: coal.Cylinder(shape.radius, 2 * shape.half_length),
        'capsule': lambda: coal.Capsule(shape.radius, 2 * shape.half_length),
    }
    return makers[shape.kind]()


def with_coal(query: Query, a: sc.Pose, b: sc.Pose) -> dict[str, Callable[[], float]]:
    """Return what coal does at all poses, each as a function that returns the last distance."""
    import coal

    shapes = coal_shape(query.a), coal_shape(query.b)
    placed = [[coal.Transform3s(turn, place) for turn, place in places(p)] for p in (a, b)]
    collision, patches = coal.CollisionRequest(), coal.ContactPatchRequest()
    collision.enable_contact = True
    found, patch = coal.CollisionResult(), coal.ContactPatchResult()
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    distances = np.zeros(POSES)

    def collide() -> None:
        for place_a, place_b in zip(*placed, strict=True):
            found.clear()
            if coal.collide(shapes[0], place_a, shapes[1], place_b, collision, found):
                patch.clear()
                coal.computeContactPatch(
                    shapes[0], place_a, shapes[1], place_b, found, patches, patch
                )

    def distance() -> np.ndarray:
        for i, (place_a, place_b) in enumerate(zip(*placed, strict=True)):
            result.clear()
            distances[i] = coal.distance(shapes[0], place_a, shapes[1], place_b, request, result)
        return distances

    return {'coal collide + patch': collide, 'coal distance': distance}


def fcl_shape(shape: Any) -> Any:
    """Return the same shape of fcl, which takes full lengths."""
    import fcl

    if shape.kind == 'convex_hull':
        from symcontact_ros.model.hulls import hull_facets

        points = np.array(shape.vertices, float).reshape(-1, 3)
        faces = hull_facets(tuple(map(tuple, points.tolist())))
        flat = np.array([(3, *face) for face in faces]).ravel()
        return fcl.Convex(points, len(faces), flat)
    if shape.kind == 'sphere':
        return fcl.Sphere(shape.radius)
    if shape.kind == 'box':
        return fcl.Box(*(2 * x for x in shape.half_extents))
    return fcl.Cylinder(shape.radius, 2 * shape.half_length)


def with_fcl(query: Query, a: sc.Pose, b: sc.Pose) -> dict[str, Callable[[], Any]]:
    """Return what fcl does at all poses."""
    import fcl

    shapes = fcl_shape(query.a), fcl_shape(query.b)
    placed = [
        [fcl.CollisionObject(shape, fcl.Transform(turn, place)) for turn, place in places(p)]
        for shape, p in zip(shapes, (a, b), strict=True)
    ]
    collision = fcl.CollisionRequest(num_max_contacts=4, enable_contact=True)
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    distances = np.zeros(POSES)

    def collide() -> None:
        for one, other in zip(*placed, strict=True):
            fcl.collide(one, other, collision, fcl.CollisionResult())

    def distance() -> np.ndarray:
        for i, (one, other) in enumerate(zip(*placed, strict=True)):
            distances[i] = fcl.distance(one, other, request, fcl.DistanceResult())
        return distances

    return {'fcl collide': collide, 'fcl distance': distance}


LIBRARIES: dict[str, Callable[..., dict[str, Callable[[], Any]]]] = {
    'coal': with_coal,
    'python-fcl': with_fcl,
}
THEIRS = ('coal collide + patch', 'coal distance', 'fcl collide', 'fcl distance')


def theirs(query: Query, at: tuple[sc.Pose, sc.Pose], libraries: list[str]) -> dict[str, Any]:
    """Return all that other libraries do with a query in space."""
    found: dict[str, Any] = {}
    for library in libraries if query.dimension == 3 else ():
        found.update(LIBRARIES[library](query, *at))
    return found


def timed(run: Callable[[], Any], repeats: int) -> list[float]:
    """Return the times per query of something that goes over all poses [us]."""

    def often(rounds: int) -> None:
        for _ in range(rounds):
            run()

    return [1e6 * seconds / POSES for seconds in seconds_per_call(often, repeats)]


# Measurements -----------------------------------------------------------------------------------


def measure_queries(passes: int, libraries: list[str]) -> list[dict[str, Any]]:
    """Return the times of every query; the passes go over all of them again and again."""
    cells = []
    for query in queries():
        at = poses(query)
        ours = Ours(contact_loop, query, *at)
        found = measured(query, *at)
        if query.regime != 'apart':
            exact = found.distance.sum()
            assert abs(ours.total() - exact) < 1e-6 * abs(exact), 'other queries were timed'
        cell = {'query': query, 'run': ours.run, 'theirs': theirs(query, at, libraries)}
        touching = (found.contact_rows[:, :, 0] < 0.0) & (
            np.arange(MOST) < found.contact_count[:, None]
        )
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
    return [_told(cell) for cell in cells]


def _told(cell: dict[str, Any]) -> dict[str, Any]:
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
    """Time the first call of `sc.proximities` for a pair, which compiles or loads it."""
    import llvmlite.binding  # noqa: F401

    a, b, d = SHAPES[kind_a], SHAPES[kind_b], int(dimension)
    packed(a, d), packed(b, d)
    many = sc.Pose(np.zeros((101, 3)), np.array([0.0, 0.0, 0.0, 1.0]))
    cpu, start = time.process_time(), time.perf_counter()
    sc.proximities(a, many, b, many, dimension=d)
    return {'seconds': time.perf_counter() - start, 'cpu': time.process_time() - cpu}


def measure_pairs(passes: int, libraries: list[str], folder: Path) -> list[dict[str, Any]]:
    """Return, for every pair of kinds, the time of a distance apart, of compiling and loading."""
    cells = []
    for kind_a, kind_b, dimension in all_pairs():
        a, b = SHAPES[kind_a], SHAPES[kind_b]
        query = Query(f'{kind_a}-{kind_b}', a, b, 'apart')
        if dimension != query.dimension:  # capsules and half-spaces are of both
            query = PlanarQuery(query.title, a, b, 'apart')
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


class PlanarQuery(Query):
    """A query of shapes that could meet in space too."""

    @property
    def dimension(self) -> int:
        return 2


def call_overhead(libraries: list[str]) -> dict[str, Sample]:
    """Return what a call of other libraries costs that has next to nothing to do: two spheres."""
    ball = SHAPES['sphere']
    query = Query('sphere-sphere', ball, ball, 'apart')
    calls = theirs(query, poses(query), libraries)
    return {name: Sample.of(timed(call, 15)) for name, call in calls.items()}


# The tables -------------------------------------------------------------------------------------


def print_queries(cells: list[dict[str, Any]], overhead: dict[str, Sample]) -> None:
    print('One query, with its contact points [us] (minimum / median); ours in a compiled loop,')
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
        ['two spheres apart: the call', '0.0', '-', '-', '-']
        + [overhead[name].text() for name in names]
        + dashes
    )
    print(table(header, rows), '\n')


def print_pairs(cells: list[dict[str, Any]]) -> None:
    print('Every pair: exact distance apart, and the first call in a process (minimum / median):')
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
    parser.add_argument('--core', type=int, help='the core to run on; default: the last')
    parser.add_argument('--only', choices=('queries', 'pairs'), help='one of the two tables')
    parser.add_argument('--json', type=Path, metavar='FILE', help='write all numbers there')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    core = pin_to_core(options.core)
    about = {
        'machine': machine(core),
        'versions': versions(('llvmlite', 'numpy', *LIBRARIES)),
        'when': time.ctime(),
    }
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(f'{about["machine"]}\n{POSES} random poses per query, {options.repeats} passes\n')
    libraries = [name for name in LIBRARIES if about['versions'][name] != 'not installed']
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
