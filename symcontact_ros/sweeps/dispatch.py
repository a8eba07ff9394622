"""Points of a sweep, shared out to processes of this machine or to a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager
import logging
import multiprocessing
import os
import signal
import sys
import threading
from typing import Any

from symcontact_ros import __version__
from symcontact_ros.errors import one_line, OptionError, SymcontactError
from symcontact_ros.optional_packages import missing
from symcontact_ros.sweeps.runner import Job, Row, Runner

AHEAD = 2  # chunks that wait for every core, so that none is ever without work
DEATHS = 3  # of processes in a row, without a result in between
ANSWER = 10.0  # [s] for a scheduler
RESUMES = 'the same sweep again goes on where it was'
_own = threading.local()  # a runner for every thread that has one


class SweepError(SymcontactError, RuntimeError):
    """Workers that end again and again; what they have done is in the journal."""


def run_chunk(job: Job, points: Sequence[int]) -> list[Row]:
    """Return the rows of some points, in a worker, which keeps its simulation."""
    if job.version != __version__:
        raise OptionError(f'a worker has symcontact_ros {__version__}, the sweep {job.version}')
    if getattr(_own, 'mark', None) != job.mark:
        logging.getLogger('symcontact_ros').setLevel(logging.ERROR)  # rows tell what was wrong
        _own.runner, _own.mark = Runner(job), job.mark
    return [_own.runner.run(point) for point in points]


def run_on_cores(job: Job, chunks: Iterator[list[int]], cores: int) -> Iterator[list[Row]]:
    """Yield the rows of chunks from processes of this machine, in the order of their ends."""
    left: list[list[int]] = []
    deaths = 0
    while True:
        pool = _Pool(cores)
        try:
            for rows in _run(pool.submit, job, _after(left, chunks), AHEAD * cores, left):
                deaths = 0
                yield rows
            return
        except BrokenProcessPool:
            deaths += 1
            if deaths >= DEATHS:
                raise SweepError(
                    f'processes ended {deaths} times without a result, perhaps for want of '
                    f'memory: fewer cores need less; {RESUMES}'
                ) from None
        finally:
            pool.end()


def run_on_cluster(job: Job, chunks: Iterator[list[int]], client: Any) -> Iterator[list[Row]]:
    """Yield the rows of chunks from the workers of a Dask cluster, in the order of their ends."""
    executor: Executor = client.get_executor(pure=False, retries=DEATHS)
    threads = max(1, sum(client.nthreads().values()))
    try:
        yield from _run(executor.submit, job, chunks, AHEAD * threads, [])
    except (CancelledError, OSError) as error:
        raise SweepError(f'the scheduler is gone ({one_line(error)}); {RESUMES}') from error
    finally:
        executor.shutdown(wait=False)


def client_of(scheduler: Any) -> Any:
    """Return a client of a Dask scheduler at an address; a client is taken as it is."""
    try:
        from distributed import Client
    except ImportError as error:
        raise missing('scheduler', 'distributed') from error
    if isinstance(scheduler, Client):
        return scheduler
    try:
        return Client(scheduler, timeout=ANSWER, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise OptionError(
            f'scheduler {one_line(scheduler)}: no Dask scheduler answers there; '
            f'`dask scheduler` prints its address, such as tcp://10.0.0.1:8786 '
            f'({one_line(error)[:120]})'
        ) from error


def _run(
    submit: Callable[..., Future[list[Row]]],
    job: Job,
    chunks: Iterator[list[int]],
    most: int,
    left: list[list[int]],
) -> Iterator[list[Row]]:
    """Yield rows while some chunks wait; those without rows are in `left` if all breaks."""
    pending: dict[Future[list[Row]], list[int]] = {}
    try:
        while True:
            while len(pending) < most and (chunk := next(chunks, None)) is not None:
                left.append(chunk)
                pending[submit(run_chunk, job, chunk)] = chunk
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                rows = future.result()
                left.remove(pending.pop(future))
                yield rows
    finally:
        for future in pending:
            future.cancel()


def _after(first: list[list[int]], others: Iterator[list[int]]) -> Iterator[list[int]]:
    """Yield what was left, then others."""
    again = first.copy()
    first.clear()
    yield from again
    yield from others


# Processes of this machine ------------------------------------------------------------------


class _Pool:
    """Processes that end with this one, however it ends."""

    def __init__(self, cores: int) -> None:
        context = multiprocessing.get_context('spawn')
        self._pool = ProcessPoolExecutor(cores, context, _prepare_worker)

    def submit(self, *words: Any) -> Future[list[Row]]:
        """Start work; processes are started with it."""
        with _without_main():
            future: Future[list[Row]] = self._pool.submit(*words)
        return future

    def end(self) -> None:
        """Wait for what runs, and drop what waits."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it, also if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _without_main() -> Iterator[None]:
    """
    Hide the file of the main module, so that a new process does not run it.

    Workers need nothing of it, and a script without `if __name__ == '__main__'` would start itself
    over and over.
    """
    main: dict[str, Any] = sys.modules['__main__'].__dict__
    hidden: dict[str, Any] = {n: main[n] for n in ('__file__', '__spec__') if n in main}
    main.pop('__file__', None)
    main['__spec__'] = None
    try:
        yield
    finally:
        main.update(hidden)
