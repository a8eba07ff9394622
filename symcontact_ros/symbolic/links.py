"""Links of a structure in symbols: joint motions and inertias."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sm

from symcontact_ros.joints.joint_motion import JointMotion, JointSymbols
from symcontact_ros.model.structure import Entry, Link
from symcontact_ros.symbolic.recorder import (
    identity,
    Matrix,
    minus,
    mirrored,
    product,
    Recorder,
    total,
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
class SymbolicLink:
    """A moving link with everything fixed to it, in symbols; vectors are in body axes."""

    parent: int  # index among the moving links; -1: the world
    base: Matrix  # rotation of the joint frame in its parent
    rotation: Matrix  # of the body in its parent
    position: Vector
    motion: JointMotion
    u: Vector
    first_speed: int  # among those of all moving links, followers included
    inertia: Inertia
    com: Vector  # of the body itself, without what is fixed to it
    armature: sm.Expr
    follows: bool  # whether its speeds are multiples of another link's
    # Set by the outward pass: pose in the world, velocity of the origin, the joint's share of it.
    attitude: Matrix = field(default_factory=identity)
    origin: Vector = field(default_factory=zeros)
    linear: Vector = field(default_factory=zeros)
    angular: Vector = field(default_factory=zeros)
    joint_linear: Vector = field(default_factory=zeros)
    joint_angular: Vector = field(default_factory=zeros)


class LinkBuilder:
    """Builder of SymPy expressions from entries of a structure."""

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
        """Return the sum of two inertias about the same frame."""
        r = self.recorder
        return Inertia(
            r.name(a.mass + b.mass),
            r.add(a.first, b.first),
            mirrored(lambda i, j: r.name(total([a.second[i][j], b.second[i][j]]))),
        )

    def joint(self, link: Link, q: Vector, u: Vector) -> JointMotion:
        """Return the motion that the joint of a link allows."""
        axis, constants = self.entries(link.axis), self.entries(link.constants)
        return link.kind.motion(self.recorder, JointSymbols(axis, constants, q, u))
