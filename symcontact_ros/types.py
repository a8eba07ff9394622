"""
What a simulation tells about itself: poses, twists, wrenches, proximities, contacts.

SI units. World axes unless said otherwise. Two bodies of a pair are called A and B, with A < B by
name; ``normal`` is a unit vector from A to B; ``distance`` is negative in overlap; forces of a
contact act on B, and A receives their opposite at the same point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]


def vector(values: ArrayLike) -> Vector:
    """Return values as a float array of its own."""
    return np.array(values, dtype=np.float64)


@dataclass(frozen=True)
class Pose:
    """Position and attitude of a frame in the world."""

    position: Vector  # [m], 3 numbers
    quaternion: Vector  # x, y, z, w; unit; takes body components to world components


@dataclass(frozen=True)
class Twist:
    """Velocity of a body, of its centre of mass."""

    linear: Vector  # [m/s]
    angular: Vector  # [rad/s]


@dataclass(frozen=True)
class Wrench:
    """Force and torque; whoever returns one says on which body and about which point."""

    force: Vector  # [N]
    torque: Vector  # [N m]


@dataclass(frozen=True)
class Proximity:
    """Closest points of two shapes, apart or in overlap."""

    distance: float  # phi [m]; negative in overlap: minus the minimum translation
    normal: Vector  # n [-], from A to B
    point_a: Vector  # on the boundary of A [m]
    point_b: Vector  # on the boundary of B [m]; (point_b - point_a) . normal == distance

    @property
    def penetration(self) -> float:
        """Depth of overlap rho = max(0, -distance) [m]."""
        return max(0.0, -self.distance)

    @property
    def point(self) -> Vector:
        """Midpoint of the closest points [m]: where a contact force acts, on A and on B."""
        return 0.5 * (self.point_a + self.point_b)


@dataclass(frozen=True)
class Contact:
    """One point of contact of bodies A and B with the force that it carries."""

    body_a: str
    body_b: str
    point: Vector  # [m]
    normal: Vector  # [-], from A to B
    distance: float  # [m], negative
    force: Vector  # [N], on B; A receives the opposite at the same point


@dataclass(frozen=True)
class PairState:
    """What bodies A and B do to each other now, touching or not."""

    body_a: str
    body_b: str
    proximities: tuple[Proximity, ...]  # one per pair of shapes
    contacts: tuple[Contact, ...]  # those in overlap
    point: Vector  # force-weighted mean of the contact points; apart: midpoint of the closest [m]
    wrench: Wrench  # on B, about `point`; A receives the opposite


@dataclass(frozen=True)
class Snapshot:
    """All that can be told of one instant, from one evaluation of the state."""

    time: float  # simulated [s]
    poses: dict[str, Pose]  # of the body origins
    coms: dict[str, Vector]  # centres of mass [m]; of fixed bodies: their origins
    twists: dict[str, Twist]
    pairs: tuple[PairState, ...]  # every pair that may touch, in alphabetical order

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Every contact, pair by pair."""
        return tuple(contact for pair in self.pairs for contact in pair.contacts)

    def contact_wrench(self, body: str, other: str | None = None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        force, torque = np.zeros(3), np.zeros(3)
        for pair in self.pairs:
            if body not in (pair.body_a, pair.body_b):
                continue
            partner, sign = (pair.body_a, 1.0) if body == pair.body_b else (pair.body_b, -1.0)
            if other is None or partner == other:
                push = sign * pair.wrench.force
                force += push
                torque += sign * pair.wrench.torque + np.cross(pair.point - self.coms[body], push)
        return Wrench(force, torque)
