"""An action whose goals are motions: checked, started, told of, cancelled and answered."""

from __future__ import annotations

import asyncio
import math
from typing import Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.node import Node

from symcontact_ros.errors import one_line
from symcontact_ros.ros.checked_node import CALLS
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.rejections import Rejected
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.ros.trajectories.following import Motion, Outcome, SUCCESSFUL

FEEDBACK_PERIOD = 0.05  # [s simulated] at least from one feedback to the next


class MotionAction:
    """
    Action server whose goals are motions; a new goal replaces those of its joints.

    Parameters
    ----------
    kind, name
        Type and name of the action.
    node, scheduler, commands
        Who offers it, the steps in which a motion goes on, and what starts it.

    """

    def __init__(
        self, kind: Any, name: str, node: Node, scheduler: StepScheduler, commands: Commands
    ) -> None:
        self.name = name
        self.kind = kind
        self.node = node
        self.scheduler = scheduler
        self.commands = commands
        self._motions: dict[bytes, Motion] = {}  # begun, by goal
        self._refused: dict[bytes, str] = {}  # why not, by goal
        self.server = ActionServer(
            node,
            kind,
            self.name,
            self._execute,
            goal_callback=self._check,
            handle_accepted_callback=self._begin,
            cancel_callback=lambda goal: CancelResponse.ACCEPT,
            goal_service_qos_profile=CALLS,
            result_service_qos_profile=CALLS,
            cancel_service_qos_profile=CALLS,
        )

    # Of each kind of action ----------------------------------------------------------------------

    def motion(self, goal: Any) -> Motion:
        """Return the motion of a goal; Rejected if there is none."""
        raise NotImplementedError

    def feedback(self, motion: Any) -> Any:
        """Return the message of how far it is; None: nothing yet."""
        raise NotImplementedError

    def result(self, motion: Any, outcome: Outcome) -> Any:
        """Return the message of its end."""
        raise NotImplementedError

    def refusal(self, text: str) -> Any:
        """Return the message of a motion that did not begin."""
        return self.kind.Result()

    # Goals ---------------------------------------------------------------------------------------

    def _check(self, goal: Any) -> GoalResponse:
        """Reject goals that cannot be done; the reason is logged, and counted in diagnostics."""
        try:
            with self.scheduler.lock:
                # What was sent before comes before. Not in `_begin`: who has the answer by then
                # may have sent what comes after.
                self.scheduler.take_commands()
                self.motion(goal)
        except Rejected as rejected:
            self.commands.rejections.add(self.name, rejected)
            self.node.get_logger().error(one_line(f'{self.name}: goal rejected: {rejected}'))
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _begin(self, goal: Any) -> None:
        """Start the motion of an accepted goal at once: what is sent later replaces it."""
        key = bytes(goal.goal_id.uuid)
        try:
            with self.scheduler.lock:
                motion = self._motions[key] = self.motion(goal.request)
                self.commands.start(motion, self.scheduler.steps)
        except Rejected as rejected:  # since it was checked
            self._refused[key] = str(rejected)
        goal.execute()

    async def _execute(self, goal: Any) -> Any:
        """Wait for the end of a motion."""
        key = bytes(goal.goal_id.uuid)
        if key in self._refused:
            goal.abort()
            return self.refusal(self._refused.pop(key))
        motion = self._motions.pop(key)
        told = -math.inf
        while motion.outcome is None:
            if goal.is_cancel_requested:
                with self.scheduler.lock:
                    self.commands.following.cancel(motion)
                continue
            now = 1e-9 * self.scheduler.nanoseconds
            if abs(now - told) >= FEEDBACK_PERIOD:
                message = self.feedback(motion)
                if message is not None:
                    told = now
                    goal.publish_feedback(message)
            await asyncio.sleep(0)  # continued when the executor spins next
        outcome = motion.outcome
        if outcome.cancelled:
            goal.canceled()
        elif outcome.code == SUCCESSFUL:
            goal.succeed()
        else:
            goal.abort()
        return self.result(motion, outcome)
