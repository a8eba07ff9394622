"""
Kernels become LLVM IR: a small typed part of Python, read from its syntax tree.

Known are floats, ints, bools, tuples of them to any depth, and memory; assignments, ``if``,
``while``, ``for`` over a ``range``, ``return``; arithmetic, comparisons, conditional expressions;
calls of other kernels of this package, of `abs`, `min`, `max`, `int`, `float` and of ``math.sqrt``
and the like. A name has one type throughout a function. Anything else is a `KernelError` with file
and line. Operations mean what they mean in Python, bit for bit, except that a division by zero
gives inf or nan, that ints have 64 bits, and that no index is checked.

Tuples exist only here: a variable is as many memory cells as its tuple has numbers, which LLVM
makes registers of, and a function takes and returns them one by one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
import functools
from typing import Any

from symcontact_ros.compiled.kernel_expressions import Expressions
from symcontact_ros.compiled.kernel_operations import LIBRARY
from symcontact_ros.compiled.kernel_values import (
    BOOL,
    INT,
    leaves,
    Number,
    shaped,
    structure,
    Type,
    type_of,
    Value,
)

_UNKNOWN = 'unknown'  # the type of a result before the first return


class Module:
    """The IR of an entry and of all that it calls."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._compiled: dict[tuple[int, Type], tuple[str, Type]] = {}
        self._kept: list[Any] = []  # functions, so that their ids stay theirs

    def entry(self, function: Callable[..., None], types: Sequence[Type], symbol: str) -> None:
        """Add a function that is called from outside."""
        self.compiled(function, tuple(types), symbol)

    def compiled(self, function: Any, types: Type, symbol: str = '') -> tuple[str, Type]:
        """Return a function for given types of its arguments."""
        key = id(function), types
        if key not in self._compiled:
            self._kept.append(function)
            name = symbol or f'{function.__name__}.{len(self._kept)}'
            writer = _Function(self, function, types)
            result = writer.run()
            # A cycle would have come here without end: kernels do not call themselves.
            self._texts.append(writer.text(name, bool(symbol)))
            self._compiled[key] = (name, result)
        return self._compiled[key]

    def text(self) -> str:
        """Return the module."""
        unary = [
            'llvm.sqrt.f64',
            'llvm.fabs.f64',
            'llvm.floor.f64',
            *(n for n in LIBRARY if n != 'atan2'),
        ]
        lines = [f'declare double @{name}(double)' for name in unary]
        return '\n'.join([*lines, 'declare double @atan2(double, double)', *self._texts]) + '\n'


@functools.cache
def definitions(path: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file by the line that they start in."""
    with open(path, encoding='utf-8') as file:
        tree = ast.parse(file.read())
    return {
        min([node.lineno, *(d.lineno for d in node.decorator_list)]): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }


class _Function(Expressions):
    """Writes one function for given types of its arguments."""

    def __init__(self, module: Module, function: Any, types: Type) -> None:
        super().__init__(function, module.compiled)
        code = function.__code__
        self._definition = definitions(code.co_filename)[code.co_firstlineno]
        self._types = types
        self._parameters = [Number(leaf, f'%a{i}') for i, leaf in enumerate(leaves(types))]
        self._result: Type = _UNKNOWN
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self._node = self._definition

    def run(self) -> Type:
        """Write the body and return the type of its result."""
        arguments = self._definition.args
        if len(arguments.args) != len(self._types) or arguments.vararg or arguments.kwonlyargs:
            self._fail(f'{self._definition.name} takes {len(arguments.args)} plain arguments')
        values = shaped(self._types, self._parameters)
        for argument, value in zip(arguments.args, values, strict=True):
            self._assign_name(argument.arg, value)
        self._block(self._definition.body)
        if self._open:
            self._return(None)
        return self._result

    def text(self, symbol: str, external: bool) -> str:
        """Return the function as IR."""
        parameters = ', '.join(f'{p.type} {p.name}' for p in self._parameters)
        inline = 'noinline' if self._function.__dict__.get('separate') else 'alwaysinline'
        start = (
            f'define void @{symbol}({parameters}) nounwind {{'
            if external
            else f'define internal fastcc {structure(self._result)} @"{symbol}"({parameters}) '
            f'nounwind {inline} {{'
        )
        return '\n'.join([start, *self._cells, *self._lines, '}'])

    # Assignments --------------------------------------------------------------------------------

    def _assign_name(self, name: str, value: Value) -> None:
        if name == '_':  # for what nobody asks
            return
        if name not in self._variables:
            self._variables[name] = self._cells_of(type_of(value))
        cells = self._variables[name]
        if type_of(cells) != type_of(value):
            self._fail(f'{name} is {type_of(cells)} and cannot be {type_of(value)}')
        self._store(cells, value)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Tuple):
            if isinstance(value, Number) or len(value) != len(target.elts):
                self._fail(f'{len(target.elts)} names for {type_of(value)}')
            for part, element in zip(target.elts, value, strict=True):
                self._assign(part, element)
        elif isinstance(target, ast.Subscript):
            place = self._place(target)
            if f'{value.type}*' != place.type:
                self._fail(f'memory of {place.type[:-1]} cannot take {value.type}')
            self._emit(f'store {value.type} {value.name}, {place.type} {place.name}')
        else:
            self._fail('cannot assign to this')

    # Statements ---------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self._open:  # what follows a return, a break or a continue never runs
                self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        self._node = node
        name = type(node).__name__
        method = getattr(self, f'_on_{name.lower()}', None)
        if method is None:
            self._fail(f'{name} is not known in kernels')
        method(node)

    def _on_pass(self, node: ast.Pass) -> None: ...

    def _on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # which is a docstring
            self._value(node.value)

    def _on_assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _on_augassign(self, node: ast.AugAssign) -> None:
        old = self._value(node.target)
        self._assign(node.target, self._binary(node.op, old, self._value(node.value)))

    def _on_return(self, node: ast.Return) -> None:
        self._return(None if node.value is None else self._value(node.value))

    def _return(self, value: Value) -> None:
        type_ = None if value is None else type_of(value)
        if self._result == _UNKNOWN:
            self._result = type_
        if self._result != type_:
            self._fail(f'returns {type_} here and {self._result} elsewhere')
        if value is None:
            self._emit('ret void')
        else:
            struct_, name = structure(type_), 'undef'
            for i, leaf in enumerate(leaves(value)):
                line = f'insertvalue {struct_} {name}, {leaf.type} {leaf.name}, {i}'
                name = self._new(struct_, line).name
            self._emit(f'ret {struct_} {name}')
        self._open = False

    def _on_if(self, node: ast.If) -> None:
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(self._condition(node.test), then, otherwise)
        ends = []
        for label, body in ((then, node.body), (otherwise, node.orelse)):
            self._start(label)
            self._block(body)
            ends.append(self._open)
            self._jump(after)
        if any(ends):
            self._start(after)

    def _on_while(self, node: ast.While) -> None:
        test, body, after = self._label(), self._label(), self._label()
        self._start(test)
        self._branch(self._condition(node.test), body, after)
        self._loop(body, node.body, test, after)
        self._start(after)

    def _on_for(self, node: ast.For) -> None:
        call = node.iter
        is_range = isinstance(call, ast.Call) and getattr(call.func, 'id', '') == 'range'
        if not is_range or not isinstance(node.target, ast.Name) or node.orelse:
            self._fail('a loop goes over a range, with one name')
        assert isinstance(call, ast.Call) and isinstance(node.target, ast.Name)
        limits = [self._value(argument) for argument in call.args]
        first = limits[0] if len(limits) > 1 else Number(INT, '0')
        last = limits[1] if len(limits) > 1 else limits[0]
        counter = self._cell(INT)
        self._store(counter, first)
        test, body, again, after = (self._label() for _ in range(4))
        self._start(test)
        here = self._load(counter)
        if len(limits) > 2:
            self._fail('a range goes up by one')
        self._branch(self._new(BOOL, f'icmp slt i64 {here.name}, {last.name}'), body, after)
        self._start(body)
        self._assign_name(node.target.id, here)
        self._loop(body, node.body, again, after, started=True)
        self._start(again)
        self._store(counter, self._new(INT, f'add i64 {here.name}, 1'))
        self._jump(test)
        self._start(after)

    def _loop(
        self,
        label: str,
        body: Sequence[ast.stmt],
        again: str,
        after: str,
        started: bool = False,
    ) -> None:
        if not started:
            self._start(label)
        self._loops.append((again, after))
        self._block(body)
        self._loops.pop()
        self._jump(again)

    def _on_break(self, node: ast.Break) -> None:
        self._jump(self._loops[-1][1])

    def _on_continue(self, node: ast.Continue) -> None:
        self._jump(self._loops[-1][0])
