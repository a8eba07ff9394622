"""``symcontact demo``: a pole on a cart between walls, its regulator, and the page."""

from __future__ import annotations

import argparse
import math
import sys

from symcontact_ros.cli.beside import running_beside, view_command
from symcontact_ros.ros.executable import run as run_node

CONTROLLER = 'cart_pole_lqr'
PROGRAM = (
    'import sys; from symcontact_ros.examples.running import run; '
    f'sys.exit(run("{CONTROLLER}", sys.argv))'
)
SWAY = ('--ros-args', '-p', 'sway:=0.25')  # a pole at rest takes long to fall
WORDS = """\
a regulator in a process of its own balances the pole. In the page: slide the mass and the length
of the pole, and it computes its gain anew; with a light and short pole tick "freeze gain", slide
to a heavy and long one, and it falls; "rewind" goes back by 2 s. Ctrl-C ends it."""


def run(options: argparse.Namespace) -> int:
    """Run simulation, regulator and page until stopped."""
    print(WORDS, flush=True)
    switches = [f'/{CONTROLLER}:freeze_gain']
    options.node, options.switch = '/symcontact', switches
    commands = [view_command(options), [sys.executable, '-c', PROGRAM, *SWAY]]
    overrides = {'model': 'cart_pole_walls', 'start_paused': True}
    with running_beside(commands):
        return run_node(['symcontact', *options.ros_arguments], overrides, math.inf)
