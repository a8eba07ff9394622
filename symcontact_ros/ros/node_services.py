"""Services of the node: time (`~/pause`, `~/rewind`, ...), `~/state_hash` and `~/linearize`."""

from __future__ import annotations

import json
from typing import Any

from rclpy.node import Node
from std_srvs.srv import SetBool, Trigger

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.simulation.equations.equations_of_motion import (
    equations_of_motion,
    EquationsOfMotion,
)
from symcontact_ros.simulation.observing.observer import Observer


class Services:
    """Services of the node; each response says what was done, or why not."""

    def __init__(self, node: Node, scheduler: StepScheduler, observer: Observer) -> None:
        self._scheduler = scheduler
        self.follow(observer)
        node.create_service(SetBool, '~/pause', self._pause)
        node.create_service(Trigger, '~/reset', self._reset)
        node.create_service(Trigger, '~/rewind', self._rewind)
        node.create_service(Trigger, '~/step', self._step)
        node.create_service(Trigger, '~/state_hash', self._state_hash)
        node.create_service(Trigger, '~/linearize', self._linearize)

    def follow(self, observer: Observer) -> None:
        """Take the model that the simulation has now."""
        self._observer = observer
        self._equations: EquationsOfMotion | None = None

    def _pause(self, request: Any, response: Any) -> Any:
        self._scheduler.pause(request.data)
        response.success = self._scheduler.paused == request.data
        response.message = self._time()
        if not response.success:
            response.message = f'{self._scheduler.failure}; call ~/reset first'
        return response

    def _reset(self, request: Any, response: Any) -> Any:
        self._scheduler.reset()
        response.success, response.message = True, self._time()
        return response

    def _rewind(self, request: Any, response: Any) -> Any:
        try:
            self._scheduler.rewind()
        except OptionError as error:
            response.message = str(error)
        else:
            response.success, response.message = True, self._time()
        return response

    def _step(self, request: Any, response: Any) -> Any:
        if not self._scheduler.paused or self._scheduler.failure is not None:
            response.message = str(
                self._scheduler.failure or 'not paused: call ~/pause with true first'
            )
            return response
        self._scheduler.step()
        response.success = self._scheduler.failure is None
        response.message = self._time() if response.success else str(self._scheduler.failure)
        return response

    def _state_hash(self, request: Any, response: Any) -> Any:
        response.success, response.message = True, self._scheduler.simulation.state_hash()
        return response

    def _linearize(self, request: Any, response: Any) -> Any:
        """Return A and B at the present state and efforts, contact-free, as JSON."""
        simulation = self._scheduler.simulation
        if self._equations is None:
            self._equations = equations_of_motion(simulation.model, progress=lambda text: None)
        self._equations.dynamics.set_values(simulation.parameters)
        effort = self._observer.observe().joint_effort
        found = self._equations.linearize({'q': simulation.q, 'u': simulation.u, 'effort': effort})
        response.success = True
        response.message = json.dumps(
            {
                'A': found.A.tolist(),
                'B': found.B.tolist(),
                'states': found.states,
                'inputs': found.inputs,
                'q': found.q.tolist(),
                'u': found.u.tolist(),
                'effort': found.effort.tolist(),
            }
        )
        return response

    def _time(self) -> str:
        return f'simulated time {1e-9 * self._scheduler.nanoseconds:.9f} s'
