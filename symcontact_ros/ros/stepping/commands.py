"""
Commands of other nodes: wrenches on bodies, efforts, targets and trajectories of joints.

Invalid messages are rejected as a whole and counted by reason. A command acts until the next one
for the same body or joint, and for ``command_timeout`` at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
import math
from typing import Any

import numpy as np

from symcontact_ros.errors import shown
from symcontact_ros.ros.conversions import nanoseconds, read_vector
from symcontact_ros.ros.stepping.rejections import (
    check_finite,
    check_names,
    Rejected,
    Rejections,
)
from symcontact_ros.ros.tf_frames import Anchor, Frames
from symcontact_ros.ros.trajectories.following import Following, Motion
from symcontact_ros.ros.trajectories.points import read_points
from symcontact_ros.ros.trajectories.tolerances import (
    default_tolerances,
    DefaultTolerances,
    goal_tolerances,
)
from symcontact_ros.ros.trajectories.trajectory_motion import TrajectoryMotion
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

FARTHEST_AHEAD = 1_000_000_000  # [ns] that a stamp may be ahead of simulated time
NEVER = 2**62  # a number of steps


@dataclass
class HeldWrench:
    """A wrench command in effect."""

    force: Vector  # in the axes of its frame [N]
    torque: Vector  # about the origin of its frame [N m]
    anchor: Anchor | None  # its frame, if that moves; None: world axes, at the centre of mass
    since: int  # number of the step before which it was taken
    applied: bool = False  # whether it is set in the simulation and stays so


@dataclass(frozen=True)
class HeldCommands:
    """All commands in effect at a step."""

    wrenches: Mapping[str, HeldWrench]  # by body
    since: Mapping[str, int]  # number of the step before which it was taken, by joint
    moving: tuple[str, ...] = ()  # joints that a trajectory or a grip moves


class Commands:
    """
    Commands in effect: read from messages, applied before each step.

    Parameters
    ----------
    simulation, observer, frames
        The simulation, its observer, and the names of its frames.
    timeout
        Time for which a command acts [s simulated]; 0: until replaced. A new value also applies to
        commands in effect.

    """

    def __init__(
        self, simulation: Simulation, observer: Observer, frames: Frames, timeout: float
    ) -> None:
        self.rejections = Rejections()
        self.taken = 0
        self.is_used = False  # whether somebody has taken part in the run
        self._simulation = simulation
        self._wrenches: dict[str, HeldWrench] = {}
        self._since: dict[str, int] = {}  # number of the step, by joint with a command
        self.following = Following(simulation)
        self.tolerances = DefaultTolerances()  # of trajectories that have none of their own
        self._latest: dict[str, int] = {}  # stamp of the last message accepted, by topic [ns]
        self._bodies: dict[str, int] = {}
        self._longest = NEVER
        self.follow(observer, frames)
        self.timeout = timeout

    def follow(self, observer: Observer, frames: Frames) -> None:
        """Take the model that the simulation has now; commands of what is gone end."""
        model = self._simulation.model
        names = list(self._bodies)  # of the rows before
        self._observer = observer
        self._frames = frames
        self._bodies = {name: row for row, name in enumerate(model.body_names)}
        self._planar = model.dimension == 2
        self._joints = model.joint_names
        self._servos = {b.joint.name for b in model.bodies if b.joint.servo is not None}
        gone = [name for name in self.following.joints if name not in self._joints]
        self.following.end_joints(gone, 'its joints are gone', 'Current goal aborted:')
        self._since = {name: n for name, n in self._since.items() if name in self._joints}
        for body, held in list(self._wrenches.items()):
            carrier = body if held.anchor is None else names[held.anchor.body]
            if body not in self._bodies or carrier not in self._bodies:
                del self._wrenches[body]
                if body in self._bodies:
                    self._simulation.set_wrench(body)
            elif held.anchor is not None:
                held.anchor = replace(held.anchor, body=self._bodies[carrier])
        self._find_next_end()

    @property
    def timeout(self) -> float:
        """Time for which a command acts [s simulated]; 0: until replaced."""
        return self._timeout

    @timeout.setter
    def timeout(self, timeout: float) -> None:
        self._timeout = timeout
        steps = round(timeout / self._simulation.step_size)
        self._longest = max(1, steps) if timeout > 0.0 else NEVER  # steps that a command acts
        self._find_next_end()

    def clear(self) -> None:
        """Remove all commands; the simulation has been cleared of loads."""
        self.following.forget('the simulation was reset')
        self._wrenches.clear()
        self._since.clear()
        self._latest.clear()
        self._find_next_end()

    def held(self) -> HeldCommands:
        """Return a copy of all that is in effect now."""
        wrenches = {body: replace(held) for body, held in self._wrenches.items()}
        return HeldCommands(wrenches, dict(self._since), self.following.joints)

    def take_back(self, held: HeldCommands) -> None:
        """Return to commands of an earlier step, whose loads the simulation has again."""
        self.following.forget('the simulation was rewound')
        self.clear()
        self.following.hold(held.moving)  # motions do not begin anew
        self._wrenches = {body: replace(wrench) for body, wrench in held.wrenches.items()}
        self._since = dict(held.since)
        self._find_next_end()

    def adopt(self, steps: int) -> None:
        """Take loads of a restored state for commands of this step, so that they end in time."""
        bodies, joints = self._simulation.parts.loads.commanded()
        names = self._simulation.model.body_names
        nothing = np.zeros(3)
        for row in bodies:
            self._wrenches[names[row]] = HeldWrench(nothing, nothing, None, steps, applied=True)
        self._since = dict.fromkeys(joints, steps)
        self._find_next_end()

    def end_all(self) -> None:
        """End all commands and remove the stamps: time is set back."""
        self.following.end_all('time was set back')
        self._end_commands(NEVER)
        self.clear()

    # Messages -----------------------------------------------------------------------------------

    def check_stamp(self, topic: str, stamp: Any, now: int) -> None:
        """Reject stamps before the last one accepted, or far ahead of now [ns]; 0 is valid."""
        time = nanoseconds(stamp)
        if time == 0:
            return
        if time < self._latest.get(topic, 0):
            raise Rejected(
                'stale', f'stamp {1e-9 * time:.6f} s is older than the last one accepted'
            )
        if time > now + FARTHEST_AHEAD:
            raise Rejected(
                'future',
                f'stamp {1e-9 * time:.3f} s is ahead of simulated time {1e-9 * now:.3f} s: run '
                'the sender with use_sim_time, or stamp 0',
            )

    def store_stamp(self, topic: str, stamp: Any) -> None:
        """Store the stamp of an accepted message."""
        self.taken += 1
        self._latest[topic] = max(self._latest.get(topic, 0), nanoseconds(stamp))

    def take_wrench(self, body: str, message: Any, steps: int) -> None:
        """Take a WrenchStamped for a body."""
        frame = message.header.frame_id
        numbers = (*read_vector(message.wrench.force), *read_vector(message.wrench.torque))
        check_finite(numbers)
        try:
            anchor = self._frames.anchor(frame, self._simulation.parameters)
        except KeyError:
            raise Rejected(
                'unknown_frame',
                f'no frame {shown(frame)}: it must be empty, {self._frames.world!r}, a body, '
                'its /com, or a site',
            ) from None
        if self._planar and any(numbers[2:5]):
            raise Rejected('out_of_plane', 'a planar model accepts only force x, y and torque z')
        force, torque = np.array(numbers[:3]), np.array(numbers[3:])
        self.is_used = True
        self._wrenches[body] = HeldWrench(force, torque, anchor, steps)
        self._find_next_end()

    def take_joints(self, message: Any, steps: int) -> None:
        """
        Take a JointState: efforts act directly, positions and velocities through the servo.

        It replaces all commands of the joints that it names, and of no others. NaN is no command,
        as in ros2_control: a joint with nothing but NaN keeps the command that it has.
        """
        names = list(message.name)
        columns = [list(message.position), list(message.velocity), list(message.effort)]
        check_names(names, self._joints, self._simulation.model.followers)
        for kind, column in zip(('position', 'velocity', 'effort'), columns, strict=True):
            if len(column) not in (0, len(names)):
                raise Rejected(
                    'wrong_size', f'{len(names)} names, but {kind} has {len(column)} numbers'
                )
        if not any(columns):
            raise Rejected('wrong_size', 'neither position nor velocity nor effort is given')
        positions, velocities, efforts = (_named(names, column) for column in columns)
        check_finite([*positions.values(), *velocities.values(), *efforts.values()])
        self._check_servos([*positions, *velocities])
        driven = [n for n in names if n in efforts or n in positions or n in velocities]
        self.following.end_joints(driven, 'a newer joint command')
        for joint in names:
            if joint in driven:
                effort = efforts.get(joint, 0.0)
                self._drive(joint, effort, positions.get(joint), velocities.get(joint), steps)
        self._find_next_end()

    def take_efforts(self, message: Any, steps: int) -> None:
        """Take a Float64MultiArray: one effort per joint, in order; NaN: not this one."""
        numbers = list(message.data)
        if len(numbers) != len(self._joints):
            raise Rejected(
                'wrong_size',
                f'{len(numbers)} numbers for {len(self._joints)} joints'
                f'{": " if self._joints else ""}{", ".join(self._joints)}',
            )
        efforts = _named(self._joints, numbers)
        check_finite(efforts.values())
        self.following.end_joints(efforts, 'a newer joint command')
        for joint, effort in efforts.items():
            self._drive(joint, effort, None, None, steps)
        self._find_next_end()

    def check_joints(self, names: Sequence[str]) -> None:
        """Reject joints that cannot follow a motion."""
        check_names(list(names), self._joints, self._simulation.model.followers)
        self._check_servos(names)

    def take_trajectory(self, message: Any, steps: int) -> None:
        """Take a JointTrajectory, which replaces what moves its joints."""
        self.start(self.read_trajectory(message, steps), steps)

    def read_trajectory(self, message: Any, steps: int, goal: Any = None) -> TrajectoryMotion:
        """Return the motion of a JointTrajectory, with the tolerances of an action's goal."""
        self.check_joints(message.joint_names)
        now = round(steps * self._simulation.step_size * 1e9)
        points = read_points(message, self._simulation, now)
        if goal is None:
            bounds = default_tolerances(points.joints, self.tolerances)
        else:
            bounds = goal_tolerances(points.joints, goal, self.tolerances)
        return TrajectoryMotion(self._simulation, points, bounds)

    def start(self, motion: Motion, steps: int) -> None:
        """Let joints follow a motion; commands that they had end."""
        self.is_used = True
        for joint in motion.joints:
            self._since.pop(joint, None)
            self._simulation.set_effort(joint, 0.0)
        self.following.start(motion, steps)
        self._find_next_end()

    def _check_servos(self, names: Iterable[str]) -> None:
        without = [name for name in dict.fromkeys(names) if name not in self._servos]
        if without:
            raise Rejected(
                'no_servo',
                f'{", ".join(without)}: no servo for positions and velocities; give it one by '
                '`servo: auto` or `servo: {kp: .., kd: ..}` at the joint in the model file, by '
                'servo:=auto (parameter, launch argument) for a robot of a URDF, or send efforts',
            )

    def _drive(
        self, joint: str, effort: float, position: float | None, velocity: float | None, steps: int
    ) -> None:
        self.is_used = True
        self._simulation.set_effort(joint, effort)
        if joint in self._servos:
            self._simulation.set_target(joint, position, velocity)
        self._since[joint] = steps

    # Steps --------------------------------------------------------------------------------------

    def apply(self, steps: int) -> None:
        """End commands that timed out, and rotate wrenches with their frames."""
        self.following.apply(steps)
        if steps >= self._next_end:
            self._end_commands(steps - self._longest)
        turning = [body for body, held in self._wrenches.items() if held.anchor is not None]
        places = self._observer.frames() if turning else None
        for body, held in self._wrenches.items():
            if held.anchor is not None and places is not None:
                self._simulation.set_wrench(body, *self._in_world(body, held, held.anchor, places))
            elif not held.applied:
                self._simulation.set_wrench(body, held.force, held.torque)
                held.applied = True

    def steps_until_end(self, steps: int) -> int:
        """Return the number of steps until a command ends or changes."""
        return min(max(1, self._next_end - steps), self.following.steps_until_next(steps))

    def _end_commands(self, latest: int) -> None:
        """End commands that were taken before this step, or before an earlier one."""
        for body in [body for body, held in self._wrenches.items() if held.since <= latest]:
            del self._wrenches[body]
            self._simulation.set_wrench(body)
        for joint in [joint for joint, since in self._since.items() if since <= latest]:
            del self._since[joint]
            self._simulation.release(joint)
        self._find_next_end()

    def _find_next_end(self) -> None:
        since = [*(held.since for held in self._wrenches.values()), *self._since.values()]
        self._next_end = min(since, default=NEVER) + self._longest

    def _in_world(
        self,
        body: str,
        held: HeldWrench,
        anchor: Anchor,
        places: tuple[Vector, Vector, Vector],
    ) -> tuple[Vector, Vector]:
        """Return a wrench in world axes, about the centre of mass of the body it acts on."""
        rotation, com, position = places
        force, torque, point = held.force, held.torque, com[anchor.body]
        if anchor.origin is not None:
            point = position[anchor.body] + rotation[anchor.body] @ anchor.origin
        if anchor.rotation is not None:
            axes = rotation[anchor.body] @ anchor.rotation
            force, torque = axes @ force, axes @ torque
        return force, torque + np.cross(point - com[self._bodies[body]], force)


def _named(names: Sequence[str], numbers: Sequence[float]) -> dict[str, float]:
    """Return the commands of a column by joint; none where it has NaN or is empty."""
    return {n: x for n, x in zip(names, numbers, strict=False) if not math.isnan(x)}
