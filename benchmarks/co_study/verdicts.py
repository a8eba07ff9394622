"""What the numbers say: which detector to use."""

import numpy as np

from co_study.accuracy import LIMIT
from co_study.findings import CO, EXACT, is_faster, of, overtakes, ratio, shallow_growth, where
from co_study.tables import Data, percent, small, table, times, told


def advice(faster: bool | None) -> str:
    """Return which detector to use where CO is clearly faster, or is not."""
    return '`co`, if this time matters' if faster else '`sat`'


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
    shallow = shallow_growth(data)
    worst = max(row['max'] for row in shallow)
    right = float(np.mean([row['exact'] for row in shallow]))
    rows = [
        ['not sure', '`sat`', 'exact at any depth; it is the default'],
        [
            'spheres, circles, capsules',
            advice(is_faster(sphere)),
            f'closed forms: box - sphere {told(sphere[EXACT])} us, '
            f'by CO {told(sphere[CO])} us; the same numbers',
        ],
        [
            'boxes, rectangles',
            advice(is_faster(boxes)),
            f'box - box {told(boxes[EXACT])} us, by CO {told(boxes[CO])} us',
        ],
        [
            'hulls, contacts shallow',
            advice(overtakes(faces)),
            f'CO faster in overlap {where(faces)}; '
            f'{largest} faces: {told(big[CO])} against '
            f'{told(big[EXACT])} us',
        ],
        [
            'polygons of many edges, contacts shallow',
            advice(overtakes(edges)),
            f'CO faster in overlap {where(edges)}; apart: {where(edges, regime="apart")}',
        ],
        [
            'cylinders, contacts shallow',
            advice(is_faster(rods)),
            f'two cylinders: {told(rods[CO])} against {told(rods[EXACT])} us',
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
            f'CO has to ask the exact method: box - box {ratio(deep, CO, EXACT)} times as long',
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
