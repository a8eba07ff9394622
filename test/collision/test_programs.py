"""Collision detection by convex programs: against the exact one, and with shrunk shapes."""

import itertools
import math

from helpers.collision_bodies import directions
from helpers.collision_cases import answered, BOUNDED, cases_of, name_of, PAIRS
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.detection import Detection, detection_of

FLAT = {'rectangle', 'polygon', 'box', 'cylinder', 'convex_hull', 'ellipse', 'ellipsoid'}
# The exact method stops at 1e-9 of the size where shapes are within 1 um of touching; everything
# else carries some ten roundings.
GJK = 3e-9
ROUNDING = 2e-13
every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)
every_bounded = pytest.mark.parametrize('pair', BOUNDED, ids=name_of)


@every_pair
def test_the_program_of_choice_is_exact_for_round_shapes_and_for_shapes_apart(pair):
    flat = {pair[1], pair[2]} <= FLAT
    own_answers = 0
    for case in cases_of(pair, 10000):
        result, exact = case.by_programs(), case.result
        own = answered(result)
        own_answers += own.sum()
        same = own & ((exact.distance > 0.0) | (not flat))
        assert np.abs(result.distance - exact.distance)[same].max(initial=0.0) <= GJK
        told = np.abs(exact.distance) > GJK
        assert (np.sign(result.distance) == np.sign(exact.distance))[told].all()
    assert own_answers >= 5000  # the rest is deep


@every_bounded
def test_growth_is_proven_and_never_above_the_exact_distance(pair):
    for case in cases_of(pair, 10000):
        result, exact = case.by_programs(program='growth'), case.result
        own = answered(result)
        assert (result.distance - exact.distance)[own].max() <= 1e-9
        told = own & (np.abs(exact.distance) > GJK)
        assert (np.sign(result.distance) == np.sign(exact.distance))[told].all()
        # Its distance is that along its normal, by an independent formula.
        along = case.separation(result.normal)
        assert np.abs(along - result.distance)[own].max() <= ROUNDING * 10.0
        gap = ((result.point_b - result.point_a) * result.normal).sum(axis=1)
        assert np.abs(gap - result.distance).max() <= ROUNDING
        assert np.abs(np.linalg.norm(result.normal, axis=1) - 1.0).max() <= ROUNDING


@every_bounded
def test_what_a_program_cannot_tell_the_exact_method_does_and_says_why(pair):
    for case in cases_of(pair, 2000):
        for program, reasons in (
            ('auto', {'core_inside', 'too_deep'}),
            ('growth', {'too_deep'}),
            ('min_distance', {'core_inside'}),
        ):
            result = case.by_programs(program=program)
            instead = ~answered(result)
            assert set(result.fallback) - {''} <= reasons
            assert (result.distance == case.result.distance)[instead].all()
            assert (result.normal == case.result.normal)[instead].all()


@pytest.mark.parametrize(
    ('a', 'b', 'dimension'),
    [
        (sc.Rectangle((0.5, 0.3)), sc.Rectangle((0.2, 0.4)), 2),
        (
            sc.Rectangle((0.5, 0.3)),
            sc.Polygon([(0.2, -0.3), (0.3, 0.0), (0.2, 0.3), (-0.2, 0.3), (-0.2, -0.3)]),
            2,
        ),
        (sc.Box((0.5, 0.4, 0.3)), sc.Box((0.2, 0.2, 0.3)), 3),
        (sc.Box((0.5, 0.4, 0.3)), sc.Cylinder(0.2, 0.3), 3),
        (
            sc.Box((0.5, 0.4, 0.3)),
            sc.ConvexHull(np.array([(x, y, 0.3 * z) for x in (-0.2, 0.2) for y in (-0.1, 0.1)
                                    for z in (-1, 1)])),
            3,
        ),
    ],
    ids=lambda value: getattr(value, 'kind', f'{value}D'),
)  # fmt: skip
def test_faces_at_rest_have_the_exact_depth_normal_and_contact_points(a, b, dimension):
    rng = np.random.default_rng(5)
    count = 2000
    # B stands on A, tilted by up to a degree, up to 2 mm deep, anywhere on it.
    tilt = np.radians(rng.uniform(-1.0, 1.0, (count, 3)))
    up = np.array([0.0, 1.0, 0.0] if dimension == 2 else [0.0, 0.0, 1.0])
    if dimension == 2:
        tilt[:, :2] = 0.0
    place = rng.uniform(-0.2, 0.2, (count, 3)) * (1.0 - up)
    place[:, 2] *= dimension == 3
    turns = Rotation.from_rotvec(tilt).as_quat()
    high = sc.Pose(place + 0.65 * up, turns)
    still = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    apart = sc.proximities(a, still, b, high, dimension=dimension).distance
    depth = rng.uniform(1e-5, 2e-3, count)
    low = sc.Pose(high.position - (apart + depth)[:, None] * up, turns)
    exact = sc.proximities(a, still, b, low, dimension=dimension)
    result = sc.proximities(a, still, b, low, detector='co', dimension=dimension)
    assert answered(result).all()
    assert (exact.distance < 0.0).all()
    assert np.abs(result.distance - exact.distance).max() <= 1e-9
    assert np.abs(result.normal - exact.normal).max() <= 1e-6
    assert (result.contact_count == exact.contact_count).all()
    assert np.abs(result.contact_rows - exact.contact_rows)[..., :5].max() <= 1e-9


def test_all_that_is_wrong_with_options_is_told_at_once():
    wrong = {'program': 'sat', 'solver': 'gurobi', 'margin': -1.0, 'tolerance': 1e-6}
    with pytest.raises(sc.OptionError) as error:
        detection_of(3, 'co', wrong)
    for word in (
        'co.program must be one of auto',
        'gurobi',
        'co.margin must be >= 0',
        'tolerance',
    ):
        assert word in str(error.value)


def test_half_spaces_need_no_program():
    detection = detection_of(2, 'co')
    for kinds, pair in detection.table.PAIRS.items():
        assert (detection.pair(pair) is pair) == ('half_space' in kinds)


@every_bounded
def test_a_shape_knows_the_ball_inside_it(pair):
    for case in cases_of(pair, 400):
        for body in (case.a, case.b):
            detection = Detection(pair[0])
            inner = detection.solid(detection.block(body.shape)).inner
            ways = directions(np.random.default_rng(0), 500, pair[0])
            reach = body.extent(ways) - ways @ body.centre
            assert 0.0 < inner <= reach.min() * (1.0 + 1e-12)


@pytest.mark.parametrize('solver', ['builtin', 'ecos'])
@pytest.mark.parametrize('star', [0.0, 0.1, 0.29])
def test_the_fictitious_circle_of_the_paper_gives_the_depth_until_it_touches(star, solver):
    if solver == 'ecos':
        pytest.importorskip('ecos')
    co = {'program': 'min_distance', 'core_radius': star, 'solver': solver}
    rectangle, circle = sc.Rectangle((0.5, 0.2)), sc.Circle(0.3)
    still = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    for height in (0.6, 0.49, 0.4, 0.25, 0.21):
        above = sc.Pose(np.array([0.1, height, 0.0]), still.quaternion)
        found = sc.proximity(rectangle, still, circle, above, detector='co', co=co)
        assert found.distance == pytest.approx(height - 0.5, abs=1e-8)
        # ECOS knows a normal to the square root of its tolerance.
        assert found.normal == pytest.approx([0.0, 1.0, 0.0], abs=2e-5)
        assert found.point_b == pytest.approx([0.1, height - 0.3, 0.0], abs=2e-5)
        assert found.fallback == ('' if height - 0.2 > star else 'core_inside')


@pytest.mark.parametrize('solver', ['builtin', 'ecos'])
@pytest.mark.parametrize(
    'shape',
    [
        sc.Rectangle((0.5, 0.3)),
        sc.Box((0.3, 0.5, 0.4)),
        sc.Cylinder(0.5, 0.3),
        sc.Polygon([(0.5, -0.3), (0.5, 0.3), (-0.5, 0.3), (-0.5, -0.3)]),
        sc.ConvexHull(np.array(list(itertools.product((-0.5, 0.5), (-0.4, 0.4), (-0.3, 0.3))))),
    ],
    ids=lambda shape: shape.kind,
)
def test_a_margin_rounds_the_corners_of_flat_shapes_and_nothing_else(shape, solver):
    if solver == 'ecos':
        pytest.importorskip('ecos')
    margin, radius = 0.02, 0.1
    dimension = 2 if shape.fits(2) else 3
    ball = sc.Circle(radius) if dimension == 2 else sc.Sphere(radius)
    co = {'program': 'min_distance', 'margin': margin, 'solver': solver}
    still = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    beside = sc.Pose(np.array([0.7, 0.0, 0.0]), still.quaternion)
    exact = sc.proximity(shape, still, ball, beside)
    found = sc.proximity(shape, still, ball, beside, detector='co', co=co)
    assert found.distance == pytest.approx(exact.distance, abs=1e-8)
    # Beyond a corner: the core is nearer to the middle by the margin along each axis.
    way = np.array([1.0, 1.0, 0.0 if dimension == 2 or shape.kind == 'cylinder' else 1.0])
    if shape.kind == 'cylinder':
        way = np.array([1.0, 0.0, 1.0])
    corner = sc.Pose(2.0 * way, still.quaternion)
    exact = sc.proximity(shape, still, ball, corner)
    found = sc.proximity(shape, still, ball, corner, detector='co', co=co)
    axes = way.sum()
    largest = margin * (math.sqrt(axes) - 1.0)  # along a diagonal
    assert 0.5 * largest < found.distance - exact.distance <= largest + 1e-9


def test_a_margin_or_core_that_does_not_fit_is_refused_with_the_shape():
    model = sc.load_model('rectangle_circle')
    for co, words in (
        ({'margin': 5.0}, 'co.margin must be below half the width'),
        ({'core_radius': 5.0}, 'co.core_radius must be below the radius'),
    ):
        with pytest.raises(sc.OptionError, match=words):
            sc.Simulation(model, detector='co', co={'program': 'min_distance', **co})


@pytest.mark.parametrize('co', [{}, {'program': 'growth'}, {'solver': 'ecos'}], ids=str)
def test_a_corner_on_the_round_end_of_a_capsule_keeps_its_contact_point(co):
    if co.get('solver') == 'ecos':
        pytest.importorskip('ecos')
    radius, half_length, depth = 0.1, 0.3, 1e-5
    beyond = 1e-3  # [rad]: nearly above the end of the side, whose edge then is as near as the end
    corner = [
        half_length + (radius - depth) * math.sin(beyond),
        (radius - depth) * math.cos(beyond),
        0.0,
    ]
    # The side of the square rises by 60 degrees to the right of the corner, by 30 to the left.
    turn = Rotation.from_rotvec([0.0, 0.0, math.pi / 3.0])
    pose = sc.Pose(corner + turn.apply([1.0, 1.0, 0.0]), turn.as_quat())
    here = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    shapes = sc.Capsule(radius, half_length), here, sc.Rectangle((1.0, 1.0)), pose
    near = sc.proximity(*shapes, detector='co', dimension=2, co=co)
    # growth is deeper than exact, by its normal: 1e-12 here
    assert near.distance == pytest.approx(-depth, abs=1e-11)
    assert near.manifold.depths == pytest.approx([depth], rel=1e-6)
