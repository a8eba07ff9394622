"""
Simulation of a model: ``ros2 launch symcontact_ros simulation.launch.py model:=bouncing_circle``.

Every parameter of the node is an argument (``co_program`` is ``co.program``): ``--show-args``. An
argument that is given overrides the parameter file. For a URDF model, robot_state_publisher is
started.
"""

from launch import LaunchDescription

from symcontact_ros.launching.scenarios import any_model


def generate_launch_description() -> LaunchDescription:
    """Return the simulation of the model that the argument `model` names."""
    return any_model()
