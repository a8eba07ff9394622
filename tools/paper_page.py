"""Page docs/paper.md, from the stored measurement, the runs and the lists of this folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
import re
import statistics

from paper_claims import Claim, claims, VERDICTS
from paper_equations import Equation, EQUATIONS, KINDS
from paper_physics import formulas, law, scenario
from paper_table import COLUMNS, OURS, rows_of, Stored, TABLE_ONE, whole_times

from symcontact_ros.bench.report import digits
from symcontact_ros.bench.scenes import load_scene, SCENARIOS

TITLES = {
    'bouncing_circle': 'Bouncing circle (2D)',
    'circle_circle': 'Circle-circle (2D)',
    'rectangle_circle': 'Rectangle-circle (2D)',
    'rectangle_rectangle': 'Rectangle-rectangle (2D)',
    'sphere_cuboid': 'Sphere-cuboid (3D)',
}
WORDS = {
    'bouncing_circle': 'A ball thrown sideways bounces on the ground, and rolls at last.',
    'circle_circle': 'Two discs collide off centre, without gravity.',
    'rectangle_circle': 'A disc hits a rotating block twice, without gravity.',
    'rectangle_rectangle': 'A brick hits a block with a corner, both rotating, without gravity.',
    'sphere_cuboid': 'A ball hits a tumbling box in space, without gravity.',
}
OWN_WORDS = {
    'ours, derived anew': 'this package: SAT, new',
    'ours': 'this package: SAT',
    'ours, CO': 'this package: CO',
}
ON_GROUND = ('bouncing_circle',)  # where momentum is not conserved
# Methods of the table of steps, in its order; those that a scenario does not have are left out.
STEPPING = (*COLUMNS, 'ours, rk4', 'ours, rk4, co', 'MuJoCo', 'PyBullet, substeps', 'pymunk')
BIBTEX = """\
@misc{asci_nanjangud,
  author = {Asci, Simone and Nanjangud, Angadh},
  title  = {Leveraging Symbolic Algebra Systems to Simulate Contact Dynamics in Rigid Body
            Systems},
  note   = {School of Engineering and Materials Science, Queen Mary University of London}
}"""
INTRODUCTION = """\
# The paper, reproduced

This package began with a paper: Simone Asci and Angadh Nanjangud (School of Engineering and
Materials Science, Queen Mary University of London), *Leveraging Symbolic Algebra Systems to
Simulate Contact Dynamics in Rigid Body Systems*. Here are its five scenarios, its Table I beside
our measurements, each of its claims with a verdict, and each of its equations with our correction.

Everything on this page is written by

    make paper                                # all of it, about {minutes} minutes
    .venv/bin/python tools/paper.py --fast    # without measuring: Table I from docs/paper.json

The paper prints no masses, sizes, constants of the contact, durations or steps. The scenarios
are ours with its names, bodies and law, so that times can be compared between the methods of one
machine, not with the printed seconds.

{verdicts}
"""
SCENARIO_INTRODUCTION = """\
## The five scenarios

`rk4` in steps of 1 ms, divided in contact; F = k rho^3 (1 - c v_N) with {law}.

In each figure: (a) the motion, (b) the energy, all of the time or around the contacts, (c, d)
poses, (e) the forces of the first contact, in the plane with friction positive to the left of the
normal, and (f) the normal force over the depth: the area between *in* and *out* is the energy
that the damper takes.
"""
KEPT = """\
*lost* is what contacts dissipate; the *balance* is what remains unexplained of start, end, loss
and the work of contact points that come and go at some depth, as a part of the throughput. *p*
and *L*: change of momentum [kg m/s] and of angular momentum [kg m^2/s], which RK4 keeps to its
order; on the ground they are not conserved. *by CO*: largest difference of coordinates at the end
[m or rad] if `detector: co` finds the contacts. Depths and energies agree with an independent
implementation: `test/simulation/test_scenarios.py::test_a_scenario_collides_as_in_the_paper`.
"""
TABLE_INTRODUCTION = """\
## Table I

Seconds of one simulation. *As printed*: averages of ten simulations on an Intel Core i7-9750H.
*The paper's way*: the same methods, written again in `symcontact_ros/bench/paper_way.py`:
KanesMethod and `lambdify`, Newton and Euler by hand, and CVXPY with ECOS (one run). *This
package*: *new* derives and compiles the equations, as the paper's way does; the others load
them from the cache. All in one run, taking turns, on one core of this machine:

{machine}; {versions}.

{runs} runs of {steps} steps of {step:g} ms each, integrated by `rk4` without substeps, so that
all make the same steps; the mean of the processor time, with the derivation, without imports. On a
machine that does other work times grow: compare within a column.
"""


def page(result: Stored, minutes: int) -> str:
    """Return the page as Markdown."""
    found = claims(result)
    parts = [
        INTRODUCTION.format(minutes=minutes, verdicts=_summary(found)),
        *_scenarios(),
        *_table_one(result),
        *_claims(found),
        *_equations(),
        *_citation(),
    ]
    text = '\n'.join(parts).rstrip('\n') + '\n'
    return re.sub(r'(?<=\d)%', ' %', text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; cells hold no bars."""
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ['---'] * len(lines[0]))
    return '\n'.join(f'| {" | ".join(cells)} |' for cells in lines) + '\n'


def _summary(found: list[Claim]) -> str:
    verdicts = [claim.verdict for claim in found]
    said = ', '.join(f'{verdicts.count(one)} {one}' for one in VERDICTS)
    kinds = [one.verdict for one in EQUATIONS for _ in one.number.split(',')]
    state = ', '.join(f'{kinds.count(one)} {one.replace("s", "", 1)}' for one in KINDS)
    return f'Of {len(found)} claims: {said}. Of {len(kinds)} equations: {state}.'


# Scenarios ---------------------------------------------------------------------------------------


def _scenarios() -> Iterator[str]:
    yield SCENARIO_INTRODUCTION.format(law=_law())
    every = {name: scenario(name) for name in SCENARIOS}
    yield table(
        (
            *('scenario', 'time [s]', 'contacts', 'first at [s]', 'lasts [ms]'),
            *('deepest [mm]', 'largest F_N [N]'),
        ),
        [
            [
                f'`{name}`',
                f'{n["duration"]:g}',
                f'{n["contacts"]:.0f}',
                f'{n["begin"]:.3f}',
                f'{1e3 * n["lasts"]:.0f}',
                f'{1e3 * n["depth"]:.1f}',
                f'{n["force"]:.0f}',
            ]
            for name, n in every.items()
        ],
    )
    yield table(
        ('scenario', 'energy: start [J]', 'end', 'lost', 'balance', 'p', 'L', 'by CO'),
        [
            [
                f'`{name}`',
                *(f'{n[key]:.3f}' for key in ('energy_start', 'energy_end', 'dissipated')),
                bound(n['residual']),
                *('-' if name in ON_GROUND else bound(n[key]) for key in ('linear', 'angular')),
                bound(n['by_co']),
            ]
            for name, n in every.items()
        ],
    )
    yield KEPT
    for name in SCENARIOS:
        yield f'### {TITLES[name]}\n'
        yield (
            f'{WORDS[name]} <a href="gallery/{name}.html">Live page</a> in the built '
            f'documentation, or `symcontact export {name} page.html`; '
            f'`ros2 launch symcontact_ros {name}.launch.py`.\n'
        )
        yield f'![{TITLES[name]}: motion, energy, poses, first contact](images/paper_{name}.png)\n'


def _law() -> str:
    """Return the constants of the law, which all scenarios share."""
    (one,) = {load_scene(name)[1].law for name in SCENARIOS}
    return (
        f'k = {one.stiffness:.0e} N/m^3, c = {one.damping:g} s/m, mu = {one.friction:g}, '
        f'vs = {one.slip_speed:g} m/s'
    ).replace('e+0', 'e')


def bound(value: float) -> str:
    """Return a power of ten that a number is below: its digits are rounding."""
    power = -12
    while value >= 10.0**power:
        power += 1
    return f'< 1e{power}'


# Table I -----------------------------------------------------------------------------------------


def _table_one(result: Stored) -> Iterator[str]:
    versions = ', '.join(f'{name} {version}' for name, version in result['versions'].items())
    step = 1e3 * result['step_size']
    words = {key: result[key] for key in ('machine', 'runs', 'steps')}
    yield TABLE_INTRODUCTION.format(**words, versions=versions, step=step)
    whole = whole_times(result)
    rows = [
        [f'printed: {column}', *(f'{TABLE_ONE[name][column]:.2f}' for name in SCENARIOS)]
        for column in COLUMNS
    ]
    words = {column: f"the paper's way: {column}" for column in COLUMNS} | OWN_WORDS
    rows += [
        [said, *(digits(whole[name][column]) for name in SCENARIOS)]
        for column, said in words.items()
    ]
    yield table(('seconds', *TITLES.values()), rows)
    yield '![Table I as printed, and measured](images/paper_table.png)\n'
    yield _per_step(result)
    yield _notes(result)


def _per_step(result: Stored) -> str:
    words = {OURS[column]: said for column, said in OWN_WORDS.items()}
    rows = {name: rows_of(result, name) for name in SCENARIOS}
    methods = [m for m in STEPPING if any(m in own for own in rows.values())]
    cells = [
        [
            words.get(method, method),
            *(
                digits(rows[name][method]['step_us']['minimum']) if method in rows[name] else '-'
                for name in SCENARIOS
            ),
        ]
        for method in methods
    ]
    said = 'A step alone, the least of the runs; other simulators have other contact laws:\n'
    return f'{said}\n{table(("microseconds", *TITLES.values()), cells)}'


def _notes(result: Stored) -> str:
    missing = ', '.join(result['missing'])
    left_out = f' Not installed there, not measured: {missing}.' if missing else ''
    flat = rows_of(result, 'rectangle_rectangle')['Symbolic CO']['difference']['position']
    times = whole_times(result).values()
    late = sum(own['ours, derived anew'] > own['Symbolic SAT'] for own in times)
    return (
        'The paths of the first three are ours to rounding in the plane, and to the order of RK4 '
        'in space, except that of Symbolic CO for two rectangles: shrinking flat bodies rounds '
        f'their corners, and they are up to {digits(flat)} m elsewhere. To derive and compile a '
        f"new model takes longer than the whole simulation by the paper's Symbolic SAT in {late} "
        f'of {len(times)} scenarios; it is done once. The mean time of a step is '
        f'{_noise(result):.0%} above the least of the runs, in the median of all methods. '
        f'`symcontact bench --peers` measures all of it on your machine.{left_out}\n'
    )


def _noise(result: Stored) -> float:
    """Return how far the mean time of a step is above the least, in the median of all methods."""
    times = [row['step_us'] for rows in result['scenarios'].values() for row in rows]
    return statistics.median(time['mean'] / time['minimum'] for time in times) - 1.0


# Claims, equations -------------------------------------------------------------------------------


def _claims(found: list[Claim]) -> Iterator[str]:
    yield '## Claims\n'
    for verdict in VERDICTS:
        own = [claim for claim in found if claim.verdict == verdict]
        if own:
            yield f'### {verdict.capitalize()}\n'
            yield '\n'.join(map(_item, own)) + '\n'


def _item(claim: Claim) -> str:
    shown = ', '.join(map(_reference, claim.shown_by))
    text = f'**{_plain(claim.claim)}** ({claim.section}): {_plain(claim.measured)}'
    return f'- {text}. *Shown by* {shown}.'


def _plain(text: str) -> str:
    """Return a text whose R* is no emphasis."""
    return text.replace('R*', r'R\*')


def _reference(place: str) -> str:
    """Return a link to a page, or the name of a test."""
    folder, _, name = place.partition('/')
    if place == 'docs/paper.md':
        return '[Table I](#table-i)'
    return f'[{name}]({name})' if folder == 'docs' else f'`{place}`'


def _equations() -> Iterator[str]:
    numbers = {**formulas(), **law()}
    yield '## Equations\n'
    yield (
        'Eqs. 2 to 17 are for a rectangle with half lengths C1, C2 and a circle of radius R with '
        'its centre q in the frame of the rectangle. `test/helpers/paper_formulas.py` has them to '
        f'the letter; compared with ours at {numbers["poses"]:,} random poses (C = 2 m and 0.5 m, '
        f'R = 0.3 m), {numbers["right"]:.0%} of all overlaps are right: the ones beside an edge.\n'
    )
    yield '![Where the printed formulas fail](images/paper_formulas.png)\n'
    yield REGIONS
    for equation in EQUATIONS:
        yield _equation(equation, numbers)


REGIONS = table(
    ('centre of the circle', 'phi', 'point of A', 'point of B', 'normal'),
    (
        ('outside, beside an edge', 'right', 'right', 'right', 'right'),
        ('outside, at a corner', 'right', 'right', 'right', 'wrong'),
        ('on the boundary', 'right', 'right', '0 / 0', 'right, except at a vertex'),
        ('inside', 'wrong', 'right', 'wrong', 'right'),
        ('inside, equally far from two edges', 'wrong', 'wrong', 'wrong', 'wrong'),
        ('inside, on an axis of symmetry', 'wrong', 'wrong', '0 / 0', 'zero'),
    ),
)


def _equation(equation: Equation, numbers: dict[str, float]) -> str:
    several = 's' if ',' in equation.number else ''
    tests = ', '.join(f'`{test}`' for test in equation.tests)
    return (
        f'### Eq{several}. {equation.number}: {equation.subject} ({equation.verdict})\n\n'
        f'$$\n{equation.printed}\n$$\n\n'
        f'- *Fault*: {_plain(equation.fault.format(**numbers))}\n'
        f'- *Here*: {_plain(equation.ours)}\n'
        f'- *Tests*: {tests}\n'
    )


def _citation() -> Iterator[str]:
    yield '## Citation\n'
    yield 'The paper, as far as its text tells; `CITATION.cff` cites it too:\n'
    yield f'```bibtex\n{BIBTEX}\n```'
