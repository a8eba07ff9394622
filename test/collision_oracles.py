"""
Shapes, poses and judges for tests of collision detection, written apart from the package.

For any unit n, s(n) = n . (cB - cA) - hA(n) - hB(-n) bounds the signed distance of A and B from
below, where h is how far a body reaches along a direction. The distance is the largest s: apart,
points of the bodies bound it from above; in overlap, that no n has a larger s is searched for,
or compared with all axes that there are. All functions take arrays of n poses.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
import itertools

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import symcontact_ros as sc

PLANAR = ('circle', 'rectangle', 'polygon', 'capsule', 'half_space')
SPATIAL = ('sphere', 'box', 'capsule', 'cylinder', 'convex_hull', 'half_space')
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


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


class Body:
    """A shape as the judges see it: a core of vertices with a radius, a cylinder, a half-space."""

    def __init__(self, shape, dimension):
        self.shape, self.kind, self.dimension = shape, shape.kind, dimension
        self.radius = shape.radius if self.kind in ('circle', 'sphere', 'capsule') else 0.0
        self.vertices = _vertices(shape, dimension)
        self.centre = self.vertices.mean(axis=0) if len(self.vertices) else np.zeros(3)
        if self.kind == 'cylinder':
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
        if len(self.vertices) < 3:
            return self.radius or 1.0
        return np.linalg.svd(self.vertices - self.centre)[1][self.dimension - 1] / 2.0

    def extent(self, directions):
        """How far the body reaches along directions in its own frame."""
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
    """The corners of the core; none of cylinders and half-spaces."""
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


# Poses.


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


# Random shapes and cases.


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


# Judges.


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


def best_found(case, rng, rounds=10, starts=96, kept=4, around=16):
    """
    Return the largest s that a search finds: random directions and axes, then ever nearer ones.

    It never exceeds the distance, so it can only find faults.
    """
    dimension, count = case.a.dimension, len(case.band)
    normals = directions(rng, count * starts, dimension).reshape(count, starts, 3)
    for poses in (case.poses_a, case.poses_b):
        axes = matrices(poses)[:, :, :dimension].transpose(0, 2, 1)
        normals = np.concatenate([normals, axes, -axes], axis=1)
    values = case.separation(normals)
    spread = 0.3
    for _ in range(rounds):
        order = np.argsort(-values, axis=1)[:, :kept]
        best = np.take_along_axis(normals, order[:, :, None], axis=1)
        noise = spread * rng.normal(size=(count, kept, around, 3))
        noise[..., dimension:] = 0.0
        near = unit(best[:, :, None, :] + noise).reshape(count, kept * around, 3)
        normals = np.concatenate([best, near], axis=1)
        values = case.separation(normals)
        spread *= 0.35
    return values.max(axis=1)


def placed_vertices(body, poses):
    """World vertices (n, k, 3) of a core."""
    return np.einsum('nij,kj->nki', matrices(poses), body.vertices) + poses.position[:, None, :]


def planar_distance(a, poses_a, b, poses_b):
    """Signed distances in the plane by brute force: every side's axis, every vertex and side."""
    points_a, points_b = placed_vertices(a, poses_a), placed_vertices(b, poses_b)
    nearest = np.minimum(_to_sides(points_a, points_b), _to_sides(points_b, points_a))
    best = np.full(len(points_a), -np.inf)
    for body, poses, mine, others in (
        (a, poses_a, points_a, points_b),
        (b, poses_b, points_b, points_a),
    ):
        normals = np.einsum('nij,kj->nki', matrices(poses), body.planes[:, :3])
        for k in range(len(body.planes)):
            low = np.einsum('ni,nvi->nv', normals[:, k], others).min(axis=1)
            top = np.einsum('ni,nvi->nv', normals[:, k], mine).max(axis=1)
            best = np.maximum(best, low - top)
    if len(a.vertices) * len(b.vertices) <= 2:
        best = nearest  # points and segments have no inside
    return np.where(best > 0.0, nearest, best) - a.radius - b.radius


def _to_sides(points, corners):
    """Least distance of points (n, v, 2 or 3) to the closed line through corners (n, k, ...)."""
    nearest = np.full(len(points), np.inf)
    for k in range(corners.shape[1]):
        start, end = corners[:, k], corners[:, (k + 1) % corners.shape[1]]
        span = end - start
        square = np.maximum((span**2).sum(axis=1), 1e-300)
        for v in range(points.shape[1]):
            way = points[:, v] - start
            part = np.clip((way * span).sum(axis=1) / square, 0.0, 1.0)
            foot = way - part[:, None] * span
            nearest = np.minimum(nearest, np.linalg.norm(foot, axis=1))
    return nearest


def all_axes_distance(case):
    """Signed distance of polytopes (with radii) in overlap: the hull of all differences."""
    points_a = placed_vertices(case.a, case.poses_a)
    points_b = placed_vertices(case.b, case.poses_b)
    depths = []
    for mine, other in zip(points_a, points_b, strict=True):
        differences = (mine[:, None, :] - other[None, :, :]).reshape(-1, 3)
        depths.append(ConvexHull(differences).equations[:, 3].max())
    return np.array(depths) - case.a.radius - case.b.radius


def prism_in(body, corners):
    """A body with a prism inscribed in its cylinder; other bodies stay what they are."""
    if body.kind != 'cylinder':
        return body
    angles = 2.0 * np.pi * np.arange(corners) / corners
    ring = body.shape.radius * np.c_[np.cos(angles), np.sin(angles)]
    height = np.full(corners, body.shape.half_length)
    points = np.r_[np.c_[ring, height], np.c_[ring, -height]]
    return Body(sc.ConvexHull(points), 3)


def coal_answers(case, coarse):
    """Signed distances and normals of another library; coarse: with the tolerance of curves."""
    import coal

    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-6 if coarse else 1e-9
    result = coal.DistanceResult()
    turns = [matrices(case.poses_a), matrices(case.poses_b)]
    distances, normals = np.empty(len(case.band)), np.empty((len(case.band), 3))
    for i in range(len(case.band)):
        frame_a = coal.Transform3s(turns[0][i], case.poses_a.position[i])
        frame_b = coal.Transform3s(turns[1][i], case.poses_b.position[i])
        result.clear()
        distances[i] = coal.distance(case.a.coal, frame_a, case.b.coal, frame_b, request, result)
        normals[i] = result.normal
    lengths = np.linalg.norm(normals, axis=1)  # some are zero or not a number
    usable = np.abs(lengths - 1.0) < 0.1
    normals[usable] /= lengths[usable, None]
    return distances, np.where(usable[:, None], normals, [1.0, 0.0, 0.0])
