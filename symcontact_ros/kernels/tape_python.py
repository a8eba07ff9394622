"""A straight-line program becomes a plain Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import math
from types import CodeType
from typing import Any

from symcontact_ros.kernels.elementary.library import FUNCTIONS
from symcontact_ros.kernels.tape import infix, Program

# Blocks of numbers in, one tuple per result block out.
Function = Callable[..., tuple[tuple[float, ...], ...]]


def compile_function(program: Program) -> Function:
    """
    Return ``f(*blocks) -> (block, ...)``; blocks are any sequences of floats, in order.

    The source is printed from instruction and block *numbers*: no name or text of a model is in
    it, so nothing that a file says can run.
    """
    namespace: dict[str, Any] = {**FUNCTIONS, 'sqrt': math.sqrt}
    exec(_code(program), namespace)
    function: Function = namespace['f']
    return function


def _code(program: Program) -> CodeType:
    blocks = {name: f'b{number}' for number, name in enumerate(program.arguments)}
    lines = [
        f'    v{value} = {infix(instruction, blocks)}'
        for value, instruction in enumerate(program.instructions)
    ]
    results = (_tuple([f'v{value}' for value in values]) for values in program.results.values())
    source = '\n'.join(
        [
            f'def f({", ".join(blocks.values())}):',
            *lines,
            f'    return {_tuple(list(results))}',
        ]
    )
    return compile(source, f'<tape {len(program.instructions)}>', 'exec')


def _tuple(items: Sequence[str]) -> str:
    return '(' + ''.join(f'{item}, ' for item in items) + ')'
