"""Executables of the controllers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
import signal
import sys
from types import FrameType
from typing import Any

GOOD, FAILED, BAD_INPUT = 0, 1, 2
NO_ROS = (
    'the controllers need ROS 2, and {} is not installed: source a distribution (e.g. '
    '`source /opt/ros/jazzy/setup.bash`), or run `make setup` in the sources, which installs it'
)
OPTIONAL = ('control_msgs', 'simulation_interfaces')  # packages, each of one controller
NO_PACKAGE = '{0} is not installed: sudo apt install ros-$ROS_DISTRO-{1}'
HELP = """\
parameters:
{parameters}

Set them by `--ros-args -p {name}:=VALUE`, or at run time by `ros2 param set`.
Ctrl-C ends the controller with a zero command.
"""


def cart_pole_lqr() -> int:
    """Run the executable ``cart_pole_lqr``."""
    return run('cart_pole_lqr', sys.argv)


def wall_push() -> int:
    """Run the executable ``wall_push``."""
    return run('wall_push', sys.argv)


def docking_guidance() -> int:
    """Run the executable ``docking_guidance``."""
    return run('docking_guidance', sys.argv)


def spawn_robots() -> int:
    """Run the executable ``spawn_robots``."""
    return run('spawn_robots', sys.argv)


def arm_trajectory() -> int:
    """Run the executable ``arm_trajectory``."""
    return run('arm_trajectory', sys.argv)


def run(name: str, arguments: Sequence[str]) -> int:
    """
    Run a controller until a signal stops it, or it has ended; return the exit code.

    Parameters
    ----------
    name
        Module of this folder that defines ``CONTROLLER``, a ``Controller``.
    arguments
        Command line, with or without ``--ros-args``.

    """
    stop = StopFlag()
    try:
        import rclpy
        from rclpy.exceptions import ParameterException
        from rclpy.executors import SingleThreadedExecutor
        from rclpy.signals import SignalHandlerOptions
        from rclpy.utilities import remove_ros_args

        module = import_module(f'symcontact_ros.examples.{name}')
    except ModuleNotFoundError as error:
        package = str(error.name).partition('.')[0]
        text = NO_PACKAGE if package in OPTIONAL else NO_ROS
        print(text.format(package, package.replace('_', '-')), file=sys.stderr)
        return FAILED
    parser = argparse.ArgumentParser(
        prog=name,
        description=module.__doc__,
        epilog=_parameters(module.CONTROLLER.parameters()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.parse_args(remove_ros_args(list(arguments))[1:])
    rclpy.init(args=list(arguments), signal_handler_options=SignalHandlerOptions.NO)
    try:
        controller = module.CONTROLLER()
        executor = SingleThreadedExecutor()
        executor.add_node(controller)
        while not stop.requested and controller.ended is None:
            executor.spin_once(timeout_sec=0.1)
        controller.let_go()
        controller.flush()
    except ParameterException as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    finally:
        rclpy.try_shutdown()
        stop.ignore()
    return controller.ended or GOOD


def _parameters(known: dict[str, Any]) -> str:
    """Return the help text of the declared parameters."""
    lines = [
        f'  {name:15} {entry.description} Default: {entry.default!r}.'
        for name, entry in known.items()
    ]
    return HELP.format(parameters='\n'.join(lines), name=list(known)[-1])


class StopFlag:
    """
    Flag set by SIGINT and SIGTERM, polled between two calls of the executor.

    The handlers of rclpy would end the context at once, with the last command still in force.
    """

    def __init__(self) -> None:
        self.requested = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._request)

    def ignore(self) -> None:
        """Ignore further signals until the end of the process."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    def _request(self, number: int, frame: FrameType | None) -> None:
        self.requested = True
