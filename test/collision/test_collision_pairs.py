"""
Every pair of shapes at random poses: apart, touching within 1 um, deep, one inside the other.

Judged by certificates that need no other library, by brute force, and by coal.
"""

from helpers.collision_bodies import Body, ELLIPTIC, matrices, random_body, rotations, taken
from helpers.collision_cases import BOUNDED, Case, cases_of, name_of, PAIRS, random_case
from helpers.collision_oracles import (
    all_axes_distance,
    assert_within,
    best_found,
    check_certificate,
    coal_answers,
    planar_distance,
    prism_in,
)
import numpy as np
import pytest
from scipy.spatial import ConvexHull

import symcontact_ros as sc

COUNTS = [2000, pytest.param(10000, marks=pytest.mark.deep)]
every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)
every_count = pytest.mark.parametrize('count', COUNTS)


@every_count
@every_pair
def test_the_answer_proves_itself(pair, count):
    for case in cases_of(pair, count):
        for asked, result in case.both_orders:
            check_certificate(asked, result)


@every_count
@pytest.mark.parametrize('pair', BOUNDED, ids=name_of)
def test_no_direction_parts_bodies_better_than_the_normal(pair, count):
    rng = np.random.default_rng(1)
    for case in cases_of(pair, count):
        overlapping = np.flatnonzero(case.result.distance < 1e-6)[
            :: 1 if 'cylinder' in pair else 4
        ]
        part = case.at(overlapping)
        better = best_found(part, rng) - case.result.distance[overlapping]
        assert_within(better, part.depth_tolerance, part, part.result)


@every_count
@pytest.mark.parametrize(
    'pair', [p for p in BOUNDED if p[0] == 2 and not ELLIPTIC & {*p}], ids=name_of
)
def test_planar_distances_are_those_of_brute_force(pair, count):
    for case in cases_of(pair, count):
        expected = planar_distance(case.a, case.poses_a, case.b, case.poses_b)
        errors = np.abs(case.result.distance - expected)
        assert_within(errors, case.tolerance, case, case.result)


@every_count
@pytest.mark.parametrize('pair', [p for p in BOUNDED if p[0] == 3], ids=name_of)
def test_spatial_distances_are_those_of_coal_or_better(pair, count):
    pytest.importorskip('coal', reason='coal is not installed; `make test` brings it')
    curved = bool({'cylinder', 'ellipsoid'} & {*pair})
    for case in cases_of(pair, count):
        theirs, normals = coal_answers(case, coarse=curved)
        ours = case.result.distance
        better = case.separation(normals) - ours
        assert_within(better, case.depth_tolerance, case, case.result)
        disagree = np.abs(ours - theirs) > (5e-6 if curved else case.tolerance)
        # Coal is wrong at times: it then claims more than its own normal gives, or less than ours.
        proven = np.abs(case.separation(case.result.normal) - ours) <= case.tolerance
        assert_within((disagree & ~proven).astype(float), 0.5, case, case.result)
        if 'sphere' not in pair and not curved:
            assert disagree.mean() < 0.01
        if not curved:
            wrong_side = (np.sign(ours) != np.sign(theirs)) & (np.abs(theirs) > case.tolerance)
            assert_within(
                (wrong_side & (np.abs(ours) > case.tolerance)).astype(float),
                0.5,
                case,
                case.result,
            )


@pytest.mark.parametrize(
    'pair',
    [p for p in BOUNDED if p[0] == 3 and not {'sphere', 'cylinder', 'ellipsoid'} & {*p}],
    ids=name_of,
)
def test_depths_of_polytopes_are_the_least_of_all_axes(pair):
    if pair[1:] == ('capsule', 'capsule'):
        pytest.skip('the differences of two segments are flat')
    for case in cases_of(pair, 2000):
        core = case.result.distance + case.a.radius + case.b.radius
        part = case.at(np.flatnonzero(core < -1e-3)[:25])
        if len(part.band) == 0 or min(case.a.thickness, case.b.thickness) < 1e-2:
            continue
        expected = all_axes_distance(part)
        # Qhull merges faces that differ by some 1e-13.
        assert_within(np.abs(part.result.distance - expected), 1e-11, part, part.result)


@pytest.mark.parametrize(
    'pair', [p for p in BOUNDED if 'cylinder' in p and 'ellipsoid' not in p], ids=name_of
)
def test_depths_of_cylinders_are_not_above_those_of_prisms_within_them(pair):
    corners = 32
    for case in cases_of(pair, 2000):
        if 'sphere' in pair or min(case.a.thickness, case.b.thickness) < 1e-2:
            continue
        core = case.result.distance + case.a.radius + case.b.radius
        deep = np.flatnonzero(core < -1e-3)
        doubtful = deep[~case.result.proven[deep]]
        part = case.at(np.r_[doubtful[:5], deep[:5]])
        if len(part.band) == 0:
            continue
        inner = Case(prism_in(case.a, corners), prism_in(case.b, corners), part.poses_a,
                     part.poses_b, part.band)  # fmt: skip
        # A prism inside is farther away, by as much as its sides lie inside the cylinder.
        sagitta = sum(
            b.shape.radius * (1.0 - np.cos(np.pi / corners))
            for b in (case.a, case.b)
            if b.kind == 'cylinder'
        )
        above = all_axes_distance(inner) - part.result.distance
        assert_within(np.abs(above - 0.5 * sagitta), 0.5 * sagitta + 1e-9, part, part.result)


def signed_rectangle_circle(half, radius, centre):
    """The distance of a rectangle and a circle whose centre is given in its frame."""
    beyond = np.abs(centre) - half
    outside = np.hypot(*np.maximum(beyond, 0.0).T)
    return outside + np.minimum(beyond.max(axis=1), 0.0) - radius


@pytest.mark.timeout(600)  # 20 million: about a minute, several times that on a busy machine
@pytest.mark.parametrize('total', [200_000, pytest.param(20_000_000, marks=pytest.mark.deep)])
def test_rectangles_and_circles_are_as_far_apart_as_the_formula_says(total):
    rng = np.random.default_rng(2)
    chunk = 200_000
    for number in range(total // chunk):
        half, radius = rng.uniform(0.05, 1.0, 2), rng.uniform(0.02, 1.0)
        centre = rng.uniform(-1.5, 1.5, (chunk, 2)) * (half + radius)
        centre[: chunk // 8, 0] = 0.0  # on axes of symmetry, and where two sides are as near
        centre[chunk // 8 : chunk // 4] = np.abs(centre[chunk // 8 : chunk // 4, :1]) - half.max()
        turn = rotations(rng, chunk, 2)
        corner = np.c_[rng.uniform(-1.0, 1.0, (chunk, 2)), np.zeros(chunk)]
        place = corner + turn.apply(np.c_[centre, np.zeros(chunk)])
        a, b = Body(sc.Rectangle(half), 2), Body(sc.Circle(radius), 2)
        case = Case(a, b, sc.Pose(corner, turn.as_quat()), sc.Pose(place, turn.as_quat()),
                    np.zeros(chunk))  # fmt: skip
        result = case.reversed_result if number % 2 else case.result
        expected = signed_rectangle_circle(half, radius, centre)
        # some ten roundings of places up to 6 m, on both sides
        assert_within(np.abs(result.distance - expected), 1e-14, case, result)
        wrong = (np.sign(expected) != np.sign(result.distance)) & (np.abs(expected) > 1e-14)
        assert not wrong.any()


def fifteen_axes(a, poses_a, b, poses_b):
    """The largest separation of two boxes along face normals and cross products of edges."""
    turn_a, turn_b = matrices(poses_a), matrices(poses_b)
    best = np.full(len(turn_a), -np.inf)
    apart = poses_b.position - poses_a.position
    sides_a = turn_a * np.array(a.shape.half_extents)
    sides_b = turn_b * np.array(b.shape.half_extents)
    axes = [*np.moveaxis(turn_a, 2, 0), *np.moveaxis(turn_b, 2, 0)]
    axes += [np.cross(turn_a[:, :, i], turn_b[:, :, j]) for i in range(3) for j in range(3)]
    for axis in axes:
        length = np.linalg.norm(axis, axis=1)
        reach = np.abs(np.einsum('ni,nij->nj', axis, sides_a)).sum(axis=1)
        reach += np.abs(np.einsum('ni,nij->nj', axis, sides_b)).sum(axis=1)
        value = np.abs((axis * apart).sum(axis=1)) - reach
        usable = length > 1e-6  # parallel edges make no axis
        best = np.where(usable, np.maximum(best, value / np.maximum(length, 1e-6)), best)
    return best


@pytest.mark.timeout(900)  # 2 million: two minutes, several times that on a busy machine
@pytest.mark.parametrize('total', [40_000, pytest.param(2_000_000, marks=pytest.mark.deep)])
def test_boxes_overlap_as_deep_as_fifteen_axes_say(total):
    rng = np.random.default_rng(3)
    chunk = 20_000
    for _ in range(total // chunk):
        a, b = (random_body(rng, 'box', 3, s) for s in (1.0, rng.choice([0.2, 1.0])))
        case = random_case(rng, a, b, chunk)
        result = case.result
        check_certificate(case, result)
        expected = fifteen_axes(a, case.poses_a, b, case.poses_b)
        overlapping = expected < 0.0
        error = np.where(overlapping, np.abs(result.distance - expected), 0.0)
        # A cross product of length 1e-6 has ten digits left.
        assert_within(error, 1e-10, case, result)
        parted = ~overlapping & (result.distance < -1e-12)
        assert not parted.any()


@pytest.mark.parametrize('kinds', [('box', 'box'), ('convex_hull', 'convex_hull')])
def test_depths_are_those_of_fcl(kinds):
    fcl = pytest.importorskip('fcl')
    case = cases_of((3, *kinds), 2000)[0]

    def made(body):
        if body.kind == 'box':
            return fcl.Box(*(2.0 * np.array(body.shape.half_extents)))
        facets = ConvexHull(body.vertices)
        ordered = np.array(
            [
                f if np.dot(np.linalg.det(body.vertices[f] - body.centre), 1.0) > 0.0 else f[::-1]
                for f in facets.simplices
            ]
        )
        faces = np.c_[np.full(len(ordered), 3), ordered].ravel()
        return fcl.Convex(body.vertices, len(ordered), faces)

    geometries = made(case.a), made(case.b)
    overlapping = np.flatnonzero(case.result.distance < -1e-5)  # apart, fcl is not exact
    for i in overlapping[:60]:
        objects = [
            fcl.CollisionObject(g, fcl.Transform(matrices(taken(p, [i]))[0], p.position[i]))
            for g, p in zip(geometries, (case.poses_a, case.poses_b), strict=True)
        ]
        request = fcl.DistanceRequest(enable_signed_distance=True)
        theirs = fcl.distance(*objects, request, fcl.DistanceResult())
        assert theirs == pytest.approx(case.result.distance[i], abs=1e-9)  # its own tolerance
