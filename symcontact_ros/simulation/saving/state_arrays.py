"""
Arrays that make up a state: all that the next step depends on, bit for bit.

Their names and sizes are in this file alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
import zlib

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
from symcontact_ros.simulation.saving.state_checks import (
    check_anchors,
    check_counters,
    check_indices,
    check_numbers,
    check_run,
)
from symcontact_ros.simulation.world.live_model import LiveModel

Arrays = dict[str, NDArray[Any]]

BLOCKS = ('state', 'pair_memory', 'warm_starts', 'order', 'joints')  # of the memory
OF_BODIES = ('travelled', 'reachable', 'is_active', 'applied_force', 'applied_torque')
OF_LAYOUT = ('q', 'u', 'group', 'index')  # fields of joints that a state never changes
OF_WORLD = (
    'substeps',
    'exceeded',
    'largest_need',
    'saturated',
    'overspeed',
    'alerts',
    'queries',
    'rebuilds',
    'candidate_count',
    'active_count',
    'drift',
    'skin_now',
)
# Counters of implicit steps.
OF_SOLVER = ('solves', 'iterations', 'most_iterations', 'unconverged', 'given_up', 'corrections')
# Fields of anchors that make up the state; the others are written anew in every substep.
OF_ANCHORS = ('pair', 'feature', 'stretch', 'twist', 'normal_force', 'slides')
OF_ANY_LENGTH = ('candidates', 'anchors')
UNCHECKED = ('world',)  # `check_counters` knows which of them may be infinite


def state_arrays(live: LiveModel, energy: EnergyBalance, steps: int) -> Arrays:
    """Return copies or views of all arrays of a state, by name."""
    arrays = _memory_arrays(live)
    arrays['values'] = np.array([live.values[name] for name in live.model.symbols], dtype=float)
    numbers = [steps, *energy.start, _detection_mark(live.memory.detection)]
    arrays['run'] = np.array(numbers, dtype=float)
    return arrays


def _memory_arrays(live: LiveModel) -> Arrays:
    """Return those of the memory, which `_write` writes."""
    image, world = live.memory.image, live.memory.world
    arrays = {name: image[name] for name in BLOCKS}
    arrays |= {name: image['bodies'][name] for name in OF_BODIES}
    arrays['candidates'] = image['candidates'][: world.candidate_count]
    arrays['anchors'] = anchor_array(live)
    arrays['world'] = np.array([getattr(world, name) for name in OF_WORLD], dtype=float)
    arrays['solver'] = np.array([getattr(world.solver, name) for name in OF_SOLVER])
    arrays['statuses'] = np.array(world.statuses)
    return arrays


def anchor_array(live: LiveModel) -> NDArray[Any]:
    """Return a copy of what the state has of the anchors of friction."""
    anchors = live.memory.anchors
    found = np.zeros(len(anchors), [(name, anchors.dtype[name]) for name in OF_ANCHORS])
    for name in OF_ANCHORS:
        found[name] = anchors[name]
    return found


def restore_arrays(
    live: LiveModel, energy: EnergyBalance, arrays: Arrays, check: Callable[[Values], None]
) -> int:
    """
    Go to the state that arrays make up, all given as floats; return its number of steps.

    OptionError where one is missing, has another size or cannot be; then nothing has changed.
    ``check`` raises it for values of live symbols that make no model.
    """
    try:
        values = dict(zip(live.model.symbols, arrays.pop('values').tolist(), strict=True))
        steps, start, contact_start, detection = arrays.pop('run').tolist()
        check_run(steps, (start, contact_start))
        if detection != _detection_mark(live.memory.detection):
            # The warm starts of another detector are numbers of vertices of other shapes.
            arrays['warm_starts'] = np.zeros_like(live.memory.image['warm_starts']).view(float)
        whole = _checked(live, arrays)
        if values != live.values:
            check(values)
    except OptionError:
        raise
    except (KeyError, ValueError) as error:
        raise OptionError(f'not a whole saved state: {error}') from error
    if values != live.values:
        _use(live, values)
    _write(live, whole)
    energy.start = start, contact_start
    return int(steps)


def _use(live: LiveModel, values: Values) -> None:
    """Take values of the live symbols; OptionError where they make no model, nothing changed."""
    before, detection = live.values, live.memory.detection
    kept = _kept(live)
    try:
        live.use(values, detection)
    except (ValueError, ArithmeticError) as error:  # a formula without a value, for example
        live.use(before, detection)
        _write(live, kept)
        raise OptionError(f'a saved state with values that make no model: {error}') from error


def _kept(live: LiveModel) -> Arrays:
    """Return copies of what `_write` writes."""
    return {name: array.copy() for name, array in _memory_arrays(live).items()}


def _checked(live: LiveModel, given: Arrays) -> Arrays:
    """Return saved arrays of the memory in their types; OptionError where one cannot be."""
    known = _memory_arrays(live)
    differing = {*given} ^ {*known}
    if differing:
        raise OptionError(f'not a whole saved state: {", ".join(sorted(differing))}')
    found = {}
    for name, array in given.items():
        target = known[name]
        if name not in OF_ANY_LENGTH and target.nbytes != array.nbytes:
            raise OptionError(f'a saved state with another size of {name}')
        found[name] = array.view(target.dtype)
        if name not in UNCHECKED:
            check_numbers(name, found[name])
    counters = dict(zip(OF_WORLD, found['world'].tolist(), strict=True))
    check_counters(live, counters, found['statuses'], found['candidates'])
    check_indices(live, found['candidates'], found['order'])
    check_anchors(live, found['anchors'])
    if (found['solver'] < 0).any():
        raise OptionError('a saved state with counters that cannot be')
    return found


def _write(live: LiveModel, arrays: Arrays) -> None:
    """Write arrays that `_checked` has passed."""
    memory = live.memory
    memory.forget()
    candidates = arrays['candidates']
    if len(candidates) > len(memory.image['candidates']):
        memory.set_room(2 * len(candidates))
    memory.image['candidates'][: len(candidates)] = candidates
    places = {name: memory.image['joints'][name].copy() for name in OF_LAYOUT}
    for name in (*BLOCKS, *OF_BODIES):
        target = _target(live, name)
        target[...] = arrays[name].reshape(target.shape)
    for name, place in places.items():
        memory.image['joints'][name] = place
    world = memory.world
    for name, number in zip(OF_WORLD, arrays['world'].tolist(), strict=True):
        setattr(world, name, type(getattr(world, name))(number))
    for name, number in zip(OF_SOLVER, arrays['solver'].tolist(), strict=True):
        setattr(world.solver, name, number)
    for status, number in enumerate(arrays['statuses'].tolist()):
        world.statuses[status] = number
    memory.image['stage'][:] = memory.state
    anchors = np.zeros(len(arrays['anchors']), memory.image['anchors'].dtype)
    for name in OF_ANCHORS:
        anchors[name] = arrays['anchors'][name]
    memory.set_anchors(anchors)


def _target(live: LiveModel, name: str) -> NDArray[Any]:
    """Return where a saved array belongs."""
    image = live.memory.image
    return image['bodies'][name] if name in OF_BODIES else image[name]


def _detection_mark(detection: Detection) -> int:
    """Return a number that differs for different detectors and options."""
    return zlib.crc32(repr(detection).encode())
