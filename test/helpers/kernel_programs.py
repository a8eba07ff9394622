"""
Random programs in the language of kernels.

Every program is a function ``p(f, n, s, rows)`` of a block of floats, one of ints, a record and
rows, which it reads and writes; it may call some functions that are generated, too.
"""

from helpers.kernel_expressions import (
    B,
    Expressions,
    F,
    I,
    MIXED,
    NAMED,
    PAIR,
    Scope,
    STATICS,
    TUPLES,
)
from helpers.kernel_world import EXTRA, FLOATS, INTS

VALUES = (F, F, F, I, I, B, *TUPLES)
MEMORY = [(name, 'memory', '') for name in ('f', 'n', 's', 'rows')]
DEFAULTS = {F: '-2.5', I: '9', B: 'False', 'law': 'SOFT', 'tool': 'turned'}


class Function:
    """A generated function: its statements, and what it takes and gives."""

    def __init__(self, name, parameters, result, body, separate=False):
        self.name = name
        self.parameters = parameters  # name, type, default or ''
        self.result = result
        self.body = body  # statements: a line, or a line and the statements in it
        self.separate = separate

    def text(self):
        given = (n + (f'={default}' if default else '') for n, _, default in self.parameters)
        lines = ['@separate'] if self.separate else []
        lines.append(f'def {self.name}({", ".join(given)}):')
        _write(self.body, '    ', lines)
        return '\n'.join(lines)


def _write(body, indent, lines):
    for statement in body or ('pass',):
        if isinstance(statement, str):
            lines.append(indent + statement)
        else:
            lines.append(indent + statement[0])
            _write(statement[1], indent + '    ', lines)


class Programs(Expressions):
    """Writes random functions; the same seed gives the same ones."""

    def __init__(self, seed):
        super().__init__(seed)
        self._names = 0
        self._result = None

    def helper(self, name):
        """Add a function that programs may call from now on."""
        kinds = (F, F, I, B, PAIR, MIXED, 'P', 'Q', 'floats', 'ints', 'item', 'law', 'tool')
        parameters = [(f'a{i}', self.one(kinds), '') for i in range(self.below(4))]
        if self.chance(0.4):
            type_ = self.one(tuple(DEFAULTS))
            parameters.append((f'a{len(parameters)}', type_, DEFAULTS[type_]))
        self.scope = Scope({})
        for parameter, type_, _ in parameters:
            self.scope.add(type_, parameter)
        self._result = self.one((F, F, F, I, I, B, PAIR, MIXED, 'P', 'Q', None))
        body = self.block(1 + self.below(3), 1)
        if self._result is not None:
            body.append(f'return {self.value(self._result, 2)}')
        made = Function(name, MEMORY + parameters, self._result, body, self.chance(0.5))
        self.helpers.append(made)
        return made

    def program(self, name):
        """Return a program."""
        self.scope = Scope({})
        self._result = None
        body = self.block(2 + self.below(3), 2)
        return Function(name, MEMORY, None, body + self.kept())

    def kept(self):
        """Return statements that write what is known at the end."""
        body = [f'f[{self.below(FLOATS)}] = {name}' for name in self.scope.of(F)[-2:]]
        body += [f'n[{self.below(INTS)}] = {name}' for name in self.scope.of(I)[-2:]]
        body += [f's.item.p = {name}' for name in self.scope.of('P')[-1:]]
        body += [f's.item.on = {name}' for name in self.scope.of(B)[-1:]]
        return body + [f'f[0], f[1] = {name}' for name in self.scope.of(PAIR)[-1:]]

    def name(self):
        self._names += 1
        return f'{self.one(("v", "w", "id", "sum"))}{self._names}'

    # Blocks -------------------------------------------------------------------------------------

    def block(self, count, depth):
        """Return statements."""
        body = []
        for _ in range(count):
            statement = self.one(_STATEMENTS)(self, depth)
            if isinstance(statement, list):
                body += statement
            else:
                body.append(statement)
        return body

    def inner(self, count, depth, type_=None, name='', loop=False):
        """Return statements in a scope of their own."""
        outer, self.scope = self.scope, self.scope.copy()
        if type_ is not None:
            self.scope.add(type_, name)
        self.loops += loop
        body = self.block(count, depth)
        self.loops -= loop
        self.scope = outer
        return body

    # Assignments --------------------------------------------------------------------------------

    def new(self, depth):
        type_ = self.one(VALUES)
        text = self.value(type_, 2)
        name = self.name()
        self.scope.add(type_, name)
        return f'{name}: object = {text}' if self.chance(0.1) else f'{name} = {text}'

    def again(self, depth):
        """Give a name another value."""
        type_ = self.one(VALUES)
        known = self.scope.of(type_)
        if not known:
            return self.new(depth)
        name, other = self.one(known), self.one(known)
        if type_ == F and self.chance(0.4):
            return f'{name} {self.one("+-*")}= {self.value(F, 2)}'
        if type_ == I and self.chance(0.4):
            return f'{name} {self.one(_SHRINKING)}'
        if self.chance(0.2):
            return f'{name}, {other} = {other}, {name}'
        return f'{name} = {self.value(type_, 2)}'

    def unpack(self, depth):
        type_ = self.one(TUPLES)
        text = self.tuple(type_, 2)
        return f'{self.targets(type_)} = {text}'

    def targets(self, type_):
        """Return names, and places, for the parts of a tuple."""
        found = []
        for part in NAMED.get(type_, type_):
            if self.chance(0.15):
                found.append('_')
            elif part in (F, I) and self.chance(0.2):
                found.append(self.place(part))
            elif part not in (F, I, B) and self.chance(0.5):
                found.append(f'({self.targets(part)})')
            else:
                found.append(self.name())
                self.scope.add(part, found[-1])
        return ', '.join(found)

    def place(self, type_):
        """Return where a number can be written to."""
        choice, item = self.below(6), self.item()
        if type_ == I:
            return (
                f'n[{self.below(INTS)}]',
                f'n[{self.index(INTS)}]',
                f'{item}.k',
                f's.ks[{self.index(2)}]',
            )[choice % 4]
        return (
            f'f[{self.below(FLOATS)}]',
            f'f[{self.index(FLOATS)}]',
            f'{item}.x',
            f'{item}.vals[{self.index(3)}]',
            f's.extra[{self.index(EXTRA)}]',
            f'f[1:][{self.below(FLOATS - 1)}]',
        )[choice]

    def write(self, depth):
        """Write to memory."""
        choice = self.below(12)
        if choice < 5:
            how = self.one(('=', '=', '=', '+=', '-=', '*='))
            return f'{self.place(F)} {how} {self.value(F, 2)}'
        if choice < 8:
            how = f'= {self.value(I, 2)}' if choice < 7 else self.one(_SHRINKING)
            return f'{self.place(I)} {how}'
        if choice == 8:
            return f'{self.item()}.on = {self.value(B, 2)}'
        if choice == 9:
            return f'{self.item()}.p = {self.tuple("P", 2)}'
        field = self.one(('pair', 'p'))
        return f'{self.item()}.{field} = ({self.value(F, 1)}, {self.value(I, 1)})'

    def chain(self, depth):
        """Give several places one value."""
        type_ = self.one((F, I))
        text, name = self.value(type_, 2), self.name()
        places = [name, self.place(type_)]
        self.scope.add(type_, name)
        return f'{" = ".join(places[:: self.one((1, -1))])} = {text}'

    def alias(self, depth):
        text = self.item()
        if self.chance(0.3):
            text = f'{text} if {self.value(B, 1)} else {self.item()}'
        name = self.name()
        self.scope.add('item', name)
        return f'{name} = {text}'

    def do(self, depth):
        """Call something for what it does."""
        called = self.call(self.one(self.helpers).result) if self.helpers else ''
        return called or f'{self.item()}.bumped()'

    # Branches -----------------------------------------------------------------------------------

    def branch(self, depth):
        if depth <= 0:
            return self.write(depth)
        condition = self.value(B, 2)
        if self.chance(0.3):
            return self.either(condition, depth)
        made = [(f'if {condition}:', self.inner(1 + self.below(3), depth - 1))]
        if self.chance(0.25):
            made.append((f'elif {self.value(B, 2)}:', self.inner(1, depth - 1)))
        if self.chance(0.5):
            made.append(('else:', self.inner(1 + self.below(2), depth - 1)))
        return made

    def either(self, condition, depth):
        """Give a name a value in both ways of a branch."""
        type_ = self.one((F, I, B, PAIR, 'P'))
        name = self.name()
        ways = [[*self.inner(1, depth - 1), f'{name} = {self.value(type_, 1)}'] for _ in range(2)]
        self.scope.add(type_, name)
        return [(f'if {condition}:', ways[0]), ('else:', ways[1])]

    def leave(self, depth):
        """Leave a loop or a function early."""
        condition = self.value(B, 2)
        if self.loops and self.chance(0.7):
            return f'if {condition}:', [self.one(('break', 'continue'))]
        if self._result is not None:
            return f'if {condition}:', [f'return {self.value(self._result, 1)}']
        return (f'if {condition}:', ['return']) if self.chance(0.3) else self.write(depth)

    # Loops --------------------------------------------------------------------------------------

    def count(self, depth):
        if depth <= 0 or self.loops > 1:
            return self.write(depth)
        limits = self.one(('0', '1', '2', '3', '?', '-1, ?', 'len(rows)', '1, COUNT'))
        limits = limits.replace('?', self.index(4))
        if self.chance(0.1):
            return f'for _ in range({limits}):', self.inner(1, depth - 1, loop=True)
        name = self.name()
        body = self.inner(1 + self.below(3), depth - 1, I, name, loop=True)
        return f'for {name} in range({limits}):', body

    def repeat(self, depth):
        if depth <= 0 or self.loops > 1:
            return self.write(depth)
        counter = f'c{self.name()}'
        if self.chance(0.3):
            return self.forever(counter, depth)
        condition = self.value(B, 2)
        body = self.inner(1 + self.below(3), depth - 1, loop=True)
        start = f'while {counter} < {1 + self.below(4)} and {condition}:'
        return [f'{counter} = 0', (start, [f'{counter} += 1', *body])]

    def forever(self, counter, depth):
        """Give a name a value in a loop that only a break ends."""
        type_, name = self.one((F, I, 'P')), self.name()
        value, condition = self.value(type_, 2), self.value(B, 1)
        body = [
            f'{counter} += 1',
            f'{name} = {value}',
            (f'if {counter} > {1 + self.below(4)} or {condition}:', ['break']),
            *self.inner(1, depth - 1, type_, name, loop=True),
        ]
        self.scope.add(type_, name)
        return [f'{counter} = 0', ('while True:', body)]

    def unroll(self, depth):
        """Go through a tuple."""
        if depth <= 0 or self.loops > 1:
            return self.write(depth)
        choice, name = self.random(), self.name()
        if choice < 0.2:
            tools = ', '.join(self.one(STATICS['tool']) for _ in range(2))
            return f'for {name} in ({tools}):', [f'{self.place(F)} = {name}({self.value(F, 1)})']
        if choice < 0.4:
            return self.numbered(name, depth)
        type_ = self.one((F, I, B, PAIR, 'P', 'item'))
        members = [
            self.item() if type_ == 'item' else self.value(type_, 1)
            for _ in range(1 + self.below(3))
        ]
        body = self.inner(1 + self.below(2), depth - 1, type_, name, loop=True)
        if type_ != 'item' and self.chance(0.5):  # a name that every turn gives a value
            last = self.name()
            body.insert(0, f'{last} = {name}')
            self.scope.add(type_, last)
        return f'for {name} in ({", ".join(members)},):', body

    def numbered(self, name, depth):
        """Go through a tuple of several types, and count."""
        members = ', '.join(self.value(self.one((F, I)), 1) for _ in range(3))
        number = self.name()
        body = [f'f[{number}] += {name}', *self.inner(1, depth - 1, I, number, loop=True)]
        return f'for {number}, {name} in enumerate(({members})):', body


_SHRINKING = ('%= 97', '//= -3', '>>= 2', '&= 255')  # ints that stay as small as they are
_STATEMENTS = (
    *[Programs.new] * 3,
    *[Programs.again] * 2,
    Programs.unpack,
    *[Programs.write] * 3,
    Programs.chain,
    Programs.alias,
    Programs.do,
    *[Programs.branch] * 2,
    Programs.leave,
    Programs.count,
    Programs.repeat,
    *[Programs.unroll] * 2,
)
