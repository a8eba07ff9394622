"""Robots that are spawned on hills: the quadruped stands there, alone and over real DDS."""

from helpers.interfaces import without
from helpers.launch_files import SCENARIOS
from helpers.places import ROOT
import numpy as np
import pytest

import symcontact_ros as sc

QUADRUPED = ROOT / 'urdf' / 'quadruped.urdf'
SLOPES = {'first': [1.15, 0, 0.39, 0, -0.14, 0], 'second': [-1.25, 0, 0.27, 0, -0.14, 0]}
GRAVITY, MASS = 9.81, 12.2


def on_hills(pose):
    return sc.load_model(QUADRUPED, base='free', servo='auto', world='hills', pose=pose)


@pytest.mark.parametrize('pose', SLOPES.values(), ids=SLOPES)
def test_the_quadruped_stands_on_a_slope_on_its_four_feet(pose):
    simulation = sc.Simulation(on_hills(pose))
    assert len(simulation.model.joint_names) == 12
    simulation.step(2000)
    start = simulation.poses()['trunk']
    simulation.step(1000)
    contacts = simulation.contacts()
    feet = {name for contact in contacts for name in (contact.body_a, contact.body_b)} - {'hills'}
    assert feet == {f'{a}_{b}_shank' for a in ('front', 'back') for b in ('left', 'right')}
    on_robot = [(1 if c.body_a == 'hills' else -1) * np.array(c.force) for c in contacts]
    assert np.sum(on_robot, axis=0) == pytest.approx([0, 0, MASS * GRAVITY], abs=1e-3)
    # Servos are springs: they give way by some hundredths of a radian, and then it rests.
    assert abs(simulation.q[7:]).max() < 0.05
    end = simulation.poses()['trunk']
    assert end.position == pytest.approx(start.position, abs=1e-6)
    assert end.position == pytest.approx(pose[:3], abs=0.02)


# Over DDS ---------------------------------------------------------------------------------------


def test_two_quadrupeds_are_spawned_as_the_launch_file_does_it(domain, ros_environment, tmp_path):
    pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
    from helpers.laboratory import laboratory, node_command, time_of
    from helpers.processes import controlling, LONG
    from rosgraph_msgs.msg import Clock

    said = SCENARIOS['two_quadrupeds.launch.py']
    assert said['needs'] == 'simulation_interfaces'
    own = {name: said[name] for name in ('tf_mode', 'spawn_servo')}
    command = node_command(said['model'], **own)
    kinds = pytest.importorskip('simulation_interfaces.srv')
    with (
        laboratory(domain, ros_environment, command, {'/clock': Clock}) as lab,
        controlling(said['controller'], ros_environment, tmp_path) as spawner,
    ):
        assert lab.spin_until(spawner.ended, 4 * LONG), spawner.log
        assert spawner.wait() == 0, spawner.log
        start = time_of(lab.collect('/clock')[-1])
        assert lab.spin_until(lambda: time_of(lab.messages['/clock'][-1]) > start + 1.0, LONG)
        for name, pose in SLOPES.items():
            state = lab.ask(kinds.GetEntityState, 'get_entity_state', entity=name).state
            place = state.pose.position
            assert [place.x, place.y, place.z] == pytest.approx(pose[:3], abs=0.02)


@pytest.mark.parametrize(
    ('words', 'reason'),
    [('poses:=[high, low]', 'six numbers'), ('names:=[alone]', 'one is needed for each')],
)
def test_places_that_are_none_are_told(words, reason, ros_environment, tmp_path):
    from helpers.processes import controlling

    pytest.importorskip('simulation_interfaces')
    given = ('--ros-args', '-p', words)
    with controlling('spawn_robots', ros_environment, tmp_path, *given) as spawner:
        assert spawner.wait() == 2
    assert reason in spawner.log
    assert 'Traceback' not in spawner.log


def test_the_package_that_it_needs_is_named(ros_environment, tmp_path):
    pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
    from helpers.processes import controlling

    environment = {**ros_environment, **without('simulation_interfaces', tmp_path)}
    with controlling('spawn_robots', environment, tmp_path) as spawner:
        assert spawner.wait() == 1
    assert 'sudo apt install ros-$ROS_DISTRO-simulation-interfaces' in spawner.log
