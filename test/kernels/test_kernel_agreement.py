"""Edges of the language of kernels that mean the same compiled as in plain Python."""

from helpers.kernel_sources import agrees, NUMBERS, WITH_NAN
import pytest

# Name of a case: text with an entry(x: Floats, n: Ints, out: Floats, whole: Ints).
CASES = {
    'a constant index from the end of a tuple': """
        def entry(x, n, out, whole):
            t = (x[0], x[1], x[2])
            out[0], out[1] = t[-1], t[-3]
        """,
    'an index from the end of a tuple by a name': """
        LAST = -1
        def entry(x, n, out, whole):
            t = (x[0], n[0], x[2])
            before = -2
            out[0] = t[LAST]
            whole[0] = t[before]
        """,
    'an index from the end of a tuple that only the running kernel knows': """
        def entry(x, n, out, whole):
            t = (x[0], x[1], x[2])
            for i in range(-3, 3):
                out[i + 3] = t[i]
        """,
    'an index of a tuple of statics of numbers': """
        TABLE = ((1, 2.5), (3, 4.5), (5, -0.0))
        def entry(x, n, out, whole):
            for i in range(3):
                whole[i], out[i] = TABLE[i]
            whole[3] = len(TABLE)
        """,
    'a truth as a number': """
        def entry(x, n, out, whole):
            out[0] = float(x[0] > x[1])
            whole[0] = int(x[0] <= x[1])
            out[1] = float(True) + float(n[0])
            whole[1] = int(n[0] == n[1]) + int(False)
            whole[2] = int(bool(x[0])) + int(bool(n[0])) + int(bool(0.0)) + int(bool(-3))
        """,
    'a named tuple made in place': """
        class P(NamedTuple):
            a: float
            b: float
        def entry(x, n, out, whole):
            out[0] = P(x[0], x[1]).a
            out[1] = P(x[0], x[0]).b
            out[2] = P(b=x[0], a=x[1]).b
            out[3] = P(x[1], b=x[2])[1]
            a, b = P(x[2], x[3])
            out[4], out[5] = a, b
        """,
    'named tuples with the same members in another order': """
        class P(NamedTuple):
            a: float
            b: float
        class Q(NamedTuple):
            b: float
            a: float
        def a_of(p):
            return p.a
        def entry(x, n, out, whole):
            out[0] = a_of(P(x[0], x[1]))
            out[1] = a_of(Q(x[0], x[1]))
            p = P(x[0], x[1])._replace(a=x[2])
            out[2], out[3] = p
        """,
    'defaults of named tuples': """
        class P(NamedTuple):
            a: float
            b: float = -0.0
            c: int = 7
            def sum(self):
                return self.a + self.b
            @property
            def twice(self):
                return P(2.0 * self.a, b=self.b)
            @classmethod
            def of(cls, a):
                return cls(a)
            @staticmethod
            def half(a):
                return 0.5 * a
        ORIGIN = P(1.25)
        def entry(x, n, out, whole):
            p = P(x[0])
            out[0], out[1] = p.sum(), p.twice.a
            whole[0] = p.twice.c + len(p)
            out[2] = P.of(x[1]).b
            out[3] = P.half(x[2]) + p.half(x[3])
            out[4] = ORIGIN.sum() + P.sum(p)
        """,
    'division and rest of ints': """
        def entry(x, n, out, whole):
            k = 0
            for i in range(4):
                for j in range(4):
                    if n[j] != 0:
                        whole[k % 3] = whole[k % 3] % 1000003 * 31 + n[i] // n[j] % 65536
                        whole[3 + k % 3] ^= n[i] % n[j]
                        k += 1
            whole[7] += 7 // 2 + -7 // 2 + 7 % -3 + -7 % 3 + -7 // -3
            whole[6] += n[0] // -1 + n[1] % -1 + n[2] // 3 + n[3] % -4
        """,
    'shifts': """
        def entry(x, n, out, whole):
            for i in range(4):
                whole[i] = (n[i] % 1000) << (n[3 - i] % 40)
                whole[4 + i] = n[i] >> (n[3 - i] % 90)
            whole[0] += (1 << 62) - (5 >> 1) - (-5 >> 1)
        """,
    'bits': """
        def entry(x, n, out, whole):
            whole[0] = (n[0] & n[1]) | (n[2] ^ ~n[3])
            whole[1] = bits_of(x[0]) ^ bits_of(x[1])
            out[0] = from_bits(bits_of(x[2]))
            whole[2] = -n[0] + abs(n[1]) + +n[2]
            whole[3] = -9223372036854775808
            whole[4] = 9223372036854775807
        """,
    'floor gives an int': """
        def entry(x, n, out, whole):
            for i in range(4):
                if abs(x[i]) < 1e15:
                    whole[i] = math.floor(x[i]) + math.floor(n[i])
                    whole[4 + i] = int(x[i]) * 2 + int(n[i])
        """,
    'a chain of comparisons stops': """
        def noted(whole, place, value):
            whole[place] += 1
            return value
        def entry(x, n, out, whole):
            if noted(whole, 0, x[0]) < noted(whole, 1, x[1]) <= noted(whole, 2, x[2]):
                whole[3] = 1
            small = 0 < n[0] < 3 != n[1]
            out[0] = 1.0 if small else 0.0
            out[1] = float(0 < 1 < 2) + float(1 < 0 < noted(whole, 4, 3))
        """,
    'what and / or do not need is not computed': """
        def noted(whole, place, value):
            whole[place] += 1
            return value
        ON, OFF = True, False
        def entry(x, n, out, whole):
            if noted(whole, 0, x[0] > 0.0) and noted(whole, 1, x[1] > 0.0):
                whole[2] = 1
            if noted(whole, 3, x[0] > 0.0) or noted(whole, 4, x[1] > 0.0) or OFF:
                whole[5] = 1
            a = ON and noted(whole, 6, x[2] > 0.0) and ON
            b = OFF or noted(whole, 7, x[2] > 0.0) and not OFF
            out[0] = float(a) + 2.0 * float(b) + 4.0 * float(OFF and noted(whole, 6, True))
            out[1] = float(x[0] > 0.0 and OFF and noted(whole, 7, True))
            out[2] = float(x[0] > 0.0 or ON or noted(whole, 7, True))
        """,
    'an augmented assignment computes its place once': """
        def next_of(whole):
            whole[7] += 1
            return whole[7] - 1
        def grown(out, x):
            out[0] = out[0] + 100.0
            return x
        def entry(x, n, out, whole):
            whole[next_of(whole)] += 5
            whole[next_of(whole)] -= next_of(whole)
            out[0] = 1.0
            out[0] += grown(out, x[2])
            out[1] -= out[0]
            t = x[0]
            t *= x[2]
            out[2] = t
        """,
    'values are those of when they are evaluated': """
        def changed(out):
            out[0] += 1.0
            return out[0]
        def three(a, b, c):
            return a + 10.0 * b + 100.0 * c
        def entry(x, n, out, whole):
            out[1] = out[0] + changed(out)
            out[2] = three(out[0], changed(out), out[0])
            out[3] = three(c=changed(out), a=changed(out), b=out[0])
            t = (out[0], changed(out), out[0])
            out[4] = t[0] - t[1] + 2.0 * t[2]
            old = out[0]
            changed(out)
            out[5] = old
            out[6], out[0], out[7] = out[0], old, out[6]
        """,
    'the right side comes before the place that it goes to': """
        def step(whole):
            whole[0] += 1
            return whole[0]
        def entry(x, n, out, whole):
            whole[step(whole)] = step(whole)
            a = whole[step(whole)] = step(whole)
            whole[7] = a
        """,
    'ints and floats together': """
        def entry(x, n, out, whole):
            out[0] = n[0] + x[2]
            out[1] = 3 * x[2] - 1
            out[2] = x[3] / 3
            out[3] = float(n[0]) / 4
            whole[0] = 1 if x[0] > 0 else 2
            whole[1] = 1 if 2 == x[3] else 3
            out[4] = -0.0 + 0 * x[2]
            out[5] = math.sqrt(9007199254740993) + math.sqrt(True)
        """,
    'keywords and defaults': """
        SCALE = 3.0
        def f(a, b, c=2.0, d=SCALE):
            return a - b * c + d
        def entry(x, n, out, whole):
            out[0] = f(x[2], 1.0)
            out[1] = f(b=x[2], a=1.0)
            out[2] = f(x[2], d=0.5, b=2.5)
            out[3] = f(1.0, 2.0, 3.0, x[2])
        """,
    'a place that nobody asks for': """
        def pair(a):
            return a, 2.0 * a
        def entry(x, n, out, whole):
            _, b = pair(x[2])
            _ = 3
            for _ in range(3):
                whole[0] += 1
            (_, c), _ = pair(x[1]), b
            out[0], out[1] = b, c
        """,
    'locals called like builtins': """
        def entry(x, n, out, whole):
            abs = x[0]
            max = 2.0
            int, len = n[0], 3
            out[0] = abs * max
            whole[0] = int + len
        """,
    'arguments called like builtins and modules': """
        def f(range, math, float):
            return range + math * float
        def entry(x, n, out, whole):
            out[0] = f(x[0], x[2], 2.0)
        """,
    'globals called like builtins': """
        def abs(x):
            return 2.0 * x
        min = 4.0
        def entry(x, n, out, whole):
            out[0] = abs(x[2]) + min
        """,
    'tuples of statics': """
        def twice(x):
            return 2.0 * x
        def less(x):
            return x - 1.0
        TOOLS = (twice, less, (twice, 3))
        def entry(x, n, out, whole):
            pair = (less, twice, x[2])
            out[0] = pair[0](x[2]) + pair[1](x[3])
            out[1] = TOOLS[2][0](x[2])
            whole[0] = TOOLS[2][1]
            total = 0.0
            for tool in (twice, less, twice):
                total = tool(total + x[2])
            out[2] = total
        """,
    'an unrolled loop that goes on and ends early': """
        def entry(x, n, out, whole):
            k = 0
            for y in (x[0], x[1], x[2], x[3]):
                k += 1
                if y < 0.0:
                    continue
                out[k] += y
                if y > 1.0:
                    break
                whole[k] = 1
            whole[0] = k
        """,
    'an unrolled loop in another one': """
        def entry(x, n, out, whole):
            for i, a in enumerate((x[0], x[1])):
                for b in (2, x[2], 0.5):
                    if a > 1.0:
                        break
                    out[i] += a * b
                else_ = float(i)
                out[4] += else_
        """,
    'names of other types in each turn': """
        def entry(x, n, out, whole):
            for i, member in enumerate((x[0], 3, (x[1], 2.0), True)):
                whole[i] = i
                kept = member
                if n[i] > 0:
                    again = kept
                    whole[4 + i] += 1
            pair = (0.0, 0.0)
            for a, b in ((1, x[0]), (x[1], 2)):
                c = a
                out[0] += c * b
        """,
    'a name that a loop over a tuple always gives a value': """
        def entry(x, n, out, whole):
            for y in (x[0], x[1], x[2]):
                last = y
                if y > 1.0:
                    break
            out[0], out[1] = last, y
        """,
    'a loop over an empty tuple': """
        def entry(x, n, out, whole):
            last = x[0]
            for y in ():
                last = y.nothing
            out[0] = last
        """,
    'a target that the body changes': """
        def entry(x, n, out, whole):
            i = 100
            for i in range(4):
                whole[i] = i
                i += 10
                whole[4] += i
            whole[5] = i
            for i in range(0):
                i = 7
            whole[6] = i
            for i in range(3, 1):
                pass
            whole[7] = i
        """,
    'a limit of a range that the body changes': """
        def entry(x, n, out, whole):
            count = 3
            for i in range(count):
                count += 1
                whole[i] = count
            whole[7] = count
        """,
    'returns in loops': """
        def first_above(x, limit):
            for i in range(4):
                if x[i] > limit:
                    return i
            return -1
        def sign(x):
            while True:
                if x < 0.0:
                    return -1.0
                return 1.0
        def first(t):
            for a in t:
                return a
        def found(x):
            i = 0
            while True:
                y = x[i]
                if y > 1.0 or i == 3:
                    break
                i += 1
            return y
        def entry(x, n, out, whole):
            whole[0] = first_above(x, 1.0)
            out[0] = sign(x[0])
            out[1] = first((x[2], x[3]))
            out[2] = found(x)
        """,
    'a function without an end': """
        def forever(whole):
            while True:
                whole[0] += 1
                if whole[0] > 3:
                    return
        def nothing():
            pass
        def entry(x, n, out, whole):
            forever(whole)
            a = nothing()
            nothing() if x[0] > 0.0 else nothing()
            return nothing()
        """,
    'methods and properties of frozen dataclasses': """
        def twice(x):
            return 2.0 * x
        @dataclass(frozen=True)
        class Inner:
            factor: float = 2.5
        @dataclass(frozen=True)
        class Law:
            function: Callable
            inner: Inner
            count: int = 3
            def of(self, x, more=1.0):
                return self.function(x) * self.inner.factor + more
            @property
            def doubled(self):
                return 2 * self.count
        LAW = Law(twice, Inner())
        def use(law, x):
            return law.of(x)
        def entry(x, n, out, whole):
            out[0] = LAW.of(x[2]) + LAW.of(x[2], more=x[3])
            whole[0] = LAW.doubled + LAW.count
            out[1] = use(LAW, x[0])
            of = LAW.of
            out[2] = of(1.0)
            out[3] = Law.of(LAW, x[2], 0.5)
        """,
    'dataclasses that are equal and yet not the same': """
        @dataclass(frozen=True)
        class Value:
            x: float
        ONE, REAL, TRUE = Value(1), Value(1.0), Value(True)
        ZERO, MINUS = Value(0.0), Value(-0.0)
        def kept(value):
            return value.x
        def entry(x, n, out, whole):
            whole[0] = kept(ONE) // 2
            out[0] = kept(REAL) / 2.0
            out[1] = 1.0 if kept(TRUE) else 2.0
            out[2], out[3] = kept(ZERO), kept(MINUS)
        """,
    'conditions that are known': """
        DEBUG, LIMIT = False, 3
        MODE = None
        def f(x, helper=None):
            if helper is None:
                return x
            return helper(x)
        def twice(x):
            return 2.0 * x
        def entry(x, n, out, whole):
            if DEBUG:
                out[0] = 'never seen'.nothing
            elif LIMIT > 2 and not DEBUG:
                value = 2.0
            out[1] = value
            out[2] = f(x[2]) + f(x[2], twice)
            out[3] = 1.0 if MODE is None else MODE.factor
            whole[0] = 1 if x[0] is None else 2
            whole[1] = 1 if twice is f else 3
            while DEBUG:
                whole[2] = 5 @ 3
        """,
    'extremes': """
        def entry(x, n, out, whole):
            out[0], out[1] = min(x[0], x[1]), min(x[1], x[0])
            out[2], out[3] = max(x[0], x[1], x[2]), max(x[3], x[1], x[0])
            out[4], out[5] = min(0.0, -0.0), max(-0.0, 0.0)
            whole[0], whole[1] = min(n[0], n[1], 3), max(n[2], n[3], n[2])
            out[6] = abs(x[1])
        """,
    'membership': """
        def entry(x, n, out, whole):
            whole[0] = int(n[0] in (0, 2, n[1])) + int(n[1] not in (5, n[2]))
            whole[1] = int(x[0] in (1.5, -0.0, 3)) + int(x[0] not in (0.5, 1))
            whole[2] = int(3 in (n[0], 3, 2.0)) + int(n[0] in ())
            whole[3] = int(1 in (x[2], x[3]))
        """,
    'aliases of memory': """
        class Pair(Record):
            a: float
            b: float
        def swap(p, q):
            p.a, q.a = q.a, p.a
        def entry(x, n, out, whole):
            for i in range(4):
                out[i] = x[i]
            p, q = Pair.at(out), Pair.at(out, 1)
            p.b = 7.0
            out[4] = q.a
            swap(p, q)
            swap(p, p)
            r = p if n[0] > 0 else q
            r.a += 1.0
            part = out[1:3]
            part[0] += 2.0
            whole[0] = len(part) + len(out[2:]) + len(out[:2])
            again = out
            again[5] = out[1]
            chosen = (out[2:4], x)[int(n[1] > 0)] if n[0] > 0 else out[0:2]
            out[6] = chosen[0] + chosen[1]
        """,
    'tuples with memory in them': """
        class Pair(Record):
            a: float
            b: float
        class Holder(NamedTuple):
            block: Floats
            pair: Pair
            count: int
        def total(holder):
            holder.pair.b = holder.pair.a + holder.block[holder.count]
            return holder.block[0], holder.pair.b
        def entry(x, n, out, whole):
            holder = Holder(x, Pair.at(out, 2), 1)
            out[2] = 0.5
            out[0], out[1] = total(holder)
            best = holder
            if n[0] > 0:
                best = Holder(x[2:], Pair.at(out, 4), count=0)
            out[6], out[7] = total(best)
        """,
    'fields of all kinds': """
        class P(NamedTuple):
            x: float
            n: int
        class Inner(Record):
            flag: bool
            pair: tuple[float, int]
        class Whole(Record):
            point: P
            inner: Inner
            values: Floats = embedded(2)
            def sum(self):
                return self.point.x + self.values[0]
            @property
            def count(self):
                return self.point.n + self.inner.pair[1]
        def entry(x, n, out, whole):
            w = Whole.at(out)
            w.point = P(x[2], n[0])
            w.point = (x[2], n[1])
            w.inner.flag = x[0] > x[1]
            inner = w.inner
            inner.pair = (x[3], 3)
            w.values[1] = 2.0
            w.values[0] = w.sum()
            whole[0] = w.count + int(inner.flag)
            w.values[0] += w.inner.pair[0]
        """,
    'statics of records': """
        def twice(x):
            return 2.0 * x
        def less(x):
            return x - 1.0
        class Body(Record):
            x: float
            law: Static[Callable] = less
            count: Static[int]
            def moved(self):
                return self.law(self.x) * self.count
        A = specialized(Body, law=twice, count=2)
        B = specialized(Body, count=2.0)
        def entry(x, n, out, whole):
            a, b = A.at(out), B.at(out, 1)
            a.x, b.x = x[2], x[3]
            out[2], out[3] = a.moved(), b.moved()
            whole[0] = a.count
            out[4] = b.count
        """,
    'members of enumerations': """
        class Kind(enum.Enum):
            A = 1
            B = 2
        class Level(enum.IntEnum):
            LOW = 3
        def f(kind, x):
            return x if kind is Kind.A else -x
        def entry(x, n, out, whole):
            out[0], out[1] = f(Kind.A, x[2]), f(Kind.B, x[2])
            whole[0] = Level.LOW + Kind.B.value
        """,
    'deep nesting': f"""
        def entry(x, n, out, whole):
            out[0] = {' + '.join(['x[2]'] * 900)}
            out[1] = {'-' * 90}x[2]
            out[2] = {'(' * 80}x[2]{' * 0.5)' * 80}
            y = x[2]
{''.join('            ' + ' ' * i + f'if n[{i % 4}] < {i}:' + chr(10) for i in range(60))}\
            {' ' * 60}y = 2.0
            out[3] = y
        """,
    'names of many letters': """
        def größe(π):
            return 2.0 * π
        def entry(x, n, out, whole):
            äöü = größe(x[2])
            out[0] = äöü
        """,
    'a function that is marked': """
        @separate
        def f(x, t):
            return x + t[0], (t[1], -x)
        def entry(x, n, out, whole):
            out[0], (whole[0], out[1]) = f(x[2], (x[3], n[0]))
        """,
    'a record from a class method': """
        class Pair(Record):
            a: float
            b: float
            SIZE: ClassVar[int] = 2
            @classmethod
            def after(cls, block, place):
                return cls.at(start=cls.SIZE * place, block=block)
            @staticmethod
            def scale():
                return 0.5
        def entry(x, n, out, whole):
            p = Pair.after(out, 1)
            p.a = x[2] * p.scale()
            whole[0] = p.SIZE
        """,
    'elementary functions': """
        from symcontact_ros.kernels.elementary import atan2, cos, exp, log, sin, tan, tanh

        def entry(x, n, out, whole):
            for i in range(4):
                if abs(x[i]) < 100.0:
                    out[0] += sin(x[i]) + sin(-x[i]) + cos(-x[i])
                    out[1] += exp(-abs(x[i])) + tanh(x[i])
                    out[2] += atan2(x[i], x[3 - i]) + tan(x[i])
                    out[3] += log(abs(x[i]) + 1.0) + sin(0.5) + cos(3.0)
            out[4] = math.pi + math.inf
        """,
}


@pytest.mark.parametrize('case', CASES)
def test_compiled_is_the_same_as_plain(case, tmp_path):
    agrees(tmp_path, CASES[case])


NAN = {
    'comparisons': """
        def entry(x, n, out, whole):
            for i in range(4):
                for j in range(4):
                    a, b = x[i], x[j]
                    whole[0] = 2 * whole[0] + int(a < b) + int(a == b)
                    whole[1] = 2 * whole[1] + int(a <= b) + int(a != b)
                    whole[2] = 2 * whole[2] + int(not a > b) + int(0.0 <= a <= b)
                    whole[3] = 2 * whole[3] + int(a in (1.0, 2)) + int(bool(a))
        """,
    'extremes': """
        def entry(x, n, out, whole):
            out[0], out[1] = min(x[0], x[1]), min(x[1], x[0])
            out[2], out[3] = max(x[0], x[1]), max(x[1], x[0])
            out[4] = max(0.0, x[0], x[1])
        """,
    'conditions': """
        def entry(x, n, out, whole):
            whole[0] = 1 if x[0] > 0.0 else 2
            while not (x[0] < 0.0) and whole[1] < 3:
                whole[1] += 1
        """,
}


@pytest.mark.parametrize('case', NAN)
def test_nan_is_as_in_python(case, tmp_path):
    agrees(tmp_path, NAN[case], (*NUMBERS, WITH_NAN))
