"""Shapes as constraints of conic programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.shapes.records import Solid, SpatialSolid

Array = NDArray[np.float64]


@dataclass
class ConvexBody:
    """
    A shape as sides and a rounding, about its centre.

    Attributes
    ----------
    centre
        Of the core [m].
    reach
        How far the shape reaches from its centre along a unit direction [m].
    normals, widths
        Outward normals (m, d) of its sides, and their distances (m,) from the centre [m].
    cone
        Rows (k, d) and a bound: the length of rows @ (point - centre) is at most the bound.
    ball
        Radius around a point of the axis; 0: the point itself; None: it has none [m].
    axis
        Half the segment that the ball moves along [m].
    """

    centre: Array
    reach: Callable[[Array], float]
    normals: Array
    widths: Array
    cone: tuple[Array, float] | None = None
    ball: float | None = None
    axis: Array | None = None


def polytope(solid: Any, axes: Array, origin: Array) -> ConvexBody:
    """Return a polygon or hull as its sides."""
    own, centre = centre_of(solid, axes, origin)
    planes = sides(solid)
    corners = np.array([vertex.position for vertex in _members(solid.vertices)]) - own
    vertices = corners @ axes.T
    widths = planes[:, -1] - planes[:, :-1] @ own

    def reach(direction: Array) -> float:
        return float((vertices @ direction).max())

    return ConvexBody(centre, reach, planes[:, :-1] @ axes.T, widths)


def rounded(
    solid: Solid, axes: Array, origin: Array, ball: float, axis: Array | None = None
) -> ConvexBody:
    """Return a ball, which may move along an axis (half of it) of the shape's frame."""
    _, centre = centre_of(solid, axes, origin)
    half = None if axis is None else axes @ axis

    def reach(direction: Array) -> float:
        return (0.0 if half is None else abs(float(half @ direction))) + ball

    none = np.zeros((0, len(origin)))
    return ConvexBody(centre, reach, none, np.zeros(0), ball=ball, axis=half)


def centre_of(solid: Solid, axes: Array, origin: Array) -> tuple[Array, Array]:
    """Return the centre of a core in its frame, and where that frame puts it."""
    own = np.array(solid.centre[: len(origin)])
    return own, origin + axes @ own


def sides(solid: Any) -> Array:
    """Return rows of outward normal and offset of the sides of a polygon or hull."""
    if isinstance(solid, SpatialSolid):
        return np.array([[*plane.normal, plane.offset] for plane in _members(solid.planes)])
    edges = _members(solid.edges)
    normals = np.array([edge.normal for edge in edges])
    first = np.array([solid.vertices[edge.first].position for edge in edges])
    return np.column_stack([normals, (normals * first).sum(axis=1)])


def moved_inwards(solid: Any, margin: float) -> Array:
    """Return the corners of a polygon or hull whose sides are moved inwards by a margin [m]."""
    from scipy.spatial import HalfspaceIntersection

    planes = sides(solid)
    planes[:, -1] -= margin
    centre = np.array(solid.centre[: planes.shape[1] - 1])
    within = np.column_stack([planes[:, :-1], -planes[:, -1]])
    corners: Array = HalfspaceIntersection(within, centre).intersections
    return corners


def _members(rows: Any) -> list[Any]:
    return [rows[number] for number in range(len(rows))]
