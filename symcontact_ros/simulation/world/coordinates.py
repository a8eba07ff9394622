"""Coordinates and speeds of a model from the state of its world, and the reverse."""

from __future__ import annotations

from collections.abc import Mapping
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
        constants = self._constants(values)
        for i, body in enumerate(self._layout.floating):
            first_q, first_u = self.starts[body.name]
            size = self._layout.space.STATE
            make = _planar_state if self._model.dimension == 2 else _free_state
            state[size * i : size * (i + 1)] = make(
                constants[i], q[first_q : first_q + 7], u[first_u : first_u + 6]
            )
        for (own_q, q_places), (own_u, u_places) in self.groups:
            state[q_places] = q[own_q]
            state[u_places] = u[own_u]
        return state

    def coordinates(self, state: Vector, values: Values) -> tuple[Vector, Vector]:
        """Return q and u."""
        q, u = np.zeros(self.counts[0]), np.zeros(self.counts[1])
        constants = self._constants(values)
        for i, body in enumerate(self._layout.floating):
            first_q, first_u = self.starts[body.name]
            size = self._layout.space.STATE
            make = _planar_coordinates if self._model.dimension == 2 else _free_coordinates
            place, speeds = make(constants[i], state[size * i : size * (i + 1)])
            q[first_q : first_q + len(place)] = place
            u[first_u : first_u + len(speeds)] = speeds
        for (own_q, q_places), (own_u, u_places) in self.groups:
            q[own_q] = state[q_places]
            u[own_u] = state[u_places]
        return q, u

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


def _planar_coordinates(body: Constants, state: Vector) -> tuple[Vector, Vector]:
    x, y, angle, vx, vy, turn = state
    arm = _turn(angle) @ body.com
    origin = body.rotation.T @ (np.array([x, y, 0.0]) - arm - body.position)
    velocity = np.array([vx, vy, 0.0]) - turn * np.array([-arm[1], arm[0], 0.0])
    velocity = body.rotation.T @ velocity
    return np.array([*origin[:2], angle - body.heading]), np.array([*velocity[:2], turn])


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


def _free_coordinates(body: Constants, state: Vector) -> tuple[Vector, Vector]:
    attitude = matrix(tuple(state[3:7]))
    turn = np.linalg.solve(body.inertia, attitude.T @ state[10:13])
    velocity = attitude.T @ state[7:10] - np.cross(turn, body.com)
    origin = body.rotation.T @ (state[:3] - attitude @ body.com - body.position)
    quaternion = state[3:7] if body.upright else quaternion_of(body.rotation.T @ attitude)
    return np.concatenate([origin, quaternion]), np.concatenate([velocity, turn])
