"""
The features of a shape in symbols: what of it can be nearest to another shape.

Every feature is a point, a line, a plane or a circle, and a margin around it. A ball is its centre
with a margin; a face of a box is the plane through the origin of the body, moved out by a margin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sm

from symcontact_ros.symbolic.contact.frames import Frame
from symcontact_ros.symbolic.recorder import negative, Recorder, Vector, ZERO

POINT, LINE, PLANE, RIM = 'point', 'line', 'plane', 'rim'


@dataclass(frozen=True)
class Feature:
    """A point, a line, a plane or a circle of a shape, in some frame."""

    form: str
    name: str  # as people call it: 'vertex 3'
    point: Vector  # on it; of a circle: its centre [m]
    direction: Vector  # unit: of a line, outwards of a plane, the axis of a circle; of points: 0
    margin: sm.Expr  # by how much the surface lies outside [m]
    radius: sm.Expr = ZERO  # of a circle [m]

    @property
    def kind(self) -> str:
        """The name without its number: vertex, edge, face, sphere, ..."""
        return self.name.split()[0]

    def reversed(self) -> Feature:
        """Return the feature with the opposite direction."""
        return replace(self, direction=negative(self.direction))

    def on_body(self, r: Recorder, frame: Frame) -> Feature:
        """Return the feature in the frame of the body, in which the shape's own frame lies."""
        turned = r.rotate(frame.rotation, self.direction)
        if self.form != PLANE:
            return replace(self, point=frame.placed(r, self.point), direction=turned)
        offset = r.name(self.margin + r.dot(turned, frame.position))
        return replace(self, direction=turned, margin=offset)

    def placed(self, r: Recorder, frame: Frame) -> Feature:
        """Return the feature of a body in the world."""
        turned = r.rotate(frame.rotation, self.direction)
        return replace(self, point=frame.placed(r, self.point), direction=turned)
