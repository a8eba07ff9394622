"""
State feedback that balances the pole of the models cart_pole and cart_pole_walls.

The gain of a linear quadratic regulator is computed from A and B of `~/linearize`: of the
simulated equations, with their present masses and lengths. When a live symbol changes (`ros2 param
set /symcontact symbols.m 0.5`), which /parameter_events reports, the gain is computed again,
unless `freeze_gain` is set.

The controller starts with the pole upright: pause, reset, linearise, continue (`restart:=false`
leaves the state as it is).

  simulation:  ros2 run symcontact_ros simulation_node --ros-args -p model:=cart_pole_walls
  subscribes:  joint_states, /parameter_events
  commands:    ~/joint_commands of the simulation, an effort of the rail [N]
  calls:       ~/linearize, ~/pause, ~/reset of the simulation
"""

from __future__ import annotations

from collections.abc import Callable
import json
import math
import time
from typing import Any, ClassVar

import numpy as np
from rcl_interfaces.msg import ParameterEvent
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool, Trigger

from symcontact_ros.examples.controller import Controller, Parameter
from symcontact_ros.examples.reading import joint, seconds, Vector

RAIL, HINGE = 'rail', 'hinge'
PATIENCE = 0.5  # [s] simulated: time for which the pole may be down before a restart
PATIENCE_WITH_SERVICES = 20.0  # [s] of wall time: the first linearisation takes a derivation
SYMBOLS = 'symbols.'
SWAY_PERIOD = 8.0  # [s] simulated


def lqr_gain(A: Vector, B: Vector, Q: Vector, R: Vector) -> Vector:
    """Return K of u = -K x that minimises the integral of x^T Q x + u^T R u."""
    from scipy.linalg import solve_continuous_are  # 0.2 s to import

    cost = solve_continuous_are(A, B, Q, R)
    gain: Vector = np.linalg.solve(R, B.T @ cost)
    return gain


def cart_pole_gain(linearization: dict[str, Any], weights: Vector, effort_weight: float) -> Vector:
    """
    Return the gain on (x, angle, and their rates), from the JSON of `~/linearize`.

    Only the rail is actuated. ValueError if this is not the linearisation of a cart-pole.
    """
    states, inputs = linearization['states'], linearization['inputs']
    if len(states) != 4 or set(inputs) != {RAIL, HINGE}:
        raise ValueError(f'states {states} and inputs {inputs} are not those of a cart-pole')
    order = [inputs.index(RAIL), inputs.index(HINGE)]
    order += [2 + i for i in order]
    A = np.array(linearization['A'], dtype=float)[np.ix_(order, order)]
    B = np.array(linearization['B'], dtype=float)[order][:, [inputs.index(RAIL)]]
    gain: Vector = lqr_gain(A, B, np.diag(weights), np.array([[effort_weight]]))[0]
    return gain


class CartPoleLqr(Controller):
    """Node that replies to every joint_states with an effort of the rail."""

    PARAMETERS: ClassVar = {
        'weights': Parameter(
            [10.0, 50.0, 1.0, 1.0], 'Weights of x [m], angle [rad] and their rates in the cost.'
        ),
        'effort_weight': Parameter(0.1, 'Weight of the force on the cart [N] in the cost.', 1e6),
        'max_effort': Parameter(30.0, 'Largest force on the cart [N].', 1e4),
        'largest_angle': Parameter(
            0.8, 'Angle beyond which the pole counts as fallen [rad].', 3.0
        ),
        'sway': Parameter(0.0, 'Distance by which the cart sways to both sides [m].', 1.0),
        'freeze_gain': Parameter(
            False, 'Keep the gain whatever changes, and leave a pole that falls where it is.'
        ),
        'restart': Parameter(True, 'Reset to the upright pole at the start, and after a fall.'),
    }

    def __init__(self) -> None:
        super().__init__('cart_pole_lqr')
        self.gain: Vector | None = None
        self._outdated = True  # whether the gain must be computed again
        self._waiting_until = 0.0  # wall time [s]: end of waiting for a response
        self._down = 0.0  # time for which the pole has been down [s]
        self._commands = self.create_publisher(JointState, self.topic('joint_commands'), 10)
        self._linearize = self.create_client(Trigger, self.topic('linearize'))
        self._pause = self.create_client(SetBool, self.topic('pause'))
        self._reset = self.create_client(Trigger, self.topic('reset'))
        self.create_subscription(JointState, 'joint_states', self._answer, 10)
        self.create_subscription(ParameterEvent, '/parameter_events', self._changed, 100)
        self._simulation_name = f'{self.get_namespace().rstrip("/")}/{self.simulation}'

    def begin(self) -> None:
        """Request a new gain: the model may have changed."""
        self._down, self._outdated = 0.0, True
        if self.gain is None:
            self.wait()

    def wait(self) -> None:
        """Start the simulation with the pole upright, also if it is paused."""
        services = (self._pause, self._reset, self._linearize)
        ready = all(service.service_is_ready() for service in services)
        if ready and self.value('restart') and not self._waiting:
            self._put_upright()

    def let_go(self) -> None:
        """Set the force on the cart to zero."""
        self._command(JointState(), 0.0)

    def _answer(self, message: JointState) -> None:
        passed = self.hear(message.header.stamp)
        try:
            (x, speed), (angle, rate) = joint(message, RAIL), joint(message, HINGE)
        except KeyError as error:
            self.get_logger().error(f'not a cart-pole: {error}', throttle_duration_sec=5.0)
            return
        upright = abs(angle) <= self.value('largest_angle')
        self._down = 0.0 if upright else self._down + passed
        frozen = self.value('freeze_gain') and self.gain is not None
        if upright and self._outdated and not (frozen or self._waiting):
            if self._linearize.service_is_ready():
                self._ask_for_gain()
        elif self._down > PATIENCE and not frozen:
            self._down = 0.0
            self.get_logger().info('the pole is down')
            self.wait()
        effort = 0.0
        if upright and self.gain is not None:
            largest = self.value('max_effort')
            there, pace = self._reference(message)
            wanted = -float(self.gain @ [x - there, angle, speed - pace, rate])
            effort = min(max(wanted, -largest), largest)
        self._command(message, effort)

    def _reference(self, message: JointState) -> tuple[float, float]:
        """Return where the cart should be [m], and how fast it should go there."""
        frequency, distance = 2.0 * math.pi / SWAY_PERIOD, self.value('sway')
        phase = frequency * seconds(message.header.stamp)
        return distance * math.sin(phase), distance * frequency * math.cos(phase)

    def _command(self, answered: JointState, effort: float) -> None:
        command = JointState(name=[RAIL], effort=[effort])
        command.header.stamp = answered.header.stamp
        self._commands.publish(command)

    # The gain -----------------------------------------------------------------------------------

    @property
    def _waiting(self) -> bool:
        """Whether a response is outstanding; false after a timeout."""
        return time.monotonic() < self._waiting_until

    def _put_upright(self) -> None:
        """Pause, reset, linearise, and continue."""

        def go_on() -> None:
            self.ask(self._pause, SetBool.Request(data=False), lambda _: None)

        self._waiting_until = time.monotonic() + PATIENCE_WITH_SERVICES
        self.ask(
            self._pause,
            SetBool.Request(data=True),
            lambda _: self.ask(
                self._reset, Trigger.Request(), lambda _: self._ask_for_gain(go_on)
            ),
        )

    def _ask_for_gain(self, then: Callable[[], None] = lambda: None) -> None:
        """Request A and B at the present state."""

        def use(response: Trigger.Response) -> None:
            self._waiting_until = 0.0
            self._use(response.message)
            then()

        self._waiting_until = time.monotonic() + PATIENCE_WITH_SERVICES
        self._outdated = False
        self.ask(self._linearize, Trigger.Request(), use)

    def _use(self, linearization: str) -> None:
        """Compute the gain."""
        weights = np.array(self.value('weights'))
        try:
            self.gain = cart_pole_gain(
                json.loads(linearization), weights, self.value('effort_weight')
            )
        except (ValueError, KeyError, np.linalg.LinAlgError) as error:
            self.get_logger().error(f'no gain: {error}')
        else:
            shown = ', '.join(f'{number:.2f}' for number in self.gain)
            self.get_logger().info(f'gain on x, angle and their rates: {shown}')

    def _changed(self, event: ParameterEvent) -> None:
        """Request a new gain when a live symbol of the simulation has changed."""
        names = [p.name for p in event.changed_parameters if p.name.startswith(SYMBOLS)]
        if event.node == self._simulation_name and names:
            changed = ', '.join(name.removeprefix(SYMBOLS) for name in names)
            self.get_logger().info(f'{changed} changed')
            self._outdated = True


CONTROLLER = CartPoleLqr
