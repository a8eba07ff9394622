"""
Random pairs of bodies in all regimes, and what the package says of them.

For any unit n, s(n) = n . (cB - cA) - hA(n) - hB(-n) bounds the signed distance of A and B from
below, where h is how far a body reaches along a direction: `separation`.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
import itertools

from helpers.collision_bodies import (
    Body,
    directions,
    matrices,
    PLANAR,
    quarter_turns,
    random_body,
    rotations,
    shifted,
    SPATIAL,
    taken,
)
import numpy as np

import symcontact_ros as sc

PAIRS = [
    (dimension, *pair)
    for dimension, kinds in ((2, PLANAR), (3, SPATIAL))
    for pair in itertools.combinations_with_replacement(kinds, 2)
    if pair != ('half_space', 'half_space')
]
BOUNDED = [pair for pair in PAIRS if 'half_space' not in pair]
BANDS = ('random', 'apart', 'touching', 'deep')
# Of the size (the sum of both reaches). Formulas and finitely many axes carry some hundred
# roundings of 1e-16; the iterations of polytopes stop at 1e-9.
EXACT = 1e-9
# Cylinders: the iteration runs along a curve, where 1e-9 in the distance is 3e-5 in the normal,
# and the searches and libraries compared with are no better than this.
CURVED = 1e-6
# A depth that is said not to be proven minimal is that of a local minimum; the worst that was
# found is 1e-4 above the least one.
UNPROVEN = 1e-3


def name_of(pair):
    return f'{pair[0]}D-{pair[1]}-{pair[2]}'


def tolerance(a, b):
    """What the distance of two bodies may be off [m]; places of 1 m are rounded as well."""
    relative = CURVED if 'cylinder' in (a.kind, b.kind) else EXACT
    return relative * max(a.reach + b.reach, 0.1)


@dataclass
class Case:
    """Two bodies at many poses, and what the package says of them."""

    a: Body
    b: Body
    poses_a: sc.Pose
    poses_b: sc.Pose
    band: np.ndarray  # index into BANDS

    @cached_property
    def result(self):
        return ask(self.a, self.poses_a, self.b, self.poses_b)

    @cached_property
    def reversed_result(self):
        return ask(self.b, self.poses_b, self.a, self.poses_a)

    def by_programs(self, **co):
        """What convex programs say instead."""
        poses = self.a.shape, self.poses_a, self.b.shape, self.poses_b
        return sc.proximities(*poses, detector='co', dimension=self.a.dimension, co=co)

    @property
    def tolerance(self):
        return tolerance(self.a, self.b)

    @property
    def offsets(self):
        """The way from the middle of A to that of B, at each pose."""
        middle_a, middle_b = (
            poses.position + matrices(poses) @ body.centre
            for body, poses in ((self.a, self.poses_a), (self.b, self.poses_b))
        )
        return middle_b - middle_a

    @property
    def depth_tolerance(self):
        """What depths may be above the least, for each pose."""
        doubtful = UNPROVEN * (self.a.reach + self.b.reach)
        return np.where(self.result.proven, self.tolerance, doubtful)

    @property
    def both_orders(self):
        """The same asked for A and B, and for B and A: (case, result)."""
        back = Case(self.b, self.a, self.poses_b, self.poses_a, self.band)
        return ((self, self.result), (back, self.reversed_result))

    def at(self, index):
        poses = taken(self.poses_a, index), taken(self.poses_b, index)
        return Case(self.a, self.b, *poses, self.band[index])

    def separation(self, normals):
        return separation(self.a, self.poses_a, self.b, self.poses_b, normals)


def ask(a, poses_a, b, poses_b):
    return sc.proximities(a.shape, poses_a, b.shape, poses_b, dimension=a.dimension)


def answered(result):
    """Which answers are a convex program's own, not those of the exact method instead."""
    return np.array(result.fallback) == ''


@lru_cache(maxsize=64)
def cases_of(pair, count):
    """The random cases of a pair, kept for the next test."""
    return tuple(random_cases(pair, count))


def random_cases(pair, count, seed=0, bodies=10):
    """About count poses in all bands, of some pairs of bodies; every fifth pair has a thin one."""
    dimension, kind_a, kind_b = pair
    rng = np.random.default_rng([seed, PAIRS.index(pair)])
    for number in range(bodies):
        scale = 0.2 if number % 5 == 3 else 1.0  # one fits into the other
        a = random_body(rng, kind_a, dimension, thin=number % 5 == 4)
        b = random_body(rng, kind_b, dimension, scale, thin=number % 10 == 9)
        if number % 10 == 8:
            b = a if kind_a == kind_b else b
        yield random_case(rng, a, b, count // bodies)


def random_case(rng, a, b, count):
    """Poses of two bodies: a quarter each anywhere, apart, touching within 1 um, and deep."""
    dimension = a.dimension
    band = np.arange(count) % len(BANDS)
    turn_a = rotations(rng, count, dimension)
    turn_b = rotations(rng, count, dimension)
    parallel = (np.arange(count) // len(BANDS)) % 5
    relative = quarter_turns(rng, count, dimension)
    quaternion_a, quaternion_b = turn_a.as_quat(), turn_b.as_quat()
    quaternion_b[parallel == 1] = (turn_a * relative).as_quat()[parallel == 1]
    quaternion_b[parallel == 2] = quaternion_a[parallel == 2]
    poses_a = sc.Pose(np.zeros((count, 3)), quaternion_a)
    poses_b = sc.Pose(np.zeros((count, 3)), quaternion_b)
    start = rng.uniform(-1.0, 1.0, (count, 3))
    if dimension == 2:
        start[:, 2] = 0.0
    way = directions(rng, count, dimension)
    far = rng.uniform(0.0, 1.2, count)
    far[band == BANDS.index('deep')] *= 0.2
    far[parallel == 2] *= np.where(rng.uniform(size=(parallel == 2).sum()) < 0.3, 0.0, 1.0)
    middle_a = np.einsum('nij,j->ni', matrices(poses_a), a.centre)
    middle_b = np.einsum('nij,j->ni', matrices(poses_b), b.centre)
    poses_a = shifted(poses_a, start - middle_a)
    poses_b = shifted(poses_b, start - middle_b + ((a.reach + b.reach) * far)[:, None] * way)
    found = ask(a, poses_a, b, poses_b)
    goal = found.distance.copy()
    goal[band == 1] = rng.uniform(0.0, 1.0, (band == 1).sum())
    goal[band == 2] = rng.uniform(-1e-6, 1e-6, (band == 2).sum())
    poses_b = shifted(poses_b, (goal - found.distance)[:, None] * found.normal)
    return Case(a, b, poses_a, poses_b, band)


def separation(a, poses_a, b, poses_b, normals):
    """Return s(n) for normals (n, 3), or (n, m, 3): m at each pose."""
    turn_a, turn_b = matrices(poses_a), matrices(poses_b)
    apart = np.atleast_2d(poses_b.position) - np.atleast_2d(poses_a.position)
    if normals.ndim == 3:
        local_a, local_b = normals @ turn_a, normals @ turn_b
        along = np.einsum('nmi,ni->nm', normals, np.broadcast_to(apart, (len(normals), 3)))
    else:
        local_a = np.einsum('nji,nj->ni', turn_a, normals)
        local_b = np.einsum('nji,nj->ni', turn_b, normals)
        along = (normals * apart).sum(axis=1)
    return along - a.extent(local_a) - b.extent(-local_b)
