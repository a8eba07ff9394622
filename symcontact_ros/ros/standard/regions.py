"""Extents of bodies, and their intersection with regions of the world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from symcontact_ros.collision.proximity import proximity
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Body
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.box import Box
from symcontact_ros.shapes.circle import Circle
from symcontact_ros.shapes.convex_hull import ConvexHull
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.shapes.rectangle import Rectangle
from symcontact_ros.shapes.sphere import Sphere
from symcontact_ros.shapes.surface import Surface
from symcontact_ros.types import Pose, Vector

BOX, CONVEX_HULL, SPHERE = 1, 2, 3  # kinds of simulation_interfaces/msg/Bounds; 0: none
IDENTITY = Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
Region = tuple[Shape, Pose]


def region(kind: int, points: Sequence[Sequence[float]], dimension: int) -> Region:
    """
    Return a region of the world as a shape at a pose.

    Parameters
    ----------
    kind
        `BOX`, `CONVEX_HULL` or `SPHERE`.
    points
        Two opposite corners; all corners; or the centre, and a point whose x is the radius [m].
    dimension
        Of the model; in planar ones z does not count, and there are no convex hulls.

    """
    planar = dimension == 2
    numbers = np.array(points, dtype=float).reshape(-1, 3)
    if planar:
        numbers[:, 2] = 0.0
    if not np.isfinite(numbers).all():
        raise OptionError('bounds must have finite numbers')
    if kind != CONVEX_HULL and len(numbers) != 2:
        raise OptionError(f'bounds of a box or a sphere must have 2 points, got {len(numbers)}')
    try:
        if kind == CONVEX_HULL:
            return ConvexHull(tuple((x, y, z) for x, y, z in numbers.tolist())), IDENTITY
        if kind == SPHERE:
            return (Circle if planar else Sphere)(numbers[1, 0]), _at(numbers[0])
        x, y, z = 0.5 * np.abs(numbers[0] - numbers[1])
        centre = _at(0.5 * (numbers[0] + numbers[1]))
        return Rectangle((x, y)) if planar else Box((x, y, z)), centre
    except ValueError as error:
        raise OptionError(f'bounds: {error}') from error


def reaches(body: Body, values: Values, pose: Pose, place: Region) -> bool:
    """Return whether a body at a pose intersects a region."""
    rotation = matrix(tuple(pose.quaternion))
    for shape, offset, turn in _shapes(body, values):
        here = Pose(pose.position + rotation @ offset, quaternion_of(rotation @ turn))
        if proximity(*place, shape, here).distance <= 0.0:
            return True
    return False


def box_around(body: Body, values: Values, dimension: int) -> tuple[Vector, Vector] | None:
    """
    Return the lower and the upper corner of a body, in its own axes [m].

    None if it is infinite, as half-spaces are. OptionError for a body without shapes.
    """
    if not body.shapes:
        raise OptionError(f'{body.name} has no shapes')
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for shape, offset, turn in _shapes(body, values):
        if not shape.is_bounded:
            return None
        if isinstance(shape, Surface):
            corners = shape.triangle_corners().reshape(-1, 3) @ turn.T + offset
            low, high = np.minimum(low, corners.min(axis=0)), np.maximum(high, corners.max(axis=0))
            continue
        pose = Pose(offset, quaternion_of(turn))
        for axis in range(dimension):
            # The distance from a half-space gives the extent of a shape along its normal.
            normal = tuple(np.eye(3)[axis].tolist())
            below = proximity(HalfSpace(normal), IDENTITY, shape, pose, dimension=dimension)
            opposite = HalfSpace(tuple(-n for n in normal))
            above = proximity(opposite, IDENTITY, shape, pose, dimension=dimension)
            low[axis] = min(low[axis], below.distance)
            high[axis] = max(high[axis], -above.distance)
    low[dimension:], high[dimension:] = 0.0, 0.0  # planar shapes have no thickness
    return low, high


def _shapes(body: Body, values: Values) -> Iterator[tuple[Shape, Vector, Vector]]:
    """Yield the shapes of a body with position and rotation matrix in its frame."""
    for placed in body.shapes:
        offset = np.array(evaluate_all(placed.placement.position, values))
        turn = matrix(placed.placement.rotation.evaluated(values))
        yield placed.shape.evaluated(values), offset, turn


def _at(position: Vector) -> Pose:
    return Pose(position, IDENTITY.quaternion)
