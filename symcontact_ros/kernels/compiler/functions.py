"""Functions of kernels become LLVM IR: statements, one function at a time."""

from __future__ import annotations

import ast
from collections.abc import Sequence
import functools
from typing import Any

from symcontact_ros.kernels.compiler.expressions import Expressions, Resolve
from symcontact_ros.kernels.compiler.places import Checks
from symcontact_ros.kernels.compiler.values import (
    BOOL,
    described,
    INT,
    is_tuple,
    leaves,
    Memory,
    Number,
    Row,
    shaped,
    structure,
    Type,
    type_of,
    Value,
)
from symcontact_ros.kernels.compiler.writer import whole
from symcontact_ros.kernels.errors import KernelError

_UNKNOWN = 'unknown'  # the type of a result before the first return
_NOTHING = '_'  # a name for what nobody asks


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


class Function(Expressions):
    """Writes one function for given types of its arguments."""

    def __init__(self, function: Any, types: Type, resolve: Resolve, checks: Checks) -> None:
        super().__init__(function, resolve, checks)
        code = function.__code__
        try:
            self._definition = definitions(code.co_filename)[code.co_firstlineno]
        except (OSError, KeyError, SyntaxError):
            raise KernelError(f'{code.co_filename}: {function.__name__} has no source') from None
        self._node = self._definition
        self._types = types
        self._parameters = [Number(leaf, f'%a{i}') for i, leaf in enumerate(leaves(types))]
        self._result: Type = _UNKNOWN
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self._locals = _assigned_names(self._definition)

    def run(self) -> Type:
        """Write the body and return the type of its result."""
        arguments = self._definition.args
        if arguments.vararg or arguments.kwonlyargs or arguments.kwarg:
            self._fail(f'{self._definition.name} must take plain arguments')
        names = [*arguments.posonlyargs, *arguments.args]
        if len(names) != len(self._types):
            self._fail(f'{self._definition.name} takes {len(names)} plain arguments')
        values = shaped(self._types, self._parameters)
        for argument, value in zip(names, values, strict=True):
            self._assign_name(argument.arg, value)
        self._block(self._definition.body)
        self._node = self._definition
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
        if name == _NOTHING:
            return
        if value is None:
            self._fail(f'{name} would be nothing')
        if name not in self._variables:
            self._variables[name] = self._cells_of(type_of(value))
        cells = self._variables[name]
        if type_of(cells) != type_of(value):
            self._fail(
                f'{name} is {described(type_of(cells))} and cannot be {described(type_of(value))}'
            )
        self._store(cells, value)
        self._assigned.add(name)

    def _assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Tuple):
            if not is_tuple(value) or len(value) != len(target.elts):
                self._fail(f'{len(target.elts)} names for {described(type_of(value))}')
            for part, element in zip(target.elts, value, strict=True):
                self._assign(part, element)
        elif isinstance(target, ast.Subscript):
            owner, index = self._place(target)
            self._write_member(owner, index, value)
        elif isinstance(target, ast.Attribute):
            row = self._value(target.value)
            self._assign_field(row, target.attr, value)
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

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assign(node.target, self._value(node.value))

    def _on_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Subscript):  # whose index is computed once
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
        self._return(None if node.value is None else self._value(node.value))

    def _return(self, value: Value) -> None:
        type_ = None if value is None else type_of(value)
        if self._result == _UNKNOWN:
            self._result = type_
        if self._result != type_:
            self._fail(f'returns {described(type_)} here and {described(self._result)} elsewhere')
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
        condition = self._condition(node.test)
        if condition.is_literal:  # the other way need not even make sense
            self._block(node.body if condition.name == 'true' else node.orelse)
            return
        then, otherwise, after = self._label(), self._label(), self._label()
        self._branch(condition, then, otherwise)
        before, ends = set(self._assigned), []
        for label, body in ((then, node.body), (otherwise, node.orelse)):
            self._start(label)
            self._assigned = set(before)
            self._block(body)
            if self._open:
                ends.append(self._assigned)
            self._jump(after)
        self._assigned = set.intersection(*ends) if ends else before
        if ends:
            self._start(after)

    # Loops --------------------------------------------------------------------------------------

    def _on_while(self, node: ast.While) -> None:
        if node.orelse:
            self._fail('a loop has no else')
        test, body, after = self._label(), self._label(), self._label()
        self._start(test)
        condition = self._condition(node.test)
        before = set(self._assigned)
        self._branch(condition, body, after)
        self._start(body)
        self._turn(node.body, test, after)
        self._start(after)
        self._assigned = before  # the body may not have run

    def _on_for(self, node: ast.For) -> None:
        if node.orelse:
            self._fail('a loop has no else')
        call = node.iter
        name = (
            call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ''
        )
        if name == 'range' and isinstance(call, ast.Call):
            if not isinstance(node.target, ast.Name):
                self._fail('a loop over a range has one name')
            self._count_up(node, node.target.id, [self._value(limit) for limit in call.args])
            return
        numbered = name == 'enumerate' and isinstance(call, ast.Call) and len(call.args) == 1
        members = self._value(call.args[0] if numbered else call)
        if not is_tuple(members):
            self._fail('a loop goes over a range or over a tuple')
        self._unroll(node, members, numbered)

    def _count_up(self, node: ast.For, name: str, limits: list[Value]) -> None:
        if not 1 <= len(limits) <= 2 or any(getattr(n, 'type', '') != INT for n in limits):
            self._fail('a range has one or two ints, and goes up by one')
        first, last = (whole(0), limits[0]) if len(limits) == 1 else limits
        counter = self._cell(INT)
        self._store(counter, first)
        test, body, again, after = (self._label() for _ in range(4))
        self._start(test)
        here = self._load(counter)
        before = set(self._assigned)
        self._branch(self._new(BOOL, f'icmp slt i64 {here.name}, {last.name}'), body, after)
        self._start(body)
        self._assign_name(name, here)
        self._turn(node.body, again, after)
        self._start(again)
        self._store(counter, self._new(INT, f'add i64 {here.name}, 1'))
        self._jump(test)
        self._start(after)
        self._assigned = before

    def _unroll(self, node: ast.For, members: Sequence[Value], numbered: bool) -> None:
        """Write a loop over a tuple: its body once for each member."""
        after = self._label()
        names = _assigned_names(node.target)
        before = set(self._assigned)
        for number, member in enumerate(members):
            for name in names - before:
                self._variables.pop(name, None)  # members may have other types, or be known
            again = self._label()
            self._assign(node.target, (whole(number), member) if numbered else member)
            self._turn(node.body, again, after)
            self._start(again)
            self._assigned = set(before)
        self._start(after)

    def _turn(self, body: Sequence[ast.stmt], again: str, after: str) -> None:
        """Write the body of a loop."""
        self._loops.append((again, after))
        self._block(body)
        self._loops.pop()
        self._jump(again)

    def _on_break(self, node: ast.Break) -> None:
        self._jump(self._loops[-1][1])

    def _on_continue(self, node: ast.Continue) -> None:
        self._jump(self._loops[-1][0])


def _assigned_names(node: ast.AST) -> set[str]:
    """Return all names that get a value in a piece of code, arguments included."""
    names = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return names | {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
