"""Convex programs from step to step: what is kept changes no answer, nor where a run goes."""

import itertools

from helpers.collision_cases import cases_of, name_of
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.programs import planar, spatial
from symcontact_ros.collision.query import frames
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.transitional import bound, Memory, shift

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
    assert all(isinstance(n, int) for key, n in counters.items() if key != 'largest_need')
    deep = name == 'rectangle_rectangle'
    assert (counters['fallbacks_too_deep'] > 0) == deep
    assert counters['fallbacks_not_optimal'] == counters['fallbacks_core_inside'] == 0


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
