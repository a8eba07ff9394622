"""A straight-line program becomes a plain Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType

from symcontact_ros.kernels.tape import infix, Program

# Blocks of numbers in, one tuple per result block out.
Function = Callable[..., tuple[tuple[float, ...], ...]]


def compile_function(program: Program) -> Function:
    """
    Return ``f(*blocks) -> (block, ...)``; blocks are any sequences of floats, in order.

    The source is printed from instruction and block *numbers*: no name or text of a model is in
    it, so nothing that a file says can run.
    """
    namespace: dict[str, Function] = {}
    exec(_code(program), namespace)
    return namespace['f']


def _code(program: Program) -> CodeType:
    blocks = {name: f'b{number}' for number, name in enumerate(program.arguments)}
    lines = [
        f'    v{value} = {infix(instruction, blocks)}'
        for value, instruction in enumerate(program.instructions)
    ]
    results = (_tuple([f'v{value}' for value in values]) for values in program.results.values())
    source = '\n'.join(
        [
            'from math import cos, exp, log, pow, sin, sqrt, tan, tanh',
            f'def f({", ".join(blocks.values())}):',
            *lines,
            f'    return {_tuple(list(results))}',
        ]
    )
    return compile(source, f'<tape {len(program.instructions)}>', 'exec')


def _tuple(items: Sequence[str]) -> str:
    return '(' + ''.join(f'{item}, ' for item in items) + ')'
