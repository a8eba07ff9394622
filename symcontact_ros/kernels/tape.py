"""
Straight-line programs as plain data: compiled form of symbolic equations.

A program is a list of instructions, each computing one number from earlier ones; value ``i`` is
the result of instruction ``i``. There are no branches and no loops, so every backend (Python,
LLVM, C) is a printer of one line per instruction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# ('input', block, index) | ('constant', number) | (operation, value, ...)
Instruction = tuple[str | int | float, ...]

BINARY = ('add', 'sub', 'mul', 'div', 'pow')
OPERATORS = {'add': '+', 'sub': '-', 'mul': '*', 'div': '/'}
PRODUCTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)  # exponents that need no power
UNARY = ('neg', 'sin', 'cos', 'tan', 'sqrt', 'exp', 'log', 'tanh')


@dataclass(frozen=True)
class Program:
    """Arguments in, results out; both are blocks of numbers with a name and a length."""

    name: str
    arguments: dict[str, int]  # block -> count of numbers
    instructions: tuple[Instruction, ...]
    results: dict[str, tuple[int, ...]]  # block -> the values it returns

    def operations(self) -> int:
        """Return the number of arithmetic operations of a run, without sign changes."""
        free = ('input', 'constant', 'neg')
        return sum(instruction[0] not in free for instruction in self.instructions)


class Builder:
    """Builder of a program; equal instructions are merged, unused ones omitted."""

    def __init__(self, arguments: dict[str, int]) -> None:
        self.arguments = arguments
        self.instructions: list[Instruction] = []
        self._values: dict[Instruction, int] = {}

    def emit(self, *instruction: str | int | float) -> int:
        """Return the value of an instruction, which is appended unless it exists already."""
        if instruction not in self._values:
            self._values[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return self._values[instruction]

    def power(self, base: int, exponent: float) -> int:
        """Return a value to a power; small whole and half ones are products and a root."""
        if exponent not in PRODUCTS:
            return self.emit('pow', base, self.emit('constant', exponent))
        factors = [base] * int(exponent)
        if exponent % 1.0:
            factors.append(self.emit('sqrt', base))
        value = factors[0]
        for factor in factors[1:]:
            value = self.emit('mul', value, factor)
        return value

    def program(self, name: str, results: dict[str, tuple[int, ...]]) -> Program:
        """Return the program that computes just these results."""
        live = reachable(self.instructions, [v for block in results.values() for v in block])
        return _renumbered(name, self.arguments, self.instructions, live, results)


def restrict(program: Program, name: str, results: Sequence[str]) -> Program:
    """Return the program that computes only some of the results; its arguments are the same."""
    wanted = {block: program.results[block] for block in results}
    live = reachable(program.instructions, [v for values in wanted.values() for v in values])
    return _renumbered(name, program.arguments, program.instructions, live, wanted)


def infix(instruction: Instruction, blocks: Mapping[str, str]) -> str:
    """Return an instruction as Python and C both write it; value 7 is called v7."""
    operation, *arguments = instruction
    if operation == 'input':
        return f'{blocks[str(arguments[0])]}[{int(arguments[1])}]'
    if operation == 'constant':
        return repr(float(arguments[0]))
    values = [f'v{int(argument)}' for argument in arguments]
    if operation in OPERATORS:
        return f' {OPERATORS[str(operation)]} '.join(values)
    return f'-{values[0]}' if operation == 'neg' else f'{operation}({", ".join(values)})'


def operands(instruction: Instruction) -> tuple[int, ...]:
    """Return the values that an instruction reads."""
    reads_none = instruction[0] in ('input', 'constant')
    return () if reads_none else instruction[1:]  # type: ignore[return-value]


def reachable(
    instructions: list[Instruction] | tuple[Instruction, ...], wanted: list[int]
) -> list[int]:
    """Return, in order, the given values and all values that they depend on."""
    live = set(wanted)
    for value in range(len(instructions) - 1, -1, -1):
        if value in live:
            live.update(operands(instructions[value]))
    return sorted(live)


def split(program: Program, block: str, constants: str = 'constants') -> tuple[Program, Program]:
    """
    Split a program into a prologue, run when ``block`` changes, and the rest.

    The prologue takes only ``block`` and returns ``constants``: all values that the rest needs.
    The rest takes ``constants`` in place of ``block``.
    """
    settled: list[bool] = []  # depends only on the block
    for instruction in program.instructions:
        if instruction[0] == 'input':
            settled.append(instruction[1] == block)
        else:
            settled.append(all(settled[value] for value in operands(instruction)))
    literal = [instruction[0] == 'constant' for instruction in program.instructions]

    used = {v for values in program.results.values() for v in values}
    for value, instruction in enumerate(program.instructions):
        if not settled[value]:
            used.update(operands(instruction))
    handed = sorted(value for value in used if settled[value] and not literal[value])

    prologue = _renumbered(
        'prologue',
        {block: program.arguments[block]},
        program.instructions,
        reachable(program.instructions, handed),
        {constants: tuple(handed)},
    )
    body: list[Instruction] = list(program.instructions)
    for index, value in enumerate(handed):
        body[value] = ('input', constants, index)
    arguments = {name: n for name, n in program.arguments.items() if name != block}
    wanted = [v for values in program.results.values() for v in values]
    rest = _renumbered(
        program.name,
        {**arguments, constants: len(handed)},
        body,
        reachable(body, wanted),
        program.results,
    )
    return prologue, rest


def _renumbered(
    name: str,
    arguments: dict[str, int],
    instructions: list[Instruction] | tuple[Instruction, ...],
    kept: list[int],
    results: dict[str, tuple[int, ...]],
) -> Program:
    """Return the program of the selected instructions, numbered from zero."""
    new = {old: number for number, old in enumerate(kept)}
    moved = []
    for old in kept:
        instruction = instructions[old]
        if operands(instruction):
            instruction = (instruction[0], *(new[value] for value in operands(instruction)))
        moved.append(instruction)
    renamed = {block: tuple(new[v] for v in values) for block, values in results.items()}
    return Program(name, arguments, tuple(moved), renamed)
