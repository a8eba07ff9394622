"""Equations as self-contained source code, in Python and C."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sm

from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.kernels.tape import infix, Program
from symcontact_ros.symbolic.lowering import lower

if TYPE_CHECKING:
    from symcontact_ros.symbolic.forms import SymbolicForms


def source(forms: SymbolicForms, language: str) -> str:
    """Return the function ``equations`` in a language, its arguments explained in a comment."""
    writers = {'python': _python, 'c': _c}
    if language not in writers:
        raise OptionError(not_one_of('language', writers, language))
    return writers[language](_program(forms), _comment(forms))


def _program(forms: SymbolicForms) -> Program:
    wrench = [s for force, torque in forms.wrench_symbols.values() for s in (*force, *torque)]
    return lower(
        'equations',
        {
            'q': forms.q,
            'u': forms.u,
            'effort': forms.effort,
            'wrench': wrench,
            'parameters': list(forms.symbols.values()),
        },
        {
            'mass_matrix': list(forms.reduced_mass_matrix),
            'forcing': list(forms.reduced_forcing),
            'qdot': list(forms.reduced_qdot),
        },
        forms.assignments,
    )


def _comment(forms: SymbolicForms) -> list[str]:
    def row(name: str, symbols: list[sm.Symbol] | list[str]) -> list[str]:
        words = [f'{i}: {symbol}' for i, symbol in enumerate(symbols)]
        return [f'{name}: {", ".join(words) or "none"}']

    wrench = [str(s) for force, torque in forms.wrench_symbols.values() for s in (*force, *torque)]
    return [
        f'Equations of motion of {forms.model.name}: M udot = forcing. SI units, world axes;',
        'forces F and torques T act on the bodies, about their centres of mass.',
        *row('q', forms.q),
        *row('u', forms.u),
        *row('effort', forms.effort),
        *row('wrench', wrench),
        *row('parameters', list(forms.symbols)),
        'Returns the mass matrix row by row, forcing and qdot.',
    ]


def _lines(program: Program, declare: str, end: str) -> list[str]:
    blocks = {name: name for name in program.arguments}
    return [
        f'    {declare}v{value} = {infix(instruction, blocks)}{end}'
        for value, instruction in enumerate(program.instructions)
    ]


def _python(program: Program, comment: list[str]) -> str:
    results = [
        '[' + ', '.join(f'v{value}' for value in values) + ']'
        for values in program.results.values()
    ]
    functions = sorted(
        {str(i[0]) for i in program.instructions}
        & {'sin', 'cos', 'sqrt', 'tan', 'exp', 'log', 'tanh', 'pow'}
    )
    imports = [f'from math import {", ".join(functions)}', '', ''] if functions else []
    head = f'def equations({", ".join(program.arguments)}):'
    return '\n'.join(
        [
            *(f'# {line}' for line in comment),
            *imports,
            head,
            *_lines(program, '', ''),
            f'    return {", ".join(results)}',
            '',
        ]
    )


def _c(program: Program, comment: list[str]) -> str:
    arguments = [f'const double * {name}' for name in program.arguments]
    arguments += [f'double * {name}' for name in program.results]
    stores = [
        f'    {name}[{i}] = v{value};'
        for name, values in program.results.items()
        for i, value in enumerate(values)
    ]
    unused = [f'    (void){name};' for name in (*program.arguments, *program.results)]
    text = '\n'.join(f' * {line}' for line in comment)
    return '\n'.join(
        [
            f'/*\n{text}\n */',
            '#include <math.h>',
            '',
            f'void equations({", ".join(arguments)})',
            '{',
            *_lines(program, 'const double ', ';'),
            *stores,
            *unused,
            '}',
            '',
        ]
    )
