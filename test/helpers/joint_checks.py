"""Checks for every joint type: formulas and numbers describe one and the same motion."""

import numpy as np
import sympy as sm

from symcontact_ros.joints.joint_motion import JointNumbers, JointSymbols
from symcontact_ros.symbolic.recorder import Recorder

STEP = 1e-5  # of central differences: their error is about 1e-10 for motions of order one
DIFFERENCE = 1e-8
ROUNDING = 1e-12  # two ways to the same numbers of order one, a few roundings each
AXIS = np.array([2.0, -1.0, 2.0]) / 3.0
CONSTANT = 0.3


def state_of(kind, seed=1):
    """Return random q, its quaternion unit, and u."""
    rng = np.random.default_rng(seed)
    q, u = rng.uniform(-1.0, 1.0, kind.coordinates), rng.uniform(-1.0, 1.0, kind.speeds)
    if kind.quaternion_at is not None:
        q[kind.quaternion_at : kind.quaternion_at + 4] /= np.linalg.norm(q[kind.quaternion_at :])
    return q, u


class Motion:
    """The motion of a joint type as a function of numbers, q and u."""

    def __init__(self, kind, constants=()):
        self.constants = constants
        q = [sm.Symbol(f'q{i}', real=True) for i in range(kind.coordinates)]
        u = [sm.Symbol(f'u{i}', real=True) for i in range(kind.speeds)]
        axis = [sm.Float(x) for x in AXIS]
        symbols = JointSymbols(axis, [sm.Float(c) for c in constants], q, u)
        recorder = Recorder()
        motion = kind.motion(recorder, symbols)
        linear, angular = (
            sm.Matrix([column[part] for column in motion.columns]).T for part in (0, 1)
        )
        drift = sm.Matrix([motion.drift[0] + motion.drift[1]]).T
        steady = [] if motion.steady is None else motion.steady
        steady = sm.Matrix([first + second for first, second in steady])
        parts = [sm.Matrix(motion.rotation), sm.Matrix(motion.position), linear, angular, drift]
        parts += [sm.Matrix(motion.qdot), steady]
        named = (lambda _: (recorder.assignments, parts)) if recorder.assignments else False
        self._ours = sm.lambdify([*q, *u], parts, cse=named)
        other = kind.reference_motion(symbols)
        self._reference = sm.lambdify(
            [*q, *u],
            [other.rotation, other.position, other.velocity, other.rates, sm.Matrix(other.qdot)],
        )

    def __call__(self, q, u):
        """Return rotation, position, columns (linear, angular), drift, qdot and steady columns."""
        return [np.array(part, dtype=float) for part in self._ours(*q, *u)]

    def reference(self, q, u):
        """Return rotation, position, velocity, angular rates and qdot of the reference."""
        return [np.array(part, dtype=float) for part in self._reference(*q, *u)]


def check_attributes(kind):
    assert len(kind.tangent_names) == kind.speeds
    assert (kind.unit in ('rad', 'm')) == kind.is_single
    assert set(kind.dimensions) <= {2, 3}
    if kind.quaternion_at is not None:
        assert not kind.rates_are_speeds
        assert kind.coordinates - kind.quaternion_at >= 4


def check_velocities(kind, constants=()):
    """Columns are the derivative of the pose along qdot, and drift is that of the columns."""
    motion = Motion(kind, constants)
    q, u = state_of(kind)
    rotation, _, linear, angular, drift, qdot, steady = motion(q, u)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=ROUNDING)
    ahead, behind = (motion(q + s * STEP * qdot[:, 0], u) for s in (1.0, -1.0))
    rates = [(a - b) / (2.0 * STEP) for a, b in zip(ahead, behind, strict=True)]
    spin = rotation.T @ rates[0]  # the cross product with the body rates
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], angular @ u, atol=DIFFERENCE)
    np.testing.assert_allclose(rotation.T @ rates[1][:, 0], linear @ u, atol=DIFFERENCE)
    changing = np.concatenate([rates[2] @ u, rates[3] @ u])
    np.testing.assert_allclose(drift[:, 0], changing, atol=DIFFERENCE)
    if steady.size:
        turned = np.hstack([(rotation @ linear).T, (rotation @ angular).T])
        np.testing.assert_allclose(steady, turned, atol=ROUNDING)


def check_reference(kind, constants=()):
    """The formulas for Kane's method describe the same motion."""
    motion = Motion(kind, constants)
    q, u = state_of(kind)
    rotation, position, linear, angular, _, qdot, _ = motion(q, u)
    other = motion.reference(q, u)
    for ours, theirs in (
        (rotation, other[0]),
        (position, other[1]),
        (rotation @ linear @ u, other[2][:, 0]),
        (angular @ u, other[3][:, 0]),
        (qdot, other[4]),
    ):
        np.testing.assert_allclose(ours, theirs, atol=ROUNDING)


def check_numbers(kind, constants=()):
    """Columns, drift and deviations in numbers are those of the formulas."""
    q, u = state_of(kind)
    rotation, _, linear, angular, drift, qdot, _ = Motion(kind, constants)(q, u)
    frame = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    joint = JointNumbers(AXIS, constants, frame @ rotation, lambda: frame)
    columns = kind.columns(joint)
    np.testing.assert_allclose(columns[0], joint.attitude @ linear, atol=ROUNDING)
    np.testing.assert_allclose(columns[1], joint.attitude @ angular, atol=ROUNDING)
    # In axes that do not turn, vectors of the body also change by its turn.
    for ours, part, own in zip(kind.drift(joint, u), (linear, angular), (0, 3), strict=True):
        change = np.cross(angular @ u, part @ u) + drift[own : own + 3, 0]
        np.testing.assert_allclose(ours, joint.attitude @ change, atol=ROUNDING)
    np.testing.assert_allclose(kind.tangent_basis(q) @ u, qdot[:, 0], atol=ROUNDING)
    if kind.rates_are_speeds:
        np.testing.assert_array_equal(kind.tangent_basis(q), np.eye(kind.speeds))
        np.testing.assert_array_equal(qdot[:, 0], u)


def check_placing(kind):
    """A pose and velocities in the joint frame become q and u that have them."""
    q, u = state_of(kind)
    rotation, position, linear, angular, *_ = Motion(kind)(q, u)
    velocities = rotation @ linear @ u, rotation @ angular @ u
    found = np.array(kind.coordinates_at(position[:, 0], rotation))
    again = Motion(kind)(found, u)
    np.testing.assert_allclose(again[0], rotation, atol=ROUNDING)
    np.testing.assert_allclose(again[1], position, atol=ROUNDING)
    np.testing.assert_allclose(kind.speeds_at(found, *velocities), u, atol=ROUNDING)
