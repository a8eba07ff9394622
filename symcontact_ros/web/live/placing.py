"""Placements and centres of mass as traced numbers, and products of vectors and matrices."""

from __future__ import annotations

from collections.abc import Sequence

from symcontact_ros.expressions import Formula
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import matrix, Placement, Rotation
from symcontact_ros.web.live.tracing import length, Traced, Tracer

Vector = tuple[Traced, Traced, Traced]
Matrix = Sequence[Sequence[Traced]]


class Placing:
    """Where things of a model are, by its live symbols."""

    def __init__(self, model: Model, tracer: Tracer) -> None:
        self.model = model
        self.tracer = tracer

    def quaternion(self, rotation: Rotation) -> Sequence[Traced]:
        """Return the unit quaternion of a rotation: see `Rotation.evaluated`."""
        scalars = rotation.rpy if rotation.quaternion is None else rotation.quaternion
        if not any(isinstance(scalar, Formula) for scalar in scalars):
            return tuple(map(self.tracer.number, rotation.evaluated({})))
        numbers = self.tracer.scalars(scalars)
        if rotation.quaternion is not None:
            size = length(numbers)
            return tuple(number / size for number in numbers)
        halves = [0.5 * angle for angle in numbers]
        cr, cp, cy = (half.function('cos') for half in halves)
        sr, sp, sy = (half.function('sin') for half in halves)
        return (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )

    def matrix(self, rotation: Rotation) -> Matrix:
        """Return the matrix of a rotation."""
        found: list[list[Traced]] = matrix(tuple(self.quaternion(rotation))).tolist()  # type: ignore[arg-type]
        return found

    def ground_pose(self, body: Body) -> tuple[Matrix, Vector]:
        """Return rotation and position of a joint frame: see `initial_state.ground_pose`."""
        chain = [body]
        while chain[0].joint.parent != WORLD:
            parent = self.model.body(chain[0].joint.parent)
            if not parent.joint.kind.is_fixed:
                break
            chain.insert(0, parent)
        number = self.tracer.number
        rotation: Matrix = [[number(float(i == k)) for k in range(3)] for i in range(3)]
        position: Vector = (number(0.0), number(0.0), number(0.0))
        for link in chain:
            turn, shift = self.pose(link.joint.origin)
            position = plus(position, product(rotation, shift))
            columns = [product(rotation, (turn[0][k], turn[1][k], turn[2][k])) for k in range(3)]
            rotation = [[columns[k][i] for k in range(3)] for i in range(3)]
        return rotation, position

    def pose(self, placement: Placement) -> tuple[Matrix, Vector]:
        """Return a placement as a matrix and a position."""
        x, y, z = self.tracer.scalars(placement.position)
        return self.matrix(placement.rotation), (x, y, z)

    def frame(self, rotation: Matrix, origin: Sequence[Traced]) -> list[Traced]:
        """Return a frame as the memory has it: see `filling`."""
        if self.model.dimension == 2:
            return [rotation[0][0], rotation[1][0], origin[0], origin[1]]
        return [*(rotation[i][k] for k in range(3) for i in range(3)), *origin]

    def com(self, body: Body) -> Vector:
        """Return the centre of mass of a body in its own frame; of a fixed one: its origin."""
        if body.name in self.model.grounded:
            zero = self.tracer.number(0.0)
            return zero, zero, zero
        x, y, z = self.tracer.scalars(body.com)
        return x, y, z


def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def product(rows: Matrix, a: Sequence[Traced]) -> Vector:
    """Return a matrix times a vector."""
    x, y, z = (row[0] * a[0] + row[1] * a[1] + row[2] * a[2] for row in rows)
    return x, y, z


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
