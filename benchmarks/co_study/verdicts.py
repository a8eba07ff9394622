"""Recommendation of a detector, derived from the measurements."""

import numpy as np

from co_study.accuracy import LIMIT
from co_study.findings import CO, EXACT, is_faster, of, overtakes, ratio, shallow_growth, where
from co_study.tables import Data, percent, small, table, times, us


def advice(faster: bool | None) -> str:
    """Return the recommended detector, given whether CO is clearly faster."""
    return '`co`, if this time matters' if faster else '`sat`'


def choice(data: Data) -> str:
    """Return the table of recommendations."""
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
        ['general', '`sat`', 'exact at any depth; the default'],
        [
            'spheres, circles, capsules',
            advice(is_faster(sphere)),
            f'closed forms: box - sphere {us(sphere[EXACT])} us, '
            f'by CO {us(sphere[CO])} us; equal results',
        ],
        [
            'boxes, rectangles',
            advice(is_faster(boxes)),
            f'box - box {us(boxes[EXACT])} us, by CO {us(boxes[CO])} us',
        ],
        [
            'hulls, shallow contacts',
            advice(overtakes(faces)),
            f'CO faster in overlap {where(faces)}; '
            f'{largest} faces: {us(big[CO])} against '
            f'{us(big[EXACT])} us',
        ],
        [
            'polygons of many edges, shallow contacts',
            advice(overtakes(edges)),
            f'CO faster in overlap {where(edges)}; apart: {where(edges, regime="apart")}',
        ],
        [
            'cylinders, shallow contacts',
            advice(is_faster(rods)),
            f'two cylinders: {us(rods[CO])} against {us(rods[EXACT])} us',
        ],
        [
            'exact depths of flat bodies needed',
            '`sat`',
            f'by CO {percent(right)} of the depths up to {percent(LIMIT)} of the width are exact, '
            f'the largest is {times(worst)} times too large',
        ],
        [
            f'soft contacts: deeper than {percent(LIMIT)} of the width',
            '`sat`',
            f'CO falls back to the exact method: box - box {ratio(deep, CO, EXACT)} times as long',
        ],
        [
            'distances before contact',
            'either',
            f'they agree to {small(max(row["auto"] for row in acc["apart"]))} m',
        ],
        [
            'independent check; teaching',
            "`co` with `solver: 'ecos'` or `'cvxpy'`",
            f'box - box: {ratio(boxes, "ECOS", "SAT")} and {ratio(boxes, "CVXPY", "SAT")} times '
            'as long as separating axes',
        ],
    ]
    return table(['case', 'recommended', 'reason'], rows)
