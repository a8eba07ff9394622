"""
Shapes and poses for tests of collision detection, written apart from the package.

A body knows how far it reaches along any direction, and which points are outside of it. All
functions take arrays of n poses.
"""

from functools import cached_property
import itertools

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import symcontact_ros as sc

PLANAR = ('circle', 'rectangle', 'polygon', 'capsule', 'ellipse', 'half_space')
SPATIAL = ('sphere', 'box', 'capsule', 'cylinder', 'convex_hull', 'ellipsoid', 'half_space')
ELLIPTIC = {'ellipse', 'ellipsoid'}


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


class Body:
    """
    A shape as the judges see it.

    A core of vertices with a radius, a cylinder, a half-space, or an ellipsoid; an ellipse is an
    ellipsoid without a thickness.
    """

    def __init__(self, shape, dimension):
        self.shape, self.kind, self.dimension = shape, shape.kind, dimension
        self.radius = shape.radius if self.kind in ('circle', 'sphere', 'capsule') else 0.0
        self.vertices = _vertices(shape, dimension)
        self.centre = self.vertices.mean(axis=0) if len(self.vertices) else np.zeros(3)
        self.radii = None
        if self.kind in ELLIPTIC:
            self.radii = np.array([*shape.radii, 0.0][:3])
            self.reach = self.radii.max()
        elif self.kind == 'cylinder':
            self.reach = np.hypot(shape.radius, shape.half_length)
        elif self.kind == 'half_space':
            self.reach = 1.0
        else:
            far = np.linalg.norm(self.vertices - self.centre, axis=1).max()
            self.reach = float(far + self.radius)

    @property
    def thickness(self):
        """About how thin the body is at its thinnest [m]."""
        if self.kind == 'cylinder':
            return min(self.shape.radius, self.shape.half_length)
        if self.kind in ELLIPTIC:
            return min(self.shape.radii)
        if len(self.vertices) < 3:
            return self.radius or 1.0
        return np.linalg.svd(self.vertices - self.centre)[1][self.dimension - 1] / 2.0

    def extent(self, directions):
        """How far the body reaches along directions in its own frame."""
        if self.kind in ELLIPTIC:
            return np.linalg.norm(directions * self.radii, axis=-1)
        if self.kind == 'cylinder':
            across = np.hypot(directions[..., 0], directions[..., 1])
            along = np.abs(directions[..., 2])
            return self.shape.radius * across + self.shape.half_length * along
        if self.kind == 'half_space':
            off = np.linalg.norm(directions - np.array(self.shape.normal), axis=-1)
            return np.where(off < 1e-9, self.shape.offset, np.inf)
        most = (directions @ self.vertices[0]).copy()
        for vertex in self.vertices[1:]:  # a loop: as fast, and without large arrays
            np.maximum(most, directions @ vertex, out=most)
        return most + self.radius * np.linalg.norm(directions, axis=-1)

    def outside(self, points):
        """Less than 0 inside, 0 on the boundary, more outside; near it about the distance."""
        shape = self.shape
        if self.kind in ELLIPTIC:
            axes = self.radii[: self.dimension]
            inside = points[..., : self.dimension] / axes
            slope = 2.0 * np.linalg.norm(inside / axes, axis=-1)
            return ((inside**2).sum(axis=-1) - 1.0) / np.maximum(slope, 1e-300)
        if self.kind == 'half_space':
            return points @ np.array(shape.normal) - shape.offset
        if self.kind == 'cylinder':
            across = np.hypot(points[..., 0], points[..., 1]) - shape.radius
            return np.maximum(across, np.abs(points[..., 2]) - shape.half_length)
        if self.kind in ('circle', 'sphere'):
            return np.linalg.norm(points, axis=-1) - shape.radius
        if self.kind == 'capsule':
            low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
            return np.linalg.norm(points - np.clip(points, low, high), axis=-1) - shape.radius
        return (points @ self.planes[:, :3].T + self.planes[:, 3]).max(axis=-1)

    @cached_property
    def planes(self):
        """Outward normals and offsets (added) of the sides of a polytope or a planar core."""
        if self.dimension == 3:
            return ConvexHull(self.vertices).equations
        if len(self.vertices) == 1:
            return np.zeros((0, 4))
        if len(self.vertices) == 2:  # sides, and ends
            normals = np.array([[0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]], float)
            return np.c_[normals, -(normals @ self.vertices.T).max(axis=1)]
        flat = ConvexHull(self.vertices[:, :2]).equations
        return np.c_[flat[:, :2], np.zeros(len(flat)), flat[:, 2]]

    @cached_property
    def coal(self):
        """The same shape of another library, which takes full lengths."""
        import coal

        shape = self.shape
        if self.kind == 'sphere':
            return coal.Sphere(shape.radius)
        if self.kind == 'ellipsoid':
            return coal.Ellipsoid(*shape.radii)
        if self.kind == 'box':
            return coal.Box(*(2.0 * np.array(shape.half_extents)))
        if self.kind == 'capsule':
            return coal.Capsule(shape.radius, 2.0 * shape.half_length)
        if self.kind == 'cylinder':
            return coal.Cylinder(shape.radius, 2.0 * shape.half_length)
        points = coal.StdVec_Vec3s()
        for vertex in self.vertices:
            points.append(vertex)
        return coal.Convex.convexHull(points, False, 'Qt')


def _vertices(shape, dimension):
    """The corners of the core; none of cylinders, ellipsoids and half-spaces."""
    axis = np.eye(3)[0 if dimension == 2 else 2]
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], float)
    cube = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    corners = {
        'circle': lambda: np.zeros((1, 3)),
        'sphere': lambda: np.zeros((1, 3)),
        'capsule': lambda: np.array([-shape.half_length * axis, shape.half_length * axis]),
        'rectangle': lambda: square * np.array([*shape.half_extents, 0.0]),
        'polygon': lambda: np.c_[np.array(shape.vertices), np.zeros(len(shape.vertices))],
        'box': lambda: cube * np.array(shape.half_extents),
        'convex_hull': lambda: np.array(shape.vertices),
    }
    return corners.get(shape.kind, lambda: np.zeros((0, 3)))()


def pose(position=(0.0, 0.0, 0.0), rotation=None):
    """One pose; the rotation is a vector of turns [rad], or in the plane a number."""
    turn = np.zeros(3) if rotation is None else np.asarray(rotation, float)
    if turn.ndim == 0:
        turn = np.array([0.0, 0.0, turn])
    place = np.zeros(3)
    place[: len(position)] = position
    return sc.Pose(place, Rotation.from_rotvec(turn).as_quat())


def rotations(rng, count, dimension):
    if dimension == 2:
        turns = np.zeros((count, 3))
        turns[:, 2] = rng.uniform(-np.pi, np.pi, count)
        return Rotation.from_rotvec(turns)
    return Rotation.random(count, random_state=rng)


def quarter_turns(rng, count, dimension):
    """Rotations by multiples of a right angle: parallel faces, edges and axes."""
    turns = np.zeros((3, count, 3))
    for k in range(3):
        turns[k, :, (0, 1, 2)[k]] = 0.5 * np.pi * rng.integers(0, 4, count)
    if dimension == 2:
        return Rotation.from_rotvec(turns[2])
    return (
        Rotation.from_rotvec(turns[0])
        * Rotation.from_rotvec(turns[1])
        * Rotation.from_rotvec(turns[2])
    )


def directions(rng, count, dimension):
    vectors = rng.normal(size=(count, 3))
    if dimension == 2:
        vectors[:, 2] = 0.0
    return unit(vectors)


def matrices(poses):
    return Rotation.from_quat(np.atleast_2d(poses.quaternion)).as_matrix()


def moved(poses, rotation, by):
    """The poses after a rigid motion of the world."""
    turned = rotation * Rotation.from_quat(poses.quaternion)
    return sc.Pose(rotation.apply(poses.position) + by, turned.as_quat())


def to_local(poses, points):
    return np.einsum('nji,nj->ni', matrices(poses), points - np.atleast_2d(poses.position))


def shifted(poses, by):
    return sc.Pose(poses.position + by, poses.quaternion)


def taken(poses, index):
    return sc.Pose(poses.position[index], poses.quaternion[index])


def random_body(rng, kind, dimension, scale=1.0, thin=False):
    """A body of about the scale; a thin one is 1000 times as long as thick."""
    size = scale * rng.uniform(0.15, 0.6, 3)
    if thin:
        size[0], size[1:] = 0.6e-3 * scale, scale * rng.uniform(0.3, 0.6, 2)
        if rng.uniform() < 0.5:
            size[1] = size[0]
        size = rng.permutation(size)
    if kind == 'half_space':
        normal = directions(rng, 1, dimension)[0]
        return Body(sc.HalfSpace(normal, rng.uniform(-1.0, 1.0)), dimension)
    makers = {
        'circle': lambda: sc.Circle(size[0]),
        'sphere': lambda: sc.Sphere(size[0]),
        'rectangle': lambda: sc.Rectangle(size[:2]),
        'box': lambda: sc.Box(size),
        'capsule': lambda: sc.Capsule(*size[:2]),
        'ellipse': lambda: sc.Ellipse(size[:2]),
        'ellipsoid': lambda: sc.Ellipsoid(size),
        'cylinder': lambda: sc.Cylinder(*size[:2]),
        'polygon': lambda: random_polygon(rng, size),
        'convex_hull': lambda: random_hull(rng, size),
    }
    return Body(makers[kind](), dimension)


def random_polygon(rng, size, far=1.0):
    """A polygon with its vertices on an ellipse, off its frame."""
    count = rng.integers(3, 10)
    angles = np.sort(2.0 * np.pi * (np.arange(count) + rng.uniform(0.0, 0.7, count)) / count)
    corners = np.c_[np.cos(angles), np.sin(angles)] * size[:2]
    return sc.Polygon((corners + far * rng.normal(size=2))[:: rng.choice([-1, 1])])


def random_hull(rng, size, far=1.0):
    """A tetrahedron, a prism (faces of many corners), or points on an ellipsoid: 8 to 40."""
    form = rng.integers(5)
    if form == 0:
        points = np.array([(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)], float)
    elif form == 1:
        angles = 2.0 * np.pi * np.arange(6) / 6
        ring = np.c_[np.cos(angles), np.sin(angles)]
        points = np.r_[np.c_[ring, np.ones(6)], np.c_[0.7 * ring, -np.ones(6)]]
    else:
        points = unit(rng.normal(size=(rng.integers(8, 41), 3)))
    return sc.ConvexHull(points * size + far * rng.normal(size=3))
