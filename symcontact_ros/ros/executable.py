"""The executable ``simulation_node``, for ``ros2 run`` and ``ros2 launch``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import math
import os
import re
import sys
from typing import Any, TYPE_CHECKING

from symcontact_ros.errors import (
    many_lines,
    MissingPackageError,
    one_line,
    OptionError,
    SymcontactError,
)
from symcontact_ros.ros.stop_signals import ignore_signals, Interrupted, StopSignals

if TYPE_CHECKING:
    from symcontact_ros.ros.node import SimulationNode

PLACE_IN_RCL = re.compile(r', at \S+:\d+')  # a place in the sources of rcl
NO_NODE = 'error creating node'  # begins what rcl has against it, such as keys it cannot use
GOOD, FAILED, BAD_INPUT = 0, 1, 2
NO_ROS = (
    'the node needs ROS 2 and there is no {}: source a distribution (e.g. '
    '`source /opt/ros/jazzy/setup.bash`), or run `make run` in the sources, which installs it'
)

USAGE = (
    'usage: simulation_node --ros-args -p model:=NAME_OR_FILE [-p PARAMETER:=VALUE ...]\n'
    'parameters are in docs/ros.md; of a running node: ros2 param list, ros2 param describe'
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node until it is stopped; return the exit code."""
    announced = False

    def announce(node: SimulationNode) -> None:
        nonlocal announced
        if not announced:
            node.get_logger().info(node.greeting())
        announced = True

    arguments = arguments if arguments is not None else sys.argv
    if set(arguments) & {'-h', '--help'}:
        print(USAGE)
        return GOOD
    code = run(arguments, watch=announce)
    ignore_signals()
    return code


def run(
    arguments: Sequence[str],
    overrides: Mapping[str, Any] | None = None,
    duration: float | None = math.inf,
    watch: Callable[[SimulationNode], None] = lambda node: None,
) -> int:
    """
    Run the node and return the exit code: 0 good, 1 failed, 2 bad input.

    Parameters
    ----------
    arguments
        Command line with ``--ros-args``.
    overrides
        Parameter values that override the command line.
    duration
        Simulated time at which to stop [s]; None: the model's own; inf: never.
    watch
        Called with the node after every tick.

    """
    try:
        return _run(arguments, overrides, duration, watch)
    except Interrupted:
        print('stopped before it was ready', file=sys.stderr)
        return GOOD
    except MissingPackageError as error:
        print(error, file=sys.stderr)
        return FAILED
    except SymcontactError as error:
        print(many_lines(error), file=sys.stderr)
        return BAD_INPUT
    except RuntimeError as error:
        if NO_NODE not in str(error):
            raise
        print(PLACE_IN_RCL.sub('', str(error)), file=sys.stderr)
        return BAD_INPUT


def _refuse(words: Sequence[str]) -> None:
    """Raise OptionError with the usage if there are words other than ROS arguments."""
    if words:
        raise OptionError(f'{one_line(" ".join(words))}: unknown argument\n{USAGE}')


def _run(
    arguments: Sequence[str],
    overrides: Mapping[str, Any] | None,
    duration: float | None,
    watch: Callable[[SimulationNode], None],
) -> int:
    with StopSignals() as stop:
        # Imported under the handlers: a signal during these slow imports is not lost.
        try:
            import rclpy
            from rclpy.exceptions import (
                InvalidParameterTypeException,
                NameValidationException,
            )
            from rclpy.signals import SignalHandlerOptions
            from rclpy.utilities import remove_ros_args

            from symcontact_ros.ros.fastdds import use_profiles
            from symcontact_ros.ros.log_folder import log_arguments
            from symcontact_ros.ros.main_loop import run_loop
            from symcontact_ros.ros.node import SimulationNode
        except ModuleNotFoundError as error:
            raise MissingPackageError(NO_ROS.format(error.name)) from error

        try:
            _refuse(remove_ros_args(list(arguments))[1:])
            use_profiles()
            rclpy.init(
                args=[*arguments, *log_arguments(os.environ)],
                signal_handler_options=SignalHandlerOptions.NO,
            )
        except RuntimeError as error:  # a missing parameter file, for example
            raise OptionError(f'--ros-args: {PLACE_IN_RCL.sub("", str(error))}') from error
        try:
            with stop.at_once():
                node = SimulationNode(
                    parameter_overrides=overrides or {},
                    duration=duration,
                    interrupted=lambda: stop.requested,
                    timer=False,  # `run_loop` ticks, which is faster
                )
            run_loop(node, lambda: stop.requested, watch)
            node.close()
        except (InvalidParameterTypeException, NameValidationException) as error:
            raise OptionError(str(error)) from error
        finally:
            rclpy.try_shutdown()
    if node.scheduler.failure is not None:
        print(many_lines(node.scheduler.failure), file=sys.stderr)
        return FAILED
    return GOOD
