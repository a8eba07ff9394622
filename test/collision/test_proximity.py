"""Signed distance of planar shapes: exact, symmetric, and moving with the bodies."""

import math

from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

import symcontact_ros as sc

number = st.floats(-3.0, 3.0)
angle = st.floats(-math.pi, math.pi)
positive = st.floats(0.05, 2.0)


def pose(x, y, theta=0.0):
    return sc.Pose(
        np.array([x, y, 0.0]), np.array([0.0, 0.0, math.sin(theta / 2), math.cos(theta / 2)])
    )


def assert_consistent(p):
    assert np.linalg.norm(p.normal) == pytest.approx(1.0, rel=1e-14)
    assert (p.point_b - p.point_a) @ p.normal == pytest.approx(p.distance, abs=1e-13)
    assert p.penetration == max(0.0, -p.distance)


@given(x=number, y=number, ra=positive, rb=positive)
def test_circles_are_as_far_apart_as_their_centres_less_their_radii(x, y, ra, rb):
    p = sc.proximity(sc.Circle(ra), pose(0, 0), sc.Circle(rb), pose(x, y))
    assert p.distance == pytest.approx(math.hypot(x, y) - ra - rb, abs=1e-13)
    assert_consistent(p)


@pytest.mark.parametrize('apart', [5e-324, 2.5e-160, 3.146310150813885e-158, 1e-140])
def test_centres_whose_squares_underflow_are_one_point_or_apart(apart):
    for shape, at in ((sc.Circle, (0, apart)), (sc.Sphere, (0, apart, 0))):
        q = (0.0, 0.0, 0.0, 1.0)
        there = sc.Pose((*at, 0.0)[:3], q)
        p = sc.proximity(shape(1.0), sc.Pose((0.0, 0.0, 0.0), q), shape(0.5), there)
        assert_consistent(p)
        assert abs(p.normal[1]) == (1.0 if apart > 1e-146 else 0.0)


def test_concentric_circles_part_by_both_radii():
    p = sc.proximity(sc.Circle(1.0), pose(2, 3), sc.Circle(0.5), pose(2, 3))
    assert p.distance == -1.5
    assert_consistent(p)


@given(x=number, y=number, tilt=angle, offset=number, radius=positive)
def test_a_circle_over_a_half_space(x, y, tilt, offset, radius):
    plane = sc.HalfSpace((math.sin(tilt), math.cos(tilt), 0.0), offset)
    p = sc.proximity(sc.Circle(radius), pose(x, y), plane, pose(0, 0))
    height = x * math.sin(tilt) + y * math.cos(tilt) - offset
    assert p.distance == pytest.approx(height - radius, abs=1e-13)
    assert p.normal @ plane.normal == pytest.approx(-1.0, rel=1e-14)  # into the solid: A to B
    assert_consistent(p)


@given(x=number, y=number, turn=angle, dx=number, dy=number, radius=positive)
def test_moving_both_bodies_moves_the_answer(x, y, turn, dx, dy, radius):
    circle, plane = sc.Circle(radius), sc.HalfSpace((0.0, 1.0, 0.0), 0.3)
    before = sc.proximity(circle, pose(x, y, 0.4), plane, pose(0.5, 0.5, 0.1))

    def moved(px, py, theta):
        c, s = math.cos(turn), math.sin(turn)
        return pose(c * px - s * py + dx, s * px + c * py + dy, theta + turn)

    after = sc.proximity(circle, moved(x, y, 0.4), plane, moved(0.5, 0.5, 0.1))
    assert after.distance == pytest.approx(before.distance, abs=1e-13)


@pytest.mark.parametrize('other', [sc.Circle(0.4), sc.HalfSpace((0.0, 1.0, 0.0))])
def test_swapping_the_bodies_turns_the_normal(other):
    circle = sc.Circle(0.3)
    there = sc.proximity(circle, pose(0.2, 0.1), other, pose(0, 0))
    back = sc.proximity(other, pose(0, 0), circle, pose(0.2, 0.1))
    assert back.distance == there.distance
    assert np.array_equal(back.normal, -there.normal)
    assert np.array_equal(back.point_a, there.point_b)


def test_what_cannot_be_asked_is_refused_by_name():
    plane = sc.HalfSpace((0.0, 1.0, 0.0))
    with pytest.raises(
        sc.OptionError, match='no distance is defined of half_space and half_space'
    ):
        sc.proximity(plane, pose(0, 0), plane, pose(0, 0))
    with pytest.raises(sc.OptionError, match="one of sat, co, got 'tas'"):
        sc.proximity(sc.Circle(1.0), pose(0, 0), plane, pose(0, 0), detector='tas')
    with pytest.raises(ValueError, match='radius must be > 0, got -1'):
        sc.Circle(-1.0)
    with pytest.raises(ValueError, match='normal must have a length'):
        sc.HalfSpace((0.0, 0.0, 0.0))
