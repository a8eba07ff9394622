"""Coordinates and speeds of many worlds from their states, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.expressions import Values
from symcontact_ros.simulation.world.coordinates import Coordinates
from symcontact_ros.simulation.world.floating import (
    Columns,
    Constants,
    constants_of,
    constants_of_worlds,
    free_coordinates,
    free_speeds,
    free_state,
    planar_coordinates,
    planar_speeds,
    planar_state,
)
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.types import Vector


class BatchCoordinates:
    """
    Conversion between states ``(n, size)`` of the worlds of a model and q and u.

    Given are the variant of every world, the values of all variants, and a number that is another
    one where the variants are others than before.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._coordinates = Coordinates(layout)
        self._is_planar = layout.model.dimension == 2
        self._renewals = -1
        self._constants: list[list[Constants]] = []  # of every floating body, of every variant

    def of_states(
        self, states: Vector, variants: NDArray[np.int64], values: list[Values], renewals: int
    ) -> tuple[Vector, Vector]:
        """Return q and u of worlds."""
        place = planar_coordinates if self._is_planar else free_coordinates
        speeds = planar_speeds if self._is_planar else free_speeds
        q, u = (np.zeros((len(states), count)) for count in self._coordinates.counts)
        for first, (first_q, first_u), own in self._floating(variants, values, renewals):
            columns = tuple(states[:, first : first + self._layout.space.STATE].T)
            _write(q, first_q, place(own, columns))
            _write(u, first_u, speeds(own, columns))
        for (own_q, q_places), (own_u, u_places) in self._coordinates.groups:
            q[:, own_q] = states[:, q_places]
            u[:, own_u] = states[:, u_places]
        return q, u

    def states(
        self,
        q: Vector,
        u: Vector,
        variants: NDArray[np.int64],
        values: list[Values],
        renewals: int,
    ) -> Vector:
        """Return the states of worlds that are given by q and u, without their ledgers."""
        make = planar_state if self._is_planar else free_state
        states = np.zeros((len(q), self._layout.state_size))
        for first, (first_q, first_u), own in self._floating(variants, values, renewals):
            place, speeds = q[:, first_q : first_q + 7].T, u[:, first_u : first_u + 6].T
            _write(states, first, make(own, tuple(place), tuple(speeds)))
        for (own_q, q_places), (own_u, u_places) in self._coordinates.groups:
            states[:, q_places] = q[:, own_q]
            states[:, u_places] = u[:, own_u]
        return states

    def _floating(
        self, variants: NDArray[np.int64], values: list[Values], renewals: int
    ) -> Iterator[tuple[int, tuple[int, int], Constants]]:
        """Yield where state, and q and u, of all floating bodies begin, and their constants."""
        bodies, model = self._layout.floating, self._layout.model
        if renewals != self._renewals:
            self._renewals = renewals
            self._constants = [[constants_of(model, body, v) for v in values] for body in bodies]
        for i, (body, known) in enumerate(zip(bodies, self._constants, strict=True)):
            own = constants_of_worlds(known, variants)
            yield i * self._layout.space.STATE, self._coordinates.starts[body.name], own


def _write(table: Vector, first: int, columns: Columns) -> None:
    """Write columns to a table, from one on."""
    for i, column in enumerate(columns):
        table[:, first + i] = column
