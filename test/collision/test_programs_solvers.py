"""Convex programs by other solvers: they find the optimum that the builtin one proves."""

from helpers.collision_cases import answered, BOUNDED, cases_of, name_of
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.collision.convex_programs import options as program_options
from symcontact_ros.collision.convex_programs.cones import growth_program
from symcontact_ros.collision.convex_programs.solvers import solve_with_ecos
from symcontact_ros.collision.detection import Detection
from symcontact_ros.shapes.table import core_of

every_bounded = pytest.mark.parametrize('pair', BOUNDED, ids=name_of)


def compare_solvers(pair, solver, program, count):
    """Check that a solver finds the optimum that the builtin one proves; return how many."""
    compared, alike, total = 0, 0, 0
    # Normals of round shapes are exact to the square root of a solver's tolerance, 1e-5, and with
    # them the metres that a growth factor is worth.
    allowed = 1e-5 if program == 'growth' else 1e-6
    for case in cases_of(pair, 400):
        index = np.flatnonzero(np.abs(case.result.distance) > 1e-5)[:count]
        part = case.at(index)
        one = part.by_programs(program=program, solver=solver)
        other = part.by_programs(program=program)
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
        result = case.by_programs(program='growth')
        own = np.flatnonzero(answered(result))[:3]
        detection = Detection(pair[0])
        for i in own:
            solids = [
                core_of(body.shape, pair[0]).convex_body(
                    detection.solid(detection.block(body.shape)),
                    *place(poses, i, pair[0]),
                    body.radius,
                )
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
        (2, 'rectangle', 'ellipse'),
        (3, 'box', 'ellipsoid'),
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
