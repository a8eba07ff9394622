"""Claims of docs/benchmarks.md: targets as data, comparisons with peers, and what profiles say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmark_studies import Results, Row, STUDIES

AT_MOST, AT_LEAST = 'at most', 'at least'
# Units of which more is better.
MORE = (
    *('million steps/s', 'thousand steps/s', 'steps/s'),
    *('thousand actions/s', 'simulated s/s'),
)
COMPARED = 'ours'  # how the methods of this package begin


@dataclass(frozen=True)
class Target:
    """A number that is to be reached; names may be globs. None: that of the fastest peer."""

    study: str
    case: str
    measure: str
    number: float | None
    unit: str
    direction: str = AT_MOST
    method: str = 'ours*'

    def fits(self, study: str, row: Row) -> bool:
        """Return whether a row is one of this target."""
        return study == self.study and all(
            fnmatchcase(row[key], getattr(self, key)) for key in ('case', 'measure', 'method')
        )

    @property
    def text(self) -> str:
        """The target as the page has it."""
        if self.number is None:
            return 'faster than the peer'
        return f'{self.direction} {self.number:g} {self.unit}'.strip()

    @property
    def name(self) -> str:
        """The claim as the page has it, where there is no row."""
        return f'{self.case}, {self.measure}'.replace('*', '...')


TARGETS = (
    Target('contact', 'rectangle_rectangle', 'in contact', 450.0, 'ns'),
    Target('contact', 'sphere_cuboid', 'in contact', 630.0, 'ns'),
    Target('contact', 'sphere_cuboid', 'over its run', 140.0, 'ns'),
    Target('articulated', 'cart_pole', 'step', 0.30, 'us'),
    Target('articulated', 'double_pendulum', 'step', 0.30, 'us'),
    Target('articulated', 'Panda', 'step', 1.5, 'us'),
    Target('robots', 'Go2', '*', None, 'us'),
    Target('robots', 'G1', '*', None, 'us'),
    Target('boxes', 'layer of 100 boxes', 'step', 0.25, 'ms', method='ours, rk4'),
    Target('boxes', 'pile of 100 boxes', 'step', 0.25, 'ms', method='ours, rk4'),
    Target('worlds', 'rectangle_circle, rk4, * worlds', '2 threads', 5.0, MORE[0], AT_LEAST),
    Target('worlds', 'cart_pole, semi_implicit, * worlds', '2 threads', 10.0, MORE[0], AT_LEAST),
    Target('worlds', 'Go2, implicit, 64 worlds', '2 threads', None, MORE[1], AT_LEAST),
    Target('startup', 'panda', 'first start', 2.0, 's'),
    Target('startup', '*', 'first start', 1.0, 's'),
    Target('startup', '*', 'later start', 0.35, 's'),
    Target('python', 'cart_pole', 'step, state, effort', 1.5, 'us'),
    Target('node', '*wrench topics*', 'processor', 15.0, '% of a core'),
    Target('node', 'cart-pole*', 'processor', 15.0, '% of a core'),
    Target('node', '*', 'real-time factor off by', 0.01, ''),
    Target('node', 'latency of the *', 'arrival p99', 2.0, 'ms'),
    Target('equations', 'panda', 'right-hand side', 600.0, 'ns'),
    Target('equations', 'panda', 'derive and compile', 1.0, 's'),
    Target('equations', 'panda', 'from the cache', 50.0, 'ms'),
    Target('equations', 'talos', 'derive and compile', 6.0, 's'),
    Target('equations', 'talos', 'accelerations from Python', None, 'us'),
    Target('collision', 'sphere-box', '*', 0.06, 'us'),
    Target('collision', '*-gons', '*', 0.25, 'us'),
    Target('collision', 'box-box', 'apart', 0.25, 'us'),
    *(Target('collision', 'box-box', how, 0.6, 'us') for how in ('shallow', 'deep', 'resting')),
    Target('collision', 'hulls, 100 faces', 'shallow', 5.0, 'us'),
    Target('collision', 'hulls, 100 faces', 'deep', 12.0, 'us'),
    Target('collision', '*cylinder', '*', 10.0, 'us'),
)

CHAIN = """\
A step in contact is a chain of operations that wait for each other, four times a step (`perf`,
rectangle_rectangle): sines and cosines of both bodies 21 %, contact points 23 %, `tanh` of
friction 16 %, the rest of law and loads 21 %, all else 19 %. Shorter chains would round
differently."""
FLIGHT = """\
In its run sphere_cuboid spends two thirds of its time in free flight (`fly`), where the attitude
of the box has four evaluations that wait for each other. Shorter chains would round
differently."""
PILE = """\
Most of the growth is that of the parts of a step (substeps): a higher pile presses its lowest
boxes deeper, and the stiffness of a cubic law rises with the square of the depth. In `rk4`, steps
1,000 to 1,300, a step had 3.0 to 4.0 parts with 100 boxes, 4.0 to 5.0 with 300, 5.0 to 6.7 with
1,000; a box and part took 1.4, 1.5 to 1.7 and 1.7 to 2.1 us. Parts for each island would not help:
of 1,000 boxes 880 to 983 are one island, of 300 193 to 205, of 100 15 to 30. Parts for each pair
would: estimated from depths at three instants, 2.7, 3.1 and 3.5 in the mean over pairs instead of
3.7, 4.7 and 6.0 for the world. The rest: more active pairs per box (1.3 to 1.4; 1.4 to 1.5; 1.4 to
1.7) as columns lean on each other and topple, and time per pair. `verlet` evaluates the forces
once in a part, `rk4` four times."""
LINKS = """\
The program of a step is straight-line code without loops, and the mass matrix of a chain is full:
2,033 operations for 8 links, 6,793 for 16, 27,513 for 32, 142,425 for 64, at 0.2 to 0.3 ns each.
Robots branch: their matrices have zeros, which the program leaves out (Talos, 38 degrees of
freedom: 17,353)."""
START = """\
MuJoCo interprets a model, and has nothing to derive or compile. Here a later start imports NumPy
(0.1 s) and the modules of the package (0.12 s), finds the key of the machine code (0.03 s) and
loads it; a first one derives and compiles. Processor time of a first start, as profiled: of
docking_probe_drogue 1.5 s, of these SymPy's import 0.3, equations of its joints 0.2, LLVM IR of
the kernels 0.4, LLVM 0.4; of Panda 1.9 s, with 0.3, 0.3, 0.5 and 0.4. Before the first step came
out of quick code, with all of LLVM's passes, first starts were: rectangle_circle 1.36 s,
sphere_cuboid 1.17, docking_probe_drogue 4.04, cart_pole 1.54, Panda 6.07 s."""
CALLS = """\
The rows of its parts are the profile. Of a step 0.13 us are the compiled call, 0.12 the copy of
the state to go back to and counters, 0.1 the lock against other threads, 0.05 whether the model is
still that of the simulation; the rest is the interpreter's way through three functions. Of a state
0.1 us are NumPy's copy. MuJoCo gives views of its memory, and guards nothing. With the call made
through ctypes a round took 2.62 us."""
NODE = """\
The work is Python's (`perf`, cart-pole, 1,000 ticks a second): of the time of the node 51 % are in
the interpreter, 11 % in NumPy, 13 % in the kernel, 13 % in Fast DDS, rclpy and rcl. Of a tick of
280 us 81 send three messages, 72 make them of the state, 30 look for commands on five topics, 50
pace and make the step, 40 are sleep. A program that sleeps and sends the same three messages, as
bytes that never change, takes 80 us. With idle cores it is more (28 %) than with cores that other
work keeps awake (20 %), and on this virtual machine it varies from one set of runs to the next: 50
topics, reliable, 13 to 21 %. In per cent of a core with 50 wrench topics: steps 2, services 1,
commands 1, saved states for `~/rewind` 1."""
LATENCY = """\
Another process hears all 50 topics, 5,000 messages a second, on the same core: alone p99 is a
fifth of it. The last of 50 wrenches of an instant waits for those before it."""
AXES = """\
The work grows with the number of edges of both, and with 16 it is more than with 8, for which the
limit was set; poses are random, so that branches are predicted poorly. Not profiled further."""
GJK = """\
`collide` of fcl only has to say whether bodies touch, and where; ours finds a separating axis or
the depth without a warm start, and then all points of a manifold: for curved and many-faced shapes
by iterations (GJK, and EPA where they overlap). Not profiled further."""
WORLDS = """\
Worlds share nothing but the program, so that two threads are twice as fast where two cores are
free; a core that does other work as well takes its part."""
LEARNING = """\
Of an action in one world these are steps: 3 of 24 us (pole on a cart), 20 of 50 (hopper), 45 of
115 (pushing, at rest; another 23 are coordinates of the free box), 105 of 178 (four legs, still).
The rest is Python: Gymnasium's wrappers, checks, efforts or targets joint by joint, observations.
An action of InvertedPendulum is twice as long as ours, so that as many are twice the time. Steps
of Ant are 10 ms, those of the Go2 2 ms, with 12 servos and feet that knock; of Pusher 10 ms, ours
2 ms."""
# Globs of study/case/measure/method, in order; the first that fits tells why.
WHY = {
    'contact/sphere_cuboid/over its run/*': FLIGHT,
    'contact/*': CHAIN,
    'boxes/*': PILE,
    'links/*': LINKS,
    'startup/*': START,
    'python/*': CALLS,
    'node/latency*': LATENCY,
    'node/*': NODE,
    'collision/*-gons/*': AXES,
    'collision/*': GJK,
    'worlds/*': WORLDS,
    'gymnasium/*': LEARNING,
}
NOT_YET = 'Not profiled yet.'


@dataclass(frozen=True)
class Comparison:
    """A number of ours beside its target and beside the fastest peer, if there are any."""

    study: str
    row: Row
    target: Target | None
    peer: Row | None

    @property
    def name(self) -> str:
        """What was measured."""
        own = self.row['method'].partition(', ')[2]
        more = f' (`{own}`)' if own else ''
        return f'{self.row["case"]}, {self.row["measure"]}{more}'

    @property
    def times_as_fast(self) -> float | None:
        """How many times as fast as the peer ours is; below 1 it is slower."""
        if self.peer is None:
            return None
        ours, theirs = self.row['value'], self.peer['value']
        return ours / theirs if self.row['unit'] in MORE else theirs / ours

    @property
    def is_slower(self) -> bool:
        """Whether a peer is faster."""
        ratio = self.times_as_fast
        return ratio is not None and ratio < 1.0

    @property
    def part_of_target(self) -> float | None:
        """How far the target is reached: below 1 it is missed."""
        if self.target is None or self.target.number is None:
            return None
        number, value = self.target.number, self.row['value']
        return value / number if self.target.direction == AT_LEAST else number / max(value, 1e-12)

    @property
    def is_missed(self) -> bool:
        """Whether the target is missed."""
        part = self.part_of_target
        return part is not None and part < 1.0

    @property
    def verdict(self) -> str:
        """Slower, missed, both, or good."""
        words = ['slower'] * self.is_slower + ['missed'] * self.is_missed
        if words:
            return ' and '.join(words)
        return 'kept' if self.target else 'faster' if self.peer else ''

    @property
    def rank(self) -> int:
        """Its place on the page: slower than a peer, target missed, good."""
        return 0 if self.is_slower else 1 if self.is_missed else 2

    @property
    def badness(self) -> float:
        """The factor by which it is behind, of target or peer; good ones are below 1."""
        parts = [part for part in (self.times_as_fast, self.part_of_target) if part]
        return 1.0 / min(parts) if parts else 0.0

    @property
    def why(self) -> str:
        """What profiles say of it."""
        key = '/'.join((self.study, *(self.row[name] for name in ('case', 'measure', 'method'))))
        found = (text for glob, text in WHY.items() if fnmatchcase(key, glob))
        return next(found, NOT_YET).replace('\n', ' ')


def comparisons(results: Results) -> list[Comparison]:
    """Return every number that has a target or a peer: slower ones first, then missed targets."""
    found = [one for name in STUDIES for one in _of_study(name, results)]
    return sorted(found, key=lambda one: (one.rank, -max(1.0, one.badness)))


def _of_study(name: str, results: Results) -> Iterator[Comparison]:
    rows: list[Row] = results.get(name, {}).get('rows', [])
    for row in rows:
        if not row['method'].startswith(COMPARED):
            continue
        target = next((one for one in TARGETS if one.fits(name, row)), None)
        peer = fastest_peer(rows, row)
        if target or peer:
            yield Comparison(name, row, target, peer)


def fastest_peer(rows: list[Row], row: Row) -> Row | None:
    """Return the fastest that is not ours of a case and measure."""
    same = ('case', 'measure', 'unit', 'x')
    peers = [
        one
        for one in rows
        if not one['method'].startswith(COMPARED)
        and all(one.get(key) == row.get(key) for key in same)
    ]
    best = max if row['unit'] in MORE else min
    return best(peers, key=lambda one: one['value']) if peers else None


def unmeasured(results: Results) -> list[tuple[Target, str]]:
    """Return the targets without a number to compare, and why."""
    found = []
    for target in TARGETS:
        study = results.get(target.study, {})
        rows = [row for row in study.get('rows', []) if target.fits(target.study, row)]
        lonely = target.number is None and not any(fastest_peer(study['rows'], r) for r in rows)
        if not rows or lonely:
            missing = ', '.join(study.get('missing', ()))
            reason = f'not installed: {missing}' if missing else 'no such row'
            found.append((target, study.get('failed', reason if study else 'not measured')))
    return found
