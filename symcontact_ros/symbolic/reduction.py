"""
Reduction of the equations of a tree to its independent speeds.

A follower's joint moves with its leader: q = m q_leader + o. The recursions run over all moving
links, each with coordinates and speeds that are named expressions; what they give per speed of a
link, v, becomes T' v, and a matrix T' M T, where udot of all links is T udot. T is constant. In a
tree without followers it is the unit matrix, and nothing is done.
"""

from __future__ import annotations

import itertools

import sympy as sm

from symcontact_ros.model.structure import Structure
from symcontact_ros.symbolic.links import LinkBuilder
from symcontact_ros.symbolic.recorder import Matrix, ONE, product, Recorder, total, Vector

Place = tuple[int, sm.Expr]  # an independent speed, and how much moves with it


class JointInputs:
    """Coordinates and speeds of every joint of a structure, in those that are independent."""

    def __init__(
        self, structure: Structure, q: list[sm.Symbol], u: list[sm.Symbol], builder: LinkBuilder
    ) -> None:
        links = self._links = structure.links
        self._q, self._u = q, u
        self._builder = builder
        self._first_q = list(itertools.accumulate((k.coordinates for k in links), initial=0))
        self._first_u = list(itertools.accumulate((k.speeds for k in links), initial=0))

    def q(self, index: int) -> Vector:
        """Return the coordinates of the joint of a link."""
        link = self._links[index]
        if link.leader < 0:
            return self._q[self._first_q[index] : self._first_q[index + 1]]
        multiplier, offset = self._builder.entries((link.multiplier, link.offset))
        led = product(multiplier, self._q[self._first_q[link.leader]])
        return [self._builder.recorder.name(total([led, offset]))]

    def u(self, index: int) -> Vector:
        """Return the speeds of the joint of a link."""
        name = self._builder.recorder.name
        return [name(product(factor, self._u[at])) for at, factor in self.places(index)]

    def places(self, index: int) -> list[Place]:
        """Return the places of the speeds of a link."""
        link = self._links[index]
        if link.leader < 0:
            own = range(self._first_u[index], self._first_u[index + 1])
            return [(speed, ONE) for speed in own]
        return [(self._first_u[link.leader], self._builder.entry(link.multiplier))]


class Reduction:
    """The constant matrix T, by the place of every speed of the moving links."""

    def __init__(self, recorder: Recorder, count: int) -> None:
        self.recorder = recorder
        self.count = count  # of independent speeds
        self.places: list[Place] = []

    def spread(self, independent: Vector, first: int, count: int) -> Vector:
        """Return T times a vector: entries of all links from the first on."""
        places = self.places[first : first + count]
        return [self.recorder.name(product(factor, independent[at])) for at, factor in places]

    def vector(self, entries: Vector) -> Vector:
        """Return T' times a vector."""
        return [row[0] for row in self.rows([[entry] for entry in entries])]

    def rows(self, rows: Matrix) -> Matrix:
        """Return T' times a matrix."""
        if self._is_unit:
            return rows
        sums: list[list[Vector]] = [[] for _ in range(self.count)]
        for row, (at, factor) in zip(rows, self.places, strict=True):
            sums[at].append(self.recorder.scale(factor, row))
        return [self.recorder.add(*parts) for parts in sums]

    def square(self, matrix: Matrix) -> Matrix:
        """Return T' M T of a symmetric matrix, each entry once."""
        if self._is_unit:
            return matrix
        full = self.rows([list(column) for column in zip(*self.rows(matrix), strict=True)])
        return [[full[max(i, j)][min(i, j)] for j in range(self.count)] for i in range(self.count)]

    @property
    def _is_unit(self) -> bool:
        return len(self.places) == self.count
