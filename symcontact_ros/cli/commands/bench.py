"""``symcontact bench``: Table I of the paper, measured on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys

from symcontact_ros.bench import report
from symcontact_ros.bench.scenes import SCENARIOS
from symcontact_ros.bench.table_one import measure
from symcontact_ros.cli.figure_style import ENDINGS
from symcontact_ros.errors import no_such, OptionError


def run(options: argparse.Namespace) -> int:
    """Measure, print the table, and write the files."""
    scenarios = options.scenarios or list(SCENARIOS)
    unknown = [name for name in scenarios if name not in SCENARIOS]
    if unknown:
        raise OptionError('; '.join(str(no_such('scenario', n, SCENARIOS)) for n in unknown))
    for path in filter(None, (options.json, options.plot)):
        if not Path(path).absolute().parent.is_dir():
            raise OptionError(f'{path}: there is no such folder')
    if options.plot:
        if options.plot.suffix not in ENDINGS:
            endings = ' or '.join(ENDINGS)
            raise OptionError(f'--plot {options.plot}: the name must end in {endings}')
        report.need_matplotlib()
    result = measure(
        list(dict.fromkeys(scenarios)),
        options.runs,
        options.steps,
        integrator=options.integrator,
        peers=options.peers,
        core=options.core,
        say=lambda text: print(f'{text} ...', file=sys.stderr, flush=True),
    )
    print(report.text(result))
    if options.json:
        report.write_json(result, Path(options.json))
    if options.plot:
        report.write_plot(result, Path(options.plot))
    return 0
