"""Equations of a structure as straight-line programs."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sm

from symcontact_ros.kernels.tape import Program, restrict, split
from symcontact_ros.model.equation_functions import FUNCTIONS
from symcontact_ros.model.structure import Structure
from symcontact_ros.symbolic.derivation import Derivation
from symcontact_ros.symbolic.lowering import lower


def programs_of(structure: Structure, family: str) -> list[Program]:
    """
    Derive a family of functions of a structure: those of ``equation_functions.FUNCTIONS[family]``.

    Return the prologue, which turns the numbers in the slots and gravity into ``constants``, and
    the functions, which share them.
    """
    derivation = Derivation(structure)
    functions = FUNCTIONS[family]
    results = _motion(derivation) if family == 'motion' else _analysis(derivation)
    inputs = derivation.inputs
    whole = lower(
        family,
        {
            'q': inputs.q,
            'u': inputs.u,
            'udot': inputs.udot,
            'effort': inputs.effort,
            'wrench': inputs.wrench,
            'parameters': [*inputs.slots, *inputs.gravity],
        },
        results,
        derivation.recorder.assignments,
    )
    prologue, rest = split(whole, 'parameters')
    return [prologue, *(restrict(rest, name, blocks) for name, blocks in functions.items())]


def _motion(derivation: Derivation) -> dict[str, list[sm.Expr]]:
    kinetic, potential = derivation.energies()
    return {
        'qdot': derivation.tree.qdot(),
        'udot': derivation.udot(),
        'frames': list(_flat(derivation.tree.frames)),
        'coms': list(_flat(derivation.tree.coms())),
        'twists': list(_flat(derivation.tree.twists())),
        'kinetic': [kinetic],
        'potential': [potential],
        # The last ones: names of all before them, and with them the order of sums, stay.
        'gravity': derivation.gravity(),
        'mass_matrix': list(_flat(derivation.mass_matrix())),
        'bias': derivation.bias(),
    }


def _analysis(derivation: Derivation) -> dict[str, list[sm.Expr]]:
    inverse, reactions = derivation.inverse()
    return {
        'inverse': inverse,
        'reactions': [x for force in reactions for x in (*force.force, *force.torque)],
    }


def _flat(value: object) -> Iterable[sm.Expr]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value
