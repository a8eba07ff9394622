"""Coordinates and speeds of a model, and the state of the loop, each made of the other."""

from __future__ import annotations

from collections.abc import Mapping
import math

import numpy as np

from symcontact_ros.model.expressions import evaluate, evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, COORDINATES, SPEEDS
from symcontact_ros.simulation.dynamics import Kinematics
from symcontact_ros.simulation.ledger import Momentum
from symcontact_ros.simulation.state import ground_pose, matrix, quaternion_of
from symcontact_ros.simulation.tables import Tables
from symcontact_ros.types import Vector


class Coordinates:
    """
    The way between q, u of the package and the numbers of the loop.

    The loop keeps the centre of mass, the attitude in the world, and momenta of loose bodies; what
    belongs to groups is the same in both.
    """

    def __init__(self, model: Model, tables: Tables) -> None:
        self._model = model
        self._tables = tables
        starts, q, u = {}, 0, 0
        for body in model.moving:
            starts[body.name] = q, u
            q += COORDINATES[body.joint.type]
            u += SPEEDS[body.joint.type]
        self._starts = starts
        self._counts = q, u

    def state(self, q: Vector, u: Vector, values: Values) -> Vector:
        """Return the state of the loop."""
        state = np.zeros(self._tables.state_size)
        for i, body in enumerate(self._tables.loose):
            first_q, first_u = self._starts[body.name]
            size = self._tables.space.STATE
            make = _planar_state if self._model.dimension == 2 else _free_state
            state[size * i : size * (i + 1)] = make(
                self._model, body, q[first_q : first_q + 7], u[first_u : first_u + 6], values
            )
        for index, place in self._tables.state_of_q.items():
            state[place] = q[index]
        for index, place in self._tables.state_of_u.items():
            state[place] = u[index]
        return state

    def coordinates(self, state: Vector, values: Values) -> tuple[Vector, Vector]:
        """Return q and u."""
        q, u = np.zeros(self._counts[0]), np.zeros(self._counts[1])
        for i, body in enumerate(self._tables.loose):
            first_q, first_u = self._starts[body.name]
            size = self._tables.space.STATE
            make = _planar_coordinates if self._model.dimension == 2 else _free_coordinates
            own_q, own_u = make(self._model, body, state[size * i : size * (i + 1)], values)
            q[first_q : first_q + len(own_q)] = own_q
            u[first_u : first_u + len(own_u)] = own_u
        for index, place in self._tables.state_of_q.items():
            q[index] = state[place]
        for index, place in self._tables.state_of_u.items():
            u[index] = state[place]
        return q, u

    def momentum(
        self, state: Vector, bodies: Mapping[str, Kinematics], values: Values
    ) -> Momentum:
        """Return the momentum of all that moves, about the world origin."""
        linear, angular = np.zeros(3), np.zeros(3)
        grounded = self._model.grounded
        loose = {body.name: i for i, body in enumerate(self._tables.loose)}
        size = self._tables.space.STATE
        for body in self._model.bodies:
            if body.name in grounded:
                continue
            mass = evaluate(body.mass, values)
            motion = bodies[body.name]
            centre, velocity = np.array(motion.com), np.array(motion.twist[:3])
            spin = _spin(body, motion, values)
            if body.name in loose:  # as the loop has them
                own = state[size * loose[body.name] : size * (loose[body.name] + 1)]
                if self._model.dimension == 2:
                    centre = np.array([own[0], own[1], 0.0])
                    velocity = np.array([own[3], own[4], 0.0])
                    spin = np.array([0.0, 0.0, evaluate(body.inertia[2], values) * own[5]])
                else:
                    centre, velocity, spin = own[:3], own[7:10], own[10:13]
            linear = linear + mass * velocity
            angular = angular + np.cross(centre, mass * velocity) + spin
        return Momentum(linear, angular)


def _spin(body: Body, motion: Kinematics, values: Values) -> Vector:
    """Return the angular momentum of a body about its centre of mass."""
    rotation = np.reshape(motion.rotation, (3, 3))
    turn = np.array(motion.twist[3:])
    spin: Vector = rotation @ (_inertia(body, values) @ (rotation.T @ turn))
    return spin


def _turn(angle: float) -> Vector:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _planar_state(model: Model, body: Body, q: Vector, u: Vector, values: Values) -> Vector:
    rotation, position = ground_pose(model, body, values)
    angle = q[2] + math.atan2(rotation[1, 0], rotation[0, 0])
    arm = _turn(angle) @ np.array(evaluate_all(body.com, values))
    centre = position + rotation @ np.array([q[0], q[1], 0.0]) + arm
    velocity = rotation @ np.array([u[0], u[1], 0.0]) + u[2] * np.array([-arm[1], arm[0], 0.0])
    return np.array([centre[0], centre[1], angle, velocity[0], velocity[1], u[2]])


def _planar_coordinates(
    model: Model, body: Body, state: Vector, values: Values
) -> tuple[Vector, Vector]:
    rotation, position = ground_pose(model, body, values)
    x, y, angle, vx, vy, turn = state
    arm = _turn(angle) @ np.array(evaluate_all(body.com, values))
    origin = rotation.T @ (np.array([x, y, 0.0]) - arm - position)
    velocity = rotation.T @ (np.array([vx, vy, 0.0]) - turn * np.array([-arm[1], arm[0], 0.0]))
    heading = angle - math.atan2(rotation[1, 0], rotation[0, 0])
    return np.array([*origin[:2], heading]), np.array([*velocity[:2], turn])


def _inertia(body: Body, values: Values) -> Vector:
    xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, values)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _free_state(model: Model, body: Body, q: Vector, u: Vector, values: Values) -> Vector:
    rotation, position = ground_pose(model, body, values)
    plain = (rotation == np.eye(3)).all()
    own = matrix(tuple(q[3:7]))
    attitude = rotation @ own
    com = np.array(evaluate_all(body.com, values))
    centre = position + rotation @ q[:3] + attitude @ com
    velocity = attitude @ (u[:3] + np.cross(u[3:6], com))
    momentum = attitude @ (_inertia(body, values) @ u[3:6])
    quaternion = q[3:7] if plain else quaternion_of(attitude)
    return np.concatenate([centre, quaternion, velocity, momentum])


def _free_coordinates(
    model: Model, body: Body, state: Vector, values: Values
) -> tuple[Vector, Vector]:
    rotation, position = ground_pose(model, body, values)
    attitude = matrix(tuple(state[3:7]))
    com = np.array(evaluate_all(body.com, values))
    turn = np.linalg.solve(_inertia(body, values), attitude.T @ state[10:13])
    velocity = attitude.T @ state[7:10] - np.cross(turn, com)
    origin = rotation.T @ (state[:3] - attitude @ com - position)
    plain = (rotation == np.eye(3)).all()
    quaternion = state[3:7] if plain else quaternion_of(rotation.T @ attitude)
    return np.concatenate([origin, quaternion]), np.concatenate([velocity, turn])
