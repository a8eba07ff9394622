"""Names of the symbols of a model, as printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
import operator

import sympy as sm

from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.model.model import Model
from symcontact_ros.symbolic.typesetting import Atom, atom, atom_of

_LETTERS = {'mass': 'm', 'damping': 'c', 'stiffness': 'k'}
# Of a material, as `docs/contact.md` has them: text and LaTeX.
_OF_MATERIALS = {
    'stiffness': ('k', Atom('k')),
    'damping': ('c', Atom('c')),
    'friction': ('mu', Atom('mu')),
    'slip_speed': ('vs', Atom('v', ('s',))),
    'presliding': ('delta', Atom('delta')),
    'torsional_radius': ('r_p', Atom('r', ('p',))),
    'static_friction': ('mu_s', Atom('mu', ('s',))),
}
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


class NameMaker:
    """Symbols with names that differ, as text and as LaTeX."""

    def __init__(self, taken: Iterable[str] = (), latex: Iterable[str] = ()) -> None:
        self.latex: dict[sm.Symbol, str] = {}
        self._taken = set(taken)
        self._typeset = set(latex)

    def is_free(self, text: str) -> bool:
        """Return whether no symbol has this name."""
        return text not in self._taken

    def new(self, text: str, typeset: Atom | str) -> sm.Symbol:
        """Return a new symbol; a name that is taken is changed."""
        while text in self._taken:
            text += '_'
        self._taken.add(text)
        symbol = sm.Symbol(text, real=True)
        latex = typeset if isinstance(typeset, str) else typeset.latex()
        count = 1
        while latex in self._typeset and (again := typeset_again(typeset, count)):
            latex, count = again, count + 1
        self._typeset.add(latex)
        self.latex[symbol] = latex
        return symbol


def typeset_again(typeset: Atom | str, count: int) -> str:
    """Return another way to typeset a name: with a number below; '' where there is none."""
    known = atom_of(typeset) if isinstance(typeset, str) else typeset
    return known.with_index(str(count + 1)).latex() if known else ''


def names_of(model: Model) -> Names:
    """Return the symbols of a model; those of the user keep their names."""
    maker = NameMaker()
    names = Names([], [], [], {}, {}, maker.latex)
    for name, live in model.symbols.items():
        text, latex = _live_name(name, maker)
        names.live[name] = maker.new(text, live.latex or latex)
    for body in model.jointed:
        joint, kind = body.joint, body.joint.kind
        owner = joint.name if kind.is_single else body.name

        def new(letter: str, owner: str = owner) -> sm.Symbol:
            return maker.new(f'{letter}_{owner}', _owned(letter, owner))

        coordinates = [new(n) for n in kind.coordinate_names]
        if joint.mimic is None:
            names.q += coordinates
            names.u += [new(n) for n in kind.speed_names]
        else:
            names.followers[joint.name] = coordinates[0]
        if joint.is_driven:
            names.effort.append(new('tau'))
        force, torque = ([new(f'{way}{axis}', body.name) for axis in 'xyz'] for way in 'FT')
        names.wrench[body.name] = (force, torque)
    return names


def expression(scalar: Scalar, live: dict[str, sm.Symbol]) -> sm.Expr:
    """Return a number or formula of a model in SymPy; nothing is parsed, only walked."""
    if not isinstance(scalar, Formula):
        return number(scalar)
    if scalar.operation == 'name':
        return live[str(scalar.arguments[0])]
    if scalar.operation == 'number':
        return number(float(str(scalar.arguments[0])))
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


def _live_name(name: str, maker: NameMaker) -> tuple[str, Atom]:
    """Return text and LaTeX of a live symbol: g_x for gravity.x, m_ball for ball.mass."""
    if name.startswith('gravity.'):
        return f'g_{name[-1]}', Atom('g', (name[-1],))
    owner, dot, constant = name.rpartition('.')
    if not dot:
        return name, atom(name)
    if owner.startswith('materials.') and constant in _OF_MATERIALS:
        text, known = _OF_MATERIALS[constant]
        material = owner.removeprefix('materials.')
        if material == 'default' and maker.is_free(text):
            return text, known
        return f'{text}_{material}', known.with_index(material)
    letter = _LETTERS.get(constant, constant)
    owner = owner.replace('.', '_')
    return f'{letter}_{owner}', _owned(letter, owner)


def _owned(letter: str, owner: str) -> Atom:
    """Return a quantity of a body or joint: the rate w is an omega."""
    known = atom(letter)
    return Atom('omega' if known.head == 'w' else known.head, (*known.below, owner))
