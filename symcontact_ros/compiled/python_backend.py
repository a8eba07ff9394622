"""A straight-line program becomes a plain Python function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType

from symcontact_ros.tape import Instruction, Program

# Blocks of numbers in, one tuple per result block out.
Function = Callable[..., tuple[tuple[float, ...], ...]]

_SYMBOL = {'add': '+', 'sub': '-', 'mul': '*', 'div': '/'}


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
        f'    v{value} = {_expression(instruction, blocks)}'
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


def _expression(instruction: Instruction, blocks: dict[str, str]) -> str:
    operation, *operands = instruction
    if operation == 'input':
        return f'{blocks[str(operands[0])]}[{int(operands[1])}]'
    if operation == 'constant':
        return repr(float(operands[0]))
    values = [f'v{int(operand)}' for operand in operands]
    if operation in _SYMBOL:
        return f' {_SYMBOL[str(operation)]} '.join(values)
    return f'-{values[0]}' if operation == 'neg' else f'{operation}({", ".join(values)})'


def _tuple(items: Sequence[str]) -> str:
    return '(' + ''.join(f'{item}, ' for item in items) + ')'
