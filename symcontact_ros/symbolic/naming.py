"""Names of the symbols of a model, as printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
import operator
import re

import sympy as sm

from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.model.model import Model

_GREEK = {'theta': r'\theta', 'w': r'\omega', 'tau': r'\tau'}
_OPERATIONS: dict[str, Callable[..., sm.Expr]] = {
    'add': operator.add,
    'sub': operator.sub,
    'mul': operator.mul,
    'div': operator.truediv,
    'pow': operator.pow,
    'neg': operator.neg,
    'sin': sm.sin,
    'cos': sm.cos,
    'tan': sm.tan,
    'sqrt': sm.sqrt,
    'exp': sm.exp,
    'log': sm.log,
    'tanh': sm.tanh,
}


@dataclass
class Names:
    """The symbols of a model; all are real."""

    q: list[sm.Symbol]
    u: list[sm.Symbol]
    effort: list[sm.Symbol]  # one per joint of one degree of freedom
    wrench: dict[str, tuple[list[sm.Symbol], list[sm.Symbol]]]  # moving body -> F, T
    live: dict[str, sm.Symbol]  # live symbol -> SymPy symbol
    latex: dict[sm.Symbol, str]
    followers: dict[str, sm.Symbol] = field(default_factory=dict)  # joint -> its position


def names_of(model: Model) -> Names:
    """Return the symbols of a model; those of the user keep their names."""
    names = Names([], [], [], {}, {}, {})
    taken: set[str] = set()

    def new(text: str, latex: str) -> sm.Symbol:
        while text in taken:
            text += '_'
        taken.add(text)
        symbol = sm.Symbol(text, real=True)
        names.latex[symbol] = latex
        return symbol

    for name, live in model.symbols.items():
        text, latex = _live_name(name)
        names.live[name] = new(text, live.latex or latex)
    for body in model.jointed:
        joint, kind = body.joint, body.joint.kind
        owner = joint.name if kind.is_single else body.name
        coordinates = [new(f'{n}_{owner}', _tex(n, owner)) for n in kind.coordinate_names]
        if joint.mimic is None:
            names.q += coordinates
            names.u += [new(f'{n}_{owner}', _tex(n, owner)) for n in kind.speed_names]
        else:
            names.followers[joint.name] = coordinates[0]
        if joint.is_driven:
            names.effort.append(new(f'tau_{owner}', _tex('tau', owner)))
        force, torque = (
            [
                new(f'{letter}{axis}_{body.name}', _tex(f'{letter}{axis}', body.name))
                for axis in 'xyz'
            ]
            for letter in 'FT'
        )
        names.wrench[body.name] = (force, torque)
    return names


def expression(scalar: Scalar, live: dict[str, sm.Symbol]) -> sm.Expr:
    """Return a number or formula of a model in SymPy; nothing is parsed, only walked."""
    if not isinstance(scalar, Formula):
        return number(scalar)
    if scalar.operation == 'name':
        return live[str(scalar.arguments[0])]
    parts = [
        expression(a, live) if isinstance(a, Formula) else number(float(a))
        for a in scalar.arguments
    ]
    return _OPERATIONS[scalar.operation](*parts)


def number(value: float) -> sm.Expr:
    """Return a float in SymPy; halves, quarters and the like stay exact."""
    scaled = value * 5040.0
    if abs(value) < 1e9 and scaled == round(scaled) and round(scaled) / 5040.0 == value:
        return sm.Rational(round(scaled), 5040)
    return sm.Float(value)


def _live_name(name: str) -> tuple[str, str]:
    """Return text and LaTeX of a live symbol: g_x for gravity.x, m_ball for ball.mass."""
    if name.startswith('gravity.'):
        axis = name[-1]
        return f'g_{axis}', f'g_{axis}'
    owner, dot, constant = name.rpartition('.')
    if not dot:
        return name, _plain_tex(name)
    letter = {'mass': 'm', 'damping': 'c', 'stiffness': 'k'}.get(constant, constant)
    owner = owner.replace('.', '_')
    return f'{letter}_{owner}', _tex(letter, owner)


def _plain_tex(name: str) -> str:
    """Return a user's name in LaTeX: as SymPy would print it where that is one letter or Greek."""
    if re.fullmatch(r'[A-Za-z]\d*|[a-z]+', name):
        return str(sm.latex(sm.Symbol(name)))
    head, _, tail = name.partition('_')
    return _tex(head, tail) if tail else rf'\mathrm{{{name}}}'


def _tex(letter: str, owner: str) -> str:
    head, axis = (
        (letter[:-1], letter[-1]) if re.fullmatch('[vwqFT][xyzw]', letter) else (letter, '')
    )
    below = owner.replace('_', r'\_')
    below = rf'\mathrm{{{below}}}' if len(below) > 1 else below
    if axis:
        below = f'{axis},{below}'
    return f'{_GREEK.get(head, head)}_{{{below}}}'
