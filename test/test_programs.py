"""Collision detection by convex programs: against the exact one, solver against solver."""

import itertools
import math

from collision_bodies import directions, taken
from collision_cases import BOUNDED, cases_of, name_of, PAIRS, separation
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision import layout
from symcontact_ros.collision.detection import Detection, detection_of
from symcontact_ros.collision.packing import packed
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.programs import options as program_options
from symcontact_ros.collision.programs import planar, spatial
from symcontact_ros.collision.programs.cones import growth_program, solid
from symcontact_ros.collision.programs.solvers import solve_with_ecos
from symcontact_ros.collision.query import frames
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.compiled.kernels import Kernel
from symcontact_ros.memory import bound, Memory, shift

FLAT = {'rectangle', 'polygon', 'box', 'cylinder', 'convex_hull'}
# The exact method stops at 1e-9 of the size where shapes are within 1 um of touching; everything
# else carries some ten roundings.
GJK = 3e-9
ROUNDING = 2e-13
every_pair = pytest.mark.parametrize('pair', PAIRS, ids=name_of)
every_bounded = pytest.mark.parametrize('pair', BOUNDED, ids=name_of)


def ask(case, **co):
    poses = case.a.shape, case.poses_a, case.b.shape, case.poses_b
    return sc.proximities(*poses, detector='co', dimension=case.a.dimension, co=co)


def answered(result):
    """Which answers are the program's own."""
    return np.array(result.fallback) == ''


# The builtin solver ------------------------------------------------------------------------------


@every_pair
def test_the_program_of_choice_is_exact_for_round_shapes_and_for_shapes_apart(pair):
    flat = {pair[1], pair[2]} <= FLAT
    own_answers = 0
    for case in cases_of(pair, 10000):
        result, exact = ask(case), case.result
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
        result, exact = ask(case, program='growth'), case.result
        own = answered(result)
        assert (result.distance - exact.distance)[own].max() <= 1e-9
        told = own & (np.abs(exact.distance) > GJK)
        assert (np.sign(result.distance) == np.sign(exact.distance))[told].all()
        # Its distance is that along its normal, by an independent formula.
        along = separation(case.a, case.poses_a, case.b, case.poses_b, result.normal)
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
            result = ask(case, program=program)
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


# Other solvers -----------------------------------------------------------------------------------


def compare_solvers(pair, solver, program, count):
    """Check that a solver finds the optimum that the builtin one proves; return how many."""
    compared, alike, total = 0, 0, 0
    # Normals of round shapes are exact to the square root of a solver's tolerance, 1e-5, and with
    # them the metres that a growth factor is worth.
    allowed = 1e-5 if program == 'growth' else 1e-6
    for case in cases_of(pair, 400):
        index = np.flatnonzero(np.abs(case.result.distance) > 1e-5)[:count]
        poses = case.a.shape, taken(case.poses_a, index), case.b.shape, taken(case.poses_b, index)
        settings = {'detector': 'co', 'dimension': pair[0]}
        one = sc.proximities(*poses, **settings, co={'program': program, 'solver': solver})
        other = sc.proximities(*poses, **settings, co={'program': program})
        own = answered(one) & answered(other)
        assert np.abs(one.distance - other.distance)[own].max(initial=0.0) <= allowed
        compared += own.sum()
        alike += (answered(one) == answered(other)).sum()
        total += len(index)
    assert alike >= 0.9 * total  # the others' solver gave up, or is at the limit of too deep
    return compared


@pytest.mark.parametrize('program', ['growth', 'min_distance'])
@every_bounded
def test_ecos_finds_the_optimum_of_the_builtin_solver(pair, program):
    pytest.importorskip('ecos')
    assert compare_solvers(pair, 'ecos', program, 8) >= 30


@every_bounded
def test_the_growth_factor_is_the_same_by_ecos(pair):
    pytest.importorskip('ecos')
    for case in cases_of(pair, 400):
        result = ask(case, program='growth')
        own = np.flatnonzero(answered(result))[:3]
        for i in own:
            solids = [
                solid(packed(body.shape, pair[0]), *place(poses, i, pair[0]), body.radius)
                for body, poses in ((case.a, case.poses_a), (case.b, case.poses_b))
            ]
            found = solve_with_ecos(growth_program(*solids)[0])
            if found is None:
                continue
            way = solids[1].centre - solids[0].centre
            ahead = result.normal[i][: pair[0]] @ way
            assert found.x[0] == pytest.approx(ahead / (ahead - result.distance[i]), rel=1e-6)


def place(poses, index, dimension):
    """Return axes as columns, and the origin."""
    turn = Rotation.from_quat(poses.quaternion[index]).as_matrix()
    return turn[:dimension, :dimension], poses.position[index][:dimension]


@pytest.mark.parametrize('program', ['growth', 'min_distance'])
@pytest.mark.parametrize(
    'pair',
    [
        (2, 'circle', 'rectangle'),
        (2, 'polygon', 'capsule'),
        (3, 'sphere', 'cylinder'),
        (3, 'box', 'capsule'),
        (3, 'cylinder', 'convex_hull'),
    ],
    ids=name_of,
)
def test_cvxpy_finds_the_optimum_of_the_builtin_solver(pair, program):
    pytest.importorskip('cvxpy')
    pytest.importorskip('ecos')
    assert compare_solvers(pair, 'cvxpy', program, 3) >= 8


@pytest.mark.parametrize('solver', ['ecos', 'cvxpy'])
def test_a_solver_that_is_not_installed_says_what_to_install(solver, monkeypatch):
    monkeypatch.setattr(program_options, 'find_spec', lambda name: None)
    with pytest.raises(sc.OptionError, match=r"ecos not installed: pip install 'symcontact_ros\["):
        sc.Simulation(sc.load_model('rectangle_circle'), detector='co', co={'solver': solver})


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


# Shrunk shapes -----------------------------------------------------------------------------------


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
    ('shape', 'support'),
    [
        (sc.Rectangle((0.5, 0.3)), 0.5 - 0.3),
        (sc.Box((0.3, 0.5, 0.4)), 0.3 - 0.4),
        (sc.Cylinder(0.5, 0.3), None),
        (sc.Polygon([(0.5, -0.3), (0.5, 0.3), (-0.5, 0.3), (-0.5, -0.3)]), None),
        (
            sc.ConvexHull(
                np.array(list(itertools.product((-0.5, 0.5), (-0.4, 0.4), (-0.3, 0.3))))
            ),
            None,
        ),
    ],
    ids=lambda value: getattr(value, 'kind', ''),
)
def test_a_margin_rounds_the_corners_of_flat_shapes_and_nothing_else(shape, support, solver):
    if solver == 'ecos':
        pytest.importorskip('ecos')
    margin, radius = 0.02, 0.1
    dimension = shape.dimensions[0]
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


# Warm starts -------------------------------------------------------------------------------------

RECORD = 8
solve = remember = frame_at = STRIDE = None  # stand for those of a dimension and a program


def both_starts(
    count: int, a: Memory, frames_a: Memory, b: Memory, frames_b: Memory, kept: Memory,
    work: Memory, out: Memory,
) -> None:  # fmt: skip
    """Solve a path of poses from nothing, and from what the pose before left."""
    for i in range(count):
        frame_a, frame_b = frame_at(frames_a, STRIDE * i), frame_at(frames_b, STRIDE * i)
        for warm in range(2):
            start = shift(kept, 4 * warm)
            if warm == 0:
                start[0] = 0.0
            distance, normal, _, _, note, rows = solve(a, frame_a, b, frame_b, 1e300, start, work)
            out[RECORD * i + 4 * warm] = distance
            out[RECORD * i + 4 * warm + 1] = normal[0]
            out[RECORD * i + 4 * warm + 2] = normal[1]
            out[RECORD * i + 4 * warm + 3] = note
            remember(rows, start, work)


@pytest.mark.parametrize('program', ['growth', 'min_distance', 'auto'])
@pytest.mark.parametrize(
    'pair',
    [
        (2, 'rectangle', 'rectangle'),
        (2, 'polygon', 'capsule'),
        (3, 'box', 'box'),
        (3, 'box', 'cylinder'),
        (3, 'capsule', 'convex_hull'),
        (3, 'convex_hull', 'convex_hull'),
    ],
    ids=name_of,
)
def test_what_is_kept_from_the_last_pose_changes_no_answer(pair, program):
    dimension = pair[0]
    module = planar if dimension == 2 else spatial
    vectors = planar_vectors if dimension == 2 else spatial_vectors
    function = bound(
        both_starts,
        solve=getattr(module, program),
        remember=module.remember,
        frame_at=vectors.frame_at,
        STRIDE=vectors.FRAME,
    )
    kernel = Kernel(function, ['int'] + ['memory'] * 7)
    detection = Detection(dimension)
    rng = np.random.default_rng(11)
    for case in cases_of(pair, 400)[:8]:
        first = int(np.argmin(np.abs(case.result.distance)))  # touching: both sides of it
        count = 300
        poses_a = sc.Pose(*(np.repeat(x[None], count, axis=0) for x in one(case.poses_a, first)))
        poses_b = path(rng, *one(case.poses_b, first), count, dimension)
        out = np.zeros(RECORD * count)
        kernel(
            count,
            detection.block(case.a.shape),
            frames('A', case.a.shape, poses_a, dimension),
            detection.block(case.b.shape),
            frames('B', case.b.shape, poses_b, dimension),
            np.zeros(8),
            np.zeros(20000),
            out,
        )
        cold, warm = out.reshape(count, 2, 4).transpose(1, 0, 2)
        assert (cold[:, 3] == warm[:, 3]).all()
        own = cold[:, 3] == 0.0
        assert np.abs(cold - warm)[own, 0].max(initial=0.0) <= 1e-12
        # A hair from touching, directions of 1e-6 amplify roundings of 1e-16.
        clear = own & (np.abs(cold[:, 0]) > 1e-5)
        assert np.abs(cold - warm)[clear].max(initial=0.0) <= 1e-9


def one(poses, index):
    return poses.position[index], poses.quaternion[index]


def path(rng, position, quaternion, count, dimension):
    """Steps of 1 ms at 0.5 m/s and 2 rad/s."""
    velocity, rate = rng.normal(size=3) * 5e-4, rng.normal(size=3) * 2e-3
    if dimension == 2:
        velocity[2] = rate[0] = rate[1] = 0.0
    steps = np.arange(count)[:, None]
    turns = Rotation.from_rotvec(steps * rate) * Rotation.from_quat(quaternion)
    return sc.Pose(position + steps * velocity, turns.as_quat())


# In a simulation ---------------------------------------------------------------------------------

SCENARIOS = [
    'bouncing_circle',
    'circle_circle',
    'rectangle_circle',
    'rectangle_rectangle',
    'sphere_cuboid',
]


@pytest.mark.parametrize('name', SCENARIOS)
def test_scenarios_go_the_same_way_with_either_detector(name):
    model = sc.load_model(name)
    runs = [sc.Simulation(model, detector=detector) for detector in ('sat', 'co')]
    for simulation in runs:
        simulation.step(2000)
        assert abs(simulation.energy().residual) <= 1e-5
    # Roundings of contact points are amplified by stiff contacts: 1e-12 is seen.
    assert runs[1].q == pytest.approx(runs[0].q, abs=1e-9)
    counters = runs[1].counters
    assert counters['fallbacks'] == sum(counters[f'fallbacks_{why}'] for why in
                                        ('not_optimal', 'core_inside', 'too_deep'))  # fmt: skip
    deep = name == 'rectangle_rectangle'
    assert (counters['fallbacks_too_deep'] > 0) == deep
    assert counters['fallbacks_not_optimal'] == counters['fallbacks_core_inside'] == 0


@pytest.mark.parametrize('solver', ['ecos', 'cvxpy'])
def test_other_solvers_run_the_same_step(solver):
    pytest.importorskip(solver)
    model = sc.load_model('rectangle_circle')
    start = sc.Simulation(model)
    while not start.contacts():
        start.step(1)
    runs = [
        sc.Simulation(model, detector='co', co={'solver': name}, max_substeps=1)
        for name in ('builtin', solver)
    ]
    for simulation in runs:
        simulation.set_state(start.q, start.u)
        simulation.step(4)
        assert simulation.contacts()
    # Depths of 1e-9, by a stiff law, over 4 ms.
    assert runs[1].q == pytest.approx(runs[0].q, abs=1e-9)
    assert runs[1].u == pytest.approx(runs[0].u, abs=1e-5)


def test_the_detector_can_be_changed_while_it_runs_and_is_saved():
    simulation = sc.Simulation(sc.load_model('sphere_cuboid'))
    simulation.step(100)
    simulation.configure(detector='co', co={'program': 'growth'})
    simulation.step(200)
    saved, own = simulation.save_state(), simulation.co
    simulation.step(300)
    ahead = simulation.state_hash()
    again = sc.Simulation(simulation.model, detector='co', co=own)
    again.restore_state(saved)
    again.step(300)
    assert again.state_hash() == ahead
    with pytest.raises(sc.OptionError):
        simulation.configure(co={'program': 'shrink'})


def test_a_state_of_another_program_keeps_nothing_of_its_shapes():
    model = sc.Model('hulls', dimension=3, gravity=[0.0, 0.0, 0.0])
    points = np.random.default_rng(1).normal(size=(40, 3)).tolist()
    for name, place in (('a', 0.0), ('b', 6.0)):
        shape = {'type': 'convex_hull', 'vertices': points}
        start = {'position': [place, 0.0, 0.0], 'velocity': [-place, 0.0, 0.0]}
        model.add_body(name, mass=1.0, shapes=[shape], joint={'type': 'free'}, initial=start)
    shrunk = {'program': 'min_distance', 'margin': 0.1}
    saving = sc.Simulation(model, detector='co', co=shrunk)
    while not saving._tables.arrays['kept'].any():
        saving.step(1)
    saved = saving.save_state()
    for co, is_kept in ((shrunk, True), ({}, False), ({'program': 'growth'}, False)):
        simulation = sc.Simulation(model, detector='co', co=co)
        simulation.restore_state(saved)
        assert simulation._tables.arrays['kept'].any() == is_kept
        simulation.step(5)
        assert np.isfinite(simulation.q).all()


def test_a_change_that_does_not_fit_the_shapes_leaves_all_as_it_was():
    simulation = sc.Simulation(sc.load_model('rectangle_circle'), detector='co')
    same = sc.Simulation(simulation.model, detector='co')
    with pytest.raises(sc.OptionError, match='margin'):
        simulation.configure(co={'program': 'min_distance', 'margin': 9.0})
    assert simulation.co == {}
    for each in (simulation, same):
        each.step(600)
    assert simulation.state_hash() == same.state_hash()


def test_half_spaces_need_no_program():
    detection = detection_of(2, 'co')
    for kinds, pair in detection.table.PAIRS.items():
        assert (detection.pair(pair) is pair) == ('half_space' in kinds)


@every_bounded
def test_a_shape_knows_the_ball_inside_it(pair):
    for case in cases_of(pair, 400):
        for body in (case.a, case.b):
            inner = Detection(pair[0]).block(body.shape)[layout.INNER]
            ways = directions(np.random.default_rng(0), 500, pair[0])
            reach = body.extent(ways) - ways @ body.centre
            assert 0.0 < inner <= reach.min() * (1.0 + 1e-12)


def test_concentric_shapes_keep_nothing_of_other_pairs():
    rng = np.random.default_rng(0)
    model = sc.Model('hulls', dimension=3, gravity=[0.0, 0.0, 0.0])
    points = rng.normal(size=(300, 3))
    large = (points / np.linalg.norm(points, axis=1)[:, None]).tolist()
    small = [[0.1, 0.1, 0.1], [-0.1, -0.1, 0.1], [-0.1, 0.1, -0.1], [0.1, -0.1, -0.1]]
    for name, vertices, place in (
        ('a', large, 0.0),
        ('b', large, 1.99),
        ('c', small, 9.0),
        ('d', small, 9.0),  # one and the same place
    ):
        shape = {'type': 'convex_hull', 'vertices': vertices}
        model.add_body(
            name, mass=1.0, shapes=[shape], joint={'type': 'free'},
            initial={'position': [place, 0.0, 0.0]},
        )  # fmt: skip
    simulation = sc.Simulation(model, detector='co', max_substeps=1)
    simulation.step(1)
    kept = simulation._tables.arrays['kept'].reshape(-1, 4)[1:]
    for row, pair in zip(kept, itertools.combinations('abcd', 2), strict=True):
        numbers = [divmod(int(code), spatial.VERTICES) for code in row[1:]] if row[0] else []
        most = [4 if body in 'cd' else 300 for body in pair]
        assert all(a < most[0] and b < most[1] for a, b in numbers), pair
    assert kept[0, 0] != 0.0  # of a and b, which touch
    assert np.isfinite(simulation.q).all()


@pytest.mark.parametrize('solver', ['builtin', 'ecos', 'cvxpy'])
def test_normals_of_shapes_that_nearly_touch_prove_their_distance(solver):
    if solver != 'builtin':
        pytest.importorskip(solver)
    box = sc.Box((0.5, 0.5, 0.5))
    still = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    for gap in (1e-3, 1e-5, 1e-6):
        beside = sc.Pose(np.array([1.0 + gap, 0.1, 0.2]), still.quaternion)
        co = {'program': 'min_distance', 'solver': solver}
        found = sc.proximity(box, still, box, beside, detector='co', co=co)
        assert found.distance == pytest.approx(gap, abs=1e-9)
        assert found.normal == pytest.approx([1.0, 0.0, 0.0], abs=1e-8)
