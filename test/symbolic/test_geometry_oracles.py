"""Distances, normals and Jacobians in symbols against the exact detector and its differences."""

import itertools

from helpers.feature_pairs import Pair, ROUNDING, SLOPE, STEP
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

import symcontact_ros as sc

HULL = [[0.3, 0, 0], [-0.2, 0.3, 0], [-0.2, -0.25, 0.05], [0, 0.1, 0.4], [0.05, 0, -0.3]]
PLANE = {
    'circle': {'type': 'circle', 'radius': 'R'},
    'capsule': {'type': 'capsule', 'radius': 0.1, 'half_length': 0.3},
    'rectangle': {'type': 'rectangle', 'half_extents': ['R', 0.2]},
    'polygon': {'type': 'polygon', 'vertices': [[0.3, 0], ['R', 0.3], [-0.3, 0.1], [-0.1, -0.3]]},
    'half_space': {'type': 'half_space', 'normal': [0.6, 0.8, 0], 'offset': 0.1},
}
SPACE = {
    'sphere': {'type': 'sphere', 'radius': 'R'},
    'capsule': {'type': 'capsule', 'radius': 0.1, 'half_length': 'R'},
    'box': {'type': 'box', 'half_extents': [0.2, 'R', 0.4]},
    'cylinder': {'type': 'cylinder', 'radius': 'R', 'half_length': 0.3},
    'convex_hull': {'type': 'convex_hull', 'vertices': HULL},
    'half_space': {'type': 'half_space', 'normal': [0.36, 0.48, 0.8], 'offset': 0.1},
}
PAIRS = [
    (dimension, a, b)
    for dimension, shapes in ((2, PLANE), (3, SPACE))
    for a, b in itertools.combinations_with_replacement(shapes, 2)
    if (a, b) != ('half_space', 'half_space')
]
POSES = {  # of the shapes on their bodies
    2: {'position': [0.1, -0.05, 0], 'angle': 0.4},
    3: {'position': [0.1, -0.05, 0.07], 'rpy': [0.4, -0.3, 0.8]},
}
ORIGINS = {  # of bodies that stand still
    2: {'xyz': [0.05, 0.1, 0], 'rpy': [0, 0, 0.3]},
    3: {'xyz': [0.05, 0.1, -0.1], 'rpy': [0.1, 0.2, 0.3]},
}


# Where two cylinders meet, the detector's distance is exact, but its closest points lie on a flat
# optimum: off by the root of what the distance may be off (1e-9 of the size, docs/collision.md).
FLAT_OPTIMUM = 3e-5


def model_of(dimension, kind_a, kind_b):
    """Return a model of two bodies, each with a shape beside its origin."""
    shapes = PLANE if dimension == 2 else SPACE
    model = sc.Model('pair', dimension=dimension)
    model.add_parameter('R', 0.25)
    for name, kind in (('a', kind_a), ('b', kind_b)):
        fixed = kind == 'half_space'
        pose = {} if fixed else {'pose': POSES[dimension]}
        keys = (
            {'joint': {'type': 'fixed', 'origin': ORIGINS[dimension]}} if fixed else {'mass': 1.0}
        )
        model.add_body(name, shapes=[{**shapes[kind], **pose}], **keys)
    return model


def random_q(model, rng, spread):
    """Return coordinates with positions within a spread, and any attitudes."""
    q = []
    for body in model.moving:
        if body.joint.type == 'planar':
            q += [*rng.uniform(-spread, spread, 2), rng.uniform(-3.0, 3.0)]
        else:
            turn = rng.normal(size=4)
            q += [*rng.uniform(-spread, spread, 3), *(turn / np.linalg.norm(turn))]
    return np.array(q)


def nearest(model, q):
    """Return the nearest features; None where a rim meets an edge or a rim: no closed form."""
    try:
        (feature,) = sc.contact_geometry(model, 'a', 'b', q)
    except sc.OptionError as error:
        assert 'cylinder' in {shape.shape.kind for body in model.bodies for shape in body.shapes}
        assert 'rim' in str(error)
        assert 'no closed form' in str(error)
        return None
    return feature


@pytest.mark.parametrize(('dimension', 'kind_a', 'kind_b'), PAIRS)
def test_the_nearest_features_have_distance_normal_and_slope_of_the_detector(
    dimension, kind_a, kind_b
):
    model = model_of(dimension, kind_a, kind_b)
    pair = Pair(model)
    rng = np.random.default_rng(len(kind_a) + 10 * len(kind_b))
    points = FLAT_OPTIMUM if kind_a == kind_b == 'cylinder' else ROUNDING
    compared = 0
    for trial in range(6):  # in turn mostly apart, mostly in overlap
        q = random_q(model, rng, 0.25 if trial % 2 else 0.9)
        feature = nearest(model, q)
        if feature is None:
            continue
        compared += 1
        found, told = pair.proximity(q), feature.evaluate(q)
        assert told.distance == pytest.approx(found.distance, abs=ROUNDING)
        assert told.normal == pytest.approx(found.normal, abs=ROUNDING)
        assert told.jacobian == pytest.approx(pair.slope(q), abs=SLOPE)
        assert told.jacobian == pytest.approx(found.jacobian, abs=points)
        assert told.point == pytest.approx(found.point, abs=points)
        assert told.velocity_jacobian == pytest.approx(found.velocity_jacobian, abs=points)
    assert compared


def test_all_kinds_of_features_are_met():
    """Six poses of each pair are few: more of them for the pairs with many kinds."""
    wanted = {
        ('box', 'box'): {'vertex-face', 'face-vertex', 'edge-edge', 'vertex-edge'},
        ('sphere', 'box'): {'sphere-face', 'sphere-edge', 'sphere-vertex'},
        ('sphere', 'cylinder'): {'sphere-side', 'sphere-cap', 'sphere-rim'},
        ('capsule', 'capsule'): {'segment-segment', 'segment-end', 'end-end'},
        ('box', 'cylinder'): {'edge-side', 'face-rim', 'vertex-rim', 'vertex-side', 'vertex-cap'},
    }
    for kinds, expected in wanted.items():
        model = model_of(3, *kinds)
        pair = Pair(model)
        rng = np.random.default_rng(3)
        for _ in range(400):
            q = random_q(model, rng, 0.5)
            feature = nearest(model, q)
            if feature is None or feature.kind not in expected:
                continue
            expected.discard(feature.kind)
            told = feature.evaluate(q)
            assert told.distance == pytest.approx(pair.proximity(q).distance, abs=ROUNDING)
            assert told.jacobian == pytest.approx(pair.slope(q), abs=SLOPE)
            if not expected:
                break
        assert expected == set(), kinds


BRICKS = model_of(2, 'rectangle', 'polygon')
BRICK_FEATURES = sc.contact_geometry(BRICKS, 'a', 'b')
coordinates = st.lists(st.floats(-0.6, 0.6), min_size=6, max_size=6)


@settings(max_examples=40, deadline=None)
@given(coordinates)
def test_the_list_of_all_features_holds_the_separating_axes(q):
    """In the plane the best edge is the distance in overlap, and a lower bound apart."""
    q = np.array(q)
    edges = {}
    for feature in BRICK_FEATURES:
        own, other = feature.kind.split('-')
        if 'edge' in (own, other):
            name = feature.feature_a if own == 'edge' else feature.feature_b
            edges.setdefault((own, name), []).append(feature.evaluate(q).distance)
    best = max(min(distances) for distances in edges.values())
    distance = placed_distance(BRICKS, q)
    assert best <= distance + ROUNDING
    if distance < 0.0:
        assert best == pytest.approx(distance, abs=ROUNDING)


def placed_distance(model, q):
    """Return the distance of the shapes of two planar bodies, each placed by hand."""
    sides = []
    for body, (x, y, angle) in zip(model.bodies, np.reshape(q, (2, 3)), strict=True):
        (shape,) = body.shapes
        px, py, _ = POSES[2]['position']
        cos, sin = np.cos(angle), np.sin(angle)
        half = 0.5 * (angle + POSES[2]['angle'])
        pose = sc.Pose(
            [x + cos * px - sin * py, y + sin * px + cos * py, 0.0],
            [0.0, 0.0, np.sin(half), np.cos(half)],
        )
        sides += [shape.shape.evaluated(model.parameters), pose]
    return sc.proximity(*sides).distance


@settings(max_examples=30, deadline=None)
@given(coordinates, st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_normals_are_unit_and_jacobians_are_slopes_of_the_formula_itself(q, u):
    """Of every feature pair, also where others are nearer."""
    q, u = np.array(q), np.array(u)
    for feature in BRICK_FEATURES[::7]:
        told = feature.evaluate(q)
        if told.distance < 1e-2 and feature.kind == 'vertex-vertex':
            continue  # no direction from one to the other
        ends = [feature.evaluate(q + sign * STEP * u).distance for sign in (1, -1)]
        assert np.linalg.norm(told.normal) == pytest.approx(1.0, abs=ROUNDING)
        # Truncation: speed^3 STEP^2 / 6 distance^2, of vertices at 4 m/s and 1e-2 m apart.
        assert told.jacobian @ u == pytest.approx((ends[0] - ends[1]) / (2 * STEP), abs=1e-6)
        assert told.normal @ told.velocity_jacobian == pytest.approx(told.jacobian, abs=1e-9)
