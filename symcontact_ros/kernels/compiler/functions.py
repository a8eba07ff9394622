"""LLVM IR of the functions of kernels: statements, one function at a time."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from symcontact_ros.kernels.compiler.calls import Resolve
from symcontact_ros.kernels.compiler.expressions import Expressions
from symcontact_ros.kernels.compiler.memory_access import Checks
from symcontact_ros.kernels.compiler.sources import definition_of, is_counting, names_of
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    described,
    filled,
    INT,
    kind_of,
    leaves,
    Memory,
    NOTHING,
    Number,
    numbers_of,
    Row,
    structure,
    Type,
    type_of,
    Value,
    whole,
)
from symcontact_ros.kernels.compiler.writer import Variable
from symcontact_ros.kernels.statics import Known

_IGNORED = '_'  # a name that is never read
_State = dict[str, Any]


class _Loop:
    """A loop that is being written: its blocks, and its names."""

    def __init__(self, again: str, after: str) -> None:
        self.again = again
        self.after = after
        self.continues: list[_State] = []
        self.breaks: list[_State] = []


class Function(Expressions):
    """Writer of one function for given types of its arguments."""

    def __init__(
        self, function: FunctionType, types: Type, resolve: Resolve, checks: Checks
    ) -> None:
        super().__init__(function, resolve, checks)
        self._definition = definition_of(function)
        self._node = self._definition.node
        self._types = types
        flat = [leaf for type_ in types for leaf in leaves(type_)]
        self._parameters = [Number(leaf, f'%a{i}') for i, leaf in enumerate(flat)]
        self._result: Type = None  # not known before the first return
        self._loops: list[_Loop] = []
        self._variables: dict[str, Variable] = {}  # current cells of names with several values
        self._rooms: dict[tuple[str, Type], Variable] = {}

    def run(self) -> Type:
        """Write the body and return the type of its result."""
        node, names = self._definition.node, self._definition.names
        if node.args.vararg or node.args.kwonlyargs or node.args.kwarg:
            self._fail(f'{node.name} must take plain arguments')
        if len(names) != len(self._types):
            self._fail(f'{node.name} takes {len(names)} arguments, not {len(self._types)}')
        parameters = iter(self._parameters)
        for name, type_ in zip(names, self._types, strict=True):
            value = filled(type_, parameters)
            self._assign_name(
                name, self._constant(value.meaning) if isinstance(value, Known) else value
            )
        self._block(node.body)
        self._node = node
        if self._open:
            self._return(NOTHING)
        return NOTHING if self._result is None else self._result

    def text(self, symbol: str, external: bool) -> str:
        """Return the function as IR."""
        parameters = ', '.join([f'{p.type} {p.name}' for p in self._parameters])
        inline = 'noinline' if self._function.__dict__.get('separate') else 'alwaysinline'
        result = structure(NOTHING if self._result is None else self._result)
        start = (
            f'define {result} @{symbol}({parameters}) nounwind {{'
            if external
            else f'define internal fastcc {result} @"{symbol}"({parameters}) nounwind {inline} {{'
        )
        return '\n'.join([start, *self._body(result), '}'])

    # Assignments --------------------------------------------------------------------------------

    def _assign_name(self, name: str, value: Value) -> None:
        if name == _IGNORED:
            return
        if name not in self._locals:
            self._fail(f'{name} is no name of this function')
        if name in self._definition.once:
            self._state[name] = value
            return
        type_ = type_of(value)
        variable = self._variables.get(name)
        if variable is None:
            variable = self._rooms.get((name, type_))
            if variable is None:
                variable = self._rooms[name, type_] = self._variable(type_)
            self._variables[name] = variable
        if variable.type != type_:
            self._fail(f'{name} is {described(variable.type)} and cannot be {described(type_)}')
        self._store(variable, value)
        self._state[name] = variable

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                self._fail(f'{len(target.elts)} names for {described(type_of(value))}')
            for part, element in zip(target.elts, value, strict=True):
                self._assign(part, element)
        elif isinstance(target, ast.Subscript):
            owner, index = self._place(target)
            self._write_member(owner, index, value)
        elif isinstance(target, ast.Attribute):
            self._assign_field(self._value(target.value), target.attr, value)
        else:
            self._fail('cannot assign to this')

    def _place(self, target: ast.Subscript) -> tuple[Memory, Value]:
        owner = self._value(target.value)
        if not isinstance(owner, Memory) or isinstance(target.slice, ast.Slice):
            self._fail('only members of memory can be written')
        return owner, self._value(target.slice)

    def _assign_field(self, row: Value, name: str, value: Value) -> None:
        field = self._field_of(row, name) if isinstance(row, Row) else None
        if field is None:
            self._fail(f'{described(type_of(row))} has no field {name} that can be written')
        self._write_field(row, field, value)

    # Statements ---------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if not self._open:  # unreachable after return, break or continue
                return
            self._node = statement
            write = _WRITERS.get(type(statement))
            if write is None:
                self._fail(f'{type(statement).__name__} is not known in kernels')
            write(self, statement)

    def _on_pass(self, node: ast.Pass) -> None: ...

    def _on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self._value(node.value)

    def _on_assign(self, node: ast.Assign) -> None:
        value = self._value(node.value)
        for target in node.targets:
            self._assign(target, value)

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self._value(node.value))
        elif not isinstance(node.target, ast.Name):
            self._fail('only a name is declared')

    def _on_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Subscript):  # its index is computed once
            owner, index = self._place(target)
            old = self._member(owner, index)
            self._write_member(owner, index, self._binary(node.op, old, self._value(node.value)))
        elif isinstance(target, ast.Attribute):
            row = self._value(target.value)
            old = self._attribute(row, target.attr)
            value = self._binary(node.op, old, self._value(node.value))
            self._assign_field(row, target.attr, value)
        else:
            old = self._value(target)
            self._assign(target, self._binary(node.op, old, self._value(node.value)))

    def _on_return(self, node: ast.Return) -> None:
        self._return(NOTHING if node.value is None else self._value(node.value))

    def _return(self, value: Value) -> None:
        type_ = type_of(value)
        if self._result is None:
            self._result = type_
        if self._result != type_:
            self._fail(f'returns {described(type_)} here and {described(self._result)} elsewhere')
        returned, numbers = structure(type_), numbers_of(value)
        name = numbers[0].name if len(numbers) == 1 else 'undef'
        for i, number in enumerate(numbers if len(numbers) > 1 else ()):
            line = f'insertvalue {returned} {name}, {number.type} {number.name}, {i}'
            name = self._new(returned, line).name
        self._emit(f'ret {returned} {name}' if numbers else 'ret void')
        self._open = False

    def _on_if(self, node: ast.If) -> None:
        condition = self._condition(node.test)
        if condition.known is not None:  # the other branch is not compiled
            self._block(node.body if condition.known else node.orelse)
            return
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(condition, then, otherwise if node.orelse else after)
        before, ends = self._state, [] if node.orelse else [self._state]
        for label, body in ((then, node.body), (otherwise, node.orelse)):
            if body:
                self._start(label)
                self._state = dict(before)
                self._block(body)
                if self._open:
                    ends.append(self._state)
                self._jump(after)
        self._go_on(after, ends)

    def _go_on(self, label: str, ends: list[_State]) -> None:
        """Start a block after its predecessors, if any, with the names that all of them have."""
        if not ends:
            return
        self._start(label)
        first, *others = ends
        self._state = {
            name: value
            for name, value in first.items()
            if all(other.get(name) is value for other in others)
        }

    # Loops --------------------------------------------------------------------------------------

    def _on_while(self, node: ast.While) -> None:
        self._refuse_else(node.orelse)
        loop = _Loop(self._label(), self._label())
        self._start(loop.again)
        condition = self._condition(node.test)
        if condition.known is False:
            return
        before = self._state
        if condition.known is None:
            loop.breaks.append(before)
            body = self._label()
            self._branch(condition, body, loop.after)
            self._start(body)
        self._turn(node.body, loop)
        self._jump(loop.again)
        self._go_on(loop.after, loop.breaks)

    def _on_for(self, node: ast.For) -> None:
        self._refuse_else(node.orelse)
        if is_counting(node):
            self._count_up(node)
            return
        call: Any = node.iter
        numbered = (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and self._is_builtin(call.func, builtins.enumerate)
        )
        if numbered and (len(call.args) != 1 or call.keywords):
            self._fail('enumerate takes one tuple, and counts from 0')
        members = self._value(call.args[0] if numbered else call)
        if not isinstance(members, tuple):
            self._fail('a loop goes over a range or over a tuple')
        self._unroll(node, members, numbered)

    def _refuse_else(self, orelse: Sequence[ast.stmt]) -> None:
        if orelse:
            self._fail('a loop has no else')

    def _is_builtin(self, node: ast.Name, wanted: Any) -> bool:
        """Return whether a name is that of a builtin that is not shadowed here."""
        if node.id != wanted.__name__:
            return False
        value = self._value(node)
        return isinstance(value, Known) and value.meaning is wanted

    def _limits(self, node: ast.For) -> list[Number]:
        call: Any = node.iter
        if not self._is_builtin(call.func, builtins.range):
            self._fail('this range is another one than that of Python')
        values = [self._value(limit) for limit in call.args]
        if call.keywords or not 1 <= len(values) <= 2 or any(kind_of(v) != INT for v in values):
            self._fail('a range has one or two ints, and goes up by one')
        return [whole(0), *values][-2:]

    def _count_up(self, node: ast.For) -> None:
        first, last = self._limits(node)
        counter = self._variable(INT)
        self._store(counter, first)
        test, body = self._label(), self._label()
        loop = _Loop(self._label(), self._label())
        self._start(test)
        here = self._load(counter)
        loop.breaks.append(self._state)
        self._branch(self._new(BOOL, f'icmp slt i64 {here.name}, {last.name}'), body, loop.after)
        self._start(body)
        self._state = dict(self._state)
        self._assign(node.target, here)
        self._turn(node.body, loop)
        if self._open or loop.continues:
            self._start(loop.again)
            self._store(counter, self._new(INT, f'add i64 {here.name}, 1'))
            self._jump(test)
        self._go_on(loop.after, loop.breaks)

    def _unroll(self, node: ast.For, members: Sequence[Value], numbered: bool) -> None:
        """Write a loop over a tuple: its body once for each member."""
        before, names = self._state, names_of(node)
        after, breaks = self._label(), []
        for number, member in enumerate(members):
            # Names of the loop alone may have another type in each iteration.
            for name in names - before.keys():
                self._variables.pop(name, None)
            loop = _Loop(self._label(), after)
            self._state = dict(before)
            self._node = node
            self._assign(node.target, (whole(number), member) if numbered else member)
            self._turn(node.body, loop)
            breaks += loop.breaks
            self._go_on(loop.again, [*([self._state] if self._open else ()), *loop.continues])
            if not self._open:
                break
        if breaks:
            self._go_on(after, [*([self._state] if self._open else ()), *breaks])

    def _turn(self, body: Sequence[ast.stmt], loop: _Loop) -> None:
        """Write the body of a loop."""
        self._state = dict(self._state)
        self._loops.append(loop)
        self._block(body)
        self._loops.pop()

    def _on_break(self, node: ast.Break) -> None:
        loop = self._loops[-1]
        loop.breaks.append(self._state)
        self._jump(loop.after)

    def _on_continue(self, node: ast.Continue) -> None:
        loop = self._loops[-1]
        loop.continues.append(self._state)
        self._jump(loop.again)


_WRITERS: dict[type[ast.stmt], Callable[[Any, Any], None]] = {
    ast.AnnAssign: Function._on_annassign,
    ast.Assign: Function._on_assign,
    ast.AugAssign: Function._on_augassign,
    ast.Break: Function._on_break,
    ast.Continue: Function._on_continue,
    ast.Expr: Function._on_expr,
    ast.For: Function._on_for,
    ast.If: Function._on_if,
    ast.Pass: Function._on_pass,
    ast.Return: Function._on_return,
    ast.While: Function._on_while,
}
