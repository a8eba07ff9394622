"""What the language of kernels does not have is refused, with file and line."""

import functools

from helpers.kernel_sources import is_refused, module_of, STANDARD
import numpy as np
import pytest

from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, layout_of, Record, Rows

# Name of a case: text with an entry(x: Floats, n: Ints, out: Floats, whole: Ints), the line of it
# that is refused, and why.
CASES = {
    'while with else': (
        """
        def entry(x, n, out, whole):
            while n[0] > 0:
                pass
            else:
                whole[0] = 1
        """,
        3,
        'a loop has no else',
    ),
    'for with else': (
        """
        def entry(x, n, out, whole):
            for i in range(3):
                pass
            else:
                whole[0] = 1
        """,
        3,
        'a loop has no else',
    ),
    'for over a tuple with else': (
        """
        def entry(x, n, out, whole):
            for i in (1, 2):
                pass
            else:
                whole[0] = 1
        """,
        3,
        'a loop has no else',
    ),
    'a name with a value in one branch only': (
        """
        def entry(x, n, out, whole):
            if n[0] > 0:
                y = 1.0
            out[0] = y
        """,
        5,
        'y may have no value here',
    ),
    'a name with a value in the other branch only': (
        """
        y = 5.0
        def entry(x, n, out, whole):
            if n[0] > 0:
                pass
            else:
                y = 1.0
            out[0] = y
        """,
        8,
        'y may have no value here',
    ),
    'a name with a value in the body of a loop only': (
        """
        y = 5.0
        def entry(x, n, out, whole):
            for i in range(n[0]):
                y = 1.0
            out[0] = y
        """,
        6,
        'y may have no value here',
    ),
    'the target of a loop after it': (
        """
        def entry(x, n, out, whole):
            for i in range(n[0]):
                pass
            whole[0] = i
        """,
        5,
        'i may have no value here',
    ),
    'a name with a value in a while only': (
        """
        def entry(x, n, out, whole):
            while n[0] > whole[0]:
                whole[0] += 1
                y = 1.0
            out[0] = y
        """,
        6,
        'y may have no value here',
    ),
    'a name that a loop gives a value after it is read': (
        """
        def entry(x, n, out, whole):
            for i in range(3):
                if i > 0:
                    out[i] = y
                y = x[i]
        """,
        5,
        'y may have no value here',
    ),
    'a name that is read before its value, and is a global, too': (
        """
        y = 5.0
        def entry(x, n, out, whole):
            out[0] = y
            y = 2.0
        """,
        4,
        'y may have no value here',
    ),
    'a name that only code which never runs gives a value': (
        """
        y = 5.0
        def entry(x, n, out, whole):
            out[0] = y
            return
            y = 2.0
        """,
        4,
        'y may have no value here',
    ),
    'a name that an import in code which never runs makes local': (
        """
        def entry(x, n, out, whole):
            out[0] = math.sqrt(2.0)
            if False:
                import math
        """,
        3,
        'math may have no value here',
    ),
    'a name of a loop over an empty tuple': (
        """
        def entry(x, n, out, whole):
            for y in ():
                z = y
            out[0] = z
        """,
        5,
        'z may have no value here',
    ),
    'a name of a loop over a tuple that another turn left': (
        """
        def entry(x, n, out, whole):
            for i, y in enumerate((1.0, 2.0)):
                if i == 1:
                    out[0] = before
                before = y
        """,
        5,
        'before may have no value here',
    ),
    'a name of two types at the end of a loop over a tuple': (
        """
        def entry(x, n, out, whole):
            for y in (x[0], 2):
                if n[0] > 0:
                    break
            out[0] = y
        """,
        6,
        'y may have no value here',
    ),
    'a name of two types': (
        """
        def entry(x, n, out, whole):
            y = 1.0
            if n[0] > 0:
                y = 2
        """,
        5,
        'y is a float and cannot be an int',
    ),
    'a name of two named tuples': (
        """
        class P(NamedTuple):
            a: float
        class Q(NamedTuple):
            b: float
        def entry(x, n, out, whole):
            p = P(1.0)
            p = Q(2.0)
        """,
        8,
        r'p is P\(a float\) and cannot be Q\(a float\)',
    ),
    'an augmented assignment to another type': (
        """
        def entry(x, n, out, whole):
            y = 1
            y += 0.5
        """,
        4,
        'y is an int and cannot be a float',
    ),
    'a global that is declared': (
        """
        y = 1.0
        def entry(x, n, out, whole):
            if False:
                global y
            y = 2.0
        """,
        6,
        'y is no name of this function',
    ),
    'a generator': (
        """
        def f(x):
            if False:
                yield 1
            x[0] = 1.0
        def entry(x, n, out, whole):
            f(x)
        """,
        None,
        'f is a generator',
    ),
    'a call of itself': (
        """
        def f(k):
            return f(k - 1) if k > 0 else 0
        def entry(x, n, out, whole):
            whole[0] = f(n[0])
        """,
        3,
        'kernels do not call themselves: entry -> f -> f',
    ),
    'calls of each other': (
        """
        def f(k):
            return g(k)
        def g(k):
            return f(k)
        def entry(x, n, out, whole):
            whole[0] = f(n[0])
        """,
        5,
        'do not call themselves: entry -> f -> g -> f',
    ),
    'calls of itself with ever larger tuples': (
        """
        def f(t):
            return f((t, 1.0))
        def entry(x, n, out, whole):
            f(1.0)
        """,
        3,
        'kernels do not call themselves',
    ),
    'expressions too deep': (
        'def f0(x): return x\n'
        + ''.join(f'def f{i}(x): return f{i - 1}(x){" + x" * 900}\n' for i in range(1, 7))
        + 'def entry(x, n, out, whole):\n    out[0] = f6(x[2])\n',
        None,
        'too much is nested',
    ),
    'a tuple index too large': (
        'def entry(x, n, out, whole):\n    out[0] = (x[0], x[1])[2]\n',
        2,
        'there is no member 2 of 2',
    ),
    'a tuple index too low': (
        'def entry(x, n, out, whole):\n    out[0] = (x[0], x[1])[-3]\n',
        2,
        'there is no member -3 of 2',
    ),
    'a float as index of a tuple': (
        'def entry(x, n, out, whole):\n    t = (x[0], x[1])\n    out[0] = t[-1.5]\n',
        3,
        'an index must be an int, not a float',
    ),
    'an index of a tuple of several types': (
        'def entry(x, n, out, whole):\n    t = (x[0], 1)[n[0]]\n',
        2,
        'an index of such a tuple must be a constant',
    ),
    'a part of a tuple': (
        'def entry(x, n, out, whole):\n    t = (x[0], x[1])[1:]\n',
        2,
        'a tuple is not cut',
    ),
    'a negative index of memory': (
        'def entry(x, n, out, whole):\n    out[0] = x[-1]\n',
        2,
        'memory has no negative index',
    ),
    'an index beyond an embedded block': (
        """
        class R(Record):
            v: Floats = embedded(3)
        def entry(x, n, out, whole):
            out[0] = R.at(x).v[3]
        """,
        5,
        'there is no member 3 of 3',
    ),
    'a slice with a step': (
        'def entry(x, n, out, whole):\n    y = x[0:2:2]\n',
        2,
        'a slice has no step',
    ),
    'a slice that ends before it starts': (
        'def entry(x, n, out, whole):\n    y = x[2:1]\n',
        2,
        'a slice from 2 to 1',
    ),
    'a float as index': (
        'def entry(x, n, out, whole):\n    out[x[0]] = 1.0\n',
        2,
        'an index must be an int',
    ),
    'an int into memory of floats': (
        'def entry(x, n, out, whole):\n    out[0] = 1\n',
        2,
        'memory of float cannot take an int',
    ),
    'a float into memory of ints': (
        'def entry(x, n, out, whole):\n    whole[0] = 1.0\n',
        2,
        'memory of int cannot take a float',
    ),
    'a truth into memory': (
        'def entry(x, n, out, whole):\n    whole[0] = n[0] > 1\n',
        2,
        'memory of int cannot take a bool',
    ),
    'too few arguments': (
        """
        def f(a, b):
            return a
        def entry(x, n, out, whole):
            f(x[0])
        """,
        5,
        'f needs b',
    ),
    'too many arguments': (
        """
        def f(a):
            return a
        def entry(x, n, out, whole):
            f(x[0], 1, 2)
        """,
        5,
        'f takes 1 arguments, not 3',
    ),
    'an argument twice': (
        """
        def f(a, b=1):
            return a
        def entry(x, n, out, whole):
            f(x[0], a=1.0)
        """,
        5,
        'f takes no a, or has it already',
    ),
    'an argument that there is not': (
        """
        def f(a):
            return a
        def entry(x, n, out, whole):
            f(x[0], c=1.0)
        """,
        5,
        'f takes no c',
    ),
    'an argument by name that is taken by position': (
        """
        def f(a, /):
            return a
        def entry(x, n, out, whole):
            f(a=x[0])
        """,
        5,
        'f takes a by position',
    ),
    'an argument that is taken by name only': (
        """
        def f(*, a):
            return a
        def entry(x, n, out, whole):
            f(a=x[0])
        """,
        5,
        'f must take plain arguments',
    ),
    'any number of arguments': (
        """
        def f(*a):
            return 1.0
        def entry(x, n, out, whole):
            f(x[0])
        """,
        5,
        'f must take plain arguments',
    ),
    'stars in a call': (
        """
        def f(a, b):
            return a
        def entry(x, n, out, whole):
            f(*(x[0], x[1]))
        """,
        5,
        'one by one',
    ),
    'two stars in a call': (
        """
        def f(a, b):
            return a
        NAMES = {'a': 1.0, 'b': 2.0}
        def entry(x, n, out, whole):
            f(**NAMES)
        """,
        6,
        'arguments are given one by one',
    ),
    'an attribute that a named tuple has not': (
        """
        class P(NamedTuple):
            a: float
        def entry(x, n, out, whole):
            out[0] = P(1.0).b
        """,
        5,
        'P has no b',
    ),
    'an attribute of a tuple': (
        'def entry(x, n, out, whole):\n    t = (1.0, 2.0)._replace(a=3)\n',
        2,
        'has no _replace',
    ),
    'an attribute of a number': (
        'def entry(x, n, out, whole):\n    t = x[0].real\n',
        2,
        'a float has no real',
    ),
    'an attribute of memory': (
        'def entry(x, n, out, whole):\n    t = x.nbytes\n',
        2,
        'memory of float has no nbytes',
    ),
    'an attribute that a record has not': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            out[0] = R.at(x).b
        """,
        5,
        'R has no b',
    ),
    'a field that a record has not': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            R.at(x).b = 1.0
        """,
        5,
        'a record R has no field b',
    ),
    'what a record is made of': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            whole[0] = R.at(x)._start
        """,
        5,
        '_start of R is not known',
    ),
    'an attribute that a module has not': (
        'def entry(x, n, out, whole):\n    out[0] = math.cosine(x[0])\n',
        2,
        'math has no cosine',
    ),
    'a member of a named tuple too many': (
        """
        class P(NamedTuple):
            a: float
        def entry(x, n, out, whole):
            p = P(1.0, 2.0)
        """,
        5,
        'P takes 1 arguments, not 2',
    ),
    'a member of a named tuple too few': (
        """
        class P(NamedTuple):
            a: float
            b: float
        def entry(x, n, out, whole):
            p = P(b=1.0)
        """,
        6,
        'P needs a',
    ),
    'a member that cannot be replaced': (
        """
        class P(NamedTuple):
            a: float
        def entry(x, n, out, whole):
            p = P(1.0)._replace(b=2.0)
        """,
        5,
        '_replace takes members by name: a',
    ),
    'a named tuple that makes itself in its own way': (
        """
        class P(NamedTuple):
            a: float
        class Q(P):
            def __new__(cls, a):
                return P.__new__(cls, 2 * a)
        def entry(x, n, out, whole):
            q = Q(1.0)
        """,
        8,
        'Q is not known in kernels',
    ),
    'a named tuple with another length': (
        """
        class P(NamedTuple):
            a: float
            def __len__(self):
                return 7
        def entry(x, n, out, whole):
            q = P(1.0)
        """,
        7,
        'P is not known in kernels',
    ),
    'a write to a named tuple': (
        """
        class P(NamedTuple):
            a: float
        def entry(x, n, out, whole):
            p = P(1.0)
            p.a = 2.0
        """,
        6,
        r'P\(a float\) has no field a that can be written',
    ),
    'a write to a tuple': (
        'def entry(x, n, out, whole):\n    t = (1.0, 2.0)\n    t[0] = 2.0\n',
        3,
        'only members of memory can be written',
    ),
    'a write to a slice': (
        'def entry(x, n, out, whole):\n    out[0:2] = x\n',
        2,
        'only members of memory can be written',
    ),
    'a write to a block': (
        """
        class R(Record):
            v: Floats = embedded(3)
            w: Floats
        def entry(x, n, out, whole):
            R.at(x).v = out
        """,
        6,
        'v stays where it is',
    ),
    'a write to a block that lies elsewhere': (
        """
        class R(Record):
            v: Floats = embedded(3)
            w: Floats
        def entry(x, n, out, whole):
            R.at(x).w = out
        """,
        6,
        'w stays where it is',
    ),
    'a write to a record in a record': (
        """
        class Inner(Record):
            a: float
        class R(Record):
            inner: Inner
        def entry(x, n, out, whole):
            R.at(x).inner = Inner.at(out)
        """,
        7,
        'inner stays where it is',
    ),
    'a write to a row': (
        """
        class Inner(Record):
            a: float
        class R(Record):
            rows: Rows[Inner] = embedded(2)
        def entry(x, n, out, whole):
            R.at(x).rows[0] = Inner.at(out)
        """,
        7,
        'a record is written field by field',
    ),
    'a number into a field that is a tuple': (
        """
        class R(Record):
            pair: tuple[float, float]
        def entry(x, n, out, whole):
            R.at(x).pair = 1.0
        """,
        5,
        'pair cannot be a float',
    ),
    'a tuple of another kind into a field': (
        """
        class R(Record):
            pair: tuple[float, float]
        def entry(x, n, out, whole):
            R.at(x).pair = (1.0, 2)
        """,
        5,
        'pair is float and cannot be an int',
    ),
    'a record into a field that is a tuple': (
        """
        class R(Record):
            pair: tuple[float, float]
        def entry(x, n, out, whole):
            R.at(x).pair = R.at(out)
        """,
        5,
        'pair cannot be a record R',
    ),
    'a static that is not given': (
        """
        class R(Record):
            a: float
            law: Static[Callable]
        def entry(x, n, out, whole):
            out[0] = R.at(x).law(1.0)
        """,
        6,
        'R is not specialized: it has no law',
    ),
    'a write to a static': (
        """
        class R(Record):
            a: float
            law: Static[float] = 1.0
        def entry(x, n, out, whole):
            R.at(x).law = 2.0
        """,
        6,
        'has no field law',
    ),
    'a record that numbers cannot make': (
        """
        class R(Record):
            a: list
        def entry(x, n, out, whole):
            R.at(x).a
        """,
        5,
        'R is no record: .* cannot be kept in memory',
    ),
    'a record of itself': (
        """
        class R(Record):
            a: R
        def entry(x, n, out, whole):
            R.at(x).a
        """,
        5,
        'R is no record: R cannot be a part of itself',
    ),
    'a record in memory of ints': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            R.at(n).a
        """,
        5,
        'R lies in memory of floats',
    ),
    'a record at three places': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            R.at(x, 1, 2)
        """,
        5,
        'at takes 2 arguments, not 3',
    ),
    'a record at a float': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            R.at(x, start=x[0])
        """,
        5,
        'an index must be an int',
    ),
    'a record of nothing': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            R.at()
        """,
        5,
        'at needs block',
    ),
    'ints divided': (
        'def entry(x, n, out, whole):\n    out[0] = n[0] / n[1]\n',
        2,
        'ints are divided by //',
    ),
    'an int divided by a zero that is known': (
        'def entry(x, n, out, whole):\n    whole[0] = n[0] // 0\n',
        2,
        'an int is divided by zero',
    ),
    'a rest by a zero that is known': (
        'ZERO = 0\ndef entry(x, n, out, whole):\n    whole[0] = 5 % ZERO\n',
        3,
        'an int is divided by zero',
    ),
    'a float divided by a zero that is known': (
        'def entry(x, n, out, whole):\n    out[0] = x[0] / 0\n',
        2,
        'a float is divided by zero',
    ),
    'a root of a negative number that is known': (
        'def entry(x, n, out, whole):\n    out[0] = math.sqrt(-2.0)\n',
        2,
        'the root of a negative number',
    ),
    'an int of infinity': (
        'def entry(x, n, out, whole):\n    whole[0] = int(-math.inf)\n',
        2,
        'inf is no int of 64 bits',
    ),
    'an int of nan': (
        'NAN = math.nan\ndef entry(x, n, out, whole):\n    whole[0] = math.floor(NAN)\n',
        3,
        'nan is no int of 64 bits',
    ),
    'a shift too far': (
        'def entry(x, n, out, whole):\n    whole[0] = n[0] << 64\n',
        2,
        'ints are shifted by 0 to 63',
    ),
    'a shift by less than nothing': (
        'def entry(x, n, out, whole):\n    whole[0] = n[0] >> -1\n',
        2,
        'ints are shifted by 0 to 63',
    ),
    'an int that does not fit': (
        'def entry(x, n, out, whole):\n    whole[0] = 9223372036854775808\n',
        2,
        'does not fit into 64 bits',
    ),
    'a result that does not fit': (
        'BIG = 2**62\ndef entry(x, n, out, whole):\n    whole[0] = BIG + BIG\n',
        3,
        'does not fit into 64 bits',
    ),
    'a global that does not fit': (
        'BIG = 2**64\ndef entry(x, n, out, whole):\n    whole[0] = BIG\n',
        3,
        'does not fit into 64 bits',
    ),
    'an int compared with a float': (
        'def entry(x, n, out, whole):\n    whole[0] = int(n[0] < x[0])\n',
        2,
        'an int is compared with ints',
    ),
    'an int too large compared with a float': (
        'def entry(x, n, out, whole):\n    whole[0] = int(x[0] < 9007199254740993)\n',
        2,
        'an int is compared with ints',
    ),
    'tuples compared': (
        'def entry(x, n, out, whole):\n    whole[0] = int((1, 2) == (1, 2))\n',
        2,
        'only numbers can be compared',
    ),
    'truths computed with': (
        'def entry(x, n, out, whole):\n    whole[0] = 1 + (n[0] > 1)\n',
        2,
        'only numbers can be computed with, not an int and a bool',
    ),
    'tuples added': (
        'def entry(x, n, out, whole):\n    t = (1, 2) + (3,)\n',
        2,
        'only numbers can be computed with',
    ),
    'nan in a tuple': (
        'def entry(x, n, out, whole):\n    y = x[0]\n    whole[0] = int(y in (y, 1.0))\n',
        3,
        '`in` compares ints, or floats with constants',
    ),
    'a nan that is known in a tuple': (
        'def entry(x, n, out, whole):\n    whole[0] = int(math.nan in (math.nan,))\n',
        2,
        '`in` compares ints, or floats with constants',
    ),
    'in memory': (
        'def entry(x, n, out, whole):\n    whole[0] = int(1.0 in x)\n',
        2,
        '`in` looks into a tuple',
    ),
    'numbers that are the same': (
        'def entry(x, n, out, whole):\n    whole[0] = int(x[0] is x[0])\n',
        2,
        '`is` compares functions',
    ),
    'dataclasses that are the same': (
        """
        @dataclass(frozen=True)
        class A:
            x: float
        ONE, TWO = A(1.0), A(1.0)
        def entry(x, n, out, whole):
            whole[0] = int(ONE is TWO)
        """,
        7,
        '`is` compares functions',
    ),
    'a number as a condition': (
        'def entry(x, n, out, whole):\n    if n[0]:\n        pass\n',
        2,
        'a condition must be',
    ),
    'nothing as a condition': (
        'def f():\n    pass\ndef entry(x, n, out, whole):\n    while f():\n        pass\n',
        4,
        'a condition must be',
    ),
    'not of a number': (
        'def entry(x, n, out, whole):\n    y = not 0\n',
        2,
        'not 0 is not known in kernels',
    ),
    'minus of a truth': (
        'def entry(x, n, out, whole):\n    y = -True\n',
        2,
        '-True is not known in kernels',
    ),
    'two kinds of a conditional expression': (
        'def entry(x, n, out, whole):\n    y = 1.0 if n[0] > 0 else 2\n',
        2,
        'both ways must give the same type, not a float and an int',
    ),
    'two kinds of result': (
        """
        def f(a):
            if a > 0.0:
                return 1.0
            return 2
        def entry(x, n, out, whole):
            f(x[0])
        """,
        5,
        'returns an int here and a float elsewhere',
    ),
    'a result and none': (
        """
        def f(a):
            if a > 0.0:
                return 1.0
        def entry(x, n, out, whole):
            f(x[0])
        """,
        2,
        'returns nothing here and a float elsewhere',
    ),
    'nothing computed with': (
        'def f():\n    pass\ndef entry(x, n, out, whole):\n    y = f() + 1\n',
        4,
        'only numbers can be computed with, not nothing and an int',
    ),
    'nothing in a tuple': (
        'def f():\n    pass\ndef entry(x, n, out, whole):\n    out[0] = (f(), 1)[n[0]]\n',
        4,
        'must be a constant',
    ),
    'a range that is another one': (
        """
        def range(n):
            return (1, 2)
        def entry(x, n, out, whole):
            for i in range(3):
                whole[0] += i
        """,
        5,
        'this range is another one',
    ),
    'a range that is a local': (
        """
        def entry(x, n, out, whole):
            range = 3
            for i in range(3):
                whole[0] += i
        """,
        4,
        'this range is another one',
    ),
    'an enumeration that is another one': (
        """
        def enumerate(t):
            return 1.0
        def entry(x, n, out, whole):
            for i, y in enumerate((1, 2)):
                whole[0] += i
        """,
        5,
        'a loop goes over a range or over a tuple',
    ),
    'an enumeration that starts elsewhere': (
        """
        def entry(x, n, out, whole):
            for i, y in enumerate((1, 2), start=1):
                whole[0] += i
        """,
        3,
        'counts from 0',
    ),
    'a range with a step': (
        'def entry(x, n, out, whole):\n    for i in range(0, 3, 2):\n        pass\n',
        2,
        'a range has one or two ints',
    ),
    'a range of floats': (
        'def entry(x, n, out, whole):\n    for i in range(x[0]):\n        pass\n',
        2,
        'a range has one or two ints',
    ),
    'a loop over memory': (
        'def entry(x, n, out, whole):\n    for i in x:\n        pass\n',
        2,
        'a loop goes over a range or over a tuple',
    ),
    'a number called': (
        'def entry(x, n, out, whole):\n    abs = x[0]\n    out[0] = abs(x[1])\n',
        3,
        'abs is a float and cannot be called',
    ),
    'what kernels cannot call': (
        'def entry(x, n, out, whole):\n    out[0] = round(x[0])\n',
        2,
        'round is not known in kernels',
    ),
    'a keyword of a builtin': (
        'def entry(x, n, out, whole):\n    out[0] = max(x[0], x[1], key=abs)\n',
        2,
        'max takes plain arguments',
    ),
    'min of one': (
        'def entry(x, n, out, whole):\n    out[0] = min((x[0], x[1]))\n',
        2,
        'min and max take two numbers or more',
    ),
    'min of several types': (
        'def entry(x, n, out, whole):\n    out[0] = min(x[0], 1)\n',
        2,
        'numbers of one type',
    ),
    'min of truths': (
        'def entry(x, n, out, whole):\n    out[0] = min(x[0] > 0.0, True)\n',
        2,
        'numbers of one type',
    ),
    'int of nothing': (
        'def entry(x, n, out, whole):\n    whole[0] = int()\n',
        2,
        'one argument is needed',
    ),
    'abs of two': (
        'def entry(x, n, out, whole):\n    out[0] = abs(x[0], x[1])\n',
        2,
        'one argument is needed',
    ),
    'float of a tuple': (
        'def entry(x, n, out, whole):\n    out[0] = float((x[0], x[1]))\n',
        2,
        r'\(a float, a float\) is not what is needed',
    ),
    'length of a number': (
        'def entry(x, n, out, whole):\n    whole[0] = len(x[0])\n',
        2,
        'memory and tuples have a length',
    ),
    'bits of an int': (
        'def entry(x, n, out, whole):\n    whole[0] = bits_of(n[0])\n',
        2,
        'an int is not what is needed',
    ),
    'a float of a float': (
        'def entry(x, n, out, whole):\n    out[0] = from_bits(x[0])\n',
        2,
        'a float is not what is needed',
    ),
    'a root of two': (
        'def entry(x, n, out, whole):\n    out[0] = math.sqrt(x[0], 2)\n',
        2,
        'one argument is needed',
    ),
    'a function of the C library': (
        'def entry(x, n, out, whole):\n    out[0] = math.sin(x[0])\n',
        2,
        'math.sin is not known in kernels: take sin of kernels.elementary',
    ),
    'a program without an address': (
        'def entry(x, n, out, whole):\n    call()\n',
        2,
        'the address of a program',
    ),
    'a program at a float': (
        'def entry(x, n, out, whole):\n    call(x[0], x)\n',
        2,
        'the address of a program',
    ),
    'a program of numbers': (
        'def entry(x, n, out, whole):\n    call(n[0], x[0])\n',
        2,
        'a program takes memory',
    ),
    'a power': (
        'def entry(x, n, out, whole):\n    out[0] = x[0] ** 2.0\n',
        2,
        'of floats there are sums',
    ),
    'a power of ints': (
        'def entry(x, n, out, whole):\n    whole[0] = n[0] ** 2\n',
        2,
        'this is not computed with ints',
    ),
    'a rest of floats': (
        'def entry(x, n, out, whole):\n    out[0] = x[0] % 2.0\n',
        2,
        'of floats there are sums',
    ),
    'a complex number': (
        'def entry(x, n, out, whole):\n    y = 1j\n',
        2,
        '1j is no number',
    ),
    'a text': (
        "def entry(x, n, out, whole):\n    y = 'text'\n",
        2,
        "'text' is no number",
    ),
    'a list': ('def entry(x, n, out, whole):\n    y = [1.0]\n', 2, 'List is not known'),
    'a comprehension': (
        'def entry(x, n, out, whole):\n    y = tuple(i for i in (1, 2))\n',
        2,
        'GeneratorExp is not known',
    ),
    'an assignment in an expression': (
        'def entry(x, n, out, whole):\n    out[0] = (y := 1.0)\n',
        2,
        'NamedExpr is not known',
    ),
    'a function in a function': (
        """
        def entry(x, n, out, whole):
            def f(y):
                return y
            out[0] = f(x[0])
        """,
        3,
        'FunctionDef is not known',
    ),
    'a lambda in a function': (
        'def entry(x, n, out, whole):\n    f = lambda y: y\n',
        2,
        'Lambda is not known',
    ),
    'a lambda': (
        """
        f = lambda y: y
        def entry(x, n, out, whole):
            out[0] = f(x[0])
        """,
        2,
        '<lambda> has no source',
    ),
    'a lambda in the first line of a function': (
        """
        def g(x, f=lambda y: 2.0 * y):
            return f(x)
        def entry(x, n, out, whole):
            out[0] = g(x[0])
        """,
        2,
        '<lambda> has no source',
    ),
    'a closure': (
        """
        factor = 5.0
        def made(factor):
            def f(y):
                return factor * y
            return f
        f = made(2.0)
        def entry(x, n, out, whole):
            out[0] = f(x[0])
        """,
        4,
        'f uses factor of a function around it',
    ),
    'a decorator that wraps': (
        """
        def twice(function):
            @functools.wraps(function)
            def wrapped(y):
                return 2.0 * function(y)
            return wrapped
        @twice
        def f(y):
            return y
        def entry(x, n, out, whole):
            out[0] = f(x[0])
        """,
        3,
        'f uses function of a function around it',
    ),
    'a decorator that remembers': (
        """
        @functools.cache
        def f(y):
            return y
        def entry(x, n, out, whole):
            out[0] = f(x[0])
        """,
        6,
        'is no static',
    ),
    'a partial function': (
        """
        def f(y, z):
            return y
        g = functools.partial(f, 1.0)
        def entry(x, n, out, whole):
            out[0] = g(x[0])
        """,
        6,
        'partial is no static',
    ),
    'a method as a value': (
        """
        class P(NamedTuple):
            a: float
            def sum(self):
                return self.a
        def entry(x, n, out, whole):
            f = P(x[0]).sum
        """,
        7,
        r'P\(x\[0\]\)\.sum can only be called',
    ),
    'a class that looks for its parent': (
        """
        class P(NamedTuple):
            a: float
        class Q(P):
            def more(self):
                return super().a
        def entry(x, n, out, whole):
            out[0] = Q(x[0]).more()
        """,
        5,
        'more uses __class__',
    ),
    'a private name': (
        """
        def __twice(y):
            return 2.0 * y
        class P(NamedTuple):
            a: float
            def doubled(self):
                return __twice(self.a)
        def entry(x, n, out, whole):
            out[0] = P(x[0]).doubled()
        """,
        7,
        '__twice is private to its class',
    ),
    'a private attribute': (
        """
        @dataclass(frozen=True)
        class P:
            __a: float = 1.0
            def of(self):
                return self.__a
        P_ = P()
        def entry(x, n, out, whole):
            out[0] = P_.of()
        """,
        6,
        '__a is private to its class',
    ),
    'a dataclass that can change': (
        """
        @dataclass
        class Law:
            x: float
            __hash__ = object.__hash__
        LAW = Law(1.0)
        def entry(x, n, out, whole):
            out[0] = LAW.x
        """,
        8,
        'Law is no static: only frozen dataclasses are',
    ),
    'an object': (
        """
        class Law:
            x = 1.0
        LAW = Law()
        def entry(x, n, out, whole):
            out[0] = LAW.x
        """,
        6,
        'Law is no static',
    ),
    'a global that can change': (
        'TABLE = [1.0]\ndef entry(x, n, out, whole):\n    out[0] = TABLE[0]\n',
        3,
        'list can change',
    ),
    'a frozen dataclass that holds what can change': (
        """
        @dataclass(frozen=True)
        class Law:
            x: Any
        LAW = Law([1.0])
        def entry(x, n, out, whole):
            out[0] = LAW.x[0]
        """,
        7,
        'Law can change',
    ),
    'a property that raises': (
        """
        @dataclass(frozen=True)
        class Law:
            @property
            def x(self):
                return 1.0 / 0.0
        LAW = Law()
        def entry(x, n, out, whole):
            out[0] = LAW.x
        """,
        9,
        'has no x: float division by zero',
    ),
    'a property that remembers': (
        """
        class P(NamedTuple):
            a: float
        class Q(P):
            @functools.cached_property
            def twice(self):
                return 2.0 * self.a
        def entry(x, n, out, whole):
            out[0] = Q(1.0).twice
        """,
        9,
        'twice of Q is not known',
    ),
    'an unknown name': (
        'def entry(x, n, out, whole):\n    out[0] = nowhere\n',
        2,
        'nowhere is not known',
    ),
    'too many names': (
        'def entry(x, n, out, whole):\n    a, b = (1, 2, 3)\n',
        2,
        '2 names for',
    ),
    'names for memory': (
        'def entry(x, n, out, whole):\n    a, b = x\n',
        2,
        '2 names for memory of float',
    ),
    'names for a record': (
        """
        class R(Record):
            a: float
        def entry(x, n, out, whole):
            a, b = R.at(x)
        """,
        5,
        '2 names for a record R',
    ),
    'a star in a target': (
        'def entry(x, n, out, whole):\n    a, *b = (1, 2)\n',
        2,
        'cannot assign to this',
    ),
    'a declaration of a place': (
        'def entry(x, n, out, whole):\n    out[0]: float\n',
        2,
        'only a name is declared',
    ),
    'a declaration without a value': (
        'def entry(x, n, out, whole):\n    y: float\n    out[0] = y\n',
        3,
        'y may have no value here',
    ),
    'an assertion': ('def entry(x, n, out, whole):\n    assert x[0] > 0\n', 2, 'Assert is not'),
    'a try': (
        'def entry(x, n, out, whole):\n    try:\n        pass\n    finally:\n        pass\n',
        2,
        'Try is not known',
    ),
    'a deletion': ('def entry(x, n, out, whole):\n    y = 1\n    del y\n', 3, 'Delete is not'),
    'a place that is asked for': (
        'def entry(x, n, out, whole):\n    _ = 1.0\n    out[0] = _\n',
        3,
        '_ may have no value here',
    ),
    'a result of an entry': (
        'def entry(x, n, out, whole):\n    return 1.0\n',
        1,
        'entry is called from outside and gives a float',
    ),
}


@pytest.mark.parametrize('case', CASES)
def test_what_kernels_do_not_have_is_refused(case, tmp_path):
    text, line, reason = CASES[case]
    is_refused(tmp_path, text, reason, line)


def test_a_method_of_a_record_without_source_is_refused():
    space = {'Record': Record, '__name__': 'nowhere'}
    exec('class R(Record):\n    a: float\n    def twice(self):\n        return self.a', space)
    record = space['R']
    assert layout_of(record).slots == 1
    with pytest.raises(KernelError, match=r'<string>:3: twice has no source'):
        Kernel(_twice, [static(record), Floats])


def _twice(record, out):
    out[0] = record.at(out).twice()


def test_a_source_that_has_changed_is_refused(tmp_path):
    module = module_of(tmp_path, 'def entry(x, n, out, whole):\n    out[0] = 1.0\n')
    path = tmp_path / f'{module.__name__}.py'
    path.write_text('# new\n' + path.read_text())
    with pytest.raises(KernelError, match='has changed since'):
        Kernel(module.entry, STANDARD)


def entry(x, out):
    out[0] = x


NO_ENTRIES = {
    'what has no code': (functools.partial(entry), [float, Floats], 'is no kernel'),
    'a class': (int, [float], 'is no kernel'),
    'too few arguments': (entry, [float], 'entry takes 2 arguments, not 1'),
    'a text': (entry, [float, 'floats'], 'an entry cannot take'),
    'a truth': (entry, [bool, Floats], 'an entry cannot take'),
    'rows of nothing': (entry, [float, Rows], 'an entry cannot take'),
    'a static that can change': (entry, [static([1.0]), Floats], 'list can change'),
    'a static that is none': (entry, [static(object()), Floats], 'object is no static'),
    'a static that does not fit': (entry, [static(2**64), Floats], 'does not fit'),
}


@pytest.mark.parametrize('case', NO_ENTRIES)
def test_an_entry_that_is_none_is_refused(case):
    function, arguments, reason = NO_ENTRIES[case]
    with pytest.raises(KernelError, match=reason):
        Kernel(function, arguments)


class Pair(Record):
    a: float
    b: int


def on_records(pair, rows, floats, ints, n):
    pair.a = float(n)


GOOD = (np.zeros(2), np.zeros(4), np.zeros(3), np.zeros(3, np.int64), 1)
WRONG = {
    'a list': (0, [0.0, 0.0], 'a contiguous array is needed, got list'),
    'every other number': (2, np.zeros(6)[::2], 'a contiguous array is needed'),
    'single precision': (2, np.zeros(4, np.float32), 'an array of float is needed'),
    'ints for floats': (2, np.zeros(4, np.int64), 'an array of float is needed'),
    'floats for ints': (3, np.zeros(4), 'an array of int is needed'),
    'the wrong order of bytes': (2, np.zeros(4, '>f8'), 'an array of float is needed'),
    'too little for a record': (0, np.zeros(1), 'Pair takes 2 numbers, not 1'),
    'another record': (1, np.zeros(2, [('x', 'f8')]), 'an array of Pair is needed'),
    'a float for an int': (4, 1.0, 'float'),
    'an int that does not fit': (4, 2**63, 'does not fit into 64 bits'),
}


@pytest.mark.parametrize('case', WRONG)
def test_memory_that_does_not_fit_is_refused(case):
    place, value, reason = WRONG[case]
    kernel = Kernel(on_records, [Pair, Rows[Pair], Floats, Ints, int])
    kernel(*GOOD)
    given = list(GOOD)
    given[place] = value
    with pytest.raises(TypeError, match=reason):
        kernel(*given)
    with pytest.raises(ValueError, match='zip'):
        kernel(*GOOD[:-1])


NO_RECORDS = {
    'a list': ({'a': list}, {}, 'cannot be kept in memory'),
    'a tuple of any length': ({'a': tuple[float, ...]}, {}, 'cannot be kept in memory'),
    'rows of numbers': ({'a': Rows[float]}, {}, 'cannot be kept in memory'),
    'an embedded number': ({'a': float}, {'a': embedded(3)}, 'cannot be kept in memory'),
    'a name that is taken': ({'at': float}, {}, 'no field can be called at'),
    'a hidden name that is taken': ({'_start': float}, {}, 'no field can be called _start'),
}


@pytest.mark.parametrize('case', NO_RECORDS)
def test_a_record_that_cannot_be_is_refused(case):
    hints, members, reason = NO_RECORDS[case]
    record = type(Record)('R', (Record,), {'__annotations__': hints, **members})
    with pytest.raises(TypeError, match=reason):
        layout_of(record)


def test_a_block_has_no_negative_length():
    with pytest.raises(ValueError, match='cannot have -1 members'):
        embedded(-1)
