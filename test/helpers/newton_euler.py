"""
The dynamics of rigid trees by Newton and Euler, in world axes, with numpy alone: an oracle.

Poses, partial velocities and velocity-product accelerations of all bodies come first, all in world
axes; then d'Alembert's principle: what Newton's and Euler's laws leave over, projected on every
body's partial velocities, sums to nothing. The package works recursively in body axes instead.

A tree is the plain data of a model file, as `yaml.safe_load` would return it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Z = np.array([0.0, 0.0, 1.0])
# coordinates, speeds of every kind of joint
SIZES = {
    'planar': (3, 3),
    'free': (7, 6),
    'fixed': (0, 0),
    'revolute': (1, 1),
    'prismatic': (1, 1),
    'spherical': (4, 3),
}


def skew(a):
    """Return the matrix of `a x`."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def cross(a, b):
    """Return a x b; numpy's own takes ten times longer for one pair of vectors."""
    x, y, z = a
    p, q, r = b
    return np.array([y * r - z * q, z * p - x * r, x * q - y * p])


def turn(axis, angle):
    """Return the rotation about a unit axis, by Rodrigues' formula."""
    k = skew(axis)
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k


def rpy_matrix(rpy):
    """Return the rotation of URDF's roll, pitch and yaw, about the fixed x, y and z."""
    x, y, z = np.eye(3)
    return turn(z, rpy[2]) @ turn(y, rpy[1]) @ turn(x, rpy[0])


def quaternion_matrix(quaternion):
    """Return the rotation of a unit quaternion x y z w."""
    v, w = np.asarray(quaternion[:3]), quaternion[3]
    return (w * w - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * w * skew(v)


def quaternion_rate(quaternion, rates):
    """Return the time derivative of a quaternion x y z w under angular rates in body axes."""
    v, w = np.asarray(quaternion[:3]), quaternion[3]
    return 0.5 * np.append(w * rates + cross(v, rates), -v @ rates)


def inertia_matrix(entries):
    """Return the matrix of {ixx:, iyy:, izz:, ixy:, ixz:, iyz:}, about the centre of mass."""
    xx, yy, zz, xy, xz, yz = (
        entries.get(key, 0.0) for key in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz')
    )
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@dataclass
class Body:
    """One body and the joint that carries it."""

    name: str
    parent: str  # `world`, or a body before this one
    kind: str
    axis: np.ndarray
    origin: np.ndarray
    tilt: np.ndarray  # of the joint's frame in its parent
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    armature: float
    q: slice
    u: slice


@dataclass
class Motion:
    """Where a body is and how it moves, all in world axes, of the body origin."""

    rotation: np.ndarray
    position: np.ndarray
    linear: np.ndarray  # 3 x nu, partial velocities
    angular: np.ndarray  # 3 x nu
    velocity: np.ndarray
    rates: np.ndarray
    acceleration: np.ndarray  # with udot = 0
    angular_acceleration: np.ndarray  # with udot = 0

    def at(self, arm):
        """Return (Jacobian, velocity, acceleration with udot = 0) of a point, from its arm."""
        w = self.rates
        return (
            self.linear - skew(arm) @ self.angular,
            self.velocity + cross(w, arm),
            self.acceleration + cross(self.angular_acceleration, arm) + cross(w, cross(w, arm)),
        )


@dataclass
class Terms:
    """M udot + bias = effort + J^T w, and the rate of q."""

    mass_matrix: np.ndarray
    bias: np.ndarray
    qdot: np.ndarray
    scale: float  # what the bias sums up: the size that rounding errors are relative to


class Tree:
    """The equations of a tree of bodies, `order` being that of its coordinates."""

    def __init__(self, description, order=None):
        self.gravity = np.array(description['gravity'], dtype=float)
        self.bodies, nq, nu = [], 0, 0
        for name in order or description['bodies']:
            data = description['bodies'][name]
            kind = data['joint']['type']
            size_q, size_u = SIZES[kind]
            body = _read(name, data, slice(nq, nq + size_q), slice(nu, nu + size_u))
            self.bodies.append(body)
            nq, nu = nq + size_q, nu + size_u
        self.nq, self.nu = nq, nu
        # where the efforts of the 1-DOF joints stand in u
        one_dof = [b for b in self.bodies if b.kind in ('revolute', 'prismatic')]
        self.effort_indices = [b.u.start for b in one_dof]

    def random_state(self, rng):
        """Return q (unit quaternions) and u at random."""
        q, u = rng.uniform(-2.0, 2.0, self.nq), rng.uniform(-2.0, 2.0, self.nu)
        for body in self.bodies:
            if body.kind in ('free', 'spherical'):
                quaternion = rng.normal(size=4)
                q[body.q.stop - 4 : body.q.stop] = quaternion / np.linalg.norm(quaternion)
        return q, u

    def motions(self, q, u):
        """Return {body: Motion}."""
        nothing = np.zeros(3)
        still = np.zeros((3, self.nu))
        motions = {
            'world': Motion(np.eye(3), nothing, still, still, nothing, nothing, nothing, nothing)
        }
        for body in self.bodies:
            motions[body.name] = _moved(motions[body.parent], body, q[body.q], u[body.u])
        return motions

    def evaluate(self, q, u):
        """Return the Terms of the equations at a state."""
        mass_matrix, bias, scale = np.zeros((self.nu, self.nu)), np.zeros(self.nu), 0.0
        motions = self.motions(q, u)
        for body in self.bodies:
            motion = motions[body.name]
            jacobian, _, acceleration = motion.at(motion.rotation @ body.com)
            inertia = motion.rotation @ body.inertia @ motion.rotation.T
            mass_matrix += body.mass * jacobian.T @ jacobian
            mass_matrix += motion.angular.T @ inertia @ motion.angular
            mass_matrix[body.u, body.u] += body.armature * np.eye(body.u.stop - body.u.start)
            force = body.mass * (acceleration - self.gravity)
            spin = inertia @ motion.rates
            torque = inertia @ motion.angular_acceleration + cross(motion.rates, spin)
            bias += jacobian.T @ force + motion.angular.T @ torque
            scale += np.linalg.norm(jacobian) * np.linalg.norm(force)
            scale += np.linalg.norm(motion.angular) * np.linalg.norm(torque)
        return Terms(mass_matrix, bias, self.qdot(q, u), scale)

    def qdot(self, q, u):
        """Return the rate of the coordinates."""
        rate = np.zeros(self.nq)
        for body in self.bodies:
            own_q, own_u = q[body.q], u[body.u]
            if body.kind == 'free':
                linear = quaternion_matrix(own_q[3:]) @ own_u[:3]
                rate[body.q] = np.append(linear, quaternion_rate(own_q[3:], own_u[3:]))
            elif body.kind == 'spherical':
                rate[body.q] = quaternion_rate(own_q, own_u)
            else:
                rate[body.q] = own_u
        return rate

    def jacobian(self, name, q, point=(0.0, 0.0, 0.0)):
        """Return the 6 x nu partial velocities, linear then angular, of a point of a body."""
        motion = self.motions(q, np.zeros(self.nu))[name]
        linear, _, _ = motion.at(motion.rotation @ np.asarray(point))
        return np.vstack([linear, motion.angular])

    def generalized(self, q, effort=None, wrenches=None):
        """Return the generalized forces of joint efforts and of wrenches on centres of mass."""
        total = np.zeros(self.nu)
        if effort is not None:
            total[self.effort_indices] = effort
        coms = {body.name: body.com for body in self.bodies}
        for name, (force, torque) in (wrenches or {}).items():
            total += self.jacobian(name, q, coms[name]).T @ np.concatenate([force, torque])
        return total

    def momentum(self, q, u):
        """Return the linear and the angular momentum about the world origin."""
        linear, angular = np.zeros(3), np.zeros(3)
        motions = self.motions(q, u)
        for body in self.bodies:
            motion = motions[body.name]
            arm = motion.rotation @ body.com
            push = body.mass * motion.at(arm)[1]
            spin = motion.rotation @ body.inertia @ motion.rotation.T @ motion.rates
            linear += push
            angular += spin + cross(motion.position + arm, push)
        return linear, angular


def _read(name, data, q, u):
    joint = data['joint']
    axis = np.array(joint.get('axis', Z), dtype=float)
    origin = joint.get('origin', {})
    return Body(
        name,
        joint.get('parent', 'world'),
        joint['type'],
        axis / np.linalg.norm(axis),
        np.array(origin.get('xyz', (0.0, 0.0, 0.0)), dtype=float),
        rpy_matrix(origin.get('rpy', (0.0, 0.0, 0.0))),
        float(data['mass']),
        np.array(data.get('com', (0.0, 0.0, 0.0)), dtype=float),
        inertia_matrix(data['inertia']),
        float(joint.get('armature', 0.0)),
        q,
        u,
    )


def _moved(parent, body, q, u):
    """Return the Motion of a body from that of its parent."""
    seat = parent.rotation @ body.tilt  # the axes of the joint's frame
    shift, rotation = _placed(body, q)
    rotation = seat @ rotation
    arm = parent.rotation @ body.origin + seat @ shift
    slide, swing = _columns(body, seat, rotation)  # relative partial velocities
    linear = parent.linear - skew(arm) @ parent.angular
    angular = parent.angular.copy()
    linear[:, body.u] += slide
    angular[:, body.u] += swing
    velocity, rates = slide @ u, swing @ u  # relative to the parent
    w = parent.rates
    acceleration = (
        parent.acceleration
        + cross(parent.angular_acceleration, arm)
        + cross(w, cross(w, arm))
        + 2.0 * cross(w, velocity)
    )
    if body.kind == 'free':  # constant speeds in body axes turn with the body
        acceleration += cross(rates, velocity)
    return Motion(
        rotation,
        parent.position + arm,
        linear,
        angular,
        parent.velocity + cross(w, arm) + velocity,
        w + rates,
        acceleration,
        parent.angular_acceleration + cross(w, rates),
    )


def _placed(body, q):
    """Return the shift and the rotation of a body in its joint's frame."""
    nothing, level = np.zeros(3), np.eye(3)
    if body.kind == 'planar':
        return np.array([q[0], q[1], 0.0]), turn(Z, q[2])
    if body.kind == 'free':
        return q[:3], quaternion_matrix(q[3:])
    if body.kind == 'spherical':
        return nothing, quaternion_matrix(q)
    if body.kind == 'revolute':
        return nothing, turn(body.axis, q[0])
    if body.kind == 'prismatic':
        return q[0] * body.axis, level
    return nothing, level


def _columns(body, seat, rotation):
    """Return the 3 x n partial velocities of a joint, linear and angular, in world axes."""
    slide, swing = np.zeros((3, SIZES[body.kind][1])), np.zeros((3, SIZES[body.kind][1]))
    if body.kind == 'planar':
        slide[:, :2], swing[:, 2] = seat[:, :2], seat[:, 2]
    elif body.kind == 'free':
        slide[:, :3], swing[:, 3:] = rotation, rotation
    elif body.kind == 'spherical':
        swing[:] = rotation
    elif body.kind == 'revolute':
        swing[:, 0] = seat @ body.axis
    elif body.kind == 'prismatic':
        slide[:, 0] = seat @ body.axis
    return slide, swing
