"""The node's recordings: complete, provable, readable after a crash, and published again."""

import signal
import sys
import time

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command, running
from helpers.listener import listening
from helpers.processes import LONG, simulating
from helpers.recordings import read_by_mcap, read_by_rosbags
from helpers.trajectories import trajectory
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from symcontact_ros.recording.run_reader import RunReader
from symcontact_ros.recording.verifying import verify

ARM = """\
name: arm
dimension: 2
parameters: {m: {value: 1.0, min: 0.1, max: 10.0}}
bodies:
  upper: {mass: m, inertia: {izz: 0.5}, com: [0.3, 0, 0],
          joint: {type: revolute, name: shoulder, servo: {kp: 50.0, kd: 10.0}}}
  ball: {mass: 1.0, shapes: [{type: circle, radius: 0.1}], initial: {position: [2, 0.15, 0]}}
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
"""


def push(frame):
    message = WrenchStamped()
    message.header.frame_id = frame
    message.wrench.force.x = 0.7
    return message


@pytest.mark.parametrize('name', ['record_file', 'checkpoint_file'])
def test_a_file_that_another_run_writes_is_refused_with_its_name(
    domain, ros_environment, tmp_path, name
):
    file = tmp_path / 'run.mcap'

    def command(own_name):
        return node_command('bouncing_circle', ros=['-r', f'__node:={own_name}'], **{name: file})

    with laboratory(domain, ros_environment, command('first'), {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        flag = '--record' if name == 'record_file' else '--checkpoint'
        simulate = [sys.executable, '-m', 'symcontact_ros', 'simulate', 'bouncing_circle']
        for words in (command('second'), [*simulate, flag, str(file)]):
            with running(words, ros_environment) as second:
                _, said = second.communicate(timeout=LONG)
            assert second.returncode == 2, said
            assert f'{file}: node /first (process {lab.process.pid}) is writing it' in said
        assert not (tmp_path / 'run.1.mcap').exists(), 'the first goes on where it was'
        lab.collect('/tf', 3)
        lab.process.kill()  # its lock goes with it
        lab.process.wait(LONG)
    with laboratory(domain, ros_environment, command('third'), {'/tf': TFMessage}) as lab:
        lab.hear('/tf')


def test_commands_parameters_and_resets_of_a_node_are_made_again_bit_for_bit(
    domain, ros_environment, write_model, tmp_path
):
    file = tmp_path / 'run.mcap'
    file.write_bytes(b'an old one')
    command = node_command(
        write_model(ARM), integrator='rk4', record_file=file, real_time_factor=5.0
    )
    with laboratory(domain, ros_environment, command, {'/tf': TFMessage}) as lab:
        lab.collect('/tf', 5)
        lab.send('bodies/ball/wrench_command', push(''))
        lab.collect('/tf', 5)
        lab.send('bodies/ball/wrench_command', push('ball'))  # turns with the ball, step by step
        lab.send('joint_commands', JointState(name=['shoulder'], position=[0.5]))
        assert lab.set(symbols__m=2.5) == ''
        lab.send('joint_trajectory', trajectory(['shoulder'], (0.1, [0.2], [0.0])))
        lab.collect('/tf', 20)
        lab.trigger('reset')
        assert lab.set(detector='co') == ''
        lab.collect('/tf', 5)
    assert (tmp_path / 'run.1.mcap').read_bytes() == b'an old one'
    result = verify(RunReader(file))
    assert result.is_equal, result
    assert result.inputs > 5 and result.hashes > 30
    found = read_by_rosbags(file)
    assert [m.data for _, m in found['/symcontact/symbols/m']] == [1.0, 2.5]
    assert len(found['/symcontact/bodies/ball/wrench_command']) == 2
    ((_, moved),) = found['/symcontact/joint_trajectory']
    assert list(moved.points[0].positions) == [0.2]
    for topic in ('/tf_static', '/joint_states', '/symcontact/markers', '/clock'):
        assert found[topic], topic
    assert len(found['/symcontact/bodies/ball/contact_wrench/floor']) > 30
    times = [time for time, _ in found['/tf']]
    assert times == sorted(times)


def test_a_killed_node_leaves_all_but_its_last_second(ros_environment, tmp_path):
    file = tmp_path / 'run.mcap'
    with simulating(
        'bouncing_circle', ros_environment, tmp_path, record_file=file, publish_clock='false'
    ) as process:
        end = time.monotonic() + LONG
        while not file.exists() or file.stat().st_size < 20_000:
            assert time.monotonic() < end and not process.ended(), process.log
            time.sleep(0.01)
        began = time.monotonic()
        before = latest(file)
        while time.monotonic() < began + 1.5:  # wall time is what is promised
            time.sleep(0.01)
        process.send(signal.SIGKILL)
        process.wait()
    assert latest(file) > before + 0.4  # the rest of 1.5 s is at most a second old
    reader = RunReader(file)
    result = verify(reader)
    assert result.is_equal and not reader.is_whole
    by_mcap = read_by_mcap(file)
    assert 1e-9 * by_mcap['/tf'][-1][0] == pytest.approx(latest(file), abs=0.011)


def latest(file):
    """Return the time of the last message that can be read [s]."""
    return 1e-9 * max((message.time for message in RunReader(file).messages()), default=0)


def test_a_recording_is_published_again(domain, ros_environment, tmp_path):
    file = tmp_path / 'run.mcap'
    from symcontact_ros.cli.main import main

    words = ['simulate', 'bouncing_circle', '--duration', '0.2', '--record', str(file)]
    assert main(words) == 0
    recorded = read_by_mcap(file)
    wrench = '/symcontact/bodies/ball/contact_wrench'
    topics = {'/tf': TFMessage, wrench: WrenchStamped}
    command = [sys.executable, '-m', 'symcontact_ros', 'replay', str(file), '--loop']
    with (
        listening(domain, topics) as listener,
        running(command, {**ros_environment, 'PYTHONUNBUFFERED': '1'}),
    ):
        assert listener.spin_until(lambda: len(listener.messages['/tf']) >= 10)
    stamps = {t.transforms[0].header.stamp.nanosec for _, t in recorded['/tf']}
    for message in listener.messages['/tf']:
        stamp = message.transforms[0].header.stamp.nanosec
        assert stamp in stamps
        (twin,) = [m for _, m in recorded['/tf'] if m.transforms[0].header.stamp.nanosec == stamp]
        ours, theirs = message.transforms[0].transform, twin.transforms[0].transform
        assert ours.translation.y == theirs.translation.y
