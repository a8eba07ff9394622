"""
Judges for tests of collision detection, written apart from the package.

The signed distance is the largest separation over all directions. Apart, points of the bodies
bound it from above; in overlap, that no direction has a larger one is searched for, or compared
with all axes that there are.
"""

from helpers.collision_bodies import Body, directions, matrices, taken, to_local, unit
import numpy as np
from scipy.spatial import ConvexHull

import symcontact_ros as sc

# Normals are divided by their length, points put together from a few products: some ten
# roundings, of places up to 5 m.
ROUNDING = 1e-13


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


def best_of_angles(case):
    """Signed distances in the plane: the best of 3,000 angles, and golden sections around it."""

    def separation(angles):
        normals = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)
        return case.separation(normals)

    count = len(case.band)
    turns = [
        2.0 * np.arctan2(poses.quaternion[:, 2], poses.quaternion[:, 3])
        for poses in (case.poses_a, case.poses_b)
    ]
    # Flat ellipses have narrow peaks, next to the axes.
    fine = np.r_[0.0, np.geomspace(1e-6, 0.1, 40), -np.geomspace(1e-6, 0.1, 40)]
    near = [turn[:, None] + k * np.pi / 2.0 + fine for turn in turns for k in range(4)]
    even = np.broadcast_to(np.linspace(0.0, 2.0 * np.pi, 3000), (count, 3000))
    angles = np.sort(np.concatenate([even, *near], axis=1), axis=1)
    values = separation(angles)
    best = values.max(axis=1)
    for start in np.argsort(-values, axis=1)[:, :3].T:
        low = angles[np.arange(count), np.maximum(start - 1, 0)][:, None]
        high = angles[np.arange(count), np.minimum(start + 1, angles.shape[1] - 1)][:, None]
        for _ in range(60):
            first, second = low + 0.382 * (high - low), low + 0.618 * (high - low)
            rising = separation(first) < separation(second)
            low, high = np.where(rising, first, low), np.where(rising, high, second)
        best = np.maximum(best, separation(0.5 * (low + high))[:, 0])
    return best


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


def assert_within(errors, allowed, case, result):
    """Check that no error exceeds what is allowed; tell the worst one so that it can be asked."""
    excess = np.nan_to_num(np.asarray(errors), nan=np.inf) - allowed
    worst = int(np.argmax(excess))
    assert excess[worst] <= 0.0, (
        f'{(excess > 0.0).sum()} of {len(excess)} off, the worst by {errors[worst]:.3g}: '
        f'distance {result.distance[worst]!r} of {case.a.shape} at {taken(case.poses_a, worst)} '
        f'and {case.b.shape} at {taken(case.poses_b, worst)}'
    )


def check_certificate(case, result):
    """Check all that can be told of an answer without another one."""
    gap = result.point_b - result.point_a
    lengths = np.linalg.norm(result.normal, axis=1)
    assert_within(np.abs(lengths - 1.0), ROUNDING, case, result)
    along = (gap * result.normal).sum(axis=1)
    assert_within(np.abs(along - result.distance), ROUNDING, case, result)
    below = case.separation(result.normal)
    # Within 1 um of touching, the iterations have few digits left for the normal:
    # two of 2 million boxes exceeded 1e-9 of the size, by 1.7.
    near = np.where(np.abs(result.distance) < 1e-6, 3.0, 1.0)
    assert_within(np.abs(below - result.distance), near * case.tolerance, case, result)
    # Apart, points of both bodies prove the distance from above; in overlap they must be straight
    # across from each other too, or a force at their middle would turn the bodies.
    length = np.linalg.norm(gap, axis=1)
    # Hardly apart, what is left of their sideways distance (1e-8 once in 2 million) counts.
    aside = np.where(np.abs(result.distance) < 1e-6, 3e-8, 0.0)
    off = np.abs(length - np.abs(result.distance))
    assert_within(off, aside + case.tolerance, case, result)
    for body, poses, point in (
        (case.a, case.poses_a, result.point_a),
        (case.b, case.poses_b, result.point_b),
    ):
        off = np.abs(body.outside(to_local(poses, point)))
        assert_within(off, case.tolerance, case, result)
