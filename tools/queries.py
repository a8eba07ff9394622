"""
Proximities that two versions of the package are compared with by `bits.py` and `speed.py`.

Every two kinds of shapes, in the plane and in space, at poses that are random but always the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import itertools
from typing import Any
import zlib

from cases import DETECTORS, FLOOR, SHAPES
import numpy as np

LATTICE = 0.01  # [m]


@dataclass(frozen=True)
class Query:
    """Proximity query of two types of shapes."""

    dimension: int
    detector: str
    kind_a: str
    kind_b: str

    @property
    def name(self) -> str:
        """Name of the row."""
        kinds = f'{self.kind_a}-{self.kind_b}'
        return f'proximity{self.dimension}d/{self.detector}/{kinds}'


def all_queries() -> Iterator[Query]:
    """Yield every two kinds of shapes that can meet, for both detectors."""
    for dimension, detector in itertools.product(SHAPES, DETECTORS):
        for kinds in itertools.combinations_with_replacement(SHAPES[dimension], 2):
            if kinds != (FLOOR, FLOOR):
                yield Query(dimension, detector, *kinds)


def shape(kind: str, dimension: int, scale: float = 1.0) -> Any:
    """Return a shape, larger or smaller."""
    import symcontact_ros as sc

    keys = {
        key: (scale * np.array(value)).tolist() for key, value in SHAPES[dimension][kind].items()
    }
    return getattr(sc, ''.join(word.capitalize() for word in kind.split('_')))(**keys)


def pair_poses(label: str, dimension: int, count: int) -> tuple[Any, Any]:
    """
    Return poses of A and of B, which are the same for the same label.

    A third each are in deep overlap, near contact, and separated. One in three is on a lattice,
    rotated by right angles: there shapes touch exactly, faces are parallel, centres coincide.
    """
    import symcontact_ros as sc

    random = np.random.default_rng(zlib.crc32(label.encode()))
    regular = np.arange(count) % 3 == 2
    least, most = np.array([(0.0, 0.08), (0.1, 0.2), (0.2, 0.5)])[random.integers(3, size=count)].T
    direction = _directions(random, dimension, count, regular)
    place = random.normal(size=(count, 3)) * (1.0, 1.0, dimension == 3)
    offset = random.uniform(least, most)[:, None] * direction
    for array in (place, offset):
        array[regular] = LATTICE * np.round(array[regular] / LATTICE)
    turns = (_turns(random, dimension, count, regular) for _ in range(2))
    return sc.Pose(place, next(turns)), sc.Pose(place + offset, next(turns))


def _directions(random: Any, dimension: int, count: int, regular: Any) -> Any:
    """Return unit vectors; regular ones are along an axis."""
    free = random.normal(size=(count, 3)) * (1.0, 1.0, dimension == 3)
    free /= np.linalg.norm(free, axis=1, keepdims=True)
    straight = np.eye(3)[random.integers(dimension, size=count)]
    return np.where(regular[:, None], straight, free)


def _turns(random: Any, dimension: int, count: int, regular: Any) -> Any:
    """Return unit quaternions; regular ones rotate by 0, 90 or 180 degrees about an axis."""
    free = random.normal(size=(count, 4)) * (dimension == 3, dimension == 3, 1.0, 1.0)
    unit = np.eye(4)
    axis = random.integers(0 if dimension == 3 else 2, 4, size=count)
    quarter = random.uniform(size=(count, 1)) < 0.7
    turns = np.where(regular[:, None], unit[axis] + quarter * unit[3], free)
    return turns / np.linalg.norm(turns, axis=1, keepdims=True)
