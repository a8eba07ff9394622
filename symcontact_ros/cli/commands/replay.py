"""``symcontact replay``: a recorded run, published again or made again and compared."""

from __future__ import annotations

import argparse
from pathlib import Path
import sys

from symcontact_ros.cli.commands.export import check_page_path
from symcontact_ros.errors import MissingPackageError
from symcontact_ros.recording.page_run import page_run
from symcontact_ros.recording.run_reader import RunReader
from symcontact_ros.recording.verifying import Verification, verify
from symcontact_ros.ros.executable import NO_ROS
from symcontact_ros.ros.stop_signals import StopSignals
from symcontact_ros.simulation.saving.atomic_file import write_file

GOOD, FAILED = 0, 1


def run(options: argparse.Namespace) -> int:
    """Verify a recording, or publish it."""
    recording = RunReader(options.file)
    code = GOOD
    if options.verify:
        code = _verify(recording)
    if options.export is not None:
        code = max(code, _export(recording, options.export))
    if options.verify or options.export is not None:
        return code
    try:
        from symcontact_ros.ros.replaying import replay
    except ImportError as error:
        raise MissingPackageError(f'{NO_ROS.format(error.name)}; --verify needs none') from error
    arguments = ['symcontact', *options.ros_arguments]
    return replay(recording, arguments, rate=options.rate, loop=options.loop)


def _export(recording: RunReader, path: Path) -> int:
    """Write a page that plays the run."""
    from symcontact_ros.web.page_file import page_text

    check_page_path(path)
    simulation, run, missing = page_run(recording)
    text = page_text([simulation], text='A recorded run.', run=run)
    try:
        write_file(path, text.encode())
    except OSError as error:
        print(f'{path}: not written: {error.strerror}', file=sys.stderr)
        return FAILED
    size = f'{len(text.encode()) / 1000:.0f} kB'
    seconds = (run['end'] - simulation.steps) * simulation.step_size
    print(f'wrote {path}: {size}, {seconds:g} s with {len(run["inputs"])} inputs')
    if missing:
        print(f'{path}: it {missing}')
    return GOOD


def _verify(recording: RunReader) -> int:
    about = recording.about
    print(f'{recording.path}: {about.get("model")}, recorded with {_listed(recording.versions)}')
    with StopSignals() as stop:
        found = verify(recording, lambda: stop.requested)
        if stop.requested:
            print(f'stopped after step {found.equal_until}, equal so far', file=sys.stderr)
            return FAILED
    if not recording.is_whole and found.is_equal:
        print('the end of the file is missing: its writer was killed')
    for name, then, now in found.other_versions:
        print(f'{name} was {then} and is {now}')
    return _report(found)


def _report(found: Verification) -> int:
    if found.differs_at is not None:
        print(
            f'differs at step {found.differs_at}: {found.reason}; equal until step '
            f'{found.equal_until}',
            file=sys.stderr,
        )
        return FAILED
    if not found.hashes:
        print('no state to compare: the recording ended before the first', file=sys.stderr)
        return FAILED
    print(
        f'equal bit for bit: {found.hashes} states of {found.steps} steps, {found.inputs} inputs '
        'given'
    )
    return GOOD


def _listed(versions: dict[str, object]) -> str:
    return ', '.join(f'{str(name)[:30]} {str(value)[:30]}' for name, value in versions.items())
