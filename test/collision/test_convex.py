"""
Signed distance of convex bodies in space: certified, and compared with another library.

No oracle is needed to judge an answer. Along any unit vector n, s(n) = how far B's nearest point
is beyond A's farthest one bounds the distance from below, and equals it for the right n; points
of the bodies bound it from above while they are apart. In overlap, that no other direction has a
larger s is compared with coal and with all separating axes of boxes.
"""

import itertools

from helpers.convex_cases import (
    ARGUMENTS,
    Body,
    in_python,
    KINDS,
    Pairs,
    query_all,
    random_bodies,
    random_pairs,
    solve,
    tolerance,
)
import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from symcontact_ros.collision.batch_query import SpatialPlacement
from symcontact_ros.collision.spatial.convex_gap import WORK
from symcontact_ros.collision.spatial.differences import support
from symcontact_ros.collision.spatial.gjk import core_distance
from symcontact_ros.kernels.kernel import available, Kernel
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.records import rows_of
from symcontact_ros.kernels.vectors.spatial import between

pytestmark = pytest.mark.skipif(not available(), reason='kernels cannot be compiled here')
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))


@pytest.fixture(scope='session')
def kernel():
    return Kernel(query_all, ARGUMENTS)


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
            point, _ = support(body.solid, tuple(direction))
            core = body.extent(direction) - body.radius
            assert np.dot(point, direction) == pytest.approx(core, abs=1e-13)
            assert body.outside(np.array(point)) <= 1e-13


@pytest.mark.parametrize('kinds', [('box', 'hull'), ('hull', 'hull'), ('box', 'capsule')])
def test_a_distance_from_a_kept_simplex_is_the_same(kernel, kinds):
    pairs, bands = random_pairs(kernel, kinds, 200, 12)
    work = floats_of(np.zeros(WORK))
    placements = rows_of(SpatialPlacement, pairs.frames())
    for index in np.flatnonzero(bands == 'apart'):
        a, b = (body.solid for body in pairs.bodies[index])
        frame = between(placements[2 * index].frame, placements[2 * index + 1].frame)
        cold = core_distance(a, b, frame, work)
        if cold[0] == 0.0:
            continue
        x, y, z, origin = frame
        nudged = (x, y, z, tuple(value + 1e-3 for value in origin))
        warm = core_distance(a, b, nudged, work, cold[3])
        again = core_distance(a, b, nudged, work)
        assert warm[0] == pytest.approx(again[0], abs=1e-9)
