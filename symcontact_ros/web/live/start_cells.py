"""
The state at the start as traced numbers: see `initial_state` and `Coordinates`.

Of bodies on joints with more than one degree of freedom that is so where their joint frame is the
world; elsewhere the start is one that live symbols do not change.
"""

from __future__ import annotations

from collections.abc import Sequence
import math

from symcontact_ros.expressions import Formula
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import AT_ORIGIN, matrix, quaternion_of
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.web.live.placing import cross, Matrix, Placing, plus, product, Vector
from symcontact_ros.web.live.tracing import Number, Traced


class StartCells:
    """
    The state at the start.

    Attributes
    ----------
    cells
        By place in the state; joints may still be beyond their limits.
    """

    def __init__(self, layout: Layout, placing: Placing) -> None:
        self._layout = layout
        self._placing = placing
        self.cells: dict[int, Traced] = {}
        size = self._layout.space.STATE
        for i, body in enumerate(self._layout.floating):
            make = self._planar_start if self._layout.is_planar else self._free_start
            if self._stands_on_world(body):
                self._put(size * i, make(body))
        q = u = 0
        for body in self._layout.model.moving:
            kind = body.joint.kind
            if kind.is_single:
                for places, index, given in (
                    (self._layout.state_of_q, q, body.initial.position),
                    (self._layout.state_of_u, u, body.initial.velocity),
                ):
                    self._put(places[index], self._placing.tracer.scalars(given or (0.0,)))
            elif body.joint.type == 'free' and q in self._layout.state_of_q:
                self._free_joint(body, self._layout.state_of_q[q], u)
            q += kind.coordinates
            u += kind.speeds

    def _put(self, place: int, numbers: Sequence[Number]) -> None:
        for i, number in enumerate(numbers):
            self.cells[place + i] = self._placing.tracer.number(number)

    def _free_joint(self, body: Body, first: int, u: int) -> None:
        """Write position and speeds of a free body that carries others, unless it is turned."""
        rotation = body.initial.rotation
        scalars = (*rotation.rpy, *(rotation.quaternion or ()))
        if not self._stands_on_world(body) or any(isinstance(s, Formula) for s in scalars):
            return
        place, velocity, spin = self._given(body)
        self._put(first, place)
        self._put(self._layout.state_of_u[u], self._in_body(body, velocity))
        self._put(self._layout.state_of_u[u + 3], self._in_body(body, spin))

    @staticmethod
    def _stands_on_world(body: Body) -> bool:
        """Return whether the joint frame of a body is the world."""
        return body.joint.parent == WORLD and body.joint.origin == AT_ORIGIN

    def _given(self, body: Body) -> tuple[Vector, Vector, Vector]:
        """Return position, velocity and rate of turn at the start, world axes."""
        initial, number = body.initial, self._placing.tracer.number
        none = number(0.0), number(0.0), number(0.0)
        if not initial.is_given:
            return none, none, none
        vectors = (initial.position, initial.velocity, initial.angular_velocity)
        place, velocity, spin = (self._placing.tracer.scalars(v) or none for v in vectors)
        return place, velocity, spin  # type: ignore[return-value]

    def _planar_start(self, body: Body) -> list[Traced]:
        """Return the state of a planar body whose joint frame is the world."""
        place, velocity, spin = self._given(body)
        quaternion = self._placing.quaternion(body.initial.rotation)
        angle = 2.0 * quaternion[2].atan2(quaternion[3])
        if quaternion[2].is_constant:
            _, _, z, w = body.initial.rotation.evaluated({})
            angle = self._placing.tracer.number(2.0 * math.atan2(z, w))
        x, y, _ = self._placing.com(body)
        cosine, sine = angle.function('cos'), angle.function('sin')
        arm = cosine * x - sine * y, sine * x + cosine * y
        rate = spin[2]
        return [
            place[0] + arm[0],
            place[1] + arm[1],
            angle,
            velocity[0] + rate * -arm[1],
            velocity[1] + rate * arm[0],
            rate,
        ]

    def _free_start(self, body: Body) -> list[Traced]:
        """Return the state of a free body whose joint frame is the world."""
        place, velocity, spin = self._given(body)
        own_velocity, own_spin = (self._in_body(body, vector) for vector in (velocity, spin))
        quaternion = self._start_quaternion(body)
        turn: Matrix = matrix(tuple(quaternion)).tolist()  # type: ignore[arg-type]
        com = self._placing.com(body)
        xx, yy, zz, xy, xz, yz = self._placing.tracer.scalars(body.inertia)
        inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        moving = plus(own_velocity, cross(own_spin, com))
        return [
            *plus(place, product(turn, com)),
            *quaternion,
            *product(turn, moving),
            *product(turn, product(inertia, own_spin)),
        ]

    def _in_body(self, body: Body, vector: Vector) -> Vector:
        """Return components in the body, as it is turned at the start."""
        turn = self._placing.matrix(body.initial.rotation)
        return product([[turn[k][i] for k in range(3)] for i in range(3)], vector)

    def _start_quaternion(self, body: Body) -> Sequence[Traced]:
        """Return the attitude at the start; one that is constant as `quaternion_of` gives it."""
        given = self._placing.quaternion(body.initial.rotation)
        if not all(number.is_constant for number in given):
            return given
        numbers = quaternion_of(matrix(tuple(number.value for number in given)))
        return tuple(map(self._placing.tracer.number, numbers.tolist()))
