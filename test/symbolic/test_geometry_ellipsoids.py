"""Ellipsoids in symbols: a closed form beside planes, and none beside anything else."""

from helpers.feature_pairs import Pair, ROUNDING, SLOPE
import numpy as np
import pytest

import symcontact_ros as sc


def model_of(dimension, other):
    model = sc.Model('pair', dimension=dimension)
    model.add_parameter('R', 0.25)
    kind, radii = ('ellipse', ['R', 0.1]) if dimension == 2 else ('ellipsoid', [0.4, 'R', 0.1])
    pose = {'position': [0.1, -0.05, 0]}
    model.add_body('egg', mass=1.0, shapes=[{'type': kind, 'radii': radii, 'pose': pose}])
    keys = {'joint': {'type': 'fixed'}} if isinstance(other, sc.HalfSpace) else {'mass': 1.0}
    model.add_body('other', shapes=[other], **keys)
    return model


@pytest.mark.parametrize(
    ('dimension', 'other'),
    [
        (2, sc.HalfSpace((0.6, 0.8, 0.0), 0.1)),
        (3, sc.HalfSpace((0.36, 0.48, 0.8), 0.1)),
        (2, sc.Rectangle((5.0, 0.1))),
        (3, sc.Box((5.0, 5.0, 0.1))),
    ],
    ids=['half-plane', 'half-space', 'edge', 'face'],
)
def test_beside_a_plane_distance_normal_and_slope_are_those_of_the_detector(dimension, other):
    model = model_of(dimension, other)
    pair = Pair(model)
    rng = np.random.default_rng(4)
    for _ in range(6):
        q = np.zeros(model.coordinate_count)
        for start in range(0, len(q), 3 if dimension == 2 else 7):
            q[start : start + dimension] = rng.uniform(-0.2, 0.2, dimension)
            q[start + dimension : start + dimension + 1] = rng.uniform(-0.3, 0.3)
            if dimension == 3:
                turn = np.r_[rng.uniform(-0.2, 0.2, 3), 1.0]
                q[start + 3 : start + 7] = turn / np.linalg.norm(turn)
        (feature,) = sc.contact_geometry(model, 'egg', 'other', q)
        found, told = pair.proximity(q), feature.evaluate(q)
        assert feature.kind.startswith('ellips')
        assert told.distance == pytest.approx(found.distance, abs=ROUNDING)
        assert told.normal == pytest.approx(found.normal, abs=ROUNDING)
        assert told.jacobian == pytest.approx(pair.slope(q), abs=SLOPE)
        assert told.point == pytest.approx(found.point, abs=ROUNDING)


def test_the_radii_stay_symbols():
    model = model_of(2, sc.HalfSpace((0.0, 1.0, 0.0)))
    (feature,) = sc.contact_geometry(model, 'egg', 'other')
    assert feature.symbols['R'] in feature.distance.free_symbols
    found = feature.evaluate([0.0, 1.05, np.pi / 2], {'R': 0.3})
    assert found.distance == pytest.approx(1.05 + 0.1 - 0.3, abs=1e-15)


@pytest.mark.parametrize(
    ('dimension', 'other', 'q'),
    [
        (2, sc.Circle(0.1), [0.0, 0.0, 0.3, 1.0, 0.0, 0.0]),
        (3, sc.Sphere(0.1), [0.0] * 6 + [1.0] + [1.0] + [0.0] * 5 + [1.0]),
    ],
)
def test_beside_a_ball_there_is_no_closed_form_and_that_is_said(dimension, other, q):
    model = model_of(dimension, other)
    assert sc.contact_geometry(model, 'egg', 'other') == []
    with pytest.raises(sc.OptionError, match='no closed form'):
        sc.contact_geometry(model, 'egg', 'other', q)
