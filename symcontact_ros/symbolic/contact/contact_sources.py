"""Equations with contacts as self-contained source code, in Python and C."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.symbolic.contact.source_body import (
    FUNCTIONS,
    Language,
    LANGUAGES,
    source_body,
    source_comment,
)
from symcontact_ros.symbolic.sources import source as equations_source

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations


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
    body = source_body(equations, language)
    has_anchors = bool(body.rates)
    text = '\n'.join(body.lines)
    functions = sorted({*FUNCTIONS} & set(re.findall(r'\b(\w+)\(', text)))
    own = equations_source(equations.forms, 'python')
    head = [f'from math import {", ".join(functions)}', '', ''] if functions else ['', '']
    anchors = ', anchors' if has_anchors else ''
    rows = ''.join(f'        [{", ".join(row)}],\n' for row in body.points)
    results = f'[\n{rows}    ], [{", ".join(body.generalised)}]'
    results += f', [{", ".join(body.rates)}]' if has_anchors else ''
    end = PYTHON_END.replace('{anchors}', anchors)
    end = end.replace('{rates}', ', and the rates of anchors' if has_anchors else '')
    end = end.replace('{result}', ', anchor_rates' if has_anchors else '')
    values = ', '.join(repr(value) for value in equations.model.parameters.values())
    return '\n'.join(
        [
            own,
            '',
            *language.comment(source_comment(equations)),
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
    double mass_matrix[N * N], generalised[N], points[10 * P + 1];
    equations(q, u, effort, wrench, parameters, mass_matrix, udot, qdot);
    contacts(q, u, parameters{given}, points, generalised{taken});
    for (int i = 0; i < N; ++i) {
        udot[i] += generalised[i];
    }
    solve(mass_matrix, udot);
}
"""


def _c(equations: ContactEquations, language: Language) -> str:
    body = source_body(equations, language)
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
    stores += [f'    (void){name};' for name in ('q', 'u', 'parameters', 'points')]
    values = [repr(value) for value in equations.model.parameters.values()]
    count, points = len(equations.forms.u), len(body.points)
    end = C_END.replace('{inputs}', inputs).replace('{outputs}', outputs)
    end = end.replace('{given}', ', anchors' if has_anchors else '')
    end = end.replace('{taken}', ', anchor_rates' if has_anchors else '')
    return '\n'.join(
        [
            equations_source(equations.forms, 'c'),
            *language.comment(source_comment(equations)),
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
