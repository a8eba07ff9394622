"""Every shape of the table answers every part of the interface, and the answers agree."""

import itertools
import math
import re

from helpers.collision_bodies import Body, unit
from helpers.places import ROOT
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.kernels.kernel import available, Kernel
from symcontact_ros.kernels.memory import Floats, floats_of
from symcontact_ros.kernels.records import dtype_of, rows_of
from symcontact_ros.shapes import planar_dispatch, spatial_dispatch
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.cores import PlanarCore, SpatialCore
from symcontact_ros.shapes.drawing import CUBE, CYLINDER, SPHERE, TRIANGLES
from symcontact_ros.shapes.packing import packed, solid_of, solid_type
from symcontact_ros.shapes.records import LoopCorner, SpatialSolid
from symcontact_ros.shapes.table import core_of, KINDS, PLANAR_CORES, SHAPES, SPATIAL_CORES
from symcontact_ros.symbolic.contact.shape_features import FeatureMaker

PENTAGON = [(0.3, -0.1), (1.0, 0.2), (0.9, 1.1), (0.2, 1.3), (-0.2, 0.4)]
WEDGE = [(0, 0, 0), (2, 0, 0.1), (0, 1, 0), (0.1, 0, 1), (1, 1, 1), (0.4, 0.4, 0.4)]
EXAMPLES = {
    'circle': sc.Circle(0.3),
    'rectangle': sc.Rectangle((0.3, 0.7)),
    'polygon': sc.Polygon(PENTAGON),
    'sphere': sc.Sphere(0.3),
    'box': sc.Box((0.1, 0.2, 0.3)),
    'cylinder': sc.Cylinder(0.2, 0.5),
    'capsule': sc.Capsule(0.2, 0.5),
    'convex_hull': sc.ConvexHull(WEDGE),
    'half_space': sc.HalfSpace((3.0, 4.0, 0.0), 0.2),
    'ellipse': sc.Ellipse((0.5, 0.2)),
    'ellipsoid': sc.Ellipsoid((0.5, 0.2, 0.3)),
    'height_field': sc.HeightField([[0.0, 0.1], [0.2, 0.0]]),
    'mesh': sc.TriangleMesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]),
}
# Surfaces are not convex, and have their own tests.
CONVEX = [kind for kind in KINDS if KINDS[kind].is_convex]
CASES = [(kind, d) for kind in CONVEX for d in (2, 3) if KINDS[kind].fits(d)]
BOUNDED = [(kind, d) for kind, d in CASES if KINDS[kind].is_bounded]
SPATIAL = [kind for kind, d in BOUNDED if d == 3]
ROUNDING = 1e-12  # of sums of a few products of numbers of size 1

every_shape = pytest.mark.parametrize(('kind', 'dimension'), CASES)
bounded_shapes = pytest.mark.parametrize(('kind', 'dimension'), BOUNDED)
spatial_shapes = pytest.mark.parametrize('kind', SPATIAL)


def directions(dimension, count=60, seed=1):
    """Random unit directions, and both ways along every axis."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.standard_normal((count, dimension)))
    return np.concatenate([vectors, np.eye(dimension), -np.eye(dimension)]).tolist()


def dispatch(dimension):
    return planar_dispatch if dimension == 2 else spatial_dispatch


def in_space(vectors):
    """Vectors of the plane or of space as rows of three."""
    vectors = np.atleast_2d(np.array(vectors, float))
    return np.c_[vectors, np.zeros((len(vectors), 3 - vectors.shape[1]))]


def extent(shape, dimension, direction):
    """How far a shape reaches, by its kernels and its radius."""
    solid = solid_of(shape, dimension)
    point, _ = dispatch(dimension).support(solid, tuple(direction))
    return float(np.dot(point, direction)) + solid.radius


def random_frames(dimension, count=10, seed=2):
    """Frames as kernels have them, with the matrix and the origin of each."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        turn, _ = np.linalg.qr(rng.standard_normal((dimension, dimension)))
        turn *= np.sign(np.linalg.det(turn)) if dimension == 3 else 1.0
        if dimension == 2:
            angle = rng.uniform(-math.pi, math.pi)
            axis = (math.cos(angle), math.sin(angle))
            turn = np.array([[axis[0], -axis[1]], [axis[1], axis[0]]])
        origin = rng.uniform(-2.0, 2.0, dimension)
        place = tuple(origin.tolist())
        frame = (axis, place) if dimension == 2 else (*map(tuple, turn.T.tolist()), place)
        yield frame, turn, origin


# The table -------------------------------------------------------------------------------------


def test_every_shape_of_the_table_has_an_example_here_and_its_own_kind():
    assert len(KINDS) == len(SHAPES)
    assert EXAMPLES.keys() == KINDS.keys()
    for kind, shape in EXAMPLES.items():
        assert type(shape) is KINDS[kind]
        assert getattr(sc, type(shape).__name__) is type(shape)


def test_cores_are_numbered_by_the_table():
    assert len(set(PLANAR_CORES)) == len(PLANAR_CORES)
    assert len(set(SPATIAL_CORES)) == len(SPATIAL_CORES)
    for kind, dimension in CASES:
        cores = PLANAR_CORES if dimension == 2 else SPATIAL_CORES
        core = cores[solid_of(EXAMPLES[kind], dimension).core]
        assert core is core_of(EXAMPLES[kind], dimension)
        assert issubclass(core, PlanarCore if dimension == 2 else SpatialCore)


def test_the_page_for_contributors_names_the_files_of_a_shape():
    text = (ROOT / 'CONTRIBUTING.md').read_text()
    paragraph = next(p for p in text.split('\n\n') if p.startswith('To add a shape'))
    named = re.findall(r'`(\w+(?:/\w+)+\.py)`', paragraph)
    assert len(named) >= 4
    for path in named:
        assert (ROOT / 'symcontact_ros' / path).exists() or (ROOT / path).exists(), path


# Parameters ------------------------------------------------------------------------------------


@every_shape
def test_a_shape_is_read_as_it_is_written(kind, dimension):
    shape = EXAMPLES[kind]
    model = sc.Model(dimension=dimension)
    model.add_body('ground', joint={'type': 'fixed'}, shapes=[shape])
    (placed,) = model.body('ground').shapes
    assert placed.shape == shape


@every_shape
def test_numbers_that_make_no_shape_are_refused(kind, dimension):
    shape = EXAMPLES[kind]

    def without_numbers(value):
        return tuple(map(without_numbers, value)) if isinstance(value, tuple) else math.nan

    with pytest.raises(ValueError, match=r'must|needs|has'):
        type(shape)(*map(without_numbers, vars(shape).values()))


# Kernels ---------------------------------------------------------------------------------------


@bounded_shapes
def test_the_farthest_point_is_in_the_shape_and_no_point_is_farther(kind, dimension):
    shape, oracle = EXAMPLES[kind], Body(EXAMPLES[kind], dimension)
    solid = solid_of(shape, dimension)
    for direction in directions(dimension):
        point, _ = dispatch(dimension).support(solid, tuple(direction))
        boundary = in_space(np.array(point) + solid.radius * np.array(direction))
        wanted = float(oracle.extent(in_space(direction))[0])
        assert oracle.outside(boundary)[0] == pytest.approx(0.0, abs=ROUNDING)
        assert float((boundary @ in_space(direction).T).item()) == pytest.approx(wanted)


def write_farthest(solid: SpatialSolid, directions: Floats, out: Floats) -> None:
    """Write the farthest points along many directions: a kernel."""
    for i in range(len(directions) // 3):
        direction = (directions[3 * i], directions[3 * i + 1], directions[3 * i + 2])
        point, feature = spatial_dispatch.support(solid, direction)
        out[4 * i] = point[0]
        out[4 * i + 1] = point[1]
        out[4 * i + 2] = point[2]
        out[4 * i + 3] = float(feature)


@pytest.mark.skipif(not available(), reason='llvmlite is not installed')
def test_machine_code_chooses_the_same_core_as_plain_python():
    kernel = Kernel(write_farthest, [SpatialSolid, Floats, Floats])
    given = np.array(directions(3)).ravel()
    for kind in SPATIAL:
        block = packed(EXAMPLES[kind], 3)
        compiled, plain = np.zeros((2, len(given) // 3 * 4))
        kernel(block, given, compiled)
        write_farthest(solid_of(EXAMPLES[kind], 3), floats_of(given), floats_of(plain))
        assert compiled.tobytes() == plain.tobytes(), kind


@bounded_shapes
def test_a_vertex_is_found_by_its_number(kind, dimension):
    solid = solid_of(EXAMPLES[kind], dimension)
    for direction in directions(dimension):
        point, feature = dispatch(dimension).support(solid, tuple(direction))
        if feature >= 0:
            vertex = np.array(dispatch(dimension).vertex(solid, feature))
            start = np.zeros(2) if dimension == 2 else np.array(solid.centre)
            np.testing.assert_allclose(start + vertex, point, atol=ROUNDING)


@bounded_shapes
def test_bounds_are_how_far_a_core_reaches_along_the_axes_of_the_world(kind, dimension):
    solid = solid_of(EXAMPLES[kind], dimension)
    for frame, turn, origin in random_frames(dimension):
        low, high = dispatch(dimension).bounds(solid, frame)
        for axis in range(dimension):
            for way, bound in ((1.0, high[axis]), (-1.0, low[axis])):
                own = way * turn[axis]  # of the world's axis, in the frame of the shape
                point, _ = dispatch(dimension).support(solid, tuple(own.tolist()))
                reach = float(own @ point) + way * origin[axis]
                assert way * bound == pytest.approx(reach, abs=1e-8)  # sines of discs: roots


@bounded_shapes
def test_inner_and_outer_balls_around_the_centre_enclose_the_boundary(kind, dimension):
    shape = EXAMPLES[kind]
    solid = solid_of(shape, dimension)
    centre = np.array(solid.centre[:dimension])
    extents = [extent(shape, dimension, d) - centre @ d for d in directions(dimension)]
    assert solid.inner * (1.0 - ROUNDING) <= min(extents)
    assert max(extents) <= solid.reach * (1.0 + ROUNDING)


@spatial_shapes
def test_faces_are_where_the_core_ends_and_their_loops_lie_in_them(kind):
    solid = solid_of(EXAMPLES[kind], 3)
    loop = np.zeros(96, dtype_of(LoopCorner))
    frame = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    for face in range(spatial_dispatch.face_count(solid)):
        normal = spatial_dispatch.face_normal(solid, face)
        offset = spatial_dispatch.face_offset(solid, face)
        point, _ = spatial_dispatch.support(solid, normal)
        assert np.dot(point, normal) == pytest.approx(offset)
        count = spatial_dispatch.write_loop(
            solid, frame, face, (1.0, 0.0, 0.0), rows_of(LoopCorner, loop)
        )
        corners = loop['position'][:count]
        np.testing.assert_allclose(corners @ normal, offset, atol=1e-9)  # fitted planes of hulls
        assert (Body(EXAMPLES[kind], 3).outside(corners) < 1e-9).all()
        area = sum(
            np.cross(a - corners[0], b - corners[0]) for a, b in itertools.pairwise(corners)
        )
        assert area @ normal > 0.0  # counter-clockwise


@spatial_shapes
def test_the_distance_from_a_point_is_that_to_its_nearest_point(kind):
    solid, oracle = solid_of(EXAMPLES[kind], 3), Body(EXAMPLES[kind], 3)
    if not spatial_dispatch.has_point_gap(solid):
        return
    boundary = np.array([spatial_dispatch.support(solid, tuple(d))[0] for d in directions(3, 500)])
    for point in np.random.default_rng(3).uniform(-0.8, 0.8, (50, 3)):
        distance, normal, nearest = spatial_dispatch.point_gap(solid, tuple(point.tolist()))
        assert (distance < 0.0) == (oracle.outside(point) < 0.0)
        assert oracle.outside(np.array(nearest)) == pytest.approx(0.0, abs=ROUNDING)
        np.testing.assert_allclose(nearest + distance * np.array(normal), point, atol=ROUNDING)
        others = np.linalg.norm(boundary - point, axis=1).min()
        assert abs(distance) <= others + ROUNDING


@spatial_shapes
def test_a_core_is_a_linear_part_and_a_smooth_one(kind):
    """The value, slope and curvature of the smooth part are those of the farthest points."""
    solid = solid_of(EXAMPLES[kind], 3)
    centre, (frame, _, _) = np.array(solid.centre), next(random_frames(3))
    own = np.array(frame[:3])  # rows: axes of the shape

    def smooth(normal):
        point, feature = spatial_dispatch.support(solid, tuple((own @ normal).tolist()))
        point = point - centre
        linear = spatial_dispatch.linear_part(solid, tuple(point.tolist()), feature)
        moved = spatial_dispatch.moved(solid, tuple(point), tuple((own @ normal).tolist()))
        np.testing.assert_allclose(moved, point, atol=ROUNDING)
        return float((own @ normal) @ (point - linear))

    if not spatial_dispatch.is_curved(solid):
        assert spatial_dispatch.round_part(solid) == (0.0, 0.0, 0.0)
    for normal in np.array(directions(3, 10)):
        side = np.cross(normal, unit(np.array([0.3, 0.5, 0.7])))
        side /= np.linalg.norm(side)
        across = np.cross(normal, side)
        vectors = [tuple(v.tolist()) for v in (normal, side, across)]
        is_smooth, reach, gradient, curves = spatial_dispatch.bend(solid, frame, *vectors)
        radii = np.array(spatial_dispatch.round_part(solid))
        assert is_smooth
        assert reach == pytest.approx(smooth(normal), abs=ROUNDING)
        assert reach == pytest.approx(float(np.linalg.norm(radii * (own @ normal))), abs=ROUNDING)
        step = 1e-4  # differences are good to its square
        for way, curve in ((side, curves[0]), (across, curves[2])):
            ahead, behind = smooth(normal + step * way), smooth(normal - step * way)
            assert gradient @ way == pytest.approx((ahead - behind) / (2 * step), abs=1e-7)
            second = (ahead - 2.0 * reach + behind) / step**2
            assert curve == pytest.approx(second, abs=1e-6)


@bounded_shapes
def test_a_shrunk_shape_is_within_the_shape_by_its_radius(kind, dimension):
    shape = EXAMPLES[kind]
    if core_of(shape, dimension).is_rounded:
        return
    smaller, radius = shape.shrunk(0.01)
    for direction in directions(dimension):
        whole = extent(shape, dimension, direction)
        assert extent(smaller, dimension, direction) + radius <= whole + 1e-9  # as Qhull's corners


@bounded_shapes
def test_constraints_of_convex_programs_hold_where_the_shape_is(kind, dimension):
    shape, oracle = EXAMPLES[kind], Body(EXAMPLES[kind], dimension)
    solid = solid_of(shape, dimension)
    body = core_of(shape, dimension).convex_body(
        solid, np.eye(dimension), np.zeros(dimension), solid.radius
    )
    for direction in directions(dimension):
        reach = body.reach(np.array(direction)) + body.centre @ direction
        assert reach == pytest.approx(extent(shape, dimension, direction))
    points = np.random.default_rng(4).uniform(-1.0, 1.5, (400, dimension))
    for point in points:
        offset = point - body.centre
        amounts = [*(body.normals @ offset - body.widths)]
        if body.cone is not None:
            rows, bound = body.cone
            amounts.append(float(np.linalg.norm(rows @ offset)) - bound)
        if body.ball is not None:
            axis = np.zeros(dimension) if body.axis is None else body.axis
            along = np.clip(offset @ axis / max(axis @ axis, 1e-300), -1.0, 1.0)
            amounts.append(float(np.linalg.norm(offset - along * axis)) - body.ball)
        assert (max(amounts) <= 0.0) == (oracle.outside(in_space(point))[0] <= 0.0)


# Size, pictures, symbols -----------------------------------------------------------------------


@bounded_shapes
def test_measure_and_centroid_are_those_of_random_points(kind, dimension):
    """`test_mass_properties` has the exact integrals; this holds for any shape."""
    shape, oracle = EXAMPLES[kind], Body(EXAMPLES[kind], dimension)
    high = np.array([extent(shape, dimension, axis) for axis in np.eye(dimension)])
    low = -np.array([extent(shape, dimension, -axis) for axis in np.eye(dimension)])
    points = np.random.default_rng(5).uniform(low, high, (40_000, dimension))
    inside = in_space(points[oracle.outside(in_space(points)) < 0.0])
    found = shape.moments(dimension, {})
    share = len(inside) / len(points)
    scale = float(np.max(high - low))
    # Four standard deviations of means of as many points.
    assert share * np.prod(high - low) == pytest.approx(found.measure, rel=0.04)
    np.testing.assert_allclose(inside.mean(axis=0), found.centroid, atol=0.02 * scale)
    spread = np.cov(inside.T, bias=True)
    np.testing.assert_allclose(spread, np.array(found.spread), atol=0.01 * scale**2)
    assert 0.0 < shape.smallest_extent() <= scale * (1.0 + ROUNDING)


def test_a_shape_without_an_end_has_no_mass_and_no_thickness():
    shape = EXAMPLES['half_space']
    assert shape.smallest_extent() == math.inf
    with pytest.raises(ValueError, match='no end'):
        shape.moments(3, {})


def piece_extent(piece, direction):
    """How far a piece of a marker reaches."""
    own = np.array(piece.turn).T @ direction
    half = 0.5 * np.array(piece.scale)
    if piece.kind == TRIANGLES:
        return max(float(np.dot(corner, direction)) for corner in piece.corners)
    shift = float(np.dot(piece.shift, direction))
    if piece.kind == CUBE:
        return shift + float(np.abs(half * own).sum())
    if piece.kind == SPHERE:
        return shift + float(np.linalg.norm(half * own))
    assert piece.kind == CYLINDER
    return shift + float(np.linalg.norm((half * own)[:2])) + abs(half[2] * own[2])


@every_shape
def test_markers_show_the_shape(kind, dimension):
    shape = EXAMPLES[kind]
    pieces = shape.marker_pieces(dimension)
    for direction in directions(dimension):
        reach = max(piece_extent(piece, in_space(direction)[0]) for piece in pieces)
        if shape.is_bounded:
            assert reach == pytest.approx(extent(shape, dimension, direction))
    for piece in pieces:
        np.testing.assert_allclose(
            np.array(piece.turn) @ np.array(piece.turn).T, np.eye(3), atol=1e-12
        )
        assert np.linalg.det(piece.turn) == pytest.approx(1.0)
    if not shape.is_bounded:
        normal = np.array(shape.normal)
        assert piece_extent(pieces[0], normal) == pytest.approx(shape.offset)


@pytest.mark.parametrize('kind', [kind for kind, d in BOUNDED if d == 2])
def test_an_outline_is_the_boundary(kind):
    shape, oracle = EXAMPLES[kind], Body(EXAMPLES[kind], 2)
    outline = shape.outline()
    assert (oracle.outside(in_space(outline)) < 1e-9).all()
    for direction in directions(2):
        reach = (outline @ direction).max()
        wanted = extent(shape, 2, direction)
        assert wanted - 0.01 <= reach <= wanted + 1e-9  # a circle of 46 sides: 0.2 % of a radius


def test_the_outline_of_a_half_plane_is_below_its_surface():
    shape = EXAMPLES['half_space']
    heights = shape.outline() @ np.array(shape.normal[:2]) - shape.offset
    assert heights.max() == pytest.approx(0.0, abs=1e-9)
    assert heights.min() < -1e3


@every_shape
def test_symbolic_features_touch_the_boundary_and_nothing_beyond(kind, dimension):
    shape = EXAMPLES[kind]
    features = shape.features(FeatureMaker({}, {}), dimension)
    assert features
    assert len({feature.name for feature in features}) == len(features)
    if not shape.is_bounded:
        return
    for feature in features:
        point = np.array(feature.point, float)[:dimension]
        way = np.array(feature.direction, float)[:dimension]
        margin = float(feature.margin)
        if feature.form == 'plane':
            assert extent(shape, dimension, way) == pytest.approx(margin)
            continue
        for direction in np.array(directions(dimension, 20)):
            if feature.form == 'line':
                direction = direction - (direction @ way) * way
                if np.linalg.norm(direction) < 0.1:
                    continue
                direction /= np.linalg.norm(direction)
            reach = float(direction @ point) + margin
            if feature.form == 'rim':
                across = direction - (direction @ way) * way
                reach += float(feature.radius) * float(np.linalg.norm(across))
            for axis in feature.semi_axes[:1] and [np.array(feature.semi_axes, float)]:
                reach += float(np.linalg.norm(axis[:, :dimension] @ direction))
            assert reach <= extent(shape, dimension, direction) + 1e-9


@every_shape
def test_a_packed_shape_is_its_own_shrunk_one_and_has_no_other_numbers_after(kind, dimension):
    block = packed(EXAMPLES[kind], dimension)
    solid = solid_type(dimension).at(floats_of(block))
    assert len(solid.shrunk) == 1
    assert solid.shrunk[0].core == solid.core


def test_the_interface_says_what_a_shape_must_have():
    """What raises NotImplementedError in the base is there in every shape that is asked for it."""
    for shape in (KINDS[kind] for kind in CONVEX):
        for name in ('read', 'moments', 'pack', 'marker_pieces', 'features'):
            assert name in vars(shape), f'{shape.kind}.{name}'
        assert ('outline' in vars(shape)) == shape.fits(2), shape.kind
        assert issubclass(shape, Shape)
