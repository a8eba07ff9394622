"""Wrench topics of pairs over real DDS: there for whoever listens, while somebody does."""

import contextlib
import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import Wrench, WrenchStamped
from helpers.laboratory import laboratory, node_command
from helpers.listener import listening
from helpers.processes import LONG
from rclpy.context import Context
from rclpy.parameter import Parameter
from tf2_msgs.msg import TFMessage

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.node import SimulationNode

BALLS = 24  # 300 pairs, with the floor
ROW = """\
name: row
dimension: 3
gravity: [0, 0, -10]
materials: {default: {law: linear, stiffness: 1.0e5, damping: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
""" + ''.join(
    f'  b{i:02}: {{mass: 1, shapes: [{{type: sphere, radius: 0.1}}], '
    f'initial: {{position: [{0.3 * i}, 0, 0.0999]}}}}\n'
    for i in range(BALLS)
)
WEIGHT = pytest.approx(10.0, abs=1e-9)  # of a ball [N]: 0.1 mm deep in 1e5 N/m


def pair_topic(body, other, node='/symcontact'):
    return f'{node}/bodies/{body}/contact_wrench/{other}'


@contextlib.contextmanager
def node_in(domain, model, cli_args=(), **given):
    """Return a paused node in this process, which the caller ticks."""
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    overrides = {'model': str(model), 'start_paused': True, **given}
    try:
        node = SimulationNode(
            parameter_overrides=overrides, context=context, timer=False, cli_args=list(cli_args)
        )
        yield node
        node.destroy_node()
    finally:
        rclpy.try_shutdown(context=context)


def tick_until(node, listener, condition):
    """Let the node look at its listeners, and these take messages, until something holds."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        node.tick()
        listener.spin_once()


def advertised(node):
    """Return the wrench topics of pairs that a node has."""
    return {name for name in node.topics.names if '/contact_wrench/' in name}


def test_the_grip_on_the_block_is_there_unasked_and_a_pair_of_links_for_whoever_asks(
    domain, ros_environment
):
    grip, table = pair_topic('panda_leftfinger', 'block'), pair_topic('table', 'panda_link7')
    inner = pair_topic('panda_link2', 'panda_link7')
    command = node_command('panda_table', tf_mode='bodies')
    with laboratory(domain, ros_environment, command, {grip: WrenchStamped}) as lab:
        lab.hear(grip)
        # `grip` pushes each finger with 20 N onto the block, along its x axis or against it.
        force = lab.messages[grip][-1].wrench.force
        assert (force.x**2 + force.y**2) ** 0.5 == pytest.approx(20.0, rel=0.02)
        publishers = dict(lab.node.get_publisher_names_and_types_by_node('symcontact', '/'))
        assert {grip, table} < publishers.keys()
        assert inner not in publishers
        assert sum('/contact_wrench/' in name for name in publishers) == 2 * 64
        heard = []
        lab.node.create_subscription(WrenchStamped, inner, heard.append, 10)
        assert lab.spin_until(lambda: heard), 'a pair within the robot'
        assert heard[0].header.frame_id == 'panda_link2/panda_link7/contact'


def test_200_pairs_have_topics_while_somebody_listens_and_their_frames_at_the_same_stamps(
    domain, write_model
):
    bodies = [f'b{i:02}' for i in range(BALLS)]
    topics = {pair_topic(a, b) for a in bodies for b in bodies if a < b}
    topics = [*sorted(topics)[:199], pair_topic('b23', 'floor')]
    wanted = {**dict.fromkeys(topics, WrenchStamped), '/tf': TFMessage}
    with node_in(domain, write_model(ROW), max_pair_topics=3) as node:
        assert len(advertised(node)) == 6
        with listening(domain, wanted) as listener:
            tick_until(node, listener, lambda: all(listener.messages.values()))
            node.scheduler.step(1)
            now = node.scheduler.nanoseconds

            def last(topic):
                return listener.messages[topic][-1]

            def arrived(topic):
                message = last(topic)
                header = (message.transforms[0] if topic == '/tf' else message).header
                return header.stamp.sec * 10**9 + header.stamp.nanosec == now

            tick_until(node, listener, lambda: all(map(arrived, wanted)))
            frames = {transform.child_frame_id for transform in last('/tf').transforms}
            assert {last(topic).header.frame_id for topic in topics} <= frames
            assert last(pair_topic('b23', 'floor')).wrench.force.z == WEIGHT
            assert last(pair_topic('b00', 'b01')).wrench.force.z == 0.0
            assert len(advertised(node)) >= 2 * 200
            sent = node.topics.sent
        with listening(domain, {'/tf': TFMessage}) as listener:
            tick_until(node, listener, lambda: len(advertised(node)) == 6)
            node.scheduler.step(1)

            def frames_of_contacts():  # what was sent before may come first
                frames = [
                    t.child_frame_id for m in listener.messages['/tf'][-1:] for t in m.transforms
                ]
                return sum(name.endswith('/contact') for name in frames)

            tick_until(node, listener, lambda: frames_of_contacts() == 3)
            assert node.topics.sent > sent, 'what ended topics have sent counts'


def test_a_wrong_type_and_a_wrong_name_get_no_topic_and_are_told_once(domain, write_model, capfd):
    wrong = {
        pair_topic('b00', 'b01'): Wrench,
        pair_topic('b00', 'ghost'): WrenchStamped,
        pair_topic('b02', 'b02'): WrenchStamped,
        pair_topic('b00', 'b01/b02'): WrenchStamped,
    }
    right = pair_topic('b05', 'b04')
    with node_in(domain, write_model(ROW), max_pair_topics=0) as node:
        neighbours = node.diagnostics.neighbours
        with listening(domain, {**wrong, right: WrenchStamped}) as listener:
            tick_until(node, listener, lambda: listener.messages[right])
            tick_until(node, listener, lambda: neighbours.check() or neighbours.warnings)
            neighbours.check()
            (line,) = neighbours.warnings
            assert line.startswith('4 subscriptions will hear nothing: ')
            assert f"{pair_topic('b00', 'ghost')}: there is no body 'ghost'" in line
            assert f'{pair_topic("b00", "b01")}: its type is geometry_msgs/msg/Wrench' in line
            assert not any(listener.messages[topic] for topic in wrong)
            assert advertised(node) == {right, pair_topic('b04', 'b05')}
        end = time.monotonic() + LONG
        while neighbours.warnings and time.monotonic() < end:
            neighbours.check()
        assert neighbours.warnings == ()
        log = capfd.readouterr().err
        assert log.count('will hear nothing') == 1


def test_the_number_of_topics_that_are_there_unasked_is_live(domain, write_model):
    def set_most(count):
        return node.set_parameters([Parameter('max_pair_topics', value=count)])[0]

    with (
        node_in(domain, write_model(ROW), max_pair_topics=0) as node,
        listening(domain, {}) as listener,
    ):
        assert advertised(node) == set()
        assert set_most(300).successful
        tick_until(node, listener, lambda: len(advertised(node)) == 600)
        assert set_most(5).successful
        tick_until(node, listener, lambda: len(advertised(node)) == 10)
        assert not set_most(-1).successful
        globs = Parameter('pair_topics', value=['b1?/floor'])
        assert node.set_parameters([globs])[0].successful
        tick_until(node, listener, lambda: pair_topic('floor', 'b19') in advertised(node))


def test_names_namespaces_and_remapped_topics_are_those_that_are_asked_for(
    domain, write_model, capfd
):
    remap = [*('--ros-args', '-r', '__ns:=/left/lab', '-r', '__node:=sim')]
    remap += ['-r', '~/bodies/b03/contact_wrench/floor:=/scale']
    remap += ['-p', 'qos_overrides./scale.publisher.depth:=7']
    own = pair_topic('floor', 'b00', '/left/lab/sim')
    elsewhere = pair_topic('b01', 'floor')  # of a node of another name
    gone = pair_topic('b03', 'floor', '/left/lab/sim')
    wanted = dict.fromkeys((own, elsewhere, gone, '/scale'), WrenchStamped)
    with node_in(domain, write_model(ROW), remap, max_pair_topics=0) as node:
        for _ in range(2):  # the second time its quality of service is known
            with listening(domain, wanted) as listener:
                heard = listener.messages
                tick_until(node, listener, lambda heard=heard: heard[own] and heard['/scale'])
                assert heard['/scale'][-1].wrench.force.z == WEIGHT
                assert not heard[elsewhere]
                assert not heard[gone]
            with listening(domain, {}) as listener:
                tick_until(node, listener, lambda: not advertised(node))
        assert node.get_parameter('qos_overrides./scale.publisher.depth').value == 7
        assert 'no parameter' not in capfd.readouterr().err


def test_a_quality_of_service_that_is_none_is_refused_at_the_start(domain, write_model):
    wrong = ['--ros-args', '-p', f'qos_overrides.{pair_topic("b03", "b07")}.publisher.depth:=-7']
    model = write_model(ROW)
    with (
        pytest.raises(OptionError, match='must be a whole number'),
        node_in(domain, model, wrong, max_pair_topics=0),
    ):
        pass
