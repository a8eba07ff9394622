"""`~/simulate_steps`: the action of simulation_interfaces that plays for a number of steps."""

from __future__ import annotations

import asyncio
from typing import Any

from rclpy.action import ActionServer, CancelResponse
from rclpy.node import Node

from symcontact_ros.ros.standard.results import answered, FAILED, OK
from symcontact_ros.ros.stepping.pacing import Run
from symcontact_ros.ros.stepping.stepper import Stepper


class StepsAction:
    """
    Lets a paused simulation go on for a number of steps.

    These are ordinary steps, made in ticks: paced, published, commanded and in lockstep as ever.
    What the action does is to wait for their end, and to tell how many are left.
    """

    def __init__(self, node: Node, kind: Any, stepper: Stepper) -> None:
        self._kind = kind
        self._stepper = stepper
        ActionServer(
            node,
            kind,
            '~/simulate_steps',
            self.execute,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
        )

    async def execute(self, goal: Any) -> Any:
        """Let steps be made until all are, or somebody cancels the goal or pauses."""
        stepper, result = self._stepper, self._kind.Result()
        if not stepper.paused or stepper.failure is not None:
            goal.abort()
            return answered(result, FAILED, str(stepper.failure or 'it runs: pause it first'))
        run = stepper.run(int(goal.request.steps))
        told = run.left
        while True:
            if run.left != told:
                told = run.left
                self._tell(goal, run)
            if run.over:
                break
            if goal.is_cancel_requested:
                stepper.pause(True)
            await asyncio.sleep(0)  # the executor asks again when it spins next
        if run.left == 0:
            goal.succeed()
            return answered(result, OK)
        made = f'after {run.made} of {run.made + run.left} steps'
        if goal.is_cancel_requested:
            goal.canceled()
            return answered(result, FAILED, f'cancelled {made}')
        goal.abort()
        reason = stepper.failure or 'somebody else paused it, let it go on or ended it'
        return answered(result, FAILED, f'{reason}, {made}')

    def _tell(self, goal: Any, run: Run) -> None:
        feedback = self._kind.Feedback()
        feedback.completed_steps, feedback.remaining_steps = run.made, run.left
        goal.publish_feedback(feedback)
