"""Linearisation in the live symbols, for models that can be written out."""

from __future__ import annotations

from collections.abc import Sequence
import math

import sympy as sm

from symcontact_ros.errors import SymcontactError
from symcontact_ros.symbolic.forms import SymbolicForms
from symcontact_ros.symbolic.naming import number


def symbolic_matrices(
    forms: SymbolicForms, q: Sequence[float], u: Sequence[float], effort: Sequence[float]
) -> tuple[sm.Matrix, sm.Matrix]:
    """
    Return A and B about an operating point, as functions of the live symbols.

    Efforts whose numbers hold the model in place are replaced by the holding efforts in symbols.
    """
    if not all(body.joint.kind.rates_are_speeds for body in forms.model.moving):
        raise SymcontactError(
            'a linearisation in symbols is for joints without quaternions; use A and B in numbers'
        )
    count = len(forms.u)
    nothing = {s: 0 for pair in forms.wrench_symbols.values() for row in pair for s in row}
    forcing, mass_matrix = forms.forcing.subs(nothing), forms.mass_matrix
    place = dict(zip(forms.q, map(_angle, q), strict=True))
    place |= dict(zip(forms.u, map(number, map(float, u)), strict=True))

    efforts = _efforts(forms, forcing.subs(dict.fromkeys(forms.effort, 0)).subs(place), effort)
    there = mass_matrix.subs(place)
    acceleration = there.LUsolve(forcing.subs(place).subs(efforts)).applyfunc(sm.simplify)
    residual = forcing - mass_matrix * acceleration
    point = {**place, **efforts}

    def slope(symbols: Sequence[sm.Symbol]) -> sm.Matrix:
        columns = residual.jacobian(list(symbols)).subs(point)
        return there.LUsolve(columns).applyfunc(sm.simplify)

    A = sm.zeros(2 * count, 2 * count)
    A[:count, count:] = sm.eye(count)
    A[count:, :count] = slope(forms.q)
    A[count:, count:] = slope(forms.u)
    B = sm.zeros(2 * count, len(forms.effort))
    if forms.effort:
        B[count:, :] = slope(forms.effort)
    return A, B


def _angle(value: float) -> sm.Expr:
    """Return a coordinate in SymPy; simple parts of pi stay exact."""
    turns = value / math.pi * 12.0
    if value != 0.0 and abs(turns - round(turns)) < 1e-12:
        return sm.Rational(round(turns), 12) * sm.pi
    return number(float(value))


def _efforts(
    forms: SymbolicForms, without: sm.Matrix, effort: Sequence[float]
) -> dict[sm.Symbol, sm.Expr]:
    """Return the efforts: in symbols where they balance the forces ``without`` them."""
    values = {forms.symbols[name]: s.value for name, s in forms.model.symbols.items()}
    rows = [row for row, symbol in enumerate(forms.effort_by_speed()) if symbol != 0]
    efforts = {}
    for symbol, row, value in zip(forms.effort, rows, effort, strict=True):
        holding = -without[row]
        balanced = abs(float(holding.subs(values)) - value) <= 1e-9 * (1.0 + abs(value))
        efforts[symbol] = holding if balanced else number(float(value))
    return efforts
