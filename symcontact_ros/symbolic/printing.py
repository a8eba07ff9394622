"""Equations as LaTeX and as text: written out where that fits, numbered steps where not."""

from __future__ import annotations

from collections.abc import Mapping
import re
from typing import TYPE_CHECKING

import sympy as sm

from symcontact_ros.symbolic.expansion import TooLargeError
from symcontact_ros.symbolic.naming import NameMaker

if TYPE_CHECKING:
    from symcontact_ros.symbolic.forms import SymbolicForms


WORDS = ('mass_matrix', 'forcing', 'udot')


def latex(forms: SymbolicForms, wrenches: bool) -> str:
    """Return M udot = forcing and qdot in LaTeX (environment aligned)."""
    mass_matrix, forcing, qdot, steps = parts_of(forms, wrenches)

    def tex(value: sm.Basic) -> str:
        return tex_of(value, forms.names.latex)

    lines = [f'{tex(symbol)} &= {tex(value)}' for symbol, value in steps]

    def dotted(symbols: list[sm.Symbol]) -> str:
        rows = r' \\ '.join(dotted_tex(tex(symbol)) for symbol in symbols)
        return rf'\left[\begin{{array}}{{c}}{rows}\end{{array}}\right]'

    lines.append(f'{tex(mass_matrix)} {dotted(forms.u)} &= {tex(forcing)}')
    lines.append(f'{dotted(forms.q)} &= {tex(qdot)}')
    lines += [f'{tex(position)} &= {tex(value)}' for position, value in forms.followers]
    body = ' \\\\\n'.join(lines)
    return f'\\begin{{aligned}}\n{body}\n\\end{{aligned}}'


def tex_of(value: sm.Basic, names: Mapping[sm.Symbol, str], order: str | None = None) -> str:
    """Return an expression or matrix in LaTeX; ``order`` of terms: as SymPy calls it."""
    return str(sm.latex(value, symbol_names=names, mat_str='array', mat_delim='[', order=order))


def dotted_tex(name: str) -> str:
    """Return the rate of a symbol: the dot goes over the letter, not over letter and index."""
    return re.sub(r'^(\\?[A-Za-z]+)', r'\\dot{\1}', name)


def text(forms: SymbolicForms, wrenches: bool) -> str:
    """Return the equations as plain text, one entry a line."""
    mass_matrix, forcing, qdot, steps = parts_of(forms, wrenches)
    lines = [f'{symbol} = {value}' for symbol, value in steps]
    matrix, right, rates = words_of(forms).values()
    lines.append(f'mass matrix ({matrix} {rates} = {right}), entries that are not zero')
    count = len(forms.u)
    for i in range(count):
        for j in range(i + 1):
            if mass_matrix[i, j] != 0:
                lines.append(f'{matrix}[{forms.u[i]}, {forms.u[j]}] = {mass_matrix[i, j]}')
    lines.append('forcing')
    lines += [f'{right}[{forms.u[i]}] = {forcing[i]}' for i in range(count)]
    lines.append('kinematics')
    lines += [f'd/dt {angle} = {rate}' for angle, rate in zip(forms.q, qdot, strict=True)]
    if forms.followers:
        lines.append('joints that mimic another one')
        lines += [f'{position} = {value}' for position, value in forms.followers]
    return '\n'.join(lines)


def words_of(forms: SymbolicForms) -> dict[str, str]:
    """Return what the text calls its matrices, past the names of the model: M is a mass there."""
    maker = NameMaker(symbol.name for symbol in forms.names.latex)
    return {word: maker.new(word, word).name for word in WORDS}


def parts_of(
    forms: SymbolicForms, wrenches: bool
) -> tuple[sm.Matrix, sm.Matrix, sm.Matrix, list[tuple[sm.Symbol, sm.Expr]]]:
    """Return the matrices to show, and the steps they need; none where they are written out."""
    loads = [s for pair in forms.wrench_symbols.values() for row in pair for s in row]
    nothing = {} if wrenches else dict.fromkeys(loads, sm.Integer(0))
    try:
        matrices = (forms.mass_matrix, forms.forcing.xreplace(nothing), forms.qdot)
        return (*matrices, [])
    except TooLargeError:
        steps = [(symbol, value.xreplace(nothing)) for symbol, value in forms.assignments]
        return (
            forms.reduced_mass_matrix,
            forms.reduced_forcing.xreplace(nothing),
            forms.reduced_qdot,
            steps,
        )
