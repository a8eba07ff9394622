"""The command line: ``symcontact list | check | equations | node``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
import sys

from symcontact_ros import __version__
from symcontact_ros.errors import SymcontactError

GOOD, FAILED, BAD_INPUT = 0, 1, 2

COMMANDS = {
    'list': 'show the models that come with the package',
    'check': 'read a model file and tell what it describes, or all that is wrong with it',
    'equations': 'print the equations of motion of a model, or its linearisation',
    'node': 'run a model as a ROS 2 node, without ros2 launch',
}

EPILOG = """\
examples:
  symcontact list                           what there is to simulate
  symcontact check my_model.yaml            all faults at once, as file:line: key: reason
  symcontact equations cart_pole            M, forcing and kinematics, as text
  symcontact equations arm.urdf --format c  a C function with the running model's numbers
  symcontact node bouncing_circle           /tf and contact wrenches for 5 simulated seconds
  symcontact node my_model.yaml --duration inf

A MODEL is a name that `symcontact list` shows, or the path of a .yaml, .urdf or .xacro file.
Exit codes: 0 good, 1 failed, 2 bad input.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code."""
    parser = _parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    # ROS arguments go to rclpy untouched.
    cut = words.index('--ros-args') if '--ros-args' in words else len(words)
    options = parser.parse_args(words[:cut])
    if options.command is None:
        parser.print_help()
        return BAD_INPUT
    options.ros_arguments = words[cut:]
    try:
        exit_code: int = import_module(f'symcontact_ros.cli.{options.command}').run(options)
    except SymcontactError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # `symcontact list | head`
        sys.stderr.close()
        return GOOD
    return exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        'symcontact',
        description='Multibody contact simulation for ROS 2 from symbolic equations of motion.',
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--version', action='version', version=f'symcontact_ros {__version__}')
    commands = parser.add_subparsers(dest='command', metavar='COMMAND')
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + '.')
        if name != 'list':
            command.add_argument('model', metavar='MODEL', help='a shipped model, or a file')
        if name in ('check', 'equations'):
            command.add_argument(
                '--base',
                choices=('fixed', 'free'),
                default='fixed',
                help='how the root of a URDF hangs in the world (default: fixed)',
            )
        if name in _OPTIONS:
            _OPTIONS[name](command)
    return parser


def _equations_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '--format',
        choices=('text', 'latex', 'python', 'c'),
        default='text',
        help='how to print (default: text)',
    )
    command.add_argument(
        '--linearize',
        action='store_true',
        help='print A and B about the initial configuration at rest, as JSON',
    )
    command.add_argument(
        '--wrenches', action='store_true', help='show the wrenches on bodies in text and LaTeX'
    )
    command.add_argument(
        '--method',
        choices=('recursive', 'kane'),
        default='recursive',
        help="kane: by SymPy's KanesMethod, for reference; slow beyond four degrees of freedom",
    )


def _node_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '--duration',
        type=_seconds,
        metavar='S',
        help='simulated seconds, or inf for "until Ctrl-C" (default: what the model says)',
    )
    command.add_argument('--detector', metavar='NAME', help='collision detection: sat')
    command.add_argument(
        '--rate',
        type=float,
        metavar='X',
        help='simulated seconds per second; 0: as fast as possible (default: 1)',
    )
    command.epilog = 'Anything after --ros-args goes to ROS: --ros-args -p publish_rate:=50.0'


def _seconds(text: str) -> float:
    value = float(text)
    if not value > 0.0:
        raise argparse.ArgumentTypeError(f'must be > 0 seconds, got {text}')
    return value


_OPTIONS = {'equations': _equations_options, 'node': _node_options}
