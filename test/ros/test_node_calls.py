"""Many service calls at once: each of them is answered."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.laboratory import laboratory, node_command
from rcl_interfaces.srv import GetParameters
from rclpy.qos import QoSProfile
from std_srvs.srv import Trigger

MANY = 600
QUALITY = QoSProfile(depth=MANY)  # room for all answers: docs/ros.md asks for it


def test_600_calls_at_once_are_all_answered(domain, ros_environment):
    command = node_command('bouncing_circle', start_paused='true', tick_rate=2000)
    with laboratory(domain, ros_environment, command) as lab:
        steps, hashes = (
            lab.node.create_client(Trigger, lab.full(name), qos_profile=QUALITY)
            for name in ('step', 'state_hash')
        )
        names = lab.node.create_client(
            GetParameters, lab.full('get_parameters'), qos_profile=QUALITY
        )
        clients = (steps, hashes, names)
        assert lab.spin_until(lambda: all(client.service_is_ready() for client in clients))
        lab.pause()  # the way back is open, too
        calls = [
            client.call_async(client.srv_type.Request())
            for client in (steps, hashes, names)
            for _ in range(MANY)
        ]
        answered = lab.spin_until(lambda: all(call.done() for call in calls), timeout=30.0)
        assert answered, f'{sum(call.done() for call in calls)} of {len(calls)} are answered'
        assert all(call.result().success for call in calls[: 2 * MANY])
        times = {call.result().message for call in calls[:MANY]}
        assert len(times) == MANY, 'each made its step'
