"""Loads that are applied from outside: wrenches on bodies, efforts and targets of joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from numbers import Real
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.errors import no_such, OptionError, shown_value
from symcontact_ros.expressions import evaluate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.world.servos import write_actuator
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import finite_numbers, float_of, Vector

_SERVO_FLAGS = ('holds', 'follows', 'compensates')


class AppliedLoads:
    """Loads that are held from step to step, in the memory of the world."""

    def __init__(self, memory: WorldMemory) -> None:
        self._memory = memory
        model = self._model = memory.layout.model
        self._joints = {name: i for i, name in enumerate(model.joint_names)}
        self._followers = model.followers
        self._image: object = None  # whose efforts `_applied` has
        self._servos = {b.joint.name: b.joint for b in model.bodies if b.joint.servo is not None}

    def clear(self) -> None:
        """Take everything away; servos with a target of the model take it, where the state is."""
        self.clear_wrenches()
        rows = self._memory.image['joints']
        for name in ('applied', 'kp', 'kd', 'target', 'target_speed', *_SERVO_FLAGS):
            rows[name] = 0
        for name, joint in self._servos.items():
            position = None
            if joint.servo is not None and joint.servo.holds:
                given = joint.servo.target
                here = self._position(name)
                position = here if given is None else evaluate(given, self._memory.values)
            self.set_target(name, position, None)

    def clear_wrenches(self) -> None:
        """Take all wrenches away."""
        bodies = self._memory.image['bodies']
        bodies['applied_force'] = 0.0
        bodies['applied_torque'] = 0.0

    def set_wrench(
        self,
        body: str,
        force: ArrayLike,
        torque: ArrayLike,
        point: ArrayLike | None,
        centre: Callable[[int], Vector],
    ) -> None:
        """
        Apply a force and a torque, world axes; at a point, or at the centre of mass.

        ``centre`` gives the centre of mass of a body, by its row [m].
        """
        if body not in self._memory.layout.index:
            raise no_such('body', body, self._model.body_names)
        push, turn = finite_numbers('force', force, 3), finite_numbers('torque', torque, 3)
        if point is not None:
            arm = finite_numbers('point', point, 3) - centre(self._memory.layout.index[body])
            turn = turn + np.cross(arm, push)
        row = self._memory.image['bodies'][self._memory.layout.index[body]]
        if self._model.dimension == 2:
            if push[2] != 0.0 or turn[0] != 0.0 or turn[1] != 0.0:
                raise OptionError('a planar model takes forces in x and y, and torques about z')
            row['applied_force'], row['applied_torque'] = push[:2], turn[2]
        else:
            row['applied_force'], row['applied_torque'] = push, turn

    def set_effort(self, joint: str, value: float) -> None:
        """Apply a torque or a force to a joint; to a follower, what it is at its leader."""
        if (image := self._memory.image) is not self._image:
            self._image, self._applied = image, _column(image['joints'], 'applied')
        # Most are floats, those of numpy among them: control loops wait for this.
        if not isinstance(value, float) or not isfinite(value):
            _check_number(f'the effort of {joint}', value)
        if (number := self._joints.get(joint)) is None:
            mimic = self._followers.get(joint)
            number = self._number(joint if mimic is None else mimic.joint)
            if mimic is not None:
                value = evaluate(mimic.multiplier, self._memory.values) * value
        self._applied[number] = value

    def set_target(self, joint: str, position: float | None, velocity: float | None) -> None:
        """Let the servo of a joint follow a position and a velocity; neither: let go."""
        row = self._row(joint)
        if joint not in self._servos:
            hint = '`servo: auto` or `servo: {kp: .., kd: ..}`'
            raise OptionError(f'joint {joint} has no servo: give it {hint}')
        for number in (position, velocity):
            if number is not None:
                _check_number(f'the target of {joint}', number)
        kind = position is not None, position is not None or velocity is not None
        if kind != (row['holds'], row['follows']):  # else the gains are those that it has
            row['holds'], row['follows'] = kind
            layout, values = self._memory.layout, self._memory.values
            write_actuator(row, self._servos[joint], layout.gains, values)
        row['target'] = position or 0.0
        row['target_speed'] = velocity or 0.0

    def beyond_limits(self, joint: str, position: float) -> str:
        """Return that a position is one that a joint cannot reach, or ''."""
        row = self._row(joint)
        lower, upper = float(row['lower']), float(row['upper'])
        if lower <= position <= upper:
            return ''
        limits = f'[{lower:g}, {upper:g}]'
        return f'the target {position:g} of joint {joint} is beyond its limits {limits}'

    def release(self, joint: str) -> None:
        """
        End a command: a joint that its model holds from the start stays, others are let go.

        It stays at its last target position, or where it is if the command had none.
        """
        row = self._row(joint)
        row['applied'] = 0.0
        if joint in self._servos:
            servo = self._servos[joint].servo
            position = None
            if servo is not None and servo.holds:
                target = self.target_position(joint)
                position = self._position(joint) if target is None else target
            self.set_target(joint, position, None)

    def commanded(self) -> tuple[list[int], list[str]]:
        """Return rows of bodies on which wrenches act, and joints that follow a command."""
        bodies, joints = (self._memory.image[name] for name in ('bodies', 'joints'))
        pushed = [
            row
            for row in range(len(bodies))
            if np.any(bodies['applied_force'][row]) or np.any(bodies['applied_torque'][row])
        ]
        held = {n for n, joint in self._servos.items() if joint.servo and joint.servo.holds}
        driven = [
            name
            for name, row in self._joints.items()
            if joints['applied'][row] or (joints['follows'][row] and name not in held)
        ]
        return pushed, driven

    def target_position(self, joint: str) -> float | None:
        """Return the position that the servo of a joint follows [rad or m]; None: none."""
        row = self._row(joint)
        return float(row['target']) if row['holds'] else None

    def joint_motion(self, joints: Sequence[str]) -> tuple[Vector, Vector]:
        """Return positions [rad or m] and velocities of some joints now."""
        rows = [self._row(joint) for joint in joints]
        state = self._memory.state
        return state[[row['q'] for row in rows]], state[[row['u'] for row in rows]]

    def _position(self, joint: str) -> float:
        """Return where a joint is now [rad or m]."""
        return float(self._memory.state[self._row(joint)['q']])

    def _row(self, joint: str) -> Any:
        return self._memory.image['joints'][self._number(joint)]

    def _number(self, joint: str) -> int:
        if (mimic := self._followers.get(joint)) is not None:
            raise OptionError(f'joint {joint} mimics {mimic.joint}: name that joint instead')
        if joint not in self._joints:
            raise no_such('joint with one degree of freedom', joint, self._joints)
        return self._joints[joint]


def _column(rows: NDArray[Any], name: str) -> Floats:
    """Return a field of all rows, whose numbers are written much faster than those of numpy."""
    return cast(Floats, memoryview(rows[name]))  # type: ignore[arg-type]


def _check_number(what: str, value: object) -> None:
    if not isinstance(value, Real) or not isfinite(float_of(value)):
        raise OptionError(f'{what} must be a finite number, got {shown_value(value)}')
