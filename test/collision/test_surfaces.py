"""Distances and contact points on height fields and triangle meshes."""

from helpers.surfaces import as_mesh, HERE, rough, table
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.shapes.triangle_mesh import neighbours_of

CUBE = [(x, y, z) for x in (-0.1, 0.1) for y in (-0.12, 0.12) for z in (-0.1, 0.1)]
SHAPES = {
    'sphere': sc.Sphere(0.15),
    'capsule': sc.Capsule(0.08, 0.15),
    'box': sc.Box((0.15, 0.12, 0.1)),
    'cylinder': sc.Cylinder(0.12, 0.1),
    'ellipsoid': sc.Ellipsoid((0.15, 0.1, 0.12)),
    'convex_hull': sc.ConvexHull(CUBE),
}
EVERY = pytest.mark.parametrize('kind', SHAPES)
FLAT = sc.HeightField(np.zeros((11, 11)), (0.1, 0.1))


def poses(count, low, high, seed=3, width=0.3):
    rng = np.random.default_rng(seed)
    places = rng.uniform((-width, -width, low), (width, width, high), (count, 3))
    return sc.Pose(places, Rotation.random(count, random_state=seed).as_quat())


@EVERY
@pytest.mark.parametrize('surface', [FLAT, as_mesh(FLAT)], ids=['height_field', 'mesh'])
def test_flat_triangles_are_a_half_space_but_for_rounding(kind, surface):
    at = poses(12, 0.05, 0.3)
    if surface.kind == 'mesh':  # no deeper than the shape is thick: a mesh has no inside
        depth = sc.proximities(SHAPES[kind], at, sc.HalfSpace(), HERE).distance
        keep = depth > -0.05
        at = sc.Pose(at.position[keep], at.quaternion[keep])
    found = sc.proximities(SHAPES[kind], at, surface, HERE)
    plane = sc.proximities(SHAPES[kind], at, sc.HalfSpace(), HERE)
    assert np.abs(found.distance - plane.distance).max() < 1e-9
    assert np.abs(found.normal - plane.normal).max() < 1e-8
    for one, other in zip(found, plane, strict=True):
        assert len(one.manifold) == len(other.manifold)
        order = [np.lexsort(np.round(m.points, 9).T) for m in (one.manifold, other.manifold)]
        for name in ('points', 'depths', 'shares'):
            a, b = (getattr(p.manifold, name) for p in (one, other))
            assert np.allclose(a[order[0]], b[order[1]], atol=1e-12)


def closest(field, points):
    """Distance of points from the nearest of all triangles, by projection and clamping."""
    corners = field.triangle_corners()
    best = np.full(len(points), np.inf)
    for a, b, c in corners:
        n = np.cross(b - a, c - a)
        n /= np.linalg.norm(n)
        inside = np.ones(len(points), bool)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= (points - p) @ np.cross(n, q - p) >= 0.0
            t = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
            best = np.minimum(best, np.linalg.norm(points - p - t[:, None] * (q - p), axis=1))
        best = np.where(inside, np.minimum(best, np.abs((points - a) @ n)), best)
    return best


def test_the_distance_of_a_ball_is_that_to_the_nearest_of_all_triangles():
    field = rough()
    at = poses(300, 0.02, 0.5, width=0.6)
    centre = np.array([field_height(field, p) for p in at.position])
    keep = at.position[:, 2] > centre + 0.01  # its centre is above the ground
    at = sc.Pose(at.position[keep], at.quaternion[keep])
    exact = closest(field, at.position) - 0.15
    assert (exact < -0.01).sum() > 30 and (exact > 0.01).sum() > 30
    for surface in (field, as_mesh(field)):
        found = sc.proximities(sc.Sphere(0.15), at, surface, HERE)
        assert np.abs(found.distance - exact).max() < 1e-9


def field_height(field, point):
    """Height of the ground below a point, by the plane of its triangle."""
    for a, b, c in field.triangle_corners():
        m = np.array([[1, 1, 1], [a[0], b[0], c[0]], [a[1], b[1], c[1]]])
        w = np.linalg.solve(m, [1.0, point[0], point[1]])
        if (w >= -1e-12).all():
            return float(w @ [a[2], b[2], c[2]])
    raise AssertionError('beside the field')


@EVERY
def test_distances_are_those_of_coal_and_overlaps_have_contact_points(kind):
    coal = pytest.importorskip('coal')
    theirs = {
        'sphere': lambda: coal.Sphere(0.15),
        'capsule': lambda: coal.Capsule(0.08, 0.3),
        'box': lambda: coal.Box(0.3, 0.24, 0.2),
        'cylinder': lambda: coal.Cylinder(0.12, 0.2),
        'ellipsoid': lambda: coal.Ellipsoid(0.15, 0.1, 0.12),
        'convex_hull': lambda: coal.Box(0.2, 0.24, 0.2),
    }[kind]()
    field = rough()
    corners = field.triangle_corners()
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(corners), 3 * len(corners))
    for triangle in corners:
        model.addTriangle(*triangle)
    model.endModel()
    at = poses(250, 0.0, 0.5, width=0.5)
    found = sc.proximities(SHAPES[kind], at, field, HERE)
    exact = []
    for place, quaternion in zip(at.position, at.quaternion, strict=True):
        frame = coal.Transform3s(Rotation.from_quat(quaternion).as_matrix(), place)
        result = coal.DistanceResult()
        request = coal.DistanceRequest()
        exact.append(coal.distance(theirs, frame, model, coal.Transform3s(), request, result))
    exact = np.array(exact)
    apart, inside = exact > 1e-6, exact < -1e-6
    assert apart.sum() > 60 and inside.sum() > 60
    assert np.abs(found.distance[apart] - exact[apart]).max() < 1e-5  # coal stops at 1e-6
    # Of deep overlaps with rough ground a few have no point of the shape below it.
    missed = inside & (found.distance >= 0.0)
    assert missed.sum() <= 0.02 * inside.sum()


def test_a_ball_in_a_valley_touches_both_sides_and_on_a_ridge_the_edge_alone():
    slope = np.tan(np.radians(30.0))
    x = np.linspace(-1.0, 1.0, 21)
    valley = sc.HeightField(np.tile(slope * np.abs(x), (5, 1)), (0.1, 0.1))
    ridge = sc.HeightField(np.tile(-slope * np.abs(x), (5, 1)), (0.1, 0.1))
    radius, depth = 0.25, 0.001
    height = (radius - depth) / np.cos(np.radians(30.0))
    near = sc.proximity(
        sc.Sphere(radius), sc.Pose(np.array([0.0, 0.01, height]), HERE.quaternion), valley, HERE
    )
    assert len(near.manifold) == 2
    assert np.allclose(near.manifold.depths, depth, atol=1e-12)
    assert np.allclose(near.manifold.shares, 1.0)  # as two half-spaces would have
    assert np.allclose(np.sort(near.manifold.normals[:, 0]), [-0.5, 0.5])
    top = sc.Pose(np.array([0.0, 0.01, radius - depth]), HERE.quaternion)
    near = sc.proximity(sc.Sphere(radius), top, ridge, HERE)
    assert len(near.manifold) == 1
    assert np.allclose(near.manifold.depths, depth, atol=1e-12)
    assert np.allclose(near.normal, (0.0, 0.0, -1.0), atol=1e-12)


def test_a_box_over_the_rim_of_a_table_lies_on_two_corners_and_the_rim():
    vertices, triangles = table()
    assert (neighbours_of(triangles) >= 0).all()  # it is closed
    mesh = sc.TriangleMesh(vertices, triangles)
    place = sc.Pose(np.array([0.95, 0.1, 0.099]), HERE.quaternion)
    near = sc.proximity(sc.Box((0.2, 0.15, 0.1)), place, mesh, HERE)
    assert len(near.manifold) == 4
    assert np.allclose(near.manifold.depths, 0.001, atol=1e-9)
    assert sorted(np.round(near.manifold.points[:, 0], 6)) == [0.75, 0.75, 1.0, 1.0]


def test_nothing_touches_in_the_hole_of_a_table_and_the_rim_pushes_away_from_it():
    mesh = sc.TriangleMesh(*table())
    inside = sc.Pose(np.array([0.02, -0.03, -0.02]), HERE.quaternion)
    near = sc.proximity(sc.Sphere(0.2), inside, mesh, HERE)
    assert near.distance == pytest.approx(0.3 - 0.03 - 0.2, abs=1e-9)
    above = sc.Pose(np.array([0.2, 0.0, 0.15]), HERE.quaternion)
    near = sc.proximity(sc.Sphere(0.2), above, mesh, HERE)
    away = np.array([0.1, 0.0, -0.15])  # to the rim
    assert near.distance == pytest.approx(np.linalg.norm(away) - 0.2, abs=1e-9)
    assert np.allclose(near.normal, away / np.linalg.norm(away), atol=1e-9)


def test_convex_programs_leave_surfaces_to_the_exact_method_and_say_so():
    place = sc.Pose(np.array([0.0, 0.0, 0.149]), HERE.quaternion)
    near = sc.proximity(sc.Sphere(0.15), place, FLAT, HERE, detector='co')
    assert near.fallback == 'not_convex'
    assert near.distance == pytest.approx(-0.001, abs=1e-12)


@pytest.mark.parametrize(
    ('make', 'reason'),
    [
        (lambda: sc.HeightField([[0.0, 1.0]]), 'two rows'),
        (lambda: sc.HeightField([[0.0, np.nan], [0.0, 0.0]]), r'heights\[0\]\[1\] must be finite'),
        (lambda: sc.HeightField([[0.0, 1.0], [0.0]]), 'rows of numbers of equal length'),
        (lambda: sc.HeightField(np.zeros((2, 2)), (0.0, 1.0)), 'spacing'),
        (lambda: sc.TriangleMesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(0, 1, 2)]), 'no area'),
        (lambda: sc.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 3)]), 'not there'),
        (lambda: sc.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, np.inf)], [(0, 1, 2)]), 'finite'),
    ],
)
def test_numbers_that_make_no_surface_are_refused(make, reason):
    with pytest.raises(ValueError, match=reason):
        make()
