"""Distance of a point to an ellipse and to an ellipsoid, however flat they are."""

from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.shapes.ellipse import point_ellipse
from symcontact_ros.shapes.ellipsoid import point_ellipsoid

# A secular equation solved to rounding, and some ten roundings after it.
ROUNDING = 1e-14

radius = st.floats(1e-3, 1.0) | st.sampled_from([1.0, 0.5, 1e-3, 0.5 * (1.0 + 1e-15)])
# In units of the semi-axes: on axes, at the centre, on the boundary, and next to all of these.
coordinate = st.floats(-3.0, 3.0) | st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1e-160, 0.999999])


def gap(radii, point):
    function = point_ellipse if len(radii) == 2 else point_ellipsoid
    distance, normal, nearest = function(tuple(radii), tuple(point))
    return distance, np.array(normal), np.array(nearest)


def check(radii, part):
    """Check what makes a boundary point the nearest: on it, along the normal, and a bound."""
    radii = np.array(radii)
    point = radii * part
    distance, normal, nearest = gap(radii.tolist(), point.tolist())
    size = radii.max() + np.linalg.norm(point)
    assert np.linalg.norm(normal) == pytest.approx(1.0, abs=ROUNDING)
    assert np.linalg.norm(nearest / radii) == pytest.approx(1.0, abs=ROUNDING)
    assert point - nearest == pytest.approx(distance * normal, abs=ROUNDING * size)
    slope = nearest / radii**2
    assert normal == pytest.approx(slope / np.linalg.norm(slope), abs=1e-12)
    assert np.sign(distance) == np.sign(np.linalg.norm(part) - 1.0) or abs(distance) < 1e-15
    return distance, radii, point


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(radius, coordinate), min_size=2, max_size=3))
def test_the_nearest_point_is_on_the_boundary_and_no_other_is_nearer(rows):
    radii, part = zip(*rows, strict=True)
    distance, radii, point = check(radii, np.array(part))
    rng = np.random.default_rng(0)
    way = rng.normal(size=(2000, len(radii)))
    boundary = radii * way / np.linalg.norm(way, axis=1, keepdims=True)
    others = np.linalg.norm(boundary - point, axis=1).min()
    assert abs(distance) <= others + ROUNDING * (radii.max() + others)


@pytest.mark.parametrize('flat', [1e-3, 0.5, 1.0 - 1e-12, 1.0])
@pytest.mark.parametrize('size', [2, 3])
def test_from_the_centre_the_shortest_axis_leads_out(size, flat):
    radii = [1.0, flat, 1.0][:size]
    distance, normal, nearest = gap(radii, [0.0] * size)
    assert distance == pytest.approx(-flat, rel=4e-16)
    assert np.abs(nearest).max() == pytest.approx(flat, rel=4e-16)
    assert np.abs(normal).max() == pytest.approx(1.0, abs=4e-16)


@pytest.mark.parametrize('size', [2, 3])
def test_with_equal_radii_it_is_a_circle_or_a_ball(size):
    rng = np.random.default_rng(1)
    for _ in range(200):
        point = rng.normal(size=size)
        distance, normal, _ = gap([0.7] * size, point.tolist())
        assert distance == pytest.approx(np.linalg.norm(point) - 0.7, abs=2e-15)
        assert normal == pytest.approx(point / np.linalg.norm(point), abs=2e-15)


def test_in_a_plane_of_symmetry_an_ellipsoid_is_an_ellipse():
    rng = np.random.default_rng(2)
    for _ in range(100):
        a, b = rng.uniform(0.1, 1.0, 2)
        x, y = rng.uniform(-2.0, 2.0, 2)
        flat, _, _ = gap([a, b], [x, y])
        solid, _, _ = gap([a, b, 10.0], [x, y, 0.0])  # the third axis is farther
        assert solid == pytest.approx(flat, abs=1e-15)


@pytest.mark.parametrize(
    ('shape', 'radii', 'words'),
    [
        (sc.Ellipse, (1.0, 0.0), 'radii must be > 0, got 0'),
        (sc.Ellipse, (1.0, 1.0, 1.0), 'radii must be 2 numbers'),
        (sc.Ellipsoid, (1.0, -1.0, 1.0), 'radii must be > 0, got -1'),
        (sc.Ellipsoid, 0.5, 'radii must be 3 numbers'),
    ],
)
def test_radii_that_make_no_shape_are_refused(shape, radii, words):
    with pytest.raises(ValueError, match=words):
        shape(radii)
