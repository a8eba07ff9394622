"""Equations with contacts as self-contained source code, in Python and C."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import keyword
import re
from typing import Any, TYPE_CHECKING

import sympy as sm
from sympy.printing.c import C99CodePrinter
from sympy.printing.pycode import PythonCodePrinter

from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.symbolic.contact.legend import legend
from symcontact_ros.symbolic.expansion import Assignments
from symcontact_ros.symbolic.sources import source as equations_source

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


def source(equations: ContactEquations, language: str) -> str:
    """Return ``equations``, ``contacts`` and ``acceleration`` in a language."""
    if language not in LANGUAGES:
        raise OptionError(not_one_of('language', LANGUAGES, language))
    missing = [pair for pair in equations.pairs if not pair.is_everywhere]
    if missing:
        named = ', '.join(f'{" - ".join(p.bodies)} ({" and ".join(p.kinds)})' for p in missing[:3])
        more = f' and {len(missing) - 3} more' if len(missing) > 3 else ''
        raise OptionError(
            f'no formulas that hold in every state, so no {language} source: {named}{more}; '
            'text and latex print the features that are nearest at the start; '
            '--contact A B takes the contacts of two bodies alone'
        )
    writer = {'python': _python, 'c': _c}[language]
    return writer(equations, LANGUAGES[language])


def _names(equations: ContactEquations) -> dict[sm.Symbol, sm.Symbol]:
    """Return names that are valid in both languages, for all symbols."""
    forms = equations.forms
    inputs = [*forms.q, *forms.u, *forms.symbols.values()]
    anchors = [
        x for p in equations.points if p.anchor for x in (*p.anchor.stretch, p.anchor.twist)
    ]
    names: dict[sm.Symbol, sm.Symbol] = {}
    taken: set[str] = set()
    for symbol in (*inputs, *anchors, *(symbol for symbol, _ in equations.tidied.steps)):
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
class _Body:
    """Lines of the function ``contacts``, and the expressions of its results."""

    lines: list[str]
    points: list[list[str]]  # distance, r, n, F of each
    generalised: list[str]
    rates: list[str]


def _body(equations: ContactEquations, language: Language) -> _Body:
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
    return _Body(lines, rows, [code(force) for force in total], rates)


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


def _comment(equations: ContactEquations) -> list[str]:
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
            'anchors: of each point stretch of B relative to A [3] and twist, 0 when it begins to',
            'touch, cut to the presliding after each step; anchor_rates: their rates.',
        ]
    lines.append('parameters, as the model has them:')
    lines += [f'{i}: {line}' for i, line in enumerate(legend(equations.model))]
    return [_harmless(line) for line in lines]


def _harmless(line: str) -> str:
    """Return a line of a comment without what could end it."""
    plain = re.sub(r'[^ -~]+', ' ', line)
    return plain.replace('*/', '* /').replace('/*', '/ *').replace('\\', '/').replace('??', '? ?')


PYTHON_END = '''

def solve(matrix, right):
    """Return x of matrix x = right; the matrix is row by row, symmetric and positive."""
    n = len(right)
    rows = [list(matrix[n * i : n * i + n]) + [right[i]] for i in range(n)]
    for i in range(n):
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        known = sum(rows[i][j] * x[j] for j in range(i + 1, n))
        x[i] = (rows[i][n] - known) / rows[i][i]
    return x


def acceleration(q, u, effort, wrench, parameters{anchors}):
    """Return qdot and udot{rates}."""
    mass_matrix, forcing, qdot = equations(q, u, effort, wrench, parameters)
    _, generalised{result} = contacts(q, u, parameters{anchors})
    right = [f + g for f, g in zip(forcing, generalised)]
    return qdot, solve(mass_matrix, right){result}
'''


def _python(equations: ContactEquations, language: Language) -> str:
    body = _body(equations, language)
    has_anchors = bool(body.rates)
    text = '\n'.join(body.lines)
    functions = sorted({*FUNCTIONS} & set(re.findall(r'\b(\w+)\(', text)))
    own = equations_source(equations.forms, 'python')
    head = [f'from math import {", ".join(functions)}', '', ''] if functions else ['', '']
    anchors = ', anchors' if has_anchors else ''
    rows = ',\n'.join(f'        [{", ".join(row)}]' for row in body.points)
    results = f'[\n{rows},\n    ], [{", ".join(body.generalised)}]'
    results += f', [{", ".join(body.rates)}]' if has_anchors else ''
    end = PYTHON_END.replace('{anchors}', anchors)
    end = end.replace('{rates}', ', and the rates of anchors' if has_anchors else '')
    end = end.replace('{result}', ', anchor_rates' if has_anchors else '')
    values = ', '.join(repr(value) for value in equations.model.parameters.values())
    return '\n'.join(
        [
            own,
            '',
            *language.comment(_comment(equations)),
            *head,
            f'PARAMETERS = [{values}]',
            '',
            '',
            f'def contacts(q, u, parameters{anchors}):',
            '    """Return contact points and the generalised force of all."""',
            text,
            f'    return {results}',
            end,
        ]
    )


C_END = """
/* Writes x of matrix x = right into right; the matrix, symmetric and positive, is lost. */
static void solve(double * matrix, double * right)
{
    for (int i = 0; i < N; ++i) {
        for (int k = i + 1; k < N; ++k) {
            const double factor = matrix[N * k + i] / matrix[N * i + i];
            for (int j = i; j < N; ++j) {
                matrix[N * k + j] -= factor * matrix[N * i + j];
            }
            right[k] -= factor * right[i];
        }
    }
    for (int i = N - 1; i >= 0; --i) {
        for (int j = i + 1; j < N; ++j) {
            right[i] -= matrix[N * i + j] * right[j];
        }
        right[i] /= matrix[N * i + i];
    }
}

void acceleration(const double * q, const double * u, const double * effort,
    const double * wrench, const double * parameters{inputs},
    double * qdot, double * udot{outputs})
{
    double mass_matrix[N * N], generalised[N], points[10 * P];
    equations(q, u, effort, wrench, parameters, mass_matrix, udot, qdot);
    contacts(q, u, parameters{given}, points, generalised{taken});
    for (int i = 0; i < N; ++i) {
        udot[i] += generalised[i];
    }
    solve(mass_matrix, udot);
}
"""


def _c(equations: ContactEquations, language: Language) -> str:
    body = _body(equations, language)
    has_anchors = bool(body.rates)
    inputs = ', const double * anchors' if has_anchors else ''
    outputs = ', double * anchor_rates' if has_anchors else ''
    stores = [
        f'    points[{10 * i + j}] = {value};'
        for i, row in enumerate(body.points)
        for j, value in enumerate(row)
    ]
    stores += [f'    generalised[{i}] = {value};' for i, value in enumerate(body.generalised)]
    stores += [f'    anchor_rates[{i}] = {value};' for i, value in enumerate(body.rates)]
    stores += [f'    (void){name};' for name in ('q', 'u', 'parameters')]
    values = [repr(value) for value in equations.model.parameters.values()]
    count, points = len(equations.forms.u), len(body.points)
    end = C_END.replace('{inputs}', inputs).replace('{outputs}', outputs)
    end = end.replace('{given}', ', anchors' if has_anchors else '')
    end = end.replace('{taken}', ', anchor_rates' if has_anchors else '')
    return '\n'.join(
        [
            equations_source(equations.forms, 'c'),
            *language.comment(_comment(equations)),
            f'enum {{ N = {count}, P = {points} }};',
            '',
            f'const double PARAMETERS[{len(values)}] = {{{", ".join(values)}}};',
            '',
            'void contacts(const double * q, const double * u, const double * parameters'
            f'{inputs},\n    double * points, double * generalised{outputs})',
            '{',
            *body.lines,
            *stores,
            '}',
            end,
        ]
    )
