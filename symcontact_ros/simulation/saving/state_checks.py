"""
Checks of the arrays of a saved state, before anything of it is used.

A checksum tells damage, not whether the numbers can be those of a simulation. What the detectors
remember of a pair, its feature and its warm start, is taken as it is: each kind of pair numbers
its own. Restore states from sources that you trust.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import functools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.world.live_model import LiveModel

SLOT = 8  # [byte] of every number
LARGEST = 2.0**53  # counter that a float has exactly
# Limits of joints, and travels after which a pair is queried again.
MAY_BE_INFINITE = {
    *('lower', 'upper', 'effort_limit', 'velocity_limit'),
    *('clear_until', 'travelled', 'reachable'),
}


def check_run(steps: float, energies: Sequence[float]) -> None:
    """Refuse a number of steps that none can be, and energies that are not finite."""
    if not (0.0 <= steps < LARGEST and steps.is_integer()):
        raise OptionError(f'a saved state after {steps:g} steps')
    if not all(map(math.isfinite, energies)):
        raise OptionError('a saved state with an energy at the start that is not finite')


def check_counters(
    live: LiveModel,
    numbers: Mapping[str, float],
    statuses: NDArray[np.int64],
    candidates: NDArray[Any],
) -> None:
    """Refuse counters that count nothing, or other candidates than there are."""
    world = live.memory.world
    for name, number in numbers.items():
        is_count = isinstance(getattr(world, name), int)
        if not number >= 0.0 or (is_count and not (number < LARGEST and number.is_integer())):
            raise OptionError(f'a saved state with {name} = {number:g}')
    if len(statuses) != len(world.statuses) or (statuses < 0).any():
        raise OptionError('a saved state with other counters')
    if numbers['candidate_count'] != len(candidates) or numbers['active_count'] > len(candidates):
        raise OptionError('a saved state with another number of candidates')


def check_indices(live: LiveModel, candidates: NDArray[Any], order: NDArray[np.int64]) -> None:
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


def check_anchors(live: LiveModel, anchors: NDArray[Any]) -> None:
    """Refuse anchors of pairs that are not there or do not stick, or more than they can have."""
    image, pairs = live.memory.image, anchors['pair']
    known = (pairs >= 0) & (pairs < len(image['shape_pairs']))
    rows = image['shape_pairs'][pairs[known]]
    sticks = image['materials']['sticks'][rows['material']].astype(bool)
    if not known.all() or not (sticks & (rows['bodies'] >= 0)).all():
        raise OptionError('a saved state with anchors of shapes that are not there')
    starts = np.flatnonzero(np.diff(pairs, prepend=-1))  # of the anchors of each pair
    counts = np.diff(starts, append=len(pairs))
    if len(np.unique(pairs)) != len(starts) or (counts > MOST).any():
        raise OptionError('a saved state with more anchors than a pair can have')
    if not np.isin(anchors['slides'], (0, 1)).all() or (anchors['normal_force'] < 0.0).any():
        raise OptionError('a saved state with anchors that cannot be')


def check_numbers(name: str, array: NDArray[Any]) -> None:
    """Refuse an array, of numbers or of records of them, that has NaN, or what is infinite."""
    if array.dtype.names is None:
        if array.dtype.kind == 'f':
            _check(name, array, name in MAY_BE_INFINITE)
        return
    slots = array.view(np.float64).reshape(-1, array.dtype.itemsize // SLOT)
    for columns, may_be_infinite in _columns(array.dtype):
        _check(name, slots[:, columns], may_be_infinite)


def _check(name: str, numbers: NDArray[np.float64], may_be_infinite: bool) -> None:
    wrong = np.isnan(numbers) if may_be_infinite else ~np.isfinite(numbers)
    if wrong.any():
        raise OptionError(f'a saved state with {name} that cannot be: NaN or infinite')


@functools.cache
def _columns(records: np.dtype[Any]) -> tuple[tuple[list[int], bool], ...]:
    """Return the slots of records that are floats, and whether they may be infinite."""
    places: dict[bool, list[int]] = {False: [], True: []}
    for name, (kind, offset, *_) in (records.fields or {}).items():
        if kind.base.kind == 'f':
            first, count = offset // SLOT, kind.itemsize // SLOT
            places[name in MAY_BE_INFINITE].extend(range(first, first + count))
    return tuple((columns, key) for key, columns in places.items() if columns)
