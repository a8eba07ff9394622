"""
Arrays that make up a state: all that the next step depends on, bit for bit.

Their names and sizes are in this file alone.
"""

from __future__ import annotations

from typing import Any
import zlib

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
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


def state_arrays(live: LiveModel, energy: EnergyBalance, steps: int) -> Arrays:
    """Return copies or views of all arrays of a state, by name."""
    image, world = live.memory.image, live.memory.world
    arrays = {name: image[name] for name in BLOCKS}
    arrays |= {name: image['bodies'][name] for name in OF_BODIES}
    arrays['candidates'] = image['candidates'][: world.candidate_count]
    arrays['world'] = np.array([getattr(world, name) for name in OF_WORLD], dtype=float)
    arrays['statuses'] = np.array(world.statuses)
    arrays['values'] = np.array([live.values[name] for name in live.model.symbols], dtype=float)
    numbers = [steps, *energy.start, _detection_mark(live.memory.detection)]
    arrays['run'] = np.array(numbers, dtype=float)
    return arrays


def restore_arrays(live: LiveModel, energy: EnergyBalance, arrays: Arrays) -> int:
    """
    Go to the state that arrays make up, all given as floats; return its number of steps.

    OptionError where one is missing, has another size or cannot be; then nothing has changed.
    """
    memory = live.memory
    try:
        values = dict(zip(live.model.symbols, arrays.pop('values').tolist(), strict=True))
        steps, start, contact_start, detection = arrays.pop('run').tolist()
        candidates, statuses, numbers = (
            arrays.pop(name) for name in ('candidates', 'statuses', 'world')
        )
        candidates = candidates.view(memory.image['candidates'].dtype)
        _check_counters(live, numbers, statuses, candidates)
        if detection != _detection_mark(memory.detection):
            # The warm starts of another detector are numbers of vertices of other shapes.
            arrays['warm_starts'] = np.zeros_like(memory.image['warm_starts']).view(float)
        _check_arrays(live, arrays)
        _check_indices(live, candidates, arrays['order'].view(np.int64))
    except (KeyError, ValueError) as error:
        raise OptionError(f'not a whole saved state: {error}') from error
    if values != live.values:
        live.use(values, memory.detection)
    memory.forget()
    if len(candidates) > len(memory.image['candidates']):
        memory.set_room(2 * len(candidates))
    memory.image['candidates'][: len(candidates)] = candidates
    places = {name: memory.image['joints'][name].copy() for name in OF_LAYOUT}
    for name, array in arrays.items():
        target = _target(live, name)
        target[...] = array.view(target.dtype).reshape(target.shape)
    for name, place in places.items():
        memory.image['joints'][name] = place
    world = memory.world
    for name, number in zip(OF_WORLD, numbers.tolist(), strict=True):
        setattr(world, name, type(getattr(world, name))(number))
    for status, number in enumerate(statuses.view(np.int64).tolist()):
        world.statuses[status] = number
    memory.image['stage'][:] = memory.state
    energy.start = start, contact_start
    return int(steps)


def _check_counters(
    live: LiveModel, numbers: NDArray[Any], statuses: NDArray[Any], candidates: NDArray[Any]
) -> None:
    if len(numbers) != len(OF_WORLD) or len(statuses) != len(live.memory.world.statuses):
        raise OptionError('a saved state with other counters')
    if numbers[OF_WORLD.index('candidate_count')] != len(candidates):
        raise OptionError('a saved state with another number of candidates')


def _check_arrays(live: LiveModel, arrays: Arrays) -> None:
    differing = {*arrays} ^ {*BLOCKS, *OF_BODIES}
    if differing:
        raise OptionError(f'not a whole saved state: {", ".join(sorted(differing))}')
    for name, array in arrays.items():
        if _target(live, name).nbytes != array.nbytes:
            raise OptionError(f'a saved state with another size of {name}')


def _check_indices(live: LiveModel, candidates: NDArray[Any], order: NDArray[Any]) -> None:
    """Refuse numbers of shapes and pairs that there are not: compiled code does not check them."""
    image = live.memory.image
    ends = {
        'shape_a': len(image['shapes']),
        'shape_b': len(image['shapes']),
        'number': len(image['shape_pairs']),
        'slot': len(image['shares']),
        'material': len(image['materials']),
    }
    known = all(((candidates[n] >= 0) & (candidates[n] < end)).all() for n, end in ends.items())
    if not known or not np.array_equal(np.sort(order), np.arange(len(order))):
        raise OptionError('a saved state with shapes that are not there')


def _target(live: LiveModel, name: str) -> NDArray[Any]:
    """Return where a saved array belongs."""
    image = live.memory.image
    return image['bodies'][name] if name in OF_BODIES else image[name]


def _detection_mark(detection: Detection) -> int:
    """Return a number that differs for different detectors and options."""
    return zlib.crc32(repr(detection).encode())
