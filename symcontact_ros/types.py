"""
Results of a simulation: poses, twists, wrenches, proximities, contacts, readings.

SI units. World axes unless said otherwise. Two bodies of a pair are called A and B, with A < B by
name; ``normal`` is a unit vector from A to B; ``distance`` is negative in overlap; forces of a
contact act on B, and A receives their opposite at the same point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.errors import no_such, OptionError, shown_value, SymcontactError

Vector = NDArray[np.float64]


def vector(values: ArrayLike) -> Vector:
    """Return values as a float array of its own."""
    return np.array(values, dtype=np.float64)


def float_of(value: Any) -> float:
    """Return a real number as a float: infinite where it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """Return a whole number within limits; OptionError unless it is one."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or not least <= int(value) <= most:
        got = shown_value(value)
        raise OptionError(f'{name} must be a whole number of {least} to {most}, got {got}')
    return int(value)


def finite_numbers(name: str, values: ArrayLike, count: int) -> Vector:
    """Return values as a float array of its own; OptionError unless they are so many numbers."""
    try:
        array = vector(values)
    except (TypeError, ValueError, OverflowError):
        reason = f'{name} must be {count} finite numbers, got {shown_value(values)}'
        raise OptionError(reason) from None
    if array.shape != (count,):
        got = len(array) if array.ndim == 1 else f'an array of shape {array.shape}'
        raise OptionError(f'{name} must be {count} finite numbers, got {got}')
    # A sum is finite only if all its terms are; it may overflow, and takes a tenth of the time.
    if not math.isfinite(sum(array.tolist())) and not np.isfinite(array).all():
        raise OptionError(f'{name} must be {count} finite numbers, got {array.tolist()}'[:200])
    return array


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
    """Force and torque; the function that returns one names the body and the point."""

    force: Vector  # [N]
    torque: Vector  # [N m]


@dataclass(frozen=True)
class Manifold:
    """
    Contact points of two shapes in overlap, all along one normal but on surfaces.

    The normal is that of `Proximity` or, where a face is nearly as good as a pair of edges, that
    of the face: contact on a face is steadier. The deepest point may then be deeper than the
    minimum translation, by 5 % and 1e-6 of the size, or shallower, by 10 %. On a height field or a
    mesh it is the normal of the deepest point, and each point has its own.
    """

    normal: Vector  # [-], from A to B
    points: Vector  # (k, 3) [m], midway between the two surfaces
    depths: Vector  # (k,) [m], positive
    shares: Vector  # (k,) part of the stiffness that each point carries
    features: NDArray[np.int64]  # (k,) which faces and vertices meet: constant while they do
    normals: Vector  # (k, 3) [-], of each point, from A to B

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.points)


NO_CONTACT = Manifold(
    np.zeros(3),
    np.zeros((0, 3)),
    np.zeros(0),
    np.zeros(0),
    np.zeros(0, dtype=np.int64),
    np.zeros((0, 3)),
)


# (body A, body B, point [m]) -> velocity of B relative to A there per unit of each speed, (3, nu)
Jacobians = Callable[[str, str, Vector], Vector]


class Between:
    """Relative motion of two bodies: common base of `Contact` and `Proximity`."""

    body_a: str
    body_b: str
    normal: Vector
    point: Vector
    _jacobians: Jacobians | None

    @cached_property
    def velocity_jacobian(self) -> Vector:
        """
        (3, nu): this times u is the velocity of B relative to A at ``point``, world axes [m/s].

        Its transpose times a force on B [N] is the generalised force of both, as in
        M udot + bias = J^T F. Computed on first use, for that same instant.
        """
        if self._jacobians is None:
            raise SymcontactError(
                'only results of a simulation have a Jacobian: two shapes alone have no speeds'
            )
        return self._jacobians(self.body_a, self.body_b, self.point)

    @property
    def jacobian(self) -> Vector:
        """(nu,): this times u is d/dt distance [m/s], negative while A and B approach."""
        row: Vector = self.normal @ self.velocity_jacobian
        return row

    def __getstate__(self) -> dict[str, Any]:
        if self._jacobians is not None:
            _ = self.velocity_jacobian  # a copy elsewhere has no simulation to compute it with
        return {**self.__dict__, '_jacobians': None}


@dataclass(frozen=True)
class Proximity(Between):
    """Closest points of two shapes, apart or in overlap, and their contact points."""

    distance: float  # phi [m]; negative in overlap: minus the minimum translation
    normal: Vector  # n [-], from A to B
    point_a: Vector  # on the boundary of A [m]
    point_b: Vector  # on the boundary of B [m]; (point_b - point_a) . normal == distance
    manifold: Manifold = NO_CONTACT
    proven: bool = True  # False: a depth that could not be proven minimal (cylinders only)
    fallback: str = ''  # why the exact method answered instead of a convex program, if it did
    body_a: str = ''  # whose shapes they are, in a simulation
    body_b: str = ''
    _jacobians: Jacobians | None = field(default=None, repr=False, compare=False)

    @property
    def penetration(self) -> float:
        """Depth of overlap rho = max(0, -distance) [m]."""
        return max(0.0, -self.distance)

    @property
    def point(self) -> Vector:  # type: ignore[override]
        """Midpoint of the closest points [m]: where a contact force acts, on A and on B."""
        return 0.5 * (self.point_a + self.point_b)


def proximity_of(
    record: Any,
    proven: bool,
    fallback: str,
    bodies: tuple[str, str] = ('', ''),
    jacobians: Jacobians | None = None,
) -> Proximity:
    """Return the `Proximity` of a `ProximityRecord` of the kernels."""
    rows = record['contacts'][: record['count']]
    rows = rows[rows['distance'] < 0.0]
    manifold = NO_CONTACT
    if len(rows):
        normal, depths = record['contact_normal'].copy(), -rows['distance']
        found = rows['share'], rows['feature'], rows['normal']
        manifold = Manifold(normal, rows['point'], depths, *found)
    points = record['point_a'].copy(), record['point_b'].copy()
    normal, distance = record['normal'].copy(), float(record['distance'])
    return Proximity(distance, normal, *points, manifold, proven, fallback, *bodies, jacobians)


@dataclass(frozen=True, repr=False)
class Proximities:
    """The proximities of two shapes at n poses, as arrays; an index gives one of them."""

    records: NDArray[Any]  # (n,) structured: `ProximityRecord` of the kernels
    proven: NDArray[np.bool_]  # (n,)
    fallback: tuple[str, ...]  # (n,) see `Proximity`

    def __repr__(self) -> str:
        found = f', distance {self.distance.min():g} to {self.distance.max():g} m'
        return f'<Proximities of {len(self)} poses{found if len(self) else ""}>'

    @property
    def distance(self) -> Vector:
        """(n,) [m]."""
        return self.records['distance']

    @property
    def normal(self) -> Vector:
        """(n, 3)."""
        return self.records['normal']

    @property
    def point_a(self) -> Vector:
        """(n, 3) [m]."""
        return self.records['point_a']

    @property
    def point_b(self) -> Vector:
        """(n, 3) [m]."""
        return self.records['point_b']

    @property
    def contact_normal(self) -> Vector:
        """(n, 3); zero when apart."""
        return self.records['contact_normal']

    @property
    def contact_count(self) -> NDArray[np.int64]:
        """(n,)."""
        return self.records['count']

    @property
    def contact_rows(self) -> Vector:
        """(n, 5, 6): signed distance, point (3), part of the stiffness, feature."""
        contacts = self.records['contacts']
        columns = [contacts[name][..., None] for name in ('distance', 'share', 'feature')]
        columns.insert(1, contacts['point'])
        return np.concatenate(columns, axis=-1)

    def __len__(self) -> int:
        """Return the number of poses."""
        return len(self.records)

    def __getitem__(self, index: int) -> Proximity:
        """Return one proximity."""
        return proximity_of(self.records[index], bool(self.proven[index]), self.fallback[index])


@dataclass(frozen=True)
class Contact(Between):
    """One point of contact of bodies A and B with the force that it carries."""

    body_a: str
    body_b: str
    point: Vector  # [m]
    normal: Vector  # [-], from A to B
    distance: float  # [m], negative
    force: Vector  # [N], on B; A receives the opposite at the same point
    # [N m], on B, about the normal, beside the moment of the force; A receives the opposite. Of
    # friction with a torsional radius.
    torque: Vector = field(default_factory=lambda: np.zeros(3))
    _jacobians: Jacobians | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True)
class PairState:
    """Proximities, contacts and wrench of bodies A and B, touching or not."""

    body_a: str
    body_b: str
    proximities: tuple[Proximity, ...]  # one per pair of shapes
    contacts: tuple[Contact, ...]  # those in overlap
    point: Vector  # force-weighted mean of the contact points; apart: midpoint of the closest [m]
    wrench: Wrench  # on B, about `point`; A receives the opposite


@dataclass(frozen=True, repr=False)
class Snapshot:
    """Poses, velocities, proximities and contacts at one instant."""

    time: float  # simulated [s]
    poses: dict[str, Pose]  # of the body origins
    coms: dict[str, Vector]  # centres of mass [m]; of fixed bodies: their origins
    twists: dict[str, Twist]
    pairs: tuple[PairState, ...]  # every pair that may touch, in alphabetical order

    def __repr__(self) -> str:
        return (
            f'<Snapshot at {self.time:.6g} s: bodies {len(self.poses)}, pairs {len(self.pairs)}, '
            f'contact points {len(self.contacts)}>'
        )

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Every contact, pair by pair."""
        return tuple(contact for pair in self.pairs for contact in pair.contacts)

    def contact_wrench(self, body: str, other: str | None = None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        for name in (body,) if other is None else (body, other):
            if name not in self.poses:
                raise no_such('body', name, self.poses)
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


@dataclass(frozen=True)
class ImuReading:
    """
    Reading of an inertial measurement unit on a site, in the axes of the site.

    Specific force is acceleration minus gravity: 0 in free fall, g upwards at rest.
    """

    site: str
    frame: str  # whose axes these are: the site's own
    specific_force: Vector  # [m/s^2]
    angular_velocity: Vector  # [rad/s]
    quaternion: Vector  # attitude of the site in the world: x, y, z, w; without noise
    specific_force_noise: float = 0.0  # standard deviation of each component [m/s^2]
    angular_velocity_noise: float = 0.0  # [rad/s]


@dataclass(frozen=True)
class WrenchReading:
    """
    Reading of a force-torque sensor in a joint, in the axes and about the origin of the child.

    The sign is that of a wrist sensor, and of Gazebo (``child_to_parent``): the wrench of the
    child on its parent. A body at rest below the joint reads as its weight, a wall that pushes the
    hand back reads as the push of the wall; the inertial force of the child is subtracted.
    """

    joint: str
    frame: str  # the child body
    force: Vector  # [N]
    torque: Vector  # [N m]
    force_noise: float = 0.0  # standard deviation of each component [N]
    torque_noise: float = 0.0  # [N m]


@dataclass(frozen=True)
class GroundReaction:
    """
    What the ground does to a foot, as a force plate tells it, with the sign of biomechanics.

    The force acts **on** the foot, **by** the ground. The ground plane is that of the contact
    points, perpendicular to ``normal``: level on level ground, inclined on a ramp. There the
    contacts together are one force at ``centre_of_pressure`` and one moment about the normal.
    """

    force: Vector  # [N], all contacts, world axes; zero where nothing touches
    # [m], in the world: where the moment of the contacts has no part along the ground. None where
    # nothing touches, or where the ground does not push: a foot clamped between two walls.
    centre_of_pressure: Vector | None
    free_moment: float  # [N m], about the normal through that point; 0 in planar models
    normal: Vector | None  # unit, out of the ground: the direction of all normal forces together
    force_noise: float = 0.0  # standard deviation of each component [N]
    torque_noise: float = 0.0  # of the free moment [N m]

    @property
    def torque(self) -> Vector:
        """The free moment as a vector, about the centre of pressure, world axes [N m]."""
        return np.zeros(3) if self.normal is None else self.free_moment * self.normal


Reading = ImuReading | WrenchReading | GroundReaction
