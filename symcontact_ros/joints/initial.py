"""Initial values of a body, as a model file gives them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symcontact_ros.expressions import is_nonzero, Scalar
from symcontact_ros.placements import NO_TURN, Rotation, Triple, ZERO
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.joints.interfaces import Entry

Frame = Callable[[], tuple[Vector, Vector]]  # rotation and position of the joint frame, world
ReadRotation = Callable[[int], Rotation]  # read for a dimension: `angle` (2), `rpy`, `quaternion`


def check_flat(entry: Entry, key: str, vector: Triple) -> None:
    """Gather a fault of a vector out of the plane; one that has a fault already is NaN."""
    if is_nonzero(vector[2]):
        turned = '; a body is turned by `angle`' if key == 'position' else ''
        entry.fault(key, f'z must be 0 in a planar model{turned}')


@dataclass(frozen=True)
class Initial:
    """Initial values of a body; which fields count depends on the type of its joint."""

    position: tuple[Scalar, ...] = ()  # of the origin [m]; of 1-DOF joints: (q,)
    rotation: Rotation = NO_TURN
    velocity: tuple[Scalar, ...] = ()  # of the origin, world axes [m/s]; 1-DOF joints: (u,)
    angular_velocity: Triple = ZERO  # world axes [rad/s]
    is_given: bool = False  # by the model file; otherwise the body starts at q = 0


AT_REST = Initial()  # at q = 0
