"""Equations of motion with contacts, of the pairs that a simulation has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from symcontact_ros.errors import OptionError
from symcontact_ros.model.model import check_model, Model
from symcontact_ros.simulation.world.start_overlaps import body_pairs

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations


def contact_equations(
    model: Model, pairs: Sequence[tuple[str, str]] | None = None
) -> ContactEquations:
    """
    Return M udot = forcing + sum of J^T F: the equations of motion with all contacts.

    Parameters
    ----------
    model
        The model.
    pairs
        Names of bodies, two and two, whose contacts are wanted; default: all that may touch.

    Raises
    ------
    OptionError
        For bodies that never touch, and for more than 40 pairs of shapes.
    """
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations

    check_model(model)
    touching = body_pairs(model).pairs
    if pairs is None:
        return ContactEquations(model, touching)
    wanted = []
    for a, b in pairs:
        for body in (a, b):
            model.body(body)
        pair = (min(a, b), max(a, b))
        if pair not in touching:
            raise OptionError(f'{pair[0]} and {pair[1]} never touch in {model.name}')
        wanted.append(pair)
    return ContactEquations(model, wanted)
