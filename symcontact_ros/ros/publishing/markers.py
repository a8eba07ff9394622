"""
Markers for RViz: shapes, contact points, and arrows of contact forces.

All are in the world frame at the stamp of the instant, consistent with /tf. Namespaces and ids of
markers are constant; unused ones are deleted.
"""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
import numpy as np
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.hulls import hull_facets
from symcontact_ros.model.model import Model
from symcontact_ros.model.shapes import numbers
from symcontact_ros.ros.conversions import quaternion_product, write_rotation, write_vector
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.simulation.equations.initial_state import matrix, quaternion_of
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.types import Vector

THICKNESS = 0.02  # [m] of planar shapes, which have none
GROUND, SLAB = 20.0, 0.1  # [m] that are shown of a half-space: wide, and deep
ARROW_LENGTH = 0.5  # [m] of the largest force seen so far
POINT_SIZE = 0.02  # [m]
PALETTE = ((0.22, 0.49, 0.72), (0.89, 0.45, 0.16), (0.30, 0.63, 0.33), (0.60, 0.40, 0.70))
GREY, RED, YELLOW = (0.6, 0.6, 0.6), (0.85, 0.1, 0.1), (0.95, 0.8, 0.1)

Piece = tuple[int, tuple[float, float, float], Vector, Vector, list[Point]]
# type, scale, attitude and position in the shape, points


class Markers:
    """`~/markers`."""

    def __init__(self, topics: Topics, model: Model, world: str, values: Values) -> None:
        self.topic = topics.add(MarkerArray(), '~/markers')
        self._model = model
        self._world = world
        self._largest = 0.0  # largest so far [N]
        self._points = self._marker('contacts', 0, Marker.SPHERE_LIST, YELLOW)
        write_vector(self._points.scale, (POINT_SIZE,) * 3)
        self._arrows: list[Marker] = []
        self.refresh(values)

    def refresh(self, values: Values) -> None:
        """Take the sizes of shapes from the live symbols."""
        self._shapes: list[Marker] = []
        places = []
        moving = 0
        for row, body in enumerate(self._model.bodies):
            fixed = body.name in self._model.grounded
            colour = GREY if fixed else PALETTE[moving % len(PALETTE)]
            moving += not fixed
            pieces = [
                (placed, piece)
                for placed in body.shapes
                for piece in _pieces(placed.shape.evaluated(values), self._model.dimension)
            ]
            for i, (placed, (kind, scale, turn, shift, points)) in enumerate(pieces):
                marker = self._marker(body.name, i, kind, colour)
                write_vector(marker.scale, scale)
                marker.points = points
                self._shapes.append(marker)
                rotation = matrix(placed.placement.rotation.evaluated(values))
                offset = np.array(evaluate_all(placed.placement.position, values))
                turned = quaternion_of(rotation @ turn)
                places.append((row, turned, offset + rotation @ shift))
        self._rows = np.array([row for row, _, _ in places], dtype=np.int64)
        self._turns = np.array([turn for _, turn, _ in places]).reshape(-1, 4)
        self._shifts = np.array([shift for _, _, shift in places]).reshape(-1, 3)

    def publish(self, instant: Instant, time: Time) -> None:
        """Send all markers."""
        attitude = instant.rotation[self._rows]
        places = instant.position[self._rows] + np.einsum('nij,nj->ni', attitude, self._shifts)
        turns = quaternion_product(instant.quaternion[self._rows], self._turns)
        for marker, place, turn in zip(self._shapes, places.tolist(), turns.tolist(), strict=True):
            write_vector(marker.pose.position, place)
            write_rotation(marker.pose.orientation, turn)
        contacts = instant.contacts
        self._points.points = [_point(place) for place in contacts.point.tolist()]
        # RViz warns of lists without points.
        self._points.action = Marker.ADD if len(contacts.pair) else Marker.DELETE
        self._draw_forces(contacts.point, contacts.force)
        message = self.topic.message
        message.markers = [*self._shapes, self._points, *self._arrows]
        for marker in message.markers:
            marker.header.stamp = time
        self.topic.send()

    def _draw_forces(self, points: Vector, forces: Vector) -> None:
        """Set arrows to the forces on B; unused ones are deleted."""
        while len(self._arrows) < len(points):
            arrow = self._marker('forces', len(self._arrows), Marker.ARROW, RED)
            write_vector(arrow.scale, (0.5 * POINT_SIZE, POINT_SIZE, 0.0))
            arrow.points = [Point(), Point()]
            self._arrows.append(arrow)
        sizes = np.sqrt((forces**2).sum(axis=1))
        self._largest = max([self._largest, *sizes.tolist()])
        scale = ARROW_LENGTH / self._largest if self._largest > 0.0 else 0.0
        for i, arrow in enumerate(self._arrows):
            drawn = i < len(points) and sizes[i] > 0.0
            arrow.action = Marker.ADD if drawn else Marker.DELETE
            if drawn:
                write_vector(arrow.points[0], points[i].tolist())
                write_vector(arrow.points[1], (points[i] + scale * forces[i]).tolist())

    def _marker(self, name: str, number: int, kind: int, colour: tuple[float, ...]) -> Marker:
        red, green, blue = colour
        marker = Marker(ns=name, id=number, type=kind, action=Marker.ADD)
        marker.header.frame_id = self._world
        marker.color = ColorRGBA(r=red, g=green, b=blue, a=0.9)
        return marker


def _pieces(shape: Any, dimension: int) -> list[Piece]:
    """Return the markers that make up a shape: most are one, a capsule is three."""
    return _MAKERS[shape.kind](shape, dimension)


def _piece(
    kind: int,
    scale: tuple[float, float, float],
    turn: Vector | None = None,
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
    points: list[Point] | None = None,
) -> Piece:
    return kind, scale, np.eye(3) if turn is None else turn, np.array(shift), points or []


def _disc(radius: float, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Piece:
    return _piece(Marker.CYLINDER, (2 * radius, 2 * radius, THICKNESS), shift=shift)


def _capsule(shape: Any, dimension: int) -> list[Piece]:
    radius, half = shape.radius, shape.half_length
    width = 2 * radius
    if dimension == 2:
        middle = _piece(Marker.CUBE, (2 * half, width, THICKNESS))
        return [middle, *(_disc(radius, (x, 0.0, 0.0)) for x in (-half, half))]
    ends = [_piece(Marker.SPHERE, (width,) * 3, shift=(0.0, 0.0, z)) for z in (-half, half)]
    return [_piece(Marker.CYLINDER, (width, width, 2 * half)), *ends]


def _polygon(shape: Any, dimension: int) -> list[Piece]:
    corners = [_point((x, y, 0.0)) for x, y in shape.vertices]
    points = []
    for i in range(1, len(corners) - 1):  # both sides: RViz shows one only
        points += [corners[0], corners[i], corners[i + 1]]
        points += [corners[0], corners[i + 1], corners[i]]
    return [_piece(Marker.TRIANGLE_LIST, (1.0, 1.0, 1.0), points=points)]


def _hull(shape: Any, dimension: int) -> list[Piece]:
    vertices = tuple((x, y, z) for x, y, z in map(numbers, shape.vertices))
    points = [_point(vertices[i]) for facet in hull_facets(vertices) for i in facet]
    return [_piece(Marker.TRIANGLE_LIST, (1.0, 1.0, 1.0), points=points)]


def _half_space(shape: Any, dimension: int) -> list[Piece]:
    """Return a slab under the surface: its z axis is the normal, and in the plane its y is z."""
    normal = np.array(numbers(shape.normal))
    helper = np.eye(3)[2 if dimension == 2 else int(np.argmin(np.abs(normal)))]
    second = helper - (helper @ normal) * normal
    second /= math.sqrt(second @ second)
    turn = np.stack([np.cross(second, normal), second, normal], axis=1)
    scale = (GROUND, THICKNESS if dimension == 2 else GROUND, SLAB)
    x, y, z = (float(shape.offset) - 0.5 * SLAB) * normal
    return [_piece(Marker.CUBE, scale, turn, (x, y, z))]


def _point(place: Any) -> Point:
    x, y, z = place
    return Point(x=float(x), y=float(y), z=float(z))


_MAKERS: dict[str, Callable[[Any, int], list[Piece]]] = {
    'circle': lambda s, _: [_disc(s.radius)],
    'rectangle': lambda s, _: [
        _piece(Marker.CUBE, (2 * s.half_extents[0], 2 * s.half_extents[1], THICKNESS))
    ],
    'polygon': _polygon,
    'capsule': _capsule,
    'half_space': _half_space,
    'sphere': lambda s, _: [_piece(Marker.SPHERE, (2 * s.radius,) * 3)],
    'box': lambda s, _: [_piece(Marker.CUBE, tuple(2 * x for x in s.half_extents))],
    'cylinder': lambda s, _: [
        _piece(Marker.CYLINDER, (2 * s.radius, 2 * s.radius, 2 * s.half_length))
    ],
    'convex_hull': _hull,
}
