"""
A simulation that reports all that acts on it, with the number of the step before which it does.

What a run depends on is its start and these inputs: `make_input` gives them to another simulation
of the same model, which then goes through the same states, bit for bit.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.errors import no_such, OptionError, shown
from symcontact_ros.simulation.options import CHANGEABLE
from symcontact_ros.simulation.simulation import Simulation

Log = Callable[[int, str, dict[str, Any]], None]  # number of the step, method, its arguments


def _silent(step: int, name: str, arguments: dict[str, Any]) -> None:
    """Report to nobody."""


class LoggedSimulation(Simulation):
    """
    A simulation with a log of its inputs.

    Attributes
    ----------
    log
        Called after every input, with the number of the step before which it acts; copies of the
        simulation have none.

    """

    log: Log = staticmethod(_silent)

    def __copy__(self) -> LoggedSimulation:
        other: LoggedSimulation = super().__copy__()  # type: ignore[assignment]
        other.log = _silent
        return other

    def configure(self, parameters: Mapping[str, float] | None = None, **options: object) -> None:
        """Change how the next steps are made, and live symbols."""
        before = self._settings()
        super().configure(parameters, **options)
        # A node sets all options with every parameter, changed or not.
        if parameters or self._settings() != before:
            values = {name: float(value) for name, value in (parameters or {}).items()}
            self.log(self.steps, 'configure', {'parameters': values, **plain(options)})

    def _settings(self) -> tuple[Any, ...]:
        return tuple(plain(getattr(self, name)) for name in CHANGEABLE)

    def exchange(self, other: Simulation, keep: bool = True) -> None:
        """Refuse another model: a recording has one."""
        raise OptionError('a recorded run keeps its bodies: record without adding or removing any')

    def set_state(
        self,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        keep_anchors: bool = False,
    ) -> None:
        """Set coordinates and speeds, or one of them."""
        super().set_state(q, u, keep_anchors)
        given = plain({'q': q, 'u': u})
        if keep_anchors:
            given['keep_anchors'] = True
        self.log(self.steps, 'set_state', given)

    def reset(self, q: ArrayLike | None = None, u: ArrayLike | None = None) -> None:
        """Go back to the initial state, or to one that is given, and to time 0."""
        step = self.steps
        super().reset(q, u)
        self.log(step, 'reset', plain({'q': q, 'u': u}))

    def restore_state(self, data: bytes) -> None:
        """Go back to a saved state."""
        step = self.steps
        super().restore_state(data)
        self.log(step, 'restore_state', {'data': base64.b64encode(data).decode()})

    def set_wrench(
        self,
        body: str,
        force: ArrayLike = (0.0, 0.0, 0.0),
        torque: ArrayLike = (0.0, 0.0, 0.0),
        point: ArrayLike | None = None,
    ) -> None:
        """Apply a force and a torque to a body, world axes, until changed."""
        super().set_wrench(body, force, torque, point)
        given = {'body': body, 'force': force, 'torque': torque, 'point': point}
        self.log(self.steps, 'set_wrench', plain(given))

    def clear_wrenches(self) -> None:
        """Take all applied wrenches away."""
        super().clear_wrenches()
        self.log(self.steps, 'clear_wrenches', {})

    def set_effort(self, joint: str, value: float) -> None:
        """Apply a torque or force to a joint of one degree of freedom, until changed."""
        super().set_effort(joint, value)
        self.log(self.steps, 'set_effort', {'joint': joint, 'value': float(value)})

    def set_target(
        self, joint: str, position: float | None = None, velocity: float | None = None
    ) -> None:
        """Let the servo of a joint follow a position and a velocity, or neither."""
        super().set_target(joint, position, velocity)
        given = {'joint': joint, 'position': position, 'velocity': velocity}
        self.log(self.steps, 'set_target', plain(given))

    def release(self, joint: str) -> None:
        """End the command of a joint."""
        super().release(joint)
        self.log(self.steps, 'release', {'joint': joint})

    def step(self, count: int = 1) -> None:
        """Advance by count steps; how many at once matters to the reference integrator alone."""
        step = self.steps
        super().step(count)
        if self.used_integrator == 'reference':
            self.log(step, 'step', {'count': int(count)})


INPUTS = (
    *('configure', 'set_state', 'reset', 'restore_state', 'set_wrench', 'clear_wrenches'),
    *('set_effort', 'set_target', 'release', 'step'),
)


def make_input(simulation: Simulation, name: str, arguments: Mapping[str, Any]) -> None:
    """Give a logged input to a simulation; OptionError if it is none."""
    if name not in INPUTS:
        raise no_such('input', name, INPUTS)
    given = dict(arguments)
    try:
        if name == 'restore_state':
            given['data'] = base64.b64decode(str(given.get('data')), validate=True)
        getattr(simulation, name)(**given)
    except (TypeError, AttributeError, binascii.Error) as error:
        raise OptionError(f'input {name}: {shown(error)}') from error


def plain(value: Any) -> Any:
    """Return arrays and numbers of NumPy as lists and numbers that JSON keeps bit for bit."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value
