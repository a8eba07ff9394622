"""Pairs of bodies, and poses in which they are apart, touch, overlap or rest on each other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.detection import Detection
from symcontact_ros.shapes.records import Solid

POSES = 2000  # of a cell
SHALLOW = (1e-4, 1e-2)  # depth of overlap [m], of bodies of about 1 m
DEEP = 0.1  # and more [m]
VERTICES = 52  # of the hulls: 100 triangles


def polygon(count: int) -> sc.Polygon:
    """Return a regular polygon, 1 m across its vertices, with edges towards +y and -y."""
    angles = 2 * np.pi * (np.arange(count) + 0.5) / count + np.pi / 2
    return sc.Polygon([tuple(0.5 * np.array([np.cos(t), np.sin(t)])) for t in angles])


def hull() -> sc.ConvexHull:
    """Return a body of 100 triangles."""
    points = np.random.default_rng(1).normal(size=(VERTICES, 3))
    points *= np.array([0.6, 0.5, 0.4]) / np.linalg.norm(points, axis=1)[:, None]
    return sc.ConvexHull([tuple(point) for point in points])


SHAPES: dict[str, Any] = {
    'circle': sc.Circle(0.3),
    'rectangle': sc.Rectangle((0.5, 0.3)),
    'polygon': polygon(8),
    'capsule': sc.Capsule(0.2, 0.4),
    'half_space': sc.HalfSpace((0.0, 1.0, 0.0)),
    'sphere': sc.Sphere(0.3),
    'box': sc.Box((0.5, 0.4, 0.3)),
    'cylinder': sc.Cylinder(0.3, 0.5),
    'convex_hull': hull(),
}


@dataclass(frozen=True)
class Query:
    """Two shapes in one of the regimes: apart, shallow, deep, resting."""

    title: str
    a: Any
    b: Any
    regime: str
    must: float = float('nan')  # [us]
    goal: float = float('nan')
    planar: bool = False  # for shapes that are also spatial

    @property
    def dimension(self) -> int:
        return 2 if self.planar or not (self.a.fits(3) and self.b.fits(3)) else 3

    @property
    def shapes(self) -> tuple[Any, Any]:
        return self.a, self.b


def queries() -> list[Query]:
    """Return the queries with a budget, and further ones of interest."""
    box, cylinder = SHAPES['box'], SHAPES['cylinder']
    found = [
        Query('sphere-box', box, SHAPES['sphere'], regime, 0.06, 0.03)
        for regime in ('apart', 'shallow', 'deep')
    ]
    for count in (4, 8, 16):
        shape = polygon(count)
        for regime in ('apart', 'shallow', 'deep', 'resting'):
            found.append(Query(f'{count}-gons', shape, shape, regime, 0.25, 0.15))
    found.append(Query('box-box', box, box, 'apart', 0.25, 0.17))
    for regime in ('shallow', 'deep', 'resting'):
        found.append(Query('box-box', box, box, regime, 0.6, 0.45))
    many = SHAPES['convex_hull']
    found.append(Query('hulls, 100 faces', many, many, 'apart'))
    found.append(Query('hulls, 100 faces', many, many, 'shallow', 5.0, 3.5))
    found.append(Query('hulls, 100 faces', many, many, 'deep', 12.0, 10.0))
    for title, other in (('box-cylinder', box), ('cylinder-cylinder', cylinder)):
        for regime in ('apart', 'shallow', 'deep', 'resting'):
            found.append(Query(title, other, cylinder, regime, 10.0, 8.0))
    return found


def pose_of(positions: np.ndarray, turns: Rotation) -> sc.Pose:
    return sc.Pose(positions, turns.as_quat())


def random_turns(rng: np.random.Generator, dimension: int) -> Rotation:
    if dimension == 3:
        return Rotation.random(POSES, rng)
    return Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (POSES, 1)) * [0.0, 0.0, 1.0])


def reach(shape: Any, dimension: int) -> float:
    """Return the radius of a bounding sphere; a half-space has a point of its surface."""
    return 0.0 if shape.kind == 'half_space' else solid(shape, dimension).reach


def solid(shape: Any, dimension: int) -> Solid:
    """Return a shape as a record for kernels."""
    detection = Detection(dimension)
    return detection.solid(detection.block(shape))


def in_reach(rng: np.random.Generator, query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return random poses with bounding spheres that overlap, or nearly do."""
    d = query.dimension
    # For two spheres, or a sphere and a half-space, none would be separated otherwise.
    room = 1.5 if all(s.kind in ('circle', 'sphere', 'half_space') for s in query.shapes) else 1.0
    way = rng.normal(size=(POSES, 3)) * (np.arange(3) < d)
    way *= rng.uniform(size=(POSES, 1)) ** (1 / d) / np.linalg.norm(way, axis=1)[:, None]
    start = rng.uniform(-1, 1, (POSES, 3)) * (np.arange(3) < d)
    end = start + way * room * sum(reach(shape, d) for shape in query.shapes)
    return pose_of(start, random_turns(rng, d)), pose_of(end, random_turns(rng, d))


def resting(rng: np.random.Generator, query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return poses with B lying on the upper face of A, tilted by up to 1 mrad."""
    d = query.dimension
    turns = random_turns(rng, d)
    up = np.eye(3)[d - 1]
    heights = [solid(shape, d).size[2] for shape in query.shapes]
    if d == 2:
        heights = [max(y for _, y in shape.vertices) for shape in query.shapes]
    depth = np.exp(rng.uniform(*np.log(SHALLOW), POSES))
    aside = rng.uniform(-0.2, 0.2, (POSES, 3)) * (np.arange(3) < d - 1)
    offset = aside + (sum(heights) - depth)[:, None] * up
    tilt = rng.uniform(-1e-3, 1e-3, (POSES, 3)) * ([0, 0, 1] if d == 2 else [1, 1, 0])
    own = Rotation.from_rotvec(tilt)
    if d == 3:
        own = Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, (POSES, 1)) * up) * own
    start = rng.uniform(-1, 1, (POSES, 3)) * (np.arange(3) < d)
    return pose_of(start, turns), pose_of(start + turns.apply(offset), turns * own)


def measured(query: Query, a: sc.Pose, b: sc.Pose) -> sc.Proximities:
    return sc.proximities(query.a, a, query.b, b, dimension=query.dimension)


def moved_to_depth(rng: np.random.Generator, query: Query, a: sc.Pose, b: sc.Pose) -> sc.Pose:
    """Return B moved along the normals to the depth of a shallow contact, approximately."""
    depth = np.exp(rng.uniform(*np.log(SHALLOW), POSES))
    near = measured(query, a, b)
    return sc.Pose(b.position - (near.distance + depth)[:, None] * near.normal, b.quaternion)


def poses(query: Query) -> tuple[sc.Pose, sc.Pose]:
    """Return POSES poses of a regime."""
    rng = np.random.default_rng(2)
    chosen: list[list[np.ndarray]] = [[], [], [], []]
    while sum(map(len, chosen[0])) < POSES:
        a, b = (resting if query.regime == 'resting' else in_reach)(rng, query)
        if query.regime == 'shallow':
            b = moved_to_depth(rng, query, a, b)
        phi = measured(query, a, b).distance
        low, high = {
            'apart': (0.0, np.inf),
            'deep': (-np.inf, -DEEP),
        }.get(query.regime, (-SHALLOW[1], -SHALLOW[0]))
        good = (phi >= low) & (phi <= high)
        arrays = [a.position, a.quaternion, b.position, b.quaternion]
        for parts, array in zip(chosen, arrays, strict=True):
            parts.append(array[good])
    arrays = [np.concatenate(parts)[:POSES] for parts in chosen]
    return sc.Pose(*arrays[:2]), sc.Pose(*arrays[2:])
