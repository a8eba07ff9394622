"""
Claims of the paper, each with a verdict.

Every verdict is computed from the measurements shown with it, so that it changes with them.
"""

import ast
from collections.abc import Callable
import math

from co_study.findings import (
    CO,
    EXACT,
    is_faster,
    of,
    overtakes,
    shallow_growth,
    slope,
    where,
)
from co_study.tables import (
    CLEARLY,
    code_lines,
    Data,
    percent,
    shape_lines,
    small,
    table,
    times,
    us,
)

OUTSIDE = (
    'convex_programs/cones.py',
    'convex_programs/solvers.py',
    'convex_programs/external_programs.py',
)
AXES = (
    'planar/separating_axes.py',
    'spatial/box_axes.py',
    'spatial/hull_axes.py',
    'spatial/edge_gap.py',
)
EXPANDING = tuple(
    f'spatial/{name}.py'
    for name in ('gjk', 'epa', 'epa_polyhedron', 'convex_gap', 'normals', 'polish')
)
ROUND_ONLY = ('ellipse', 'ellipsoid')  # neither separating axes nor GJK and EPA serve these
WALKING = ('downhill', 'following_vertex')  # around a polygon: a part of its separating axes
UNKNOWN = '**Not measured**'
ROUNDING = 1e-9  # [m]: an error below is none
Claim = tuple[str, str, str]  # claim, verdict, measured


def simpler(data: Data) -> Claim:
    """Compare lines of code."""
    programs = code_lines(*OUTSIDE) + shape_lines(
        lambda f: f.returns is not None and 'ConvexBody' in ast.unparse(f.returns), ROUND_ONLY
    )
    axes = code_lines(*AXES) + shape_lines(lambda f: f.name in WALKING)
    verdict = '**About equal**'
    if programs < CLEARLY * axes:
        verdict = '**True**, given a solver'
    elif axes < CLEARLY * programs:
        verdict = '**False**'
    return (
        'CO "is simpler to implement"',
        verdict,
        f'{programs} lines of code write any pair, round or flat, in the plane or in space, as a '
        'conic program and read the solution; separating axes of polygons, boxes and hulls alone '
        f'take {axes}, and cylinders need GJK and EPA ({code_lines(*EXPANDING)})',
    )


def faster_when_complex(data: Data) -> Claim:
    """Compare hulls of more and more faces, by two solvers and two variants of SAT."""
    faces = data['queries']['faces']
    against = (('CVXPY', 'SAT, textbook'), ('CVXPY', 'SAT'), ('CO program, cold', 'SAT'))
    seen = {overtakes(faces, *methods) for methods in against} - {None}
    verdict = {
        frozenset({True}): '**True**',
        frozenset({False}): '**False**',
        frozenset(): UNKNOWN,
    }.get(frozenset(seen), '**Depends on the solver**')
    printed, skipping, made = (where(faces, *methods) for methods in against)
    return (
        '"in complex collision scenarios, faster than the overlap test"',
        verdict,
        f'two hulls in overlap, CVXPY against SAT as printed: faster {printed}; against SAT that '
        f'skips edges which cannot meet: {skipping}. The dedicated solver: {made}',
    )


def clear_advantage_in_space(data: Data) -> Claim:
    """Compare sphere and box, two boxes, and hulls."""
    faces, pairs = data['queries']['faces'], data['queries']['pairs']
    sphere = of(pairs, 'overlap', pair='box - sphere')
    boxes = of(pairs, 'overlap', pair='box - box')
    of_pair = is_faster(sphere)
    of_hulls = bool(overtakes(faces, 'CO program, cold', 'SAT'))
    joined = 'and' if of_pair == of_hulls else 'but'
    return (
        '"clear advantage in the 3D case, where the SAT suffers from a significant increase in '
        'the number of tests" (there: sphere and cuboid)',
        f'**{of_pair} for that pair**, {joined} {str(of_hulls).lower()} for hulls',
        f'sphere and box need no axes: {us(sphere[EXACT])} us; by CO {us(sphere[CO])} us, by '
        f'CVXPY {us(sphere.get("CVXPY"))} us. Two boxes, 15 axes: {us(boxes["SAT"])} us; by '
        f'CO {us(boxes["CO program, warm"])} us. Time of SAT as printed grows as the faces to '
        f'the power {slope(faces, "overlap", "SAT, textbook"):.1f}, without redundant pairs of '
        f'edges {slope(faces, "overlap", "SAT"):.1f}, of CO '
        f'{slope(faces, "overlap", "CO program, cold"):.1f}',
    )


def fast_in_the_plane(data: Data) -> Claim:
    """Compare the simplest polygons."""
    edges = data['queries']['edges']
    simplest = min(cell['size'] for cell in edges)
    beaten = any(is_faster(of(edges, regime, simplest)) for regime in ('overlap', 'apart'))
    return (
        '"for 2D cases, the SAT is fast and suitable for applications with simple shapes"',
        '**False**' if beaten else '**True**',
        f'polygons in overlap: CO (warm) is faster {where(edges)}; apart: '
        f'{where(edges, regime="apart")}',
    )


def faster_with_many_contacts(data: Data) -> Claim:
    """Compare piles of boxes."""
    whole = data['steps']['whole']
    piles = {name: run['ratio'] for name, run in whole.items() if 'pile' in name}
    faster = [one < CLEARLY for one in piles.values()]
    verdict = UNKNOWN
    if piles:
        some = '**Faster, not more accurate**' if all(faster) else '**Only some are faster**'
        verdict = some if any(faster) else '**False**'
    worst = max(row['max'] for row in shallow_growth(data))
    return (
        '"In applications involving several contacts to check, [...] faster and more accurate '
        'than algorithms based on the SAT"',
        verdict,
        'boxes in a pile, CO / SAT per step: '
        + (', '.join(f'{name}: {times(one)}' for name, one in piles.items()) or '-')
        + f'. The exact detector is exact; depths by CO are up to {times(worst)} times as large',
    )


def better_with_complex_shapes(data: Data) -> Claim:
    """Check which methods support two cylinders."""
    rods = of(data['queries']['pairs'], 'overlap', pair='cylinder - cylinder')
    no_axes = 'SAT' not in rods
    return (
        '"better able to handle complex shapes"',
        '**True** of separating axes, not of exact methods' if no_axes else '**False**',
        'a cylinder has infinitely many axes; a program needs a cone and two planes. Two '
        f'cylinders in overlap: CO {us(rods["CO program, cold"])} us, GJK and EPA, exact at any '
        f'depth, {us(rods["exact detector, cold"])} us',
    )


def incompatible_with_penalties(data: Data) -> Claim:
    """Check how often the minimum distance gives a depth."""
    usable = data['accuracy']['plain']
    useless = usable < 0.5
    return (
        '"not compatible with penalty-based methods"',
        '**True as published; not with other programs**' if useless else '**False**',
        f'the minimum distance gives the depth of {percent(usable)} of the overlaps of two '
        'boxes. For the alternative see below',
    )


def smaller_circle(data: Data) -> Claim:
    """Evaluate R* = 0 for round shapes, and b for flat ones."""
    point = next(row for row in data['accuracy']['stars'] if row['R*'] == 0.0)
    margin = data['accuracy']['margins'][-3]
    helps = point['usable'] > 0.0 and point['error'] < ROUNDING
    return (
        '"Under certain circumstances, it is possible to modify the problem" (a smaller circle '
        'R*)',
        '**True for round shapes**' if helps else '**False**',
        f'R* = 0: {percent(point["usable"])} of overlaps up to 2 R deep, error '
        f'{small(point["error"])} m. Shrinking flat shapes instead rounds their corners: with '
        f'b = {1e3 * margin["b"]:g} mm contacts at rest lose '
        f'{percent(1.0 - margin["rest median"])} of their depth in the median, and '
        f'{percent(margin["rest missed"])} are missed',
    )


def square_as_objective(data: Data) -> Claim:
    """Compare the errors of two objectives at the smallest gap."""
    near = data['accuracy']['squared'][-1]
    square, length = near.get('CVXPY, square'), near.get('CVXPY, length')
    verdict = UNKNOWN
    if square is not None and length is not None:
        lost = round(math.log10(max(square, 1e-16) / max(length, 1e-16)))
        verdict = f'**Costs {lost} digits**' if lost > 0 else '**True**'
    return (
        '"The returned optimal value for the objective function indicates the proximity" (the '
        'square of the distance)',
        verdict,
        f'at a gap of {small(near["gap"])} m the root of the optimum has an error of '
        f'{small(square or 0.0)} m; with the length as objective {small(length or 0.0)} m',
    )


def table_one(data: Data) -> Claim:
    """Count the scenarios in which CO is faster."""
    steps = data['steps']
    ratios = [run['ratio'] for name, run in steps['whole'].items() if 'pile' not in name]
    faster = sum(ratio < CLEARLY for ratio in ratios)
    by_cvxpy = [
        f'{name} {times(own["CO, CVXPY"] / own["SAT"])}'
        for name, own in steps['contact'].items()
        if 'CO, CVXPY' in own and name != 'bouncing_circle' and 'pile' not in name
    ]
    return (
        'Table I: CO is faster than SAT in four of five scenarios',
        f'**Seen in {faster} of {len(ratios)}**' if faster else '**Not seen**',
        f'whole runs, same step, CO / SAT: {times(min(ratios))} to {times(max(ratios))}; steps in '
        f'contact with CVXPY: {", ".join(by_cvxpy) or "-"} times SAT',
    )


CLAIMS: tuple[Callable[[Data], Claim], ...] = (
    simpler,
    faster_when_complex,
    clear_advantage_in_space,
    fast_in_the_plane,
    faster_with_many_contacts,
    better_with_complex_shapes,
    incompatible_with_penalties,
    smaller_circle,
    square_as_objective,
    table_one,
)


def claims(data: Data) -> str:
    """Return the table of all claims."""
    return table(['claim', 'verdict', 'measured'], [claim(data) for claim in CLAIMS])
