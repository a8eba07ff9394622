"""`~/rewind` over real DDS: back in time, and on from there with the same bits."""

import math

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.laboratory import laboratory, node_command, time_of, time_told
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

from symcontact_ros.ros.stepping import snapshots


def test_a_rewound_run_goes_on_with_the_same_bits(domain, ros_environment):
    topics = {'/tf': TFMessage, '/clock': Clock}
    command = node_command('rectangle_circle', start_paused='true', step_count=500)
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear('/tf')
        assert not lab.ask(Trigger, 'rewind').success, 'nothing is kept yet'
        for _ in range(4):
            lab.step('/tf')
        reached = lab.trigger('state_hash')
        assert lab.set(rewind_time=1.0) == ''
        assert time_told(lab.trigger('rewind')) == pytest.approx(1.0)
        assert lab.spin_until(lambda: time_of(lab.messages['/clock'][-1]) == pytest.approx(1.0))
        for _ in range(2):
            last = lab.step('/tf')
        assert time_of(last) == pytest.approx(2.0)
        assert lab.trigger('state_hash') == reached
        lab.trigger('reset')
        lab.step('/tf')
        lab.trigger('rewind')  # before the reset, which let time go on
        lab.step('/tf')
        assert lab.trigger('state_hash') == reached
        assert lab.set(rewind_time=100.0) == ''
        assert time_told(lab.trigger('rewind')) == 0.0, 'the oldest'
        assert lab.set(rewind_buffer=0.0) == ''
        lab.step('/tf')
        refused = lab.ask(Trigger, 'rewind')
        assert not refused.success
        assert 'rewind_buffer' in refused.message


def test_commands_that_were_in_force_act_again(domain, ros_environment):
    command = node_command('cart_pole', start_paused='true', step_count=250, rewind_time=0.5)
    topics = {'/joint_states': JointState}
    with laboratory(domain, ros_environment, command, topics) as lab:
        lab.hear('/joint_states')
        lab.step('/joint_states')
        lab.send('joint_commands', JointState(name=['rail'], effort=[5.0]))  # for 0.5 s
        for _ in range(3):
            lab.step('/joint_states')
        reached = lab.trigger('state_hash')
        lab.trigger('rewind')
        assert lab.step('/joint_states').effort[0] == 5.0
        lab.step('/joint_states')
        assert lab.trigger('state_hash') == reached


def test_symbols_keep_their_values_and_divergence_is_over(domain, ros_environment):
    command = node_command('bouncing_circle', start_paused='true', step_count=300, rewind_time=0.2)
    with laboratory(domain, ros_environment, command, {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        lab.step('/tf')
        assert lab.set(symbols__m=3.0) == ''
        lab.trigger('rewind')
        assert lab.get('symbols.m') == 3.0
        push = WrenchStamped()
        push.wrench.force.y = -1e12
        lab.send('bodies/ball/wrench_command', push)
        for _ in range(3):
            answer = lab.ask(Trigger, 'step')
        assert not answer.success, 'it went beyond all bounds'
        lab.trigger('rewind')
        assert lab.ask(Trigger, 'step').success


def test_kept_states_end_with_time_and_memory(monkeypatch):
    import symcontact_ros as sc
    from symcontact_ros.ros.stepping.commands import Commands
    from symcontact_ros.ros.tf_frames import Frames

    sim = sc.Simulation(sc.load_model('bouncing_circle'))
    commands = Commands(sim, sim.observer(), Frames(sim.model, 'world', '', 'world'), 0.5)
    kept = snapshots.Snapshots(sim, commands)
    for _ in range(100):
        kept.offer(sim.steps, 1.0)
        sim.step(kept.steps_until_next(sim.steps))
    assert len(kept) == 21
    assert kept.before(0).steps == sim.steps - 1050
    monkeypatch.setattr(snapshots, 'MOST_BYTES', 5 * len(sim.save_state()))
    kept.offer(sim.steps, math.inf)
    assert len(kept) == 5
