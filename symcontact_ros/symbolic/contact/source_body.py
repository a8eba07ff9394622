"""Lines of contact equations in Python and C: steps, results, and comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import keyword
import re
from typing import Any, TYPE_CHECKING

import sympy as sm
from sympy.printing.c import C99CodePrinter
from sympy.printing.pycode import PythonCodePrinter

from symcontact_ros.symbolic.contact.legend import left_out, legend
from symcontact_ros.symbolic.expansion import Assignments

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations

FUNCTIONS = ('sin', 'cos', 'tan', 'sqrt', 'exp', 'log', 'tanh')
# Words that a local variable must not have: of C, and names that the code uses itself.
_WORDS = """
auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while pow fabs fmax fmin abs max min q u effort wrench parameters anchors points
generalised anchor_rates qdot udot mass_matrix forcing equations contacts acceleration solve
"""
RESERVED = {*_WORDS.split(), *FUNCTIONS, *keyword.kwlist, 'N', 'P', 'PARAMETERS'}
MACROS = re.compile(
    r'(M|FP|MATH|HUGE|X)_\w+|S?NANF?|INFINITY|MAXFLOAT|DOMAIN|SING|[A-Z]+(FLOW|LOSS)'
)


@dataclass(frozen=True)
class Language:
    """What differs between languages."""

    printer: Any
    declare: str
    end: str
    comment: Callable[[list[str]], list[str]]


class _Python(PythonCodePrinter):
    """Python with the bits of every number."""

    def _print_Float(self, value: sm.Float) -> str:  # noqa: N802
        return repr(float(value))


class _C(C99CodePrinter):
    """C with the bits of every number."""

    def _print_Float(self, value: sm.Float) -> str:  # noqa: N802
        return repr(float(value))


LANGUAGES = {
    'python': Language(
        _Python({'fully_qualified_modules': False}),
        '',
        '',
        lambda lines: [f'# {x}' for x in lines],
    ),
    'c': Language(
        _C(), 'const double ', ';', lambda lines: ['/*', *(f' * {x}' for x in lines), ' */']
    ),
}


def _names(equations: ContactEquations) -> dict[sm.Symbol, sm.Symbol]:
    """Return names that are valid in both languages, for all symbols."""
    names: dict[sm.Symbol, sm.Symbol] = {}
    taken: set[str] = set()
    for symbol in (*_inputs(equations), *(symbol for symbol, _ in equations.tidied.steps)):
        name = symbol.name
        while name in RESERVED or name in taken or MACROS.fullmatch(name):
            name = f'x_{name}'
        taken.add(name)
        names[symbol] = sm.Symbol(name, real=True)
    return names


def _inputs(equations: ContactEquations) -> dict[sm.Symbol, str]:
    """Return where the symbols are in the arguments."""
    forms = equations.forms
    places: dict[sm.Symbol, str] = {}
    blocks = {'q': forms.q, 'u': forms.u, 'parameters': list(forms.symbols.values())}
    anchored = [point.anchor for point in equations.points if point.anchor]
    blocks['anchors'] = [x for anchor in anchored for x in (*anchor.stretch, anchor.twist)]
    for block, symbols in blocks.items():
        places |= {symbol: f'{block}[{i}]' for i, symbol in enumerate(symbols)}
    return places


@dataclass(frozen=True)
class SourceBody:
    """Lines of the function ``contacts``, and the expressions of its results."""

    lines: list[str]
    points: list[list[str]]  # distance, r, n, F of each
    generalised: list[str]
    rates: list[str]


def source_body(equations: ContactEquations, language: Language) -> SourceBody:
    """Return the lines of ``contacts`` in a language."""
    names, tidy = _names(equations), equations.tidied

    def code(value: sm.Expr) -> str:
        return str(language.printer.doprint(tidy(value).xreplace(names)))

    def line(symbol: sm.Symbol, value: str) -> str:
        return f'    {language.declare}{names[symbol]} = {value}{language.end}'

    points, steps, rates = equations.points, tidy.steps, []
    total: list[sm.Expr] = [sm.Integer(0)] * len(equations.forms.u)
    for point in points:
        for speed, force in point.generalised.items():
            total[speed] += force
        rates += [code(rate) for rate in point.anchor.rates] if point.anchor else []
    used = _used([*(x for p in points for x in p.results())], tidy(sm.Tuple(*total)), steps)
    lines = [line(s, place) for s, place in _inputs(equations).items() if s in used]
    lines += _with_headings(equations, steps, line, code, language)
    rows = [[code(x) for x in (p.distance, *p.place, *p.normal, *p.force)] for p in points]
    return SourceBody(lines, rows, [code(force) for force in total], rates)


def _used(results: Iterable[sm.Expr], more: sm.Basic, steps: Assignments) -> set[sm.Symbol]:
    found = set(more.free_symbols)
    for value in (*results, *(value for _, value in steps)):
        found |= value.free_symbols
    return found


def _with_headings(
    equations: ContactEquations,
    steps: Assignments,
    line: Callable[[sm.Symbol, str], str],
    code: Callable[[sm.Expr], str],
    language: Language,
) -> list[str]:
    """Return the lines of all steps; those of a pair after its name."""
    lines: list[str] = []
    written: set[sm.Symbol] = set()
    for pair in equations.pairs:
        title = f'{pair.bodies[0]} - {pair.bodies[1]}: {" and ".join(pair.kinds)}'
        lines += (
            [f'    {language.comment([title])[0]}']
            if language.end == ''
            else [f'    /* {title} */']
        )
        wanted = [x for point in pair.points for x in point.results()]
        for symbol, value in equations.tidied.needed(wanted):
            if symbol not in written:
                written.add(symbol)
                lines.append(line(symbol, code(value)))
    return lines


def source_comment(equations: ContactEquations) -> list[str]:
    """Return what stands above ``contacts``."""
    points = equations.points
    lines = [
        f'Contacts of {equations.model.name}: M udot = forcing + generalised. SI units, world',
        'axes; detector sat, manifold shared. Ten numbers of each point: distance (negative in',
        'overlap), place [3], normal from A to B [3], force on B [3].',
    ]
    index = 0
    for pair in equations.pairs:
        for _ in pair.points:
            lines.append(f'points[{index}]: {pair.bodies[0]} - {pair.bodies[1]}')
            index += 1
    if any(point.anchor for point in points):
        lines += [
            'anchors: of each point that sticks the stretch of B relative to A [3] and the twist,',
            '0 when it begins to touch, cut to the presliding after each step; and their rates.',
        ]
    lines += left_out(equations.model)
    lines.append('parameters, as the model has them:')
    lines += [f'{i}: {line}' for i, line in enumerate(legend(equations.model))]
    return [_harmless(line) for line in lines]


def _harmless(line: str) -> str:
    """Return a line of a comment without what could end it."""
    plain = re.sub(r'[^ -~]+', ' ', line)
    return plain.replace('*/', '* /').replace('/*', '/ *').replace('\\', '/').replace('??', '? ?')
