"""Launch description of a robot whose controllers are those of ros2_control."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from launch import LaunchContext, LaunchDescription
from launch.actions import GroupAction, IncludeLaunchDescription
from launch.substitutions import Command
from launch_ros.actions import Node, SetRemap
from launch_ros.parameter_descriptions import ParameterValue

from symcontact_ros.launching.arguments import Argument, checked_file
from symcontact_ros.launching.declaring import Texts, with_arguments
from symcontact_ros.launching.nodes import require
from symcontact_ros.model.installed_files import share

FOLDER = Path('config') / 'ros2_control'
HARDWARE = 'joint_state_topic_hardware_interface'
# What belongs to the controller manager and to robot_state_publisher: ours is told apart.
REMAPPED = {'joint_states': 'robot_joint_states', 'robot_description': 'simulated_description'}


class Controlled(NamedTuple):
    """A robot, and how it is simulated and controlled."""

    simulated: dict[str, str]  # arguments of simulation.launch.py; without `model`: its URDF
    controllers: tuple[str, ...]  # beside the joint_state_broadcaster
    package: str  # that has their type


ROBOTS = {
    'panda': Controlled(
        {'model': 'panda_table'},
        ('arm_controller', 'hand_controller'),
        'joint_trajectory_controller',
    ),
    'ur5': Controlled(
        {'world': 'table_top', 'servo': 'auto'}, ('arm_controller',), 'joint_trajectory_controller'
    ),
    'mobile_base': Controlled(
        {'model': str(FOLDER / 'mobile_base.yaml')}, ('base_controller',), 'diff_drive_controller'
    ),
}
ARGUMENTS = {
    'robot': Argument(f'Robot to run. One of {", ".join(ROBOTS)}.', 'panda'),
    'description': Argument('URDF of the robot; empty: that of this package, if it has one.', ''),
    'controllers_file': Argument('Parameters of the controllers; empty: ours.', ''),
}


def controlled_robot() -> LaunchDescription:
    """Return the launch description of the robot that the argument ``robot`` names."""
    return LaunchDescription(with_arguments(ARGUMENTS, _start))


def _start(context: LaunchContext, texts: Texts) -> list[Any]:
    name, given = texts.all['robot'], texts.all['description']
    if name not in ROBOTS:
        raise RuntimeError(f'robot:={name} is not one of {", ".join(ROBOTS)}')
    robot = ROBOTS[name]
    if 'model' not in robot.simulated and not given:
        raise RuntimeError(f'robot:={name} needs description:=FILE, a URDF of it')
    packages = ('controller_manager', 'joint_state_broadcaster', HARDWARE, robot.package)
    for package in (*packages, 'robot_state_publisher', 'xacro'):
        require(package, f'robot:={name}')
    description = [str(checked_file('description', given))] if given else []
    own = share() / FOLDER / f'{name}_controllers.yaml'
    chosen = texts.all['controllers_file']
    controllers = checked_file('controllers_file', chosen) if chosen else own
    return [
        _simulation(robot, description),
        *_control(share() / FOLDER / f'{name}.urdf.xacro', description, str(controllers)),
        *_spawners(robot, str(controllers)),
    ]


def _simulation(robot: Controlled, description: list[str]) -> GroupAction:
    """Return the simulation, with its states and its description under other names."""
    given = {'tf_mode': 'base', 'robot_state_publisher': 'false', **robot.simulated}
    if 'model' not in given:
        given['model'] = description[0]
    elif Path(given['model']).suffix:
        given['model'] = str(share() / given['model'])
    file = str(share() / 'launch' / 'simulation.launch.py')
    include = IncludeLaunchDescription(file, launch_arguments=given.items())
    return GroupAction([*(SetRemap(a, b) for a, b in REMAPPED.items()), include])


def _control(file: Path, description: list[str], controllers: str) -> list[Node]:
    """Return robot_state_publisher, which tells all others what the robot is, and the manager."""
    words = ['xacro ', str(file), *(f' description:={path}' for path in description)]
    text = ParameterValue(Command(words), value_type=str)
    return [
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            parameters=[{'robot_description': text, 'use_sim_time': True}],
        ),
        # Without a name of its own, so that what the file has under /** is also for its hardware.
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            parameters=[controllers],
            output='screen',
        ),
    ]


def _spawners(robot: Controlled, controllers: str) -> list[Node]:
    return [
        Node(
            package='controller_manager',
            executable='spawner',
            arguments=[name, '--param-file', controllers],
        )
        for name in ('joint_state_broadcaster', *robot.controllers)
    ]
