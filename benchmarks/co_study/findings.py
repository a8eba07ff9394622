"""Comparisons of measured times: the faster method, its crossover size and its factor."""

from typing import Any

import numpy as np

from co_study.accuracy import LIMIT
from co_study.tables import CLEARLY, crossover, Data, phrase, times

CO, EXACT = 'CO detector, warm', 'exact detector, warm'


def of(cells: list[Data], regime: str, size: Any = None, pair: str = '') -> Data:
    """Return the times of one cell."""
    for cell in cells:
        if cell['regime'] == regime and (
            cell.get('size') == size if size else cell['pair'] == pair
        ):
            found: Data = cell['times']
            return found
    return {}


def is_faster(found: Data, faster: str = CO, slower: str = EXACT) -> bool:
    """Return whether one method is clearly faster than another."""
    return bool(found[faster] < CLEARLY * found[slower])


def overtakes(
    cells: list[Data], faster: str = CO, slower: str = EXACT, regime: str = 'overlap'
) -> bool | None:
    """Return whether one method is faster from some size on; None: not measured."""
    if not all({faster, slower} <= set(c['times']) for c in cells if c['regime'] == regime):
        return None
    return crossover(cells, regime, faster, slower) != 'never'


def where(
    cells: list[Data], faster: str = CO, slower: str = EXACT, regime: str = 'overlap'
) -> str:
    """Return the size from which one method is faster than another, in words."""
    if overtakes(cells, faster, slower, regime) is None:
        return 'not measured'
    unit = 'edges' if cells[0]['pair'].startswith('polygon') else 'faces'
    return phrase(crossover(cells, regime, faster, slower), unit)


def slope(cells: list[Data], regime: str, method: str) -> float:
    """Return the exponent of the time over the size, for the larger half of the sizes."""
    own = [c for c in cells if c['regime'] == regime and method in c['times']]
    own = own[-max(2, len(own) // 2 + 1) :]
    sizes, spent = ([c['size'] for c in own], [c['times'][method] for c in own])
    return float(np.polyfit(np.log(sizes), np.log(spent), 1)[0])


def ratio(found: Data, slow: str, fast: str) -> str:
    """Return the ratio of the times of two methods."""
    if slow not in found or fast not in found:
        return '-'
    return times(found[slow] / found[fast])


def shallow_growth(data: Data) -> list[Data]:
    """Return the ratios of growth depth to exact depth, in the range of the CO detector."""
    return [row for row in data['accuracy']['growth'] if row['to'] <= LIMIT]
