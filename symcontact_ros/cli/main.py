"""The command line: ``symcontact list | check | equations | simulate | node | view ...``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
import sys

from symcontact_ros.cli.command_options import COMMANDS, parser_of
from symcontact_ros.errors import many_lines, no_such, SymcontactError

GOOD, FAILED, BAD_INPUT = 0, 1, 2
WITH_ROS = ('node', 'replay', 'view', 'demo')  # commands


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code."""
    parser = parser_of()
    words = list(sys.argv[1:] if arguments is None else arguments)
    # ROS arguments go to rclpy untouched.
    cut = words.index('--ros-args') if '--ros-args' in words else len(words)
    if words and not words[0].startswith('-') and words[0] not in COMMANDS:
        parser.error(str(no_such('command', words[0], COMMANDS)))
    options = parser.parse_args(words[:cut])
    if options.command is None:
        parser.print_help()
        return BAD_INPUT
    options.ros_arguments = words[cut:]
    if options.ros_arguments and options.command not in WITH_ROS:
        takers = ', '.join(WITH_ROS)
        parser.error(f'--ros-args is for {takers}, not for {options.command}')
    try:
        command = import_module(f'symcontact_ros.cli.commands.{options.command}')
        exit_code: int = command.run(options)
    except SymcontactError as error:
        print(many_lines(error), file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # `symcontact list | head`
        sys.stderr.close()
        return GOOD
    return exit_code
