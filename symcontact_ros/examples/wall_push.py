"""
Force control that presses the hand of the model wall_push against the wall.

Without contact the hand approaches at a given speed. In contact, the force on the hand, measured
by the contact wrench topic, is controlled to the target by proportional and integral feedback with
the target as feed-forward effort. `ros2 param set /wall_push target_force 30.0` changes it at
once.

  simulation:  ros2 run symcontact_ros simulation_node --ros-args -p model:=wall_push
  subscribes:  joint_states, ~/bodies/hand/contact_wrench of the simulation (or `wrench_topic`,
               such as that of the force sensor in the wrist: its sign is the same)
  commands:    ~/joint_commands of the simulation, an effort of the slide [N]
"""

from __future__ import annotations

from typing import ClassVar

from geometry_msgs.msg import WrenchStamped
from sensor_msgs.msg import JointState

from symcontact_ros.examples.controller import Controller, Parameter
from symcontact_ros.examples.reading import joint

SLIDE = 'slide'
# Gains for a pad of some 5 N/mm at 100 messages per second.
PROPORTIONAL, INTEGRAL, DAMPING = 0.3, 6.0, 100.0  # [-], [1/s], [N s/m]
TOUCHING = 0.5  # [N], more than the noise of a sensor
STALE = 0.1  # [s] simulated: older wrenches are not used


class ForceLaw:
    """Effort of the slide from its speed and the measured force: approach, then press."""

    def __init__(self) -> None:
        self._integral = 0.0  # [N s]
        self.touching = False

    def effort(
        self, pressed: float, speed: float, passed: float, target: float, approach: float
    ) -> float:
        """
        Return the effort [N].

        Parameters
        ----------
        pressed
            Force on the wall [N].
        speed
            Of the hand, towards the wall [m/s].
        passed
            Time since the last call [s].
        target
            Desired force [N].
        approach
            Speed while there is no contact [m/s].

        """
        self.touching = pressed > TOUCHING
        if not self.touching:
            self._integral = 0.0
            return DAMPING * (approach - speed)
        error = target - pressed
        # Limited, against wind-up.
        self._integral = min(max(self._integral + passed * error, -0.1 * target), 0.1 * target)
        push = target + PROPORTIONAL * error + INTEGRAL * self._integral
        return push - DAMPING * speed


class WallPush(Controller):
    """Node that replies to every joint_states with an effort of the slide."""

    PARAMETERS: ClassVar = {
        'target_force': Parameter(20.0, 'Desired force on the wall [N].', 1e4),
        'approach_speed': Parameter(0.1, 'Speed until there is contact [m/s].', 10.0),
        'max_effort': Parameter(100.0, 'Largest force of the slide [N].', 1e4),
        'wrench_topic': Parameter('', 'Topic of the force on the hand; its x component is used.'),
    }

    def __init__(self) -> None:
        super().__init__('wall_push')
        self._law = ForceLaw()
        self._pressed, self._age = 0.0, STALE  # [N], and its age [s]
        topic = self.value('wrench_topic') or self.topic('bodies/hand/contact_wrench')
        self._commands = self.create_publisher(JointState, self.topic('joint_commands'), 10)
        self.create_subscription(WrenchStamped, topic, self._feel, 10)
        self.create_subscription(JointState, 'joint_states', self._answer, 10)

    def begin(self) -> None:
        """Reset the force law."""
        self._law = ForceLaw()
        self._age = STALE

    def let_go(self) -> None:
        """Set the effort of the slide to zero."""
        self._command(JointState(), 0.0)

    def _feel(self, message: WrenchStamped) -> None:
        self._pressed, self._age = -message.wrench.force.x, 0.0  # the wall pushes the hand back

    def _answer(self, message: JointState) -> None:
        passed = self.hear(message.header.stamp)
        self._age += passed
        try:
            _, speed = joint(message, SLIDE)
        except KeyError as error:
            self.get_logger().error(f'not the model wall_push: {error}', throttle_duration_sec=5.0)
            return
        if self._age >= STALE:  # no measurement: zero effort
            if self._age > 10.0 * STALE:
                self.get_logger().warning('no wrench received', throttle_duration_sec=5.0)
            self._command(message, 0.0)
            return
        target, approach = self.value('target_force'), self.value('approach_speed')
        wanted = self._law.effort(self._pressed, speed, passed, target, approach)
        largest = self.value('max_effort')
        self._command(message, min(max(wanted, -largest), largest))

    def _command(self, answered: JointState, effort: float) -> None:
        command = JointState(name=[SLIDE], effort=[effort])
        command.header.stamp = answered.header.stamp
        self._commands.publish(command)


CONTROLLER = WallPush
