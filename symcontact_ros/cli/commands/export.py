"""``symcontact export``: a model as one HTML page that simulates it in a browser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
import itertools
from pathlib import Path
import sys
import tempfile
import time

from symcontact_ros.cli.model_options import load_options
from symcontact_ros.collision.detection import DETECTORS
from symcontact_ros.errors import OptionError
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.model.run_settings import INTEGRATORS
from symcontact_ros.simulation.simulation import Simulation

GOOD, FAILED = 0, 1
ENDINGS = ('.html', '.htm')
SHOWN_AFTER = 0.5  # [s] before progress is shown


def run(options: argparse.Namespace) -> int:
    """Write the page; bad input is raised before anything is compiled."""
    from symcontact_ros.web.page_file import page_text

    path: Path = options.page
    check_page_path(path)
    with _progress() as report:
        report('model')
        model = load_model(options.model, **load_options(options))
        sims = _simulations(model, options)
        text = page_text(sims, options.title or '', model.description, report)
    try:
        path.write_text(text, encoding='utf-8')
    except OSError as error:
        print(f'{path}: not written: {error.strerror}', file=sys.stderr)
        return FAILED
    size = len(text.encode()) / 1000
    ways = f', {len(sims)} ways to simulate it' if len(sims) > 1 else ''
    print(f'wrote {path}: {size:.0f} kB{ways}; open it in a browser, no server is needed')
    return GOOD


def check_page_path(path: Path) -> None:
    """Raise OptionError for a page that could not be written."""
    if path.suffix not in ENDINGS:
        raise OptionError(f'{path}: the name of a page must end in {" or ".join(ENDINGS)}')
    if path.is_dir():
        raise OptionError(f'{path}: is a folder; name a file in it')
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise OptionError(f'{path}: cannot write in {path.parent}: {error.strerror}') from error


def _simulations(model: Model, options: argparse.Namespace) -> list[Simulation]:
    """Return the simulation that was asked for, and with ``--all`` those in all other ways."""
    co = {'solver': options.co_solver} if options.co_solver else {}
    first = Simulation(model, options.detector, options.integrator, options.step_size, co=co)
    sims = [first, *(_others(first) if options.all else ())]
    for sim in sims:
        if options.set:
            sim.set_parameters(dict(options.set))
            sim.reset()
            sim.check_start()
    return sims


def _others(first: Simulation) -> Iterator[Simulation]:
    """Yield simulations of a model by every other detector and integrator that a browser has."""
    from symcontact_ros.web.export import check_exportable

    seen = {(first.detector, first.used_integrator)}
    for detector, integrator in itertools.product(DETECTORS, INTEGRATORS):
        try:
            sim = Simulation(first.model, detector, integrator, first.step_size)
            check_exportable(sim)
        except OptionError:  # not for this model, or not for a browser
            continue
        if (detector, sim.used_integrator) not in seen and integrator == sim.used_integrator:
            seen.add((detector, integrator))
            yield sim


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that says on a terminal what is being done, where that takes a while."""
    began = time.monotonic()
    shown = False

    def report(what: str) -> None:
        nonlocal shown
        if sys.stderr.isatty() and (shown or time.monotonic() - began > SHOWN_AFTER):
            shown = True
            print(f'\r{what + " ...":<79}', end='', file=sys.stderr, flush=True)

    try:
        yield report
    finally:
        if shown:
            print(f'\r{"":<79}\r', end='', file=sys.stderr, flush=True)
