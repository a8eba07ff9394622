"""Meetings where formulas divide zero by zero, ties of faces, extreme sizes, and bad input."""

from dataclasses import fields

from helpers.collision_bodies import (
    Body,
    ELLIPTIC,
    pose,
    random_body,
    rotations,
    shifted,
    to_local,
)
from helpers.collision_cases import ask, BOUNDED, Case, cases_of, name_of, PAIRS, random_case
from helpers.collision_oracles import (
    all_axes_distance,
    assert_within,
    best_found,
    best_of_angles,
    check_certificate,
    planar_distance,
)
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc

TETRAHEDRON = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
CUBE = [(x, y, z) for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.3, 0.3)]
CAPSULE = sc.Capsule(0.1, 0.3)
QUARTER = np.pi / 2


def arranged(a, b, dimension, place, turn=0.0, count=200, far=1.0, seed=0):
    """B at a place and turn relative to A, in frames all over the world."""
    rng = np.random.default_rng(seed)
    frame = rotations(rng, count, dimension)
    start = far * rng.uniform(-1.0, 1.0, (count, 3))
    start[:, dimension:] = 0.0
    turn = np.asarray(turn, float)
    turn = np.array([0.0, 0.0, turn]) if turn.ndim == 0 else turn
    by = np.zeros(3)
    by[: len(place)] = place
    poses_a = sc.Pose(start, frame.as_quat())
    poses_b = sc.Pose(start + frame.apply(by), (frame * Rotation.from_rotvec(turn)).as_quat())
    return Case(Body(a, dimension), Body(b, dimension), poses_a, poses_b, np.zeros(count))


def check(case, expected):
    """Check answers in both orders, and that the distance is what one can see it is."""
    for asked, result in case.both_orders:
        assert_within(np.abs(result.distance - expected), case.tolerance, asked, result)
        check_certificate(asked, result)


# One dimension, A, B, place and turn of B as A sees it, distance.
MEETINGS = {
    'concentric circles': (2, sc.Circle(0.3), sc.Circle(0.2), (0, 0), 0, -0.5),
    'a circle on the corner of a rectangle': (
        2, sc.Rectangle((0.3, 0.2)), sc.Circle(0.1), (0.3, 0.2), 0, -0.1),
    'a circle on the side of a rectangle': (
        2, sc.Rectangle((0.3, 0.2)), sc.Circle(0.1), (0.3, 0.1), 0, -0.1),
    'a circle in the middle of a rectangle': (
        2, sc.Rectangle((0.3, 0.2)), sc.Circle(0.1), (0, 0), 0, -0.3),
    'a circle in the middle of a square': (
        2, sc.Rectangle((0.3, 0.3)), sc.Circle(0.1), (0, 0), 0, -0.4),
    'a circle on the diagonal of a square': (
        2, sc.Rectangle((0.3, 0.3)), sc.Circle(0.1), (0.1, 0.1), 0, -0.3),
    'a circle on the vertex of a triangle': (
        2, sc.Polygon([(0, 0), (1, 0), (0, 1)]), sc.Circle(0.1), (0, 0), 0, -0.1),
    'a circle on the middle of a segment': (2, sc.Circle(0.2), CAPSULE, (0, 0), 0.4, -0.3),
    'a circle on a segment': (2, CAPSULE, sc.Circle(0.2), (0.17, 0), 0, -0.3),
    'a circle on the end of a segment': (2, CAPSULE, sc.Circle(0.2), (0.3, 0), 0, -0.3),
    'squares side by side': (
        2, sc.Rectangle((0.3, 0.3)), sc.Rectangle((0.3, 0.3)), (0.6, 0.1), 0, 0.0),
    'squares corner to corner': (
        2, sc.Rectangle((0.3, 0.3)), sc.Rectangle((0.3, 0.3)), (0.6, 0.6), 0, 0.0),
    'squares in the same place': (
        2, sc.Rectangle((0.3, 0.3)), sc.Rectangle((0.3, 0.3)), (0, 0), 0, -0.6),
    'a small square in a large one': (
        2, sc.Rectangle((0.9, 0.9)), sc.Rectangle((0.1, 0.1)), (0.5, 0), 0.0, -0.5),
    'planar capsules that cross': (2, CAPSULE, CAPSULE, (0, 0), QUARTER, -0.5),
    'planar capsules that cross near an end': (2, CAPSULE, CAPSULE, (0.25, 0), QUARTER, -0.25),
    'planar capsules in line': (2, CAPSULE, CAPSULE, (0.7, 0), 0, -0.1),
    'planar capsules in line, apart': (2, CAPSULE, CAPSULE, (1.0, 0), 0, 0.2),
    'planar capsules in line, segments overlapping': (2, CAPSULE, CAPSULE, (0.25, 0), 0, -0.2),
    'planar capsules in the same place': (2, CAPSULE, CAPSULE, (0, 0), 0, -0.2),
    'the end of a planar capsule on the side of another': (
        2, CAPSULE, CAPSULE, (0.1, 0.45), QUARTER, -0.05),
    'the end of a planar capsule before a rectangle': (
        2, sc.Rectangle((0.5, 0.2)), CAPSULE, (0.1, 0.55), QUARTER, -0.05),
    'concentric spheres': (3, sc.Sphere(0.3), sc.Sphere(0.2), (0, 0, 0), 0, -0.5),
    'a sphere on a segment': (3, CAPSULE, sc.Sphere(0.2), (0, 0, 0.17), 0, -0.3),
    'a sphere on the end of a segment': (3, CAPSULE, sc.Sphere(0.2), (0, 0, 0.3), 0, -0.3),
    'a sphere on the corner of a box': (
        3, sc.Box((0.3, 0.2, 0.1)), sc.Sphere(0.1), (0.3, 0.2, 0.1), 0, -0.1),
    'a sphere on the edge of a box': (
        3, sc.Box((0.3, 0.2, 0.1)), sc.Sphere(0.1), (0.3, 0.2, 0.05), 0, -0.1),
    'a sphere in the middle of a cube': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Sphere(0.1), (0, 0, 0), 0, -0.4),
    'a sphere on the axis of a cylinder': (
        3, sc.Cylinder(0.2, 0.5), sc.Sphere(0.1), (0, 0, 0.1), 0, -0.3),
    'a sphere on the rim of a cylinder': (
        3, sc.Cylinder(0.3, 0.3), sc.Sphere(0.1), (0.3, 0, 0.3), 0, -0.1),
    'a sphere above a cylinder, on its axis': (
        3, sc.Cylinder(0.3, 0.3), sc.Sphere(0.1), (0, 0, 0.5), 0, 0.1),
    'a sphere on the vertex of a hull': (
        3, sc.ConvexHull(TETRAHEDRON), sc.Sphere(0.2), (0, 0, 0), 0, -0.2),
    'a sphere on the face of a hull': (
        3, sc.ConvexHull(TETRAHEDRON), sc.Sphere(0.2), (0.2, 0.2, 0), 0, -0.2),
    'capsules that cross': (3, CAPSULE, CAPSULE, (0, 0, 0.1), (0.8, 0, 0), -0.2),
    'capsules that nearly cross': (3, CAPSULE, CAPSULE, (1e-14, 0, 0.1), (0.8, 0, 0), -0.2),
    'capsules in line': (3, CAPSULE, CAPSULE, (0, 0, 0.7), 0, -0.1),
    'capsules in line, apart': (3, CAPSULE, CAPSULE, (0, 0, 1.0), 0, 0.2),
    'capsules in line, segments overlapping': (3, CAPSULE, CAPSULE, (0, 0, 0.17), 0, -0.2),
    'capsules in line, segments touching': (3, CAPSULE, CAPSULE, (0, 0, 0.6), 0, -0.2),
    'capsules in the same place': (3, CAPSULE, CAPSULE, (0, 0, 0), 0, -0.2),
    'capsules side by side': (3, CAPSULE, CAPSULE, (0.2, 0, 0.1), 0, 0.0),
    'boxes face to face': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.2, 0.2, 0.2)), (0.5, 0.1, 0.0), 0, 0.0),
    'boxes face to face, sideways': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.3, 0.3, 0.3)), (0.6, 0.4, 0.5), 0, 0.0),
    'boxes edge to edge': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.3, 0.3, 0.3)), (0.6, 0.6, 0.1), 0, 0.0),
    'boxes corner to corner': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.3, 0.3, 0.3)), (0.6, 0.6, 0.6), 0, 0.0),
    'boxes on each other, overlapping': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.2, 0.2, 0.2)), (0.1, 0.1, 0.45), 0, -0.05),
    'boxes corner to corner, overlapping': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.3, 0.3, 0.3)), (0.55, 0.55, 0.55), 0, -0.05),
    'boxes in the same place': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Box((0.3, 0.3, 0.3)), (0, 0, 0), 0, -0.6),
    'a small box in a large one': (
        3, sc.Box((0.9, 0.9, 0.9)), sc.Box((0.1, 0.1, 0.1)), (0.5, 0, 0), 0, -0.5),
    'cubes as hulls, face to face': (
        3, sc.ConvexHull(CUBE), sc.ConvexHull(CUBE), (0.6, 0.2, 0.1), 0, 0.0),
    'cubes as hulls, overlapping': (
        3, sc.ConvexHull(CUBE), sc.ConvexHull(CUBE), (0.1, 0.2, 0.5), 0, -0.1),
    'a cube and a hull in the same place': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.ConvexHull(CUBE), (0, 0, 0), 0, -0.6),
    'tetrahedra in the same place': (
        3, sc.ConvexHull(TETRAHEDRON), sc.ConvexHull(TETRAHEDRON), (0, 0, 0), 0, -(3**-0.5)),
    'a segment in the face of a box': (
        3, sc.Box((0.3, 0.3, 0.4)), CAPSULE, (0.3, 0, 0), 0, -0.1),
    'a segment in the edge of a box': (
        3, sc.Box((0.3, 0.3, 0.4)), CAPSULE, (0.3, 0.3, 0), 0, -0.1),
    'a segment end on the corner of a box': (
        3, sc.Box((0.3, 0.3, 0.3)), CAPSULE, (0.3, 0.3, 0.6), 0, -0.1),
    'a segment on the axis of a cylinder': (
        3, sc.Cylinder(0.2, 0.5), CAPSULE, (0, 0, 0.1), 0, -0.3),
    'a segment in the side of a cylinder': (
        3, sc.Cylinder(0.2, 0.5), CAPSULE, (0.2, 0, 0.0), 0, -0.1),
    'cylinders on each other': (
        3, sc.Cylinder(0.3, 0.2), sc.Cylinder(0.2, 0.2), (0.1, 0, 0.4), 0, 0.0),
    'cylinders side by side': (
        3, sc.Cylinder(0.3, 0.2), sc.Cylinder(0.2, 0.2), (0.5, 0, 0.1), 0, 0.0),
    'cylinders rim to rim': (
        3, sc.Cylinder(0.3, 0.3), sc.Cylinder(0.3, 0.3), (0.6, 0, 0.6), 0, 0.0),
    'cylinders that cross': (
        3, sc.Cylinder(0.3, 0.5), sc.Cylinder(0.2, 0.5), (0, 0, 0), (QUARTER, 0, 0), -0.5),
    'cylinders in the same place': (
        3, sc.Cylinder(0.3, 0.3), sc.Cylinder(0.3, 0.3), (0, 0, 0), 0, -0.6),
    'a cylinder in a cylinder': (
        3, sc.Cylinder(0.5, 0.9), sc.Cylinder(0.1, 0.1), (0, 0, 0), 0, -0.6),
    'a cylinder standing on a box': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Cylinder(0.2, 0.2), (0.1, 0.1, 0.5), 0, 0.0),
    'a cylinder lying on a box': (
        3, sc.Box((0.3, 0.3, 0.3)), sc.Cylinder(0.2, 0.2), (0, 0, 0.5), (QUARTER, 0, 0), 0.0),
}  # fmt: skip


@pytest.mark.parametrize('far', [1.0, 1e3], ids=['near', 'far'])
@pytest.mark.parametrize('name', MEETINGS)
def test_meeting(name, far):
    dimension, a, b, place, turn, expected = MEETINGS[name]
    case = arranged(a, b, dimension, place, turn, far=far)
    # Places of 1e3 m are known to 1e-13 m, which reaches distances as it is.
    check_far(case, expected, 1e-12 * far)


def check_far(case, expected, rounding):
    for asked, result in case.both_orders:
        allowed = case.tolerance + rounding
        assert_within(np.abs(result.distance - expected), allowed, asked, result)
        below = asked.separation(result.normal)
        assert_within(np.abs(below - result.distance), allowed, asked, result)
        gap = np.linalg.norm(result.point_b - result.point_a, axis=1)
        assert_within(np.abs(gap - np.abs(result.distance)), allowed, asked, result)
        for body, poses, point in (
            (asked.a, asked.poses_a, result.point_a),
            (asked.b, asked.poses_b, result.point_b),
        ):
            off = np.abs(body.outside(to_local(poses, point)))
            assert_within(off, allowed, asked, result)


@pytest.mark.parametrize('scale', [1e-3, 100.0], ids=['1 mm', '100 m'])
@pytest.mark.parametrize('pair', BOUNDED, ids=name_of)
def test_small_and_large_bodies_are_measured_as_well_as_others(pair, scale):
    for case in cases_of(pair, 2000)[:4]:
        a, b = (Body(scaled(body.shape, scale), pair[0]) for body in (case.a, case.b))
        poses = [sc.Pose(scale * p.position, p.quaternion) for p in (case.poses_a, case.poses_b)]
        result = ask(a, poses[0], b, poses[1])
        errors = np.abs(result.distance / scale - case.result.distance)
        # one of both stopped iterating at another place: each is allowed its tolerance
        assert_within(errors, 2.0 * case.tolerance, case, case.result)


def scaled(shape, factor):
    """The same shape, larger."""

    def times(value):
        if isinstance(value, tuple):
            return tuple(times(item) for item in value)
        return factor * value

    return type(shape)(*(times(getattr(shape, field.name)) for field in fields(shape)))


@pytest.mark.parametrize('pair', BOUNDED, ids=name_of)
def test_bodies_a_thousand_times_as_long_as_thin_prove_themselves(pair):
    rng = np.random.default_rng(7)
    for number in range(6):
        a = random_body(rng, pair[1], pair[0], thin=True)
        b = random_body(rng, pair[2], pair[0], thin=number % 2 == 0)
        case = random_case(rng, a, b, 200)
        for asked, result in case.both_orders:
            check_certificate(asked, result)
        deep = case.at(np.flatnonzero(case.result.distance < 0.0))
        if len(deep.band):
            found = best_found(deep, rng)
            better = found - deep.result.distance
            assert_within(better, deep.depth_tolerance, deep, deep.result)
        if pair[0] == 2:
            expected = best_of_angles(case)
            if not ELLIPTIC & {*pair}:
                expected = planar_distance(a, case.poses_a, b, case.poses_b)
            errors = np.abs(case.result.distance - expected)
            assert_within(errors, case.tolerance, case, case.result)


@pytest.mark.parametrize(
    'kind', ['box', 'convex_hull', 'cylinder', 'capsule', 'sphere', 'ellipsoid']
)
def test_a_hull_may_be_far_from_its_origin(kind):
    rng = np.random.default_rng(8)
    near = random_body(rng, 'convex_hull', 3)
    far = np.array([300.0, -400.0, 100.0])
    away = Body(sc.ConvexHull(near.vertices + far), 3)
    other = random_body(rng, kind, 3)
    case = random_case(rng, near, other, 200)
    turned = Rotation.from_quat(case.poses_a.quaternion)
    poses = shifted(case.poses_a, -turned.apply(far))
    result = ask(away, poses, other, case.poses_b)
    # vertices and places of 500 m are known to 1e-13 m
    allowed = 2.0 * case.tolerance + 1e-11
    assert_within(np.abs(result.distance - case.result.distance), allowed, case, result)


@pytest.mark.parametrize('count', [3, 4, 7, 40])
def test_a_polygon_in_the_same_place_as_itself_parts_across_its_width(count):
    angles = 2.0 * np.pi * np.arange(count) / count
    polygon = sc.Polygon(0.5 * np.c_[np.cos(angles), np.sin(angles)])
    case = arranged(polygon, polygon, 2, (0, 0))
    check(case, planar_distance(case.a, case.poses_a, case.b, case.poses_b))


@pytest.mark.parametrize('count', [4, 20, 60])
def test_a_hull_in_the_same_place_as_itself_parts_across_its_width(count):
    points = np.random.default_rng(count).normal(size=(count, 3))
    hull = sc.ConvexHull(points / np.linalg.norm(points, axis=1)[:, None])
    case = arranged(hull, hull, 3, (0, 0, 0), count=5)
    check(case, all_axes_distance(case))


@pytest.mark.parametrize(
    'vertices',
    [
        [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)],
        [(0, 0), (1, 0), (1, 0), (1, 1), (0, 1)],
        [(0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0, 1)],
        [(0, 1), (1, 1), (1, 0), (0, 0)],
    ],
    ids=['closed', 'twice the same vertex', 'vertices on straight sides', 'clockwise'],
)
def test_a_square_may_be_told_in_several_ways(vertices):
    for place in ((-1.0, -1.0), (2.0, -1.0), (2.0, 2.0), (-1.0, 2.0)):
        case = arranged(sc.Polygon(vertices), sc.Circle(0.1), 2, place)
        check(case, np.sqrt(2.0) - 0.1)
    case = arranged(sc.Polygon(vertices), sc.Rectangle((0.5, 0.5)), 2, (1.4, 1.3))
    check(case, -0.1)


@pytest.mark.parametrize('kind', ['box', 'convex_hull', 'capsule', 'cylinder'])
def test_points_within_a_hull_change_nothing(kind):
    rng = np.random.default_rng(9)
    hull = random_body(rng, 'convex_hull', 3)
    inside = hull.centre + 0.5 * (hull.vertices - hull.centre)
    more = Body(sc.ConvexHull(np.r_[inside, hull.vertices, hull.vertices[:2]]), 3)
    case = random_case(rng, hull, random_body(rng, kind, 3), 200)
    result = ask(more, case.poses_a, case.b, case.poses_b)
    assert_within(np.abs(result.distance - case.result.distance), case.tolerance, case, result)


# What cannot be asked.


@pytest.mark.parametrize(
    ('make', 'message'),
    [
        (lambda: sc.Circle(-1.0), 'radius must be > 0, got -1'),
        (lambda: sc.Sphere(0.0), 'radius must be > 0, got 0'),
        (lambda: sc.Sphere(float('nan')), 'radius must be > 0, got nan'),
        (lambda: sc.Sphere(float('inf')), 'radius must be > 0, got inf'),
        (lambda: sc.Rectangle((1.0, 0.0)), 'half_extents must be > 0, got 0'),
        (lambda: sc.Box((1.0, -2.0, 1.0)), 'half_extents must be > 0, got -2'),
        (lambda: sc.Capsule(0.1, 0.0), 'half_length must be > 0, got 0'),
        (lambda: sc.Cylinder(0.1, -1.0), 'half_length must be > 0, got -1'),
        (lambda: sc.Polygon([]), 'a polygon has 3 vertices or more, got 0'),
        (lambda: sc.Polygon([(0, 0), (1, 1), (2, 2)]), 'the vertices lie on one line'),
        (lambda: sc.Polygon([(0, 0), (4, 0), (1, 1), (0, 4)]), 'not convex at vertex 2'),
        (lambda: sc.ConvexHull([]), 'a hull in space needs 4 points or more, got 0'),
        (lambda: sc.ConvexHull(TETRAHEDRON[:3]), 'needs 4 points or more, got 3'),
        (
            lambda: sc.ConvexHull([(x, y, 0) for x in (0, 1) for y in (0, 1)]),
            'the points lie in one plane',
        ),
        (lambda: sc.ConvexHull([*TETRAHEDRON[:3], (0, 0, np.nan)]), 'vertices must be finite'),
        (lambda: sc.HalfSpace((0.0, 0.0, 0.0)), 'normal must have a length'),
        (lambda: sc.HalfSpace((0.0, 1.0, 0.0), np.inf), 'offset must be finite'),
    ],
)
def test_what_is_no_shape_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    'make',
    [
        lambda: sc.HalfSpace((0.0, 1.0)),
        lambda: sc.Rectangle((1.0,)),
        lambda: sc.Box((1.0, 2.0)),
        lambda: sc.Circle((1.0, 2.0)),
        lambda: sc.Polygon([(0, 0, 0), (1, 0, 0), (1, 1, 0)]),
        lambda: sc.ConvexHull([(0, 0), (1, 0), (1, 1), (0, 1), (2, 2), (3, 0)]),
    ],
    ids=['half-space', 'rectangle', 'box', 'circle', 'polygon', 'hull'],
)
def test_too_few_or_too_many_numbers_make_no_shape(make):
    with pytest.raises(ValueError, match=r'number|vert|needs'):
        make()


HERE = pose()
BALL, DISC = sc.Sphere(0.2), sc.Circle(0.2)
PLANE = sc.HalfSpace((0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ('ask_for', 'message'),
    [
        (lambda: sc.proximity(PLANE, HERE, PLANE, HERE), 'half_space and half_space'),
        (lambda: sc.proximity(DISC, HERE, BALL, HERE), 'circle and sphere'),
        (lambda: sc.proximity(DISC, HERE, CAPSULE, HERE, dimension=3), 'circle and capsule'),
        (lambda: sc.proximity(CAPSULE, HERE, CAPSULE, HERE, dimension=4), 'dimension 4'),
        (lambda: sc.proximity(DISC, HERE, DISC, HERE, detector='tas'), "got 'tas'"),
        (lambda: sc.proximity(sc.Circle('r'), HERE, DISC, HERE), r'shape A \(circle\)'),
        (lambda: sc.proximity(DISC, HERE, sc.Rectangle((1, 'w')), HERE), r'shape B \(rectangle\)'),
        (lambda: sc.proximity(BALL, pose((np.nan, 0)), BALL, HERE), r'A \(sphere\).*finite'),
        (lambda: sc.proximity(BALL, HERE, BALL, pose((0, np.inf))), r'B \(sphere\).*finite'),
        (lambda: at(HERE.position, [0, 0, 0, 2.0]), r'B \(sphere\).*length 1, got 2'),
        (lambda: at(HERE.position, [0, 0, 0, 0.0]), r'B \(sphere\).*length 1, got 0'),
        (lambda: at(HERE.position, [0, 0, 0, np.nan]), r'B \(sphere\).*finite'),
        (lambda: at(HERE.position, [0, 0, 1.0]), r'B \(sphere\).*needs 4 numbers'),
        (lambda: at([0.0, 0.0], [0, 0, 0, 1.0]), r'B \(sphere\).*needs 3 numbers'),
        (lambda: at(np.zeros((2, 3)), [[0, 0, 0, 1.0]] * 3), r'B \(sphere\)'),
        (lambda: sc.proximity(DISC, pose((0, 0), (0.3, 0, 0)), DISC, HERE), r'A \(circle\).*z'),
        (lambda: sc.proximity(DISC, HERE, sc.HalfSpace((0, 0, 1)), HERE), r'B \(half_space\)'),
        (lambda: sc.proximity(DISC, HERE, sc.HalfSpace((0, 1, 1)), HERE), r'B \(half_space\)'),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(ask_for, message):
    with pytest.raises(sc.OptionError, match=message):
        ask_for()


def at(position, quaternion):
    there = sc.Pose(np.array(position), np.array(quaternion))
    return sc.proximities(BALL, HERE, BALL, there)


def test_as_many_poses_are_needed_of_both_or_one():
    many = [sc.Pose(np.zeros((n, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (n, 1))) for n in (2, 3)]
    with pytest.raises(sc.OptionError, match='2 poses of A and 3 of B'):
        sc.proximities(BALL, many[0], BALL, many[1])
    assert len(sc.proximities(BALL, many[0], BALL, HERE)) == 2
    assert len(sc.proximities(BALL, HERE, BALL, many[1])) == 3


@pytest.mark.parametrize('pair', PAIRS, ids=name_of)
def test_bodies_a_million_kilometres_away_are_that_far(pair):
    dimension, kind_a, kind_b = pair
    rng = np.random.default_rng(10)
    a, b = random_body(rng, kind_a, dimension), random_body(rng, kind_b, dimension)
    away = 1e9 * np.array([0.6, -0.8, 0.0])
    if kind_b == 'half_space':
        away = 1e9 * np.array(b.shape.normal)
        found = sc.proximity(a.shape, pose(away), b.shape, HERE, dimension=dimension)
    else:
        found = sc.proximity(a.shape, HERE, b.shape, pose(away), dimension=dimension)
    # sizes and offsets of a few metres, of 1e9
    assert found.distance == pytest.approx(1e9, abs=10.0)
    assert np.linalg.norm(found.normal) == pytest.approx(1.0, rel=1e-12)
