"""The key of a kernel changes with all that its machine code depends on, and with nothing else."""

import math
import os
import subprocess
import sys
import textwrap

from helpers.kernel_sources import module_of, STANDARD
import numpy as np
import pytest
from test_kernel_agreement import CASES

from symcontact_ros.kernels import kernel as kernel_module
from symcontact_ros.kernels import keys
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.compiler import sources
from symcontact_ros.kernels.compiler.module import Module
from symcontact_ros.kernels.compiler.values import argument_type
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import is_stored, Kernel, static
from symcontact_ros.kernels.keys import key_of, sources_of
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record, specialized, Static

TYPES = tuple(map(argument_type, STANDARD))


@pytest.mark.parametrize('case', CASES)
def test_the_key_is_made_of_every_file_that_is_compiled(case, tmp_path):
    entry = module_of(tmp_path, CASES[case]).entry
    module = Module()
    module.entry(entry, TYPES, 'symbol')
    assert module.sources <= sources_of(entry, TYPES)


WORLD = """
    from symcontact_ros.kernels import language
    LIMIT = 3.0
    PAIR = (1.0, (2, 3.0))
    SINE = math.sin
    def helper(x):
        return x
    def other(x):
        return -x
    first, second = helper, other
    def with_default(x, factor=2.0, function=helper):
        return function(factor * x)
    class P(NamedTuple):
        a: float
        b: float = 1.0
        def sum(self):
            return self.a + self.b
    class Q(NamedTuple):
        a: float
        def twice(self):
            return 2.0 * self.a
    class R(Record):
        a: float
        point: Q
        n: int
        SCALE = 2.0
        def scaled(self):
            return self.SCALE * self.a + self.point.twice()
        @property
        def negative(self):
            return -self.a
    @dataclass(frozen=True)
    class Inner:
        factor: float
    @dataclass(frozen=True)
    class Law:
        function: Callable
        inner: Inner
        def of(self, x):
            return self.function(x) * self.inner.factor
        @property
        def doubled(self):
            return 2.0 * self.inner.factor
    LAW = Law(helper, Inner(2.0))
    ORIGIN = P(0.0, 0.0)
    UNUSED = 5.0
    class Kind(enum.Enum):
        A = 1
        B = 2
    KIND = Kind.A
    def entry(x, n, out, whole):
        out[0] = LIMIT * PAIR[1][1] + SINE(x[0]) + first(x[0]) - second(x[1])
        out[1] = with_default(x[0]) + P(x[0]).sum() + ORIGIN.sum()
        r = R.at(out)
        out[2] = r.scaled() + r.negative
        out[3] = LAW.of(x[0]) + LAW.doubled
        out[4] = 1.0 if KIND is Kind.A else 2.0
"""


def replaced(world, path, value):
    """Change something in a module, named by a path of attributes."""
    *owners, name = path.split('.')
    owner = world
    for part in owners:
        owner = getattr(owner, part)
    setattr(owner, name, value)


def _sum(self):
    return self.a - self.b


# What is changed, and into what: a value, or what makes one of the module.
CHANGES = {
    'a constant': ('LIMIT', 4.0),
    'a constant that becomes an int': ('LIMIT', 3),
    'a constant that becomes a truth': ('LIMIT', True),
    'a number in a tuple': ('PAIR', (1.0, (2, -3.0))),
    'a number in a tuple that becomes an int': ('PAIR', (1.0, (2, 3))),
    'a function of the C library': ('SINE', math.cos),
    'a function': ('first', lambda world: world.other),
    'a default': ('with_default.__defaults__', lambda world: (3.0, world.helper)),
    'a default that is a function': (
        'with_default.__defaults__',
        lambda world: (2.0, world.other),
    ),
    'a method of a named tuple': ('P.sum', lambda world: _sum),
    'a method of a named tuple that is a field': ('Q.twice', lambda world: _sum),
    'a method of a record': ('R.scaled', lambda world: _sum),
    'a property of a record': ('R.negative', lambda world: property(_sum)),
    'a constant of a record': ('R.SCALE', 3.0),
    'a method of a dataclass': ('Law.of', lambda world: _sum),
    'a property of a dataclass': ('Law.doubled', lambda world: property(_sum)),
    'a field of a dataclass': ('LAW', lambda world: world.Law(world.helper, world.Inner(2.5))),
    'a zero of a dataclass': ('LAW', lambda world: world.Law(world.helper, world.Inner(-2.0))),
    'a function of a dataclass': ('LAW', lambda world: world.Law(world.other, world.Inner(2.0))),
    'the sign of a zero': ('ORIGIN', lambda world: world.P(0.0, -0.0)),
    'a member of an enumeration': ('KIND', lambda world: world.Kind.B),
    'a builtin that is hidden': ('range', lambda world: world.other),
}


@pytest.mark.parametrize('change', CHANGES)
def test_the_key_changes_with_what_names_mean(change, tmp_path):
    world = module_of(tmp_path, WORLD + '        for i in range(2):\n            out[i] += 1.0\n')
    before = key_of(world.entry, TYPES)
    assert key_of(world.entry, TYPES) == before
    path, value = CHANGES[change]
    made = callable(value) and getattr(value, '__name__', '') == '<lambda>'
    replaced(world, path, value(world) if made else value)
    assert key_of(world.entry, TYPES) != before


def test_two_functions_that_change_places_change_the_key(tmp_path):
    world = module_of(tmp_path, WORLD)
    before = key_of(world.entry, TYPES)
    world.first, world.second = world.second, world.first
    assert key_of(world.entry, TYPES) != before


def test_the_key_does_not_change_with_what_is_not_used(tmp_path):
    world = module_of(tmp_path, WORLD)
    before = key_of(world.entry, TYPES)
    world.UNUSED = 6.0
    world.Q.more = _sum
    assert key_of(world.entry, TYPES) == before


def static_entry(tool, out):
    out[0] = tool(out[0])


def typed_entry(x, out):
    out[0] = float(x)


def record_entry(r, out):
    out[0] = r.law(r.other(out[0]))


def doubled(x):
    return 2.0 * x


def negated(x):
    return -x


def test_the_key_changes_with_statics():
    statics = (doubled, negated, math.sin, math.cos, math, np, 1, 1.0, True, None, (1, 2), (2, 1))
    found = {key_of(static_entry, (static(value), *TYPES[:1])) for value in statics}
    assert len(found) == len(statics)


def test_the_key_changes_with_types_of_arguments():
    assert len({key_of(typed_entry, (argument_type(t), TYPES[0])) for t in (int, float)}) == 2


def record_of(hints, **members):
    return type(Record)('R', (Record,), {'__annotations__': hints, **members})


def test_the_key_changes_with_the_layout_of_a_record():
    records = (
        record_of({'a': float, 'b': float}),
        record_of({'b': float, 'a': float}),
        record_of({'a': float, 'b': int}),
        record_of({'a': float, 'b': bool}),
        record_of({'a': float, 'b': tuple[float, float]}),
        record_of({'a': float, 'b': tuple[float, int]}),
        record_of({'a': float, 'b': Floats}),
        record_of({'a': float, 'b': Floats}, b=embedded(2)),
        record_of({'a': float, 'b': Floats}, b=embedded(3)),
    )
    found = {key_of(typed_entry, (argument_type(record), TYPES[0])) for record in records}
    assert len(found) == len(records)


def test_the_key_changes_with_statics_of_records():
    record = record_of({'a': float, 'law': Static[object], 'other': Static[object]})
    kinds = [
        specialized(record, law=law, other=other)
        for law in (doubled, negated, math.sin)
        for other in (doubled, negated, math.cos)
    ]
    found = {key_of(record_entry, (argument_type(kind), TYPES[0])) for kind in kinds}
    assert len(found) == len(kinds)
    again = specialized(record, other=negated, law=doubled)
    assert again is kinds[1]
    exact = {specialized(record, law=value) for value in (0, 0.0, -0.0, False)}
    assert len(exact) == 4


def test_functions_of_one_name_have_keys_of_their_own(tmp_path):
    text = """
        def chosen(flag):
            if flag:
                def f(x, n, out, whole):
                    out[0] = 1.0
            else:
                def f(x, n, out, whole):
                    out[0] = 2.0
            return f
        """
    made = module_of(tmp_path, text).chosen
    assert key_of(made(True), TYPES) != key_of(made(False), TYPES)


def test_constants_of_modules_within_modules_are_part_of_the_key(tmp_path):
    inner = module_of(tmp_path, 'LIMIT = 1.0\ndef f(x):\n    return x + LIMIT\n', 'inner_of_keys')
    module_of(tmp_path, 'import inner_of_keys\n', 'outer_of_keys')
    text = """
        import outer_of_keys
        def entry(x, n, out, whole):
            out[0] = outer_of_keys.inner_of_keys.f(outer_of_keys.inner_of_keys.LIMIT)
        """
    entry = module_of(tmp_path, text).entry
    assert inner.__file__ in sources_of(entry, TYPES)
    before = key_of(entry, TYPES)
    inner.LIMIT = 2.0
    assert key_of(entry, TYPES) != before


def through(module, out):
    out[0] = module.f(module.LIMIT)


def test_members_of_a_static_module_are_part_of_the_key(tmp_path):
    tool = module_of(tmp_path, 'LIMIT = 1.0\ndef f(x):\n    return x\n')
    types = (static(tool), TYPES[0])
    before = key_of(through, types)
    assert tool.__file__ in sources_of(through, types)
    tool.unused = 5.0
    assert key_of(through, types) == before
    tool.LIMIT = 2.0
    assert key_of(through, types) != before


def test_the_key_changes_with_a_source(tmp_path):
    world = module_of(tmp_path, WORLD)
    before = key_of(world.entry, TYPES)
    with open(world.__file__, 'a', encoding='utf-8') as file:
        file.write('# another line\n')
    assert key_of(world.entry, TYPES) == before  # what is compiled is what was read, too
    sources.text_of.cache_clear()
    keys._digest.cache_clear()
    assert key_of(world.entry, TYPES) != before


def test_the_key_changes_with_the_compiler(tmp_path, monkeypatch):
    world = module_of(tmp_path, WORLD)
    before = key_of(world.entry, TYPES)
    monkeypatch.setattr(keys, '_compiler_digest', lambda: b'another one')
    assert key_of(world.entry, TYPES) != before


def test_the_key_is_the_same_in_every_process(tmp_path):
    world = module_of(tmp_path, WORLD)
    text = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import {world.__name__} as world
        from symcontact_ros.kernels.compiler.values import argument_type
        from symcontact_ros.kernels.keys import key_of
        from symcontact_ros.kernels.memory import Floats, Ints
        print(key_of(world.entry, tuple(map(argument_type, (Floats, Ints, Floats, Ints)))))
        """
    found = {
        subprocess.run(
            [sys.executable, '-c', textwrap.dedent(text)],
            env={**os.environ, 'PYTHONHASHSEED': seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ('1', '2')
    }
    assert found == {key_of(world.entry, TYPES)}


def test_compiled_code_is_kept_and_found_again(tmp_path):
    said, cache = [], Cache(tmp_path)
    arguments = [static(doubled), Floats]
    assert not is_stored(static_entry, arguments, cache)
    for _ in range(2):
        out = np.array([3.0])
        Kernel(static_entry, arguments, cache, said.append)(out)
        assert out[0] == 6.0
    assert said == ['compiling static_entry']
    assert is_stored(static_entry, arguments, cache)
    out = np.array([3.0])
    Kernel(static_entry, [static(negated), Floats], cache, said.append)(out)
    assert out[0] == -3.0
    assert len(said) == 2


def test_code_whose_sources_are_not_all_in_the_key_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_module, 'sources_of', lambda function, types: set())
    with pytest.raises(KernelError, match=r'no key is made of .*test_kernel_keys.py'):
        Kernel(static_entry, [static(doubled), Floats], Cache(tmp_path))
