"""Jacobians in numbers, from the poses of the joints in the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial

import numpy as np

from symcontact_ros.errors import no_such
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.joint_motion import JointNumbers
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import AT_ORIGIN, matrix, Placement
from symcontact_ros.simulation.equations.dynamics import Dynamics, Kinematics
from symcontact_ros.types import Vector

Motions = Mapping[str, Kinematics]  # of the bodies that belong to moving trees


def numeric_jacobian(dynamics: Dynamics, frame: str, q: Vector, u: Vector) -> Vector:
    """Return the 6 x nu Jacobian of a body's origin or of a site, world axes."""
    model = dynamics.model
    body, placement = frame_of(model, frame)
    motions = dynamics.kinematics(q, u)
    if body.name not in motions:
        return np.zeros((6, len(u)))  # it never moves
    here = motions[body.name]
    offset = np.array(evaluate_all(placement.position, model.parameters))
    point = np.array(here.position) + np.reshape(here.rotation, (3, 3)) @ offset
    return point_jacobian(model, motions, model.parameters, body.name, point)


def point_jacobian(
    model: Model, motions: Motions, values: Values, body: str, point: Vector
) -> Vector:
    """Return the 6 x nu Jacobian of a point of the world that moves with a body, world axes."""
    jacobian = np.zeros((6, model.speed_count))
    if body not in motions:
        return jacobian  # it never moves
    places = JointPlaces(model)
    at: Body | None = model.body(body)
    while at is not None:
        if not at.joint.kind.is_fixed:
            own, factor = places.u[at.name], multiplier_of(at, values)
            linear, angular = joint_columns(at, motions, values)
            arm = point - np.array(motions[at.name].position)
            jacobian[:3, own] += factor * (linear + np.cross(angular, arm, axisa=0, axisc=0))
            jacobian[3:, own] += factor * angular
        at = model.body(at.joint.parent) if at.joint.parent != WORLD else None
    return jacobian


class InstantJacobians:
    """
    Jacobians of one instant, computed at the first use of one of them.

    Until then it costs a copy of the state, so that the result does not depend on the time of
    that use.
    """

    def __init__(
        self,
        model: Model,
        values: Values,
        state: Vector,
        motions: Callable[[Vector, Values], Motions],
    ) -> None:
        self._model = model
        self._values = values
        self._state = state
        self._motions_in = motions

    @cached_property
    def _motions(self) -> Motions:
        return self._motions_in(self._state, self._values)

    def __call__(self, body_a: str, body_b: str, point: Vector) -> Vector:
        """Return the 3 x nu Jacobian of the velocity of B relative to A at a point."""
        of_a, of_b = (
            point_jacobian(self._model, self._motions, self._values, body, point)[:3]
            for body in (body_a, body_b)
        )
        relative: Vector = of_b - of_a
        return relative

    def __deepcopy__(self, memo: object) -> InstantJacobians:
        return self  # it never changes


def frame_of(model: Model, frame: str) -> tuple[Body, Placement]:
    """Return the body that a frame is on, and where; OptionError if there is none."""
    for body in model.bodies:
        if body.name == frame:
            return body, AT_ORIGIN
        if frame in body.sites:
            return body, body.sites[frame]
    known = [*model.body_names, *(site for body in model.bodies for site in body.sites)]
    raise no_such('body or site', frame, known)


def joint_columns(body: Body, motions: Motions, values: Values) -> tuple[Vector, Vector]:
    """Return linear and angular velocity of the body origin per unit of each speed."""
    return body.joint.kind.columns(joint_numbers(body, motions, values))


def joint_numbers(body: Body, motions: Motions, values: Values) -> JointNumbers:
    """Return the joint of a body as its type needs it."""
    return JointNumbers(
        np.array(body.joint.axis, dtype=float),
        evaluate_all(body.joint.constants, values),
        np.reshape(motions[body.name].rotation, (3, 3)),
        partial(_joint_attitude, body, motions, values),
    )


def _joint_attitude(body: Body, motions: Motions, values: Values) -> Vector:
    """Return the axes of the joint frame in the world."""
    attitude = np.eye(3)
    if body.joint.parent in motions:
        attitude = np.reshape(motions[body.joint.parent].rotation, (3, 3))
    turn = matrix(body.joint.origin.rotation.evaluated(values))
    joint: Vector = attitude @ turn
    return joint
