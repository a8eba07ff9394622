"""Mass, centre and inertia of shapes of uniform density, against independent ways to them."""

from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
from scipy.spatial import ConvexHull as Hull
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.expressions import evaluate_all

# Gauss-Legendre with this many points integrates polynomials up to degree 47 exactly, and
# the round ends of capsules, in the angle, to rounding.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
ROUNDING = 1e-12  # relative; sums of a few hundred terms


def gauss(low, high):
    """Return points and weights on an interval."""
    return low + (high - low) * (NODES + 1) / 2, WEIGHTS * (high - low) / 2


def means(points, weights):
    """Return measure, centroid and spread of weighted points."""
    measure = weights.sum()
    centre = weights @ points / measure
    offset = points - centre
    return measure, centre, (weights[:, None] * offset).T @ offset / measure


def planar_strip(half_height, x):
    """Integrate over a region that is symmetric about the x axis; x is (points, weights)."""
    points, weights = [], []
    for at, weight in zip(*x, strict=True):
        y, wy = gauss(-half_height(at), half_height(at))
        points += [(at, yi, 0.0) for yi in y]
        weights += list(weight * wy)
    return np.array(points), np.array(weights)


def spatial_disc_stack(radius, z):
    """Integrate over a body of revolution about z: rings of discs, exactly."""
    points, weights = [], []
    angles = np.arange(8) * np.pi / 4  # means of squares over a circle are exact from 3 on
    for at, weight in zip(*z, strict=True):
        rho, w = gauss(0.0, radius(at))
        for r, wr in zip(rho, w, strict=True):
            points += [(r * np.cos(a), r * np.sin(a), at) for a in angles]
            weights += [weight * wr * r * np.pi / 4] * 8
    return np.array(points), np.array(weights)


def rounded(half_length, radius):
    """Return points and weights along a capsule: substituted by the angle in its ends."""
    angle, weight = gauss(0.0, np.pi / 2)
    ends = half_length + radius * np.sin(angle), weight * radius * np.cos(angle)
    middle = gauss(-half_length, half_length)
    at = np.concatenate([-ends[0], middle[0], ends[0]])
    return at, np.concatenate([ends[1], middle[1], ends[1]])


def capsule_profile(half_length, radius):
    return lambda x: np.sqrt(max(radius**2 - max(abs(x) - half_length, 0.0) ** 2, 0.0))


def tetrahedra(vertices):
    """Integrate over a hull: tetrahedra from its middle, four points each, exact for squares."""
    vertices = np.asarray(vertices, float)
    middle = vertices.mean(axis=0)
    near, far = (5 + 3 * 5**0.5) / 20, (5 - 5**0.5) / 20
    points, weights = [], []
    for simplex in Hull(vertices).simplices:
        corners = np.vstack([middle, vertices[simplex]])
        volume = abs(np.linalg.det(corners[1:] - middle)) / 6
        for k in range(4):
            mix = np.full(4, far)
            mix[k] = near
            points.append(mix @ corners)
            weights.append(volume / 4)
    return np.array(points), np.array(weights)


def triangles(vertices):
    """Integrate over a convex polygon: triangles from its middle, by the edge midpoints."""
    vertices = np.asarray(vertices, float)
    middle = vertices.mean(axis=0)
    points, weights = [], []
    for a, b in zip(vertices, np.roll(vertices, -1, axis=0), strict=True):
        area = abs((a - middle)[0] * (b - middle)[1] - (a - middle)[1] * (b - middle)[0]) / 2
        points += [(a + b) / 2, (a + middle) / 2, (b + middle) / 2]
        weights += [area / 3] * 3
    return np.column_stack([points, np.zeros(len(points))]), np.array(weights)


def stretched(region, factors):
    """Stretch a region along the axes."""
    points, weights = region
    return points * factors, weights * np.prod(factors)


PENTAGON = [(0.3, -0.1), (1.0, 0.2), (0.9, 1.1), (0.2, 1.3), (-0.2, 0.4)]
WEDGE = [(0, 0, 0), (2, 0, 0.1), (0, 1, 0), (0.1, 0, 1), (1, 1, 1), (0.4, 0.4, 0.4)]

ORACLES = {
    'circle': (sc.Circle(0.3), 2, planar_strip(capsule_profile(0.0, 0.3), rounded(0.0, 0.3))),
    'rectangle': (
        sc.Rectangle((0.3, 0.7)), 2, planar_strip(lambda x: 0.7, gauss(-0.3, 0.3)),
    ),
    'polygon': (sc.Polygon(PENTAGON), 2, triangles(PENTAGON)),
    'planar capsule': (
        sc.Capsule(0.2, 0.5), 2, planar_strip(capsule_profile(0.5, 0.2), rounded(0.5, 0.2)),
    ),
    'sphere': (
        sc.Sphere(0.3), 3, spatial_disc_stack(capsule_profile(0.0, 0.3), rounded(0.0, 0.3)),
    ),
    'box': (
        sc.Box((0.1, 0.2, 0.3)),
        3,
        tetrahedra([(x, y, z) for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)]),
    ),
    'cylinder': (sc.Cylinder(0.2, 0.5), 3, spatial_disc_stack(lambda z: 0.2, gauss(-0.5, 0.5))),
    'spatial capsule': (
        sc.Capsule(0.2, 0.5), 3, spatial_disc_stack(capsule_profile(0.5, 0.2), rounded(0.5, 0.2)),
    ),
    'convex hull': (sc.ConvexHull(WEDGE), 3, tetrahedra(WEDGE)),
    'ellipse': (
        sc.Ellipse((0.3, 0.7)),
        2,
        stretched(planar_strip(capsule_profile(0.0, 1.0), rounded(0.0, 1.0)), (0.3, 0.7, 1.0)),
    ),
    'ellipsoid': (
        sc.Ellipsoid((0.3, 0.7, 0.5)),
        3,
        stretched(
            spatial_disc_stack(capsule_profile(0.0, 1.0), rounded(0.0, 1.0)), (0.3, 0.7, 0.5)
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize('kind', ORACLES)
def test_measure_centroid_and_spread_are_those_of_an_integral(kind):
    shape, dimension, (points, weights) = ORACLES[kind]
    found = shape.moments(dimension, {})
    measure, centre, spread = means(points, weights)
    assert found.measure == pytest.approx(measure, rel=ROUNDING)
    np.testing.assert_allclose(found.centroid, centre, atol=ROUNDING)
    np.testing.assert_allclose(found.spread, spread, atol=ROUNDING)


def inertia(shapes, dimension=3, mass=1.0, parameters=(), **keys):
    """Return com and inertia matrix that a model file gives a body of some shapes."""
    model = sc.Model(dimension=dimension)
    for name, value in dict(parameters).items():
        model.add_parameter(name, value)
    model.add_body('a', mass=mass, inertia='auto', shapes=shapes, **keys)
    body = model.body('a')
    xx, yy, zz, xy, xz, yz = map(model.number, body.inertia)
    com = np.array([model.number(c) for c in body.com])
    return com, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize(
    ('shape', 'expected'),
    [
        (sc.Sphere(0.5), [2 / 5 * 0.25] * 3),
        (sc.Box((0.5, 1.0, 1.5)), [13 / 12, 10 / 12, 5 / 12]),
        (sc.Cylinder(0.5, 1.0), [0.25 / 4 + 4 / 12] * 2 + [0.25 / 2]),
        (sc.Ellipsoid((0.5, 1.0, 2.0)), [5.0 / 5, 4.25 / 5, 1.25 / 5]),
    ],
)
def test_textbook_inertias_are_met(shape, expected):
    com, matrix = inertia([shape], mass=2.0)
    np.testing.assert_allclose(com, 0.0, atol=ROUNDING)
    np.testing.assert_allclose(matrix, 2.0 * np.diag(expected), atol=ROUNDING)


@pytest.mark.parametrize(('shape', 'izz'), [(sc.Circle(0.2), 0.02), (sc.Rectangle((1, 2)), 5 / 3)])
def test_planar_bodies_have_izz_alone(shape, izz):
    _, matrix = inertia([shape], dimension=2)
    np.testing.assert_allclose(matrix, np.diag([0, 0, izz]), atol=ROUNDING)


def test_hulls_agree_with_trimesh():
    trimesh = pytest.importorskip('trimesh')
    vertices = np.random.default_rng(3).normal([3.0, -2.0, 1.0], 1.0, size=(60, 3))
    mesh = trimesh.convex.convex_hull(vertices)
    com, matrix = inertia([sc.ConvexHull(vertices)], mass=float(mesh.volume))
    np.testing.assert_allclose(com, mesh.center_mass, rtol=1e-10)
    np.testing.assert_allclose(matrix, mesh.moment_inertia, rtol=1e-8)  # trimesh sums about 0


@pytest.mark.parametrize('scale', [1e-6, 1e6])
def test_a_small_shape_far_away_keeps_its_inertia(scale):
    near = sc.Polygon([(scale * x, scale * y) for x, y in PENTAGON]).moments(2, {})
    moved = [(scale * (x + 1e4), scale * (y - 1e4)) for x, y in PENTAGON]
    far = sc.Polygon(moved).moments(2, {})
    # Corners at 1e4 of the size have lost four digits.
    np.testing.assert_allclose(far.spread, near.spread, rtol=1e-10)


def test_a_polygon_of_many_corners_is_a_disc():
    angles = np.linspace(0.0, 2.0 * np.pi, 2000, endpoint=False)
    _, matrix = inertia([sc.Polygon(np.column_stack([np.cos(angles), np.sin(angles)]))], 2)
    assert matrix[2, 2] == pytest.approx(0.5, rel=1e-5)  # chords: 1 - (2 pi / 2000)^2 / 6


def test_a_compound_obeys_the_parallel_axis_theorem():
    turn = Rotation.from_euler('xyz', [0.3, -0.8, 1.2])
    at = np.array([0.4, -0.2, 0.9])
    pose = {'position': at, 'rpy': [0.3, -0.8, 1.2]}
    box = {'type': 'box', 'half_extents': [0.1, 0.2, 0.3], 'pose': pose}
    com, matrix = inertia([sc.Sphere(0.5), box], mass=3.0)
    volumes = np.array([4 / 3 * np.pi * 0.125, 8 * 0.006])
    masses = 3.0 * volumes / volumes.sum()
    centre = masses[1] * at / 3.0
    expected = masses[0] * (
        0.1 * np.eye(3) + centre @ centre * np.eye(3) - np.outer(centre, centre)
    )
    d = at - centre
    own = turn.as_matrix() @ np.diag([0.13, 0.10, 0.05]) @ turn.as_matrix().T / 3
    expected += masses[1] * (own + d @ d * np.eye(3) - np.outer(d, d))
    np.testing.assert_allclose(com, centre, rtol=ROUNDING)
    np.testing.assert_allclose(matrix, expected, atol=ROUNDING)


def test_a_com_that_is_given_is_kept_and_one_that_is_not_is_the_centroid():
    shape = {'type': 'circle', 'radius': 0.2, 'pose': {'position': [0.5, 0, 0]}}
    com, matrix = inertia([shape], dimension=2)
    np.testing.assert_allclose(com, [0.5, 0, 0])
    assert matrix[2, 2] == pytest.approx(0.02)
    com, matrix = inertia([shape], dimension=2, com=[0, 0, 0])
    np.testing.assert_allclose(com, 0.0)
    assert matrix[2, 2] == pytest.approx(0.02 + 0.25)


FORMULAS = {'a': 0.3, 'b': 0.7, 'w': 0.4}
SPATIAL = [
    {'type': 'capsule', 'radius': '{a}', 'half_length': '{b}'},
    {'type': 'cylinder', 'radius': '{a}**2', 'half_length': '{b}', 'pose': {'rpy': ['{w}', 1, 2]}},
    {
        'type': 'convex_hull',
        'vertices': [[0, 0, 0], ['{a}', 0, 0], [0, '{b}', 0], [0, 0, 1], ['{a}', '{b}', 1]],
        'pose': {'position': ['{a}', '-{b}', 0.1], 'rpy': [0.1, '{w}', '{w} ** 2']},
    },
    {'type': 'box', 'size': ['{a}', '{b}', 1], 'pose': {'quaternion': [0, 0, 1, 1]}},
    {'type': 'ellipsoid', 'radii': ['{a}', 0.2, '{b}'], 'pose': {'rpy': [1, '{w}', 0]}},
]  # fmt: skip
PLANAR = [
    {'type': 'polygon', 'vertices': [[0, 0], ['{a}', 0], [0, '{b}']], 'pose': {'angle': '{w}'}},
    {'type': 'rectangle', 'half_extents': ['{a}', 1], 'pose': {'position': ['{b}', 1, 0]}},
    {'type': 'capsule', 'radius': '{a}', 'half_length': '{b}', 'pose': {'angle': '2 * {w}'}},
    {'type': 'ellipse', 'radii': ['{a}', '{b}'], 'pose': {'angle': '{w}'}},
]


def filled(value, **words):
    """Return nested data with the places of words filled."""
    if isinstance(value, dict):
        return {key: filled(item, **words) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, **words) for item in value]
    return value.format(**words) if isinstance(value, str) else value


@pytest.mark.parametrize(('shapes', 'dimension'), [(SPATIAL, 3), (PLANAR, 2)])
def test_formulas_give_what_numbers_give_also_after_a_change(shapes, dimension):
    model = sc.Model(dimension=dimension)
    for name, value in FORMULAS.items():
        model.add_parameter(name, value)
    model.add_body('a', mass=2, shapes=filled(shapes, **{n: f'({n})' for n in FORMULAS}))
    scalars = (*model.body('a').com, *model.body('a').inertia)
    for change in ({}, {'a': 0.35, 'w': -0.2}, {'b': 0.9}):
        values = {**FORMULAS, **change}
        com, matrix = inertia(
            filled(shapes, **{n: f'({v})' for n, v in values.items()}), dimension, mass=2.0
        )
        found = evaluate_all(scalars, {**model.parameters, **values})
        np.testing.assert_allclose(found[:3], com, atol=ROUNDING)
        np.testing.assert_allclose(found[3:6], np.diag(matrix), atol=ROUNDING)
        off_diagonal = [matrix[0, 1], matrix[0, 2], matrix[1, 2]]
        np.testing.assert_allclose(found[6:], off_diagonal, atol=ROUNDING)


SIZE = st.floats(0.05, 2.0)
PLACE = st.lists(st.floats(-2.0, 2.0), min_size=3, max_size=3)
SHAPE = st.one_of(
    st.builds(lambda r: {'type': 'sphere', 'radius': r}, SIZE),
    st.builds(lambda r, h: {'type': 'capsule', 'radius': r, 'half_length': h}, SIZE, SIZE),
    st.builds(lambda r, h: {'type': 'cylinder', 'radius': r, 'half_length': h}, SIZE, SIZE),
    st.builds(lambda a, b, c: {'type': 'box', 'half_extents': [a, b, c]}, SIZE, SIZE, SIZE),
)
PLACED = st.builds(
    lambda shape, at, rpy: {**shape, 'pose': {'position': at, 'rpy': rpy}}, SHAPE, PLACE, PLACE
)


@settings(max_examples=60, deadline=None)
@given(shapes=st.lists(PLACED, min_size=1, max_size=4), rpy=PLACE, shift=PLACE)
def test_a_body_keeps_its_principal_moments_however_it_is_placed(shapes, rpy, shift):
    com, matrix = inertia(shapes)
    turn = Rotation.from_euler('xyz', rpy)
    moved = []
    for shape in shapes:
        at, attitude = shape['pose']['position'], Rotation.from_euler('xyz', shape['pose']['rpy'])
        pose = {'position': turn.apply(at) + shift, 'quaternion': (turn * attitude).as_quat()}
        moved.append({**shape, 'pose': pose})
    there, turned = inertia(moved)
    np.testing.assert_allclose(there, turn.apply(com) + shift, atol=1e-11)
    np.testing.assert_allclose(turned, turn.as_matrix() @ matrix @ turn.as_matrix().T, atol=1e-10)
    low, middle, high = np.linalg.eigvalsh(turned)
    assert low > 0.0 and high <= (low + middle) * (1 + 1e-9)
