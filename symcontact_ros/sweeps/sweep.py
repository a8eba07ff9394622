"""Sweeps: the public interface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
import logging
import math
import os
from pathlib import Path
import time
from typing import Any

from symcontact_ros.model.model import Model
from symcontact_ros.model.progress_bar import ProgressBar
from symcontact_ros.sweeps.dispatch import client_of, run_on_cluster, run_on_cores
from symcontact_ros.sweeps.journal import Journal
from symcontact_ros.sweeps.plan import Asked, Plan, plan_of
from symcontact_ros.sweeps.runner import Job, Row, Runner
from symcontact_ros.sweeps.table import SweepTable

CHUNK = 0.5  # [s] that a chunk of points takes, about
CLUSTER_CHUNK = 5.0  # [s] the same on a cluster, whose scheduler has some 10 ms of work with each
SHARES = 4  # chunks for every core at least, so that all end at about the same time
ALONE = 1.0  # [s]: what takes less is done by this process
PROBES = 2  # runs of this process, of which the last tells the time


def sweep(
    model: Model | str | Path,
    parameters: Mapping[str, Any],
    measures: Sequence[str] | str = ('max_force', 'max_depth'),
    *,
    samples: int = 0,
    seed: int = 0,
    duration: float | None = None,
    sample_rate: float | None = None,
    out: str | Path | None = None,
    cores: int | None = None,
    scheduler: Any = None,
    restart: bool = False,
    progress: bool = True,
    **settings: Any,
) -> SweepTable:
    """
    Run a model with many values of its live symbols, and return what was measured.

    With ``out`` it can be killed at any time: the same call goes on where it was. OptionError
    lists all that is wrong with the arguments.

    Parameters
    ----------
    model
        A model, or the name or path of one.
    parameters
        By live symbol, or by its last word where that is clear, its values: numbers, or a text as
        on the command line: ``'0:1:21'``, ``'1e3:1e6:4:log'``, ``'0.1,0.3'``; to be sampled
        ``'0:1'`` (uniform), ``'loguniform:a:b'``, ``'normal:mean:sd'``,
        ``'lognormal:median:sigma'``.
    measures
        Names of `symcontact_ros.sweeps.measures.MEASURES`, and ``final_``, ``max_`` and ``min_``
        of coordinates: ``'final_disc.x'``.
    samples
        Number of random samples at every point of the grid.
    seed
        Of the samples; each depends on it, on its number and on the name of the symbol alone.
    duration
        Of every run [s]; default: that of the model.
    sample_rate
        How often forces, depths, speeds and distances are looked at [Hz]; default: 1000, or at
        every step if these are longer.
    out
        A .csv or .parquet file to write; its journal is beside it until all is done.
    cores
        Number of processes; default: all cores that this process may use.
    scheduler
        Address of a Dask scheduler, or a client of one, that shares the runs out instead.
    restart
        Whether to forget what a journal has.
    progress
        Whether to show a bar at a terminal.
    settings
        Of `Simulation`: ``detector``, ``integrator``, ``step_size`` and others.
    """
    path = None if out is None else Path(out)
    asked = Asked(
        *(model, parameters, measures, samples, seed, duration, sample_rate, path, cores),
        settings,
    )
    return carry_out(plan_of(asked), path, cores, scheduler, restart=restart, progress=progress)


def carry_out(
    plan: Plan,
    path: Path | None,
    cores: int | None,
    scheduler: Any,
    *,
    restart: bool = False,
    progress: bool = True,
) -> SweepTable:
    """Do what is planned, as `sweep` documents it; return the table, with all points done."""
    with _client(scheduler) as client, _journal(path, plan, restart) as journal:
        work = _Work(plan.job, plan.table, journal)
        with ProgressBar(progress) as work.bar, _quiet():
            work.do(client, cores or core_count())
        if path is not None and journal is not None:
            plan.table.write(path)
            journal.remove()
    return plan.table


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, 'sched_getaffinity'):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Work:
    """The runs that are missing in a table, and where their rows go."""

    def __init__(self, job: Job, table: SweepTable, journal: Journal | None) -> None:
        self._job, self._table, self._journal = job, table, journal
        self._before = table.done
        self.bar = ProgressBar(False)

    def do(self, client: Any, cores: int) -> None:
        """Make them: some here, which tells how long they take, all others in chunks."""
        left = self._table.missing.tolist()
        if not left:
            return
        runner = Runner(self._job)  # derives and compiles for all processes
        queue, seconds = iter(left), 0.0
        for point in islice(queue, PROBES):
            began = time.perf_counter()
            self._take([runner.run(point)])
            seconds = time.perf_counter() - began
        rest = len(left) - PROBES
        if client is None and (cores == 1 or rest * seconds < ALONE):
            for point in queue:
                self._take([runner.run(point)])
            return
        workers = cores if client is None else max(1, sum(client.nthreads().values()))
        whole = CHUNK if client is None else CLUSTER_CHUNK
        size = max(1, min(round(whole / max(seconds, 1e-9)), math.ceil(rest / SHARES / workers)))
        chunks = iter(lambda: list(islice(queue, size)), [])
        if client is None:
            done = run_on_cores(self._job, chunks, min(cores, math.ceil(rest / size)))
        else:
            done = run_on_cluster(self._job, chunks, client)
        for rows in done:
            self._take(rows)

    def _take(self, rows: Sequence[Row]) -> None:
        table = self._table
        new = table.add(rows)
        if self._journal is not None:
            self._journal.add(new)
        failed = len(table.messages)
        words = f'{table.done} of {len(table)} points' + f', {failed} failed' * bool(failed)
        self.bar.show(table.done, len(table), words, self._before)


@contextmanager
def _client(scheduler: Any) -> Iterator[Any]:
    """Yield a client of a scheduler, if there is one; close it unless it was given."""
    client = None if scheduler is None else client_of(scheduler)
    try:
        yield client
    finally:
        if client is not None and client is not scheduler:
            client.close()


@contextmanager
def _journal(path: Path | None, plan: Plan, restart: bool) -> Iterator[Journal | None]:
    """Yield the journal of a file, and put its rows into the table; None if there is no file."""
    if path is None:
        yield None
        return
    file, table = path.with_name(f'{path.name}.journal'), plan.table
    journal = Journal(file, plan.marks, len(table), len(table.measures), restart)
    try:
        table.add(journal.rows.values())
        yield journal
    finally:
        journal.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Let rows tell what was wrong with a run, in place of warnings of every run."""
    logger = logging.getLogger('symcontact_ros')
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
