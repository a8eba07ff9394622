"""
A robot from a URDF or xacro file, with its meshes in RViz.

``ros2 launch symcontact_ros robot.launch.py model:=/path/of/robot.urdf rviz:=true``: every
argument of simulation.launch.py. The node publishes the pose of every link (`tf_mode`): no
robot_state_publisher is needed.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the robot that the argument `model` names."""
    return scenario(None, rviz='robot', tf_mode='bodies')
