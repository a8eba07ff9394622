"""What holds for every pair of shapes: symmetry, motions, slopes; and at special poses."""

from concurrent.futures import ThreadPoolExecutor

from helpers.collision_bodies import Body, directions, moved, pose, rotations, shifted
from helpers.collision_cases import ask, Case, cases_of, name_of, PAIRS
from helpers.collision_oracles import assert_within, best_found, check_certificate
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.collision import batch_query

every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)


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
    caches = batch_query.batch_query, batch_query._shared
    with monkeypatch.context() as patch:
        patch.setattr(batch_query, 'available', lambda: False)
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
        'ellipse': st.builds(sc.Ellipse, st.tuples(length, length)),
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
        'ellipsoid': st.builds(sc.Ellipsoid, st.tuples(length, length, length)),
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
        one = pose(place, turn)
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
