"""Bodies of about 1 m, and their poses: at a given depth, moving, or resting on a face."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.detection import Detection
from symcontact_ros.shapes.packing import packed
from symcontact_ros.shapes.records import Solid

STEP = 1e-3  # [s] between two poses of a motion
STEPS = 20  # poses of a motion
SLIDE, TURN = 0.5, 2.0  # speeds of a motion [m/s, rad/s]
HALVINGS = 32  # of a way of some metres: to nanometres
REGIMES = ('overlap', 'apart', 'far')
APART = {'apart': (1e-3, 0.1), 'far': (0.1, 0.5)}  # when motions start [m]
# In overlap: of the width, at the start and at most.
OVERLAP = {'overlap': (1e-3, 1e-2, 0.019), 'deep': (0.05, 0.1, 0.3)}


def polygon(edges: int) -> sc.Polygon:
    """Return a polygon whose vertices lie on an ellipse, unevenly spaced."""
    rng = np.random.default_rng(edges)
    angles = 2 * np.pi * (np.arange(edges) + rng.uniform(-0.2, 0.2, edges)) / edges
    return sc.Polygon([(0.5 * np.cos(t), 0.4 * np.sin(t)) for t in angles])


def hull(faces: int) -> sc.ConvexHull:
    """Return a body of triangles whose vertices lie on an ellipsoid, unevenly spaced."""
    count = faces // 2 + 2
    rng = np.random.default_rng(faces)
    height = 1.0 - 2.0 * (np.arange(count) + 0.5) / count
    angle = np.pi * (3.0 - 5.0**0.5) * np.arange(count)  # the golden angle spreads them
    across = np.sqrt(1.0 - height**2)
    points = np.column_stack([across * np.cos(angle), across * np.sin(angle), height])
    points += rng.normal(0.0, 0.1 / count**0.5, points.shape)
    points *= np.array([0.6, 0.5, 0.4]) / np.linalg.norm(points, axis=1)[:, None]
    return sc.ConvexHull([tuple(point) for point in points])


SHAPES: dict[str, Any] = {
    'circle': sc.Circle(0.3),
    'rectangle': sc.Rectangle((0.5, 0.3)),
    'sphere': sc.Sphere(0.3),
    'box': sc.Box((0.5, 0.4, 0.3)),
    'capsule': sc.Capsule(0.2, 0.4),
    'cylinder': sc.Cylinder(0.3, 0.5),
    '16-gon': polygon(16),
    'hull 20': hull(20),
    'hull 100': hull(100),
}


@dataclass(frozen=True)
class Pair:
    """Two shapes of one dimension."""

    title: str
    a: Any
    b: Any

    @property
    def dimension(self) -> int:
        """2 or 3."""
        return max(d for d in (2, 3) if self.a.fits(d) and self.b.fits(d))

    @property
    def width(self) -> float:
        """Twice the radius of a ball inside the smaller body [m]: the scale of depths."""
        return 2.0 * min(self.solid(0).inner, self.solid(1).inner)

    @property
    def reach(self) -> float:
        """Distance of the centres beyond which they cannot touch [m]."""
        return self.solid(0).reach + self.solid(1).reach

    def block(self, side: int) -> np.ndarray:
        """Return the memory of A (0) or B (1) for kernels."""
        return packed(self.b if side else self.a, self.dimension)

    def solid(self, side: int) -> Solid:
        """Return A (0) or B (1) as a record."""
        return Detection(self.dimension).solid(self.block(side))

    def measured(self, poses: 'Poses', **options: Any) -> sc.Proximities:
        """Return the proximities at all poses, by the exact detector unless options differ."""
        chosen = {'dimension': self.dimension, **options}
        return sc.proximities(self.a, poses.a, self.b, poses.b, **chosen)


def pair_of(first: str, second: str) -> Pair:
    """Return a pair of the shapes above."""
    return Pair(f'{first} - {second}', SHAPES[first], SHAPES[second])


@dataclass(frozen=True)
class Poses:
    """Poses of A and of B, equally many."""

    a: sc.Pose
    b: sc.Pose

    def __len__(self) -> int:
        return len(self.b.position)

    def chosen(self, which: np.ndarray) -> 'Poses':
        """Return some of them."""
        return Poses(*(sc.Pose(p.position[which], p.quaternion[which]) for p in (self.a, self.b)))

    def moved(self, way: np.ndarray) -> 'Poses':
        """Return them with B moved."""
        return Poses(self.a, sc.Pose(self.b.position + way, self.b.quaternion))


def turns(rng: np.random.Generator, count: int, dimension: int) -> Rotation:
    """Return random attitudes."""
    if dimension == 3:
        return Rotation.random(count, rng)
    return Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (count, 1)) * [0.0, 0.0, 1.0])


def random_poses(pair: Pair, distance: np.ndarray, seed: int) -> Poses:
    """
    Return random attitudes at given signed distances.

    B approaches the centre of A along a straight line from a random side. The signed distance is a
    convex function of the position of B, so that bisection finds the position.
    """
    d, count = pair.dimension, len(distance)
    rng = np.random.default_rng(seed)
    side = rng.normal(size=(count, 3)) * (np.arange(3) < d)
    side /= np.linalg.norm(side, axis=1)[:, None]
    here = sc.Pose(np.zeros((count, 3)), turns(rng, count, d).as_quat())
    centred = Poses(here, sc.Pose(np.zeros((count, 3)), turns(rng, count, d).as_quat()))
    return at_distance(pair, centred, side, distance)


def at_distance(pair: Pair, poses: Poses, side: np.ndarray, distance: np.ndarray) -> Poses:
    """Return poses with B moved out along a side until it is at given signed distances."""
    low, high = np.zeros(len(side)), np.full(len(side), pair.reach + distance.max())
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        near = pair.measured(poses.moved(middle[:, None] * side)).distance < distance
        low, high = np.where(near, middle, low), np.where(near, high, middle)
    return poses.moved((0.5 * (low + high))[:, None] * side)


def log_uniform(low: float, high: float, count: int, seed: int) -> np.ndarray:
    """Return numbers whose logarithms are spread evenly."""
    rng = np.random.default_rng(seed)
    return np.exp(rng.uniform(np.log(low), np.log(high), count))


def motions(pair: Pair, regime: str, count: int) -> Poses:
    """
    Return poses of short motions, one after the other: what a simulation at 1 kHz asks for.

    They start in overlap by 0.1 to 1 % of the width (deep: 5 to 10 %), apart by 1 to 100 mm, or
    far apart by 0.1 to 0.5 m. B slides past A at right angles to the normal and turns about the
    nearest point; motions that leave the regime are left out.
    """
    number = -(-count // STEPS)
    if regime in APART:
        start = log_uniform(*APART[regime], 2 * number, 1)
        low, high = 0.5 * APART[regime][0], np.inf
    else:
        least, most, deepest = OVERLAP[regime]
        start = -pair.width * log_uniform(least, most, 2 * number, 1)
        low, high = -deepest * pair.width, -0.01 * least * pair.width
    poses = random_poses(pair, start, 2)
    moving = _moving(pair, poses, np.random.default_rng(3))
    inside = pair.measured(moving).distance.reshape(-1, STEPS)
    good = np.flatnonzero(((inside >= low) & (inside <= high)).all(axis=1))[:number]
    if not len(good):
        raise ValueError(f'{pair.title}: no motion stays {regime}')
    kept = moving.chosen((good[:, None] * STEPS + np.arange(STEPS)).ravel())
    return kept.chosen(np.arange(count) % len(kept))


def _moving(pair: Pair, poses: Poses, rng: np.random.Generator) -> Poses:
    """Return STEPS poses for each one."""
    d, count = pair.dimension, len(poses)
    near = pair.measured(poses)
    slide = rng.normal(size=(count, 3)) * (np.arange(3) < d)
    slide -= (slide * near.normal).sum(axis=1)[:, None] * near.normal
    slide *= SLIDE / np.linalg.norm(slide, axis=1)[:, None]
    axis = rng.normal(size=(count, 3)) * ([1, 1, 1] if d == 3 else [0, 0, 1])
    axis *= TURN / np.linalg.norm(axis, axis=1)[:, None]
    about = 0.5 * (near.point_a + near.point_b)
    places, attitudes = [], []
    for step in range(STEPS):
        turn = Rotation.from_rotvec(axis * step * STEP)
        places.append(about + turn.apply(poses.b.position - about) + slide * step * STEP)
        attitudes.append((turn * Rotation.from_quat(poses.b.quaternion)).as_quat())
    still = np.repeat(np.arange(count), STEPS)
    b = sc.Pose(
        *(np.stack(part, axis=1).reshape(-1, n) for part, n in ((places, 3), (attitudes, 4)))
    )
    return Poses(sc.Pose(poses.a.position[still], poses.a.quaternion[still]), b)


def resting(pair: Pair, tilt: float, depth: np.ndarray, seed: int) -> Poses:
    """Return B lying on the upper face of A (+z, in the plane +y), tilted by up to an angle."""
    d, count = pair.dimension, len(depth)
    rng = np.random.default_rng(seed)
    up = np.eye(3)[d - 1]
    lean = rng.uniform(-tilt, tilt, (count, 3)) * ([0, 0, 1] if d == 2 else [0.7, 0.7, 0])
    own = Rotation.from_rotvec(lean)
    if d == 3:
        own = Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (count, 1)) * up) * own
    aside = rng.uniform(-0.2, 0.2, (count, 3)) * (np.arange(3) < d - 1)
    flat = Poses(
        sc.Pose(np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))),
        sc.Pose(aside, own.as_quat()),
    )
    return at_distance(pair, flat, np.tile(up, (count, 1)), -depth)
