"""Part that all joint types with one degree of freedom share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import Frame, Initial, ReadRotation
from symcontact_ros.placements import NO_TURN

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Entry


class SingleJoint(JointType):
    """A joint with one coordinate q and its rate u, in rad or m; ``unit`` says which."""

    coordinate_names = ('q',)
    speed_names = ('u',)
    tangent_names = ('',)
    dimensions = (2, 3)

    def read_initial(self, entry: Entry, dimension: int, rotation: ReadRotation) -> Initial:
        """Read ``position`` [rad or m] and ``velocity`` [rad/s or m/s], a number each."""
        position, velocity = entry.number('position', 0.0), entry.number('velocity', 0.0)
        return Initial((position,), NO_TURN, (velocity,))

    def start(
        self, initial: Initial, values: Values, frame: Frame
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return q and u at the start, which are what the model file gives."""
        position = evaluate_all(initial.position, values)
        velocity = evaluate_all(initial.velocity, values)
        return position or (0.0,), velocity or (0.0,)
