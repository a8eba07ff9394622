"""
Programs as JSON text for the cache.

The text is not trusted: it is parsed to a valid program, or ValueError is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
import json
import math
from typing import Any

from symcontact_ros.kernels.tape import BINARY, Instruction, Program, UNARY

LONGEST_BLOCK = 1_000_000  # numbers in an argument block of a program that is read back
_OPERANDS = {**dict.fromkeys(UNARY, 1), **dict.fromkeys(BINARY, 2)}


def programs_to_json(programs: Sequence[Program]) -> bytes:
    """Return programs as JSON text; numbers are written without loss."""
    written = [
        {
            'name': program.name,
            'arguments': list(program.arguments.items()),
            'instructions': [
                ('constant', float(instruction[1]))
                if instruction[0] == 'constant'
                else instruction
                for instruction in program.instructions
            ],
            'results': list(program.results.items()),
        }
        for program in programs
    ]
    return json.dumps(written, allow_nan=False, separators=(',', ':')).encode()


def programs_from_json(text: bytes) -> list[Program]:
    """Return the programs of a JSON text; one that is not made by `programs_to_json` raises."""
    try:
        return [_program(**_dict(written)) for written in _list(json.loads(text))]
    except (TypeError, LookupError, RecursionError) as error:
        raise ValueError(f'not a list of programs: {error!r}') from None


def _program(*, name: Any, arguments: Any, instructions: Any, results: Any) -> Program:
    lengths = {_text(block): _integer(n, LONGEST_BLOCK) for block, n in _list(arguments)}
    values = {
        _text(block): tuple(_integer(value, len(instructions) - 1) for value in _list(members))
        for block, members in _list(results)
    }
    if len(lengths) != len(arguments) or len(values) != len(results):
        raise ValueError('two blocks of the same name')
    checked = tuple(
        _instruction(_list(instruction), lengths, value)
        for value, instruction in enumerate(_list(instructions))
    )
    return Program(_text(name), lengths, checked, values)


def _instruction(written: list[Any], lengths: dict[str, int], value: int) -> Instruction:
    """Return the instruction that computes a value; it may use earlier values alone."""
    operation, *operands = written
    if operation == 'constant':
        (number,) = operands
        if type(number) is not float or not math.isfinite(number):
            raise ValueError(f'not a finite number: {number!r:.50}')
        return (operation, number)
    if operation == 'input':
        block, index = operands
        return (operation, _text(block), _integer(index, lengths[block] - 1))
    if not isinstance(operation, str) or _OPERANDS.get(operation) != len(operands):
        raise ValueError(f'not an operation of {len(operands)} operands: {operation!r:.50}')
    return (operation, *(_integer(operand, value - 1) for operand in operands))


def _integer(item: object, largest: int) -> int:
    if type(item) is not int or not 0 <= item <= largest:
        raise ValueError(f'not an integer from 0 to {largest}: {item!r:.50}')
    return item


def _text(item: object) -> str:
    if not isinstance(item, str) or not item:
        raise ValueError(f'not a name: {item!r:.50}')
    return item


def _list(item: object) -> list[Any]:
    if not isinstance(item, list):
        raise ValueError(f'not a list: {item!r:.50}')
    return item


def _dict(item: object) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise ValueError(f'not an object: {item!r:.50}')
    return item
