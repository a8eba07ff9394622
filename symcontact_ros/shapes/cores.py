"""
Interface of the cores of shapes: kernels that collision detection is made of.

A core is a class of static kernels and constants. Those of the two base classes are for polygons
and hulls that are given by the vertices, edges and faces in their records; a core has its own
where it differs. Kernels take the record of the shape; all is in the frame of the shape unless a
frame is given. `planar_dispatch` and `spatial_dispatch` choose the core by its number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from symcontact_ros.kernels.vectors import planar
from symcontact_ros.kernels.vectors.spatial import Frame, minus, placed, Vector
from symcontact_ros.shapes.vertices import downhill, farthest_vertex

if TYPE_CHECKING:
    from symcontact_ros.kernels.records import Rows
    from symcontact_ros.shapes.convex_body import Array, ConvexBody
    from symcontact_ros.shapes.records import LoopCorner, PlanarSolid, Solid, SpatialSolid

# is there one, reach [m], its gradient [m], and its second derivatives when the normal turns
# towards ``side`` and ``across``: side-side, side-across, across-across [m]
Bend: TypeAlias = tuple[bool, float, Vector, Vector]

DISC_CORNERS = 12  # of the loop that stands for a face that is a disc


class Core:
    """Constants of a core of either dimension."""

    is_rounded: bool = False  # it has no inside: all depth of the shape is its radius
    is_curved: bool = False  # its farthest points move with the direction, see `SpatialCore.bend`

    @staticmethod
    def convex_body(solid: Solid, axes: Array, origin: Array, ball: float) -> ConvexBody:
        """
        Return the constraints of a conic program that a point lies in the shape.

        Parameters
        ----------
        solid
            The shape.
        axes, origin
            Its frame: axes as columns, and position [m].
        ball
            Radius that a rounded shape has in the program [m].
        """
        from symcontact_ros.shapes.convex_body import polytope

        return polytope(solid, axes, origin)


class PlanarCore(Core):
    """Kernels of a core in the plane; here of a polygon with vertices counter-clockwise."""

    @staticmethod
    def support(solid: PlanarSolid, direction: planar.Vector) -> tuple[planar.Vector, int]:
        """
        Return the point that is farthest along a direction, and the number of its vertex.

        Points of a curve have a number below -1.
        """
        vertex, _ = downhill(solid.vertices, planar.opposite(direction), 0)
        return solid.vertices[vertex].position, vertex

    @staticmethod
    def vertex(solid: PlanarSolid, number: int) -> planar.Vector:
        """Return a vertex by the number that `support` gives it."""
        return solid.vertices[number].position

    @staticmethod
    def bounds(solid: PlanarSolid, frame: planar.Frame) -> tuple[planar.Vector, planar.Vector]:
        """Return the lower and the upper corner of the box around the core in the world."""
        low_x, low_y, high_x, high_y = 1e300, 1e300, -1e300, -1e300
        for vertex in range(len(solid.vertices)):
            x, y = planar.placed(frame, solid.vertices[vertex].position)
            low_x, high_x = min(low_x, x), max(high_x, x)
            low_y, high_y = min(low_y, y), max(high_y, y)
        return (low_x, low_y), (high_x, high_y)


class SpatialCore(Core):
    """Kernels of a core in space; here of a hull with a mesh."""

    is_point: bool = False  # it is its centre alone
    has_discs: bool = False  # it is round about z, and its faces are discs of radius ``size[0]``

    @staticmethod
    def support(solid: SpatialSolid, direction: Vector) -> tuple[Vector, int]:
        """
        Return the point that is farthest along a direction, and the number of its feature.

        A feature with a number >= 0 is a vertex. Points of one below 0 differ by a smooth
        function of the direction.
        """
        vertex = farthest_vertex(solid.vertices, direction)
        return solid.vertices[vertex].position, vertex

    @staticmethod
    def vertex(solid: SpatialSolid, number: int) -> Vector:
        """Return a vertex from the centre of the core, by the number that `support` gives it."""
        return minus(solid.vertices[number].position, solid.centre)

    @staticmethod
    def bounds(solid: SpatialSolid, frame: Frame) -> tuple[Vector, Vector]:
        """Return the lower and the upper corner of the box around the core in the world."""
        low, high = (1e300, 1e300, 1e300), (-1e300, -1e300, -1e300)
        for vertex in range(len(solid.vertices)):
            point = placed(frame, solid.vertices[vertex].position)
            low = (min(low[0], point[0]), min(low[1], point[1]), min(low[2], point[2]))
            high = (max(high[0], point[0]), max(high[1], point[1]), max(high[2], point[2]))
        return low, high

    @staticmethod
    def point_gap(solid: SpatialSolid, point: Vector) -> tuple[float, Vector, Vector]:
        """
        Return signed distance [m], outward unit normal and nearest boundary point to a point.

        The point is given from the centre of the core. Only for cores that have a closed form.
        """
        return 0.0, point, point

    # Flat faces ---------------------------------------------------------------------------------

    @staticmethod
    def face_count(solid: SpatialSolid) -> int:
        """Return how many flat faces the core has."""
        return len(solid.planes)

    @staticmethod
    def face_normal(solid: SpatialSolid, face: int) -> Vector:
        """Return the outward unit normal of a face."""
        return solid.planes[face].normal

    @staticmethod
    def face_offset(solid: SpatialSolid, face: int) -> float:
        """Return how far a face lies along its normal from the origin of the shape [m]."""
        return solid.planes[face].offset

    @staticmethod
    def write_loop(
        solid: SpatialSolid, frame: Frame, face: int, turn: Vector, loop: Rows[LoopCorner]
    ) -> int:
        """
        Write the corners around a face in the world, and return how many there are.

        They are counter-clockwise seen from outside. Those of a disc start at a direction of the
        world (``turn``), so that one corner is there.
        """
        around = solid.loops[face]
        start, count = around.start, around.count
        corners, vertices = solid.corners, solid.vertices
        for i in range(count):
            vertex = corners[start + i]
            loop[i].position = placed(frame, vertices[vertex].position)
            loop[i].name = vertex
        return count

    @staticmethod
    def is_within_sides(solid: SpatialSolid, face: int, point: Vector) -> bool:
        """Return whether a point is known to lie between the planes beside a face."""
        return False

    @staticmethod
    def lowest_line(solid: SpatialSolid, down: Vector) -> tuple[float, Vector, Vector]:
        """
        Return the line that lies on a plane below, if no face does: its share, start and end.

        ``down`` is against the normal of the plane. A contact point on the line carries the share
        of the stiffness, out of those of the pair; 0: there is no line.
        """
        return 0.0, down, down

    # Curved cores -------------------------------------------------------------------------------

    @staticmethod
    def linear_part(solid: SpatialSolid, point: Vector, feature: int) -> Vector:
        """Return the end of a farthest point's linear part; both from the centre of the core."""
        return point

    @staticmethod
    def moved(solid: SpatialSolid, point: Vector, direction: Vector) -> Vector:
        """Return the point of the same feature that is farthest along another direction."""
        return point

    @staticmethod
    def round_part(solid: SpatialSolid) -> Vector:
        """
        Return the semi-axes of the ellipsoid that the linear parts are rounded with [m].

        Along the axes of the shape; zeros of a polytope.
        """
        return 0.0, 0.0, 0.0

    @staticmethod
    def bend(
        solid: SpatialSolid, frame: Frame, normal: Vector, side: Vector, across: Vector
    ) -> Bend:
        """
        Return the smooth part of how far the core reaches along a unit normal.

        The reach is that of the linear part plus a smooth function of the normal, whose value,
        gradient and second derivatives these are. Normal, side and across are unit, or zero, and
        in the axes that the frame is given in. False where it is not smooth.
        """
        return True, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
