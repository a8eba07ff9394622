"""What must not hold up /clock: a subscriber that is killed, or garbage."""

import gc
import itertools
import subprocess
import sys
import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.processes import LONG
from rclpy.context import Context
from rclpy.qos import HistoryPolicy, QoSProfile
from std_msgs.msg import Float64

from symcontact_ros.ros.main_loop import run_loop
from symcontact_ros.ros.node import SimulationNode
from symcontact_ros.ros.publishing.allowance import Allowance, LONGEST

STALL = 0.02  # [s] of processor time between two messages on /clock
RECORDERS = 12  # in one process, each of all topics of energies: as one of about a hundred topics
RECORDING = """\
import sys, time, rclpy
from rclpy.context import Context
from rclpy.node import Node
from std_msgs.msg import Float64
nodes = []
for number in range(int(sys.argv[1])):
    context = Context()
    rclpy.init(context=context)
    nodes.append(Node(f'recorder_{number}', context=context))
    for name in sys.argv[2:]:
        nodes[-1].create_subscription(Float64, name, lambda message: None, 10)
print('listening', flush=True)
time.sleep(1e6)
"""


@pytest.fixture
def node(domain):
    """Return a node that the test ticks."""
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    given = {'model': 'bouncing_circle'}
    made = SimulationNode(parameter_overrides=given, context=context, timer=False)
    gc.disable()  # it looks through all that earlier tests have left
    yield made
    gc.enable()
    made.destroy_node()
    context.try_shutdown()


def tick_until(node, condition, seconds=LONG):
    """Tick at the node's rate until something holds, or for a time."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        node.tick()
        time.sleep(0.005)


def test_a_killed_subscriber_of_everything_does_not_hold_up_the_clock(node, ros_environment):
    energies = [topic for topic in node.topics.all if '/energy/' in topic.name]
    sent = []  # processor time of this thread whenever the clock was sent
    show = node.publications.show_clock

    def show_clock(now):
        sent.append(time.thread_time())
        show(now)

    node.publications.show_clock = show_clock
    words = [sys.executable, '-c', RECORDING, str(RECORDERS), *(t.name for t in energies)]
    with subprocess.Popen(words, env=ros_environment, stdout=subprocess.PIPE) as recorder:
        try:
            recorder.stdout.readline()
            tick_until(node, lambda: all(t.listeners == RECORDERS for t in energies))
            enough = node.topics.sent + 50 * len(energies)
            tick_until(node, lambda: node.topics.sent > enough)
            assert all(topic.listeners == RECORDERS for topic in energies)
            assert node.topics.allowance.left_out == 0
        finally:
            recorder.kill()
    sent.clear()
    # In a second or two Fast DDS finds its port dead, and messages become slow.
    tick_until(node, lambda: node.topics.allowance.left_out > 20 * len(energies), seconds=6.0)
    stalls = sorted(later - sooner for sooner, later in itertools.pairwise(sent))
    assert stalls[-3] < STALL, f'{1e3 * stalls[-1]:.1f} ms'


STOPPED = """\
import time, rclpy
from rclpy.node import Node
from std_msgs.msg import Float64
rclpy.init()
node = Node('stopped')
node.create_subscription(Float64, '/all', lambda message: None, 10)
print('listening', flush=True)
time.sleep(1e6)
"""


def test_a_topic_that_keeps_all_messages_and_has_no_more_room_ends_nothing(node, ros_environment):
    all_of_them = QoSProfile(history=HistoryPolicy.KEEP_ALL, depth=1)
    topic = node.topics.add(Float64(), '/all', all_of_them)
    words = [sys.executable, '-c', STOPPED]
    with subprocess.Popen(words, env=ros_environment, stdout=subprocess.PIPE) as subscriber:
        subscriber.stdout.readline()
        tick_until(node, lambda: topic.listeners)
        subscriber.kill()
    end = time.monotonic() + LONG
    while not node.topics.allowance.left_out and time.monotonic() < end:
        topic.send()
    assert node.topics.allowance.left_out == 1
    began, sent = time.thread_time(), topic.sent
    for _ in range(10):
        topic.send()
    assert topic.sent == sent
    assert node.topics.allowance.left_out == 11
    assert time.thread_time() - began < STALL


def test_the_garbage_collector_does_not_look_through_what_the_start_has_made(node):
    left_alone = []

    def stop():
        left_alone.append(gc.get_freeze_count())
        return True

    run_loop(node, stop, lambda node: None)
    assert left_alone[0] > 1000
    assert gc.get_freeze_count() == 0


def test_topics_take_turns_where_time_is_short_and_all_come_where_it_is_not():
    allowance, sent = Allowance(), []

    def instant(cost, count=10):
        allowance.begin()
        sent.clear()
        for number in range(count):
            if allowance.grants():
                sent.append(number)
                allowance.spend(cost)
        return list(sent)

    everything = list(range(10))
    assert instant(LONGEST) == everything, 'while steps do not follow the clock'
    allowance.active = True
    assert instant(0.0) == everything
    turns = [instant(0.4 * LONGEST) for _ in range(4)]
    assert turns == [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]
    assert allowance.left_out == 30
    assert instant(0.4 * LONGEST) == [0, 1, 2]
    assert instant(0.0) == everything[3:]
    assert instant(0.0) == everything
