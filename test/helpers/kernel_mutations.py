"""
Random kernels are broken; then each is refused, or does what it does in plain Python.

What is refused is refused with a `KernelError`. What is compiled for debugging and finds no fault
has finished in plain Python, too, and left the same in memory. Nothing else may happen: no other
exception, no IR that LLVM does not take, no crash, no loop without an end.
"""

import ast
import contextlib
import copy
import random
import sys
import warnings

from helpers.kernel_fuzzing import Batch, needed, text_of
from helpers.kernel_runs import apart, differing, Machine, World
from helpers.kernel_snippets import ATTRIBUTES, CONSTANTS, NAMES, SNIPPETS, STATEMENTS
import numpy as np

from symcontact_ros.kernels.compiler.module import Module
from symcontact_ros.kernels.errors import KernelError, KernelFault

PROGRAMS = 100  # of a batch
LINES = 3000  # that a program may run in plain Python: its loops may have lost their end
SECONDS = 20.0  # that a batch may take
AGREES, DIFFERS, FAULTS, ENDLESS, ACCEPTED, REFUSED, OTHER, CRASHES = range(8)


# Mutations ---------------------------------------------------------------------------------------


def _lines(text):
    """Return the lines of a text; one may stand for several."""
    return [line.strip().replace('\\n', '\n') for line in text.strip().splitlines()]


class Mutator(ast.NodeTransformer):
    """Changes one random place of a function."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self._known = []  # expressions of the function
        self._target = None  # what is changed

    def mutated(self, function):
        """Change a function in place."""
        walked = (node for part in function.body for node in ast.walk(part))
        nodes = [node for node in walked if isinstance(node, ast.expr | ast.stmt)]
        if not nodes:  # an earlier change removed its only statement
            return
        self._known = [
            node
            for node in nodes
            if isinstance(node, ast.expr)
            and isinstance(getattr(node, 'ctx', ast.Load()), ast.Load)
        ]
        statements = [node for node in nodes if isinstance(node, ast.stmt)]
        self._target = self.random.choice(statements if self.random.random() < 0.3 else nodes)
        self.visit(function)

    def visit(self, node):
        if node is not self._target:
            return self.generic_visit(node)
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef):
            return self.statement(node)
        if isinstance(node, ast.expr):
            return self.expression(node)
        return node

    def statement(self, node):
        """Return what a statement becomes."""
        choice = self.random.random()
        if choice < 0.3:
            return None if choice < 0.2 else ast.Pass()
        if choice < 0.4:
            return [node, copy.deepcopy(node)]
        if choice < 0.5 and isinstance(node, ast.If | ast.While | ast.For):
            body = node.body
            return body if choice < 0.45 else ast.If(ast.Constant(True), body, [])
        if choice < 0.55 and isinstance(node, ast.For | ast.While):
            node.orelse = ast.parse('n[0] = 11').body
            return node
        other = ast.parse(self.random.choice(_lines(STATEMENTS))).body
        return other if choice < 0.8 else [*other, node]

    def expression(self, node):
        """Return what an expression becomes."""
        if not isinstance(getattr(node, 'ctx', ast.Load()), ast.Load):
            return self.target(node)
        choice = self.random.random()
        if choice < 0.45:
            return self.changed(node)
        if choice < 0.65:
            return self.known()
        if choice < 0.85:
            return ast.parse(self.random.choice(_lines(SNIPPETS)), mode='eval').body
        if choice < 0.95:
            return ast.Name(self.random.choice(NAMES.split()), ast.Load())
        return ast.Constant(self.random.choice(CONSTANTS))

    def known(self):
        """Return another expression of the function."""
        return copy.deepcopy(self.random.choice(self._known))

    def target(self, node):
        """Return where else an assignment goes."""
        names = ('v1', 'f', 'abs', 'n', 's', 'w2', 'math', '_', 'range')
        if isinstance(node, ast.Name):
            return ast.Name(self.random.choice(names), node.ctx)
        if isinstance(node, ast.Attribute):
            return ast.Attribute(node.value, self.random.choice(ATTRIBUTES.split()), node.ctx)
        text = self.random.choice(('f[1.0]', 'f[-1]', 'f[9]', 'n[n[0]]', 'rows[0]', 'f[0:1]'))
        place = ast.parse(text, mode='eval').body
        place.ctx = ast.Store()
        return place

    def changed(self, node):
        """Return an expression that is nearly the same."""
        pick = self.random.choice
        if isinstance(node, ast.Attribute):
            node.attr = pick(ATTRIBUTES.split())
        elif isinstance(node, ast.BinOp):
            operators = (
                ast.Add,
                ast.Sub,
                ast.Mult,
                ast.Div,
                ast.FloorDiv,
                ast.Mod,
                ast.Pow,
                ast.RShift,
                ast.BitAnd,
                ast.BitOr,
                ast.BitXor,
                ast.MatMult,
            )
            node.op = pick(operators)()
        elif isinstance(node, ast.Compare):
            operators = (ast.Lt, ast.LtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
            node.ops[pick(range(len(node.ops)))] = pick(operators)()
        elif isinstance(node, ast.UnaryOp):
            node.op = pick((ast.Not, ast.USub, ast.UAdd, ast.Invert))()
        elif isinstance(node, ast.Call):
            self.called(node)
        elif isinstance(node, ast.Subscript):
            text = pick(
                ('0', '-1', '7', '99', '1.0', '0:1', '1:', ':', 'n[0]', '0, 1', '::2', 'True')
            )
            node.slice = ast.parse(f'_[{text}]', mode='eval').body.slice
        elif isinstance(node, ast.Tuple) and node.elts:
            node.elts.pop(pick(range(len(node.elts))))
        elif isinstance(node, ast.Constant):
            return ast.Constant(pick(CONSTANTS))
        return node

    def called(self, node):
        """Change a call."""
        pick = self.random.choice
        choice = self.random.random()
        if choice < 0.3 and node.args:
            node.args.pop(pick(range(len(node.args))))
        elif choice < 0.5:
            node.args.append(self.known())
        elif choice < 0.6 and node.args:
            node.keywords.append(
                ast.keyword(pick(('a', 'b', 'x', 'by', 'more', None)), node.args.pop())
            )
        elif choice < 0.7 and node.args:
            node.args[-1] = ast.Starred(node.args[-1], ast.Load())
        elif choice < 0.85 and len(node.args) > 1:
            node.args.reverse()
        else:
            node.func = self.known()


class Broken:
    """A broken program, with the functions that it needs, under a name of its own."""

    def __init__(self, program, helpers, number, seed):
        functions = [*needed(helpers, program), program]
        tree = ast.parse('\n'.join(function.text() for function in functions))
        names = {function.name: f'{function.name}_{number}' for function in functions}
        mutator = Mutator(f'{seed} {number}')
        for _ in range(mutator.random.choice((1, 1, 1, 2, 3))):
            mutator.mutated(
                mutator.random.choice((tree.body[-1], mutator.random.choice(tree.body)))
            )
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                node.name = names.get(node.name, node.name)
                node.body = node.body or [ast.Pass()]
            elif isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
            elif isinstance(node, ast.If | ast.While | ast.For):
                node.body = node.body or [ast.Pass()]
        self.name = names[program.name]
        self.text = ast.unparse(ast.fix_missing_locations(tree))


def broken(seed, count=PROGRAMS):
    """Return programs that are broken, and still Python."""
    batch, made = Batch(f'{seed}', count), []
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # Python sees what is wrong with some of them
        for number, program in enumerate(batch.programs):
            with contextlib.suppress(SyntaxError, ValueError):
                one = Broken(program, batch.helpers, number, seed)
                compile(f'from __future__ import annotations\n{one.text}', '', 'exec')
                made.append(one)
    return made


# Runs --------------------------------------------------------------------------------------------


def outcomes(programs, seed):
    """Return what becomes of programs: an outcome and a reason for each."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        world = World(text_of([]) + '\n\n'.join(program.text for program in programs))
    try:
        module, reasons = Module(debug=True), {}
        for number, program in enumerate(programs):
            try:
                module.entry(getattr(world.module, program.name), world.types, program.name)
            except KernelError as error:
                reasons[number] = REFUSED, str(error)
            except Exception as error:
                reasons[number] = OTHER, f'{type(error).__name__}: {error}'
        kept = [number for number in range(len(programs)) if number not in reasons]
        names = [programs[number].name for number in kept]
        try:
            machine = Machine(world, module, names, optimized=False)
        except RuntimeError as error:  # LLVM does not take it
            if len(programs) == 1:
                return [(OTHER, str(error))]
            return [outcomes([program], seed)[0] for program in programs]
        found = _run(world, machine, names, seed)
        return [reasons[i] if i in reasons else found[kept.index(i)] for i in range(len(programs))]
    finally:
        world.close()


def _run(world, machine, names, seed):
    """Return what becomes of programs that were compiled."""
    memory = world.memory.filled(len(names), f'{seed}')
    expected = memory.copy()
    arguments = list(world.arguments(expected))
    programs = [getattr(world.module, name) for name in names]

    def work(codes):
        for number in range(int(codes[-1]), len(names)):
            codes[-1] = number
            raised = _raised(programs[number], arguments[number])
            codes[number] = _outcome(raised, machine, number, memory, expected)
        codes[-1] = len(names)

    codes = np.zeros(len(names) + 1, np.int64)
    while codes[-1] < len(names):
        codes = apart(work, codes, SECONDS)
        if codes[-1] < len(names):
            codes[codes[-1]] = CRASHES
            codes[-1] += 1
    return [(int(code), '') for code in codes[:-1]]


class _Endless(BaseException):
    """A program has run too many lines of plain Python."""


def _raised(function, arguments):
    """Run a program as it is; return what it raised."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += 1
        if count > LINES:
            raise _Endless
        return trace

    sys.settrace(trace)
    try:
        function(*arguments)
    except (Exception, _Endless) as error:
        return error
    finally:
        sys.settrace(None)
    return None


def _outcome(raised, machine, number, memory, expected):
    """Return what becomes of one program that has run as it is."""
    if isinstance(raised, _Endless):
        return ENDLESS
    try:
        machine.run(number, memory)
    except KernelFault:
        return FAULTS
    if raised is not None:
        return ACCEPTED
    row = slice(number, number + 1)
    return DIFFERS if differing(memory[row], expected[row]) else AGREES


WORDS = {
    DIFFERS: 'does something else than in plain Python',
    ACCEPTED: 'is accepted, and raises in plain Python',
    OTHER: 'fails in another way than by a KernelError',
    CRASHES: 'crashes, or does not end',
}


def fuzz_invalid(count, seed=0, progress=None, tally=None):
    """Check so many broken programs; return what is wrong, a text for each."""
    wrong, done, batch = [], 0, 0
    while done < count:
        programs = broken(f'{seed}/{batch}', min(PROGRAMS, count - done))
        for program, (code, reason) in zip(
            programs, outcomes(programs, f'{seed}/{batch}'), strict=True
        ):
            if tally is not None:
                tally[code] = tally.get(code, 0) + 1
            if code in WORDS:
                wrong.append(
                    f'seed {seed}/{batch} {program.name} {WORDS[code]}: {reason}\n{program.text}'
                )
        done, batch = done + PROGRAMS, batch + 1
        if progress:
            progress(done, len(wrong))
    return wrong
