"""Distances, normals and Jacobians in symbols against the exact detector and its differences."""

import itertools

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
# GJK's bounds meet to 1e-9 of the size (docs/collision.md); its normals, to the root of less than
# that, are those of the features that it found, made exact. Closed forms are good to rounding.
DISTANCE, NORMAL = 1e-9, 1e-7
# Central differences over 2e-6 of distances of size 1: truncation 1e-11, rounding 1e-16 / 1e-6.
STEP, SLOPE = 1e-6, 2e-8


def model_of(dimension, kind_a, kind_b):
    """Return a model of two bodies, each with a shape beside its origin."""
    shapes = PLANE if dimension == 2 else SPACE
    model = sc.Model('pair', dimension=dimension)
    model.add_parameter('R', 0.25)
    for name, kind in (('a', kind_a), ('b', kind_b)):
        fixed = kind == 'half_space'
        pose = {} if fixed else {'pose': POSES[dimension]}
        keys = {'fixed': True} if fixed else {'mass': 1.0}
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


class Pair:
    """A simulation of two bodies, asked for their proximity anywhere."""

    def __init__(self, model):
        self.model = model
        self.sim = sc.Simulation(model, proximity_range=100.0)
        self.eom = sc.equations_of_motion(model)

    def proximity(self, q):
        self.sim.set_state(q=q)
        (found,) = self.sim.proximities()
        return found

    def slope(self, q):
        """Return d/dt distance per unit of each speed, by central differences."""
        rates = [
            self.eom.evaluate(q, speed).qdot for speed in np.eye(self.model.speed_count)
        ]
        return np.array(
            [
                self.proximity(q + STEP * rate).distance
                - self.proximity(q - STEP * rate).distance
                for rate in rates
            ]
        ) / (2.0 * STEP)


@pytest.mark.parametrize(('dimension', 'kind_a', 'kind_b'), PAIRS)
def test_the_nearest_features_have_distance_normal_and_slope_of_the_detector(
    dimension, kind_a, kind_b
):
    model = model_of(dimension, kind_a, kind_b)
    pair = Pair(model)
    rng = np.random.default_rng(len(kind_a) + 10 * len(kind_b))
    kinds, skipped = set(), 0
    for trial in range(12):
        q = random_q(model, rng, 0.25 if trial % 2 else 0.9)
        found = pair.proximity(q)
        try:
            (feature,) = sc.contact_geometry(model, 'a', 'b', q)
        except sc.OptionError as error:
            assert 'cylinder' in (kind_a, kind_b), error
            assert 'rim' in str(error)
            skipped += 1
            continue
        kinds.add(feature.kind)
        told = feature.evaluate(q)
        assert told.distance == pytest.approx(found.distance, abs=DISTANCE)
        assert told.normal == pytest.approx(found.normal, abs=NORMAL)
        assert told.jacobian == pytest.approx(pair.slope(q), abs=SLOPE)
        assert told.jacobian == pytest.approx(found.jacobian, abs=NORMAL)
        assert told.point == pytest.approx(found.point, abs=NORMAL)
        assert told.velocity_jacobian == pytest.approx(found.velocity_jacobian, abs=NORMAL)
    assert kinds
    print(kind_a, kind_b, sorted(kinds), skipped)
