"""The node over real DDS: one process simulates, this one listens."""

import os
from pathlib import Path
import re
import signal
import subprocess
import sys
import time

from helpers.places import ROOT
from helpers.reference import deepest_first_impact, GRAVITY
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, running, time_of
from helpers.listener import listening, seconds
from helpers.processes import LONG
from rosgraph_msgs.msg import Clock
from tf2_msgs.msg import TFMessage

BALL = '/symcontact/bodies/ball/contact_wrench'
FLOOR = '/symcontact/bodies/floor/contact_wrench'


def command(*words):
    return [sys.executable, '-m', 'symcontact_ros', 'node', *map(str, words)]


EXECUTABLE = [
    sys.executable,
    '-c',
    'import sys; from symcontact_ros.ros.executable import main; sys.exit(main())',
]


def child(message, frame):
    """Return the transform of a frame in a TFMessage."""
    (found,) = [t for t in message.transforms if t.child_frame_id == frame]
    return found


def vector(message):
    return np.array([message.x, message.y, message.z])


def test_the_ball_falls_and_bounces_as_mechanics_says(domain, ros_environment):
    topics = {'/tf': TFMessage, '/clock': Clock, BALL: WrenchStamped}
    words = command('bouncing_circle', '--duration', 0.8, '--rate', 0.5)
    words += ['--ros-args', '-p', 'publish_rate:=1000.0', '-p', 'start_paused:=true']
    with laboratory(domain, ros_environment, words, topics) as lab:
        lab.hear(*topics)
        lab.pause(False)
        for topic in topics:
            lab.at(topic, 0.8)
        assert lab.process.wait(LONG) == 0, lab.process.stderr.read()

    track = {}
    for message in lab.messages['/tf']:
        ball = child(message, 'ball')
        track[seconds(ball.header.stamp)] = ball.transform.translation.y
    times = np.array(sorted(track))
    heights = np.array([track[t] for t in times])
    assert times == pytest.approx(np.arange(801) * 1e-3, abs=1e-9), 'every instant, once'

    falling = times < 0.4
    # stamps are rounded to a nanosecond, speeds reach 4 m/s
    assert heights[falling] == pytest.approx(1.0 - GRAVITY * times[falling] ** 2 / 2, abs=1e-8)

    deepest = 0.2 - heights.min()
    assert 0.03 < deepest < deepest_first_impact() + 1e-6
    after = heights[times > 0.5]
    assert 0.35 < after.max() < 0.9, 'it must bounce, lower than it fell'

    pushes = [m.wrench.force.y for m in lab.messages[BALL]]
    assert min(pushes) >= 0.0
    assert max(pushes) > 100.0
    clock = [seconds(m.clock) for m in lab.messages['/clock']]
    assert np.all(np.diff(clock) >= 0.0)  # what is paused tells newcomers its time again
    assert sorted(set(clock)) == pytest.approx(times, abs=1e-9)


def test_a_ball_at_rest_weighs_m_g_on_every_topic(domain, ros_environment, resting_ball):
    path, weight = resting_ball
    topics = {'/tf': TFMessage, '/tf_static': TFMessage}
    topics |= dict.fromkeys((BALL, FLOOR, f'{BALL}/floor', f'{FLOOR}/ball'), WrenchStamped)
    with (
        listening(domain, topics, latched=['/tf_static']) as ears,
        running(command(path, '--duration', 'inf'), ros_environment) as node,
    ):
        complete = ears.spin_until(lambda: min(map(len, ears.messages.values())) >= 1)
        assert complete, (ears.messages.keys(), node.poll())
        # A wrench of after the first transform that was heard, and that of its own time.
        begun = time_of(ears.messages['/tf'][0])
        assert ears.spin_until(lambda: time_of(ears.messages[BALL][-1]) > begun + 0.2)
        last = time_of(ears.messages[BALL][-1])
        assert ears.spin_until(lambda: time_of(ears.messages['/tf'][-1]) >= last)

    frames = {}
    for message in ears.messages['/tf']:
        frames |= {(t.child_frame_id, seconds(t.header.stamp)): t for t in message.transforms}
        assert len({seconds(t.header.stamp) for t in message.transforms}) == 1
    up = np.array([0.0, weight, 0.0])
    for topic, frame, force in (
        (BALL, 'ball/com', up),
        (FLOOR, 'floor/com', -up),
        (f'{BALL}/floor', 'ball/floor/contact', up),
        (f'{FLOOR}/ball', 'ball/floor/contact', -up),
    ):
        for message in ears.messages[topic]:
            assert message.header.frame_id == frame
            assert vector(message.wrench.force) == pytest.approx(force, rel=1e-3, abs=1e-9)
            assert vector(message.wrench.torque) == pytest.approx(np.zeros(3), abs=1e-9)

    depth = (weight / 1e7) ** (1 / 3)
    for (frame, _), transform in frames.items():
        place = vector(transform.transform.translation)
        assert transform.header.frame_id == 'world'
        if frame in ('ball', 'ball/com'):
            assert place == pytest.approx([0, 0.2 - depth, 0], abs=1e-9)
        if frame == 'ball/floor/contact':  # midway between the lowest point and the ground
            assert place == pytest.approx([0, -depth / 2, 0], abs=1e-9)
    assert {frame for frame, _ in frames} == {
        'ball',
        'ball/com',
        'floor/com',
        'ball/floor/contact',
    }
    assert ('ball/com', last) in frames, 'the frame of a wrench is on /tf at its stamp'
    assert child(ears.messages['/tf_static'][0], 'floor').header.frame_id == 'world'


def test_a_late_listener_gets_the_latched_frames(domain, ros_environment, resting_ball):
    with running(command(resting_ball[0], '--duration', 'inf'), ros_environment) as node:
        node.stdout.readline()
        with listening(domain, {'/tf_static': TFMessage}, latched=['/tf_static']) as ears:
            assert ears.spin_until(lambda: ears.messages['/tf_static'])


def test_as_fast_as_possible_is_faster_than_the_clock(ros_environment):
    with running(
        command('bouncing_circle', '--duration', 10, '--rate', 0), ros_environment
    ) as node:
        out, error = node.communicate(timeout=LONG)
    assert node.returncode == 0, error
    (factor,) = re.findall(r'simulated 10.000 s in .* \((\S+) x real time\)', out)
    assert float(factor) > 1.1


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
@pytest.mark.parametrize(
    'arguments',
    [command('bouncing_circle', '--duration', 'inf'), EXECUTABLE],
    ids=['symcontact', 'simulation_node'],
)
def test_a_signal_ends_the_node_soon_with_code_0(arguments, number, domain, ros_environment):
    with (
        listening(domain, {'/clock': Clock}) as ears,
        running(arguments, ros_environment) as node,
    ):
        assert ears.spin_until(lambda: len(ears.messages['/clock']) > 3)
        before = cpu_time(node.pid)
        node.send_signal(number)
        ends_soon(node, before)
        out, error = node.communicate(timeout=LONG)
    assert node.returncode == 0, error
    if arguments == EXECUTABLE:
        assert 'bouncing_circle: 3 degrees of freedom, 1 pair by sat' in error
    else:
        assert 'simulated' in out
    assert all('[INFO]' in line for line in error.splitlines())


def cpu_time(pid):
    """Return the processor time of a process so far [s]; None if it has ended."""
    try:
        fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def ends_soon(process, before):
    """Wait for the end of a process, which must take it less than a second since then."""
    while process.poll() is None and (spent := cpu_time(process.pid)) is not None:
        assert spent - before < 1.0, 'of its own: how long that lasts is up to the machine'
        time.sleep(0.02)


def test_a_parameter_that_is_not_there_is_warned_of(domain, ros_environment):
    words = ['--ros-args', '-p', 'publish_rte:=50.0']
    with (
        listening(domain, {'/clock': Clock}) as ears,
        running([*EXECUTABLE, *words], ros_environment) as node,
    ):
        assert ears.spin_until(lambda: len(ears.messages['/clock']) > 3)
        node.send_signal(signal.SIGINT)
        _, error = node.communicate(timeout=LONG)
    assert 'no parameter publish_rte: did you mean publish_rate?' in error


def test_a_second_ctrl_c_changes_nothing(domain, ros_environment):
    with (
        listening(domain, {'/clock': Clock}) as ears,
        running(EXECUTABLE, ros_environment) as node,
    ):
        assert ears.spin_until(lambda: len(ears.messages['/clock']) > 3)
        end = time.monotonic() + LONG
        while node.poll() is None and time.monotonic() < end:
            node.send_signal(signal.SIGINT)
            time.sleep(0.02)
    assert node.returncode == 0


@pytest.mark.parametrize('delay', [0.15, 0.5, 0.9])
def test_a_signal_during_start_up_is_not_lost(delay, ros_environment):
    with running(EXECUTABLE, ros_environment) as node:
        wait_for_handlers(node, delay)
        node.send_signal(signal.SIGTERM)
        _, error = node.communicate(timeout=LONG)
    assert node.returncode == 0, error


def test_a_signal_ends_the_node_while_it_compiles(ros_environment, tmp_path):
    """Compiling from nothing takes many seconds, most of them in machine code."""
    environment = {**ros_environment, 'SYMCONTACT_CACHE_DIR': str(tmp_path / 'cache')}
    words = ['--ros-args', '-p', 'model:=sphere_cuboid']
    with running([*EXECUTABLE, *words], environment) as node:
        while 'compiling' not in node.stderr.readline():
            assert node.poll() is None
        time.sleep(0.3)  # for the compiler to begin
        before = cpu_time(node.pid)
        for _ in range(3):  # ros2 launch passes Ctrl-C on: there are several
            node.send_signal(signal.SIGINT)
            time.sleep(0.02)
        ends_soon(node, before)
        _, error = node.communicate(timeout=LONG)
    assert node.returncode == 0, error
    assert 'Traceback' not in error


@pytest.mark.parametrize(
    ('words', 'code', 'told'),
    [
        (['--help'], 0, 'usage: simulation_node --ros-args -p model:='),
        (['cart_pole'], 2, 'cart_pole: unknown argument'),
    ],
)
def test_what_is_no_parameter_is_not_ignored(words, code, told, ros_environment):
    with running([*EXECUTABLE, *words], ros_environment) as node:
        out, error = node.communicate(timeout=LONG)
    assert (node.returncode, told in out + error) == (code, True), out + error


def wait_for_handlers(process, delay):
    """Wait until a process catches SIGTERM, then a little more."""
    mask = 0
    while not mask >> (signal.SIGTERM - 1) & 1:
        assert process.poll() is None
        with open(f'/proc/{process.pid}/status') as status:
            (mask,) = [int(line.split()[1], 16) for line in status if line.startswith('SigCgt')]
        time.sleep(0.01)
    time.sleep(delay)


@pytest.mark.parametrize(
    ('text', 'place', 'reason'),
    [
        (None, '{path}: ', 'cannot be read'),
        ('bodies: {ball: [', '{path}:1: ', 'not valid YAML'),
        ('bodies: {}\n', '{path}:1: ', 'no body can move'),
    ],
    ids=['unreadable', 'broken', 'incomplete'],
)
@pytest.mark.parametrize('way', ['symcontact', 'simulation_node'])
def test_a_bad_model_file_is_told_with_its_line_and_code_2(
    way, text, place, reason, tmp_path, ros_environment
):
    path = tmp_path / 'model.yaml'
    if text is not None:
        path.write_text(text)
    arguments = command(path)
    if way == 'simulation_node':
        arguments = [*EXECUTABLE, '--ros-args', '-p', f'model:={path}']
    result = subprocess.run(arguments, env=ros_environment, capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith(place.format(path=path))
    assert reason in result.stderr
    assert 'Traceback' not in result.stderr


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        (['model:=nope'], 'nope: no model of this name'),
        (['publish_rate:=300.0'], 'not a whole number of steps'),
        (['step_size:=5.0'], 'step_size'),
        (['tick_rate:=fast'], 'tick_rate'),
        (['detector:=magic'], 'detector must be one of sat'),
        (['world_frame:=ball'], 'is the frame of a body'),
        (['lockstep:=true', "lockstep_topic:='a b'"], 'is not a name of a topic'),
        (['nonsense'], '--ros-args: '),
        (['qos_overrides./tf.publisher.reliability:=best'], 'one of reliable, best_effort'),
        (['qos_overrides./tf.publisher.depth:=-5'], 'a whole number 1 to 100000, got -5'),
        (['qos_overrides./clock.publisher.depth:=100000000000'], '1 to 100000, got 100000000000'),
        (['checkpoint_file:=/tmp'], 'checkpoint_file /tmp is a folder'),
        (['checkpoint_file:=/proc/self/x/y'], 'there is no folder /proc/self/x'),
    ],
)
def test_bad_parameters_are_told_in_one_line_with_code_2(words, reason, ros_environment):
    arguments = [*EXECUTABLE, '--ros-args', *(w for word in words for w in ('-p', word))]
    result = subprocess.run(arguments, env=ros_environment, capture_output=True, text=True)
    assert result.returncode == 2, result.stderr
    assert reason in result.stderr
    assert 'Traceback' not in result.stderr
    told = [line for line in result.stderr.splitlines() if 'compiling the step' not in line]
    assert len(told) == 1


def test_a_parameter_file_that_is_not_there_is_told_with_code_2(ros_environment):
    arguments = [*EXECUTABLE, '--ros-args', '--params-file', '/not/there.yaml']
    result = subprocess.run(arguments, env=ros_environment, capture_output=True, text=True)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith('--ros-args: ')
    assert '/not/there.yaml' in result.stderr


def test_the_parameter_file_is_one_that_the_node_takes(domain, ros_environment):
    file = ROOT / 'config' / 'simulation.yaml'
    arguments = [*EXECUTABLE, '--ros-args', '--params-file', str(file)]
    arguments += ['-r', '__ns:=/lab', '-p', 'real_time_factor:=4.0']
    topic = '/lab/symcontact/bodies/ball/contact_wrench'
    with (
        listening(domain, {topic: WrenchStamped}) as ears,
        running(arguments, ros_environment),
    ):
        assert ears.spin_until(lambda: len(ears.messages[topic]) > 10)
    stamps = [seconds(m.header.stamp) for m in ears.messages[topic]]
    assert np.diff(stamps) == pytest.approx(0.01, abs=1e-9)
