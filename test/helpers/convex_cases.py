"""
Random convex bodies in space and the kernel that measures them, written for `test_convex`.

A body knows its block of memory, and what an independent check needs to know of it.
"""

import itertools

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from symcontact_ros.collision.batch_query import SpatialPlacement
from symcontact_ros.collision.spatial.convex_gap import convex_gap, WORK
from symcontact_ros.kernels.memory import Floats, floats_of, Ints, ints_of
from symcontact_ros.kernels.records import Image, layout_of, Record, Rows, rows_of
from symcontact_ros.shapes.packing import SURFACE_BLOCKS
from symcontact_ros.shapes.records import SpatialSolid, Triple
from symcontact_ros.shapes.table import KINDS as SHAPES
from symcontact_ros.shapes.table import SPATIAL_CORES

KINDS = ('box', 'hull', 'cylinder', 'capsule', 'sphere')
BANDS = ('apart', 'touching', 'random', 'deep', 'random', 'touching', 'apart', 'deep', 'random',
         'concentric')  # fmt: skip


class Found(Record):
    """What is found of a pair."""

    distance: float
    normal: Triple
    point_a: Triple
    point_b: Triple
    unproven: float  # 1, or 0


RESULT = layout_of(Found).slots
ARGUMENTS = [Ints, Floats, Rows[SpatialPlacement], Rows[Found], Floats]  # of `query_all`


class Body:
    """A convex shape: its block, and what an independent check needs to know."""

    def __init__(self, kind, size=(0.0, 0.0, 0.0), radius=0.0, vertices=None):
        self.kind, self.size, self.radius = kind, np.asarray(size, float), radius
        shape = SHAPES['convex_hull' if kind == 'hull' else kind]
        core = SPATIAL_CORES.index(shape.spatial_core)
        self.centre, self.vertices = np.zeros(3), vertices
        reach = np.linalg.norm(self.size)
        if kind == 'cylinder':
            reach = np.hypot(self.size[0], self.size[2])
        if kind == 'hull':
            hull = ConvexHull(vertices)
            self.vertices = np.ascontiguousarray(vertices[hull.vertices])
            self.planes = hull.equations
            self.centre = self.vertices.mean(axis=0)
            reach = np.linalg.norm(self.vertices - self.centre, axis=1).max()
            self.size = np.abs(self.vertices - self.centre).max(axis=0)
        count = len(self.vertices) if kind == 'hull' else 0
        others = ('planes', 'loops', 'corners', 'edges', 'shrunk', *SURFACE_BLOCKS)
        none = dict.fromkeys(others, 0)
        image = Image(SpatialSolid, {'vertices': count, **none})
        if kind == 'hull':
            image['vertices']['position'] = self.vertices
        solid = image.record
        solid.core, solid.radius, solid.reach = core, radius, reach + radius
        solid.size, solid.centre = tuple(self.size), tuple(self.centre)
        self.solid, self.block = solid, image.memory
        self.reach = reach + radius
        self.core_reach = reach
        self._coal = None

    def extent(self, n):
        """How far the body reaches along a direction, from the origin of its frame."""
        if self.kind == 'hull':
            return (self.vertices @ n).max() + self.radius
        if self.kind == 'box':
            return self.size @ np.abs(n)
        if self.kind == 'cylinder':
            return self.size[2] * abs(n[2]) + self.size[0] * np.hypot(n[0], n[1])
        return self.size[2] * abs(n[2]) + self.radius

    def outside(self, p):
        """How far outside a point is at most: 0 inside, never less than a face's distance."""
        if self.kind == 'hull':
            return max(0.0, (self.planes[:, :3] @ p + self.planes[:, 3]).max() - self.radius)
        if self.kind == 'cylinder':
            return max(0.0, np.hypot(p[0], p[1]) - self.size[0], abs(p[2]) - self.size[2])
        return max(0.0, np.linalg.norm(p - np.clip(p, -self.size, self.size)) - self.radius)

    @property
    def coal(self):
        """The same shape of another library, which takes full lengths."""
        if self._coal is None:
            import coal

            if self.kind == 'hull':
                points = coal.StdVec_Vec3s()
                for vertex in self.vertices:
                    points.append(vertex)
                self._coal = coal.Convex.convexHull(points, False, 'Qt')
            elif self.kind == 'box':
                self._coal = coal.Box(*(2 * self.size))
            elif self.kind == 'cylinder':
                self._coal = coal.Cylinder(self.size[0], 2 * self.size[2])
            elif self.kind == 'capsule':
                self._coal = coal.Capsule(self.radius, 2 * self.size[2])
            else:
                self._coal = coal.Sphere(self.radius)
        return self._coal


def random_hull(rng, count, extents, far=0.0):
    points = rng.normal(size=(count, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    offset = rng.normal(size=3)
    offset *= far / np.linalg.norm(offset)
    return Body('hull', vertices=points * extents + offset)


def random_bodies(rng, kind, count):
    """A tenth of them are 1000 times as long as thin; a third of the hulls are off their frame."""
    if kind == 'hull':
        pool = [
            random_hull(rng, rng.integers(8, 61), rng.uniform(0.3, 0.9, 3), rng.choice([0, 0, 6]))
            for _ in range(40)
        ]
        thin = [
            random_hull(rng, rng.integers(8, 41), (1.0, rng.uniform(0.05, 1), 1e-3))
            for _ in range(10)
        ]
        return [
            thin[rng.integers(10)] if rng.uniform() < 0.1 else pool[rng.integers(40)]
            for _ in range(count)
        ]
    return [random_primitive(rng, kind, rng.uniform() < 0.1) for _ in range(count)]


def random_primitive(rng, kind, thin):
    u = rng.uniform
    if kind == 'box':
        size = rng.permutation([1.0, u(1e-3, 1.0), 1e-3]) if thin else u(0.15, 0.6, 3)
        return Body('box', size)
    if kind == 'cylinder':
        radius, half = u(0.05, 0.5), u(0.05, 0.6)
        if thin:
            radius, half = rng.permutation([1.0, 1e-3])
        return Body('cylinder', (radius, radius, half))
    if kind == 'capsule':
        half, radius = (1.0, 1e-3) if thin else (u(0.05, 0.6), u(0.02, 0.3))
        return Body('capsule', (0, 0, half), radius)
    return Body('sphere', radius=u(0.02, 0.4))


class Pairs:
    """Many pairs of bodies with their poses, packed for a kernel."""

    def __init__(self, bodies_a, bodies_b, rotations_a, rotations_b, origins_a, origins_b):
        self.bodies = list(zip(bodies_a, bodies_b, strict=True))
        self.rotations = np.stack([rotations_a, rotations_b], axis=1)
        self.origins = np.stack([origins_a, origins_b], axis=1)
        starts, blocks, total = {}, [], 0
        for body in itertools.chain(bodies_a, bodies_b):
            if id(body) not in starts:
                starts[id(body)] = total
                blocks.append(body.block)
                total += len(body.block)
        self.blocks = np.concatenate(blocks)
        self.starts = np.array([[starts[id(a)], starts[id(b)]] for a, b in self.bodies])

    def __len__(self):
        return len(self.bodies)

    def frames(self):
        """For each pair and body, axes and origin."""
        axes = np.swapaxes(self.rotations, 2, 3).reshape(len(self), 2, 9)
        return np.ascontiguousarray(np.concatenate([axes, self.origins], axis=2))

    def swapped(self):
        a, b = zip(*self.bodies, strict=True)
        r, o = self.rotations, self.origins
        return Pairs(b, a, r[:, 1], r[:, 0], o[:, 1], o[:, 0])

    def moved(self, rotation, offset):
        a, b = zip(*self.bodies, strict=True)
        r, o = rotation @ self.rotations, self.origins @ rotation.T + offset
        return Pairs(a, b, r[:, 0], r[:, 1], o[:, 0], o[:, 1])

    def bound(self, index, n):
        """s(n): a lower bound of the distance."""
        (a, b), (turn_a, turn_b) = self.bodies[index], self.rotations[index]
        offset = n @ (self.origins[index, 1] - self.origins[index, 0])
        return offset - a.extent(turn_a.T @ n) - b.extent(-(turn_b.T @ n))

    def scale(self, index):
        a, b = self.bodies[index]
        return a.reach + b.reach

    def local(self, index, side, point):
        return self.rotations[index, side].T @ (point - self.origins[index, side])


def query_all(
    starts: Ints,
    blocks: Floats,
    frames: Rows[SpatialPlacement],
    results: Rows[Found],
    work: Floats,
) -> None:
    for k in range(len(results)):
        a = SpatialSolid.at(blocks, starts[2 * k])
        b = SpatialSolid.at(blocks, starts[2 * k + 1])
        frame_a, frame_b = frames[2 * k].frame, frames[2 * k + 1].frame
        distance, normal, p, q, status = convex_gap(a, frame_a, b, frame_b, work)
        result = results[k]
        result.distance = distance
        result.normal = normal
        result.point_a = p
        result.point_b = q
        result.unproven = float(status)


def solve(function, pairs):
    results = np.full((len(pairs), RESULT), np.nan)
    function(pairs.starts, pairs.blocks, pairs.frames(), results, np.full(WORK, np.nan))
    return results


def in_python(pairs):
    return solve(_query_all_in_python, pairs)


def _query_all_in_python(starts, blocks, frames, results, work):
    query_all(
        ints_of(floats_of(starts.view(float))),
        floats_of(blocks),
        rows_of(SpatialPlacement, frames),
        rows_of(Found, results),
        floats_of(work),
    )


def random_pairs(kernel, kinds, count, seed):
    """Pairs of two kinds in all bands; a fifth of them has equal orientations."""
    rng = np.random.default_rng(seed)
    a, b = random_bodies(rng, kinds[0], count), random_bodies(rng, kinds[1], count)
    turn_a, turn_b = Rotation.random(2 * count, rng).as_matrix().reshape(2, count, 3, 3)
    equal = rng.uniform(size=count) < 0.2
    turn_b[equal] = turn_a[equal]
    way = rng.normal(size=(count, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    along_axis = equal & (rng.uniform(size=count) < 0.5)
    way[along_axis] = turn_a[along_axis, :, 2]
    bands = np.array([BANDS[k % 10] for k in range(count)])
    share = {'apart': (0.6, 1.5), 'touching': (0.5, 1.1), 'random': (0.2, 1.0),
             'deep': (0.001, 0.3), 'concentric': (0.0, 0.0)}  # fmt: skip
    reach = np.array([x.reach + y.reach for x, y in zip(a, b, strict=True)])
    distance = reach * [rng.uniform(*share[band]) for band in bands]
    centre_a = 0.3 * rng.normal(size=(count, 3))
    centre_b = centre_a + distance[:, None] * way
    origin_a = centre_a - np.array([r @ x.centre for r, x in zip(turn_a, a, strict=True)])
    origin_b = centre_b - np.array([r @ x.centre for r, x in zip(turn_b, b, strict=True)])
    touching = bands == 'touching'
    for _ in range(3):
        found = solve(kernel, Pairs(a, b, turn_a, turn_b, origin_a, origin_b))
        origin_b[touching] -= found[touching, :1] * found[touching, 1:4]
    hair = rng.uniform(-1e-6, 1e-6, size=(count, 1))
    origin_b[touching] += hair[touching] * found[touching, 1:4]
    return Pairs(a, b, turn_a, turn_b, origin_a, origin_b), bands


def tolerance(pairs, index):
    curved = any(body.kind == 'cylinder' for body in pairs.bodies[index])
    return (1e-6 if curved else 1e-9) * max(pairs.scale(index), 1e-3)
