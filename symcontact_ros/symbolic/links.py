"""The links of a structure as symbols: joint transforms, motion subspaces, inertias."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sm

from symcontact_ros.model.parts import COORDINATES, SPEEDS
from symcontact_ros.model.structure import Entry, Link
from symcontact_ros.symbolic.recorder import (
    identity,
    Matrix,
    minus,
    mirrored,
    ONE,
    product,
    Recorder,
    total,
    TWO,
    Vector,
    ZERO,
    zeros,
)


@dataclass
class Inertia:
    """Mass, first moment m c and inertia about the origin of a frame, in its axes."""

    mass: sm.Expr
    first: Vector
    second: Matrix


@dataclass
class JointMotion:
    """
    What a joint does: pose of the body in the joint frame, and velocities in body axes.

    ``columns`` are the velocities (linear, angular) of the body origin per unit of each speed;
    ``drift`` is their rate of change times the speeds, zero where the columns are constant.
    ``steady`` are the columns in axes of the joint frame, where they are constant there.
    """

    rotation: Matrix
    position: Vector
    columns: list[tuple[Vector, Vector]]
    drift: tuple[Vector, Vector]
    qdot: Vector
    steady: list[tuple[Vector, Vector]] | None = None


@dataclass
class SymbolicLink:
    """A moving link with everything fixed to it, in symbols; vectors are in body axes."""

    parent: int  # index among the moving links; -1: the world
    base: Matrix  # rotation of the joint frame in its parent
    rotation: Matrix  # of the body in its parent
    position: Vector
    motion: JointMotion
    u: list[sm.Symbol]
    first_speed: int
    inertia: Inertia
    com: Vector  # of the body itself, without what is fixed to it
    armature: sm.Expr
    # What the pass outwards finds: pose in the world, velocity of the origin, the joint's share.
    attitude: Matrix = field(default_factory=identity)
    origin: Vector = field(default_factory=zeros)
    linear: Vector = field(default_factory=zeros)
    angular: Vector = field(default_factory=zeros)
    joint_linear: Vector = field(default_factory=zeros)
    joint_angular: Vector = field(default_factory=zeros)


class LinkBuilder:
    """Turns entries of a structure into SymPy expressions."""

    def __init__(self, recorder: Recorder, slots: list[sm.Symbol]) -> None:
        self.recorder = recorder
        self._slots = slots

    def entry(self, entry: Entry) -> sm.Expr:
        """Return a structural number or the symbol of a slot."""
        return sm.Integer(entry) if isinstance(entry, int) else self._slots[int(entry[1:])]

    def entries(self, entries: tuple[Entry, ...]) -> Vector:
        """Return several."""
        return [self.entry(entry) for entry in entries]

    def fixed_rotation(self, link: Link) -> Matrix:
        """Return the rotation of a joint frame in the parent's frame."""
        numbers = self.entries(link.rotation)
        if len(numbers) == 9:
            return [numbers[0:3], numbers[3:6], numbers[6:9]]
        name = self.recorder.name
        (cr, cp, cy) = (name(sm.cos(angle)) for angle in numbers)
        (sr, sp, sy) = (name(sm.sin(angle)) for angle in numbers)
        return [
            [name(cy * cp), name(cy * sp * sr - sy * cr), name(cy * sp * cr + sy * sr)],
            [name(sy * cp), name(sy * sp * sr + cy * cr), name(sy * sp * cr - cy * sr)],
            [-sp, name(cp * sr), name(cp * cr)],
        ]

    def inertia(self, link: Link) -> Inertia:
        """Return the inertia of a link about its own origin."""
        r = self.recorder
        mass, com = self.entry(link.mass), self.entries(link.com)
        xx, yy, zz, xy, xz, yz = self.entries(link.inertia)
        about_com = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        first = r.scale(mass, com)
        squares = [r.name(first[i] * com[i]) for i in range(3)]

        def second(i: int, j: int) -> sm.Expr:
            if i == j:
                return r.name(about_com[i][i] + squares[(i + 1) % 3] + squares[(i + 2) % 3])
            return r.name(total([about_com[i][j], minus(product(first[i], com[j]))]))

        return Inertia(mass, first, mirrored(second))

    def moved(self, inertia: Inertia, rotation: Matrix, position: Vector) -> Inertia:
        """Return an inertia in the frame in which its own frame has this pose."""
        r = self.recorder
        turned = r.rotate(rotation, inertia.first)
        first = r.add(turned, r.scale(inertia.mass, position))
        second = r.congruent(rotation, inertia.second)
        # I' = I - [p][h'] - [h][p] with [a][b] = b a^T - (a . b) 1
        both = r.name(r.dot(position, first) + r.dot(turned, position))

        def entry(i: int, j: int) -> sm.Expr:
            trace = both if i == j else ZERO
            shifted = [
                minus(product(first[i], position[j])),
                minus(product(position[i], turned[j])),
            ]
            return r.name(total([second[i][j], *shifted, trace]))

        return Inertia(inertia.mass, first, mirrored(entry))

    def sum(self, a: Inertia, b: Inertia) -> Inertia:
        """Return the inertia of two bodies that are one, about the same frame."""
        r = self.recorder
        return Inertia(
            r.name(a.mass + b.mass),
            r.add(a.first, b.first),
            mirrored(lambda i, j: r.name(total([a.second[i][j], b.second[i][j]]))),
        )

    def joint(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        """Return what the joint of a link does."""
        kinds = {
            'revolute': self._revolute,
            'prismatic': self._prismatic,
            'planar': self._planar,
            'spherical': self._spherical,
            'free': self._free,
        }
        assert len(q) == COORDINATES[link.type]
        assert len(u) == SPEEDS[link.type]
        return kinds[link.type](link, q, u)

    def _revolute(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        r = self.recorder
        axis = self.entries(link.axis)
        sin, cos = r.name(sm.sin(q[0])), r.name(sm.cos(q[0]))
        rest = r.name(ONE - cos)
        skew = [
            [ZERO, -axis[2], axis[1]],
            [axis[2], ZERO, -axis[0]],
            [-axis[1], axis[0], ZERO],
        ]

        def entry(i: int, j: int) -> sm.Expr:
            if link.axis[i] in (1, -1) and i == j:
                return ONE  # the axis itself does not turn
            diagonal = cos if i == j else ZERO
            return r.name(diagonal + r.name(axis[i] * axis[j]) * rest + skew[i][j] * sin)

        rotation = [[entry(i, j) for j in range(3)] for i in range(3)]
        columns = [(zeros(), axis)]
        still = (zeros(), zeros())
        return JointMotion(rotation, zeros(), columns, still, [u[0]], columns)

    def _prismatic(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        axis = self.entries(link.axis)
        position = self.recorder.scale(q[0], axis)
        columns = [(axis, zeros())]
        still = (zeros(), zeros())
        return JointMotion(identity(), position, columns, still, [u[0]], columns)

    def _planar(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        r = self.recorder
        x, y, angle = q
        vx, vy, rate = u
        sin, cos = r.name(sm.sin(angle)), r.name(sm.cos(angle))
        rotation = [[cos, -sin, ZERO], [sin, cos, ZERO], [ZERO, ZERO, ONE]]
        columns = [
            ([cos, -sin, ZERO], zeros()),
            ([sin, cos, ZERO], zeros()),
            (zeros(), [ZERO, ZERO, ONE]),
        ]
        # The first two speeds are along the parent's axes, which turn backwards in the body.
        across = r.rotate_back(rotation, [vx, vy, ZERO])
        drift = [r.name(rate * across[1]), r.name(-rate * across[0]), ZERO]
        along_x, along_y, along_z = identity()
        steady = [(along_x, zeros()), (along_y, zeros()), (zeros(), along_z)]
        rates = [vx, vy, rate]
        return JointMotion(rotation, [x, y, ZERO], columns, (drift, zeros()), rates, steady)

    def _spherical(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        columns = [(zeros(), row) for row in identity()]
        return JointMotion(
            self._quaternion_matrix(q),
            zeros(),
            columns,
            (zeros(), zeros()),
            self._quaternion_rate(q, u),
        )

    def _free(self, link: Link, q: list[sm.Symbol], u: list[sm.Symbol]) -> JointMotion:
        rotation = self._quaternion_matrix(q[3:])
        columns = [(row, zeros()) for row in identity()] + [(zeros(), row) for row in identity()]
        velocity = self.recorder.rotate(rotation, u[:3])
        return JointMotion(
            rotation,
            list(q[:3]),
            columns,
            (zeros(), zeros()),
            velocity + self._quaternion_rate(q[3:], u[3:]),
        )

    def _quaternion_matrix(self, q: list[sm.Symbol]) -> Matrix:
        """Return the rotation of a unit quaternion x, y, z, w."""
        name = self.recorder.name
        x, y, z, w = q
        xx, yy, zz = name(x * x), name(y * y), name(z * z)
        xy, xz, yz = name(x * y), name(x * z), name(y * z)
        xw, yw, zw = name(x * w), name(y * w), name(z * w)
        return [
            [name(ONE - TWO * (yy + zz)), name(TWO * (xy - zw)), name(TWO * (xz + yw))],
            [name(TWO * (xy + zw)), name(ONE - TWO * (xx + zz)), name(TWO * (yz - xw))],
            [name(TWO * (xz - yw)), name(TWO * (yz + xw)), name(ONE - TWO * (xx + yy))],
        ]

    def _quaternion_rate(self, q: list[sm.Symbol], rates: list[sm.Symbol]) -> Vector:
        """Return the rate of a quaternion x, y, z, w at body rates."""
        name = self.recorder.name
        x, y, z, w = q
        a, b, c = (name(rate / TWO) for rate in rates)
        return [
            name(w * a + y * c - z * b),
            name(w * b + z * a - x * c),
            name(w * c + x * b - y * a),
            name(-x * a - y * b - z * c),
        ]
