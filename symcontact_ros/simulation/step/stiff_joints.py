"""Joints whose damping or friction is too much for their inertia and the length of a step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from symcontact_ros.model.model import Model
from symcontact_ros.model.servo_gains import servo_gains
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.simulation.step.articulated import SLIP
from symcontact_ros.simulation.world.live_model import LiveModel

ARMATURE = 'give it an `armature`, a key of the joint in the model file and of an `include` entry'
LOWER = 'lower kd of its servo'


class Losses(NamedTuple):
    """What resists the motion of a joint."""

    damping: float  # [N m s/rad or N s/m]
    kd: float  # the same, of its servo
    friction: float  # dry [N m or N]

    @property
    def drag(self) -> float:
        """The most that it grows by with the speed [N m s/rad or N s/m]."""
        return self.damping + self.kd + self.friction * (0.5 / SLIP)

    def message(self, joint: str, needed: float, inertia: float) -> str:
        """Return how many substeps a joint needs for them, and the way out."""
        parts = self._asdict().items()
        named = ' and '.join(f'{name} {value:g}' for name, value in parts if value)
        way_out = LOWER if self.kd > 0.5 * self.drag else ARMATURE
        return (
            f'joint {joint!r} needs {needed:.3g} substeps for {named} '
            f'on an inertia of {inertia:.3g}: {way_out}'
        )


def stiff_joint(live: LiveModel) -> str:
    """
    Return the joint that needs the most substeps for its losses, and the way out.

    Empty where all joints have enough substeps for theirs.
    """
    world = live.memory.world
    rows = live.memory.image['joints']
    losses = [Losses(*(float(row[name]) for name in Losses._fields)) for row in rows]
    drag = np.array([one.drag for one in losses])
    needs = drag * rows['mobility'] * world.step_size / world.rate_limit
    if not len(needs) or not needs.max() > world.max_substeps:
        return ''
    worst = int(np.argmax(needs))
    inertia = 1.0 / float(rows['mobility'][worst])
    return losses[worst].message(live.model.joint_names[worst], float(needs[worst]), inertia)


def stiff_joints(model: Model, step_size: float, rate_limit: float, max_substeps: int) -> str:
    """
    Return the joints that need more substeps than a step has where the model starts; or ''.

    Parameters
    ----------
    model
        The model, with its servos.
    step_size
        Length of a step [s].
    rate_limit
        The most that a rate times the length of a substep may be.
    max_substeps
        Substeps that a step has.

    """
    pose, gains = StartPose(model), servo_gains(model, step_size)
    found: dict[str, tuple[float, str]] = {}
    for joint in (body.joint for body in model.moving if body.joint.kind.is_single):
        _, kd = gains.get(joint.name, (0.0, 0.0))
        losses = Losses(*map(model.number, (joint.damping, kd, joint.friction)))
        inertia = pose.free_inertia_at(joint.name)
        needed = losses.drag * step_size / (inertia * rate_limit) if inertia > 0.0 else 0.0
        if needed > max_substeps:
            found[joint.name] = needed, losses.message(joint.name, needed, inertia)
    if not found:
        return ''
    worst, *others = sorted(found, key=lambda name: -found[name][0])
    more = f'; likewise {", ".join(others)}' if others else ''
    return f'{found[worst][1]} (steps of {1e3 * step_size:g} ms have {max_substeps}){more}'
