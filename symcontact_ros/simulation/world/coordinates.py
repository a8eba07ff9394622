"""Coordinates and speeds of a model from the state of its world, and the reverse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.parts import Body
from symcontact_ros.simulation.equations.dynamics import Selection, selection
from symcontact_ros.simulation.world.floating import (
    Constants,
    constants_of,
    Frame,
    free_coordinates,
    free_speeds,
    free_state,
    planar_coordinates,
    planar_speeds,
    planar_state,
)
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.types import Vector


class Coordinates:
    """
    Conversion between q, u of the package and the state of a world.

    The state of a floating body is its centre of mass, its attitude in the world, and momenta;
    that of a group is its coordinates and speeds.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        model = self._model = layout.model
        starts, q, u = {}, 0, 0
        for body in model.moving:
            starts[body.name] = q, u
            q += body.joint.kind.coordinates
            u += body.joint.kind.speeds
        self.starts = starts
        self.counts = q, u
        # What belongs to groups, in the model and in the state.
        self.groups = [
            (_moved(group.q, layout.state_of_q), _moved(group.u, layout.state_of_u))
            for group in (layout.dynamics.groups[number] for number in layout.groups)
        ]
        # Where q and u are in the state; None: those of floating bodies follow from it.
        self.places = _all(q, layout.state_of_q), _all(u, layout.state_of_u)
        self._known: Values | None = None
        self._found: list[Constants] = []

    def state(self, q: Vector, u: Vector, values: Values) -> Vector:
        """Return the state of the world."""
        state = np.zeros(self._layout.state_size)
        make = planar_state if self._model.dimension == 2 else free_state
        all_q, all_u = tuple(q.tolist()), tuple(u.tolist())
        for (first_q, first_u), constants, own in self._floating(state, values):
            own[:] = make(constants, all_q[first_q : first_q + 7], all_u[first_u : first_u + 6])
        for (own_q, q_places), (own_u, u_places) in self.groups:
            state[q_places] = q[own_q]
            state[u_places] = u[own_u]
        return state

    def q(self, state: Vector, values: Values) -> Vector:
        """Return the coordinates."""
        q = np.zeros(self.counts[0])
        place = planar_coordinates if self._model.dimension == 2 else free_coordinates
        for (first, _), constants, own in self._floating(state, values):
            found = place(constants, tuple(own.tolist()))
            q[first : first + len(found)] = found
        for (own_q, q_places), _ in self.groups:
            q[own_q] = state[q_places]
        return q

    def u(self, state: Vector, values: Values) -> Vector:
        """Return the speeds."""
        u = np.zeros(self.counts[1])
        speeds = planar_speeds if self._model.dimension == 2 else free_speeds
        for (_, first), constants, own in self._floating(state, values):
            found = speeds(constants, tuple(own.tolist()))
            u[first : first + len(found)] = found
        for _, (own_u, u_places) in self.groups:
            u[own_u] = state[u_places]
        return u

    def _floating(
        self, state: Vector, values: Values
    ) -> Iterator[tuple[tuple[int, int], Constants, Vector]]:
        """Yield first coordinate and speed, constants and state of all floating bodies."""
        size = self._layout.space.STATE
        constants = self._constants(values)
        for i, body in enumerate(self._layout.floating):
            yield self.starts[body.name], constants[i], state[size * i : size * (i + 1)]

    def frames(self, values: Values) -> list[Frame]:
        """Return the frames in which coordinates of floating bodies are."""
        return [own.ground for own in self._constants(values)]

    def _constants(self, values: Values) -> list[Constants]:
        """Return the constants of all floating bodies, found once for each set of values."""
        if values is not self._known:
            self._found = [
                constants_of(self._model, body, values) for body in self._layout.floating
            ]
            self._known = values
        return self._found


def _moved(own: tuple[int, ...], places: Mapping[int, int]) -> tuple[Selection, Selection]:
    """Return indices of a group's numbers in the model, and in the state."""
    return selection(own), selection(tuple(places[index] for index in own))


def _all(count: int, places: Mapping[int, int]) -> Selection | None:
    """Return where all numbers of the model are in the state; None: not all are in it."""
    if len(places) < count:
        return None
    return selection(tuple(places[index] for index in range(count)))


def inertia_of(body: Body, values: Values) -> Vector:
    """Return the inertia of a body about its centre of mass, body axes [kg m^2]."""
    xx, yy, zz, xy, xz, yz = evaluate_all(body.inertia, values)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
