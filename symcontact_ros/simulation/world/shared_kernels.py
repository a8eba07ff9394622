"""
Kernels of pairs of shapes that one model shares with others, to which bodies come and go.

Machine code is made for the pairs of kinds of shapes that a model has. A second robot brings
pairs with the first one, such as two boxes, and would have to wait for a compiler. So a model
whose bodies change has kernels for everything of it that moves to meet another one of its kind.
"""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.collision.detection import AnyPair, Table
from symcontact_ros.model.model import Model


def shared_kernels(
    needed: list[AnyPair], present: Sequence[AnyPair], model: Model, table: Table
) -> list[AnyPair]:
    """
    Return the kernels of a model whose bodies change, by slot.

    Parameters
    ----------
    needed
        Those of the pairs that it has.
    present
        Those of the model before: they are compiled already, and taken if nothing is missing.
    model, table
        The model, and the table of its detection.
    """
    if not needed:
        return []  # the same small step for all models in which nothing can touch
    if all(pair in present for pair in needed):
        return list(present)
    shapes = [(placed.shape.kind, body.name) for body in model.bodies for placed in body.shapes]
    kinds = {kind for kind, _ in shapes}
    moving = {kind for kind, name in shapes if name not in model.grounded}
    found: list[AnyPair] = []
    for both, pair in table.PAIRS.items():
        if kinds.issuperset(both) and not moving.isdisjoint(both) and pair not in found:
            found.append(pair)
    return found
