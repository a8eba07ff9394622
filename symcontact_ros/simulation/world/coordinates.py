"""Coordinates and speeds of a model from the state of its world, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import math
from typing import NamedTuple

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.simulation.equations.dynamics import Selection, selection
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.types import Vector


class Coordinates:
    """
    Conversion between q, u of the package and the state of a world.

    The state of a floating body is its centre of mass, its attitude in the world, and momenta;
    that of a group is its coordinates and speeds.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        model = self._model = layout.model
        starts, q, u = {}, 0, 0
        for body in model.moving:
            starts[body.name] = q, u
            q += body.joint.kind.coordinates
            u += body.joint.kind.speeds
        self.starts = starts
        self.counts = q, u
        # What belongs to groups, in the model and in the state.
        self.groups = [
            (_moved(group.q, layout.state_of_q), _moved(group.u, layout.state_of_u))
            for group in (layout.dynamics.groups[number] for number in layout.groups)
        ]
        # Where q and u are in the state; None: those of floating bodies follow from it.
        self.places = _all(q, layout.state_of_q), _all(u, layout.state_of_u)
        self._known: Values | None = None
        self._found: list[Constants] = []

    def state(self, q: Vector, u: Vector, values: Values) -> Vector:
        """Return the state of the world."""
        state = np.zeros(self._layout.state_size)
        make = _planar_state if self._model.dimension == 2 else _free_state
        for (first_q, first_u), constants, own in self._floating(state, values):
            own[:] = make(constants, q[first_q : first_q + 7], u[first_u : first_u + 6])
        for (own_q, q_places), (own_u, u_places) in self.groups:
            state[q_places] = q[own_q]
            state[u_places] = u[own_u]
        return state

    def q(self, state: Vector, values: Values) -> Vector:
        """Return the coordinates."""
        q = np.zeros(self.counts[0])
        place = _planar_place if self._model.dimension == 2 else _free_place
        for (first, _), constants, own in self._floating(state, values):
            found = place(constants, own)
            q[first : first + len(found)] = found
        for (own_q, q_places), _ in self.groups:
            q[own_q] = state[q_places]
        return q

    def u(self, state: Vector, values: Values) -> Vector:
        """Return the speeds."""
        u = np.zeros(self.counts[1])
        speeds = _planar_speeds if self._model.dimension == 2 else _free_speeds
        for (_, first), constants, own in self._floating(state, values):
            found = speeds(constants, own)
            u[first : first + len(found)] = found
        for _, (own_u, u_places) in self.groups:
            u[own_u] = state[u_places]
        return u

    def _floating(
        self, state: Vector, values: Values
    ) -> Iterator[tuple[tuple[int, int], Constants, Vector]]:
        """Yield first coordinate and speed, constants and state of all floating bodies."""
        size = self._layout.space.STATE
        constants = self._constants(values)
        for i, body in enumerate(self._layout.floating):
            yield self.starts[body.name], constants[i], state[size * i : size * (i + 1)]

    def frames(self, values: Values) -> list[bytes]:
        """Return marks of the frames in which coordinates of floating bodies are; equal: same."""
        constants = self._constants(values)
        return [own.rotation.tobytes() + own.position.tobytes() for own in constants]

    def _constants(self, values: Values) -> list[Constants]:
        """Return the constants of all floating bodies, found once for each set of values."""
        if values is not self._known:
            self._found = [
                constants_of(self._model, body, values) for body in self._layout.floating
            ]
            self._known = values
        return self._found


def _moved(own: tuple[int, ...], places: Mapping[int, int]) -> tuple[Selection, Selection]:
    """Return indices of a group's numbers in the model, and in the state."""
    return selection(own), selection(tuple(places[index] for index in own))


def _all(count: int, places: Mapping[int, int]) -> Selection | None:
    """Return where all numbers of the model are in the state; None: not all are in it."""
    if len(places) < count:
        return None
    return selection(tuple(places[index] for index in range(count)))


class Constants(NamedTuple):
    """Constants of a floating body."""

    rotation: Vector  # of the joint's frame in the world
    position: Vector
    heading: float  # of that frame [rad]
    upright: bool  # whether it has the axes of the world
    com: Vector
    inertia: Vector


def constants_of(model: Model, body: Body, values: Values) -> Constants:
    """Return the constants of a floating body, by the live symbols."""
    rotation, position = ground_pose(model, body, values)
    heading = math.atan2(rotation[1, 0], rotation[0, 0])
    upright = bool((rotation == np.eye(3)).all())
    com = np.array(evaluate_all(body.com, values))
    return Constants(rotation, position, heading, upright, com, inertia_of(body, values))


def _turn(angle: float) -> Vector:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _planar_state(body: Constants, q: Vector, u: Vector) -> Vector:
    angle = q[2] + body.heading
    arm = _turn(angle) @ body.com
    centre = body.position + body.rotation @ np.array([q[0], q[1], 0.0]) + arm
    velocity = body.rotation @ np.array([u[0], u[1], 0.0])
    velocity = velocity + u[2] * np.array([-arm[1], arm[0], 0.0])
    return np.array([centre[0], centre[1], angle, velocity[0], velocity[1], u[2]])


# For control loops plain floats are used where numpy's results are the same: they take less time.


def _planar_place(body: Constants, state: Vector) -> Vector:
    x, y, angle = state[:3].tolist()
    arm = _turn(angle) @ body.com
    origin = body.rotation.T @ (np.array([x, y, 0.0]) - arm - body.position)
    return np.array([*origin[:2].tolist(), angle - body.heading])


def _planar_speeds(body: Constants, state: Vector) -> Vector:
    _, _, angle, vx, vy, turn = state.tolist()
    arm = (_turn(angle) @ body.com).tolist()
    velocity = np.array([vx - turn * -arm[1], vy - turn * arm[0], 0.0 - turn * 0.0])
    velocity = body.rotation.T @ velocity
    return np.array([*velocity[:2].tolist(), turn])


def inertia_of(body: Body, values: Values) -> Vector:
    """Return the inertia of a body about its centre of mass, body axes [kg m^2]."""
    xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, values)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _free_state(body: Constants, q: Vector, u: Vector) -> Vector:
    attitude = body.rotation @ matrix(tuple(q[3:7]))
    centre = body.position + body.rotation @ q[:3] + attitude @ body.com
    velocity = attitude @ (u[:3] + np.cross(u[3:6], body.com))
    momentum = attitude @ (body.inertia @ u[3:6])
    quaternion = q[3:7] if body.upright else quaternion_of(attitude)
    return np.concatenate([centre, quaternion, velocity, momentum])


def _free_place(body: Constants, state: Vector) -> Vector:
    attitude = matrix(tuple(state[3:7].tolist()))
    origin = body.rotation.T @ (state[:3] - attitude @ body.com - body.position)
    quaternion = state[3:7] if body.upright else quaternion_of(body.rotation.T @ attitude)
    return np.concatenate([origin, quaternion])


def _free_speeds(body: Constants, state: Vector) -> Vector:
    attitude = matrix(tuple(state[3:7].tolist()))
    turn = np.linalg.solve(body.inertia, attitude.T @ state[10:13])
    velocity = (attitude.T @ state[7:10]).tolist()
    across = _cross(turn.tolist(), body.com.tolist())
    return np.array([*(v - w for v, w in zip(velocity, across, strict=True)), *turn.tolist()])


def _cross(a: list[float], b: list[float]) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
