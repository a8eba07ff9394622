"""`~/simulate_steps`: the action of simulation_interfaces that runs a number of steps."""

from __future__ import annotations

import asyncio
from typing import Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.node import Node

from symcontact_ros.ros.checked_node import CALLS
from symcontact_ros.ros.standard.results import answered, FAILED, OK
from symcontact_ros.ros.stepping.pacing import Run
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler


class StepsAction:
    """
    Action that runs a paused simulation for a number of steps.

    These are ordinary steps, made in ticks: paced, published, commanded and in lockstep as usual.
    The action waits for their end, and reports how many are left.
    """

    def __init__(self, node: Node, kind: Any, scheduler: StepScheduler) -> None:
        self._kind = kind
        self._scheduler = scheduler
        self.server = ActionServer(
            node,
            kind,
            '~/simulate_steps',
            self.execute,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            cancel_service_qos_profile=CALLS,
        )

    async def execute(self, goal: Any) -> Any:
        """Run the steps, until the goal is cancelled or the simulation paused."""
        scheduler, result = self._scheduler, self._kind.Result()
        if not scheduler.paused or scheduler.failure is not None:
            goal.abort()
            return answered(result, FAILED, str(scheduler.failure or 'not paused: pause it first'))
        with scheduler.lock:  # an executor with several threads may tick meanwhile
            run = scheduler.run(int(goal.request.steps))
        reported = run.left
        while True:
            if run.left != reported:
                reported = run.left
                self._tell(goal, run)
            if run.over:
                break
            if goal.is_cancel_requested:
                with scheduler.lock:
                    scheduler.pause(True)
            await asyncio.sleep(0)  # continued when the executor spins next
        if run.left == 0:
            goal.succeed()
            return answered(result, OK)
        made = f'after {run.made} of {run.made + run.left} steps'
        if goal.is_cancel_requested:
            goal.canceled()
            return answered(result, FAILED, f'cancelled {made}')
        goal.abort()
        reason = scheduler.failure or 'paused, continued or ended by another request'
        return answered(result, FAILED, f'{reason}, {made}')

    def _tell(self, goal: Any, run: Run) -> None:
        feedback = self._kind.Feedback()
        feedback.completed_steps, feedback.remaining_steps = run.made, run.left
        goal.publish_feedback(feedback)
