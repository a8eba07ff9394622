"""
The physics validation: closed forms of contact, friction, momentum and multibody motion.

The cases are in the folder `validation`; `make validation` writes what they reach to
docs/validation.md. Tolerances are 10 to 100 times what the classical Runge-Kutta method reaches
at 1 ms in an independent program, so that they catch faults and not rounding.
"""

import numpy as np
import pytest
from validation import (
    ball,
    DETECTION,
    floor,
    load_cases,
    metamorphic,
    model,
    momentum,
    normal_law,
    residual,
    simulation,
    up,
)
from validation.oracles import restitution

import symcontact_ros as sc

CASES = load_cases()
EXPECTED = [
    *(f'N{i}' for i in range(1, 11)),
    *(f'F{i}' for i in range(1, 8)),
    *(f'M{i}' for i in range(1, 18)),
    *(f'J{i}' for i in range(1, 8)),
]


def test_all_cases_of_the_reference_are_there():
    assert sorted(CASES) == sorted(EXPECTED)


@pytest.mark.parametrize('number', EXPECTED)
def test_a_case_reaches_what_its_formula_says(number):
    rows = CASES[number].rows
    assert rows
    bad = [str(row) for row in rows if not row.good]
    assert not bad, '\n'.join([f'{number}, {CASES[number].title}:', *bad])


@pytest.mark.parametrize('number', [n for n in EXPECTED if n[0] != 'J'])  # joints do not touch
def test_a_case_reaches_the_same_by_convex_programs(number, monkeypatch):
    monkeypatch.setitem(DETECTION, 'detector', 'co')
    bad = [str(row) for row in CASES[number].rows if not row.good]
    assert not bad, '\n'.join([f'{number}, {CASES[number].title}:', *bad])


@pytest.mark.parametrize(
    ('x', 'e'),
    [(0.01, 0.993377), (0.1, 0.937476), (0.5, 0.748435), (1.0, 0.593624), (10.0, 0.099982)],
)
def test_the_oracle_of_restitution_agrees_with_its_table(x, e):
    assert restitution(x) == pytest.approx(e, abs=1e-6)  # the table has six digits


@pytest.mark.deep
@pytest.mark.parametrize('dimension', [2, 3])
def test_restitution_holds_for_200_random_impacts(dimension):
    random = np.random.default_rng(2024)
    laws = [*normal_law.LAWS, {'normal': 'k * rho**2 * (1 - c * v_n)', 'tangent': '0'}]
    for i in range(200):
        found, expected = normal_law.random_bounce(random, dimension, laws[i % 4])
        assert found == pytest.approx(expected, abs=1e-5)  # as in case N5


@pytest.mark.deep
@pytest.mark.parametrize('dimension', [2, 3])
def test_momentum_is_kept_in_200_random_impacts(dimension):
    random = np.random.default_rng(7)
    for _ in range(200):
        masses, offset = random.uniform(0.3, 3.0, 2), random.uniform(-0.15, 0.15)
        made = momentum.two_balls(
            dimension, masses, offset, spin=random.normal(), friction=random.uniform(0.0, 1.0)
        )
        for integrator in momentum.INTEGRATORS:
            running = simulation(made, integrator)
            start = running.momentum()
            running.step(500)
            linear, angular = momentum.drift(running, start)
            assert linear < 1e-13
            assert angular < (1e-6 if integrator == 'rk4' else 1e-12)  # rk4: to its order


@pytest.mark.deep
@pytest.mark.parametrize('dimension', [2, 3])
def test_the_ledger_closes_at_order_4_in_20_random_scenes(dimension):
    for seed in range(20):
        random = np.random.default_rng([seed, dimension])
        scene = metamorphic.random_scene(random, dimension, floor=True)
        residuals = []
        for parts in (4, 8):
            running = simulation(metamorphic.simulated(scene).model, h=scene.h / parts)
            running.step(scene.steps * parts)
            residuals.append(residual(running))
        assert residuals[1] < 1e-6
        assert residuals[1] < 0.3 * residuals[0] or residuals[1] < 1e-12


# Other engines, where they are installed --------------------------------------------------------

MUJOCO_DOUBLE_PENDULUM = """
<mujoco><option gravity="0 -9.81 0" integrator="RK4"><flag contact="disable"/></option>
<worldbody><body><joint type="hinge" axis="0 0 1"/>
<inertial pos="0 -0.5 0" mass="1" diaginertia="0.0834 0.0834 0.08333333333333333"/>
<body pos="0 -1 0"><joint type="hinge" axis="0 0 1"/>
<inertial pos="0 -0.5 0" mass="1" diaginertia="0.0834 0.0834 0.08333333333333333"/>
</body></body></worldbody></mujoco>
"""
MUJOCO_CART_POLE = """
<mujoco><option gravity="0 -9.81 0" integrator="RK4"><flag contact="disable"/></option>
<worldbody><body><joint type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1e-3 1e-3 1e-3"/>
<body><joint type="hinge" axis="0 0 1"/>
<inertial pos="0 0.5 0" mass="0.1" diaginertia="0.0084 0.0084 0.008333333333333333"/>
</body></body></worldbody></mujoco>
"""


@pytest.mark.parametrize(
    ('name', 'text'),
    [('double_pendulum', MUJOCO_DOUBLE_PENDULUM), ('cart_pole', MUJOCO_CART_POLE)],
)
def test_accelerations_and_paths_are_those_of_mujoco(name, text):
    mujoco = pytest.importorskip('mujoco')
    peer = mujoco.MjModel.from_xml_string(text)
    peer.opt.timestep = 1e-3
    data = mujoco.MjData(peer)
    equations = sc.equations_of_motion(sc.load_model(name))
    random = np.random.default_rng(1)
    for _ in range(100):
        data.qpos[:], data.qvel[:] = random.normal(0.0, 1.5, (2, 2))
        data.qfrc_applied[:] = random.normal(0.0, 2.0, 2)
        mujoco.mj_forward(peer, data)
        found = equations.evaluate(data.qpos, data.qvel, effort=data.qfrc_applied.copy()).udot
        scale = max(1.0, np.abs(data.qacc).max())
        assert np.abs(found - data.qacc).max() < 1e-9 * scale  # two recursions in double
    mujoco.mj_resetData(peer, data)
    running = simulation(sc.load_model(name))
    running.set_state(q=[0.4, 0.3], u=[0.0, 0.0])
    data.qpos[:] = 0.4, 0.3
    for _ in range(2000):
        mujoco.mj_step(peer, data)
    running.step(2000)
    assert running.q == pytest.approx(data.qpos, abs=1e-7)  # the same method at the same step


def test_drake_bounces_with_the_same_restitution():
    pytest.importorskip('pydrake')
    damping, speed = 0.5, 1.0
    running = simulation(_thrown_down(damping, speed))
    running.step(300)
    ours = running.u[2] / speed
    assert ours == pytest.approx(restitution(damping * speed), abs=1e-6)
    # Drake's spring is linear, ours cubic: the restitution does not depend on it.
    assert _drake_bounce(damping, speed) == pytest.approx(ours, abs=1e-3)


def _thrown_down(damping, speed):
    start = ball(3, 0.5, 0.505 * up(3), velocity=-speed * up(3))
    return model(3, {'floor': floor(3), 'ball': start}, 0.0, {'damping': damping})


def _drake_bounce(damping, speed):
    """Return the restitution of a ball on a half-space in Drake's continuous plant."""
    from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
    from pydrake.multibody.tree import SpatialInertia
    from pydrake.systems.analysis import Simulator
    from pydrake.systems.framework import DiagramBuilder

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=0.0)
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, 0.0])
    material = ProximityProperties()
    AddContactMaterial(damping, 1e4, CoulombFriction(0.0, 0.0), material)
    body = plant.AddRigidBody('ball', SpatialInertia.SolidSphereWithMass(1.0, 0.5))
    for where, shape in ((plant.world_body(), HalfSpace()), (body, Sphere(0.5))):
        plant.RegisterCollisionGeometry(where, RigidTransform(), shape, where.name(), material)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    simulator.get_mutable_integrator().set_maximum_step_size(1e-4)
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetFreeBodyPose(context, body, RigidTransform([0.0, 0.0, 0.505]))
    plant.SetVelocities(context, [0.0, 0.0, 0.0, 0.0, 0.0, -speed])
    simulator.AdvanceTo(0.3)
    return plant.GetVelocities(context)[5] / speed
