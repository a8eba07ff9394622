"""
Signed distance of convex bodies in space: certified, and compared with another library.

No oracle is needed to judge an answer. Along any unit vector n, s(n) = how far B's nearest point
is beyond A's farthest one bounds the distance from below, and equals it for the right n; points
of the bodies bound it from above while they are apart. In overlap, that no other direction has a
larger s is compared with coal and with all separating axes of boxes.
"""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from symcontact_ros.collision import layout
from symcontact_ros.collision.spatial.convex import convex_gap, WORK
from symcontact_ros.collision.spatial.gjk import core_distance
from symcontact_ros.collision.spatial.supports import support
from symcontact_ros.collision.spatial.vectors import between, frame_at, keep
from symcontact_ros.compiled.kernels import available, Kernel
from symcontact_ros.memory import memory_of, shift

pytestmark = pytest.mark.skipif(not available(), reason='kernels cannot be compiled here')

KINDS = ('box', 'hull', 'cylinder', 'capsule', 'sphere')
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))
BANDS = ('apart', 'touching', 'random', 'deep', 'random', 'touching', 'apart', 'deep', 'random',
         'concentric')  # fmt: skip
RESULT = 11


class Body:
    """A convex shape: its block, and what an independent check needs to know."""

    def __init__(self, kind, size=(0.0, 0.0, 0.0), radius=0.0, vertices=None):
        self.kind, self.size, self.radius = kind, np.asarray(size, float), radius
        core = {'box': layout.BOX, 'hull': layout.HULL, 'cylinder': layout.CYLINDER,
                'capsule': layout.SEGMENT, 'sphere': layout.POINT}[kind]  # fmt: skip
        self.centre, self.vertices = np.zeros(3), vertices
        mesh = []
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
            mesh = np.concatenate([[len(self.vertices), 0, 0, 0, 0, 0], self.vertices.ravel()])
        head = [core, radius, reach + radius, *self.size, *self.centre]
        head += [0.0] * (layout.BODY - len(head))
        self.block = np.concatenate([head, mesh]).astype(float)
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
        self.starts = np.array([[starts[id(a)], starts[id(b)]] for a, b in self.bodies], float)

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


def query_all(count, starts, blocks, frames, results, work):
    for k in range(count):
        a = shift(blocks, int(starts[2 * k]))
        b = shift(blocks, int(starts[2 * k + 1]))
        frame_a = frame_at(frames, 24 * k)
        frame_b = frame_at(frames, 24 * k + 12)
        distance, normal, p, q, unproven = convex_gap(a, frame_a, b, frame_b, work)
        results[RESULT * k] = distance
        keep(results, RESULT * k + 1, normal)
        keep(results, RESULT * k + 4, p)
        keep(results, RESULT * k + 7, q)
        results[RESULT * k + 10] = unproven


@pytest.fixture(scope='session')
def kernel():
    return Kernel(query_all, ['int'] + 5 * ['memory'])


def solve(function, pairs, memory=lambda array: array):
    results = np.full((len(pairs), RESULT), np.nan)
    arrays = (pairs.starts, pairs.blocks, pairs.frames(), results, np.full(WORK, np.nan))
    function(len(pairs), *(memory(array) for array in arrays))
    return results


def in_python(pairs):
    return solve(query_all, pairs, memory_of)


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


def assert_certified(pairs, index, result):
    distance, normal, p, q = result[0], result[1:4], result[4:7], result[7:10]
    tight = tolerance(pairs, index)
    a, b = pairs.bodies[index]
    about = f'{index}: {a.kind} {a.size} {b.kind} {b.size}: {result}'
    assert np.isfinite(result).all(), about
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-14), about
    assert pairs.bound(index, normal) == pytest.approx(distance, abs=tight), about
    assert (q - p) @ normal == pytest.approx(distance, abs=2e-14 * (20 + abs(distance))), about
    assert a.outside(pairs.local(index, 0, p)) <= tight, about
    assert b.outside(pairs.local(index, 1, q)) <= tight, about
    assert np.linalg.norm(q - p) <= abs(distance) + tight, about
    assert normal @ (p - pairs.origins[index, 0]) == pytest.approx(
        a.extent(pairs.rotations[index, 0].T @ normal), abs=tight
    ), about


def coal_distance(pairs, index):
    """Distance and normal by coal, or None where it has none."""
    import coal

    a, b = pairs.bodies[index]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    fine = 1e-6 if 'cylinder' in (a.kind, b.kind) else 1e-9
    request.gjk_tolerance = request.epa_tolerance = fine
    request.gjk_max_iterations = request.epa_max_iterations = 500
    (turn_a, turn_b), (origin_a, origin_b) = pairs.rotations[index], pairs.origins[index]
    distance = coal.distance(
        a.coal, coal.Transform3s(turn_a, origin_a), b.coal, coal.Transform3s(turn_b, origin_b),
        request, result,
    )  # fmt: skip
    normal = np.array(result.normal)
    good = np.isfinite(distance) and abs(distance) < 1e6 and np.isfinite(normal).all()
    return (distance, normal) if good and abs(np.linalg.norm(normal) - 1) < 1e-6 else None


def assert_not_beaten_by_coal(pairs, index, distance):
    other = coal_distance(pairs, index)
    if other is None:
        return
    tight = tolerance(pairs, index)
    kinds = {body.kind for body in pairs.bodies[index]}
    assert pairs.bound(index, other[1]) <= distance + tight, (index, distance, other)
    if 'cylinder' not in kinds:  # with cylinders it is coal that is wrong, now and then
        # where bodies touch, coal was 1.2e-6 off once; all separating axes confirmed ours
        loose = 1e-5 if abs(distance) < 1e-5 else 2e-8
        assert other[0] == pytest.approx(distance, abs=loose), (index, distance, other)
        assert abs(distance) < 1e-5 or np.sign(other[0]) == np.sign(distance)


def share_unproven(kinds):
    """How many overlaps may be not proven: nearly symmetric ones of cylinders, no others."""
    if kinds in (('cylinder', 'cylinder'), ('cylinder', 'capsule')):
        return 0.06
    return 0.001 if 'cylinder' in kinds and 'sphere' not in kinds else 0.0


def check(kernel, kinds, count, seed):
    pairs, bands = random_pairs(kernel, kinds, count, seed)
    results = solve(kernel, pairs)
    for index in range(count):
        assert_certified(pairs, index, results[index])
    assert (results[bands == 'concentric', 0] <= 1e-12).all()
    assert results[:, 10].sum() <= share_unproven(kinds) * count
    assert not results[results[:, 0] > 1e-6, 10].any()


def check_with_coal(kernel, kinds, count, seed):
    pytest.importorskip('coal')
    pairs, _ = random_pairs(kernel, kinds, count, seed)
    results = solve(kernel, pairs)
    for index in range(count):
        assert_not_beaten_by_coal(pairs, index, results[index, 0])


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_the_distance_is_certified_by_its_normal_and_points(kernel, kinds):
    check(kernel, kinds, 2000, 1)


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_coal_knows_no_better_normal(kernel, kinds):
    check_with_coal(kernel, kinds, 2000, 1)


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_the_distance_is_certified_in_many_more_cases(kernel, kinds):
    check(kernel, kinds, 20_000, 2)
    check_with_coal(kernel, kinds, 20_000, 2)


def polytope(pairs, index, side):
    """Vertices, normals of faces and directions of edges in the world."""
    body, turn = pairs.bodies[index][side], pairs.rotations[index, side]
    if body.kind == 'box':
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * body.size
        return corners @ turn.T + pairs.origins[index, side], turn.T, turn.T
    hull = ConvexHull(body.vertices)
    ends = body.vertices[np.concatenate([hull.simplices[:, pair] for pair in ([0, 1], [1, 2])])]
    ends = np.concatenate([ends, body.vertices[hull.simplices[:, [2, 0]]]])
    edges = (ends[:, 1] - ends[:, 0]) @ turn.T
    vertices = body.vertices @ turn.T + pairs.origins[index, side]
    return vertices, hull.equations[:, :3] @ turn.T, edges


@pytest.mark.parametrize('kinds', [('box', 'box'), ('box', 'hull')], ids='-'.join)
def test_the_depth_of_polytopes_is_the_least_along_their_separating_axes(kernel, kinds):
    pairs, _ = random_pairs(kernel, kinds, 1500, 3)
    results = solve(kernel, pairs)
    overlapping = np.flatnonzero(results[:, 0] < 0.0)
    assert len(overlapping) > 700
    for index in overlapping:
        (a, faces_a, edges_a), (b, faces_b, edges_b) = (polytope(pairs, index, k) for k in (0, 1))
        crossed = np.cross(edges_a[:, None], edges_b[None, :]).reshape(-1, 3)
        length = np.linalg.norm(crossed, axis=1)
        # of nearly parallel edges, the cross product has no direction
        axes = [faces_a, faces_b, crossed[length > 1e-7] / length[length > 1e-7, None]]
        axes = np.concatenate([sign * axis for axis in axes for sign in (1, -1)])
        best = ((b @ axes.T).min(axis=0) - (a @ axes.T).max(axis=0)).max()
        assert results[index, 0] == pytest.approx(best, abs=1e-9 * pairs.scale(index))


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_no_direction_near_the_normal_separates_better(kernel, kinds):
    pairs, _ = random_pairs(kernel, kinds, 200, 4)
    results = solve(kernel, pairs)
    rng = np.random.default_rng(5)
    for index, result in enumerate(results):
        spread = 10.0 ** rng.uniform(-5, 0.5, size=(20, 1))
        directions = result[1:4] + spread * rng.normal(size=(20, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        best = max(pairs.bound(index, n) for n in directions)
        assert best <= result[0] + tolerance(pairs, index), index


def aligned_body(rng):
    kind = rng.choice(KINDS)
    x, y, z = rng.choice([0.25, 0.5, 1.0, 1e-3], size=3)
    if kind == 'hull':
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * [x, y, z]
        simplex = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * x
        return Body('hull', vertices=corners if rng.uniform() < 0.5 else simplex)
    size = {'box': (x, y, z), 'cylinder': (x, x, z), 'capsule': (0, 0, z), 'sphere': (0, 0, 0)}
    return Body(kind, size[kind], x if kind in ('capsule', 'sphere') else 0.0)


def test_exactly_aligned_bodies_are_no_exception(kernel):
    rng = np.random.default_rng(13)
    count = 3000
    a = [aligned_body(rng) for _ in range(count)]
    b = [body if rng.uniform() < 0.2 else aligned_body(rng) for body in a]
    quarter_turns = np.round(Rotation.create_group('O').as_matrix())
    turns = quarter_turns[rng.integers(24, size=(2, count))]
    origins = rng.choice([-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5], size=(2, count, 3))
    pairs = Pairs(a, b, *turns, *origins)
    results = solve(kernel, pairs)
    for index in range(count):
        assert_certified(pairs, index, results[index])
    few = Pairs(a[:200], b[:200], *turns[:, :200], *origins[:, :200])
    assert in_python(few).tobytes() == np.ascontiguousarray(results[:200]).tobytes()


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_exchanging_the_bodies_exchanges_the_answer(kernel, kinds):
    pairs, _ = random_pairs(kernel, kinds, 500, 6)
    there, back = solve(kernel, pairs), solve(kernel, pairs.swapped())
    for index in range(len(pairs)):
        tight = tolerance(pairs, index)
        assert there[index, 0] == pytest.approx(back[index, 0], abs=tight)
        # where several directions are equally good, either may be chosen; both are certified
        assert pairs.bound(index, -back[index, 1:4]) == pytest.approx(there[index, 0], abs=tight)


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_moving_both_bodies_moves_the_answer(kernel, kinds):
    pairs, _ = random_pairs(kernel, kinds, 500, 7)
    turn = Rotation.random(random_state=8).as_matrix()
    before, after = solve(kernel, pairs), solve(kernel, pairs.moved(turn, np.array([3, -2, 1])))
    for index in range(len(pairs)):
        tight = tolerance(pairs, index)
        assert after[index, 0] == pytest.approx(before[index, 0], abs=tight)
        normal = turn.T @ after[index, 1:4]
        assert pairs.bound(index, normal) == pytest.approx(before[index, 0], abs=tight)


def test_a_hull_far_from_the_origin_of_its_frame_is_measured_as_exactly(kernel):
    rng = np.random.default_rng(9)
    near, far = [], []
    offset = np.array([8.0, -6.0, 4.0])  # ten times its size
    for _ in range(300):
        vertices = rng.normal(size=(20, 3))
        near.append(Body('hull', vertices=vertices / np.abs(vertices).max()))
        far.append(Body('hull', vertices=near[-1].vertices + offset))
    turns_a, turns_b = Rotation.random(600, rng).as_matrix().reshape(2, 300, 3, 3)
    origins = rng.normal(size=(300, 3))
    zero = np.zeros((300, 3))
    expected = solve(kernel, Pairs(near, near[::-1], turns_a, turns_b, zero, origins))
    moved = Pairs(far, far[::-1], turns_a, turns_b, -turns_a @ offset, origins - turns_b @ offset)
    found = solve(kernel, moved)
    assert np.abs(found[:, 0] - expected[:, 0]).max() < 1e-13


@pytest.mark.parametrize('kinds', PAIRS, ids='-'.join)
def test_machine_code_and_python_agree_bit_for_bit(kernel, kinds):
    pairs, _ = random_pairs(kernel, kinds, 50, 10)
    assert solve(kernel, pairs).tobytes() == in_python(pairs).tobytes()


@pytest.mark.parametrize('kind', KINDS)
def test_the_support_is_the_farthest_point_of_the_core(kind):
    rng = np.random.default_rng(11)
    for body in random_bodies(rng, kind, 50):
        for _ in range(20):
            direction = rng.normal(size=3)
            point, _ = support(memory_of(body.block), tuple(direction))
            core = body.extent(direction) - body.radius
            assert np.dot(point, direction) == pytest.approx(core, abs=1e-13)
            assert body.outside(np.array(point)) <= 1e-13


@pytest.mark.parametrize('kinds', [('box', 'hull'), ('hull', 'hull'), ('box', 'capsule')])
def test_a_distance_from_a_kept_simplex_is_the_same(kernel, kinds):
    pairs, bands = random_pairs(kernel, kinds, 200, 12)
    work = memory_of(np.zeros(WORK))
    frames = pairs.frames().reshape(-1, 24)
    for index in np.flatnonzero(bands == 'apart'):
        a, b = (memory_of(body.block) for body in pairs.bodies[index])
        first, second = (frame_at(memory_of(frames[index]), start) for start in (0, 12))
        frame = between(first, second)
        cold = core_distance(a, b, frame, work)
        if cold[0] == 0.0:
            continue
        x, y, z, origin = frame
        nudged = (x, y, z, tuple(value + 1e-3 for value in origin))
        warm = core_distance(a, b, nudged, work, cold[3])
        again = core_distance(a, b, nudged, work)
        assert warm[0] == pytest.approx(again[0], abs=1e-9)
