"""
Simulation of a model: ``ros2 launch symcontact_ros simulation.launch.py model:=bouncing_circle``.

Every parameter of the node is an argument (``co_program`` is ``co.program``). An
argument overrides the parameter file; without it the value of the file is used. For a URDF model,
robot_state_publisher is started. The launch files of the scenarios include this one.
"""

from dataclasses import Field, fields
from importlib.util import find_spec

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

from symcontact_ros.errors import SymcontactError
from symcontact_ros.launching.nodes import pass_failure_on, require, rviz_node
from symcontact_ros.model.including.robot_files import description_text
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.ros.model_options import load_options
from symcontact_ros.ros.parameters import parameter_name, SimulationParameters

FILE = PathJoinSubstitution([FindPackageShare('symcontact_ros'), 'config', 'simulation.yaml'])
TRUTH = {'true': True, 'false': False, '1': True, '0': False}
OTHERS = {
    'params_file': (FILE, 'Parameter file of the node.'),
    'namespace': ('', 'Namespace of the node.'),
    'rviz': ('false', 'Whether to start RViz.'),
    'rviz_config': ('', 'Configuration of RViz; default: by type of model.'),
    'viewer': ('false', 'Whether to start the viewer for browsers, if this version has one.'),
    'robot_state_publisher': (
        'true',
        'Whether to start it for URDF models; not with tf_mode:=bodies.',
    ),
}


def generate_launch_description() -> LaunchDescription:
    """Return the node with its arguments."""
    own = [
        DeclareLaunchArgument(
            entry.name,
            default_value='',
            description=explanation(entry),
        )
        for entry in fields(SimulationParameters)
    ]
    others = [
        DeclareLaunchArgument(name, default_value=default, description=words)
        for name, (default, words) in OTHERS.items()
    ]
    return LaunchDescription([*own, *others, OpaqueFunction(function=simulation)])


def explanation(entry: Field) -> str:
    """Return description, choices and default of a parameter."""
    words, choices = entry.metadata['description'], entry.metadata['choices']
    if choices:
        words += f' One of {", ".join(choices)}.'
    return f'{words} Default: {entry.default}.' if entry.default not in ('', ('',)) else words


def simulation(context) -> list[Node]:
    """Return the node with the given parameters, and the other nodes that were requested."""
    given = {}
    for entry in fields(SimulationParameters):
        text = LaunchConfiguration(entry.name).perform(context)
        if text:
            given[parameter_name(entry)] = value_of(entry.name, text, type(entry.default))
    said = {name: LaunchConfiguration(name).perform(context) for name in OTHERS}
    nodes = [
        Node(
            package='symcontact_ros',
            executable='simulation_node',
            name='symcontact',
            namespace=said['namespace'],
            output='screen',
            parameters=[said['params_file'], given],
            on_exit=pass_failure_on,
        )
    ]
    if value_of('robot_state_publisher', said['robot_state_publisher'], bool):
        nodes += robot_state_publisher(given, said['namespace'])
    if value_of('rviz', said['rviz'], bool):
        nodes.append(rviz_node(context, *view_of(given)))
    if value_of('viewer', said['viewer'], bool):
        nodes.append(viewer(said['namespace']))
    return nodes


def robot_state_publisher(given: dict, namespace: str) -> list[Node]:
    """Return the publishers of the links of robots, one each; none for other models."""
    if given.get('tf_mode', 'auto') not in ('auto', 'base'):
        return []
    model = model_of(given)
    robots = model.description.robots if model is not None else []
    if robots:
        require('robot_state_publisher', 'tf_mode:=base (tf_mode:=bodies does without)')
    several = len(robots) > 1
    return [
        Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            name=f'{robot.topic}_state_publisher' if several else None,
            namespace=namespace,
            remappings=[('robot_description', f'{robot.topic}/robot_description')] * several,
            parameters=[
                {
                    'robot_description': description_text(robot),
                    'frame_prefix': given.get('frame_prefix', ''),
                    'use_sim_time': True,
                }
            ],
        )
        for robot in robots
    ]


def model_of(given: dict) -> Model | None:
    """Return the model that the node will have, without its meshes; None: it has faults."""
    names = {parameter_name(entry): entry.name for entry in fields(SimulationParameters)}
    try:
        settings = SimulationParameters(**{names[name]: value for name, value in given.items()})
        return load_model(settings.model, meshes='none', **load_options(settings))
    except SymcontactError:
        return None  # the node reports them


def view_of(given: dict) -> tuple[str, str | None]:
    """Return the configuration of RViz for a model, and the body whose contact wrench it shows."""
    found = model_of(given)
    if found is None:
        return 'spatial', None
    touching = {name for pair in found.pairs for name in pair}
    wrench = next((body.name for body in found.moving if body.name in touching), None)
    if found.description.robots:
        return 'robot', wrench
    return 'planar' if found.dimension == 2 else 'spatial', wrench


def viewer(namespace: str) -> Node:
    """Return the viewer for browsers."""
    if find_spec('symcontact_ros.viewer') is None:
        raise RuntimeError('viewer:=true: this version has no viewer yet; rviz:=true opens RViz')
    return Node(package='symcontact_ros', executable='viewer_node', namespace=namespace)


def value_of(name: str, text: str, kind: type) -> str | float | bool | list[str]:
    """Return an argument converted to the type of the parameter; errors name the argument."""
    try:
        if kind is bool:
            return TRUTH[text.lower()]
        return text.split(',') if kind is tuple else kind(text)
    except (KeyError, ValueError) as error:
        raise RuntimeError(f'{name}:={text} is not a {kind.__name__}') from error
