"""Steps of contact equations: expressions with names that people read, and choices among them."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm

from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.naming import NameMaker
from symcontact_ros.symbolic.recorder import MINUS, ONE, Vector, ZERO
from symcontact_ros.symbolic.typesetting import atom

AXES = 'xyz'


class Steps:
    """
    Named steps, in the order in which they are computed.

    Attributes
    ----------
    r
        Recorder of all steps, those without a name of their own among them.
    index
        Of the names that come next: the number of a contact; '' where there is only one.
    named
        Symbols of the steps that have a name.
    normal
        What the normal from the first shape of a form to the second is called.
    """

    def __init__(self, motions: Motions) -> None:
        names = motions.names
        self.r = motions.recorder
        self.names = NameMaker((s.name for s in names.latex), names.latex.values())
        self.index = ''
        self.normal = 'n'
        self.named: set[sm.Symbol] = set()
        self._inputs = set(names.latex)

    def let(self, name: str, value: sm.Expr) -> sm.Expr:
        """Return a step of that name; numbers and symbols that have a name need none."""
        bare = value if value.is_Symbol else -value
        has_name = bare.is_Symbol and (bare in self.named or bare in self._inputs)
        return value if value.is_Number or has_name else self.call(name, value)

    def call(self, name: str, value: sm.Expr) -> sm.Symbol:
        """Return a step of that name, whatever it is."""
        return self.r.call(self.symbol(name), value)

    def symbol(self, name: str) -> sm.Symbol:
        """Return a symbol of the present index."""
        typeset, text = atom(name), name
        if self.index:
            typeset, text = typeset.with_index(self.index), f'{name}_{self.index}'
        symbol = self.names.new(text, typeset)
        self.named.add(symbol)
        return symbol

    def vector(self, name: str, values: Sequence[sm.Expr]) -> Vector:
        """Return a step per component."""
        named = zip(AXES, values, strict=False)
        return [self.let(f'{name}_{axis}', value) for axis, value in named]

    def difference(self, a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> Vector:
        """Return a - b."""
        return [self.r.name(x - y) for x, y in zip(a, b, strict=True)]

    def along(self, start: Sequence[sm.Expr], length: sm.Expr, way: Sequence[sm.Expr]) -> Vector:
        """Return start + length * way."""
        return self.r.add(start, self.r.scale(length, way))

    def length(self, name: str, way: Sequence[sm.Expr]) -> sm.Expr:
        """Return the length of a vector, as a step."""
        return self.let(name, sm.sqrt(sum((x * x for x in way), start=ZERO)))


def choose(condition: sm.Basic, one: sm.Expr, other: sm.Expr) -> sm.Expr:
    """Return one where a condition holds, the other elsewhere."""
    if condition in (sm.true, sm.false) or one == other:
        return other if condition == sm.false else one
    return sm.Piecewise((one, condition), (other, True))


def sign(value: sm.Expr, at_zero: int = 1) -> sm.Expr:
    """Return 1 or -1, never 0."""
    return choose(sm.Ge(value, 0) if at_zero > 0 else sm.Gt(value, 0), ONE, MINUS)


def clamped(value: sm.Expr, limit: sm.Expr) -> sm.Expr:
    """Return what is nearest to a value in [-limit, limit]."""
    return sm.Max(-limit, sm.Min(limit, value))
