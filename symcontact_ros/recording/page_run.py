"""A recorded run as a page takes it: where it starts, its inputs, and where it ends."""

from __future__ import annotations

import copy
from typing import Any

from symcontact_ros.errors import OptionError
from symcontact_ros.recording.run_reader import Entry, RunReader
from symcontact_ros.simulation.simulation import Simulation

ACTING = ('set_wrench', 'clear_wrenches', 'set_effort', 'set_target', 'release')
MOST_INPUTS = 20_000  # a page is one file, which a phone has to read


def page_run(recording: RunReader) -> tuple[Simulation, dict[str, Any], str]:
    """
    Return a simulation at the start of a recording, its run for a page, and what is missing.

    A page ends where a recorded run was reset, set to another state, or made by another detector
    or integrator; the last text says so, or is empty.
    """
    simulation = recording.simulation()
    run = plain_run(simulation)
    missing = ''
    for entry in recording.entries():
        if entry.name:
            taken = _input(simulation, entry)
            if taken is None:
                missing = f'ends before {entry.name} at {_time(simulation, entry):.6g} s'
                break
            if len(run['inputs']) == MOST_INPUTS:
                missing = f'ends after {MOST_INPUTS} inputs'
                break
            run['inputs'] += [taken] if taken else []
        elif entry.state_hash:
            run['end'], run['hash'] = entry.step, entry.state_hash
    if run['end'] <= simulation.steps:
        raise OptionError(f'{recording.path}: no steps in it that a page could show')
    return simulation, run, missing


def plain_run(simulation: Simulation) -> dict[str, Any]:
    """Return a run without inputs from the present state, whose end is not known yet."""
    begun = copy.copy(simulation)
    begun.reset()
    start = None
    if begun.state_hash() != simulation.state_hash():
        state = simulation.parts.live.memory.whole_state.tolist()
        start = {'steps': simulation.steps, 'state': state}
    values = simulation.parameters
    return {'start': start, 'symbols': values, 'inputs': [], 'end': 0, 'hash': ''}


def _input(simulation: Simulation, entry: Entry) -> dict[str, Any] | None:
    """Return an input for a page; None where a page cannot make it; empty: it changes nothing."""
    arguments = dict(entry.arguments or {})
    if entry.name in ACTING:
        return {'step': entry.step, 'do': entry.name, 'with': arguments}
    if entry.name != 'configure':
        return None
    values = arguments.pop('parameters', None)
    arguments.pop('proximity_range', None)  # of reports alone
    if any(getattr(simulation, name, None) != value for name, value in arguments.items()):
        return None
    return (
        {'step': entry.step, 'do': 'configure', 'with': {'parameters': values}} if values else {}
    )


def _time(simulation: Simulation, entry: Entry) -> float:
    return entry.step * simulation.step_size
