"""
Random expressions in the language of kernels, all with a meaning that Python shares.

Python raises in none of them, and ints stay within 64 bits: every int is kept below `KEPT`, and
what could raise is called through functions of `kernel_world` that ask first.
"""

import random
import re

from helpers.kernel_world import FLOATS, INTS, ROWS

F, I, B = 'float', 'int', 'bool'  # noqa: E741
PAIR, MIXED, NESTED, TWINS = (F, F), (F, I, B), ((F, I), F), ((F, F), (F, F))
NAMED = {'P': (F, I), 'Q': ('P', F)}
FIELDS = {'P': ('a', 'b'), 'Q': ('p', 'x')}
TUPLES = (PAIR, MIXED, NESTED, TWINS, 'P', 'Q')
STATICS = {'law': ('SOFT', 'HARD', 'ZERO', 'MINUS'), 'tool': ('twice', 'turned', 'root', 'near')}
KEPT = 2**40  # ints are smaller, where they are kept or computed with

# What is in braces is chosen at random: f a float, i an int, b a bool, P and Q named tuples, each
# simple if 0 follows; op, cmp operators; x3 an index below 3, n3 a number below 3; call a call of
# a generated function.
_FLOATS = """
    ({f} {op} {f})
    ({f} {op} {f})
    ({f0} {op} {f})
    ({f} {op} ({i}))
    (({i}) {op} {f})
    ratio({f}, {f})
    ({f} / 4.0)
    ({f} / -3.0)
    ({f} / 7)
    ({f0} / 1e-300)
    (-{f})
    (+{f})
    abs({f})
    root({f})
    float({i})
    float({b})
    elementary.sin(near({f}))
    elementary.cos(-near({f}))
    elementary.tan(near({f}))
    elementary.exp(-abs(near({f})))
    elementary.tanh({f})
    elementary.atan2({f}, {f0})
    elementary.log(abs(near({f})) + 1.0)
    math.sqrt(abs({f}))
    min({f}, {f})
    max({f}, {f0}, {f0})
    max({f0} * 0.0, {f0} * 0.0)
    min(-0.0, {f0}, 0.0)
    shaken(f)
    shaken(f)
    ({f} {op} shaken(f) {op} {f})
    ({f} if {b} else {f})
    ({f} if {b} else {f})
    from_bits(bits({f}) ^ ({i0} & 1023))
    from_bits(bits({f}) & ~{n63})
    {law}.of({f})
    {law}.of({f0}, more={f})
    {law}.of(x=f[0], more=shaken(f))
    {law}.of(more=shaken(f), x={f})
    {law}.bent({f})
    {law}.bent({f0})
    {law}.factor
    s.ruled({f})
    s.law.of({f})
    {tool}({f})
    {item}.scaled({f})
    {item}.size
    P({f}, {i0}).sum()
    P({f}).a
    P(b={i0}, a={f})[0]
    P(b=stirred(n), a=f[n[0] % 8]).sum()
    {P}.shown.a
    {Q}.p.a
    {Q}.moved({f0}).x
    TABLE[{x3}][0]
    TABLE[-{n3}][0]
    ({f}, {f0}, 2.5)[{x3}]
    ({f}, {f0})[{x4} - 2]
    ({f}, {i0}, {f0})[-1]
    (twice, turned)[{n2}]({f})
    f[{x8}]
    s.extra[{x4}]
    {item}.vals[{x3}]
    rows[{x2}].vals[1:][{x2}]
    {call}
    {call}
    {call}
"""
# After a bar: what the int is at most; nothing is `KEPT`.
_INTS = """
    ({i} + {i}) | 2**41
    ({i} - {i}) | 2**41
    ({i} + {n9}) | 2**41
    ({i} % 65537 * ({i} % 1009)) | 2**27
    ({i0} * {n63}) | 2**46
    ({i} & {i}) | 2**41
    ({i} | {i}) | 2**41
    ({i} ^ {i}) | 2**41
    (-{i})
    abs({i})
    (~{i}) | 2**41
    (+{i})
    ({i} // 3)
    ({i} // -7)
    ({i} // -1)
    ({i} % 10) | 10
    ({i} % -64) | 64
    ({i} % -1) | 1
    quotient({i}, {i})
    rest({i}, {i})
    ({i} << {n9}) | 2**50
    (({i} % 1009) << ({i} & 15)) | 2**26
    ({i} >> {n63})
    ({i} >> ({i} & 127))
    whole({f}) | 10**9
    floored({f}) | 10**9
    math.floor({i})
    int({i})
    int({b}) | 1
    (bits({f}) % 65537) | 65537
    ((bits({f}) ^ bits({f0})) >> {n63} & 4095) | 4095
    (bits({f}) >> ({i0} & 63) & 255) | 255
    stirred(n) | 64
    stirred(n) | 64
    ({i} + n[0] - stirred(n)) | 2**42
    min({i}, {i})
    max({i}, {i}, {n63})
    ({i} if {b} else {i})
    TABLE[{x3}][1] | 11
    {item}.bumped() | 97
    {law}.times({i}) | 10**4
    len(f) | 8
    len((HALF, n, s)) * COUNT | 9
    len(s.items[{n3}:]) | 2
    P({f0}, {i}).b
    P({f}).b | 4
    {P}.shown.b | 1000
    {Q}.p.b
    ({i}, {i}, 3)[{x3}]
    ({i}, 8)[{x4} - 2]
    ({f0}, {i}, {b0})[1]
    n[{x6}]
    s.ks[{x2}]
    {call}
    {call}
"""
_BOOLS = """
    ({f} {cmp} {f})
    ({f} {cmp} {f})
    ({i} {cmp} {i})
    ({i} {cmp} {i})
    ({f} {cmp} {f} {cmp} {f})
    ({i} {cmp} {i} {cmp} {i0} {cmp} {i0})
    ({f} > 2)
    (1 <= {f})
    ({b} and {b})
    ({b} or {b})
    ({b} and {b} or {b0})
    (not {b})
    ({i} in (1, {i}, -2))
    ({i} not in (3, {i0}))
    ({f} in (0.0, 1, 2.5))
    bool({f})
    bool({i})
    bool({b})
    ({b} if {b} else {b})
    ({tool} is twice)
    ({law} is not None)
    {item}.on
    flipped(s)
    flipped(s)
    {call}
    {call}
"""


def _templates(text):
    """Return lines as what is written and what is chosen in turn, and their bounds."""
    found = []
    for line in text.strip().splitlines():
        written, base, power = re.fullmatch(r' *(.*?)(?: \| (\d+)(?:\*\*(\d+))?)?', line).groups()
        bound = int(base) ** int(power or 1) if base else KEPT
        found.append((re.split(r'\{(\w+)\}', written), bound))
    return found


class Scope:
    """Names that have a value somewhere in a function, by type."""

    def __init__(self, names):
        self._names = names

    def copy(self):
        return Scope({type_: list(names) for type_, names in self._names.items()})

    def add(self, type_, name):
        self._names.setdefault(type_, []).append(name)

    def of(self, type_):
        return self._names.get(type_, ())


class Expressions:
    """Writes random expressions; the same seed gives the same ones."""

    def __init__(self, seed):
        self.random = random.Random(seed).random
        self.scope = Scope({})
        self.helpers = []  # functions that may be called
        self.loops = 0  # that are open
        self._templates = {
            F: _templates(_FLOATS),
            I: _templates(_INTS),
            B: _templates(_BOOLS),
        }

    # Choices ------------------------------------------------------------------------------------

    def below(self, count):
        return int(self.random() * count)

    def one(self, options):
        return options[int(self.random() * len(options))]

    def chance(self, share):
        return self.random() < share

    # Values -------------------------------------------------------------------------------------

    def value(self, type_, depth=2):
        """Return an expression of a type."""
        if type_ == I:
            text, bound = self._number(type_, depth)
            return text if bound <= KEPT else f'({text} % 1000003)'
        if type_ in (F, B):
            return self._number(type_, depth)[0]
        return self.tuple(type_, depth)

    def _number(self, type_, depth):
        """Return a number, and what it is at most."""
        if depth > 0 and self.random() > 0.1:
            pieces, bound = self.one(self._templates[type_])
            text = self._filled(pieces, type_, depth - 1)
            if text:
                return text, bound
        return _LEAVES[type_](self), KEPT

    def _filled(self, pieces, type_, depth):
        """Return a template with something chosen for all that is to be chosen."""
        made = list(pieces)
        for place in range(1, len(made), 2):
            made[place] = self._chosen(made[place], type_, depth)
            if not made[place]:
                return ''
        return ''.join(made)

    def _chosen(self, key, type_, depth):
        if key in _NUMBERS:
            return self.value(_NUMBERS[key], 0 if key.endswith('0') else depth)
        if key in _OPERATORS:
            return self.one(_OPERATORS[key])
        if key in NAMED:
            return self.tuple(key, depth)
        if key in STATICS:
            return self.static(key)
        if key in ('item', 'call'):
            return self.item() if key == 'item' else self.call(type_)
        count = int(key[1:])
        return self.index(count) if key[0] == 'x' else str(self.below(count))

    def index(self, count):
        """Return an int from 0 to below a count."""
        choice, known = self.random(), self.scope.of(I)
        if choice < 0.6:
            return str(self.below(count))
        if choice < 0.75:
            return f'{self.one(known) if known else "n[1]"} % {count}'
        return f'{self.one(("n[0]", "n[0]", "s.item.k", "stirred(n)"))} % {count}'

    def float_leaf(self):
        choice, known = self.below(10), self.scope.of(F)
        if choice < 5 and known:
            return self.one(known)
        if choice < 7:
            return f'f[{self.below(FLOATS)}]'
        return (self.part(F) if choice < 9 else '') or self.one(_LITERALS)

    def int_leaf(self):
        choice, known = self.below(10), self.scope.of(I)
        if choice < 5 and known:
            return self.one(known)
        if choice < 7:
            return f'n[{self.below(INTS)}]'
        return (self.part(I) if choice < 9 else '') or self.one(_WHOLES)

    def bool_leaf(self):
        choice, known = self.below(10), self.scope.of(B)
        if choice < 6 and known:
            return self.one(known)
        return (self.part(B) if choice < 9 else '') or self.one(('True', 'False', 'FLAG'))

    def part(self, type_):
        """Return a number that is part of something that has a value, or nothing."""
        known = [t for t in TUPLES if self.scope.of(t)]
        if known and self.chance(0.6):
            owner = self.one(known)
            return self.member(self.one(self.scope.of(owner)), owner, type_)
        return self.item() + self.one(_PARTS[type_])

    def member(self, owner, type_, wanted):
        """Return a part of a tuple that is of a type, or nothing."""
        found, parts = [], NAMED.get(type_, type_)
        for number, part in enumerate(parts):
            name = f'[{number - len(parts) if self.chance(0.2) else number}]'
            if type_ in NAMED and self.chance(0.8):
                name = f'.{FIELDS[type_][number]}'
            inner = owner + name if part == wanted else ''
            if part in TUPLES or part == (F, I):
                inner = self.member(owner + name, part, wanted)
            if inner:
                found.append(inner)
        return self.one(found) if found else ''

    def item(self):
        """Return a record `Item`."""
        known = self.scope.of('item')
        if known and self.chance(0.4):
            return self.one(known)
        return self.one(_ITEMS).replace('?', self.index(ROWS))

    def static(self, kind):
        known = self.scope.of(kind)
        return self.one(known if known and self.chance(0.6) else STATICS[kind])

    # Tuples -------------------------------------------------------------------------------------

    def tuple(self, type_, depth):
        known, choice = self.scope.of(type_), self.random()
        if known and choice < 0.3:
            return self.one(known)
        if choice < 0.4 and depth > 0:
            one, other = self.tuple(type_, depth - 1), self.tuple(type_, 0)
            return f'({one} if {self.value(B, 1)} else {other})'
        called = self.call(type_) if choice < 0.5 and depth > 0 else ''
        if called:
            return called
        if type_ in NAMED:
            return self.named(type_, depth)
        parts = [self.value(part, depth - 1) for part in type_]
        if type_ == TWINS and choice > 0.8:
            return f'(({parts[0]}, {parts[1]}, {parts[0]})[{self.index(3)}], {parts[1]})'
        return f'({", ".join(parts)})'

    def named(self, type_, depth):
        """Return a named tuple that is made, or changed."""
        known, choice = self.scope.of(type_), self.random()
        if type_ == 'P' and choice < 0.25:
            return self.item() + ('.p' if choice < 0.15 else '.p.shown')
        if type_ == 'P' and choice < 0.35:
            return f'P({self.value(F, depth - 1)})'
        if type_ == 'Q' and known and choice < 0.2:
            return f'{self.one(known)}.moved(by={self.value(F, depth - 1)})'
        if known and choice < 0.5:
            number = self.below(2)
            part = self.value(NAMED[type_][number], depth - 1)
            return f'{self.one(known)}._replace({FIELDS[type_][number]}={part})'
        parts = [self.value(part, depth - 1) for part in NAMED[type_]]
        if choice > 0.7:  # by name, in any order
            parts = [f'{key}={part}' for key, part in zip(FIELDS[type_], parts, strict=True)]
            parts = parts[:: self.one((1, -1))]
        return f'{type_}({", ".join(parts)})'

    # Calls --------------------------------------------------------------------------------------

    def call(self, type_):
        """Return a call of a generated function, or nothing."""
        found = [helper for helper in self.helpers if helper.result == type_]
        if not found or self.loops > 1:
            return ''
        helper = self.one(found)
        given, named = [], False
        for name, wanted, default in helper.parameters:
            if default and self.chance(0.4):
                named = True
                continue
            value = self.argument(wanted, name)
            named = named or self.chance(0.05)
            given.append(f'{name}={value}' if named else value)
        return f'{helper.name}({", ".join(given)})'

    def argument(self, type_, name):
        if type_ == 'memory':
            return name
        if type_ in _BLOCKS:
            return self.one(_BLOCKS[type_])
        if type_ == 'item':
            return self.item()
        return self.static(type_) if type_ in STATICS else self.value(type_, 1)


_NUMBERS = {'f': F, 'f0': F, 'i': I, 'i0': I, 'b': B, 'b0': B}
_OPERATORS = {'op': '+-*', 'cmp': ('<', '<=', '>', '>=', '==', '!=')}
_LITERALS = ('0.0', '-0.0', '1.0', '-1.5', '0.1', '3.0', '1e300', '-5e-324', '2.5', 'HALF', '7.0')
_WHOLES = ('0', '1', '2', '3', '(-1)', '5', '63', '255', '(-1000)', '65537', '1000003', 'COUNT')
_LEAVES = {F: Expressions.float_leaf, I: Expressions.int_leaf, B: Expressions.bool_leaf}
_PARTS = {
    F: ('.x', '.pair[0]', '.p.a', '.vals[0]', '.vals[1 + 1]', '.p[0]'),
    I: ('.k', '.pair[1]', '.p.b', '.pair[-1]'),
    B: ('.on',),
}
_ITEMS = (
    's.item',
    's.items[0]',
    's.items[1]',
    's.items[?]',
    'rows[0]',
    'rows[?]',
    's.items[len(s.items) - 1]',
    'rows[1:][0]',
)
_BLOCKS = {
    'floats': ('f', 'f[2:]', 's.extra', 's.item.vals', 'f[1:6]', 'rows[0].vals', 's.extra[1:4]'),
    'ints': ('n', 'n[3:]', 'n[:4]', 'n[0:3]'),
}
