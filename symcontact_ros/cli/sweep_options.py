"""Options of ``symcontact sweep``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from symcontact_ros.cli.option_types import count, frequency, named_text, seconds, whole_number

EPILOG = """\
values of --param:
  a:b:n                    n values from a to b, both ends among them
  a:b:n:log                the same, evenly spaced in the logarithm
  a,b,c                    these values
with --samples N, N random samples at every point of the grid that the others make:
  a:b                      uniform
  loguniform:a:b           uniform in the logarithm
  normal:mean:sd           beyond the limits of a symbol a run is refused, as its row says
  lognormal:median:sigma   sigma of the natural logarithm

examples:
  symcontact sweep rectangle_circle --param damping=0:1:21 --param friction=0.1,0.3 \\
      --measure max_force,max_depth --out sweep.csv --plot sweep.png
  symcontact sweep bouncing_circle --param m=lognormal:1:0.2 --param R=0.2:0.4 --samples 1000 \\
      --measure max_force,impacts,final_ball.y --out sweep.parquet
  symcontact sweep cart_pole_walls --param m=0.05:0.2:16 --measure final_rail.position \\
      --out sweep.parquet --scheduler tcp://10.0.0.1:8786

`symcontact check MODEL` lists the names for --param; the last word of one is enough where it is
clear. `--measure help` lists the measures. Killed or stopped, the same command goes on where it
was, from the journal beside the output, which is removed at the end. A run that diverges is a row
with status `diverged` and no measures. Results depend neither on cores nor on order.
Exit codes: 0 good, 1 stopped or not finished, 2 bad input.
"""


def add_sweep_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""

    def add(*names: str, **settings: Any) -> None:
        command.add_argument(*names, **settings)

    add(
        '--param',
        type=named_text,
        action='append',
        default=[],
        metavar='NAME=VALUES',
        help='values of a live symbol: see below; once for each symbol',
    )
    add(
        '--measure',
        action='append',
        metavar='NAME,...',
        help='what is measured (default: max_force,max_depth); help: a list of all',
    )
    add('--samples', type=count, metavar='N', help='random samples at every point of the grid')
    add('--seed', type=whole_number, default=0, metavar='N', help='of the samples (default: 0)')
    add('--out', type=Path, metavar='FILE', help='table of the results: .csv or .parquet')
    add('--plot', type=Path, metavar='FILE', help='figure of the results: .png, .pdf or .svg')
    add('--duration', type=seconds, metavar='S', help='of every run (default: of the model)')
    add('--step-size', type=seconds, metavar='S', help='fixed step (default: of the model)')
    add('--integrator', metavar='NAME', help='as for simulate')
    add('--detector', metavar='NAME', help='as for simulate')
    add('--max-substeps', type=whole_number, metavar='N', help='as for simulate')
    add('--manifold', metavar='NAME', help='as for simulate')
    add(
        '--sample-rate',
        type=frequency,
        metavar='HZ',
        help='how often forces, depths, speeds and distances are looked at (default: 1000)',
    )
    add('--cores', type=count, metavar='N', help='processes (default: one for every core)')
    add('--scheduler', metavar='ADDRESS', help='Dask scheduler whose workers make the runs')
    add('--restart', action='store_true', help='forget what the journal has, and start anew')
    command.epilog = EPILOG
    command.formatter_class = argparse.RawDescriptionHelpFormatter
