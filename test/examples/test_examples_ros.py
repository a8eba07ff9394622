"""The controllers over real DDS: the simulation, the controller and this test are processes."""

import signal
import time

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import time_told
from helpers.listener import listening, seconds
from helpers.processes import controlling, LONG, simulating
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from sensor_msgs.msg import JointState
from std_srvs.srv import SetBool
from tf2_msgs.msg import TFMessage

STATES, COMMANDS = '/joint_states', '/symcontact/joint_commands'
JOINTS = {STATES: JointState, COMMANDS: JointState}
HAND = '/symcontact/bodies/hand/contact_wrench'
# Ten steps per answer, each as soon as the last one is answered: no clock, no luck.
LOCKSTEP = {'lockstep': 'true', 'step_count': 10, 'real_time_factor': 0.0}


def time_of(ears, topic=STATES):
    """Return the stamp of the last message [s]."""
    return seconds(ears.messages[topic][-1].header.stamp) if ears.messages[topic] else 0.0


def call(ears, kind, name, request):
    """Call a service, and return its response."""
    client = ears.node.create_client(kind, name)
    assert ears.spin_until(client.service_is_ready), name
    future = client.call_async(request)
    assert ears.spin_until(future.done), name
    return future.result()


def set_parameter(ears, node, name, number):
    value = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=number)
    request = SetParameters.Request(parameters=[Parameter(name=name, value=value)])
    (result,) = call(ears, SetParameters, f'{node}/set_parameters', request).results
    assert result.successful, result.reason


def test_the_pole_stays_up_also_when_it_gets_heavier(domain, ros_environment, tmp_path):
    with (
        listening(domain, JOINTS) as ears,
        simulating('cart_pole_walls', ros_environment, tmp_path, **LOCKSTEP) as simulation,
        controlling('cart_pole_lqr', ros_environment, tmp_path) as controller,
    ):
        assert ears.spin_until(lambda: 'gain' in controller.log), simulation.log
        assert ears.spin_until(lambda: time_of(ears) > 6.0), controller.log
        at_rest = ears.messages[STATES][-1]
        np.testing.assert_allclose(at_rest.position, 0.0, atol=0.01)
        set_parameter(ears, '/symcontact', 'symbols.m', 1.0)
        heavier = ears.spin_until(lambda: 'gain on' in controller.log.partition('m changed')[2])
        assert heavier, controller.log
        end = time_of(ears) + 3.0
        assert ears.spin_until(lambda: time_of(ears, COMMANDS) > end), controller.log
        assert max(abs(m.position[1]) for m in ears.messages[STATES]) < 0.2
        # Every instant was answered, with the stamp of that instant, since answers are heard.
        answered = [seconds(m.header.stamp) for m in ears.messages[COMMANDS]]
        asked = {seconds(m.header.stamp) for m in ears.messages[STATES]}
        assert {t for t in asked if answered[0] <= t <= end} <= set(answered)
        end = time.monotonic() + LONG
        while not controller.ended() and time.monotonic() < end:
            controller.send(signal.SIGINT)  # `ros2 launch` passes Ctrl-C on: there are several
            time.sleep(0.02)
        assert controller.wait() == 0
    assert 'Traceback' not in controller.log


def test_a_pole_that_fell_before_anybody_came_is_put_upright(domain, ros_environment, tmp_path):
    with (
        listening(domain, JOINTS) as ears,
        simulating('cart_pole', ros_environment, tmp_path, real_time_factor=5.0) as simulation,
    ):
        down = ears.spin_until(
            lambda: any(abs(m.position[1]) > 1.5 for m in ears.messages[STATES])
        )
        assert down, simulation.log
        set_parameter(ears, '/symcontact', 'real_time_factor', 1.0)
        with controlling('cart_pole_lqr', ros_environment, tmp_path) as controller:
            assert ears.spin_until(lambda: 'gain on' in controller.log), controller.log

            def balanced():  # for 3 s: it falls in one
                last = ears.messages[STATES][-300:]
                return all(abs(m.position[1]) < 0.1 for m in last)

            assert ears.spin_until(balanced), controller.log


def test_the_hand_presses_as_told_through_a_pause(domain, ros_environment, tmp_path):
    with (
        listening(domain, {**JOINTS, HAND: WrenchStamped}) as ears,
        simulating('wall_push', ros_environment, tmp_path, **LOCKSTEP) as simulation,
        controlling('wall_push', ros_environment, tmp_path) as controller,
    ):

        def presses(force, since=0.0):
            last = ears.messages[HAND][-50:]
            forces = [-m.wrench.force.x for m in last if seconds(m.header.stamp) > since]
            return forces == pytest.approx([force] * 50, rel=0.02)

        def pause(paused):
            return call(ears, SetBool, '/symcontact/pause', SetBool.Request(data=paused)).message

        assert ears.spin_until(lambda: presses(20.0)), (controller.log, simulation.log)
        set_parameter(ears, '/wall_push', 'target_force', 35.0)
        assert ears.spin_until(lambda: presses(35.0)), controller.log
        paused_at = time_told(pause(True))
        assert ears.spin_until(lambda: 'paused or ended' in controller.log)
        ears.spin_until(lambda: False, 0.5)
        stamps = [seconds(m.header.stamp) for m in ears.messages[COMMANDS][-50:]]
        assert len(set(stamps)) == 50, 'no state, no command'
        assert max(stamps) <= paused_at + 1e-9
        pause(False)
        assert ears.spin_until(lambda: presses(35.0, paused_at)), controller.log
        controller.send(signal.SIGTERM)
        assert controller.wait() == 0
        # The last word is a command that does nothing.
        assert ears.spin_until(lambda: ears.messages[COMMANDS][-1].effort[0] == 0.0)
    assert 'Traceback' not in controller.log


@pytest.fixture
def without_shared_memory(monkeypatch):
    """Let Fast DDS talk by UDP alone: memory shared with what is killed takes others down."""
    monkeypatch.setenv('FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4')


@pytest.mark.usefixtures('without_shared_memory')
def test_a_simulation_that_died_is_waited_for(domain, ros_environment, tmp_path):
    with controlling('wall_push', ros_environment, tmp_path) as controller:
        for time in (1, 2):
            with (
                listening(domain, JOINTS) as ears,
                simulating('wall_push', ros_environment, tmp_path) as simulation,
            ):
                took_over = ears.spin_until(
                    lambda: (
                        controller.log.count('in control') >= time  # noqa: B023
                        and any(m.effort[0] for m in ears.messages[COMMANDS])
                    )
                )
                assert took_over, (controller.log, simulation.log)
                simulation.kill()  # at once, without a word
                assert ears.spin_until(lambda: controller.log.count('or ended') >= time)  # noqa: B023
                assert not controller.ended()
        controller.send(signal.SIGINT)
        assert controller.wait() == 0
    assert 'Traceback' not in controller.log


def test_the_chaser_docks(domain, ros_environment, tmp_path):
    """At 25 answers per simulated second, as fast as they come."""
    hurry = ('--ros-args', '-p', 'closing_speed:=0.1')
    lockstep = {
        **LOCKSTEP,
        'lockstep_topic': '~/bodies/chaser/wrench_command',
        'step_count': 40,
        'publish_rate': 25.0,
        'clock_rate': 25.0,
    }
    frames = {}

    def seated():
        for message in ears.messages['/tf']:
            frames.update({t.child_frame_id: t.transform for t in message.transforms})
        ears.messages['/tf'].clear()
        if not {'probe', 'target'} <= set(frames):
            return False
        probe, target = (frames[name].translation for name in ('probe', 'target'))
        # The tip is 12 mm before the middle of its ball; the body of the target begins at -0.1 m.
        gap = target.x - 0.1 - (probe.x + 0.012)
        return abs(gap) < 2e-3 and np.hypot(probe.y - target.y, probe.z - target.z) < 5e-3

    with (
        listening(domain, {'/tf': TFMessage}) as ears,
        simulating('docking_probe_drogue', ros_environment, tmp_path, **lockstep) as simulation,
        controlling('docking_guidance', ros_environment, tmp_path, *hurry) as controller,
    ):
        assert ears.spin_until(seated), (controller.log, simulation.log, frames)
    assert 'Traceback' not in controller.log


@pytest.mark.parametrize('name', ['cart_pole_lqr', 'wall_push', 'docking_guidance'])
def test_help_teaches(name, ros_environment, tmp_path):
    with controlling(name, ros_environment, tmp_path, '--help') as controller:
        assert controller.wait() == 0
    for word in ('simulation_node', 'subscribes', 'commands', 'parameters:', 'Default:', 'Ctrl-C'):
        assert word in controller.log


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        (['--faster'], 'unrecognized arguments'),
        (['--ros-args', '-p', 'target_force:=-1.0'], 'out of range'),
        (['--ros-args', '-p', 'target_force:=hard'], 'target_force'),
    ],
)
def test_bad_input_is_told_without_a_traceback(words, reason, ros_environment, tmp_path):
    with controlling('wall_push', ros_environment, tmp_path, *words) as controller:
        assert controller.wait() == 2
    assert reason in controller.log
    assert 'Traceback' not in controller.log
