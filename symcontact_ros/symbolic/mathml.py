"""Equations of motion as MathML, with the names of live symbols and coordinates at symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
import html
from typing import Any
import unicodedata

import sympy as sm
from sympy.printing.mathml import MathMLPresentationPrinter

from symcontact_ros.model.model import Model
from symcontact_ros.symbolic.expansion import TooLargeError
from symcontact_ros.symbolic.forms import forms_of, SymbolicForms
from symcontact_ros.symbolic.typesetting import Atom, atom_of, sign_of

MOST_SPEEDS = 8
MOST_OPERATIONS = 900  # of all that is shown
DIGITS = 6
# Bold: a matrix M is not a mass M. Browsers have no other bold in MathML than these letters.
_BOLD = [
    unicodedata.lookup(f'MATHEMATICAL BOLD {name}')
    for name in ('CAPITAL M', 'SMALL F', 'SMALL Q', 'SMALL U')
]
M, F, Q, U = (f'<mi>{letter}</mi>' for letter in _BOLD)


class _Printer(MathMLPresentationPrinter):
    """Prints symbols as their LaTeX says, within rows that have their names."""

    def __init__(self, names: Mapping[sm.Symbol, str], latex: Mapping[sm.Symbol, str]) -> None:
        super().__init__({'mat_delim': ''})  # the style sheet draws brackets
        self._names = names
        self._latex = latex

    def _print_Symbol(self, symbol: sm.Symbol, style: str = 'plain') -> Any:  # noqa: N802
        known = atom_of(self._latex.get(symbol, ''))
        printed = self._typeset(known) if known else super()._print_Symbol(symbol, style)
        if symbol not in self._names:
            return printed
        row = self.dom.createElement('mrow')
        row.setAttribute('data-symbol', self._names[symbol])
        row.appendChild(printed)
        return row

    def _typeset(self, known: Atom) -> Any:
        """Return an atom with its indices."""
        indices = [self._row(row) for row in (known.below, known.above) if row]
        both = 'msubsup' if len(indices) == 2 else 'msub' if known.below else 'msup'
        return (
            self._element(both, self._part(known.head), *indices)
            if indices
            else (self._part(known.head))
        )

    def _row(self, parts: Iterable[str]) -> Any:
        printed: list[Any] = []
        for part in parts:
            printed += [self._element('mo', ',')] if printed else []
            printed.append(self._part(part))
        return printed[0] if len(printed) == 1 else self._element('mrow', *printed)

    def _part(self, part: str) -> Any:
        return self._element('mn' if part.isdecimal() else 'mi', sign_of(part))

    def _element(self, tag: str, *children: Any) -> Any:
        element = self.dom.createElement(tag)
        for child in children:
            text = isinstance(child, str)
            element.appendChild(self.dom.createTextNode(child) if text else child)
        return element


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
    latex = forms.names.latex
    printer, plain = _Printer(names, latex), _Printer({}, latex)

    def shown(expression: Any, by: _Printer = printer) -> str:
        return str(by.doprint(_rounded(expression)))

    def dotted(letter: str) -> str:
        return f'<mover>{letter}<mo>˙</mo></mover>'

    def line(*words: str) -> str:
        return f'<math display="block"><mrow>{"".join(words)}</mrow></math>'

    equals = '<mo>=</mo>'
    transposed = '<msup><mrow>{}</mrow><mi>T</mi></msup>'
    rows = [
        line(M, dotted(U), equals, F),
        line(Q, equals, transposed.format(shown(sm.Matrix([forms.q]), plain))),
        line(U, equals, transposed.format(shown(sm.Matrix([forms.u]), plain))),
        line(M, equals, shown(mass_matrix)),
        line(F, equals, shown(forcing)),
    ]
    rows.append(line(dotted(Q), equals, U if qdot == sm.Matrix(forms.u) else shown(qdot)))
    return '\n'.join([*rows, f'<p>Contacts, stops and dry friction act on top of {_BOLD[1]}.</p>'])


def _rounded(expression: Any) -> Any:
    """Return an expression with floats of a few digits."""
    floats = {number: sm.Float(number, DIGITS) for number in expression.atoms(sm.Float)}
    return expression.xreplace(floats)
