"""
Carrying of a run to another model: what both have goes on as it was.

Bodies, joints and pairs of shapes are found by their names. The state of a floating body or of an
articulated group is carried bit for bit, with loads, targets, anchors of friction, first guesses
of queries, counters and ledger; a group that has lost some of its bodies keeps q and u.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.broad_phase import pair_number
from symcontact_ros.model.including.merging import DEFAULT
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.saving.state_arrays import (
    OF_ROWS,
    OF_SOLVER,
    OF_WORLD,
    write_actuators,
)
from symcontact_ros.simulation.world.candidate_rows import shapes_of
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.simulation.world.world_records import LEDGER
from symcontact_ros.types import Vector

# Of the broad phase, which begins anew.
BEGUN = ('active_count', 'drift', 'skin_now')
LOADS = ('applied_force', 'applied_torque')
Blocks = Mapping[tuple[str, ...], slice]


def carry(old: LiveModel, new: LiveModel) -> None:
    """Give a model, which is at its start, the state of another one in all that both have."""
    _carry_state(old, new)
    _carry_rows(old.memory, new.memory)
    write_actuators(new)
    if len(old.memory.image['pair_memory']) and len(new.memory.image['pair_memory']):
        _carry_pairs(old.memory, new.memory)
    for name in set(OF_WORLD).difference(BEGUN):
        setattr(new.memory.world, name, getattr(old.memory.world, name))
    for name in OF_SOLVER:
        setattr(new.memory.world.solver, name, getattr(old.memory.world.solver, name))
    for status in range(len(old.memory.world.statuses)):
        new.memory.world.statuses[status] = old.memory.world.statuses[status]


def _carry_state(old: LiveModel, new: LiveModel) -> None:
    """Carry live symbols, coordinates, speeds, ledger, and what implicit steps keep."""
    shared = _symbols(old, new)
    if shared != {name: new.values[name] for name in shared}:
        new.use({**new.values, **shared}, new.memory.detection)
    here, there = old.memory.layout, new.memory.layout
    both = zip(old.coordinates(), initial_state(new.model, new.values), (0, 1), strict=True)
    new.set_coordinates(*(_joined(old.model, new.model, *values) for values in both))
    _copy_blocks(old.memory.state, new.memory.state, _states(here), _states(there))
    new.memory.image['stage'][:] = new.memory.state
    size, other = here.state_size, there.state_size
    ledger = old.memory.whole_state[size : size + LEDGER]
    new.memory.whole_state[other : other + LEDGER] = ledger
    speeds = _speeds(here), _speeds(there)
    _copy_blocks(old.memory.carried, new.memory.carried, *speeds)
    new.write_joint_mobilities()


def _symbols(old: LiveModel, new: LiveModel) -> dict[str, float]:
    """
    Return the live symbols that both models have, such that contacts of both stay as they are.

    A chosen stiffness is that of the heaviest pair of its material, to which others have ratios:
    it changes with what comes and goes, the product must not.
    """
    shared = {name: value for name, value in old.values.items() if name in new.values}
    ratios: dict[str, float] = {}  # by material that has pairs in both models
    for pair in set(old.model.pairs).intersection(new.model.pairs):
        before, now = (live.model.stiffness_ratios.get(pair, 1.0) for live in (old, new))
        ratios[new.model.pair_materials.get(pair, DEFAULT)] = before / now
    for material in new.model.materials:
        name = f'materials.{material}.stiffness'
        if name in shared and material in ratios:
            shared[name] *= ratios[material]
        elif shared.get(name) == old.model.parameters.get(name):
            shared.pop(name, None)  # chosen for nothing, until now
    return shared


def _joined(old: Model, new: Model, values: Vector, start: Vector, which: int) -> Vector:
    """Return q (0) or u (1) of a model: those of another one, and of the rest at the start."""
    found = start.copy()
    places = _joint_places(old, which)
    for name, place in _joint_places(new, which).items():
        if name in places and len(found[place]) == len(values[places[name]]):
            found[place] = values[places[name]]
    return found


def _joint_places(model: Model, which: int) -> dict[str, slice]:
    """Return where the coordinates (0) or speeds (1) of every body are."""
    kinds = [body.joint.kind for body in model.moving]
    counts = [(kind.coordinates, kind.speeds)[which] for kind in kinds]
    ends = itertools.accumulate(counts)
    return {
        body.name: slice(end - count, end)
        for body, count, end in zip(model.moving, counts, ends, strict=True)
    }


def _states(layout: Layout) -> Blocks:
    """Return where the state of each floating body and of each group is, by their bodies."""
    groups = [layout.dynamics.groups[number] for number in layout.groups]
    return _blocks(layout, layout.space.STATE, [len(group.q) + len(group.u) for group in groups])


def _speeds(layout: Layout) -> Blocks:
    """Return where the numbers are that implicit steps carry on, behind the ledger."""
    groups = [layout.dynamics.groups[number] for number in layout.groups]
    blocks = dict(_blocks(layout, layout.solver.speeds, [len(group.u) for group in groups]))
    for i, joint in enumerate(layout.model.joint_names):
        at = layout.solver.velocities + i
        blocks['', joint] = slice(at, at + 1)
    return blocks


def _blocks(layout: Layout, size: int, sizes: list[int]) -> Blocks:
    """Return where blocks are, those of floating bodies first, which have one size."""
    names: list[tuple[str, ...]] = [(body.name,) for body in layout.floating]
    names += [tuple(layout.dynamics.groups[number].bodies) for number in layout.groups]
    counts = [size] * len(layout.floating) + sizes
    ends = itertools.accumulate(counts)
    return {
        name: slice(end - count, end) for name, count, end in zip(names, counts, ends, strict=True)
    }


def _copy_blocks(source: Vector, target: Vector, old: Blocks, new: Blocks) -> None:
    for name, place in new.items():
        if name in old and len(target[place]) == len(source[old[name]]):
            target[place] = source[old[name]]


def _carry_rows(old: WorldMemory, new: WorldMemory) -> None:
    """Carry wrenches on bodies, and all that acts in joints."""
    bodies, rows = old.image['bodies'], new.image['bodies']
    for name, row in new.layout.index.items():
        if name in old.layout.index:
            for field in LOADS:
                rows[row][field] = bodies[old.layout.index[name]][field]
    places = {name: i for i, name in enumerate(old.layout.model.joint_names)}
    for i, name in enumerate(new.layout.model.joint_names):
        if name in places:
            for field in OF_ROWS['joints']:
                new.image['joints'][i][field] = old.image['joints'][places[name]][field]


def _carry_pairs(old: WorldMemory, new: WorldMemory) -> None:
    """Carry anchors of friction, and what queries try first."""
    number_of = _pair_numbers(old, new)
    is_shared = number_of >= 0
    numbers = np.flatnonzero(is_shared)
    moved = number_of[numbers]
    new.image['pair_memory']['feature'][moved] = old.image['pair_memory']['feature'][numbers]
    if new.detection.keeps_warm_starts:
        new.image['warm_starts'][1 + moved] = old.image['warm_starts'][1 + numbers]
    anchors = old.anchors[is_shared[old.anchors['pair']]].copy()
    anchors['pair'] = number_of[anchors['pair']]
    new.set_anchors(anchors)


def _pair_numbers(old: WorldMemory, new: WorldMemory) -> NDArray[np.int64]:
    """Return for each pair of shapes of one memory its number in another one; -1: none."""
    shapes = {key: number for number, key in enumerate(_shapes(new.layout))}
    place = np.array([shapes.get(key, -1) for key in _shapes(old.layout)], np.int64)
    numbers = np.full(len(old.image['pair_memory']), -1, np.int64)
    first, second = shapes_of(np.arange(len(numbers), dtype=np.int64), len(place))
    stay = np.flatnonzero((place[first] >= 0) & (place[second] >= 0))
    # The order of the shapes that stay is the same in both.
    moved: Any = pair_number(place[first[stay]], place[second[stay]], len(shapes))
    may_meet = (old.image['allowed'][stay] != 0) & (new.image['allowed'][moved] != 0)
    numbers[stay[may_meet]] = moved[may_meet]
    return numbers


def _shapes(layout: Layout) -> Iterator[tuple[str, int]]:
    """Yield the body, and the number there, of every shape."""
    seen: dict[int, int] = {}
    for body, _ in layout.placed:
        seen[body] = seen.get(body, -1) + 1
        yield layout.model.bodies[body].name, seen[body]
