"""Hands of browsers: forces at points of bodies, efforts and targets of joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geometry_msgs.msg import WrenchStamped
import numpy as np
from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState

from symcontact_ros.placements import matrix
from symcontact_ros.view.browsers import Browser
from symcontact_ros.view.requests import WrongRequestError

HEAD, MOTION, TIME = 6, 13, 2  # numbers of an instant: those before bodies, those of each
AGAIN = 0.1  # [s simulated] after which a command is sent again: they act for 0.5 s by default


class Hands:
    """Commands that browsers give, as messages to the simulation."""

    def __init__(self, node: Node, simulation: str) -> None:
        self._node = node
        self._simulation = simulation
        self._joints = node.create_publisher(JointState, f'{simulation}/joint_commands', 10)
        self._bodies: dict[str, Publisher] = {}
        self._rows: dict[str, int] = {}  # of bodies that move
        self._planar = False
        self._known: set[str] = set()  # joints
        self._pulled: dict[Browser, str] = {}  # body, by browser that pulls it
        self._held: dict[str, JointState] = {}  # by joint
        self._sent = 0.0  # simulated time at which commands of joints were sent last [s]
        self._numbers: Sequence[float] = ()
        self.geometry: dict[str, Any] = {}

    def begin(self, description: Mapping[str, Any]) -> None:
        """Take the description of a model."""
        self._planar = description['dimension'] == 2
        bodies = enumerate(description['bodies'])
        self._rows = {body['name']: row for row, body in bodies if not body['isFixed']}
        self._known = {*description['efforts'], *description['servos']}
        self._pulled.clear()
        self._held.clear()
        self._numbers = ()

    def see(self, numbers: Sequence[float]) -> None:
        """Take the numbers of an instant, and repeat commands of joints before they end."""
        self._numbers = numbers
        if self._held and not 0.0 <= numbers[TIME] - self._sent < AGAIN:
            self._sent = numbers[TIME]
            for command in self._held.values():
                self._joints.publish(command)

    # Bodies -------------------------------------------------------------------------------------

    def push(self, browser: Browser, body: str, force: list[float], point: list[float]) -> None:
        """Apply a force [N] at a point of the world [m]; it ends by itself soon."""
        if body not in self._rows:
            raise WrongRequestError(f'no body {body!r} that moves')
        if not len(self._numbers) or not self.geometry:
            return
        lever = np.array(point) - self._centre(body)
        torque = np.cross(lever, force)
        if self._planar:
            force, torque = [*force[:2], 0.0], np.array([0.0, 0.0, torque[2]])
        if self._pulled.get(browser, body) != body:
            self.release(browser)
        self._pulled[browser] = body
        self._send(body, force, torque.tolist())

    def release(self, browser: Browser) -> None:
        """End the pull of a browser."""
        body = self._pulled.pop(browser, None)
        if body is not None:
            self._send(body, [0.0] * 3, [0.0] * 3)

    def _centre(self, body: str) -> Any:
        """Return the centre of mass of a body at the last instant [m]."""
        row = self._rows[body]
        motion = self._numbers[HEAD + MOTION * row : HEAD + MOTION * (row + 1)]
        rotation = matrix(tuple(motion[3:7]))
        return np.array(motion[:3]) + rotation @ np.array(self.geometry['bodies'][row]['com'])

    def _send(self, body: str, force: Sequence[float], torque: Sequence[float]) -> None:
        if body not in self._bodies:
            topic = f'{self._simulation}/bodies/{body}/wrench_command'
            self._bodies[body] = self._node.create_publisher(WrenchStamped, topic, 10)
        message = WrenchStamped()
        wrench = message.wrench
        wrench.force.x, wrench.force.y, wrench.force.z = force
        wrench.torque.x, wrench.torque.y, wrench.torque.z = torque
        self._bodies[body].publish(message)

    # Joints -------------------------------------------------------------------------------------

    def drive(self, joint: str, effort: float | None, position: float | None) -> None:
        """Hold an effort [N m or N] or a target [rad or m] of a joint until it is changed."""
        if joint not in self._known:
            raise WrongRequestError(f'no joint {joint!r} that can be driven')
        command = JointState(name=[joint])
        if effort is not None:
            command.effort = [effort]
        if position is not None:
            command.position = [position]
        self._held[joint] = command
        self._joints.publish(command)

    def let_go(self, joint: str) -> None:
        """End the command of a joint: at once if it is an effort, else in a moment."""
        held = self._held.pop(joint, None)
        if held is not None and len(held.effort):
            self._joints.publish(JointState(name=[joint], effort=[0.0]))

    def let_all_go(self) -> None:
        """End the commands of all joints."""
        for joint in list(self._held):
            self.let_go(joint)
