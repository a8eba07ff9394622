"""
Markers for RViz: shapes, contact points, and arrows of contact forces.

All are in the world frame at the stamp of the instant, consistent with /tf. Namespaces and ids of
markers are constant; unused ones are deleted. Ground with very many triangles takes a tenth of a
second to send: it is sent when somebody begins to listen or something has changed, and now and
then.
"""

from __future__ import annotations

from typing import Any

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Point
from std_msgs.msg import ColorRGBA
from visualization_msgs.msg import Marker, MarkerArray

from symcontact_ros.expressions import Values
from symcontact_ros.model.model import Model
from symcontact_ros.recording.marker_scene import (
    ForceArrows,
    OPACITY,
    POINT_SIZE,
    RED,
    ScenePieces,
    YELLOW,
)
from symcontact_ros.ros.conversions import nanoseconds, write_rotation, write_vector
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.types import Vector

LARGE = 3000  # corners of a fixed piece that is not sent with every message
LARGE_PERIOD = 10_000_000_000  # [ns simulated] at least from one to the next


class Markers:
    """
    `~/markers`.

    Attributes
    ----------
    heard
        Subscribers that have got the large pieces.

    """

    def __init__(self, topics: Topics, model: Model, world: str, values: Values) -> None:
        self.topic = topics.add(MarkerArray(), '~/markers')
        self._model = model
        self._world = world
        self._scale = ForceArrows()
        self._all_sent = 0  # when [ns]
        self._points = self._marker('contacts', 0, Marker.SPHERE_LIST, YELLOW)
        write_vector(self._points.scale, (POINT_SIZE,) * 3)
        self.arrows: list[Marker] = []
        self.gone: list[Marker] = []  # to be deleted with the next message
        self.refresh(values)

    def refresh(self, values: Values) -> None:
        """Take the sizes of shapes from the live symbols."""
        self._values = values
        self._scene: ScenePieces | None = None  # made when somebody listens
        self.shapes: list[Marker] = []
        self.heard = 0

    def _make(self) -> ScenePieces:
        """Make the pieces and their markers, unless they are there."""
        if self._scene is None:
            self._scene = ScenePieces(self._model, self._values)
            for piece in self._scene.pieces:
                kind = getattr(Marker, piece.piece.kind)
                marker = self._marker(piece.body, piece.number, kind, piece.colour)
                write_vector(marker.scale, piece.piece.scale)
                marker.points = [_point(corner) for corner in piece.piece.corners]
                self.shapes.append(marker)
        return self._scene

    def delete(self, before: Markers) -> None:
        """Delete, with the next message, what only the markers of a model before have shown."""
        shown = [*before.gone, *before.shapes, *before.arrows]
        if shown:  # or nobody has listened
            self._make()
        own = {(marker.ns, marker.id) for marker in self.shapes}
        self.gone = [marker for marker in shown if (marker.ns, marker.id) not in own]
        for marker in self.gone:
            marker.action, marker.points = Marker.DELETE, []

    def publish(self, instant: Instant, time: Time) -> None:
        """Send all markers."""
        places, turns = self._make().poses(instant)
        for marker, place, turn in zip(self.shapes, places.tolist(), turns.tolist(), strict=True):
            write_vector(marker.pose.position, place)
            write_rotation(marker.pose.orientation, turn)
        contacts = instant.contacts
        self._points.points = [_point(place) for place in contacts.point.tolist()]
        # RViz warns of lists without points.
        self._points.action = Marker.ADD if len(contacts.pair) else Marker.DELETE
        self._draw_forces(contacts.point, contacts.force)
        message = self.topic.message
        # Those that are gone first: an arrow may be there again.
        all_due = self._all_due(time)
        shapes = [marker for marker in self.shapes if all_due or self._is_light(marker)]
        message.markers = [*self.gone, *shapes, self._points, *self.arrows]
        self.gone = []
        for marker in message.markers:
            marker.header.stamp = time
        self.topic.send()

    def _all_due(self, time: Time) -> bool:
        """Return whether to send also the large pieces that do not move."""
        now = nanoseconds(time)
        is_due = self.topic.listeners > self.heard or abs(now - self._all_sent) >= LARGE_PERIOD
        if is_due:
            self._all_sent = now
        self.heard = self.topic.listeners
        return is_due

    def _is_light(self, marker: Marker) -> bool:
        return len(marker.points) < LARGE or marker.ns not in self._model.grounded

    def _draw_forces(self, points: Vector, forces: Vector) -> None:
        """Set arrows to the forces on B; unused ones are deleted."""
        while len(self.arrows) < len(points):
            arrow = self._marker('forces', len(self.arrows), Marker.ARROW, RED)
            write_vector(arrow.scale, (0.5 * POINT_SIZE, POINT_SIZE, 0.0))
            arrow.points = [Point(), Point()]
            self.arrows.append(arrow)
        heads = self._scale.ends(points, forces)
        for i, arrow in enumerate(self.arrows):
            head = heads[i] if i < len(heads) else None
            arrow.action = Marker.DELETE if head is None else Marker.ADD
            if head is not None:
                write_vector(arrow.points[0], points[i].tolist())
                write_vector(arrow.points[1], head.tolist())

    def _marker(self, name: str, number: int, kind: int, colour: tuple[float, ...]) -> Marker:
        red, green, blue = colour
        marker = Marker(ns=name, id=number, type=kind, action=Marker.ADD)
        marker.header.frame_id = self._world
        marker.color = ColorRGBA(r=red, g=green, b=blue, a=OPACITY)
        return marker


def _point(place: Any) -> Point:
    x, y, z = place
    return Point(x=float(x), y=float(y), z=float(z))
