"""A Panda over a table that a client moves as MoveIt does, over real DDS."""

import signal

from helpers.interfaces import without
from helpers.launch_files import SCENARIOS
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.laboratory import laboratory, node_command
from helpers.processes import controlling, LONG
from sensor_msgs.msg import JointState

ENDS = {'panda_joint1': 0.4, 'panda_joint4': -2.0}


def given(*assignments):
    return ('--ros-args', *(part for words in assignments for part in ('-p', words)))


def test_an_arm_goes_where_the_launch_file_sends_it(domain, ros_environment, tmp_path):
    said = SCENARIOS['arm_trajectory.launch.py']
    assert said['needs'] == 'control_msgs'
    command = node_command(said['model'], tf_mode=said['tf_mode'], real_time_factor=0)
    with laboratory(domain, ros_environment, command, {'/joint_states': JointState}) as lab:

        def run(*words, until=''):
            """Start the client; return it when it has ended, or its log has what is waited for."""
            with controlling(said['controller'], ros_environment, tmp_path, *words) as client:

                def is_over():
                    return client.ended() or (until and until in client.log)

                assert lab.spin_until(is_over, LONG), client.log
                if until:
                    client.send(signal.SIGINT)
                return client.wait(), client.log

        code, log = run()
        assert (code, log.count('Goal successfully reached!')) == (0, 3), log
        two = (f'joints:=[{", ".join(ENDS)}]', f'ends:=["{" ".join(map(str, ENDS.values()))}"]')
        code, log = run(*given(*two))
        assert code == 0, log
        state = lab.collect('/joint_states', 10)[-1]
        found = dict(zip(state.name, state.position, strict=True))
        # The servo of joint 4 is the softest: 2 mrad are what the client allows tenfold.
        assert [found[joint] for joint in ENDS] == pytest.approx(list(ENDS.values()), abs=5e-3)

        code, log = run(*given('joints:=[panda_joint1]', 'ends:=["9.0"]'))
        assert code == 1
        assert 'goal 1 was rejected' in log
        far = given('joints:=[panda_joint1]', 'ends:=["-2.0"]', 'duration:=1e5')
        code, log = run(*far, until='goal 1 is under way')
        assert code == 0, log
        state = lab.collect('/joint_states', 100)[-1]
        assert np.abs(state.velocity).max() < 1e-3, 'cancelled: it holds'
        assert state.position[state.name.index('panda_joint1')] > -2.0


@pytest.mark.parametrize(
    ('words', 'reason'),
    [('ends:=["high"]', '7 numbers are needed'), ('duration:=0.0', 'it must be above 0')],
)
def test_parameters_that_are_wrong_are_told(words, reason, ros_environment, tmp_path):
    with controlling('arm_trajectory', ros_environment, tmp_path, *given(words)) as client:
        assert client.wait() == 2
    assert reason in client.log
    assert 'Traceback' not in client.log


def test_the_package_that_it_needs_is_named(ros_environment, tmp_path):
    environment = {**ros_environment, **without('control_msgs', tmp_path)}
    with controlling('arm_trajectory', environment, tmp_path) as client:
        assert client.wait() == 1
    assert 'sudo apt install ros-$ROS_DISTRO-control-msgs' in client.log
