"""``symcontact sweep``: a model with many values of its live symbols, measured."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
import sys
import time

from symcontact_ros.cli import figure_style
from symcontact_ros.cli.model_options import load_options
from symcontact_ros.errors import many_lines, one_line, OptionError, SymcontactError
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.saving.atomic_file import check_place
from symcontact_ros.sweeps.dispatch import SweepError
from symcontact_ros.sweeps.measures import coordinates, FAMILIES, MEASURES
from symcontact_ros.sweeps.plan import Asked, Plan, plan_of
from symcontact_ros.sweeps.sweep import carry_out
from symcontact_ros.sweeps.table import SweepTable

GOOD, FAILED = 0, 1
SETTINGS = ('detector', 'integrator', 'step_size', 'max_substeps', 'manifold')
MOST_MESSAGES = 3  # of runs that are not good


def run(options: argparse.Namespace) -> int:
    """Make the runs, write the files and print a summary; bad input is raised before."""
    names = ','.join(options.measure or ['max_force,max_depth']).split(',')
    measures = [name.strip() for name in names]
    if 'help' in measures:
        print(*_measure_lines(load_model(options.model, **load_options(options))), sep='\n')
        return GOOD
    began = time.monotonic()
    try:
        plan = _plan(options, measures)
        table = plan.table
        path, restart = options.out, options.restart
        carry_out(plan, path, options.cores, options.scheduler, restart=restart)
    except KeyboardInterrupt:
        on = '' if options.out is None else ': the same command goes on where it was'
        print(f'stopped{on}', file=sys.stderr)
        return FAILED
    except (SweepError, OSError) as error:  # OSError: a full disk
        print(many_lines(error), file=sys.stderr)
        return FAILED
    _print_summary(table, time.monotonic() - began)
    return _write_plot(options, table)


def _plan(options: argparse.Namespace, measures: list[str]) -> Plan:
    """Return the plan; OptionError with all that is wrong with the options."""
    faults: list[str] = []
    names = [name for name, _ in options.param]
    twice = dict.fromkeys(name for name in names if names.count(name) > 1)
    faults += [f'--param {name}: is given twice' for name in twice]
    if options.out is None and options.plot is None:
        faults.append('--out FILE, --plot FILE or both: where to write the results')
    loading: dict[str, object] = {}
    for check in (_check_plot, load_options):
        try:
            loading = check(options)
        except SymcontactError as error:
            faults.append(str(error))
    settings = {name: getattr(options, name) for name in SETTINGS}
    asked = Asked(
        options.model,
        dict(options.param),
        measures,
        options.samples or 0,
        options.seed,
        options.duration,
        options.sample_rate,
        options.out,
        options.cores,
        {name: value for name, value in settings.items() if value is not None},
        loading,
    )
    return plan_of(asked, faults)


def _check_plot(options: argparse.Namespace) -> dict[str, object]:
    """Raise OptionError or MissingPackageError if the figure could not be written."""
    if options.plot is not None:
        if options.plot.suffix not in figure_style.ENDINGS:
            ways = ' or '.join(figure_style.ENDINGS)
            raise OptionError(f'--plot {one_line(options.plot)}: the name must end in {ways}')
        check_place(options.plot, '--plot')
        figure_style.require_matplotlib()
    return {}


def _print_summary(table: SweepTable, seconds: float) -> None:
    counts = ', '.join(f'{count} {name}' for name, count in table.counts.items() if count)
    print(f'{len(table)} points in {seconds:.3g} s: {counts}')
    good = table.is_good
    for name in table.measures:
        column = table[name][good]
        column = column[column == column]  # noqa: PLR0124 - without NaN
        if column.size:
            unit = table.units[name]
            print(f'  {name:<24} {column.min():>12.6g} to {column.max():<12.6g} {unit}')
    for point, message in list(table.messages.items())[:MOST_MESSAGES]:
        print(f'  point {point}: {table.status[point]}: {message}', file=sys.stderr)
    if (more := len(table.messages) - MOST_MESSAGES) > 0:
        print(f'  and {more} more that are not good: column `message`', file=sys.stderr)


def _write_plot(options: argparse.Namespace, table: SweepTable) -> int:
    """Tell of the table, write the figure, and return the exit code."""
    if options.out is not None:
        print(f'wrote {options.out}: {len(table)} rows')
    if options.plot is None:
        return GOOD
    from symcontact_ros.cli.sweep_figure import write_sweep_plot

    try:
        write_sweep_plot(options.plot, table)
    except OSError as error:
        print(f'{options.plot}: not written: {error.strerror}', file=sys.stderr)
        return FAILED
    print(f'wrote {options.plot}: plot')
    return GOOD


def _measure_lines(model: Model) -> Iterator[str]:
    """Yield a line for every measure, then what there is of coordinates."""
    for name, measure in MEASURES.items():
        yield f'{name:<15} {measure.unit:<6} {measure.definition}'
    yield f'{", ".join(FAMILIES)} at the end, largest and least value of a coordinate:'
    for name, (_, _, unit) in coordinates(model).items():
        yield f'  {name} [{unit}]'
