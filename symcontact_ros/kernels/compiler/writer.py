"""Lines of LLVM IR: numbers with names, blocks and jumps, cells for variables."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import FunctionType
from typing import NoReturn

from symcontact_ros.kernels.compiler.values import (
    filled,
    leaves,
    Number,
    numbers_of,
    Type,
    type_of,
    Value,
)
from symcontact_ros.kernels.errors import KernelError

_ENTRY = 'entry'  # the first block
_FAULT = 'fault'  # the block that leaves a function after a fault


class Variable:
    """Cells of the value of a name, which LLVM turns into registers."""

    __slots__ = ('cells', 'type')

    def __init__(self, type_: Type, cells: list[Number]) -> None:
        self.type = type_
        self.cells = cells


class Writer:
    """Writer of the lines of one function."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._cells: list[str] = []
        self._lines: list[str] = []
        self._count = 0
        self._open = True  # whether the current block is open
        self._current = _ENTRY  # the block that lines go to
        self._leaves_early = False  # whether there is a jump to the fault block
        self._node: ast.AST = ast.Pass()  # the current syntax tree

    @property
    def place(self) -> str:
        """File and line of the current syntax tree."""
        code = self._function.__code__
        return f'{code.co_filename}:{getattr(self._node, "lineno", code.co_firstlineno)}'

    def _fail(self, reason: str) -> NoReturn:
        raise KernelError(f'{self.place}: {reason}')

    def _emit(self, line: str) -> None:
        if self._open:
            self._lines.append(f'  {line}')

    def _new(self, type_: str, line: str) -> Number:
        self._count += 1
        name = f'%t{self._count}'
        if self._open:
            self._lines.append(f'  {name} = {line}')
        return Number(type_, name)

    def _body(self, result: str) -> list[str]:
        """Return all lines of the function."""
        end = [f'{_FAULT}:', f'  ret {result}' + ' zeroinitializer' * (result != 'void')]
        return [f'{_ENTRY}:', *self._cells, *self._lines, *(end if self._leaves_early else ())]

    # Blocks -------------------------------------------------------------------------------------

    def _label(self) -> str:
        self._count += 1
        return f'b{self._count}'

    def _start(self, label: str) -> None:
        """Start a block; an open block continues in it."""
        if self._open:
            self._lines.append(f'  br label %{label}')
        self._lines.append(f'{label}:')
        self._current = label
        self._open = True

    def _jump(self, label: str) -> None:
        self._emit(f'br label %{label}')
        self._open = False

    def _branch(self, condition: Number, then: str, otherwise: str) -> None:
        self._emit(f'br i1 {condition.name}, label %{then}, label %{otherwise}')
        self._open = False

    def _leave(self) -> None:
        """Leave the function after a fault."""
        self._leaves_early = True
        self._jump(_FAULT)

    def _joined(self, ways: Sequence[tuple[str, Value]]) -> Value:
        """Return a value that depends on the preceding block (phi)."""
        columns = zip(*(numbers_of(value) for _, value in ways), strict=True)
        joined = []
        for column in columns:
            pairs = ', '.join(
                f'[{number.name}, %{label}]'
                for (label, _), number in zip(ways, column, strict=True)
            )
            joined.append(self._new(column[0].type, f'phi {column[0].type} {pairs}'))
        return filled(type_of(ways[0][1]), iter(joined))

    # Cells --------------------------------------------------------------------------------------

    def _cell(self, type_: str) -> Number:
        self._count += 1
        name = f'%v{self._count}'
        self._cells.append(f'  {name} = alloca {type_}')
        return Number(type_, name)

    def _variable(self, type_: Type) -> Variable:
        return Variable(type_, [self._cell(leaf) for leaf in leaves(type_)])

    def _store(self, variable: Variable, value: Value) -> None:
        for cell, number in zip(variable.cells, numbers_of(value), strict=True):
            self._emit(f'store {number.type} {number.name}, {number.type}* {cell.name}')

    def _load(self, variable: Variable) -> Value:
        numbers = [
            self._new(cell.type, f'load {cell.type}, {cell.type}* {cell.name}')
            for cell in variable.cells
        ]
        return filled(variable.type, iter(numbers))
