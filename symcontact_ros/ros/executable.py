"""The executable ``simulation_node``, for ``ros2 run`` and ``ros2 launch``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import math
import sys
from typing import Any, TYPE_CHECKING

from symcontact_ros.errors import SymcontactError
from symcontact_ros.ros.stopping import StopSignals

if TYPE_CHECKING:
    from symcontact_ros.ros.node import SimulationNode

GOOD, FAILED, BAD_INPUT = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the node until it is told to stop; return the exit code."""
    return run(arguments if arguments is not None else sys.argv)


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
        Parameter values that win over the command line.
    duration
        Simulated time at which to stop [s]; None: the model's own; inf: never.
    watch
        Called with the node after every piece of work.

    """
    with StopSignals() as stop:
        # Imported under the handlers: a signal during these slow imports is not lost.
        import rclpy
        from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
        from rclpy.executors import SingleThreadedExecutor
        from rclpy.signals import SignalHandlerOptions

        from symcontact_ros.ros.node import SimulationNode

        rclpy.init(args=list(arguments), signal_handler_options=SignalHandlerOptions.NO)
        try:
            node = SimulationNode(overrides, duration)
            executor = SingleThreadedExecutor()
            executor.add_node(node)
            watch(node)
            while not (stop.requested or node.finished):
                executor.spin_once(timeout_sec=0.1)
                watch(node)
            if node.failure is not None:
                print(node.failure, file=sys.stderr)
                return FAILED
        except (
            SymcontactError,
            InvalidParameterTypeException,
            InvalidParameterValueException,
        ) as error:
            print(error, file=sys.stderr)
            return BAD_INPUT
        finally:
            rclpy.try_shutdown()
    return GOOD
