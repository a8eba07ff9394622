"""
Memory of a query for the distance or depth of two cores.

A query knows two cores only by their farthest points along directions. Two cores meet where
their difference, the set of all b - a, holds the origin; the distance of the cores is that of
the difference from the origin. All is seen in A's axes from A's centre, and B's points from B's
centre, so that nothing is lost when a core lies far from the origin of its frame.
"""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.spatial import Frame, Vector

Three: TypeAlias = tuple[int, int, int]

MOST_CORNERS = 192  # of a polyhedron
MOST_FACES = 2 * MOST_CORNERS  # Euler: a corner more is two faces more

NO_FEATURE = -9  # of a corner that is inside the difference, not on its boundary


class Corner(Record):
    """A point of the difference, and the points of A and of B that it is made of."""

    point: Vector  # from A's centre, in A's axes [m]
    point_a: Vector  # of A's core, from its centre and in its axes [m]
    point_b: Vector  # of B's core, from its centre and in its axes [m]
    feature_a: int  # that the point of A belongs to, see `SpatialCore.support`; or NO_FEATURE
    feature_b: int  # that the point of B belongs to; or NO_FEATURE


class FacePlane(Record):
    """The plane of a face of a polyhedron."""

    normal: Vector  # unit, outwards
    distance: float  # of the plane from the origin, signed [m]; HUGE of slivers and dead faces


class Face(Record):
    """A triangle of a polyhedron."""

    corners: Three  # counter-clockwise from outside
    neighbours: Three  # faces, each across the edge from its corner to the next


class Polyhedron(Record):
    """A polyhedron inside the difference; see `polyhedron`."""

    corners: Rows[Corner] = embedded(MOST_CORNERS)
    planes: Rows[FacePlane] = embedded(MOST_FACES)  # of the faces
    faces: Rows[Face] = embedded(MOST_FACES)
    states: Ints = embedded(MOST_FACES)  # of the faces: DEAD, ALIVE or VISIBLE, see `polyhedron`
    seen: Ints = embedded(MOST_FACES)  # the faces that see a new corner
    # Of the edges around these, by the corner where each starts:
    rim_ends: Ints = embedded(MOST_CORNERS)  # the corner where it ends
    rim_faces: Ints = embedded(MOST_CORNERS)  # the face across it, which does not see the corner


class QueryMemory(Record):
    """Work memory of a query."""

    pose: Frame  # B's axes and centre, from A's centre and in A's axes
    scale: float  # size of the difference, that tolerances relate to [m]
    simplex: Rows[Corner] = embedded(4)
    spare: Corner  # for tries
    weights: Floats = embedded(4)  # of the simplex' corners: they give the closest point
    renewed: Rows[Corner] = embedded(3)  # corners of a simplex where a better normal has them
    polyhedron: Polyhedron
