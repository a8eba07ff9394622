"""Other nodes that get in the way: of the same name, or with a clock of their own."""

import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from diagnostic_msgs.msg import DiagnosticStatus
from helpers.processes import LONG
from rclpy.context import Context
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from symcontact_ros.ros.node import SimulationNode

NAMESAKE = '1 other node named /symcontact, too'
TIMEKEEPER = "another node publishes /clock, too: '/lab/timekeeper'"
NOBODY = 'no other node has this name or publishes /clock now'


@pytest.fixture
def context(domain):
    """Return a function that returns contexts of this test's domain: as if of other processes."""
    made = []

    def make():
        made.append(Context())
        rclpy.init(context=made[-1], domain_id=domain)
        return made[-1]

    yield make
    for each in made:
        each.try_shutdown()


def test_nodes_that_come_later_and_get_in_the_way_are_told_once(context, capfd):
    given = {'model': 'bouncing_circle', 'start_paused': True}
    node = SimulationNode(parameter_overrides=given, context=context(), timer=False)
    diagnostics, told = node.diagnostics, []

    def wait_for(*wanted):
        """Check often, where the node checks once a second."""
        end = time.monotonic() + LONG
        while True:
            diagnostics.neighbours.check()
            told.append(capfd.readouterr().err)
            status = diagnostics.simulation_status(1.0, 1.0)
            if all(part in status.message for part in wanted) and (
                len(diagnostics.neighbours.warnings) == len(wanted)
            ):
                return status.level
            assert time.monotonic() < end, status.message
            time.sleep(0.02)

    assert wait_for() == DiagnosticStatus.OK
    elsewhere = context()
    timekeeper = Node('timekeeper', namespace='/lab', context=elsewhere)
    timekeeper.create_publisher(Clock, '/clock', 1)
    assert wait_for(TIMEKEEPER) == DiagnosticStatus.WARN
    namesake = Node('symcontact', context=elsewhere)
    assert wait_for(TIMEKEEPER, NAMESAKE) == DiagnosticStatus.WARN
    namesake.destroy_node()
    timekeeper.destroy_node()
    assert wait_for() == DiagnosticStatus.OK
    log = ''.join(told)
    assert [log.count(text) for text in (NAMESAKE, TIMEKEEPER, NOBODY)] == [1, 1, 1]
    assert '__node:=NAME' in log
    assert 'publish_clock:=false' in log
    node.destroy_node()
