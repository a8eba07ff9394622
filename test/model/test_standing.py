"""Robots that stand on legs: what their joints carry, and that they are held."""

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.kernels.cache import only_stored
from symcontact_ros.model.standing import carried_inertias
from symcontact_ros.model.start_pose import StartPose

BODY, LEG, GRAVITY = 4.0, 0.2, 9.81
INERTIA = {'ixx': 0.02, 'iyy': 0.03, 'izz': 0.04}
FEET = {'fl': (0.2, 0.1), 'fr': (0.2, -0.1), 'rl': (-0.2, 0.1), 'rr': (-0.2, -0.1)}


def table(kind: str, height: float = 0.25, ground: bool = True) -> sc.Model:
    """Return a body on four legs 0.2 m long, which slide along z or turn about y."""
    model = sc.Model('table', dimension=3)
    model.add_material('default', friction=0.8, stiffness=1e10)
    if ground:
        plane = {'type': 'half_space', 'normal': [0, 0, 1], 'offset': 0.0}
        model.add_body('floor', fixed=True, shapes=[plane])
    place = {'position': [0, 0, height]}
    joint = {'type': 'free'}
    model.add_body('body', mass=BODY, inertia=INERTIA, joint=joint, initial=place)
    axis = [0, 0, 1] if kind == 'prismatic' else [0, 1, 0]
    ball = {'type': 'sphere', 'radius': 0.05, 'pose': {'position': [0, 0, -0.2]}}
    for name, (x, y) in FEET.items():
        joint = {'type': kind, 'parent': 'body', 'axis': axis, 'origin': {'xyz': [x, y, 0]}}
        joint |= {'name': f'{name}_joint', 'servo': 'auto'}
        inertia = dict.fromkeys(INERTIA, 0.001)
        model.add_body(name, mass=LEG, inertia=inertia, joint=joint, shapes=[ball])
    return model


def test_a_leg_that_slides_carries_a_quarter_of_the_rest():
    carried = carried_inertias(StartPose(table('prismatic')))
    assert carried == {f'{leg}_joint': pytest.approx((BODY + 3 * LEG) / 4) for leg in FEET}


def test_a_leg_that_turns_carries_the_rest_about_its_axis():
    carried = carried_inertias(StartPose(table('revolute')))
    # About the hip of fl: the body 0.2 m behind, fr beside it, both rear legs 0.4 m behind.
    rest = BODY * 0.2**2 + 0.03 + 1e-3 + 2 * (LEG * 0.4**2 + 1e-3)
    assert carried['fl_joint'] == pytest.approx(rest / 4)


def test_what_does_not_stand_carries_nothing():
    assert carried_inertias(StartPose(table('revolute', ground=False))) == {}
    assert carried_inertias(StartPose(table('revolute', height=1.0))) == {}


@pytest.mark.parametrize(('height', 'legs'), [(0.25, 4), (3.0, 0)])
def test_legs_stand_on_a_height_field_that_they_are_near(height, legs):
    model = table('prismatic', height, ground=False)
    field = {'type': 'height_field', 'heights': np.zeros((99, 99)).tolist(), 'size': [9, 9]}
    model.add_body('hills', fixed=True, shapes=[field])
    # The distance from so many triangles would first be compiled: nothing asks for it.
    with only_stored():
        assert len(carried_inertias(StartPose(model))) == legs


def test_gains_are_those_of_what_is_carried():
    sim = sc.Simulation(table('prismatic'))
    kp, kd = sim.servo_gains['fl_joint']
    inertia = (BODY + 3 * LEG) / 4
    assert (kp, kd) == (pytest.approx(inertia * 30**2), pytest.approx(inertia * 60))
    flying = sc.Simulation(table('prismatic', ground=False))
    assert flying.servo_gains['fl_joint'][0] == pytest.approx(LEG * 30**2)


def test_a_light_foot_bounds_the_gains():
    # Steps of 5 ms: omega = 30 rad/s, at most 32 / 0.15 times the inertia in the air.
    sim = sc.Simulation(table('revolute'), step_size=5e-3)
    inertia = sim.servo_gains['fl_joint'][0] / 30**2
    free = StartPose(sim.model).free_inertia_at('fl_joint')
    carried = carried_inertias(StartPose(sim.model))['fl_joint']
    assert inertia == pytest.approx(min(carried, 32 / 0.15 * free))


def test_it_stands_and_sinks_by_what_it_carries():
    sim = sc.Simulation(table('prismatic'))
    sim.step(1000)
    kp = sim.servo_gains['fl_joint'][0]
    # Compensation pushes against the weight of the leg alone, which hangs on the joint: the
    # servo holds a quarter of the body, and the leg that is held up no longer.
    sinking = (BODY * GRAVITY / 4 + LEG * GRAVITY) / kp
    np.testing.assert_allclose(sim.q[7:], sinking, rtol=1e-3)
    assert abs(sim.u).max() < 1e-6
