"""
Two robots with four legs, spawned on hills while the simulation runs.

``ros2 launch symcontact_ros two_quadrupeds.launch.py rviz:=true``: every parameter of the node but
``model`` is an argument. Needs simulation_interfaces. Other robots and places: parameters of the
node `spawn_robots`.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import scenario


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the hills, and the node that spawns the robots."""
    return scenario(
        'hills',
        rviz='spatial',
        controller='spawn_robots',
        needs='simulation_interfaces',
        tf_mode='bodies',
        spawn_servo='auto',
    )
