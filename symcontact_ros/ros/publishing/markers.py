"""
Markers for RViz: shapes, contact points, and arrows of contact forces.

All are in the world frame at the stamp of the instant, consistent with /tf. Namespaces and ids of
markers are constant; unused ones are deleted.
"""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
import numpy as np
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.ros.conversions import quaternion_product, write_rotation, write_vector
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.types import Vector

ARROW_LENGTH = 0.5  # [m] of the largest force seen so far
POINT_SIZE = 0.02  # [m]
PALETTE = ((0.22, 0.49, 0.72), (0.89, 0.45, 0.16), (0.30, 0.63, 0.33), (0.60, 0.40, 0.70))
GREY, RED, YELLOW = (0.6, 0.6, 0.6), (0.85, 0.1, 0.1), (0.95, 0.8, 0.1)


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
        moving, dimension = 0, self._model.dimension
        for row, body in enumerate(self._model.bodies):
            fixed = body.name in self._model.grounded
            colour = GREY if fixed else PALETTE[moving % len(PALETTE)]
            moving += not fixed
            pieces = [
                (placed, piece)
                for placed in body.shapes
                for piece in placed.shape.evaluated(values).marker_pieces(dimension)
            ]
            for i, (placed, piece) in enumerate(pieces):
                marker = self._marker(body.name, i, getattr(Marker, piece.kind), colour)
                write_vector(marker.scale, piece.scale)
                marker.points = [_point(corner) for corner in piece.corners]
                self._shapes.append(marker)
                rotation = matrix(placed.placement.rotation.evaluated(values))
                offset = np.array(evaluate_all(placed.placement.position, values))
                turned = quaternion_of(rotation @ np.array(piece.turn))
                places.append((row, turned, offset + rotation @ np.array(piece.shift)))
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


def _point(place: Any) -> Point:
    x, y, z = place
    return Point(x=float(x), y=float(y), z=float(z))
