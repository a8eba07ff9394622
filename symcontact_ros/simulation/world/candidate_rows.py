"""Rows of candidate pairs, from the numbers of their pairs: what the broad phase writes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.kernels.records import Image
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_records import KINDS


def shapes_of(numbers: NDArray[np.int64], count: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the shapes a < b of pairs, out of a number of shapes: `pair_number` reversed."""
    rows = np.arange(count, dtype=np.int64)
    starts = rows * (2 * count - rows - 1) // 2  # number of the first pair of each shape
    a = np.searchsorted(starts[: max(count - 1, 0)], numbers, side='right') - 1
    return a, numbers - starts[a] + a + 1


def candidate_rows(image: Image[AnyWorld], numbers: NDArray[np.int64]) -> NDArray[Any]:
    """Return candidates as `candidates.write_candidate` writes them, for allowed pairs."""
    shapes = image['shapes']
    a, b = shapes_of(numbers, len(shapes))
    kinds = image['kinds'][KINDS * shapes['kind'][a] + shapes['kind'][b]]
    is_swapped = kinds['is_swapped'].astype(bool)
    rows = np.zeros(len(numbers), image['candidates'].dtype)
    rows['shape_a'], rows['shape_b'] = np.where(is_swapped, (b, a), (a, b))
    rows['number'] = numbers
    rows['slot'] = kinds['slot']
    rows['material'] = image['shape_pairs']['material'][numbers]
    return rows
