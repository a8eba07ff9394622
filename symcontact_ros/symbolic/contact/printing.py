"""Pairs of features as LaTeX and as text: written out where that fits, named steps where not."""

from __future__ import annotations

from collections import Counter
import itertools
from typing import TYPE_CHECKING

import sympy as sm

from symcontact_ros.symbolic.expansion import Assignments, needed, textbook, written_size

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_feature import ContactFeature

LARGEST_PRINT = 60  # operations that are written out where people read them

_Parts = tuple[sm.Expr, sm.Matrix, sm.Matrix, Assignments]


def latex(feature: ContactFeature, names: dict[sm.Symbol, str]) -> str:
    """Return distance, normal and Jacobian in LaTeX (environment aligned)."""
    distance, normal, jacobian, steps = _parts(feature)

    def tex(value: sm.Basic) -> str:
        return str(sm.latex(value, symbol_names=names, mat_str='array', mat_delim='['))

    moving = [i for i, entry in enumerate(jacobian) if entry != 0]
    rate = '0'
    if moving:
        speeds = sm.Matrix([feature.u[i] for i in moving])
        rate = f'{tex(jacobian[:, moving])} {tex(speeds)}'
    lines = [f'{tex(symbol)} &= {tex(value)}' for symbol, value in steps]
    lines += [rf'\phi &= {tex(distance)}', f'n &= {tex(normal)}', rf'\dot{{\phi}} &= {rate}']
    body = ' \\\\\n'.join(lines)
    return f'\\begin{{aligned}}\n{body}\n\\end{{aligned}}'


def text(feature: ContactFeature) -> str:
    """Return distance, normal and Jacobian as plain text, one entry a line."""
    distance, normal, jacobian, steps = _parts(feature)
    lines = [
        f'{feature.feature_a} of {feature.body_a}, {feature.feature_b} of {feature.body_b}: '
        'd/dt distance = J u, entries that are not zero'
    ]
    lines += [f'{symbol} = {value}' for symbol, value in steps]
    lines.append(f'distance = {distance}')
    lines += [f'normal[{axis}] = {entry}' for axis, entry in zip('xyz', normal, strict=True)]
    lines += [f'J[{u}] = {entry}' for u, entry in zip(feature.u, jacobian, strict=True) if entry]
    return '\n'.join(lines)


def readable(entry: sm.Expr) -> sm.Expr:
    """Return an entry as a textbook writes it; squares of sums, as in lengths, stay squares."""
    if any(power.base.is_Add for power in entry.atoms(sm.Pow)):
        return entry.func(*(readable(argument) for argument in entry.args))
    return min(textbook(entry), entry, key=sm.count_ops)


def _parts(feature: ContactFeature) -> _Parts:
    """Return what to show, and the steps it needs; none where it is written out."""
    shown = [sm.Matrix([feature.reduced_distance]), feature.reduced_normal]
    shown.append(feature.reduced_jacobian)
    size = sum(written_size(matrix, feature.assignments) for matrix in shown)
    if size <= LARGEST_PRINT:
        return feature.distance, feature.normal, feature.jacobian, []
    steps = needed(feature.assignments, shown)
    steps, (distance, normal, jacobian) = _without_single_uses(steps, shown)
    return distance[0], normal, jacobian, steps


def _without_single_uses(
    assignments: Assignments, matrices: list[sm.Matrix]
) -> tuple[Assignments, list[sm.Matrix]]:
    """Return steps and matrices with every step that is used once put in its place."""
    uses = Counter(
        symbol
        for expression in (*(value for _, value in assignments), *itertools.chain(*matrices))
        for symbol in expression.atoms(sm.Symbol)
    )
    inlined: dict[sm.Symbol, sm.Expr] = {}
    present: Assignments = []
    for symbol, value in assignments:
        whole = value.xreplace(inlined)
        if uses[symbol] == 1:
            inlined[symbol] = whole
        else:
            present.append((symbol, whole))
    names = {old: new for (old, _), (new, _) in zip(present, assignments, strict=False)}
    steps = [(names[symbol], value.xreplace(names)) for symbol, value in present]
    return steps, [matrix.xreplace(inlined).xreplace(names) for matrix in matrices]
