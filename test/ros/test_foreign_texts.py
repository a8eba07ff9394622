"""Texts from messages, parameters and file names on their way to logs and answers."""

import logging

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.schedulers import scheduler
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from symcontact_ros.errors import many_lines, one_line, OptionError
from symcontact_ros.ros.live_parameters import symbol_values
from symcontact_ros.ros.log_handler import RosHandler
from symcontact_ros.ros.parameters import SimulationParameters, unknown_parameters
from symcontact_ros.ros.publishing.topics import check_overrides
from symcontact_ros.ros.stepping.commands import Rejected

HOSTILE = '\x1b[2Jall is well\n[INFO] [symcontact]: \u202e' + 20_000_000 * 'x'
LONGEST = 1100  # characters that may be told of it


def check(text):
    """Assert that a text is a short line without anything that a terminal obeys."""
    assert len(text) < LONGEST
    assert text.isprintable(), text


@pytest.fixture(scope='module')
def commands():
    return scheduler('cart_pole')._commands


def test_a_frame_of_20_mb_is_cut_and_escaped(commands):
    body = commands._simulation.model.body_names[-1]
    with pytest.raises(Rejected) as caught:
        commands.take_wrench(body, WrenchStamped(header=Header(frame_id=HOSTILE)), 0)
    commands.rejections.add('~/topic', caught.value)
    (text,) = commands.rejections.texts.values()
    check(text)
    assert r'\x1b[2Jall is well\n' in text


def test_names_of_joints_are_cut_and_escaped(commands):
    with pytest.raises(Rejected) as caught:
        commands.take_joints(JointState(name=100 * [HOSTILE], effort=100 * [0.0]), 0)
    check(str(caught.value))


class Declared:
    """What a node with one parameter tells."""

    def __init__(self, **overrides):
        values = type('Value', (), {'value': HOSTILE})
        self._parameter_overrides = dict.fromkeys(overrides.get('given', ()), values)

    def list_parameters(self, prefixes, depth):
        return type('Listed', (), {'names': ['model']})

    def has_parameter(self, name):
        return name == 'model'

    def resolve_topic_name(self, name):
        return name


def test_names_and_values_of_parameters_are_cut_and_escaped():
    lines = unknown_parameters(Declared(), [HOSTILE, *(f'{n}\n' for n in range(30))])
    assert len(lines) < 30
    for line in lines:
        check(line)
    for name in ('model', 'tick_rate', 'detector', 'world_frame', 'exclude'):
        with pytest.raises(OptionError) as caught:
            SimulationParameters(**{name: 5 if name == 'model' else f'/{HOSTILE}'})
        check(str(caught.value))
    with pytest.raises(OptionError) as caught:
        symbol_values({f'symbols.{HOSTILE}': HOSTILE})
    check(str(caught.value))
    policy = 'qos_overrides./tf.publisher.reliability'
    with pytest.raises(OptionError) as caught:
        check_overrides(Declared(given=[policy]))
    check(str(caught.value))


def test_whatever_the_package_logs_is_a_short_line():
    lines = []
    logger = type('Logger', (), {'warning': staticmethod(lines.append)})
    record = logging.LogRecord('x', logging.WARNING, 'x', 1, 'no file %s', (HOSTILE,), None)
    RosHandler(logger).emit(record)
    check(lines[0])


def test_ordinary_lines_stay_as_they_are():
    assert one_line('Körper: 3 m/s², ok') == 'Körper: 3 m/s², ok'
    assert many_lines('one\ntwo\x07') == 'one\ntwo\\x07'
