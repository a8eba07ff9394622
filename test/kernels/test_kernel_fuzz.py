"""Random kernels do the same compiled and plain, or are refused; broken compilers are found."""

import ast
import os

from helpers import kernel_fuzzing, kernel_mutations
from helpers.kernel_fuzzing import checked, fuzz
from helpers.kernel_mutations import fuzz_invalid
from helpers.kernel_runs import Crash
from helpers.random_cases import cases, SEED
import pytest

from symcontact_ros.kernels import statics
from symcontact_ros.kernels.compiler import (
    calls,
    expressions,
    functions,
    memory_access,
    operations,
)
from symcontact_ros.kernels.compiler.sources import Definition
from symcontact_ros.kernels.compiler.values import BOOL, FLOAT, INT, whole
from symcontact_ros.kernels.errors import KernelError


def test_quick_200_random_kernels_do_the_same_compiled():
    assert not fuzz(200, seed='quick')


def test_2000_random_kernels_of_today_do_the_same_compiled():
    assert not fuzz(2000, seed=SEED)


@pytest.mark.deep
def test_10_000_random_kernels_do_the_same_compiled():
    assert not fuzz(10_000, seed='ordinary')


@pytest.mark.deep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize('tenth', range(10))  # for workers to share
def test_1_000_000_random_kernels_do_the_same_compiled(tenth):
    seed = os.environ.get('SYMCONTACT_FUZZ_SEED', 'deep')  # another one tries other programs
    assert not fuzz(100_000, f'{seed} {tenth}')


def test_random_kernels_do_the_same_compiled_for_debugging():
    assert not fuzz(cases(500), seed=f'debugged {SEED}', debug=True)


def test_broken_kernels_are_refused_or_do_the_same():
    tally, count = {}, cases(1000)
    assert not fuzz_invalid(count, seed=f'broken {SEED}', tally=tally)
    assert tally[kernel_mutations.REFUSED] > count / 2
    assert tally[kernel_mutations.AGREES] > count / 10


@pytest.mark.deep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize('fourth', range(4))
def test_100_000_broken_kernels_are_refused_or_do_the_same(fourth):
    assert not fuzz_invalid(25_000, seed=f'deep {fourth}')


def test_a_seed_makes_the_same_programs_again():
    one, other = (kernel_fuzzing.Batch('a seed', 5) for _ in range(2))
    texts = [[p.text() for p in batch.programs] for batch in (one, other)]
    assert texts[0] == texts[1]
    assert texts[0] != [p.text() for p in kernel_fuzzing.Batch('another', 5).programs]


# Faults of a compiler, each as it could be made: what is replaced, and by what.
def _wrong_comparison(monkeypatch):
    monkeypatch.setitem(
        operations._COMPARISONS, ast.LtE, ('olt', 'slt', operations._COMPARISONS[ast.Lt][2])
    )


def _nan_is_unequal(monkeypatch):
    monkeypatch.setitem(
        operations._COMPARISONS, ast.NotEq, ('one', 'ne', operations._COMPARISONS[ast.NotEq][2])
    )


def _last_extreme(monkeypatch):
    whole_ = operations.Operations._extreme
    monkeypatch.setitem(
        operations.OPERATIONS, max, lambda writer, values: whole_(writer, values, ast.GtE)
    )


def _negative_zero(monkeypatch):
    monkeypatch.setattr(
        expressions.Expressions,
        '_opposite',
        lambda self, value: self._binary(ast.Sub(), whole(0), value),
    )


def _rounded_to_zero(monkeypatch):
    monkeypatch.setattr(
        operations.Operations,
        '_divided_by',
        lambda self, kind, left, right: self._new(
            INT, f'{"srem" if kind is ast.Mod else "sdiv"} i64 {left.name}, {right.name}'
        ),
    )


def _rounded_up(monkeypatch):
    monkeypatch.setitem(
        operations.OPERATIONS,
        operations.math.floor,
        lambda writer, values: writer._to_int(values),
    )


def _statics_equal(monkeypatch):
    monkeypatch.setattr(
        statics.Known,
        '__eq__',
        lambda self, other: isinstance(other, statics.Known) and self.meaning == other.meaning,
    )


def _stale_names(monkeypatch):
    made = Definition.__init__

    def all_once(self, node):
        made(self, node)
        counts = functions.names_of(ast.For(ast.Tuple([]), ast.Tuple([]), node.body, []))
        self.once = frozenset(counts) | self.once

    monkeypatch.setattr(Definition, '__init__', all_once)


def _target_first(monkeypatch):
    def on_assign(self, node):
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            owner, index = self._place(target)
            self._write_member(owner, index, self._value(node.value))
            return
        value = self._value(node.value)
        for one in node.targets:
            self._assign(one, value)

    monkeypatch.setitem(functions._WRITERS, ast.Assign, on_assign)


def _eager_and(monkeypatch):
    def of_boolop(self, node):
        found, *others = [self._condition(operand) for operand in node.values]
        name = 'and' if isinstance(node.op, ast.And) else 'or'
        for other in others:
            found = self._new(BOOL, f'{name} i1 {found.name}, {other.name}')
        return found

    monkeypatch.setitem(expressions._WRITERS, ast.BoolOp, of_boolop)


def _from_the_start(monkeypatch):
    monkeypatch.setattr(
        expressions.Expressions,
        '_chosen',
        lambda self, values, index: values[0 if index.known is None else int(index.known)],
    )


def _unsigned(monkeypatch):
    def as_float(self, value):
        if value.type == INT and value.known is None:
            return self._new(FLOAT, f'uitofp i64 {value.name} to double')
        return original(self, value)

    original = operations.Operations._as_float
    monkeypatch.setattr(operations.Operations, '_as_float', as_float)


def _ways_swapped(monkeypatch):
    joined = expressions.Expressions._joined
    monkeypatch.setattr(
        expressions.Expressions,
        '_joined',
        lambda self, ways: joined(
            self, [(a, v) for (a, _), (_, v) in zip(ways, [*ways[1:], ways[0]], strict=True)]
        ),
    )


def _old_value_late(monkeypatch):
    def on_augassign(self, node):
        if isinstance(node.target, ast.Subscript):
            owner, index = self._place(node.target)
            value = self._value(node.value)
            old = self._member(owner, index)
            self._write_member(owner, index, self._binary(node.op, old, value))
        else:
            original(self, node)

    original = functions.Function._on_augassign
    monkeypatch.setitem(functions._WRITERS, ast.AugAssign, on_augassign)


def _keywords_in_the_order_of_parameters(monkeypatch):
    def of_call(self, node):
        node.keywords.sort(key=lambda word: word.arg or '')
        return original(self, node)

    original = calls.Calls._of_call
    monkeypatch.setitem(expressions._WRITERS, ast.Call, of_call)


def _far_shift(monkeypatch):
    monkeypatch.setattr(
        operations.Operations,
        '_shift_operation',
        lambda self, kind, left, right: self._new(
            INT,
            f'{"shl" if kind is ast.LShift else "ashr"} i64 {left.name}, '
            f'{self._new(INT, f"and i64 {right.name}, 63").name}',
        ),
    )


def _narrow_rows(monkeypatch):
    monkeypatch.setattr(
        memory_access.MemoryAccess,
        '_width',
        lambda self, memory: min(original(self, memory), 9),
    )


original = memory_access.MemoryAccess._width
FAULTS = [
    _wrong_comparison,
    _nan_is_unequal,
    _last_extreme,
    _negative_zero,
    _rounded_to_zero,
    _rounded_up,
    _statics_equal,
    _stale_names,
    _target_first,
    _eager_and,
    _from_the_start,
    _unsigned,
    _ways_swapped,
    _old_value_late,
    _keywords_in_the_order_of_parameters,
    _far_shift,
    _narrow_rows,
]


@pytest.mark.parametrize('fault', FAULTS)
def test_a_fault_of_the_compiler_is_found(fault, monkeypatch):
    fault(monkeypatch)
    assert any(is_found(f'faults/{number}') for number in range(20))


def is_found(seed):
    batch = kernel_fuzzing.Batch(seed)
    try:
        return bool(kernel_fuzzing.failing(batch.helpers, batch.programs, seed))
    except (KernelError, RuntimeError, Crash):
        return True


def test_a_program_that_fails_is_made_smaller_and_told_with_its_seed(monkeypatch):
    _last_extreme(monkeypatch)
    text = next(wrong[0] for i in range(10) if (wrong := checked(f'small/{i}', 50)))
    assert "seed 'small/" in text
    assert 'differs' in text
    assert text.count('\n') < 12


# Faults that only broken programs show.
def _every_name_known(monkeypatch):
    def go_on(self, label, ends):
        if ends:
            self._start(label)
            self._state = {name: value for end in ends for name, value in end.items()}

    monkeypatch.setattr(functions.Function, '_go_on', go_on)


def _nothing_required(monkeypatch):
    monkeypatch.setattr(memory_access.MemoryAccess, '_require', lambda *_: None)


def _any_type_written(monkeypatch):
    monkeypatch.setattr(
        memory_access.MemoryAccess,
        '_write_member',
        lambda self, memory, index, value: self._written(self._member_start(memory, index), value),
    )


def _any_argument(monkeypatch):
    def given(self, name, parameters, values, named, defaults):
        values = [*values, *named.values(), *(self._constant(d) for d in defaults.values())]
        return values[: len(parameters)]

    monkeypatch.setattr(calls.Calls, '_given', given)


def _else_ignored(monkeypatch):
    monkeypatch.setattr(functions.Function, '_refuse_else', lambda *_: None)


@pytest.mark.parametrize(
    'fault',
    [_every_name_known, _nothing_required, _any_type_written, _any_argument, _else_ignored],
)
def test_a_fault_of_the_compiler_is_found_by_broken_kernels(fault, monkeypatch):
    fault(monkeypatch)
    monkeypatch.setattr(kernel_mutations, 'SECONDS', 3.0)
    assert any(fuzz_invalid(100, f'faults/{number}') for number in range(20))
