"""The path to ros2_control: names, topics and numbers of its files fit the simulated robots."""

import math
from xml.etree import ElementTree

from helpers.places import ROOT
from helpers.robots import robots_folder
import numpy as np
import pytest
import yaml

import symcontact_ros as sc

FOLDER = ROOT / 'config' / 'ros2_control'
MODELS = {'panda': 'panda_table', 'mobile_base': FOLDER / 'mobile_base.yaml'}
HARDWARE = 'joint_state_topic_hardware_interface/JointStateTopicSystem'


def controllers(name):
    """Return the parameters of a robot's controllers, by node."""
    text = (FOLDER / f'{name}_controllers.yaml').read_text(encoding='utf-8')
    return {key: value['ros__parameters'] for key, value in yaml.safe_load(text).items()}


def expanded(name, **arguments):
    """Return the description that the controller manager gets."""
    xacro = pytest.importorskip('xacro')
    document = xacro.process_file(str(FOLDER / f'{name}.urdf.xacro'), mappings=arguments)
    return ElementTree.fromstring(document.toxml())


def simulated(name):
    """Return the model of a robot, and what its description needs."""
    if name in MODELS:
        return sc.load_model(MODELS[name]), {}
    path = robots_folder() / 'ur_description' / 'urdf' / 'ur5_robot.urdf'
    return sc.load_model(path, servo='auto', meshes='none'), {'description': str(path)}


@pytest.mark.parametrize('name', ['panda', 'ur5', 'mobile_base'])
def test_controllers_command_joints_that_the_simulation_has(name):
    model, arguments = simulated(name)
    system = expanded(name, **arguments).find('ros2_control')
    commanded = {
        joint.get('name'): joint.find('command_interface').get('name')
        for joint in system.findall('joint')
    }
    servos = {body.joint.name for body in model.bodies if body.joint.servo is not None}
    assert set(commanded) <= servos, 'positions and velocities need servos'
    assert len(set(commanded.values())) == 1, 'the arrays of a command are as long as its names'
    parameters = controllers(name)
    for controller in parameters.keys() - {'/**', 'controller_manager'}:
        own = parameters[controller]
        kinds = own.get('command_interfaces', ['velocity'])
        keys = ('joints', 'left_wheel_names', 'right_wheel_names')
        joints = [joint for key in keys for joint in own.get(key, ())]
        assert joints
        assert [commanded[joint] for joint in joints] == kinds * len(joints)
        assert controller in parameters['controller_manager']


@pytest.mark.parametrize('name', ['panda', 'ur5', 'mobile_base'])
def test_the_hardware_is_no_second_node_of_the_same_name_and_has_simulated_time(name):
    system = expanded(name, **simulated(name)[1]).find('ros2_control')
    assert system.get('name').lower() != 'symcontact', 'its node would have that name'
    assert system.findtext('hardware/plugin') == HARDWARE
    topics = {param.get('name'): param.text for param in system.findall('hardware/param')}
    assert topics == {
        'joint_commands_topic': '/symcontact/joint_commands',
        'joint_states_topic': '/robot_joint_states',
        'trigger_joint_command_threshold': '-1',
    }
    # Of hardware nodes too: stamps of another clock would be refused as of the future.
    assert controllers(name)['/**'] == {'use_sim_time': True}


def test_the_base_drives_as_its_controller_believes():
    sim = sc.Simulation(sc.load_model(MODELS['mobile_base']))
    own = controllers('mobile_base')['base_controller']
    assert own['enable_odom_tf'] is False, 'base_link has its parent from the simulation'
    radius, track = own['wheel_radius'], own['wheel_separation']
    left, right = 5.0, 7.0  # [rad/s]
    sim.set_target('left_wheel_joint', None, left)
    sim.set_target('right_wheel_joint', None, right)
    sim.step(1500)
    speed, rate = radius * (left + right) / 2, radius * (right - left) / track
    twist = sim.twists()['base_link']
    # The wheels lag by what the caster costs, and creep a little.
    assert twist.angular[2] == pytest.approx(rate, rel=0.02)
    start = sim.poses()['base_link'].position
    sim.step(1000)
    way = np.linalg.norm(sim.poses()['base_link'].position - start)
    assert way == pytest.approx(2 * speed / rate * math.sin(rate / 2), rel=0.02)
