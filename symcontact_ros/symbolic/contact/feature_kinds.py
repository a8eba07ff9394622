"""
Features of shapes in symbols: what of a shape can be nearest to another one.

Every feature is a point, a line, a plane, a circle or an ellipsoid, and a margin around it. A ball
is its centre with a margin; a face of a box is the plane through the origin of the body, moved out
by a margin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sm

from symcontact_ros.symbolic.contact.frames import Frame
from symcontact_ros.symbolic.recorder import negative, Recorder, Vector, ZERO

POINT, LINE, PLANE, RIM, ELLIPSOID = 'point', 'line', 'plane', 'rim', 'ellipsoid'


@dataclass(frozen=True)
class Feature:
    """A point, a line, a plane, a circle or an ellipsoid of a shape, in some frame."""

    form: str
    name: str  # as people call it: 'vertex 3'
    point: Vector  # on it; of a circle or an ellipsoid: its centre [m]
    direction: Vector  # unit: of a line, outwards of a plane, the axis of a circle; else 0
    margin: sm.Expr  # by how much the surface lies outside [m]
    radius: sm.Expr = ZERO  # of a circle [m]
    semi_axes: tuple[Vector, ...] = ()  # of an ellipsoid; two of an ellipse [m]

    @property
    def kind(self) -> str:
        """The name without its number: vertex, edge, face, sphere, ..."""
        return self.name.split()[0]

    def reversed(self) -> Feature:
        """Return the feature with the opposite direction."""
        return replace(self, direction=negative(self.direction))

    def on_body(self, r: Recorder, frame: Frame) -> Feature:
        """Return the feature in the frame of the body, in which the shape's own frame lies."""
        if self.form != PLANE:
            return self.placed(r, frame)
        turned = r.rotate(frame.rotation, self.direction)
        offset = r.name(self.margin + r.dot(turned, frame.position))
        return replace(self, direction=turned, margin=offset)

    def placed(self, r: Recorder, frame: Frame) -> Feature:
        """Return the feature of a body in the world."""
        turned = r.rotate(frame.rotation, self.direction)
        axes = tuple(r.rotate(frame.rotation, axis) for axis in self.semi_axes)
        return replace(self, point=frame.placed(r, self.point), direction=turned, semi_axes=axes)
