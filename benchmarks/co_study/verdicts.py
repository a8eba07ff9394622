"""What the numbers say: which detector to use, and what remains of the paper's claims."""

from typing import Any

import numpy as np

from co_study.accuracy import LIMIT
from co_study.tables import (
    code_lines,
    crossover,
    Data,
    percent,
    phrase,
    small,
    table,
    times,
    told,
)

DETECTORS = 'CO detector, warm', 'exact detector, warm'
OUTSIDE = ('programs/cones.py', 'programs/solvers.py', 'programs/outside.py')
AXES = ('planar/polygons.py', 'spatial/boxes.py', 'spatial/hulls.py', 'spatial/edges.py')
EXPANDING = tuple(
    f'spatial/{name}.py' for name in ('gjk', 'epa', 'polyhedron', 'convex', 'normals', 'polish')
)


def of(cells: list[Data], regime: str, size: Any = None, pair: str = '') -> Data:
    """Return the times of one cell."""
    for cell in cells:
        if cell['regime'] == regime and (
            cell.get('size') == size if size else cell['pair'] == pair
        ):
            found: Data = cell['times']
            return found
    return {}


def overtakes(cells: list[Data], faster: str, slower: str, regime: str = 'overlap') -> str:
    """Return from which size on one method beats another, in words."""
    if not all({faster, slower} <= set(c['times']) for c in cells if c['regime'] == regime):
        return 'was not measured'
    unit = 'edges' if cells[0]['pair'].startswith('polygon') else 'faces'
    return phrase(crossover(cells, regime, faster, slower), unit)


def slope(cells: list[Data], regime: str, method: str) -> float:
    """Return the exponent of the time over the size, for the larger half of the sizes."""
    own = [c for c in cells if c['regime'] == regime and method in c['times']]
    own = own[-max(2, len(own) // 2 + 1) :]
    sizes, spent = ([c['size'] for c in own], [c['times'][method] for c in own])
    return float(np.polyfit(np.log(sizes), np.log(spent), 1)[0])


def ratio(found: Data, slow: str, fast: str) -> str:
    """Return how many times longer one method takes than another."""
    if slow not in found or fast not in found:
        return '-'
    return times(found[slow] / found[fast])


def choice(data: Data) -> str:
    """Return the table that says which detector to use."""
    queries, acc = data['queries'], data['accuracy']
    faces, edges, pairs = queries['faces'], queries['edges'], queries['pairs']
    largest = max(cell['size'] for cell in faces)
    sphere = of(pairs, 'overlap', pair='box - sphere')
    boxes = of(pairs, 'overlap', pair='box - box')
    big = of(faces, 'overlap', largest)
    rods = of(pairs, 'overlap', pair='cylinder - cylinder')
    deep = of(queries['deep'], 'deep', pair='box - box')
    shallow = [row for row in acc['growth'] if row['to'] <= LIMIT]
    worst = max(row['max'] for row in shallow)
    right = float(np.mean([row['exact'] for row in shallow]))
    rows = [
        ['not sure', '`sat`', 'exact at any depth; it is the default'],
        [
            'spheres, circles, capsules',
            '`sat`',
            f'closed forms: box - sphere {told(sphere["exact detector, warm"])} us, '
            f'by CO {told(sphere["CO detector, warm"])} us; the same numbers',
        ],
        [
            'boxes, rectangles',
            '`sat`',
            f'box - box {told(boxes["exact detector, warm"])} us, by CO '
            f'{told(boxes["CO detector, warm"])} us',
        ],
        [
            'hulls, contacts shallow',
            '`co`, if this time matters',
            f'faster in overlap {overtakes(faces, *DETECTORS)}; '
            f'{largest} faces: {told(big["CO detector, warm"])} against '
            f'{told(big["exact detector, warm"])} us',
        ],
        [
            'polygons of many edges, contacts shallow',
            '`co`, if this time matters',
            f'faster in overlap {overtakes(edges, *DETECTORS)}; '
            f'apart: {overtakes(edges, *DETECTORS, regime="apart")}',
        ],
        [
            'cylinders, contacts shallow',
            '`co`, if this time matters',
            f'two cylinders: {told(rods["CO detector, warm"])} against '
            f'{told(rods["exact detector, warm"])} us',
        ],
        [
            'depths of flat bodies that must be exact',
            '`sat`',
            f'by CO {percent(right)} of the depths up to {percent(LIMIT)} of the width are exact, '
            f'the worst is {times(worst)} times too great',
        ],
        [
            f'soft contacts: deeper than {percent(LIMIT)} of the width',
            '`sat`',
            f'CO has to ask the exact method: box - box {ratio(deep, *DETECTORS)} times as long',
        ],
        [
            'distances before contact',
            'either',
            f'they agree to {small(max(row["auto"] for row in acc["apart"]))} m',
        ],
        [
            'a second opinion; teaching',
            "`co` with `solver: 'ecos'` or `'cvxpy'`",
            f'box - box: {ratio(boxes, "ECOS", "SAT")} and {ratio(boxes, "CVXPY", "SAT")} times '
            'as long as separating axes',
        ],
    ]
    return table(['you have', 'use', 'because'], rows)


def claims(data: Data) -> str:
    """Return the paper's claims one by one."""
    queries, acc, steps = data['queries'], data['accuracy'], data['steps']
    faces, edges, pairs = queries['faces'], queries['edges'], queries['pairs']
    boxes = of(pairs, 'overlap', pair='box - box')
    sphere = of(pairs, 'overlap', pair='box - sphere')
    rods = of(pairs, 'overlap', pair='cylinder - cylinder')
    piles = {name: run['ratio'] for name, run in steps['whole'].items() if 'pile' in name}
    contact = {n: own for n, own in steps['contact'].items() if 'CO, CVXPY' in own}
    quotients = [run['ratio'] for name, run in steps['whole'].items() if name not in piles]
    usable = [row for row in acc['stars'] if row['R*'] == 0.0]
    near = acc['squared'][-1]
    margin = acc['margins'][-3]
    rows = [
        (
            'CO "is simpler to implement"',
            '**True**, with a solver at hand',
            f'{code_lines(*OUTSIDE)} lines of code write any pair, round or flat, in the plane or '
            f'in space, as a conic program and read the answer; separating axes of polygons, '
            f'boxes and hulls alone take {code_lines(*AXES)}, and cylinders need GJK and EPA '
            f'({code_lines(*EXPANDING)})',
        ),
        (
            '"in complex collision scenarios, faster than the overlap test"',
            '**Depends on the solver**',
            f'two hulls in overlap, CVXPY against SAT as printed: faster '
            f'{overtakes(faces, "CVXPY", "SAT, textbook")}; against SAT that skips edges which '
            f'cannot meet: {overtakes(faces, "CVXPY", "SAT")}. A program made for the purpose: '
            f'{overtakes(faces, "CO program, cold", "SAT")}',
        ),
        (
            '"clear advantage in the 3D case, where the SAT suffers from a significant increase '
            'in the number of tests" (there: sphere and cuboid)',
            '**False for that pair**, true for hulls',
            f'sphere and box need no axes: {told(sphere["exact detector, warm"])} us; by CO '
            f'{told(sphere["CO detector, warm"])} us, by CVXPY {told(sphere.get("CVXPY"))} us. '
            f'Two boxes, 15 axes: {told(boxes["SAT"])} us; by CO '
            f'{told(boxes["CO program, warm"])} us. The tests do increase: time of SAT as printed '
            f'grows as the faces to the power {slope(faces, "overlap", "SAT, textbook"):.1f}, '
            f'without the needless pairs of edges {slope(faces, "overlap", "SAT"):.1f}, of CO '
            f'{slope(faces, "overlap", "CO program, cold"):.1f}',
        ),
        (
            '"for 2D cases, the SAT is fast and suitable for applications with simple shapes"',
            '**True**',
            f'polygons in overlap: CO (warm) is faster only '
            f'{overtakes(edges, *DETECTORS)}; '
            f'apart: {overtakes(edges, *DETECTORS, regime="apart")}',
        ),
        (
            '"In applications involving several contacts to check, [...] faster and more accurate '
            'than algorithms based on the SAT"',
            '**False**',
            'boxes in a pile, CO / SAT per step: '
            + ', '.join(f'{name}: {times(one)}' for name, one in piles.items())
            + '. The exact detector is exact; CO gives the same depth or a greater one',
        ),
        (
            '"better able to handle complex shapes"',
            '**True** of separating axes, not of exact methods',
            f'a cylinder has infinitely many axes; a program needs a cone and two planes. Two '
            f'cylinders in overlap: CO {told(rods["CO program, cold"])} us, GJK and EPA, exact at '
            f'any depth, {told(rods["exact detector, cold"])} us',
        ),
        (
            '"not compatible with penalty-based methods"',
            '**True as it stands; not with other programs**',
            f'the least distance tells the depth of {percent(acc["plain"])} of the overlaps of '
            'two boxes. See below what is done instead',
        ),
        (
            '"Under certain circumstances, it is possible to modify the problem" (a smaller '
            'circle R*)',
            '**True for round shapes**',
            f'R* = 0: {percent(usable[0]["usable"])} of overlaps up to 2 R deep, error '
            f'{small(usable[0]["error"])} m. Shrinking flat shapes instead rounds their corners: '
            f'with b = {1e3 * margin["b"]:g} mm contacts at rest lose '
            f'{percent(1.0 - margin["rest median"])} of their depth in the median, and '
            f'{percent(margin["rest missed"])} are missed',
        ),
        (
            '"The returned optimal value for the objective function indicates the proximity" '
            '(the square of the distance)',
            '**Costs half of the digits**',
            f'at a gap of {small(near["gap"])} m the root of the optimum is off by '
            f'{small(near.get("CVXPY, square", 0.0))} m; with the length as objective '
            f'{small(near.get("CVXPY, length", 0.0))} m',
        ),
        (
            'Table I: CO is faster than SAT in four of five scenarios',
            '**Not seen**',
            f'whole runs, same step, CO / SAT: {times(min(quotients))} to '
            f'{times(max(quotients))}; steps in contact with CVXPY: '
            + ', '.join(
                f'{n} {times(own["CO, CVXPY"] / own["SAT"])}'
                for n, own in contact.items()
                if n != 'bouncing_circle' and 'pile' not in n
            )
            + ' times SAT',
        ),
    ]
    return table(['what is said', 'verdict', 'measured'], rows)
