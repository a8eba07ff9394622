"""The executable ``view_node``, and ``symcontact view``: serve the page until stopped."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import sys
from typing import Any
import webbrowser

from symcontact_ros.errors import many_lines, MissingPackageError, OptionError, SymcontactError
from symcontact_ros.optional_packages import way_to
from symcontact_ros.ros.stop_signals import ignore_signals, Interrupted, StopSignals

GOOD, FAILED, BAD_INPUT = 0, 1, 2
HOST = '127.0.0.1'
MISSING = (
    'the page needs {}, which is not installed: source a ROS 2 distribution and {}; or run '
    '`make run VIEW=1` in the sources, which installs both'
)
WARNING = (
    'warning: whoever reaches {} and knows the token can control the simulation; the token is '
    'sent unencrypted'
)
SPIN = 0.2  # [s wall] after which signals are looked for


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the executable and return the exit code."""
    words = list(arguments if arguments is not None else sys.argv)
    cut = words.index('--ros-args') if '--ros-args' in words else len(words)
    parser = argparse.ArgumentParser('view_node', description='Show a simulation in browsers.')
    add_view_options(parser)
    options = parser.parse_args(words[1:cut])
    return run(options, words[cut:])


def add_view_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the page."""
    parser.add_argument(
        '--node',
        default='/symcontact',
        metavar='NAME',
        help='node of the simulation (default: /symcontact)',
    )
    add_place_options(parser)
    parser.add_argument(
        '--switch',
        action='append',
        default=[],
        metavar='/NODE:PARAMETER',
        help='parameter of another node, true or false, that the page shows as a check box',
    )


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of where the page is served."""
    parser.add_argument(
        '--host',
        default=HOST,
        help=f'address at which the page is served (default: {HOST}: this machine only)',
    )
    parser.add_argument(
        '--port', type=_port, default=0, help='its port (default: 0: any that is free)'
    )
    parser.add_argument('--open', action='store_true', help='open the page in the browser')


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port < 2**16:
        raise ValueError(text)
    return port


def run(options: argparse.Namespace, ros_arguments: Sequence[str] = ()) -> int:
    """Serve the page until stopped; return the exit code: 0 good, 1 failed, 2 bad input."""
    try:
        with StopSignals() as stop:
            _run(options, ros_arguments, stop)
    except Interrupted:
        pass
    except MissingPackageError as error:
        print(error, file=sys.stderr)
        return FAILED
    except SymcontactError as error:
        print(many_lines(error), file=sys.stderr)
        return BAD_INPUT
    ignore_signals()
    return GOOD


def _run(options: argparse.Namespace, ros_arguments: Sequence[str], stop: StopSignals) -> None:
    try:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        from rclpy.signals import SignalHandlerOptions

        from symcontact_ros.ros.fastdds import use_profiles
        from symcontact_ros.view.switches import switch_of
        from symcontact_ros.view.view_node import ViewNode
    except ModuleNotFoundError as error:
        raise MissingPackageError(MISSING.format(error.name, way_to('tornado'))) from error
    switches = [switch_of(text) for text in options.switch]
    use_profiles()
    try:
        rclpy.init(
            args=['view_node', *ros_arguments], signal_handler_options=SignalHandlerOptions.NO
        )
    except RuntimeError as error:
        raise OptionError(f'--ros-args: {error}') from error
    try:
        node = ViewNode('/' + options.node.strip('/'), switches, options.host, options.port)
        node.server.start()
        _announce(node.server, options)
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        while not stop.requested:
            executor.spin_once(timeout_sec=SPIN)
        node.destroy_node()
    finally:
        rclpy.try_shutdown()


def _announce(server: Any, options: argparse.Namespace) -> None:
    """Print the address; it is a secret of whoever started this."""
    if options.host != HOST:
        print(WARNING.format(options.host), file=sys.stderr, flush=True)
    print(f'page: {server.address}', flush=True)
    if options.open:
        webbrowser.open(server.address)
