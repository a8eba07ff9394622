"""
Live symbols that a browser cannot change by itself.

What a browser would write after a change is compared with what Python writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import copy

import numpy as np

from symcontact_ros.kernels.records import Image, layout_of, slots_of
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.world.guard_records import Guard
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.types import Vector
from symcontact_ros.web.engine.image import EngineImage
from symcontact_ros.web.engine.state import within

TRIES = (1.07, 0.93)  # times its value, a symbol is changed to
SHIFT = 0.05  # or by this, where it is 0
CLOSE = 1e-9  # relative: less is rounding
TINY = 1e-15  # [m, m/s, ..] of a start: what cancels is 0 in one way to compute and not in another
# Fields that `engine.symbols` writes.
BY_KERNELS: dict[str, tuple[str, ...]] = {
    'shapes': ('is_centred',),
    'bodies': ('weighty', 'reach', 'inverse_mass', 'inverse_inertia', 'inertia'),
    'joints': ('kp', 'kd', 'effort_limit', 'compensates'),
}


def find_refused(sim: Simulation, image: EngineImage) -> dict[str, str]:
    """Return the symbols that a browser cannot change, and why."""
    symbols = list(sim.model.symbols)
    if not _faults(sim, image, symbols):
        return {}
    refused = {}
    for name in symbols:
        reason = _faults(sim, image, [name])
        if reason:
            refused[name] = reason
    return refused


def _faults(sim: Simulation, image: EngineImage, names: Iterable[str]) -> str:
    """Return what a browser would not write after a change of symbols, '' if nothing."""
    for factor in TRIES:
        values = dict(sim.parts.live.values)
        for name in names:
            symbol, value = sim.model.symbols[name], values[name]
            changed = value * factor if value else value + SHIFT
            values[name] = min(max(changed, symbol.minimum), symbol.maximum)
        other = copy.copy(sim)
        try:
            other.parts.live.use(values, other.parts.live.memory.detection)
        except (ValueError, ArithmeticError):
            continue  # they make no model
        return _difference(sim, image, other)
    return ''


def _difference(sim: Simulation, image: EngineImage, other: Simulation) -> str:
    before, after = sim.parts.live.memory.image, other.parts.live.memory.image
    if len(before.memory) != len(after.memory):
        return 'the size of a shape in memory depends on it'
    symbols = tuple(other.parameters[name] for name in sim.model.symbols)
    (numbers,) = image.numbers(symbols)
    own = after.memory.copy()
    slots = np.array(image.dependent, dtype=int)
    in_world = slots < len(own)
    own[slots[in_world]] = np.array(numbers)[in_world]
    known = np.zeros(len(own), dtype=bool)
    for slot in _slots_of_kernels(after):
        known[slot] = True
    changed = before.memory.view(np.int64) != after.memory.view(np.int64)
    known[slots[in_world]] = True
    missed = np.flatnonzero(changed & ~known)
    if len(missed):
        return f'{_block_of(after, int(missed[0]))} depend on it in a way that needs Python'
    if not _are_close(own, after.memory):
        worst = int(np.argmax(np.abs(own - after.memory)))
        return f'{_block_of(after, worst)} follow from it in another way in Python'
    if _turns_inertia(image, dict(zip(image.dependent, numbers, strict=True))):
        return 'products of inertia depend on it'
    return _start_difference(image, other, dict(zip(image.dependent, numbers, strict=True)))


def _are_close(a: Vector, b: Vector) -> bool:
    with np.errstate(invalid='ignore'):
        return bool(np.all((a == b) | (np.abs(a - b) <= CLOSE * np.abs(b)) | np.isnan(b)))


def _slots_of_kernels(image: Image[AnyWorld]) -> Iterable[slice]:
    """Yield the slots of the world that kernels write after a change."""
    kinds = layout_of(type(image.record)).fields
    for block, names in BY_KERNELS.items():
        member = kinds[block].kind.member
        for name in names:
            if name in layout_of(member).fields:
                width = layout_of(member).fields[name].slots
                for i in range(len(image[block])):
                    at = image.slot(block, i, name)
                    yield slice(at, at + width)
    yield slice(image.slot('scratch'), image.slot('scratch') + len(image['scratch']))
    guard = kinds['guard'].offset + layout_of(Guard).fields['least'].offset
    yield slice(guard, guard + 1)
    yield slice(kinds['skin'].offset, kinds['skin'].offset + 1)


def _turns_inertia(image: EngineImage, numbers: Mapping[int, float]) -> bool:
    """Return whether an inertia in space changes that has products of inertia."""
    if 'inertia' not in (image.world['bodies'].dtype.names or ()):
        return False
    start = image.starts['engine']
    for i in range(len(image.engine['bodies'])):
        at = start + image.engine.slot('bodies', i, 'moments')
        moments = image.engine['bodies']['moments'][i]
        if any(at + k in numbers for k in range(6)):
            products = [numbers.get(at + k, moments[k]) for k in range(3, 6)]
            if any(products):
                return True
    return False


def _start_difference(image: EngineImage, other: Simulation, numbers: Mapping[int, float]) -> str:
    """Return that the start would be another one, or ''."""
    live = other.parts.live
    wanted = live.start_state()
    at = image.starts['engine'] + image.engine.slot('initial')
    start = image.engine['initial']
    found = np.array([numbers.get(at + i, start[i]) for i in range(len(start))])
    for joint in live.memory.image['joints']:
        found[joint['q']] = within(joint['lower'], joint['upper'], found[joint['q']])
    is_close = np.allclose(found, wanted, rtol=CLOSE, atol=TINY)
    return '' if is_close else 'the start follows from it in a way of Python'


def _block_of(image: Image[AnyWorld], slot: int) -> str:
    """Return the name of the block of the world that has a slot."""
    for name, array in image.counts.items():
        kind = layout_of(type(image.record)).fields[name].kind.member
        start = image.slot(name)
        if start <= slot < start + array * slots_of(kind):
            return name
    return 'numbers'
