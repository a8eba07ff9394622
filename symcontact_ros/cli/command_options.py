"""Options of the ``symcontact`` command and its subcommands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys
from typing import Any

from symcontact_ros import __version__
from symcontact_ros.cli.model_options import add_model_options, joined_pose
from symcontact_ros.cli.option_types import (
    count,
    frequency,
    length,
    ratio,
    seconds,
    setting,
    whole_number,
)
from symcontact_ros.cli.sweep_options import add_sweep_options
from symcontact_ros.view.executable import add_place_options, add_view_options

COMMANDS = {
    'list': 'show the models that come with the package',
    'check': 'read a model file and print what it describes, or all its faults',
    'equations': 'print the equations of motion of a model, or its linearisation',
    'simulate': 'run a model without ROS as fast as possible, record and plot it',
    'sweep': 'run a model with many values of its live symbols, and measure each run',
    'export': 'write a model as one HTML page that simulates it in a browser',
    'replay': 'publish a recorded run again, or prove that it is what the model does',
    'node': 'run a model as a ROS 2 node, without ros2 launch',
    'view': 'show a running node in a browser',
    'demo': 'balance a pole between walls, with the page to change it in',
    'warm': 'derive and compile ahead, so that the first start of a model is quick',
    'bench': 'measure Table I of the paper with this package and with other simulators',
}

WITHOUT_MODEL = ('list', 'warm', 'bench', 'replay', 'view', 'demo')

EPILOG = """\
examples:
  symcontact list                           the models that come with the package
  symcontact check my_model.yaml            all faults at once, as file:line: key: reason
  symcontact equations cart_pole            mass matrix, forcing and kinematics, as text
  symcontact equations arm.urdf --format c  a C function with the running model's numbers
  symcontact equations circle_circle --contact left right   their distance and its Jacobian
  symcontact equations bouncing_circle --contacts           and the contact forces, with a legend
  symcontact simulate circle_circle --plot run.png --record run.csv
  symcontact sweep circle_circle --param damping=0:1:21 --measure max_force --out sweep.csv
  symcontact export cart_pole_walls page.html   a page that simulates it, from disk, anywhere
  symcontact replay run.mcap --verify       make a recorded run again, bit for bit
  symcontact node bouncing_circle           /tf and contact wrenches for 5 simulated seconds
  symcontact node my_model.yaml --duration inf
  symcontact node arm.urdf --world table_top --servo auto      a robot, held above a table
  symcontact node quadruped.urdf --base free --world floor --servo auto
  symcontact node bouncing_circle --duration inf --view        and a page to see it in
  symcontact warm                           all shipped models into the cache, once
  symcontact bench --peers --plot bench.png time per step, and that of MuJoCo, PyBullet, pymunk

A MODEL is a name that `symcontact list` shows, or the path of a .yaml, .urdf or .xacro file.
Exit codes: 0 good, 1 failed, 2 bad input.
"""


class _Parser(argparse.ArgumentParser):
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        words = sys.argv[1:] if args is None else args
        return super().parse_known_args(joined_pose(words), namespace)


def parser_of() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
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
        if name not in WITHOUT_MODEL:
            command.add_argument('model', metavar='MODEL', help='a shipped model, or a file')
        if name in _OPTIONS:
            _OPTIONS[name](command)
        if name not in WITHOUT_MODEL:
            add_model_options(command)
    return parser


def _equations_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '--format',
        choices=('text', 'latex', 'mathml', 'python', 'c'),
        default='text',
        help='format of the output (default: text); mathml: for a web page, of small models',
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
        '--contacts',
        action='store_true',
        help='add the contacts that are simulated: of each pair that may touch distance, normal, '
        'law and J^T F, with a legend; latex: a whole document; python and c: functions that '
        'compute accelerations; with --contact A B: of two bodies alone',
    )
    command.add_argument(
        '--method',
        choices=('recursive', 'kane'),
        default='recursive',
        help="kane: by SymPy's KanesMethod, for reference; slow beyond four degrees of freedom",
    )


SIMULATE_EPILOG = """\
examples:
  symcontact simulate bouncing_circle                    a summary in a few lines
  symcontact simulate circle_circle --plot run.png       and a figure
  symcontact simulate sphere_cuboid --animate run.gif    and a moving picture
  symcontact simulate circle_circle --plot run.pdf --width column --panels scene normal depth
  symcontact simulate rectangle_circle --record run.csv --sample-rate 1000
  symcontact simulate circle_circle --record run.mcap    for Foxglove and `symcontact replay`
  symcontact simulate sphere_cuboid --step-size 1e-4 --integrator verlet
  symcontact simulate rectangle_rectangle --detector co --cross-check --plot run.png
  symcontact simulate bouncing_circle --set m=2 R=0.3 materials.default.friction=0.8
  symcontact simulate my_model.yaml --duration 60 --checkpoint minute.state
  symcontact simulate my_model.yaml --resume minute.state --duration 60

`symcontact check MODEL` lists the names for --set. A resumed run continues bit for bit; with
--resume, --set changes values in mid-motion. Ctrl-C ends a run early: the samples so far and the
checkpoint are written. Angles [rad] are not wrapped: a body that turned twice is at 12.57 rad, in
the summary, the files and the plots. An .npz file holds the columns of the .csv file as arrays:
numpy.load('run.npz')['ball.x'].
Exit codes: 0 good, 1 stopped or diverged (files are written with what was reached), 2 bad input.
"""


def _simulate_options(command: argparse.ArgumentParser) -> None:
    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add(
        '--duration',
        type=seconds,
        metavar='S',
        help='simulated seconds (default: that of the model)',
    )
    add(
        '--step-size',
        type=seconds,
        metavar='S',
        help='fixed step (default: that of the model, else 0.001)',
    )
    add(
        '--integrator',
        metavar='NAME',
        help='auto, rk4, verlet, semi_implicit, implicit, implicit2, reference '
        '(default: that of the model, else auto)',
    )
    add(
        '--detector',
        metavar='NAME',
        help='collision detection: sat (exact), or co (convex optimisation); default: that of the '
        'model, else sat',
    )
    add('--co-program', metavar='NAME', help='of co: auto (default), min_distance or growth')
    add('--co-solver', metavar='NAME', help='of co: builtin (default), ecos or cvxpy')
    add(
        '--co-core-radius',
        type=length,
        metavar='M',
        help='R* of min_distance: remaining radius of round shapes (default: 0)',
    )
    add(
        '--co-margin',
        type=length,
        metavar='M',
        help='of min_distance: inward offset of the sides of flat shapes (default: 0)',
    )
    add(
        '--cross-check',
        action='store_true',
        help='query the other detector at the same states and report where they disagree; with '
        '--plot F.png also as a figure, F.cross-check.png',
    )
    add(
        '--max-substeps',
        type=whole_number,
        metavar='N',
        help='substeps of a step at most (default: 64)',
    )
    add(
        '--manifold',
        metavar='NAME',
        help='stiffness of a contact manifold: shared by all points (shared, default), or all at '
        'the deepest point, as in the paper (single)',
    )
    add(
        '--set',
        type=setting,
        nargs='+',
        action='extend',
        metavar='NAME=VALUE',
        help='values of live symbols',
    )
    add(
        '--record',
        type=Path,
        metavar='FILE',
        help='table of all quantities: .csv or .npz; or messages of ROS 2 for Foxglove and '
        '`symcontact replay`: .mcap',
    )
    add('--sample-rate', type=frequency, metavar='HZ', help='samples per second (default: 100)')
    add('--plot', type=Path, metavar='FILE', help='figure of the run: .png, .pdf or .svg')
    add(
        '--animate',
        type=Path,
        metavar='FILE',
        help='moving picture of the run: .gif, .mp4 (needs ffmpeg), or a page: .html',
    )
    add(
        '--width',
        choices=('screen', 'page', 'column'),
        default='screen',
        help='of the figure: that of a screen (default), of a page (182 mm) or column (89 mm) '
        'of a journal, with letters of 7 pt',
    )
    add(
        '--panels',
        nargs='+',
        metavar='NAME',
        help='of the figure, in this order: scene, x, y, z, angle, joints, speed, spin, normal, '
        'friction, depth, distance, energy, residual',
    )
    add('--checkpoint', type=Path, metavar='FILE', help='write the state at the end')
    add('--resume', type=Path, metavar='FILE', help='start from a state written by --checkpoint')
    command.epilog = SIMULATE_EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter


EXPORT_EPILOG = """\
examples:
  symcontact export bouncing_circle page.html            open page.html in any browser
  symcontact export cart_pole_walls demo.html --title "Cart and pole"
  symcontact export rectangle_rectangle page.html --all  with a choice of detector and integrator
  symcontact export my_model.yaml page.html --set m=2 --step-size 5e-4
  symcontact export arm.urdf page.html --world table_top --servo auto

The page holds everything: the equations as WebAssembly, the state, its own script. It loads
nothing from anywhere, works without a network and on a phone, and its run equals the native one
bit for bit, which it checks itself when it is opened. Bodies can be dragged, and live symbols
changed.
Exit codes: 0 good, 1 not written, 2 bad input.
"""


def _export_options(command: argparse.ArgumentParser) -> None:
    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add('page', type=Path, metavar='PAGE', help='file to write: .html')
    add('--title', metavar='TEXT', help='of the page (default: the name of the model)')
    add(
        '--all',
        action='store_true',
        help='every detector and integrator, to choose from in the page; the file is larger',
    )
    add('--detector', metavar='NAME', help='sat or co (default: that of the model, else sat)')
    add(
        '--integrator',
        metavar='NAME',
        help='auto, rk4, verlet, semi_implicit, implicit or implicit2 (default: that of the '
        'model, else auto)',
    )
    add('--co-solver', metavar='NAME', help='of co: builtin, which is all that a browser has')
    add(
        '--step-size',
        type=seconds,
        metavar='S',
        help='fixed step (default: that of the model, else 0.001)',
    )
    add(
        '--set',
        type=setting,
        nargs='+',
        action='extend',
        metavar='NAME=VALUE',
        help='values of live symbols at the start',
    )
    command.epilog = EXPORT_EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter


def _node_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '--duration',
        type=seconds,
        metavar='S',
        help='simulated seconds, or inf: until Ctrl-C (default: that of the model)',
    )
    command.add_argument(
        '--detector',
        metavar='NAME',
        help='collision detection: sat (exact), or co (convex optimisation); default: that of the '
        'model, else sat',
    )
    command.add_argument(
        '--rate',
        type=ratio,
        metavar='X',
        help='simulated seconds per second; 0: as fast as possible (default: 1)',
    )
    command.add_argument(
        '--view',
        action='store_true',
        help='serve a page that shows it; its address is printed, and it runs until Ctrl-C, a '
        'scene again and again, unless there is a --duration',
    )
    command.add_argument(
        '--exit-on-divergence',
        action='store_true',
        help='end, with exit code 1, when the simulation diverges; otherwise it stays, paused, '
        'until ~/reset or Ctrl-C',
    )
    command.epilog = 'Words after --ros-args are passed to ROS: --ros-args -p publish_rate:=50.0'


def _demo_options(command: argparse.ArgumentParser) -> None:
    add_place_options(command)


REPLAY_EPILOG = """\
examples:
  symcontact simulate circle_circle --record run.mcap
  symcontact replay run.mcap                 its topics, in real time, with /clock
  symcontact replay run.mcap --rate 0.1      ten times slower
  symcontact replay run.mcap --verify        simulates it again and compares the states
  symcontact replay run.mcap --export run.html   a page that plays it in a browser
  symcontact node bouncing_circle --ros-args -p record_file:=live.mcap

--verify needs no ROS. It takes model, start and inputs from the file, and compares the hashes of
states that are in it. A file whose writer was killed is read as far as it goes; docs/recordings.md
has its contents.
Exit codes: 0 good, 1 the states differ, 2 bad input.
"""


def _replay_options(command: argparse.ArgumentParser) -> None:
    command.add_argument('file', type=Path, metavar='F.mcap', help='the recording')
    command.add_argument(
        '--verify',
        action='store_true',
        help='make the run again and compare its states, bit for bit',
    )
    command.add_argument(
        '--rate',
        type=ratio,
        default=1.0,
        metavar='X',
        help='recorded seconds per second; 0: as fast as possible (default: 1)',
    )
    command.add_argument(
        '--loop', action='store_true', help='start again at the end, until Ctrl-C'
    )
    command.add_argument(
        '--export', type=Path, metavar='FILE', help='write a page (.html) that plays the run'
    )
    command.epilog = REPLAY_EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter


def _warm_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        'models',
        nargs='*',
        metavar='MODEL',
        help='shipped models, or files (default: all shipped models, some minutes, once)',
    )
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = (
        'What is in the cache already takes no time, so it may be run again at any time:\n'
        'after an update, or in an image of a container. The cache is $SYMCONTACT_CACHE_DIR, or\n'
        'symcontact_ros in ~/.cache.\n'
        'Exit codes: 0 all is there, 1 nothing can be stored, 2 a model has faults.'
    )


def _bench_options(command: argparse.ArgumentParser) -> None:
    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add('--peers', action='store_true', help='also MuJoCo, PyBullet and pymunk, if installed')
    add('--runs', type=count, default=10, metavar='N', help='runs of each (default: 10)')
    add(
        '--steps',
        type=count,
        default=2000,
        metavar='N',
        help='of 1 ms each, per run (default: 2000)',
    )
    add('--scenarios', nargs='+', metavar='NAME', help='some of the five (default: all)')
    add(
        '--integrator',
        choices=('rk4', 'verlet', 'semi_implicit'),
        default='rk4',
        help='of this package; the method of the paper always uses rk4 (default: rk4)',
    )
    add(
        '--core',
        type=whole_number,
        metavar='N',
        help='processor core (default: the last)',
    )
    add('--json', type=Path, metavar='FILE', help='write all results as JSON')
    add(
        '--plot',
        type=Path,
        metavar='FILE',
        help='figure of the times: .png, .pdf or .svg',
    )
    command.epilog = 'Ten runs of all scenarios take about two minutes, --peers included.'


def _check_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        '-v', '--verbose', action='store_true', help='print all pairs, excluded ones too'
    )
    command.add_argument(
        '--plot',
        type=Path,
        metavar='FILE',
        help='figure of the shapes at the start, each in a colour: .png, .pdf or .svg',
    )


_OPTIONS = {
    'check': _check_options,
    'equations': _equations_options,
    'simulate': _simulate_options,
    'sweep': add_sweep_options,
    'export': _export_options,
    'node': _node_options,
    'view': add_view_options,
    'demo': _demo_options,
    'warm': _warm_options,
    'bench': _bench_options,
    'replay': _replay_options,
}
