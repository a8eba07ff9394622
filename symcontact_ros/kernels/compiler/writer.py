"""Lines of LLVM IR: numbers with names, blocks and jumps, cells for variables."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from symcontact_ros.kernels.compiler.values import (
    INT,
    leaves,
    Number,
    shaped,
    Type,
    type_of,
    Value,
)
from symcontact_ros.kernels.errors import KernelError


class Writer:
    """
    Writes the lines of one function.

    Variables are cells at the start of the function, one per number, which LLVM makes registers
    of.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self._cells: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._open = True  # whether the current block has not ended
        self._node: ast.AST = ast.Pass()  # what is being written

    @property
    def place(self) -> str:
        """File and line of what is being written."""
        return f'{self._function.__code__.co_filename}:{getattr(self._node, "lineno", 0)}'

    def _fail(self, reason: str) -> NoReturn:
        raise KernelError(f'{self.place}: {reason}')

    def _emit(self, line: str) -> None:
        if self._open:
            self._lines.append(f'  {line}')

    def _new(self, type_: str, line: str) -> Number:
        self._count += 1
        number = Number(type_, f'%t{self._count}')
        self._emit(f'{number.name} = {line}')
        return number

    def _label(self) -> str:
        self._count += 1
        return f'b{self._count}'

    def _start(self, label: str) -> None:
        """Start a block; one that has not ended goes on into it."""
        self._emit(f'br label %{label}')
        self._lines.append(f'{label}:')
        self._open = True

    def _jump(self, label: str) -> None:
        self._emit(f'br label %{label}')
        self._open = False

    def _branch(self, condition: Number, then: str, otherwise: str) -> None:
        self._emit(f'br i1 {condition.name}, label %{then}, label %{otherwise}')
        self._open = False

    # Cells --------------------------------------------------------------------------------------

    def _cell(self, type_: str) -> Number:
        self._count += 1
        name = f'%v{self._count}'
        self._cells.append(f'  {name} = alloca {type_}')
        return Number(type_, name)

    def _cells_of(self, type_: Type) -> Value:
        return shaped(type_, (self._cell(leaf) for leaf in leaves(type_)))

    def _store(self, cells: Value, value: Value) -> None:
        for cell, number in zip(leaves(cells), leaves(value), strict=True):
            self._emit(f'store {number.type} {number.name}, {number.type}* {cell.name}')

    def _load(self, cells: Value) -> Value:
        numbers = [
            self._new(cell.type, f'load {cell.type}, {cell.type}* {cell.name}')
            for cell in leaves(cells)
        ]
        return shaped(type_of(cells), numbers)


def whole(number: int) -> Number:
    """Return an int that is known."""
    return Number(INT, str(number))
