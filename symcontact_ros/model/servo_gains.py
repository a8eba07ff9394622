"""Gains of servos: given, or chosen from the inertia at the joint and the step size."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from symcontact_ros.expressions import Scalar
from symcontact_ros.model.model import Model
from symcontact_ros.model.pair_rules import PairRules
from symcontact_ros.model.standing import carried_inertias
from symcontact_ros.model.start_pose import StartPose

FASTEST = 30.0  # [rad/s]
PER_STEP = 0.2  # the most that the frequency of a servo times the step size may be
# Of rk4, which is stable where rate of decay times length of a substep is at most 2: what holds
# a robot is much for a light foot.
MOST_SUBSTEPS = 32
# Found for the choice of the integrator, and again for the steps.
_known: WeakKeyDictionary[PairRules, dict[tuple[object, ...], dict[str, float]]]
_known = WeakKeyDictionary()


def auto_frequency(step_size: float) -> float:
    """Return the angular frequency of a servo with gains of its own choice [rad/s]."""
    return min(FASTEST, PER_STEP / step_size)


def servo_gains(model: Model, step_size: float) -> dict[str, tuple[Scalar, Scalar]]:
    """
    Return kp and kd of every joint with a servo.

    Where they are ``auto``: kp = I omega^2 and kd = 2 I omega, critical damping at omega, with I
    of `held_inertias`.
    """
    servos = {b.joint.name: b.joint.servo for b in model.bodies if b.joint.servo is not None}
    omega = auto_frequency(step_size)
    auto = [name for name, servo in servos.items() if servo.is_auto]
    held = held_inertias(model, auto, MOST_SUBSTEPS / (omega * step_size))
    gains: dict[str, tuple[Scalar, Scalar]] = {}
    for name, servo in servos.items():
        gains[name] = servo.kp, servo.kd
        if name in held:
            gains[name] = held[name] * omega**2, 2.0 * held[name] * omega
    return gains


def held_inertias(model: Model, joints: Sequence[str], most: float) -> dict[str, float]:
    """
    Return the inertias that joints hold [kg m^2 or kg] where the model starts.

    That of all that the joint moves, other joints held; in the leg of a floating robot that stands
    on something, that of the robot which it carries, but not more than ``most`` times the inertia
    that the joint has when the foot is in the air.
    """
    if not joints:
        return {}
    known = _known.setdefault(model.pair_rules, {})  # another object for another description
    key = (*joints, most)
    if key in known:
        return known[key]
    pose = StartPose(model)
    carried = carried_inertias(pose)
    known[key] = {
        name: max(
            pose.inertia_at(name),
            min(carried.get(name, 0.0), most * pose.free_inertia_at(name)),
        )
        for name in joints
    }
    return known[key]
