"""World of a model as kernels are compiled for it."""

from __future__ import annotations

from symcontact_ros.kernels.kernel import available
from symcontact_ros.kernels.records import specialized
from symcontact_ros.simulation.world.pair_kernels import pairs_of
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_memory import WorldMemory


def world_type(memory: WorldMemory) -> type[AnyWorld]:
    """Return the world of a model, with the kernels of its pairs of shapes."""
    layout, detection = memory.layout, memory.detection
    # Without pairs their kernels are never called.
    exact = layout.pairs or [next(iter(detection.table.PAIRS.values()))]
    pairs = tuple(detection.pair(pair) for pair in exact)
    return specialized(
        layout.world_type,
        space=layout.space,
        pairs=pairs_of(pairs),
        sticks=layout.sticks,
        touches=bool(layout.pairs),
        floats=bool(layout.floating),
    )


def world_type_without_pairs(memory: WorldMemory) -> type[AnyWorld]:
    """Return the world of all models of a dimension, for kernels that query no pair."""
    return specialized(memory.layout.world_type, space=memory.layout.space)


def can_compile(memory: WorldMemory) -> bool:
    """Return whether kernels that query pairs can be compiled here."""
    return is_available() and memory.detection.is_compiled


def is_available() -> bool:
    """Return whether kernels can be compiled here at all."""
    return available()
