"""Contact points of bodies in overlap: how many, where, how deep, and what they carry."""

from helpers.collision_bodies import pose, shifted, to_local
from helpers.collision_cases import ask, cases_of, name_of, PAIRS, separation
from helpers.collision_oracles import assert_within
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc

QUARTER = np.pi / 2
FLOOR = sc.HalfSpace((0.0, 0.0, 1.0))
GROUND = sc.HalfSpace((0.0, 1.0, 0.0))
HERE = pose()
# A face may be taken for the contact although edges are 5 % and 1e-6 of the size shallower:
# depth <= (rho + 1e-6 size) / 0.95.
STEADY, TIE = 1.0 / 0.95, 1e-6
# Caps are polygons of 12 corners, and points on a face are cut to it: the deepest may be lacking.
EXPLAINED = 0.9

every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)


def contacts(case):
    """The touching rows of the poses in overlap: index of the pose, row, and which is where."""
    deep = np.flatnonzero(case.result.distance < -1e-9)
    part = case.at(deep)
    rows = part.result.contact_rows
    written = np.arange(rows.shape[1])[None] < part.result.contact_count[:, None]
    return part, rows, written & (rows[:, :, 0] < 0.0)


@every_pair
def test_depths_are_about_the_minimum_translation(pair):
    for case in cases_of(pair, 2000):
        part, rows, touching = contacts(case)
        deepest = np.where(touching, -rows[:, :, 0], 0.0).max(axis=1)
        rho = -part.result.distance
        most = STEADY * (rho + TIE * (case.a.reach + case.b.reach))
        assert_within(deepest, most + 1e-12, part, part.result)
        assert_within(EXPLAINED * rho, deepest + 1e-12, part, part.result)


@every_pair
def test_the_contact_normal_parts_bodies_about_as_well_as_the_best(pair):
    for case in cases_of(pair, 2000):
        part, _, _ = contacts(case)
        normal, rho = part.result.contact_normal, -part.result.distance
        lengths = np.linalg.norm(normal, axis=1)
        assert_within(np.abs(lengths - 1.0), 1e-13, part, part.result)  # some roundings
        depth = -separation(case.a, part.poses_a, case.b, part.poses_b, normal)
        most = STEADY * (rho + TIE * (case.a.reach + case.b.reach))
        assert_within(depth, most + case.tolerance, part, part.result)


@every_pair
def test_contact_points_lie_between_the_surfaces(pair):
    for case in cases_of(pair, 2000):
        part, rows, touching = contacts(case)
        for k in range(rows.shape[1]):
            index = np.flatnonzero(touching[:, k])
            if not len(index):
                continue
            some, depth = part.at(index), -rows[index, k, 0]
            for body, poses in ((case.a, some.poses_a), (case.b, some.poses_b)):
                beyond = body.outside(to_local(poses, rows[index, k, 1:4]))
                # Midway between the surfaces a point is half the depth from either at most,
                # beyond it if the body is thinner than the overlap is deep. A cap that is a
                # polygon, and a clip by sides of a face, take nothing outside; a face is preferred
                # within 1e-6 of the size: thin bodies may touch a few times that beside it.
                assert_within(beyond, 0.5 * depth + 1e-5, some, some.result)


@every_pair
def test_points_carry_no_more_than_the_stiffness_of_the_pair(pair):
    for case in cases_of(pair, 2000):
        part, rows, touching = contacts(case)
        shares = np.where(touching, rows[:, :, 4], 0.0)
        assert_within(shares.sum(axis=1), 1.0 + 1e-12, part, part.result)
        assert (shares[touching] > 0.0).all()
        assert touching.any(axis=1).all()


@every_pair
def test_features_stay_while_bodies_hardly_move(pair):
    kept = total = 0
    for case in cases_of(pair, 2000):
        part, rows, touching = contacts(case)
        # In the middle of each other, bodies may part in several directions as well.
        index = np.flatnonzero(np.linalg.norm(part.offsets, axis=1) > 1e-6)
        if not len(index):
            continue
        part, rows, touching = part.at(index), rows[index], touching[index]
        by = 1e-10 * np.random.default_rng(11).normal(size=(len(index), 3))
        by[:, pair[0] :] = 0.0
        after = ask(case.a, part.poses_a, case.b, shifted(part.poses_b, by))
        same = np.where(touching, rows[:, :, 5] == after.contact_rows[:, :, 5], True).all(axis=1)
        same &= part.result.contact_count == after.contact_count
        kept, total = kept + same.sum(), total + len(same)
    # Corners may coincide or features tie within 1e-10 m, once in some hundred random poses.
    assert kept >= 0.99 * total


@every_pair
def test_no_corner_is_a_contact_point_twice(pair):
    for case in cases_of(pair, 2000):
        part, rows, touching = contacts(case)
        names = np.where(touching, rows[:, :, 5], -2.0 - np.arange(rows.shape[1]))
        twice = (np.diff(np.sort(names, axis=1), axis=1) == 0.0).any(axis=1)
        assert_within(twice.astype(float), 0.5, part, part.result)


def manifold(a, pose_a, b, pose_b=HERE, dimension=None):
    return sc.proximity(a, pose_a, b, pose_b, dimension=dimension).manifold


def assert_points(found, expected, depth, shares):
    """Check points (in any order), equal depths and shares."""
    assert len(found) == len(expected)
    points = found.points[np.lexsort(found.points.T[::-1].round(9))]
    wanted = np.array(expected, float)
    wanted = wanted[np.lexsort(wanted.T[::-1])]
    np.testing.assert_allclose(points, wanted, atol=1e-12)  # sums of a few numbers below 1
    np.testing.assert_allclose(found.depths, depth, rtol=1e-9)
    np.testing.assert_allclose(found.shares, shares, rtol=1e-15)


BOX = sc.Box((0.3, 0.2, 0.1))
DEPTH = 1e-3
HALF = 0.5 * DEPTH


def test_a_box_lies_on_the_floor_on_four_points():
    found = manifold(BOX, pose((0, 0, 0.1 - DEPTH)), FLOOR)
    corners = [(x, y, -HALF) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
    assert_points(found, corners, DEPTH, 0.25)
    assert len({*found.features.tolist()}) == 4
    np.testing.assert_array_equal(found.normal, [0.0, 0.0, -1.0])


@pytest.mark.parametrize('swapped', [False, True])
def test_a_box_lies_on_a_larger_one_on_four_points(swapped):
    table, place = sc.Box((1.0, 1.0, 0.5)), pose((0.1, 0.2, 0.6 - DEPTH))
    found = manifold(BOX, place, table) if swapped else manifold(table, HERE, BOX, place)
    corners = [(0.1 + x, 0.2 + y, 0.5 - HALF) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
    assert_points(found, corners, DEPTH, 0.25)


def test_a_box_half_over_the_edge_of_another_has_points_on_the_edge():
    table, place = sc.Box((1.0, 1.0, 0.5)), pose((1.0, 0.0, 0.6 - DEPTH))
    found = manifold(table, HERE, BOX, place)
    corners = [(x, y, 0.5 - HALF) for x in (0.7, 1.0) for y in (-0.2, 0.2)]
    assert_points(found, corners, DEPTH, 0.25)


def test_crossed_boxes_meet_in_the_corners_of_the_square_they_share():
    found = manifold(sc.Box((1, 0.1, 0.1)), HERE, sc.Box((0.1, 1, 0.1)), pose((0, 0, 0.2 - DEPTH)))
    corners = [(x, y, 0.1 - HALF) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]
    assert_points(found, corners, DEPTH, 0.25)


def test_a_box_stands_on_an_edge_on_two_points():
    height = (0.2 + 0.1) / np.sqrt(2.0) - DEPTH
    found = manifold(BOX, pose((0, 0, height), (np.pi / 4, 0, 0)), FLOOR)
    assert len(found) == 2
    np.testing.assert_allclose(found.depths, DEPTH, rtol=1e-9)
    assert found.shares.tolist() == [0.25, 0.25]
    np.testing.assert_allclose(np.sort(found.points[:, 0]), [-0.3, 0.3], atol=1e-12)


def test_a_box_stands_on_a_corner_on_one_point():
    cube = sc.Box((0.2, 0.2, 0.2))
    turn = np.arctan(np.sqrt(2.0)) * np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)
    found = manifold(cube, pose((0, 0, 0.2 * np.sqrt(3.0) - DEPTH), turn), FLOOR)
    assert_points(found, [(0, 0, -HALF)], DEPTH, 0.25)


def test_edges_of_boxes_cross_in_one_point():
    up = (0, np.pi / 4, 0)
    diagonal = 0.2 * np.sqrt(2.0)
    cube = sc.Box((0.2, 0.2, 0.2))
    place = pose((0, 0, 2.0 * diagonal - DEPTH), (np.pi / 4, 0, 0))
    found = manifold(cube, pose((0, 0, 0), up), cube, place)
    assert_points(found, [(0, 0, diagonal - HALF)], DEPTH, 0.25)


@pytest.mark.parametrize('other', [GROUND, sc.Rectangle((2.0, 1.0)), sc.Polygon(
    [(-2, -1), (2, -1), (2, 1), (-2, 1)])], ids=['ground', 'rectangle', 'polygon'])  # fmt: skip
def test_a_rectangle_lies_on_two_points(other):
    top = 0.0 if other is GROUND else 1.0
    found = manifold(sc.Rectangle((0.3, 0.1)), pose((0.2, top + 0.1 - DEPTH)), other)
    assert_points(found, [(x, top - HALF, 0.0) for x in (-0.1, 0.5)], DEPTH, 0.5)


def test_a_rectangle_stands_on_a_corner_on_one_point():
    height = 0.4 / np.sqrt(2.0) - DEPTH
    found = manifold(sc.Rectangle((0.3, 0.1)), pose((0, height), np.pi / 4), GROUND)
    assert len(found) == 1
    assert found.depths[0] == pytest.approx(DEPTH, rel=1e-9)


@pytest.mark.parametrize('other', [FLOOR, sc.Box((2, 2, 1)), sc.Cylinder(2.0, 1.0)],
                         ids=['floor', 'box', 'cylinder'])  # fmt: skip
def test_a_cylinder_stands_on_four_points_and_lies_on_two(other):
    top, can = (0.0 if other is FLOOR else 1.0), sc.Cylinder(0.2, 0.4)
    standing = manifold(can, pose((0.1, 0.1, top + 0.4 - DEPTH)), other)
    assert len(standing) == 4
    assert standing.shares.tolist() == [0.25] * 4
    np.testing.assert_allclose(standing.depths, DEPTH, rtol=1e-9)
    across = np.linalg.norm(standing.points[:, :2] - 0.1, axis=1)
    np.testing.assert_allclose(across, 0.2, rtol=1e-9)  # on the rim
    np.testing.assert_allclose(standing.points[:, :2].mean(axis=0), 0.1, atol=1e-9)
    lying = manifold(can, pose((0.1, 0.1, top + 0.2 - DEPTH), (QUARTER, 0, 0)), other)
    assert_points(lying, [(0.1, y, top - HALF) for y in (-0.3, 0.5)], DEPTH, 0.5)


@pytest.mark.parametrize('other', [FLOOR, sc.Box((2, 2, 1)), sc.Cylinder(2.0, 1.0)],
                         ids=['floor', 'box', 'cylinder'])  # fmt: skip
def test_a_capsule_lies_on_two_points_and_stands_on_one(other):
    top, pill = (0.0 if other is FLOOR else 1.0), sc.Capsule(0.2, 0.4)
    lying = manifold(pill, pose((0.1, 0.1, top + 0.2 - DEPTH), (QUARTER, 0, 0)), other,
                     dimension=3)  # fmt: skip
    assert_points(lying, [(0.1, y, top - HALF) for y in (-0.3, 0.5)], DEPTH, 0.5)
    standing = manifold(pill, pose((0.1, 0.1, top + 0.6 - DEPTH)), other, dimension=3)
    np.testing.assert_allclose(standing.points[:, :2], 0.1, atol=1e-9)
    assert standing.depths.max() == pytest.approx(DEPTH, rel=1e-9)
    assert standing.shares.sum() <= 1.0


PILL = sc.Capsule(0.1, 0.3)


@pytest.mark.parametrize(
    'other',
    [GROUND, sc.Rectangle((2, 1)), sc.Capsule(1.0, 2.0), sc.Polygon(
        [(-2, -1), (2, -1), (2, 1), (-2, 1)])],
    ids=['ground', 'rectangle', 'capsule', 'polygon'],
)  # fmt: skip
@pytest.mark.parametrize('swapped', [False, True])
def test_a_planar_capsule_lies_on_two_points_and_stands_on_one(other, swapped):
    top = 0.0 if other is GROUND else 1.0

    def found(place):
        sides = [(PILL, place), (other, HERE)]
        (a, at_a), (b, at_b) = sides[::-1] if swapped else sides
        return manifold(a, at_a, b, at_b, dimension=2)

    lying = found(pose((0.5, top + 0.1 - DEPTH)))
    assert_points(lying, [(x, top - HALF, 0.0) for x in (0.2, 0.8)], DEPTH, 0.5)
    standing = found(pose((0.5, top + 0.4 - DEPTH), QUARTER))
    assert standing.depths.max() == pytest.approx(DEPTH, rel=1e-9)
    np.testing.assert_allclose(standing.points[:, 0], 0.5, atol=1e-9)


@pytest.mark.parametrize('place', [0.0, 0.5], ids=['middle', 'aside'])
@pytest.mark.parametrize('log', [sc.Capsule(0.2, 1.5), sc.Cylinder(0.2, 1.5)])
def test_a_log_that_rolls_off_a_table_touches_along_its_edge(log, place):
    # Its axis is beyond the edge by 5 mm, which is little enough for the face to be preferred.
    table, there = sc.Box((1, 1, 1)), pose((1.005, place, 1.19), (QUARTER, 0, 0))
    found = manifold(table, HERE, log, there)
    assert len(found)
    assert (np.abs(found.points[:, 1]) <= 1.0 + 1e-9).all()
    assert found.points[:, 1].min() == pytest.approx(max(-1.0, place - 1.5), abs=1e-6)
    assert found.points[:, 1].max() == pytest.approx(min(1.0, place + 1.5), abs=1e-6)


def test_a_hull_lies_on_its_face():
    prism = sc.ConvexHull([(x, y, z) for x, y in ((0, 0), (1, 0), (0, 1)) for z in (0, 1)])
    found = manifold(prism, pose((0, 0, -DEPTH)), FLOOR)
    assert_points(found, [(0, 0, -HALF), (1, 0, -HALF), (0, 1, -HALF)], DEPTH, 0.25)


def test_a_hull_with_a_round_face_lies_on_four_points_far_apart():
    angles = 2.0 * np.pi * np.arange(64) / 64
    ring = np.c_[np.cos(angles), np.sin(angles), np.zeros(64)]
    cone = sc.ConvexHull(np.r_[ring, [[0.0, 0.0, 1.0]]])
    found = manifold(cone, pose((0, 0, -DEPTH)), FLOOR)
    assert len(found) == 4
    np.testing.assert_allclose(found.points[:, :2].mean(axis=0), 0.0, atol=0.1)  # 64 corners
    np.testing.assert_allclose(np.linalg.norm(found.points[:, :2], axis=1), 1.0, rtol=1e-9)


@every_pair
def test_bodies_apart_have_no_contact_points(pair):
    for case in cases_of(pair, 2000):
        apart = case.result.distance > 0.0
        assert (case.result.contact_count[apart] == 0).all()
        index = np.flatnonzero(apart)
        if len(index):
            assert len(case.result[index[0]].manifold) == 0


@pytest.mark.parametrize('detector', ['sat', 'co'])
@pytest.mark.parametrize('lean', [0.0, 1e-9, 1e-7, 1e-6, 1e-4])
def test_a_capsule_that_stands_on_the_end_of_another_is_held(lean, detector):
    depth = 1e-5
    capsule = sc.Capsule(0.1, 0.3)  # in the plane: along x
    lying = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    turn = Rotation.from_rotvec([0.0, 0.0, 0.5 * np.pi - lean])
    # its lower end is right above the left end of the other one, or a little beyond
    lower = np.array([-0.3 - 1e-9, 0.2 - depth, 0.0])
    standing = sc.Pose(lower + turn.apply([0.3, 0.0, 0.0]), turn.as_quat())
    near = sc.proximity(capsule, lying, capsule, standing, detector=detector, dimension=2)
    assert near.distance == pytest.approx(-depth, rel=1e-6)
    assert near.manifold.depths == pytest.approx([depth], rel=1e-6)
    assert near.manifold.shares == pytest.approx([0.5])
