"""
A robot from a URDF or xacro file in a world, held by servos, with its meshes in RViz.

``ros2 launch symcontact_ros robot.launch.py model:=/path/of/arm.urdf world:=table_top servo:=auto
rviz:=true``, or ``base:=free world:=floor`` for a robot with legs: every argument of
simulation.launch.py. A free base is set with its lowest point on the surface; ``pose:="0 0 1 0 0
0"`` (x y z roll pitch yaw) places it elsewhere. The node publishes the pose of every link
(`tf_mode`): no robot_state_publisher is needed.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the robot that the argument `model` names."""
    return scenario(None, rviz='robot', tf_mode='bodies')
