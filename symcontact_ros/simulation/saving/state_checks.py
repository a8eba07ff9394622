"""
Checks of the arrays of a saved state, before anything of it is used.

A checksum tells damage, not whether the numbers can be those of a simulation: anybody can write
one. Compiled code checks no index, so that all that can become one is checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.shape_pair import CORNER, GROWTH, MIN_DISTANCE, NO_PROGRAM
from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.world.candidate_rows import candidate_rows, shapes_of
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.simulation.world.shape_counts import face_counts, vertex_counts
from symcontact_ros.simulation.world.world_records import ALWAYS_QUERY

LARGEST = 2.0**53  # counter that a float has exactly
UNIT = 1e-3  # how far from 1 the length of a quaternion may be: rounding is far less
OTHER_FEATURES = 3  # of pairs that number no faces: axes of a box on a half-space
# Travels after which a pair is queried again.
MAY_BE_INFINITE = ('clear_until', 'travelled', 'reachable')
FLAGS = ('is_active', 'holds', 'follows', 'is_saturated', 'slides')
NOT_NEGATIVE = ('travelled', 'reachable', 'mobility', 'saturated', 'overspeed', 'normal_force')


def check_run(steps: float, energies: Sequence[float]) -> None:
    """Refuse a number of steps that none can be, and energies that are not finite."""
    if not (0.0 <= steps < LARGEST and steps.is_integer()):
        raise OptionError(f'a saved state after {steps:g} steps')
    if not all(map(math.isfinite, energies)):
        raise OptionError('a saved state with an energy at the start that is not finite')


def check_arrays(
    live: LiveModel, arrays: Mapping[str, NDArray[Any]], counters: Mapping[str, float]
) -> None:
    """
    Refuse arrays, in their types and sizes, that no simulation of a model can have.

    ``counters`` are the numbers of the array ``world``, by name.
    """
    for name in ('pair_memory', 'bodies', 'joints', 'anchors'):
        _check_fields(name, arrays[name])
    _check_state(live, arrays['state'])
    _check_candidates(live, arrays['candidates'])
    _check_counters(live, arrays, counters)
    _check_features(live, arrays['pair_memory'])
    _check_warm_starts(live, arrays['warm_starts'])
    _check_joints(live, arrays['joints'])
    _check_anchors(live, arrays['anchors'])


def _check_fields(name: str, rows: NDArray[Any]) -> None:
    """Refuse NaN, what is infinite and must not be, and numbers outside of their range."""
    for field in rows.dtype.names or ():
        numbers = rows[field]
        if numbers.dtype.kind == 'f':
            bad = np.isnan(numbers) if field in MAY_BE_INFINITE else ~np.isfinite(numbers)
            if bad.any():
                raise OptionError(f'a saved state with {name}.{field} that is NaN or infinite')
        if field in FLAGS and not np.isin(numbers, (0, 1)).all():
            raise OptionError(f'a saved state with {name}.{field} that is neither 0 nor 1')
        if field in NOT_NEGATIVE and (numbers < 0).any():
            raise OptionError(f'a saved state with {name}.{field} below 0')


def _check_state(live: LiveModel, state: NDArray[np.float64]) -> None:
    """Refuse coordinates and energies that are not finite, and attitudes that are none."""
    with np.errstate(over='ignore', invalid='ignore'):
        is_finite = np.isfinite(state * state).all()
    if not is_finite:
        raise OptionError('a saved state that is NaN, infinite or nearly so')
    for start in live.memory.layout.quaternion_places:
        if abs(float(np.linalg.norm(state[start : start + 4])) - 1.0) > UNIT:
            raise OptionError('a saved state with a quaternion that is not of length 1')


def _check_candidates(live: LiveModel, numbers: NDArray[np.int64]) -> None:
    """Refuse candidates that are no pairs, or not in the order that the broad phase has."""
    allowed = live.memory.image['allowed']
    is_known = (numbers >= 0) & (numbers < len(allowed))
    if not is_known.all() or not allowed[numbers].all() or (np.diff(numbers) <= 0).any():
        raise OptionError('a saved state with shapes that are not there')


def _check_counters(
    live: LiveModel, arrays: Mapping[str, NDArray[Any]], counters: Mapping[str, float]
) -> None:
    """Refuse counters that count nothing, or more active pairs than there are candidates."""
    world = live.memory.world
    for name, number in counters.items():
        is_count = isinstance(getattr(world, name), int)
        if not number >= 0.0 or (is_count and not (number < LARGEST and number.is_integer())):
            raise OptionError(f'a saved state with {name} = {number:g}')
    if (arrays['statuses'] < 0).any() or (arrays['solver'] < 0).any():
        raise OptionError('a saved state with counters below 0')
    if counters['active_count'] > len(arrays['candidates']):
        raise OptionError('a saved state with more active pairs than candidates')


def _check_features(live: LiveModel, pairs: NDArray[Any]) -> None:
    """Refuse features, which queries try first, of faces that a pair of shapes has not."""
    image = live.memory.image
    if (pairs['clear_until'] < ALWAYS_QUERY).any():
        raise OptionError('a saved state with a pair that is clear for less than no travel')
    numbers = np.flatnonzero(pairs['feature'] > CORNER)
    if not image['allowed'][numbers].all():
        raise OptionError('a saved state with shapes that are not there')
    faces = face_counts(live.memory)
    a, b = shapes_of(numbers, len(faces))
    if (pairs['feature'][numbers] >= np.maximum(faces[a] + faces[b], OTHER_FEATURES)).any():
        raise OptionError('a saved state with faces that are not there')


def _check_warm_starts(live: LiveModel, rows: NDArray[Any]) -> None:
    """Refuse warm starts of vertices that a pair of shapes has not; there is one for each pair."""
    used = np.flatnonzero(rows['program'] != NO_PROGRAM)
    if not len(used):
        return
    memory = live.memory
    programs, counts = rows['program'][used], rows['count'][used]
    most = 2 if memory.layout.is_planar else 3  # vertices of each that a program puts to use
    are_known = np.isin(programs, (MIN_DISTANCE, GROWTH)) & np.isin(counts, range(most + 1))
    if not are_known.all() or not memory.image['allowed'][used].all():
        raise OptionError('a saved state with warm starts that cannot be')
    candidates = candidate_rows(memory.image, used)
    own, shrunk = vertex_counts(memory)
    is_used = np.arange(rows['vertices_a'].shape[1]) < counts[:, None]
    for field, shape in (('vertices_a', 'shape_a'), ('vertices_b', 'shape_b')):
        shapes = candidates[shape]
        ends = np.where(programs == MIN_DISTANCE, shrunk[shapes], own[shapes])[:, None]
        numbers = rows[field][used]
        if (is_used & ((numbers < 0) | (numbers >= ends))).any():
            raise OptionError('a saved state with vertices that are not there')


def _check_joints(live: LiveModel, rows: NDArray[Any]) -> None:
    """Refuse targets of joints that have no servo."""
    joints = [body.joint for body in live.model.moving if body.joint.kind.is_single]
    has_servo = np.array([joint.servo is not None for joint in joints], dtype=bool)
    if (rows['holds'] > rows['follows']).any() or (rows['follows'] > has_servo).any():
        raise OptionError('a saved state with targets of servos that are not there')


def _check_anchors(live: LiveModel, anchors: NDArray[Any]) -> None:
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
