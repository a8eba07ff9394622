"""Convex programs from step to step: what is kept changes no answer, nor where a run goes."""

import itertools

from helpers.collision_cases import cases_of, name_of
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.batch_query import Placement, PlanarPlacement, SpatialPlacement
from symcontact_ros.collision.convex_programs import planar_programs, spatial_programs
from symcontact_ros.collision.convex_programs.program import Dimension, Program
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.proximity import frames
from symcontact_ros.collision.shape_pair import ANY, F, NO_PROGRAM, S, V, WarmStart
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import dtype_of, Record, Rows
from symcontact_ros.shapes.packing import solid_type
from symcontact_ros.shapes.records import Triple


class Answered(Record):
    """An answer of a program."""

    distance: float
    normal: Triple
    status: int


def both_starts(
    program: Program[S, F, V], dimension: Dimension[S, F, V],
    a: S, places_a: Rows[Placement[F]], b: S, places_b: Rows[Placement[F]],
    starts: Rows[WarmStart], work: Floats, out: Rows[Answered],
) -> None:  # fmt: skip
    """Solve a path of poses from nothing, and from what the pose before left."""
    for i in range(len(places_a)):
        frame_a, frame_b = places_a[i].frame, places_b[i].frame
        for number in range(2):
            warm = starts[number]
            if number == 0:
                warm.program = NO_PROGRAM
            distance, normal, _, _, status, kind, carriers = program.solve(
                a, frame_a, b, frame_b, ANY, warm, work
            )
            answer = out[2 * i + number]
            answer.distance = distance
            answer.normal = dimension.in_space(normal)
            answer.status = status
            dimension.remember(kind, carriers, warm, work)


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
def test_a_warm_start_changes_no_answer(pair, program):
    dimension = pair[0]
    module = planar_programs if dimension == 2 else spatial_programs
    side = [
        solid_type(dimension),
        Rows[PlanarPlacement if dimension == 2 else SpatialPlacement],
    ]
    statics = [static(module.PROGRAMS[program]), static(module.DIMENSION)]
    kernel = Kernel(both_starts, [*statics, *side, *side, Rows[WarmStart], Floats, Rows[Answered]])
    detection = Detection(dimension)
    rng = np.random.default_rng(11)
    for case in cases_of(pair, 400)[:8]:
        first = int(np.argmin(np.abs(case.result.distance)))  # touching: both sides of it
        count = 300
        poses_a = sc.Pose(*(np.repeat(x[None], count, axis=0) for x in one(case.poses_a, first)))
        poses_b = path(rng, *one(case.poses_b, first), count, dimension)
        out = np.zeros((count, 2), dtype_of(Answered))
        kernel(
            detection.block(case.a.shape),
            frames('A', case.a.shape, poses_a, dimension),
            detection.block(case.b.shape),
            frames('B', case.b.shape, poses_b, dimension),
            np.zeros(2, dtype_of(WarmStart)),
            np.zeros(20000),
            out,
        )
        cold, warm = out.T
        assert (cold['status'] == warm['status']).all()
        own = cold['status'] == 0
        apart = np.abs(cold['distance'] - warm['distance'])
        assert apart[own].max(initial=0.0) <= 1e-12
        # A hair from touching, directions of 1e-6 amplify roundings of 1e-16.
        clear = own & (np.abs(cold['distance']) > 1e-5)
        assert np.abs(cold['normal'] - warm['normal'])[clear].max(initial=0.0) <= 1e-9


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
    while not saving.parts.live.memory.image['warm_starts']['program'].any():
        saving.step(1)
    saved = saving.save_state()
    for co, is_kept in ((shrunk, True), ({}, False), ({'program': 'growth'}, False)):
        simulation = sc.Simulation(model, detector='co', co=co)
        simulation.restore_state(saved)
        assert simulation.parts.live.memory.image['warm_starts']['program'].any() == is_kept
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
    kept = simulation.parts.live.memory.image['warm_starts'][1:]
    for row, pair in zip(kept, itertools.combinations('abcd', 2), strict=True):
        carriers = row['count'] if row['program'] else 0
        most = [4 if body in 'cd' else 300 for body in pair]
        for name, vertices in zip('ab', most, strict=True):
            assert (row[f'vertices_{name}'][:carriers] < vertices).all(), pair
    assert kept[0]['program'] != NO_PROGRAM  # of a and b, which touch
    assert np.isfinite(simulation.q).all()
