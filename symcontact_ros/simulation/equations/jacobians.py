"""Jacobians in numbers, from the poses of the joints in the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
import math
from typing import Any

import numpy as np

from symcontact_ros.errors import no_such
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.joint_motion import JointNumbers
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available
from symcontact_ros.kernels.on_demand import KernelOnDemand
from symcontact_ros.kernels.records import Image
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import AT_ORIGIN, matrix, Placement
from symcontact_ros.simulation.equations.dynamics import Dynamics, Kinematics, Selection
from symcontact_ros.simulation.equations.jacobian_kernel import JacobianRecord, write_jacobian
from symcontact_ros.types import Vector

Motions = Mapping[str, Kinematics]  # of the bodies that belong to moving trees
# The fields of `Column`: speed, link of the axes, link of the origin, linear, angular.
Part = tuple[int, int, int, Vector, Vector]


class Jacobians:
    """
    Jacobians of a model at constant live symbols, from any thread: 6 x nu, world axes.

    Linear velocity [m/s], then angular [rad/s]: J u is the velocity. Every call returns an array
    of its own.
    """

    def __init__(self, dynamics: Dynamics) -> None:
        self.values = dynamics.values
        self._dynamics = dynamics.with_values(dynamics.values)  # nobody else changes these
        # Compiled at once: that takes no longer than ten calls in plain Python.
        self._kernel = KernelOnDemand(
            write_jacobian, [JacobianRecord], Cache(), available(), spent=math.inf
        )
        self._bodies: dict[str, _BodyJacobian] = {}
        self._frames: dict[str, tuple[_BodyJacobian, tuple[float, ...]]] = {}

    def of_frame(self, frame: str, q: Vector) -> Vector:
        """Return the Jacobian of a body's origin, or of a site; OptionError suggests a name."""
        if frame not in self._frames:
            body, placement = frame_of(self._dynamics.model, frame)
            offset = evaluate_all(placement.position, self.values)
            self._frames[frame] = self._of_body(body.name), offset
        body_jacobian, offset = self._frames[frame]
        return body_jacobian(q, offset, False)

    def of_point(self, body: str, q: Vector, point: Vector) -> Vector:
        """Return the Jacobian of a point of the world [m] that moves with a body."""
        return self._of_body(body)(q, tuple(point.tolist()), True)

    def _of_body(self, name: str) -> _BodyJacobian:
        if name not in self._bodies:
            self._bodies[name] = _BodyJacobian(self._dynamics, name, self._kernel)
        return self._bodies[name]


class _BodyJacobian:
    """Jacobians of the points of a body."""

    def __init__(self, dynamics: Dynamics, body: str, kernel: KernelOnDemand) -> None:
        self._dynamics = dynamics
        self._kernel = kernel
        self._speeds = dynamics.speed_count
        self._place = dynamics.places.get(body)
        self._moves = self._place is not None and self._place.moving >= 0
        self._parts = list(_parts_of(dynamics, body)) if self._moves else []
        # Taken and put back like the memory of `kernels.functions`: no two threads share one.
        self._idle: list[_Memory] = []

    def __call__(self, q: Vector, point: tuple[float, ...], is_in_world: bool) -> Vector:
        """Return the Jacobian of a point in the world, or in the frame of the body."""
        if not self._moves:
            return np.zeros((6, self._speeds))
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = self._new_memory()
        memory.q[:] = q[memory.own]
        record = memory.image.record
        record.point = point  # type: ignore[assignment]
        record.is_in_world = is_in_world
        self._kernel.run(memory.addresses, memory.plain)
        jacobian: Vector = memory.jacobian.copy()
        self._idle.append(memory)
        return jacobian

    def _new_memory(self) -> _Memory:
        assert self._place is not None
        dynamics, group = self._dynamics, self._place.group
        function = dynamics.functions[group].function('motion', 'kinematics')
        counts = {**function.arguments, **function.results}
        counts |= {'columns': len(self._parts), 'jacobian': 6 * self._speeds}
        image: Image[JacobianRecord] = Image(JacobianRecord, counts)
        image['constants'][:] = dynamics.constants(group, 'motion')
        image.record.kinematics = function.register()
        image.record.link = self._place.index
        image.record.speeds = self._speeds
        for row, part in zip(image['columns'], self._parts, strict=True):
            row['speed'], row['link'], row['origin'], row['linear'], row['angular'] = part
        return _Memory(image, dynamics.own_q(group), self._speeds)


class _Memory:
    """Memory of one call."""

    def __init__(self, image: Image[JacobianRecord], own: Selection, speeds: int) -> None:
        self.image = image
        self.own = own  # coordinates of the model that are the group's
        self.q = image['q']
        self.jacobian = image['jacobian'].reshape(6, speeds)
        self.addresses = (image.memory.ctypes.data,)

    def plain(self) -> tuple[Any, ...]:
        """Return the argument of the kernel in plain Python."""
        return (self.image.record,)


def _parts_of(dynamics: Dynamics, body: str) -> Iterator[Part]:
    """Yield the parts of the columns of all joints that carry a body."""
    model = dynamics.model
    places = JointPlaces(model)
    links = {name: i for i, name in enumerate(dynamics.groups[dynamics.places[body].group].bodies)}
    at = body
    while at != WORLD:
        carried = model.body(at)
        parent = links.get(carried.joint.parent, -1)
        if not carried.joint.kind.is_fixed:
            first = places.u[at].start
            yield from _joint_parts(carried, links[at], parent, first, dynamics.values)
        at = carried.joint.parent


def _joint_parts(body: Body, link: int, parent: int, first: int, values: Values) -> Iterator[Part]:
    """
    Yield the parts of the columns of a joint, in axes of its body and of its parent.

    Columns are linear in the axes of the body and of the joint frame: with one of the two at zero
    they are what is constant in the other. Those of a follower add to its leader's.
    """
    factor = multiplier_of(body, values)
    none, own = np.zeros((3, 3)), np.eye(3)
    turn = matrix(body.joint.origin.rotation.evaluated(values))
    axis, constants = np.array(body.joint.axis, float), evaluate_all(body.joint.constants, values)
    for axes, attitude, frame in ((link, own, none), (parent, none, turn)):
        joint = JointNumbers(axis, constants, attitude, lambda frame=frame: frame)  # type: ignore[misc]
        linear, angular = body.joint.kind.columns(joint)
        for i in range(body.joint.kind.speeds):
            if linear[:, i].any() or angular[:, i].any():
                yield first + i, axes, link, factor * linear[:, i], factor * angular[:, i]


class InstantJacobians:
    """
    Jacobians of one instant, computed at the first use of one of them.

    Until then it costs a copy of the state, so that the result does not depend on the time of
    that use.
    """

    def __init__(
        self,
        state: Vector,
        values: Values,
        at: Callable[[Vector, Values], tuple[Jacobians, Vector]],
    ) -> None:
        self._state = state
        self._values = values
        self._at = at

    @cached_property
    def _now(self) -> tuple[Jacobians, Vector]:
        return self._at(self._state, self._values)

    def __call__(self, body_a: str, body_b: str, point: Vector) -> Vector:
        """Return the 3 x nu Jacobian of the velocity of B relative to A at a point."""
        jacobians, q = self._now
        of_a, of_b = (jacobians.of_point(body, q, point)[:3] for body in (body_a, body_b))
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


def joint_numbers(body: Body, motions: Motions, values: Values) -> JointNumbers:
    """Return the joint of a body at an instant as its type needs it."""
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
