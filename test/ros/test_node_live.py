"""Parameters over real DDS: live symbols and options act between steps, bad values never."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command, time_of
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import ParameterEvent
from tf2_msgs.msg import TFMessage

ODOM = 'bodies/ball/odom'
EVENTS = '/parameter_events'


def test_a_mass_changed_in_free_fall_changes_what_a_force_does_and_not_the_fall(
    domain, ros_environment
):
    command = node_command(
        'bouncing_circle', start_paused='true', command_timeout=0, step_count=100
    )
    topics = {ODOM: Odometry, EVENTS: ParameterEvent}
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear(ODOM)
        while not lab.messages[EVENTS]:  # what came before this is lost: say something until then
            assert lab.set(step_count=100) == ''
        push = WrenchStamped()
        push.wrench.force.x = 6.0
        lab.send('bodies/ball/wrench_command', push)

        def velocity():
            # it does not turn: body axes are world axes
            twist = lab.step(ODOM).twist.twist
            return np.array([twist.linear.x, twist.linear.y])

        assert velocity() == pytest.approx([1.0 + 0.6, -0.981], abs=1e-9)
        assert lab.set(symbols__m=2.0) == ''
        assert lab.get('symbols.m') == 2.0
        assert velocity() == pytest.approx([1.6 + 0.3, -1.962], abs=1e-9)
        assert lab.spin_until(lambda: changed(lab)) and changed(lab) == [('symbols.m', 2.0)]
        # in steps and at once: all or nothing
        reason = lab.set(symbols__m=4.0, symbols__R=-1.0)
        assert 'R' in reason
        assert lab.get('symbols.m') == 2.0
        assert velocity() == pytest.approx([1.9 + 0.3, -2.943], abs=1e-9)
        assert lab.set(symbols__m=6, symbols__gravity__y=0) == '', 'whole numbers are numbers'
        assert isinstance(lab.get('symbols.m'), float), 'and stay what they were declared as'
        assert isinstance(lab.get('command_timeout'), float), 'at the start, too'
        assert velocity() == pytest.approx([2.2 + 0.1, -2.943], abs=1e-9)


def changed(lab):
    """Return the live symbols that others have heard of being changed, and to what."""
    return [
        (p.name, p.value.double_value)
        for event in lab.messages[EVENTS]
        if event.node == '/symcontact'
        for p in event.changed_parameters
        if p.name != 'step_count'
    ]


def test_a_mass_changed_at_rest_changes_its_weight_on_the_topic(
    domain, ros_environment, resting_ball
):
    net = 'bodies/ball/contact_wrench'
    command = node_command(resting_ball[0], start_paused='true', step_count=3000)
    with laboratory(domain, ros_environment, command, {net: WrenchStamped}) as lab:
        lab.hear(net)
        assert lab.step(net).wrench.force.y == pytest.approx(resting_ball[1], rel=1e-6)
        assert lab.set(symbols__ball__mass=3.0) == ''
        # the damping of this law is weak at rest, c v rho^3: it swings on for long, about m g
        settled = [lab.step(net).wrench.force.y for _ in range(3)]
        assert np.mean(settled) == pytest.approx(3.0 * 9.81, rel=0.1)
        assert lab.set(symbols__materials__default__damping=20.0) == ''
        assert [lab.step(net).wrench.force.y for _ in range(3)][-1] == pytest.approx(
            3.0 * 9.81, rel=1e-6
        )


def test_values_that_cannot_be_are_refused_with_a_reason_and_the_old_ones_stay(
    domain, ros_environment
):
    command = node_command('bouncing_circle', 'symbols.m:=3.5', start_paused='true')
    with laboratory(domain, ros_environment, command, {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        assert lab.get('symbols.m') == 3.5, 'values given at the start hold'
        for values, part in (
            ({'symbols__m': 1e9}, 'symbols.m'),
            ({'symbols__gravity__y': float('nan')}, 'gravity.y must be within'),
            ({'symbols__m': 'heavy'}, 'must be a number'),
            ({'symbols__m': True}, 'must be a number'),
            ({'model': 'cart_pole'}, 'read-only'),
            ({'step_size': 0.01}, 'read-only'),
            ({'detector': 'magic'}, 'detector must be one of'),
            ({'integrator': 'euler'}, 'integrator must be one of auto'),
            ({'real_time_factor': -1.0}, 'real_time_factor'),
            ({'real_time_factor': 'fast'}, 'must be a number'),
            ({'publish_rate': 300.0}, 'not a whole number of steps'),
            ({'max_substeps': 0}, 'max_substeps'),
            ({'integrator': 'verlet', 'symbols__gravity__y': float('inf')}, 'gravity.y'),
        ):
            before = {name: lab.get(name.replace('__', '.')) for name in values}
            assert part in lab.set(**values), values
            assert {name: lab.get(name.replace('__', '.')) for name in values} == before
        descriptor = lab.describe('symbols.m')
        (limits,) = descriptor.floating_point_range
        assert (limits.from_value, limits.to_value) == (0.001, 1000.0)
        assert descriptor.description == 'mass of the ball [kg]'
        assert lab.describe('model').read_only
        assert lab.get('body_names') == ['floor', 'ball']
        assert lab.get('pair_names') == ['ball/floor']


def test_options_are_live(domain, ros_environment):
    command = node_command('bouncing_circle', step_size=0.01)
    with laboratory(domain, ros_environment, command, {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        for values in (
            {'integrator': 'verlet', 'manifold': 'single'},
            {'integrator': 'semi_implicit', 'max_substeps': 8, 'proximity_range': 1.0},
            {'co__program': 'growth', 'co__solver': 'ecos'},
            {'integrator': '', 'tick_rate': 100.0, 'marker_rate': 10.0},
            {'publish_rate': 20.0, 'clock_rate': 50.0, 'real_time_factor': 5.0},
        ):
            assert lab.set(**values) == ''
            for name, value in values.items():
                assert lab.get(name.replace('__', '.')) == value
        since = lab.pause(False)  # of what came before, some may still be on its way

        def stamps():
            return [time_of(m) for m in lab.messages['/tf'] if time_of(m) > since + 1e-9]

        assert lab.spin_until(lambda: len(stamps()) >= 10)
        assert np.diff(stamps()) == pytest.approx(0.05, abs=1e-9)


def test_the_detector_and_its_program_are_live(domain, ros_environment):
    command = node_command(
        'rectangle_circle', 'co.program:=growth', start_paused='true', step_count=500
    )
    with laboratory(domain, ros_environment, command, {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        for values in (
            {'detector': 'co'},
            {'co__program': 'auto'},
            {'detector': 'sat', 'co__program': 'min_distance'},
        ):
            assert lab.set(**values) == ''
            lab.step('/tf')
        assert lab.get('detector') == 'sat'


def test_a_parameter_that_is_not_there_is_named_with_one_that_may_be_meant(
    domain, ros_environment
):
    command = node_command('bouncing_circle', start_paused='true')
    with laboratory(domain, ros_environment, command, {}) as lab:
        assert lab.set(symbols__mm=2.0) == 'no parameter symbols.mm: did you mean symbols.m?'
        assert lab.set(publish_rte=20.0, symbols__m=3.0).startswith('no parameter publish_rte')
        assert lab.get('symbols.m') == 1.0
