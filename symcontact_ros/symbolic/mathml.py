"""Equations of motion as MathML, with the names of live symbols and coordinates at symbols."""

from __future__ import annotations

from collections.abc import Mapping
import html
from typing import Any

import sympy as sm
from sympy.printing.mathml import MathMLPresentationPrinter

from symcontact_ros.model.model import Model
from symcontact_ros.symbolic.expansion import TooLargeError
from symcontact_ros.symbolic.forms import forms_of, SymbolicForms

MOST_SPEEDS = 8
MOST_OPERATIONS = 900  # of all that is shown
DIGITS = 6


class _Printer(MathMLPresentationPrinter):
    """Prints symbols within rows that have their names."""

    def __init__(self, names: Mapping[sm.Symbol, str]) -> None:
        super().__init__({'mat_delim': ''})  # the style sheet draws brackets
        self._names = names

    def _print_Symbol(self, symbol: sm.Symbol, style: str = 'plain') -> Any:  # noqa: N802
        printed = super()._print_Symbol(symbol, style)
        if symbol not in self._names:
            return printed
        row = self.dom.createElement('mrow')
        row.setAttribute('data-symbol', self._names[symbol])
        row.appendChild(printed)
        return row


def equations_mathml(model: Model) -> str:
    """Return the equations of a small model for a page; of a large one, why they are not there."""
    told = html.escape(model.name)
    if model.speed_count == 0:
        return '<p>Nothing moves in this model.</p>'
    way_out = f'<code>symcontact equations {told}</code> prints them.'
    if model.speed_count > MOST_SPEEDS:
        return (
            f'<p>{model.speed_count} degrees of freedom: too many to be read here. {way_out}</p>'
        )
    forms = forms_of(model, 'recursive')
    loads = [s for pair in forms.wrench_symbols.values() for row in pair for s in row]
    nothing = dict.fromkeys(loads, sm.Integer(0))
    too_long = f'<p>Too long to be read here. {way_out}</p>'
    if len(forms.assignments) > MOST_OPERATIONS:
        return too_long
    try:
        parts = [forms.mass_matrix, forms.forcing.xreplace(nothing), forms.qdot]
    except TooLargeError:
        return too_long
    if sum(entry.count_ops() for part in parts for entry in part) > MOST_OPERATIONS:
        return too_long
    return _typeset(forms, *parts)


def _typeset(
    forms: SymbolicForms, mass_matrix: sm.Matrix, forcing: sm.Matrix, qdot: sm.Matrix
) -> str:
    names = {symbol: name for name, symbol in forms.names.live.items()}
    names |= {symbol: symbol.name for symbol in (*forms.q, *forms.u)}
    printer, plain = _Printer(names), _Printer({})

    def shown(expression: Any, by: _Printer = printer) -> str:
        return str(by.doprint(_rounded(expression)))

    def dotted(letter: str) -> str:
        return f'<mover><mi mathvariant="normal">{letter}</mi><mo>˙</mo></mover>'

    def line(*words: str) -> str:
        return f'<math display="block"><mrow>{"".join(words)}</mrow></math>'

    equals = '<mo>=</mo>'
    transposed = '<msup><mrow>{}</mrow><mi>T</mi></msup>'
    rows = [
        line('<mi>M</mi>', dotted('u'), equals, '<mi>f</mi>'),
        line('<mi>q</mi>', equals, transposed.format(shown(sm.Matrix([forms.q]), plain))),
        line('<mi>u</mi>', equals, transposed.format(shown(sm.Matrix([forms.u]), plain))),
        line('<mi>M</mi>', equals, shown(mass_matrix)),
        line('<mi>f</mi>', equals, shown(forcing)),
    ]
    if qdot != sm.Matrix(forms.u):
        rows.append(line(dotted('q'), equals, shown(qdot)))
    else:
        rows.append(line(dotted('q'), equals, '<mi>u</mi>'))
    return '\n'.join([*rows, '<p>Contacts, stops and dry friction act on top of f.</p>'])


def _rounded(expression: Any) -> Any:
    """Return an expression with floats of a few digits."""
    floats = {number: sm.Float(number, DIGITS) for number in expression.atoms(sm.Float)}
    return expression.xreplace(floats)
