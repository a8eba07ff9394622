"""Distance and contact queries of coal and fcl, called from Python."""

from collections.abc import Callable, Iterable
from typing import Any

from measuring import seconds_per_call
import numpy as np
from scipy.spatial.transform import Rotation

from collision_study.queries import POSES, Query
import symcontact_ros as sc


def places(pose: sc.Pose) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """Return rotation and position of every pose."""
    return zip(Rotation.from_quat(pose.quaternion).as_matrix(), pose.position, strict=True)


def coal_shape(shape: Any) -> Any:
    """Return the same shape in coal, which uses full lengths."""
    import coal

    if shape.kind == 'convex_hull':
        points = coal.StdVec_Vec3s()
        points.extend([np.array(vertex) for vertex in shape.vertices])
        return coal.Convex.convexHull(points, False, 'Qt')
    if shape.kind == 'half_space':
        return coal.Halfspace(np.array(shape.normal), shape.offset)
    makers: dict[str, Callable[[], Any]] = {
        'sphere': lambda: coal.Sphere(shape.radius),
        'box': lambda: coal.Box(*(2 * x for x in shape.half_extents)),
        'cylinder': lambda: coal.Cylinder(shape.radius, 2 * shape.half_length),
        'capsule': lambda: coal.Capsule(shape.radius, 2 * shape.half_length),
    }
    return makers[shape.kind]()


def with_coal(query: Query, a: sc.Pose, b: sc.Pose) -> dict[str, Callable[[], float]]:
    """Return the queries of coal, each as a function over all poses."""
    import coal

    shapes = coal_shape(query.a), coal_shape(query.b)
    placed = [[coal.Transform3s(turn, place) for turn, place in places(p)] for p in (a, b)]
    collision, patches = coal.CollisionRequest(), coal.ContactPatchRequest()
    collision.enable_contact = True
    found, patch = coal.CollisionResult(), coal.ContactPatchResult()
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    distances = np.zeros(POSES)

    def collide() -> None:
        for place_a, place_b in zip(*placed, strict=True):
            found.clear()
            if coal.collide(shapes[0], place_a, shapes[1], place_b, collision, found):
                patch.clear()
                coal.computeContactPatch(
                    shapes[0], place_a, shapes[1], place_b, found, patches, patch
                )

    def distance() -> np.ndarray:
        for i, (place_a, place_b) in enumerate(zip(*placed, strict=True)):
            result.clear()
            distances[i] = coal.distance(shapes[0], place_a, shapes[1], place_b, request, result)
        return distances

    return {'coal collide + patch': collide, 'coal distance': distance}


def fcl_shape(shape: Any) -> Any:
    """Return the same shape in fcl, which uses full lengths."""
    import fcl

    if shape.kind == 'convex_hull':
        from symcontact_ros.shapes.convexity import hull_facets

        points = np.array(shape.vertices, float).reshape(-1, 3)
        faces = hull_facets(tuple(map(tuple, points.tolist())))
        flat = np.array([(3, *face) for face in faces]).ravel()
        return fcl.Convex(points, len(faces), flat)
    if shape.kind == 'sphere':
        return fcl.Sphere(shape.radius)
    if shape.kind == 'box':
        return fcl.Box(*(2 * x for x in shape.half_extents))
    return fcl.Cylinder(shape.radius, 2 * shape.half_length)


def with_fcl(query: Query, a: sc.Pose, b: sc.Pose) -> dict[str, Callable[[], Any]]:
    """Return the queries of fcl, each as a function over all poses."""
    import fcl

    shapes = fcl_shape(query.a), fcl_shape(query.b)
    placed = [
        [fcl.CollisionObject(shape, fcl.Transform(turn, place)) for turn, place in places(p)]
        for shape, p in zip(shapes, (a, b), strict=True)
    ]
    collision = fcl.CollisionRequest(num_max_contacts=4, enable_contact=True)
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    distances = np.zeros(POSES)

    def collide() -> None:
        for one, other in zip(*placed, strict=True):
            fcl.collide(one, other, collision, fcl.CollisionResult())

    def distance() -> np.ndarray:
        for i, (one, other) in enumerate(zip(*placed, strict=True)):
            distances[i] = fcl.distance(one, other, request, fcl.DistanceResult())
        return distances

    return {'fcl collide': collide, 'fcl distance': distance}


LIBRARIES: dict[str, Callable[..., dict[str, Callable[[], Any]]]] = {
    'coal': with_coal,
    'python-fcl': with_fcl,
}
THEIRS = ('coal collide + patch', 'coal distance', 'fcl collide', 'fcl distance')


def theirs(query: Query, at: tuple[sc.Pose, sc.Pose], libraries: list[str]) -> dict[str, Any]:
    """Return the queries of all other libraries, for spatial pairs."""
    found: dict[str, Any] = {}
    for library in libraries if query.dimension == 3 else ():
        found.update(LIBRARIES[library](query, *at))
    return found


def timed(run: Callable[[], Any], repeats: int) -> list[float]:
    """Return the times per query of a function over all poses [us]."""

    def often(rounds: int) -> None:
        for _ in range(rounds):
            run()

    return [1e6 * seconds / POSES for seconds in seconds_per_call(often, repeats)]
