"""Other nodes that get in the way: of the same name, with a clock, with the same frames."""

import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import TransformStamped
from helpers.processes import LONG
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage

from symcontact_ros.ros.node import SimulationNode

NAMESAKE = '1 other node named /symcontact, too'
TIMEKEEPER = "another node publishes /clock, too: '/lab/timekeeper'"
NOBODY = 'no other node is in the way or waits in vain now'


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


def test_a_frame_to_which_another_node_gives_another_parent_is_left_to_it(context):
    given = {'model': 'cart_pole', 'start_paused': True}
    ours = context()
    node = SimulationNode(parameter_overrides=given, context=ours, timer=False)
    elsewhere = context()
    other = Node('robot_state_publisher', context=elsewhere)
    heard = []  # /tf
    other.create_subscription(TFMessage, '/tf', heard.append, 100)
    executors = [SingleThreadedExecutor(context=each) for each in (ours, elsewhere)]
    for executor, each in zip(executors, (node, other), strict=True):
        executor.add_node(each)

    def spin_until(condition, what):
        end = time.monotonic() + LONG
        while not condition():
            assert time.monotonic() < end, what
            node.diagnostics.neighbours.check()
            node.publications.show(node.scheduler.nanoseconds)
            for executor in executors:
                executor.spin_once(timeout_sec=0.01)

    def last():
        frames = {t.child_frame_id: t.header.frame_id for t in heard[-1].transforms}
        return {name: parent for name, parent in frames.items() if '/' not in name}

    spin_until(lambda: heard and last() == {'cart': 'world', 'pole': 'world'}, 'both frames')
    assert node.diagnostics.neighbours.warnings == ()
    rival = other.create_publisher(TFMessage, '/tf', 100)
    transform = TransformStamped(child_frame_id='pole')
    transform.header.frame_id = 'cart'

    def contested():
        rival.publish(TFMessage(transforms=[transform]))
        return node.diagnostics.neighbours.warnings

    spin_until(contested, 'a warning')
    assert "'pole' (parent 'cart')" in node.diagnostics.neighbours.warnings[0]
    heard.clear()
    spin_until(lambda: heard and last() == {'cart': 'world'}, 'the frame that is left')
