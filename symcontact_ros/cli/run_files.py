"""Files of a run of `symcontact simulate`: checked before it, written after it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack
from pathlib import Path
import sys
import tempfile

from symcontact_ros.cli import animation, figure_style, recording, run_figure
from symcontact_ros.cli.summary import Run
from symcontact_ros.errors import one_line, OptionError
from symcontact_ros.simulation.saving.claims import Claim

MCAP = '.mcap'
Work = tuple[Callable[[Path], None], str]  # what writes a file, and words on it


def is_mcap(path: Path | None) -> bool:
    """Return whether a recording is one of messages, which is written while the run lasts."""
    return path is not None and path.suffix == MCAP


def is_table_needed(options: argparse.Namespace) -> bool:
    """Return whether samples of all quantities are kept."""
    is_table = options.record is not None and not is_mcap(options.record)
    return is_table or options.plot is not None or options.animate is not None


def check_paths(options: argparse.Namespace) -> None:
    """Raise OptionError, before the run, for files that could not be written after it."""
    wanted = {
        'record': (*recording.ENDINGS, MCAP),
        'plot': figure_style.ENDINGS,
        'animate': animation.ENDINGS,
        'checkpoint': (),
    }
    seen: dict[Path, str] = {}
    for name, endings in wanted.items():
        path: Path | None = getattr(options, name)
        if path is None:
            continue
        if endings and path.suffix not in endings:
            raise OptionError(f'--{name} {path}: the name must end in {" or ".join(endings)}')
        if path.is_dir():
            raise OptionError(f'--{name} {path}: is a folder; name a file in it')
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise OptionError(
                f'--{name} {path}: cannot write in {path.parent}: {error.strerror}'
            ) from error
        other = seen.setdefault(path.resolve(), name)
        if other != name:
            raise OptionError(f'--{name} and --{other} name the same file, {path}')


@contextmanager
def claimed(options: argparse.Namespace) -> Iterator[None]:
    """Claim the files of a run while it lasts; OptionError if another run writes one of them."""
    owner = f'symcontact simulate {one_line(options.model)}'
    with ExitStack() as stack:
        for name in ('record', 'checkpoint'):
            if (path := getattr(options, name)) is not None:
                stack.callback(Claim(path, f'--{name}', owner).release)
        yield


def write_files(options: argparse.Namespace, job: Run) -> tuple[list[str], bool]:
    """Write the files; return a line for each, and whether all could be written."""
    table = job.recorder.recording() if job.is_recorded else None
    lines, good = [], True
    work: dict[Path, Work] = {}
    if job.scene is not None:
        work[options.record] = job.scene.close, job.scene.what
    elif options.record is not None and table is not None:
        size = f'{len(table)} samples of {len(table.units)} columns'
        work[options.record] = table.write, size
    if options.plot is not None and table is not None:
        whole = table
        work[options.plot] = (
            lambda path: run_figure.write_plot(
                path,
                job.simulation,
                whole,
                job.monitor,
                width=options.width,
                panels=options.panels,
            ),
            'plot',
        )
        if job.cross_check is not None:
            drawn = options.plot.with_suffix(f'.cross-check{options.plot.suffix}')
            work[drawn] = job.cross_check.write_plot, 'plot of the cross-check'
    if options.animate is not None and table is not None:
        work[options.animate] = _moving(options.animate, job, table)
    if options.checkpoint is not None:
        state = f'state at {job.simulation.time:.6g} s, for --resume'
        work[options.checkpoint] = job.simulation.save_checkpoint, state
    for path, (write, what) in work.items():
        try:
            write(path)
            lines.append(f'wrote {path}: {what}')
        except OSError as error:  # a full disk: the other files may still fit
            good = False
            print(f'{path}: not written: {error.strerror}', file=sys.stderr)
    return lines, good


def _moving(path: Path, job: Run, table: recording.Recording) -> Work:
    """Return what writes a moving picture, and words on it."""
    if path.suffix == animation.PAGE:
        return job.write_page, 'page that plays the run in a browser'
    points = job.recorder.contact_points
    film = animation.Animation(job.simulation, table, points, job.monitor)
    return film.write, f'animation, {film.words}'
