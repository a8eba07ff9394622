"""
Readings of the sensors of a model.

Newton and Euler in world axes, over the bodies as they move now: accelerations joint by joint
outwards, then the load of a joint from all bodies that hang on it. Nothing is derived for it, and
the next step does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
import hashlib
import math
import struct

import numpy as np

from symcontact_ros.expressions import evaluate, evaluate_all, Values
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, Sensor, WORLD
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.simulation.equations.dynamics import Kinematics
from symcontact_ros.simulation.equations.jacobians import frame_of, joint_numbers
from symcontact_ros.simulation.step.articulated import apply_joints, sticking_excess
from symcontact_ros.simulation.world.coordinates import inertia_of
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Contact, ImuReading, Reading, Vector, WrenchReading

Loads = dict[str, tuple[Vector, Vector]]  # body -> force, torque about its com, world axes
Motion = tuple[Vector, Vector]  # acceleration of the origin, angular acceleration
NOTHING = np.zeros(3), np.zeros(3)


@dataclass(frozen=True)
class BodiesInMotion:
    """The bodies of a model at an instant, and what acts on them."""

    model: Model
    values: Values  # of the live symbols
    motions: dict[str, Kinematics]  # of every body
    u: Vector
    udot: Vector
    loads: Loads  # by contacts and applied wrenches

    def read(self, sensor: Sensor, seed: int, step: int) -> Reading:
        """Return what a sensor measures; its noise is that of a step number."""
        noise = noise_of(seed, sensor.name, step)
        return self._imu(sensor, noise) if sensor.type == 'imu' else self._wrench(sensor, noise)

    def _imu(self, sensor: Sensor, noise: Vector) -> ImuReading:
        body, placement = frame_of(self.model, sensor.place)
        attitude = _attitude(self.motions[body.name])
        rates = np.array(self.motions[body.name].twist[3:])
        arm = attitude @ np.array(evaluate_all(placement.position, self.values))
        felt = self._at(body.name, arm) - self.gravity
        axes = attitude @ matrix(placement.rotation.evaluated(self.values))
        levels = [sensor.noise.get(key, 0.0) for key in ('acceleration', 'angular_velocity')]
        return ImuReading(
            sensor.place,
            sensor.place,
            axes.T @ felt + levels[0] * noise[:3],
            axes.T @ rates + levels[1] * noise[3:],
            quaternion_of(axes),
            *levels,
        )

    def _wrench(self, sensor: Sensor, noise: Vector) -> WrenchReading:
        child = next(body for body in self.model.bodies if body.joint.name == sensor.place)
        origin = np.array(self.motions[child.name].position)
        force, torque = np.zeros(3), np.zeros(3)
        for body in self._hanging_on(child):
            for push, turn, point in (self._load(body), self._weight(body)):
                force = force + push
                torque = torque + turn + cross(point - origin, push)
        axes = _attitude(self.motions[child.name])
        levels = [sensor.noise.get(key, 0.0) for key in ('force', 'torque')]
        return WrenchReading(
            sensor.place,
            child.name,
            axes.T @ force + levels[0] * noise[:3],
            axes.T @ torque + levels[1] * noise[3:],
            *levels,
        )

    def _load(self, body: Body) -> tuple[Vector, Vector, Vector]:
        """Return force and torque on a body, and the point that they are about."""
        force, torque = self.loads.get(body.name, NOTHING)
        return force, torque, np.array(self.motions[body.name].com)

    def _weight(self, body: Body) -> tuple[Vector, Vector, Vector]:
        """Return the weight of a body less what accelerates it, and its centre of mass."""
        motion = self.motions[body.name]
        attitude, rates = _attitude(motion), np.array(motion.twist[3:])
        # Of a body that stands, `motion.com` is the origin.
        arm = attitude @ np.array(evaluate_all(body.com, self.values))
        inertia = attitude @ inertia_of(body, self.values) @ attitude.T
        spin = inertia @ self._accelerations[body.name][1] + cross(rates, inertia @ rates)
        mass = evaluate(body.mass, self.values)
        weight = mass * (self.gravity - self._at(body.name, arm))
        return weight, -spin, np.array(motion.position) + arm

    def _hanging_on(self, child: Body) -> list[Body]:
        """Return a body and all that hangs on it; parents come first in a model."""
        found = [child]
        for body in self.model.bodies:
            if body.joint.parent in [other.name for other in found]:
                found.append(body)
        return found

    def _at(self, body: str, arm: Vector) -> Vector:
        """Return the acceleration of a point of a body, from its arm on the body origin."""
        linear, angular = self._accelerations[body]
        rates = np.array(self.motions[body].twist[3:])
        return linear + cross(angular, arm) + cross(rates, cross(rates, arm))

    @cached_property
    def gravity(self) -> Vector:
        """Acceleration of gravity [m/s^2]."""
        return np.array(evaluate_all(self.model.gravity, self.values))

    @cached_property
    def _accelerations(self) -> dict[str, Motion]:
        """Acceleration of every body, origin and angular, world axes."""
        found: dict[str, Motion] = {WORLD: NOTHING}
        places = JointPlaces(self.model)
        for body in self.model.bodies:
            if body.name in self.model.grounded:
                found[body.name] = found[WORLD]
            else:
                u, udot = (places.speeds(body, x, self.values) for x in (self.u, self.udot))
                found[body.name] = self._carried(body, found, u, udot)
        return found

    def _carried(self, body: Body, found: Mapping[str, Motion], u: Vector, udot: Vector) -> Motion:
        """Return the acceleration of a body, from that of its parent and the joint's own."""
        motion = self.motions[body.name]
        parent = self.motions.get(body.joint.parent)
        origin, turning = NOTHING
        if parent is not None:
            origin, turning = np.array(parent.position), np.array(parent.twist[3:])
        arm = np.array(motion.position) - origin
        linear = angular = np.zeros((3, 0))
        drift = drift_angular = np.zeros(3)
        if len(u):
            joint = joint_numbers(body, self.motions, self.values)
            linear, angular = body.joint.kind.columns(joint)
            drift, drift_angular = body.joint.kind.drift(joint, u)
        # As seen by the parent; Coriolis' term and that of the turning axis take it to the world.
        velocity, rates = linear @ u, angular @ u
        base, spin = found[body.joint.parent]
        acceleration = base + cross(spin, arm) + cross(turning, cross(turning, arm))
        acceleration = acceleration + 2.0 * cross(turning, velocity) + linear @ udot + drift
        return acceleration, spin + cross(turning, rates) + angular @ udot + drift_angular


def loads_of(
    memory: WorldMemory, motions: Mapping[str, Kinematics], contacts: Iterable[Contact]
) -> Loads:
    """Return the loads of contacts and applied wrenches on bodies that have any."""
    loads: Loads = {}
    layout = memory.layout
    for name in layout.model.body_names:
        row = memory.image['bodies'][layout.index[name]]
        force, torque = row['applied_force'], row['applied_torque']
        if force.any() or torque.any():
            if layout.is_planar:
                force, torque = (*force, 0.0), (0.0, 0.0, torque)
            loads[name] = np.array(force), np.array(torque)
    for contact in contacts:
        for name, way in ((contact.body_a, -1.0), (contact.body_b, 1.0)):
            force, torque = loads.get(name, NOTHING)
            arm = contact.point - np.array(motions[name].com)
            push, turn = way * contact.force, way * contact.torque
            loads[name] = force + push, torque + cross(arm, push) + turn
    return loads


def rates_of(live: LiveModel, q: Vector, u: Vector, loads: Loads) -> Vector:
    """Return the rates of the speeds, under loads and the present efforts of the joints."""
    efforts = np.zeros(len(u))
    world = live.memory.world
    apply_joints(world)  # writes what every stage of a step writes anew
    speeds = {place: i for i, place in live.memory.layout.state_of_u.items()}
    for i in range(len(world.joints)):
        joint = world.joints[i]
        effort = world.groups[joint.group].effort[joint.index]
        if live.memory.is_implicit and joint.friction > 0.0:
            effort += sticking_excess(world, i)
        efforts[speeds[joint.u]] = effort
    return live.dynamics.rates(q, u, efforts, loads)[1]


def noise_of(seed: int, name: str, step: int) -> Vector:
    """
    Return six independent normal numbers of mean 0 and deviation 1.

    They depend on nothing but the arguments: however often sensors are read, on whatever machine,
    a run has the same noise. (A hash gives uniform numbers, the method of Box and Muller normal
    ones.)
    """
    digest = hashlib.blake2b(f'{seed} {name} {step}'.encode()).digest()
    # Odd multiples of 2^-54: never 0, whose logarithm does not exist.
    uniform = [((number >> 11) + 0.5) * 2.0**-53 for number in struct.unpack('<8Q', digest)]
    normal = [
        math.sqrt(-2.0 * math.log(one)) * turn(2.0 * math.pi * other)
        for one, other in zip(uniform[:3], uniform[4:7], strict=True)
        for turn in (math.cos, math.sin)
    ]
    return np.array(normal)


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b; numpy's own takes ten times longer for one pair of vectors."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def _attitude(motion: Kinematics) -> Vector:
    return np.reshape(motion.rotation, (3, 3))
