"""
Arrays that make up a state: all that the next step depends on, bit for bit.

Their names are in this file alone. Tables, indices and constants of the memory are no part of it:
they follow from the model, and a restored state finds them as the model made them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
import functools
from typing import Any
import zlib

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.shape_pair import WARM_START
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
from symcontact_ros.simulation.saving.state_checks import check_arrays, check_run
from symcontact_ros.simulation.world.candidate_rows import candidate_rows
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.simulation.world.servos import write_actuator

Arrays = Mapping[str, NDArray[np.int64]]  # numbers of 8 bytes, whatever they mean

SLOT = 8  # [byte] of every number
# Fields of the rows of a block; the others are tables, or written anew in every step.
OF_ROWS = {
    'pair_memory': ('clear_until', 'feature'),
    'bodies': ('travelled', 'reachable', 'is_active', 'applied_force', 'applied_torque'),
    'joints': (
        *('applied', 'target', 'target_speed', 'holds', 'follows', 'mobility'),
        *('base', 'start_stretch', 'base_stretch', 'end_stretch', 'force'),
        *('is_saturated', 'saturated', 'overspeed'),
    ),
    'anchors': ('pair', 'feature', 'stretch', 'twist', 'normal_force', 'slides'),
}
OF_WORLD = (
    'substeps',
    'stops',
    'exceeded',
    'largest_need',
    'saturated',
    'overspeed',
    'alerts',
    'queries',
    'rebuilds',
    'active_count',
    'drift',
    'skin_now',
)
# Counters of implicit steps.
OF_SOLVER = ('solves', 'iterations', 'most_iterations', 'unconverged', 'given_up', 'corrections')


def state_arrays(live: LiveModel, energy: EnergyBalance, steps: int) -> dict[str, NDArray[Any]]:
    """Return copies or views of all arrays of a state, by name."""
    image, world = live.memory.image, live.memory.world
    symbols, detection = live.model.symbols, live.memory.detection
    return {
        'state': image['state'],
        'pair_memory': _rows(image['pair_memory'], 'pair_memory'),
        'bodies': _rows(image['bodies'], 'bodies'),
        'joints': _rows(image['joints'], 'joints'),
        'world': np.array([getattr(world, name) for name in OF_WORLD], dtype=float),
        'solver': np.array([getattr(world.solver, name) for name in OF_SOLVER]),
        'statuses': np.array(world.statuses),
        'values': np.array([live.values[name] for name in symbols], dtype=float),
        'run': np.array([steps, *energy.start, _detection_mark(detection)], dtype=float),
        'warm_starts': image['warm_starts'][1:].view(np.int64),  # without that of no pair
        'candidates': image['candidates']['number'][: world.candidate_count],
        'anchors': anchor_array(live),
    }


def state_sizes(live: LiveModel) -> dict[str, range]:
    """Return how many numbers each array of a saved state of a model can have."""
    image = live.memory.image
    pairs = len(image['pair_memory'])
    fixed = {
        'state': len(image['state']),
        'pair_memory': _width(image['pair_memory'], 'pair_memory') * pairs,
        'bodies': _width(image['bodies'], 'bodies') * len(image['bodies']),
        'joints': _width(image['joints'], 'joints') * len(image['joints']),
        'world': len(OF_WORLD),
        'solver': len(OF_SOLVER),
        'statuses': len(live.memory.world.statuses),
        'values': len(live.model.symbols),
        'run': 4,
    }
    return {name: range(size, size + 1) for name, size in fixed.items()} | {
        # Another detector may have kept another number of them; they are not used then.
        'warm_starts': range(WARM_START * pairs + 1),
        'candidates': range(pairs + 1),
        'anchors': range(_width(image['anchors'], 'anchors') * MOST * pairs + 1),
    }


def anchor_array(live: LiveModel) -> NDArray[np.int64]:
    """Return a copy of what the state has of the anchors of friction."""
    return _rows(live.memory.anchors, 'anchors')


def restore_arrays(
    live: LiveModel, energy: EnergyBalance, arrays: Arrays, check: Callable[[Values], None]
) -> int:
    """
    Go to the state that arrays make up, of sizes as `state_sizes` has; return its steps.

    OptionError where one of them cannot be; then nothing has changed. ``check`` raises it for
    values of live symbols that make no model.
    """
    steps, start, contact_start, detection = arrays['run'].view(float).tolist()
    check_run(steps, (start, contact_start))
    symbols = live.model.symbols
    values = dict(zip(symbols, arrays['values'].view(float).tolist(), strict=True))
    check(values)
    whole = _typed(live, arrays, detection)
    counters = dict(zip(OF_WORLD, whole['world'].tolist(), strict=True))
    check_arrays(live, whole, counters)
    with live.unchanged_on_error():
        try:
            if values != live.values:
                live.use(values, live.memory.detection)
            _write(live, whole)
        except (ValueError, ArithmeticError) as error:  # a formula without a value, for example
            raise OptionError(f'a saved state with values that make no model: {error}') from error
    energy.start = start, contact_start
    return int(steps)


def _typed(live: LiveModel, arrays: Arrays, detection: float) -> dict[str, NDArray[Any]]:
    """Return saved arrays in their types; rows as records."""
    image = live.memory.image
    found: dict[str, NDArray[Any]] = {
        'state': arrays['state'].view(float),
        'candidates': arrays['candidates'],
        'world': arrays['world'].view(float),
        'solver': arrays['solver'],
        'statuses': arrays['statuses'],
    }
    for name in OF_ROWS:
        if len(arrays[name]) % _width(image[name], name):
            raise OptionError(f'a saved state with a part of a row of {name}')
        found[name] = arrays[name].view(_partial(image[name].dtype, OF_ROWS[name]))
    own = image['warm_starts'][1:]
    if detection == _detection_mark(live.memory.detection):
        if arrays['warm_starts'].nbytes != own.nbytes:
            raise OptionError('a saved state with another number of warm starts')
        found['warm_starts'] = arrays['warm_starts'].view(own.dtype)
    else:  # those of another detector are numbers of vertices of other shapes
        found['warm_starts'] = np.zeros_like(own)
    return found


def _write(live: LiveModel, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays that are checked."""
    memory, candidates = live.memory, arrays['candidates']
    memory.forget()
    if len(candidates) > len(memory.image['candidates']):
        memory.set_room(2 * len(candidates))
    image, world = memory.image, memory.world
    image['candidates'][: len(candidates)] = candidate_rows(image, candidates)
    world.candidate_count = len(candidates)
    image['state'][:] = arrays['state']
    image['stage'][:] = memory.state
    image['warm_starts'][1:] = arrays['warm_starts']
    for name in ('pair_memory', 'bodies', 'joints'):
        for field in OF_ROWS[name]:
            image[name][field] = arrays[name][field]
    write_actuators(live)
    for name, number in zip(OF_WORLD, arrays['world'].tolist(), strict=True):
        setattr(world, name, type(getattr(world, name))(number))
    for name, number in zip(OF_SOLVER, arrays['solver'].tolist(), strict=True):
        setattr(world.solver, name, number)
    for status, number in enumerate(arrays['statuses'].tolist()):
        world.statuses[status] = number
    anchors = np.zeros(len(arrays['anchors']), image['anchors'].dtype)
    for field in OF_ROWS['anchors']:
        anchors[field] = arrays['anchors'][field]
    memory.set_anchors(anchors)


def write_actuators(live: LiveModel) -> None:
    """Write the gains of servos, which follow from whether they have a target."""
    layout = live.memory.layout
    rows = live.memory.image['joints']
    for row, body in zip(rows, filter(_is_single, live.model.moving), strict=True):
        write_actuator(row, body.joint, layout.gains, live.values)


def _is_single(body: Any) -> bool:
    return bool(body.joint.kind.is_single)


# Rows as numbers ---------------------------------------------------------------------------------


def _rows(rows: NDArray[Any], name: str) -> NDArray[np.int64]:
    """Return the fields of rows that make up the state, one after the other, as a copy."""
    slots = rows.dtype.itemsize // SLOT
    columns = _columns(rows.dtype, OF_ROWS[name])
    return rows.view(np.int64).reshape(-1, slots)[:, columns].ravel()


def _width(rows: NDArray[Any], name: str) -> int:
    """Return how many numbers of a row make up the state."""
    return _partial(rows.dtype, OF_ROWS[name]).itemsize // SLOT


@functools.cache
def _columns(rows: np.dtype[Any], names: tuple[str, ...]) -> slice | NDArray[np.intp]:
    """Return where the numbers of some fields are in a row; as a slice if they can be one."""
    fields: Mapping[str, Any] = rows.fields or {}
    found: list[int] = []
    for name in names:
        kind, offset = fields[name][:2]
        found += range(offset // SLOT, (offset + kind.itemsize) // SLOT)
    if found == list(range(found[0], found[0] + len(found))):
        return slice(found[0], found[0] + len(found))
    return np.array(found, dtype=np.intp)


@functools.cache
def _partial(rows: np.dtype[Any], names: tuple[str, ...]) -> np.dtype[Any]:
    """Return rows of some fields alone."""
    return np.dtype([(name, rows[name]) for name in names])


def _detection_mark(detection: Detection) -> int:
    """Return a number that differs for different detectors and options."""
    return zlib.crc32(repr(detection).encode())
