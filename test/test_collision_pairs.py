"""
Every pair of shapes at random poses: apart, touching within 1 um, deep, one inside the other.

Judged by certificates that need no other library, by brute force, and by coal.
"""

from concurrent.futures import ThreadPoolExecutor

import collision_oracles as oracles
from collision_oracles import (
    all_axes_distance,
    ask,
    best_found,
    Body,
    BOUNDED,
    Case,
    cases_of,
    coal_answers,
    directions,
    matrices,
    moved,
    name_of,
    PAIRS,
    planar_distance,
    prism_in,
    rotations,
    shifted,
    taken,
    to_local,
)
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.collision import measuring

COUNTS = [2000, pytest.param(10000, marks=pytest.mark.deep)]
# Normals are divided by their length, points put together from a few products: some ten
# roundings, of places up to 5 m.
ROUNDING = 1e-13
every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)
every_count = pytest.mark.parametrize('count', COUNTS)


def assert_within(errors, allowed, case, result):
    """Check that no error exceeds what is allowed; tell the worst one so that it can be asked."""
    excess = np.nan_to_num(np.asarray(errors), nan=np.inf) - allowed
    worst = int(np.argmax(excess))
    assert excess[worst] <= 0.0, (
        f'{(excess > 0.0).sum()} of {len(excess)} off, the worst by {errors[worst]:.3g}: '
        f'distance {result.distance[worst]!r} of {case.a.shape} at {taken(case.poses_a, worst)} '
        f'and {case.b.shape} at {taken(case.poses_b, worst)}'
    )


def check_certificate(case, result):
    """Check all that can be told of an answer without another one."""
    gap = result.point_b - result.point_a
    lengths = np.linalg.norm(result.normal, axis=1)
    assert_within(np.abs(lengths - 1.0), ROUNDING, case, result)
    along = (gap * result.normal).sum(axis=1)
    assert_within(np.abs(along - result.distance), ROUNDING, case, result)
    below = case.separation(result.normal)
    # Within 1 um of touching, the iterations have few digits left for the normal:
    # two of 2 million boxes exceeded 1e-9 of the size, by 1.7.
    near = np.where(np.abs(result.distance) < 1e-6, 3.0, 1.0)
    assert_within(np.abs(below - result.distance), near * case.tolerance, case, result)
    # Apart, points of both bodies prove the distance from above; in overlap they must be straight
    # across from each other too, or a force at their middle would turn the bodies.
    length = np.linalg.norm(gap, axis=1)
    # Hardly apart, what is left of their sideways distance (1e-8 once in 2 million) counts.
    aside = np.where(np.abs(result.distance) < 1e-6, 3e-8, 0.0)
    off = np.abs(length - np.abs(result.distance))
    assert_within(off, aside + case.tolerance, case, result)
    for body, poses, point in (
        (case.a, case.poses_a, result.point_a),
        (case.b, case.poses_b, result.point_b),
    ):
        off = np.abs(body.outside(to_local(poses, point)))
        assert_within(off, case.tolerance, case, result)


@every_count
@every_pair
def test_the_answer_proves_itself(pair, count):
    for case in cases_of(pair, count):
        for asked, result in case.both_orders:
            check_certificate(asked, result)


@every_count
@pytest.mark.parametrize('pair', BOUNDED, ids=name_of)
def test_no_direction_parts_bodies_better_than_the_normal(pair, count):
    rng = np.random.default_rng(1)
    for case in cases_of(pair, count):
        overlapping = np.flatnonzero(case.result.distance < 1e-6)[
            :: 1 if 'cylinder' in pair else 4
        ]
        part = case.at(overlapping)
        better = best_found(part, rng) - case.result.distance[overlapping]
        assert_within(better, part.depth_tolerance, part, part.result)


@every_count
@pytest.mark.parametrize('pair', [p for p in BOUNDED if p[0] == 2], ids=name_of)
def test_planar_distances_are_those_of_brute_force(pair, count):
    for case in cases_of(pair, count):
        expected = planar_distance(case.a, case.poses_a, case.b, case.poses_b)
        errors = np.abs(case.result.distance - expected)
        assert_within(errors, case.tolerance, case, case.result)


@every_count
@pytest.mark.parametrize('pair', [p for p in BOUNDED if p[0] == 3], ids=name_of)
def test_spatial_distances_are_those_of_coal_or_better(pair, count):
    pytest.importorskip('coal', reason='coal is not installed; `make test` brings it')
    curved = 'cylinder' in pair
    for case in cases_of(pair, count):
        theirs, normals = coal_answers(case, coarse=curved)
        ours = case.result.distance
        better = case.separation(normals) - ours
        assert_within(better, case.depth_tolerance, case, case.result)
        disagree = np.abs(ours - theirs) > (5e-6 if curved else case.tolerance)
        # Coal is wrong at times: it then claims more than its own normal gives, or less than ours.
        proven = np.abs(case.separation(case.result.normal) - ours) <= case.tolerance
        assert_within((disagree & ~proven).astype(float), 0.5, case, case.result)
        if 'sphere' not in pair and not curved:
            assert disagree.mean() < 0.01
        if not curved:
            wrong_side = (np.sign(ours) != np.sign(theirs)) & (np.abs(theirs) > case.tolerance)
            assert_within(
                (wrong_side & (np.abs(ours) > case.tolerance)).astype(float),
                0.5,
                case,
                case.result,
            )


@pytest.mark.parametrize(
    'pair',
    [p for p in BOUNDED if p[0] == 3 and not {'sphere', 'cylinder'} & {*p}],
    ids=name_of,
)
def test_depths_of_polytopes_are_the_least_of_all_axes(pair):
    if pair[1:] == ('capsule', 'capsule'):
        pytest.skip('the differences of two segments are flat')
    for case in cases_of(pair, 2000):
        core = case.result.distance + case.a.radius + case.b.radius
        part = case.at(np.flatnonzero(core < -1e-3)[:25])
        if len(part.band) == 0 or min(case.a.thickness, case.b.thickness) < 1e-2:
            continue
        expected = all_axes_distance(part)
        # Qhull merges faces that differ by some 1e-13.
        assert_within(np.abs(part.result.distance - expected), 1e-11, part, part.result)


@pytest.mark.parametrize('pair', [p for p in BOUNDED if 'cylinder' in p], ids=name_of)
def test_depths_of_cylinders_are_not_above_those_of_prisms_within_them(pair):
    corners = 32
    for case in cases_of(pair, 2000):
        if 'sphere' in pair or min(case.a.thickness, case.b.thickness) < 1e-2:
            continue
        core = case.result.distance + case.a.radius + case.b.radius
        deep = np.flatnonzero(core < -1e-3)
        doubtful = deep[~case.result.proven[deep]]
        part = case.at(np.r_[doubtful[:5], deep[:5]])
        if len(part.band) == 0:
            continue
        inner = Case(prism_in(case.a, corners), prism_in(case.b, corners), part.poses_a,
                     part.poses_b, part.band)  # fmt: skip
        # A prism inside is farther away, by as much as its sides lie inside the cylinder.
        sagitta = sum(
            b.shape.radius * (1.0 - np.cos(np.pi / corners))
            for b in (case.a, case.b)
            if b.kind == 'cylinder'
        )
        above = all_axes_distance(inner) - part.result.distance
        assert_within(np.abs(above - 0.5 * sagitta), 0.5 * sagitta + 1e-9, part, part.result)


def signed_rectangle_circle(half, radius, centre):
    """The distance of a rectangle and a circle whose centre is given in its frame."""
    beyond = np.abs(centre) - half
    outside = np.hypot(*np.maximum(beyond, 0.0).T)
    return outside + np.minimum(beyond.max(axis=1), 0.0) - radius


@pytest.mark.timeout(600)  # 20 million: about a minute, several times that on a busy machine
@pytest.mark.parametrize('total', [200_000, pytest.param(20_000_000, marks=pytest.mark.deep)])
def test_rectangles_and_circles_are_as_far_apart_as_the_formula_says(total):
    rng = np.random.default_rng(2)
    chunk = 200_000
    for number in range(total // chunk):
        half, radius = rng.uniform(0.05, 1.0, 2), rng.uniform(0.02, 1.0)
        centre = rng.uniform(-1.5, 1.5, (chunk, 2)) * (half + radius)
        centre[: chunk // 8, 0] = 0.0  # on axes of symmetry, and where two sides are as near
        centre[chunk // 8 : chunk // 4] = np.abs(centre[chunk // 8 : chunk // 4, :1]) - half.max()
        turn = rotations(rng, chunk, 2)
        corner = np.c_[rng.uniform(-1.0, 1.0, (chunk, 2)), np.zeros(chunk)]
        place = corner + turn.apply(np.c_[centre, np.zeros(chunk)])
        a, b = Body(sc.Rectangle(half), 2), Body(sc.Circle(radius), 2)
        case = Case(a, b, sc.Pose(corner, turn.as_quat()), sc.Pose(place, turn.as_quat()),
                    np.zeros(chunk))  # fmt: skip
        result = case.reversed_result if number % 2 else case.result
        expected = signed_rectangle_circle(half, radius, centre)
        # some ten roundings of places up to 6 m, on both sides
        assert_within(np.abs(result.distance - expected), 1e-14, case, result)
        wrong = (np.sign(expected) != np.sign(result.distance)) & (np.abs(expected) > 1e-14)
        assert not wrong.any()


def fifteen_axes(a, poses_a, b, poses_b):
    """The largest separation of two boxes along face normals and cross products of edges."""
    turn_a, turn_b = matrices(poses_a), matrices(poses_b)
    best = np.full(len(turn_a), -np.inf)
    apart = poses_b.position - poses_a.position
    sides_a = turn_a * np.array(a.shape.half_extents)
    sides_b = turn_b * np.array(b.shape.half_extents)
    axes = [*np.moveaxis(turn_a, 2, 0), *np.moveaxis(turn_b, 2, 0)]
    axes += [np.cross(turn_a[:, :, i], turn_b[:, :, j]) for i in range(3) for j in range(3)]
    for axis in axes:
        length = np.linalg.norm(axis, axis=1)
        reach = np.abs(np.einsum('ni,nij->nj', axis, sides_a)).sum(axis=1)
        reach += np.abs(np.einsum('ni,nij->nj', axis, sides_b)).sum(axis=1)
        value = np.abs((axis * apart).sum(axis=1)) - reach
        usable = length > 1e-6  # parallel edges make no axis
        best = np.where(usable, np.maximum(best, value / np.maximum(length, 1e-6)), best)
    return best


@pytest.mark.timeout(900)  # 2 million: two minutes, several times that on a busy machine
@pytest.mark.parametrize('total', [40_000, pytest.param(2_000_000, marks=pytest.mark.deep)])
def test_boxes_overlap_as_deep_as_fifteen_axes_say(total):
    rng = np.random.default_rng(3)
    chunk = 20_000
    for _ in range(total // chunk):
        a, b = (oracles.random_body(rng, 'box', 3, s) for s in (1.0, rng.choice([0.2, 1.0])))
        case = oracles.random_case(rng, a, b, chunk)
        result = case.result
        check_certificate(case, result)
        expected = fifteen_axes(a, case.poses_a, b, case.poses_b)
        overlapping = expected < 0.0
        error = np.where(overlapping, np.abs(result.distance - expected), 0.0)
        # A cross product of length 1e-6 has ten digits left.
        assert_within(error, 1e-10, case, result)
        parted = ~overlapping & (result.distance < -1e-12)
        assert not parted.any()


@pytest.mark.parametrize('kinds', [('box', 'box'), ('convex_hull', 'convex_hull')])
def test_depths_are_those_of_fcl(kinds):
    fcl = pytest.importorskip('fcl')
    case = cases_of((3, *kinds), 2000)[0]

    def made(body):
        if body.kind == 'box':
            return fcl.Box(*(2.0 * np.array(body.shape.half_extents)))
        facets = oracles.ConvexHull(body.vertices)
        ordered = np.array(
            [
                f if np.dot(np.linalg.det(body.vertices[f] - body.centre), 1.0) > 0.0 else f[::-1]
                for f in facets.simplices
            ]
        )
        faces = np.c_[np.full(len(ordered), 3), ordered].ravel()
        return fcl.Convex(body.vertices, len(ordered), faces)

    geometries = made(case.a), made(case.b)
    overlapping = np.flatnonzero(case.result.distance < -1e-5)  # apart, fcl is not exact
    for i in overlapping[:60]:
        objects = [
            fcl.CollisionObject(g, fcl.Transform(matrices(taken(p, [i]))[0], p.position[i]))
            for g, p in zip(geometries, (case.poses_a, case.poses_b), strict=True)
        ]
        request = fcl.DistanceRequest(enable_signed_distance=True)
        theirs = fcl.distance(*objects, request, fcl.DistanceResult())
        assert theirs == pytest.approx(case.result.distance[i], abs=1e-9)  # its own tolerance


# Properties.


@every_pair
def test_swapping_the_bodies_turns_the_normal(pair):
    for case in cases_of(pair, 2000):
        there, back = case.result, case.reversed_result
        assert_within(np.abs(there.distance - back.distance), case.depth_tolerance, case, there)
        if pair[1] != pair[2]:  # the same kernel
            assert np.array_equal(there.distance, back.distance)
            assert np.array_equal(there.normal, -back.normal)
            assert np.array_equal(there.point_a, back.point_b)
            assert np.array_equal(there.contact_normal, -back.contact_normal)


@every_pair
def test_moving_both_bodies_moves_the_answer(pair):
    rng = np.random.default_rng(4)
    for case in cases_of(pair, 2000):
        rotation = rotations(rng, 1, pair[0])[0]
        by = rng.uniform(-2.0, 2.0, 3) * ([1, 1, 1] if pair[0] == 3 else [1, 1, 0])
        poses = [moved(p, rotation, by) for p in (case.poses_a, case.poses_b)]
        after = ask(case.a, poses[0], case.b, poses[1])
        errors = np.abs(after.distance - case.result.distance)
        assert_within(errors, case.depth_tolerance, case, case.result)


@every_pair
def test_moving_b_out_by_the_depth_leaves_no_gap(pair):
    for case in cases_of(pair, 2000):
        by = -case.result.distance[:, None] * case.result.normal
        after = ask(case.a, case.poses_a, case.b, shifted(case.poses_b, by))
        assert_within(np.abs(after.distance), case.tolerance, case, case.result)


@every_pair
def test_a_distance_changes_no_more_than_the_way_moved(pair):
    rng = np.random.default_rng(5)
    for case in cases_of(pair, 2000):
        length = 10.0 ** rng.uniform(-9.0, -1.0, len(case.band))
        by = length[:, None] * directions(rng, len(case.band), pair[0])
        after = ask(case.a, case.poses_a, case.b, shifted(case.poses_b, by))
        change = np.abs(after.distance - case.result.distance)
        assert_within(change, length + 2.0 * case.depth_tolerance, case, case.result)


@every_pair
def test_the_normal_is_the_slope_of_the_distance(pair):
    step = 1e-4  # steps of 1e-5 of the size, over which tolerances are still small
    for case in cases_of(pair, 2000):
        slopes, bends = np.zeros((len(case.band), 3)), np.zeros(len(case.band))
        for axis in range(pair[0]):
            by = step * np.eye(3)[axis]
            ahead = ask(case.a, case.poses_a, case.b, shifted(case.poses_b, by)).distance
            behind = ask(case.a, case.poses_a, case.b, shifted(case.poses_b, -by)).distance
            slopes[:, axis] = (ahead - behind) / (2.0 * step)
            bends = np.maximum(bends, np.abs(ahead + behind - 2.0 * case.result.distance) / step)
        off = np.linalg.norm(slopes - case.result.normal, axis=1)
        # Where the slope jumps within the step, or bends, there is no slope to compare with: these
        # are ties, and distances of a few steps. A thin body has more of them.
        smooth = bends < 2e-3
        assert_within(np.where(smooth, off, 0.0), 0.02, case, case.result)
        if min(case.a.thickness, case.b.thickness) > 0.05 and 'half_space' not in pair:
            assert smooth.mean() > 0.3


@every_pair
def test_plain_python_and_machine_code_agree_bit_for_bit(pair, monkeypatch):
    parts = [case.at(np.arange(24)) for case in cases_of(pair, 2000)[:5]]
    compiled = [case.result for case in cases_of(pair, 2000)[:5]]
    caches = measuring.measurement, measuring._shared
    with monkeypatch.context() as patch:
        patch.setattr(measuring, 'available', lambda: False)
        for cache in caches:
            cache.cache_clear()
        plain = [ask(p.a, p.poses_a, p.b, p.poses_b) for p in parts]
    for cache in caches:
        cache.cache_clear()
    for one, many in zip(plain, compiled, strict=True):
        for field in ('distance', 'normal', 'point_a', 'point_b', 'proven', 'contact_normal',
                      'contact_count', 'contact_rows'):  # fmt: skip
            assert getattr(one, field).tobytes() == getattr(many, field)[:24].tobytes(), field


@pytest.mark.parametrize('pair', [(3, 'cylinder', 'cylinder'), (3, 'box', 'box')], ids=name_of)
def test_threads_may_ask_at_the_same_time(pair):
    cases = cases_of(pair, 20000)[:2]  # enough poses for two threads to meet
    alone = [case.result for case in cases]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(4):
            asked = [pool.submit(ask, c.a, c.poses_a, c.b, c.poses_b) for c in cases]
            for future, expected in zip(asked, alone, strict=True):
                assert np.array_equal(future.result().distance, expected.distance)
                assert np.array_equal(future.result().contact_rows, expected.contact_rows)


# Numbers that make ties: parallel faces, coincident vertices, centres on axes.
plain_number = st.sampled_from([0.0, 0.25, -0.25, 0.5, -0.5, 0.75, 1.0, -1.0, 1.5])
coordinate = plain_number | st.floats(-2.0, 2.0)
length = st.sampled_from([0.25, 0.5, 0.75, 1e-3]) | st.floats(0.01, 1.0)
angle = st.sampled_from([0.0, np.pi / 4, np.pi / 2, np.pi, -np.pi / 2]) | st.floats(-3.0, 3.0)
SOLIDS = {
    2: {
        'circle': st.builds(sc.Circle, length),
        'rectangle': st.builds(sc.Rectangle, st.tuples(length, length)),
        'polygon': st.builds(
            lambda x, y, w, h: sc.Polygon([(x, y), (x + w, y), (x + w, y + h)]),
            coordinate, coordinate, length, length,
        ),
        'capsule': st.builds(sc.Capsule, length, length),
        'half_space': st.builds(
            lambda a, d: sc.HalfSpace((np.cos(a), np.sin(a), 0.0), d), angle, coordinate
        ),
    },
    3: {
        'sphere': st.builds(sc.Sphere, length),
        'box': st.builds(sc.Box, st.tuples(length, length, length)),
        'capsule': st.builds(sc.Capsule, length, length),
        'cylinder': st.builds(sc.Cylinder, length, length),
        'convex_hull': st.builds(
            lambda x, a, b, c: sc.ConvexHull([(x, x, 0), (x + a, x, 0), (x, x + b, 0), (x, x, c)]),
            coordinate, length, length, length,
        ),
        'half_space': st.builds(
            lambda a, d: sc.HalfSpace((np.cos(a), 0.0, np.sin(a)), d), angle, coordinate
        ),
    },
}  # fmt: skip


@st.composite
def meetings(draw, pair):
    """Two shapes at poses that are special as often as not."""
    dimension, *kinds = pair
    bodies = [Body(draw(SOLIDS[dimension][kind]), dimension) for kind in kinds]
    poses = []
    for _ in range(2):
        place = [draw(coordinate) for _ in range(dimension)]
        turn = [0.0, 0.0, draw(angle)]
        if dimension == 3 and draw(st.booleans()):
            turn = [draw(angle), draw(angle), turn[2]]
        one = oracles.pose(place, turn)
        poses.append(sc.Pose(one.position[None], one.quaternion[None]))
    return Case(*bodies, *poses, np.zeros(1))


def check_meeting(case):
    for asked, result in case.both_orders:
        check_certificate(asked, result)
        if 'half_space' not in (case.a.kind, case.b.kind):
            found = best_found(asked, np.random.default_rng(6), rounds=5)
            assert_within(found - result.distance, asked.depth_tolerance, asked, result)


@every_pair
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_special_meetings_prove_themselves(pair, data):
    check_meeting(data.draw(meetings(pair)))


@pytest.mark.deep
@pytest.mark.timeout(300)
@every_pair
@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_many_more_special_meetings_prove_themselves(pair, data):
    check_meeting(data.draw(meetings(pair)))
