"""``symcontact simulate``: a run without ROS, with summary, record and plot."""

from __future__ import annotations

import argparse
import math
import sys
import time

import numpy as np

from symcontact_ros.cli import animation, figure_style, run_figure
from symcontact_ros.cli.cross_check_report import CrossCheckReport
from symcontact_ros.cli.model_options import load_options
from symcontact_ros.cli.run_files import (
    check_paths,
    claimed,
    is_mcap,
    is_table_needed,
    write_files,
)
from symcontact_ros.cli.run_recording import RunRecording
from symcontact_ros.cli.summary import print_summary, Run, SAMPLE_RATE
from symcontact_ros.errors import DivergenceError, OptionError
from symcontact_ros.model.library import load_model
from symcontact_ros.model.progress_bar import ProgressBar
from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.ros.stop_signals import StopSignals
from symcontact_ros.simulation.simulation import Simulation

GOOD, FAILED = 0, 1
MOST_STEPS = 10**15


def run(options: argparse.Namespace) -> int:
    """Simulate, write files, print a summary; bad input is raised before the first step."""
    check_paths(options)
    with claimed(options):
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    began = time.monotonic()
    try:
        if options.plot is not None:
            figure_style.require_matplotlib()
        if options.animate is not None:
            animation.require(options.animate)
        simulation = _prepare(options)
        run_figure.check_panels(options.panels, simulation)
        if options.animate is not None:
            animation.check(options.animate, simulation)
        job = Run(
            simulation,
            _count(options, simulation),
            _stride(options, simulation),
            is_table_needed(options),
            time.monotonic() - began,
            CrossCheckReport(simulation) if options.cross_check else None,
            options.animate is not None,
            options.plot is not None,
            RunRecording(options.record, simulation) if is_mcap(options.record) else None,
        )
    except KeyboardInterrupt:
        print('stopped before the first step', file=sys.stderr)
        return FAILED
    with StopSignals() as stop, np.errstate(over='ignore', invalid='ignore'):
        _advance(job, stop)
        if job.ending:
            print(job.ending, file=sys.stderr, flush=True)
        lines, written = write_files(options, job)
    with np.errstate(invalid='ignore'):  # of a run that diverged
        print_summary(job)
    print(*lines, sep='\n', end='\n' if lines else '')
    return FAILED if job.ending or not written else GOOD


# Preparation -------------------------------------------------------------------------------


def _prepare(options: argparse.Namespace) -> Simulation:
    """Return the simulation in its first state."""
    names = ('detector', 'integrator', 'step_size', 'max_substeps', 'manifold')
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    choices = ('program', 'solver', 'core_radius', 'margin')
    co = {name: getattr(options, f'co_{name}') for name in choices}
    co = {name: value for name, value in co.items() if value is not None}
    model = load_model(options.model, **load_options(options))
    kind = LoggedSimulation if is_mcap(options.record) else Simulation
    simulation = kind(model, **given, co=co)
    values = dict(options.set or ())
    if options.resume is not None:
        try:
            simulation.restore_checkpoint(options.resume)
        except OSError as error:
            raise OptionError(f'--resume {options.resume}: {error.strerror}') from error
        except OptionError as error:
            raise OptionError(f'--resume {options.resume}: {error}') from error
    if values:
        simulation.set_parameters(values)
        if options.resume is None:  # a new initial state: no work is done on the model
            simulation.reset()
            simulation.check_start()
    return simulation


def _count(options: argparse.Namespace, simulation: Simulation) -> int:
    duration = simulation.model.duration if options.duration is None else options.duration
    if not math.isfinite(duration):
        raise OptionError(f'--duration must be finite, got {duration}')
    count = round(duration / simulation.step_size)
    if not 1 <= count <= MOST_STEPS:
        raise OptionError(
            f'--duration {duration:g} is {duration / simulation.step_size:.3g} steps of '
            f'{simulation.step_size:g} s: 1 to {MOST_STEPS:g} can be made'
        )
    return count


def _stride(options: argparse.Namespace, simulation: Simulation) -> int:
    """Return the number of steps between two samples."""
    fastest = 1.0 / simulation.step_size
    rate = min(SAMPLE_RATE, fastest) if options.sample_rate is None else options.sample_rate
    if rate > fastest * (1.0 + 1e-9):
        raise OptionError(
            f'--sample-rate {rate:g}: steps of {1e3 * simulation.step_size:g} ms allow '
            f'{fastest:g} Hz at most'
        )
    return max(1, round(fastest / rate))


# The run -----------------------------------------------------------------------------------------


def _advance(job: Run, stop: StopSignals) -> None:
    """Make the steps until the end, a signal or divergence."""
    simulation = job.simulation
    first = simulation.steps
    began = time.monotonic()
    with ProgressBar() as bar:
        _sample(job)
        try:
            while job.made < job.count and not stop.requested:
                _block(job, min(job.stride, job.count - job.made))
                _sample(job)
                simulated = job.made * simulation.step_size
                fast = simulated / max(time.monotonic() - began, 1e-9)
                words = f'{simulated:.2f} s simulated, {fast:.3g} x real time'
                bar.show(job.made, job.count, words)
        except DivergenceError as error:
            job.ending = str(error)
            if job.scene is not None:
                job.scene.diverged(error)
            if simulation.steps > first + job.made or not len(job.recorder):
                job.made = simulation.steps - first
                _sample(job)
    job.wall = time.monotonic() - began
    if stop.requested and job.made < job.count:
        job.ending = f'stopped at {simulation.time:.6g} s, {job.made} of {job.count} steps made'


def _block(job: Run, count: int) -> None:
    """Make some steps; sample contacts, and the cross-check if there is one, in between."""
    end = job.made + count
    while job.made < end:
        size = min(job.monitor.stride, end - job.made)
        before = time.perf_counter()
        job.simulation.step(size)
        job.stepping += time.perf_counter() - before
        job.made += size
        job.monitor.sample()
        if job.cross_check is not None:
            job.cross_check.sample()


def _sample(job: Run) -> None:
    if job.is_recorded:
        job.recorder.sample()
    if job.is_drawn:
        job.monitor.sample_distances()
    if job.scene is not None:
        job.scene.sample()
