"""
Motions in effect: trajectories and grips that joints follow.

Targets of servos are set at steps, `PERIOD` apart: they depend on simulated time alone, and a run
is the same at every pace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from symcontact_ros.simulation.simulation import Simulation

PERIOD = 1e-3  # [s simulated] from one target to the next; a longer step makes it longer
NEVER = 2**62  # a number of steps
# Of control_msgs/FollowJointTrajectory.
SUCCESSFUL, INVALID_GOAL = 0, -1
PATH_TOLERANCE_VIOLATED, GOAL_TOLERANCE_VIOLATED = -4, -5


@dataclass(frozen=True)
class Outcome:
    """End of a motion: code and words of control_msgs/FollowJointTrajectory."""

    code: int
    text: str
    cancelled: bool = False


class Motion(Protocol):
    """What some joints do in simulated time."""

    joints: tuple[str, ...]
    outcome: Outcome | None  # None: it goes on

    def begin(self, time: float, period: float) -> None:
        """Take the state at its beginning, at a time [s]; targets are set each period [s]."""

    def apply(self, elapsed: float) -> bool:
        """Set targets for the time since its beginning [s]; return whether it needs more."""


class Following:
    """Motions of joints; a joint follows one at most, the latest."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._every = max(1, int(PERIOD / simulation.step_size * (1.0 + 1e-9)))  # steps
        self._motions: list[tuple[Motion, int]] = []  # with the step of their beginning

    @property
    def joints(self) -> tuple[str, ...]:
        """Joints that are moved now."""
        return tuple(joint for motion, _ in self._motions for joint in motion.joints)

    def start(self, motion: Motion, steps: int) -> None:
        """Begin a motion before the step of a number; those that move its joints end."""
        self.end_joints(motion.joints, 'new incoming action', 'Current goal preempted by')
        step = self._simulation.step_size
        motion.begin(steps * step, self._every * step)
        self._motions.append((motion, steps))

    def apply(self, steps: int) -> None:
        """Set targets that are due before the step of a number."""
        if not self._motions:
            return
        kept = []
        for motion, begun in self._motions:
            passed = steps - begun
            is_due = passed % self._every == 0
            if not is_due or motion.apply(passed * self._simulation.step_size):
                kept.append((motion, begun))
        self._motions = kept

    def steps_until_next(self, steps: int) -> int:
        """Return the number of steps until a target changes, at least 1."""
        if not self._motions:
            return NEVER
        return min(self._every - (steps - begun) % self._every for _, begun in self._motions)

    # Ends ---------------------------------------------------------------------------------------

    def cancel(self, motion: Motion) -> None:
        """End a motion on request: its joints hold where they are."""
        self._end(motion, Outcome(SUCCESSFUL, 'cancelled', cancelled=True))
        self.hold(motion.joints, here=True)

    def end_joints(
        self, joints: Collection[str], reason: str, words: str = 'Current goal preempted by'
    ) -> None:
        """End motions of some joints; the others that they move hold where they are."""
        for motion, _ in [entry for entry in self._motions if set(entry[0].joints) & set(joints)]:
            self._end(motion, Outcome(INVALID_GOAL, f'{words} {reason}.'))
            self.hold([j for j in motion.joints if j not in joints], here=True)

    def end_all(self, reason: str) -> None:
        """End all motions: joints hold where they are."""
        moved = self.joints
        self.forget(reason)
        self.hold(moved, here=True)

    def forget(self, reason: str) -> None:
        """End all motions, and leave the joints to what the simulation has for them."""
        for motion, _ in list(self._motions):
            self._end(motion, Outcome(INVALID_GOAL, f'Current goal aborted: {reason}.'))

    def hold(self, joints: Iterable[str], here: bool = False) -> None:
        """Let joints stay at the targets that they have, or here; a target may have moved."""
        loads = self._simulation.parts.loads
        for joint in joints:
            target = None if here else loads.target_position(joint)
            place = float(loads.joint_motion([joint])[0][0])
            self._simulation.set_target(joint, place if target is None else target, 0.0)

    def _end(self, motion: Motion, outcome: Outcome) -> None:
        motion.outcome = motion.outcome or outcome
        self._motions = [entry for entry in self._motions if entry[0] is not motion]
