"""
Convex programs of two shapes as conic programs, for general solvers.

All is written in A's frame: minimise cost . x over G x + s = h and A x = b with s in a cone: first
numbers that are not negative, then second-order cones, whose first number is not less than the
length of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.shapes.convex_body import ConvexBody

Array = NDArray[np.float64]


@dataclass
class Conic:
    """A conic program."""

    size: int
    linear: list[tuple[Array, Array]] = field(default_factory=list)
    cones: list[tuple[Array, Array]] = field(default_factory=list)
    equal: list[tuple[Array, Array]] = field(default_factory=list)

    @property
    def cost(self) -> Array:
        """The first variable."""
        first: Array = np.eye(self.size)[0]
        return first

    def matrices(self) -> tuple[Array, Array, Array, Array]:
        """Return G, h, A and b."""
        inequalities, equalities = self.linear + self.cones, self.equal
        return (*_stacked(inequalities, self.size), *_stacked(equalities, self.size))

    @property
    def row_counts(self) -> tuple[int, int]:
        """How many linear rows and rows in cones there are."""
        return sum(len(h) for _, h in self.linear), sum(len(h) for _, h in self.cones)

    @property
    def cone_sizes(self) -> tuple[int, list[int]]:
        """How many linear rows there are, and how many rows each cone has."""
        return sum(len(h) for _, h in self.linear), [len(h) for _, h in self.cones]


def _stacked(blocks: list[tuple[Array, Array]], size: int) -> tuple[Array, Array]:
    if not blocks:
        return np.zeros((0, size)), np.zeros(0)
    return np.vstack([g for g, _ in blocks]), np.concatenate([h for _, h in blocks])


def separation(a: ConvexBody, b: ConvexBody, normal: Array) -> float:
    """Return how far B lies beyond A along a unit normal: never more than their distance [m]."""
    return float(normal @ (b.centre - a.centre)) - a.reach(normal) - b.reach(-normal)


def growth_program(a: ConvexBody, b: ConvexBody) -> tuple[Conic, list[int]]:
    """
    Return the least factor by which two solids must grow to touch, and A's rows in G.

    Variables: the factor, the point where they touch, and one for each axis.
    """
    size = len(a.centre)
    program = Conic(1 + size + (a.axis is not None) + (b.axis is not None))
    own = _constrain(program, a, 1, 0, 1 + size)
    other = _constrain(program, b, 1, 0, 1 + size + (a.axis is not None))
    # Linear rows come before those of cones: A's, then B's, in both.
    cones = own[0] + other[0]
    return program, [*range(own[0]), *range(cones, cones + own[1])]


def distance_program(a: ConvexBody, b: ConvexBody) -> Conic:
    """Return the least distance of two solids; variables: it, points of A and of B, axes."""
    size = len(a.centre)
    program = Conic(1 + 2 * size + (a.axis is not None) + (b.axis is not None))
    _constrain(program, a, 1, None, 1 + 2 * size)
    _constrain(program, b, 1 + size, None, 1 + 2 * size + (a.axis is not None))
    between = np.zeros((1 + size, program.size))
    between[0, 0] = -1.0
    between[1:, 1 : 1 + size] = np.eye(size)
    between[1:, 1 + size : 1 + 2 * size] = -np.eye(size)
    program.cones.append((between, np.zeros(1 + size)))
    return program


def _constrain(
    program: Conic, solid: ConvexBody, point: int, factor: int | None, along: int
) -> tuple[int, int]:
    """
    Let a point lie in a solid, grown by a variable factor or as it is.

    ``point``, ``factor`` and ``along`` are where these variables are. Returns how many linear rows
    and rows in cones that took.
    """
    before = program.row_counts
    size = len(solid.centre)
    variables = program.size, slice(point, point + size), factor
    if len(solid.normals):
        program.linear.append(_rows(solid.normals, solid.widths, solid.centre, variables))
    if solid.cone is not None:
        across, bound = solid.cone
        bounds = np.array([bound, *np.zeros(len(across))])
        rows = np.vstack([np.zeros(size), across])
        program.cones.append(_rows(rows, bounds, solid.centre, variables))
    if solid.axis is not None:  # the place along it goes from -1 to 1, or to the factor
        ends = np.zeros((2, size))
        g, h = _rows(ends, np.ones(2), solid.centre, variables)
        g[:, along] = (1.0, -1.0)
        program.linear.append((g, h))
    if solid.ball is not None:
        bounds = np.array([solid.ball, *np.zeros(size)])
        rows = np.vstack([np.zeros(size), np.eye(size)])
        g, h = _rows(rows, bounds, solid.centre, variables)
        if solid.axis is not None:
            g[1:, along] = -solid.axis
        if solid.ball > 0.0:
            program.cones.append((g, h))
        else:
            program.equal.append((g[1:], h[1:]))
    after = program.row_counts
    return after[0] - before[0], after[1] - before[1]


def _rows(
    rows: Array, bounds: Array, centre: Array, variables: tuple[int, slice, int | None]
) -> tuple[Array, Array]:
    """Return G and h of rows . (point - centre) + s = bounds, which a factor may multiply."""
    size, point, factor = variables
    g = np.zeros((len(rows), size))
    g[:, point] = rows
    h = rows @ centre
    if factor is None:
        return g, h + bounds
    g[:, factor] = -bounds
    return g, h
