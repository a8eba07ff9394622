"""Ellipses and ellipsoids: exact to rounding, like round shapes where they are round."""

from helpers.collision_bodies import Body, rotations
from helpers.collision_cases import ask, cases_of
from helpers.collision_oracles import best_of_angles
import numpy as np
import pytest

import symcontact_ros as sc

PLANAR = ('circle', 'rectangle', 'polygon', 'capsule', 'ellipse')
SPATIAL = ('sphere', 'box', 'capsule', 'cylinder', 'convex_hull', 'ellipsoid')
PAIRS = [(2, kind, 'ellipse') for kind in PLANAR] + [(3, kind, 'ellipsoid') for kind in SPATIAL]
every_pair = pytest.mark.parametrize('pair', PAIRS, ids=str)


@pytest.mark.parametrize('pair', [p for p in PAIRS if p[0] == 2], ids=str)
def test_planar_distances_are_those_of_brute_force(pair):
    for case in cases_of(pair, 800):
        expected = best_of_angles(case)
        # The search knows the place of a maximum to the root of a rounding, its value to one.
        assert np.abs(case.result.distance - expected).max() < 1e-12


@every_pair
def test_an_ellipsoid_with_equal_radii_is_a_ball(pair):
    dimension, kind, _ = pair
    for case in cases_of(pair, 400):
        radius = case.b.thickness
        ball, same = sc.Sphere(radius), sc.Ellipsoid([radius] * 3)
        if dimension == 2:
            ball, same = sc.Circle(radius), sc.Ellipse([radius] * 2)
        one, other = (
            ask(case.a, case.poses_a, Body(shape, dimension), case.poses_b)
            for shape in (ball, same)
        )
        # Nearly concentric ones are as deep all around: the depth may be the least within 1e-9.
        sure = one.proven & other.proven
        assert sure.mean() > 0.5
        # A ball beside a hull is measured to 1e-9 of the size.
        tight = 1e-9 if kind == 'convex_hull' else 1e-12
        assert np.abs(one.distance - other.distance)[sure].max() < tight


@every_pair
def test_everything_scales_with_the_lengths(pair):
    dimension, _, _ = pair
    factor = 1000.0
    for case in cases_of(pair, 400)[:4]:
        larger = [Body(scaled(body.shape, factor), dimension) for body in (case.a, case.b)]
        poses = [
            sc.Pose(factor * poses.position, poses.quaternion)
            for poses in (case.poses_a, case.poses_b)
        ]
        after = ask(larger[0], poses[0], larger[1], poses[1])
        sure = case.result.proven & after.proven
        errors = np.abs(after.distance / factor - case.result.distance)[sure]
        assert errors.max() < 1e-11


def scaled(shape, factor):
    return type(shape)(*(np.array(value) * factor for value in vars(shape).values()))


@every_pair
def test_there_is_one_contact_point_with_all_of_the_stiffness(pair):
    for case in cases_of(pair, 400):
        result = case.result
        overlapping = result.distance < 0.0
        assert (result.contact_count == overlapping).all()
        rows = result.records['contacts'][overlapping, 0]
        assert (rows['share'] == 1.0).all()
        assert len(np.unique(rows['feature'])) <= 1  # the same wherever they touch
        middle = 0.5 * (result.point_a + result.point_b)[overlapping]
        assert rows['point'] == pytest.approx(middle, abs=1e-15)


@every_pair
def test_a_margin_leaves_ellipsoids_what_they_are(pair):
    for case in cases_of(pair, 400)[:3]:
        margin = 0.1 * min(case.a.thickness, case.b.thickness)
        if pair[1] in ('rectangle', 'box', 'polygon', 'convex_hull', 'cylinder'):
            continue  # whose corners it rounds
        result = case.by_programs(program='min_distance', margin=margin)
        apart = case.result.distance > 1e-6
        assert np.abs(result.distance - case.result.distance)[apart].max() < 1e-9


@pytest.mark.parametrize('flat', [1e-3, 0.1, 0.9999])
def test_two_ellipsoids_that_touch_at_their_vertices_touch(flat):
    rng = np.random.default_rng(3)
    for axis in range(3):
        first, second = rng.uniform(0.2, 1.0, (2, 3))
        first[(axis + 1) % 3] *= flat
        way = np.eye(3)[axis]
        turn = rotations(rng, 1, 3)[0]
        place = turn.apply((first[axis] + second[axis]) * way)
        found = sc.proximity(
            sc.Ellipsoid(first),
            sc.Pose(np.zeros(3), turn.as_quat()),
            sc.Ellipsoid(second),
            sc.Pose(place, turn.as_quat()),
        )
        assert found.distance == pytest.approx(0.0, abs=1e-14)
        assert found.normal == pytest.approx(turn.apply(way), abs=1e-7)
