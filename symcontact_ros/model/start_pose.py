"""
Poses and inertias of a model where it starts, in numbers.

Building and checking a model needs them before any equation is derived: where its shapes are, how
heavy a joint is to move, whether the mass matrix can be inverted.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate, evaluate_all, Values
from symcontact_ros.joints.joint_motion import JointNumbers
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import matrix
from symcontact_ros.shapes.base import Shape
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model

Frame = tuple[Vector, Vector]  # rotation 3 x 3 and position [m] in the world
# Speeds that move a joint; its linear and angular columns, 3 x speeds.
Columns = tuple[slice, Vector, Vector]


class StartPose:
    """
    A model at the start, or at any other q.

    Parameters
    ----------
    model
        The model.
    values
        Values of its live symbols; default: those of the model.
    q
        Coordinates; default: where the model starts.

    """

    def __init__(
        self, model: Model, values: Values | None = None, q: Vector | None = None
    ) -> None:
        self.model = model
        self.values = model.parameters if values is None else values
        self.q = initial_state(model, self.values)[0] if q is None else q
        self._places = JointPlaces(model)

    @cached_property
    def frames(self) -> dict[str, Frame]:
        """Rotation and position [m] in the world of every body's frame, by name."""
        frames: dict[str, Frame] = {WORLD: (np.eye(3), np.zeros(3))}
        for body in self.model.bodies:
            joint = body.joint
            own = self._places.coordinates(body, self.q, self.values).tolist()
            rotation, position = self._joint_frame(body, frames)
            constants = evaluate_all(joint.constants, self.values)
            turn, shift = joint.kind.pose(own, evaluate_all(joint.axis, self.values), constants)
            frames[body.name] = (rotation @ turn, position + rotation @ shift)
        return frames

    def shapes(self, body: str) -> Iterator[tuple[Shape, Vector, Vector]]:
        """Yield the shapes of a body in numbers, with rotation and position [m] in the world."""
        rotation, position = self.frames[body]
        for placed in self.model.body(body).shapes:
            shift = np.array(evaluate_all(placed.placement.position, self.values))
            turn = matrix(placed.placement.rotation.evaluated(self.values))
            shape = placed.shape.evaluated(self.values)
            yield shape, rotation @ turn, position + rotation @ shift

    @cached_property
    def mass_matrix(self) -> Vector:
        """The mass matrix, armature included: speeds x speeds [kg, kg m, kg m^2]."""
        count = self.model.speed_count
        matrix_sum = np.zeros((count, count))
        for body in self.model.bodies:
            rotation, position = self.frames[body.name]
            mass, *com = evaluate_all((body.mass, *body.com), self.values)
            xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, self.values)
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            if mass or inertia.any():
                linear, angular = self.jacobian(body.name, position + rotation @ np.array(com))
                turn = rotation.T @ angular
                matrix_sum += mass * linear.T @ linear + turn.T @ inertia @ turn
            if body.joint.kind.is_single:
                own, factor = self._columns[body.name][0], multiplier_of(body, self.values)
                armature = evaluate(body.joint.armature, self.values)
                matrix_sum[own, own] += factor * factor * armature
        return matrix_sum

    def inertia_at(self, joint: str) -> float:
        """Return the inertia that a joint moves, all others held [kg m^2 or kg]."""
        speed = self.speed(joint)
        return float(self.mass_matrix[speed, speed])

    def free_inertia_at(self, joint: str) -> float:
        """Return the inertia that a joint moves, all others free: what a stop feels."""
        speed = self.speed(joint)
        mobility = self._inverse[speed, speed]
        return float(1.0 / mobility) if 0.0 < mobility < np.inf else self.inertia_at(joint)

    def weight_at(self, joint: str) -> float:
        """Return the most effort that gravity can need of a joint, turned any way [N m or N]."""
        body = next(b for b in self.model.moving if b.joint.name == joint)
        turns = self._columns[body.name][2]
        mass, moment = 0.0, np.zeros(3)
        for other in self._carried(body.name):
            rotation, position = self.frames[other.name]
            own_mass, *com = evaluate_all((other.mass, *other.com), self.values)
            arm = position + rotation @ np.array(com) - self.frames[body.name][1]
            mass, moment = mass + own_mass, moment + own_mass * arm
        gravity = np.linalg.norm(evaluate_all(self.model.gravity, self.values))
        lever = np.linalg.norm(np.cross(turns[:, 0], moment)) if turns.any() else mass
        return float(gravity * lever)

    def _carried(self, body: str) -> list[Body]:
        """Return a body and all that hangs on it; parents come first in a model."""
        names, found = {body}, []
        for other in self.model.bodies:
            if other.name in names or other.joint.parent in names:
                names.add(other.name)
                found.append(other)
        return found

    @cached_property
    def _inverse(self) -> Vector:
        """The inverse of the mass matrix; not a number where there is none."""
        try:
            return np.asarray(np.linalg.inv(self.mass_matrix), dtype=float)
        except np.linalg.LinAlgError:
            return np.full_like(self.mass_matrix, np.nan)

    def speed(self, joint: str) -> int:
        """Return the index in u of the speed of a joint with one degree of freedom."""
        own = next(self._columns[b.name][0] for b in self.model.moving if b.joint.name == joint)
        return int(own.start)

    def jacobian(self, body: str, point: Vector) -> tuple[Vector, Vector]:
        """Return linear and angular Jacobian, 3 x speeds each, of a point that a body carries."""
        linear = np.zeros((3, self.model.speed_count))
        angular = np.zeros((3, self.model.speed_count))
        name = body
        while name != WORLD:
            own, moves, turns = self._columns[name]
            arm = point - self.frames[name][1]
            linear[:, own] += moves + np.cross(turns, arm, axisa=0, axisc=0)
            angular[:, own] += turns
            name = self.model.body(name).joint.parent
        return linear, angular

    @cached_property
    def _columns(self) -> dict[str, Columns]:
        columns: dict[str, Columns] = {}
        for body in self.model.bodies:
            kind = body.joint.kind
            linear, angular = np.zeros((3, 0)), np.zeros((3, 0))
            if not kind.is_fixed:
                rotation = self._joint_frame(body, self.frames)[0]
                numbers = JointNumbers(
                    np.array(evaluate_all(body.joint.axis, self.values)),
                    evaluate_all(body.joint.constants, self.values),
                    self.frames[body.name][0],
                    partial(_given, rotation),
                )
                factor = multiplier_of(body, self.values)
                linear, angular = (factor * part for part in kind.columns(numbers))
            columns[body.name] = (self._places.u[body.name], linear, angular)
        return columns

    def _joint_frame(self, body: Body, frames: dict[str, Frame]) -> Frame:
        """Return the frame in which the joint moves its body."""
        origin = body.joint.origin
        rotation, position = frames[body.joint.parent]
        shift = np.array(evaluate_all(origin.position, self.values))
        turn = matrix(origin.rotation.evaluated(self.values))
        return rotation @ turn, position + rotation @ shift


def _given(rotation: Vector) -> Vector:
    return rotation
