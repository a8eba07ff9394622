"""The command line: ``symcontact list | check | equations | simulate | node | bench``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
import sys
from typing import Any

from symcontact_ros import __version__
from symcontact_ros.errors import SymcontactError

GOOD, FAILED, BAD_INPUT = 0, 1, 2

COMMANDS = {
    'list': 'show the models that come with the package',
    'check': 'read a model file and tell what it describes, or all that is wrong with it',
    'equations': 'print the equations of motion of a model, or its linearisation',
    'simulate': 'run a model without ROS as fast as possible, record and plot it',
    'node': 'run a model as a ROS 2 node, without ros2 launch',
    'bench': 'measure Table I of the paper: ours, the way of the paper, other simulators',
}

EPILOG = """\
examples:
  symcontact list                           what there is to simulate
  symcontact check my_model.yaml            all faults at once, as file:line: key: reason
  symcontact equations cart_pole            M, forcing and kinematics, as text
  symcontact equations arm.urdf --format c  a C function with the running model's numbers
  symcontact equations circle_circle --contact left right   their distance and its Jacobian
  symcontact simulate circle_circle --plot run.png --record run.csv
  symcontact node bouncing_circle           /tf and contact wrenches for 5 simulated seconds
  symcontact node my_model.yaml --duration inf
  symcontact bench --peers --plot bench.png how fast, beside MuJoCo, PyBullet and pymunk

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
        command = commands.add_parser(
            name, help=summary, description=f'{summary[0].upper()}{summary[1:]}.'
        )
        if name not in ('list', 'bench'):
            command.add_argument('model', metavar='MODEL', help='a shipped model, or a file')
        if name in ('check', 'equations', 'simulate'):
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
        '--contact',
        nargs=2,
        metavar=('A', 'B'),
        help='print distance, normal and Jacobian of two bodies instead, of the features that are '
        'nearest in the initial configuration',
    )
    command.add_argument(
        '--method',
        choices=('recursive', 'kane'),
        default='recursive',
        help="kane: by SymPy's KanesMethod, for reference; slow beyond four degrees of freedom",
    )


SIMULATE_EPILOG = """\
examples:
  symcontact simulate bouncing_circle                    what happened, in a few lines
  symcontact simulate circle_circle --plot run.png       and in one figure
  symcontact simulate rectangle_circle --record run.csv --sample-rate 1000
  symcontact simulate sphere_cuboid --step-size 1e-4 --integrator verlet
  symcontact simulate rectangle_rectangle --detector co --cross-check --plot run.png
  symcontact simulate bouncing_circle --set m=2 R=0.3 materials.default.friction=0.8
  symcontact simulate my_model.yaml --duration 60 --checkpoint minute.state
  symcontact simulate my_model.yaml --resume minute.state --duration 60

`symcontact check MODEL` lists what --set can change. A run that is resumed goes on bit for bit;
what --set changes then, changes in mid-motion. Ctrl-C ends a run early: what was recorded so far
is written, and so is the checkpoint. An .npz file holds the columns of the .csv file as arrays:
numpy.load('run.npz')['ball.x'].
Exit codes: 0 good, 1 stopped or diverged (files are written with what was reached), 2 bad input.
"""


def _simulate_options(command: argparse.ArgumentParser) -> None:
    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add('--duration', type=_seconds, metavar='S', help='simulated seconds (default: as the model)')
    add('--step-size', type=_seconds, metavar='S', help='fixed step (default: 0.001)')
    add('--integrator', metavar='NAME', help='rk4 (default), verlet, semi_implicit or reference')
    add(
        '--detector',
        metavar='NAME',
        help='collision detection: sat (exact, default), or co (convex optimisation)',
    )
    add('--co-program', metavar='NAME', help='of co: auto (default), min_distance or growth')
    add('--co-solver', metavar='NAME', help='of co: builtin (default), ecos or cvxpy')
    add(
        '--co-core-radius',
        type=float,
        metavar='M',
        help='R* of min_distance: what is left of the radius of round shapes (default: 0)',
    )
    add(
        '--co-margin',
        type=float,
        metavar='M',
        help='of min_distance: how far the sides of flat shapes are moved in (default: 0)',
    )
    add(
        '--cross-check',
        action='store_true',
        help='let the other detector look at the same states and tell where they disagree; with '
        '--plot F.png also drawn, in F.cross-check.png',
    )
    add(
        '--max-substeps', type=int, metavar='N', help='parts of a stiff step at most (default: 64)'
    )
    add(
        '--manifold',
        metavar='NAME',
        help='contact points share the stiffness: shared (default),'
        ' or the deepest has all of it, as in the paper: single',
    )
    add(
        '--set',
        type=_setting,
        nargs='+',
        action='extend',
        metavar='NAME=VALUE',
        help='values of live symbols',
    )
    add('--record', type=Path, metavar='FILE', help='table of everything over time: .csv or .npz')
    add('--sample-rate', type=_seconds, metavar='HZ', help='samples per second (default: 100)')
    add('--plot', type=Path, metavar='FILE', help='figure of the run: .png, .pdf or .svg')
    add('--checkpoint', type=Path, metavar='FILE', help='write the state at the end')
    add('--resume', type=Path, metavar='FILE', help='start from a state that --checkpoint wrote')
    command.epilog = SIMULATE_EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter


def _setting(text: str) -> tuple[str, float]:
    name, _, value = text.partition('=')
    try:
        return name, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f'NAME=NUMBER is needed, got {text!r}') from None


def _node_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '--duration',
        type=_seconds,
        metavar='S',
        help='simulated seconds, or inf for "until Ctrl-C" (default: what the model says)',
    )
    command.add_argument(
        '--detector',
        metavar='NAME',
        help='collision detection: sat (exact, default), or co (convex optimisation)',
    )
    command.add_argument(
        '--rate',
        type=float,
        metavar='X',
        help='simulated seconds per second; 0: as fast as possible (default: 1)',
    )
    command.epilog = 'Anything after --ros-args goes to ROS: --ros-args -p publish_rate:=50.0'


def _bench_options(command: argparse.ArgumentParser) -> None:
    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add('--peers', action='store_true', help='also MuJoCo, PyBullet and pymunk, if installed')
    add('--runs', type=_count, default=10, metavar='N', help='runs of each (default: 10)')
    add('--steps', type=_count, default=2000, metavar='N', help='of 1 ms each (default: 2000)')
    add('--scenarios', nargs='+', metavar='NAME', help='some of the five (default: all)')
    add(
        '--integrator',
        choices=('rk4', 'verlet', 'semi_implicit'),
        default='rk4',
        help='ours; the way of the paper is always rk4 (default: rk4)',
    )
    add('--core', type=int, metavar='N', help='the core to run on (default: the last)')
    add('--json', type=Path, metavar='FILE', help='write all numbers')
    add('--plot', type=Path, metavar='FILE', help='draw the times per step: .png, .pdf or .svg')
    command.epilog = 'Ten runs of all scenarios take about two minutes, --peers included.'


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f'must be 1 or more, got {text}')
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not value > 0.0:
        raise argparse.ArgumentTypeError(f'must be > 0 seconds, got {text}')
    return value


_OPTIONS = {
    'equations': _equations_options,
    'simulate': _simulate_options,
    'node': _node_options,
    'bench': _bench_options,
}
