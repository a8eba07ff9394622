"""Interfaces built by tools/interfaces: messages, services and actions over DDS."""

import json
from pathlib import Path
import subprocess
import sys

from helpers.places import ROOT
import pytest

pytest.importorskip('rclpy')

ACTION = """\
import rclpy
from rclpy.action import ActionClient, ActionServer
from control_msgs.action import GripperCommand

rclpy.init()
node = rclpy.create_node('both')

def execute(goal):
    goal.publish_feedback(GripperCommand.Feedback(position=0.5))
    goal.succeed()
    return GripperCommand.Result(position=goal.request.command.position, reached_goal=True)

server = ActionServer(node, GripperCommand, 'grip', execute)
client = ActionClient(node, GripperCommand, 'grip')
assert client.wait_for_server(20.0)
goal = GripperCommand.Goal()
goal.command.position = 0.25
said = []
sent = client.send_goal_async(goal, lambda message: said.append(message.feedback.position))
rclpy.spin_until_future_complete(node, sent, timeout_sec=20.0)
result = sent.result().get_result_async()
rclpy.spin_until_future_complete(node, result, timeout_sec=20.0)
print(result.result().result.position, said)
"""
# Of the definitions of control_msgs for Jazzy: only what has the same hash understands each other.
HASHES = {
    'FollowJointTrajectory': '738ebcb7a2d7cfa42f9f1001cc99ce3a4383d1cfe508015d9be8485e4b1c66f6',
    'GripperCommand': 'e17c0e644eccf14bea84a0a93e0977182872c2eb7873ca6694900059b46dbc84',
    'ParallelGripperCommand': 'adfd3c1ebe8abc38ebcc0e454b6423d291d4010dd5697d14eca5b9be4726ae18',
}


def test_actions_are_those_of_their_package():
    folder = Path(sys.prefix, 'share/control_msgs/action')
    if not folder.is_dir():
        pytest.skip('a distribution has the package itself')
    for name, wanted in HASHES.items():
        described = json.loads((folder / f'{name}.json').read_text())
        assert described['type_hashes'][0]['hash_string'] == f'RIHS01_{wanted}'


def test_an_action_that_has_no_wheel_runs_over_dds(ros_environment):
    pytest.importorskip('control_msgs')
    result = subprocess.run(
        [sys.executable, '-c', ACTION],
        env=ros_environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.stdout.split() == ['0.25', '[0.5]'], result.stderr


def test_a_package_without_definitions_is_refused():
    build = [sys.executable, ROOT / 'tools' / 'interfaces' / 'build.py', 'no_such_msgs']
    result = subprocess.run(build, capture_output=True, text=True)
    assert result.returncode == 1
    assert 'no_such_msgs holds no definition' in result.stderr
