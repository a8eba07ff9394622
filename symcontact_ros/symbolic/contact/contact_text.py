"""Equations with contacts as plain text."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

import sympy as sm
from sympy.printing.str import StrPrinter

from symcontact_ros.symbolic.contact.law_lines import LawLines
from symcontact_ros.symbolic.contact.legend import left_out, legend
from symcontact_ros.symbolic.contact.steps import AXES
from symcontact_ros.symbolic.printing import words_of

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations, ContactPair

HEAD = """\
contacts: {mass_matrix} {udot} = {forcing} + sum of {J}^T {F} over the contact points, in SI
  units and world axes
  A - B: {phi} is the distance [m], {n} the normal from A to B, {r} the point,
  {J} {u} the velocity of B relative to A at {r}; {F} acts on B at {r}, its opposite on A.
  Detector sat, manifold shared."""


class _Text(StrPrinter):
    """Prints choices as Python writes them."""

    def _print_Piecewise(self, expression: sm.Piecewise) -> str:  # noqa: N802
        *choices, (last, _) = expression.args
        text = self._print(last)
        for value, condition in reversed(choices):
            text = f'{self._print(value)} if {self._print(condition)} else {text}'
        return f'({text})'

    def _print_Max(self, expression: sm.Max) -> str:  # noqa: N802
        return f'max({self._ordered(expression)})'

    def _print_Min(self, expression: sm.Min) -> str:  # noqa: N802
        return f'min({self._ordered(expression)})'

    def _print_Abs(self, expression: sm.Abs) -> str:  # noqa: N802
        return f'abs({self._print(expression.args[0])})'

    def _print_Float(self, expression: sm.Float) -> str:  # noqa: N802
        return repr(float(expression))

    def _print_And(self, expression: sm.And) -> str:  # noqa: N802
        return ' and '.join(self._print(part) for part in expression.args)

    def _ordered(self, expression: Any) -> str:
        return ', '.join(sorted((self._print(part) for part in expression.args), key=str))


def show(value: Any) -> str:
    """Return an expression as text."""
    return str(_Text().doprint(value))


def show_law(value: Any) -> str:
    """Return an expression as text with constants first: 1 - c v."""
    return str(_Text({'order': 'rev-lex'}).doprint(value))


def text(equations: ContactEquations, wrenches: bool) -> str:
    """Return the equations of motion, laws, contact points and a legend."""
    head = HEAD.format(**words_of(equations.forms), **equations.words)
    lines = [equations.forms.text(wrenches), head]
    for number, law in enumerate(equations.laws, 1):
        lines += LawLines(law, equations.words, show_law).text(
            number if len(equations.laws) > 1 else 0
        )
    written: set[sm.Symbol] = set()
    for pair in equations.pairs:
        lines += [heading(equations, pair), *_points(equations, pair, written)]
    if not equations.pairs:
        lines.append('no bodies may touch')
    lines += [
        *left_out(equations.model),
        'legend',
        *(f'  {line}' for line in legend(equations.model)),
    ]
    return '\n'.join(lines)


def heading(equations: ContactEquations, pair: ContactPair) -> str:
    """Return bodies, shapes, law and region of a pair."""
    law = f', law {pair.law + 1}' if len(equations.laws) > 1 else ''
    shares = f', {pair.shares} parts of the stiffness' if pair.shares > 1 else ''
    told = f'{pair.bodies[0]} - {pair.bodies[1]}: {" and ".join(pair.kinds)}{law}{shares}'
    return f'{told}; {region(pair)}'


def region(pair: ContactPair) -> str:
    """Return where the formulas of a pair hold."""
    if pair.is_everywhere:
        return 'in every state'
    if not pair.points:
        return 'not printed: no closed form at the start; the simulation finds it by search'
    more = ' (one contact point of those that it may have)' if pair.shares > 1 else ''
    return f'only while these features are nearest, as at the start: {pair.features}{more}'


def _points(equations: ContactEquations, pair: ContactPair, written: set[sm.Symbol]) -> list[str]:
    """Return the steps of a pair, and of each point n, r and J."""
    tidy, speeds = equations.tidied, equations.forms.u
    lines = []
    for point in pair.points:
        for symbol, value in tidy.needed(point.geometry()):
            if symbol not in written:
                written.add(symbol)
                lines.append(f'  {symbol} = {show(value)}')
        index = f'_{point.index}' if point.index else ''
        for name, vector in (('n', point.normal), ('r', point.place)):
            shown = ', '.join(show(tidy(x)) for x in vector)
            lines.append(f'  {equations.words[name]}{index} = ({shown})')
        lines += [
            f'  {equations.words["J"]}{index}[{axis}, {speeds[j]}] = {show(tidy(entry))}'
            for i, axis in enumerate(AXES)
            for j, column in point.columns.items()
            if (entry := column[i]) != 0
        ]
    return lines
