"""Places of the joints of a model in q and u; those of a follower are its leader's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.model.parts import Body
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model


class JointPlaces:
    """
    Coordinates and speeds of every joint, from those of the model.

    Attributes
    ----------
    q, u
        Where the coordinates and speeds of the joint of a body are, by the body's name.

    """

    def __init__(self, model: Model) -> None:
        self.q: dict[str, slice] = {}
        self.u: dict[str, slice] = {}
        at, rate_at = 0, 0
        for body in model.bodies:
            self.q[body.name] = slice(at, at + body.joint.coordinates)
            self.u[body.name] = slice(rate_at, rate_at + body.joint.speeds)
            at, rate_at = self.q[body.name].stop, self.u[body.name].stop
        bodies = {body.joint.name: body.name for body in model.moving}
        for body in model.jointed:
            if body.joint.mimic is not None:
                leader = bodies[body.joint.mimic.joint]
                self.q[body.name], self.u[body.name] = self.q[leader], self.u[leader]

    def coordinates(self, body: Body, q: Vector, values: Values) -> Vector:
        """Return the coordinates of the joint of a body."""
        own = q[self.q[body.name]]
        mimic = body.joint.mimic
        if mimic is None:
            return own
        return evaluate(mimic.multiplier, values) * own + evaluate(mimic.offset, values)

    def speeds(self, body: Body, u: Vector, values: Values) -> Vector:
        """Return the speeds of the joint of a body, or their rates."""
        own = u[self.u[body.name]]
        return own if body.joint.mimic is None else multiplier_of(body, values) * own


def multiplier_of(body: Body, values: Values) -> float:
    """Return how much the joint of a body moves with the speed at its place; 1 of its own."""
    mimic = body.joint.mimic
    return 1.0 if mimic is None else evaluate(mimic.multiplier, values)
