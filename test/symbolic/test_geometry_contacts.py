"""Jacobians of the contacts that a simulation tells, against motion and forces."""

import copy
import dataclasses
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import symcontact_ros as sc

# An arm whose two links lean on a box on the floor: joints, a free body and fixed ground.
LEANING = """\
dimension: 3
parameters: {R: 0.1}
materials: {default: {stiffness: 1.0e5, damping: 0.2, friction: 0.5, slip_speed: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  post: {fixed: true, joint: {type: fixed, origin: {xyz: [-0.8, 0, 0.49]}}}
  upper:
    mass: 1
    joint: {type: revolute, parent: post, axis: [0, 1, 0]}
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}
    com: [0.2, 0, 0]
  lower:
    mass: 0.5
    joint: {type: spherical, parent: upper, origin: {xyz: [0.4, 0, 0]}}
    shapes: [{type: sphere, radius: R, pose: {position: [0.4, 0, 0]}}]
    initial: {angular_velocity: [0.3, 0.2, 0.1]}
  crate:
    mass: 2
    shapes: [{type: box, half_extents: [0.2, 0.3, 0.2]}]
    initial: {position: [0, 0, 0.195], rpy: [0.01, 0.02, 0.03], velocity: [0.2, 0.1, -0.3],
              angular_velocity: [0.1, -0.2, 0.3]}
"""
MODELS = ['bouncing_circle', 'rectangle_rectangle', 'sphere_cuboid', 'leaning']


@pytest.fixture(params=MODELS)
def sim(request, write_model):
    """Return a simulation that has just come to some depth of contact."""
    name = request.param
    model = sc.load_model(write_model(LEANING) if name == 'leaning' else name)
    sim = sc.Simulation(model)
    while not sim.contacts():
        sim.step()
    sim.step(3)
    if name == 'leaning':
        touching = {(contact.body_a, contact.body_b) for contact in sim.contacts()}
        assert touching == {('crate', 'floor'), ('crate', 'lower')}
    return sim


def pose_after(sim, duration):
    """Return poses after moving on straight with the speeds of now; the state is as before."""
    q, u = sim.q, sim.u
    rate = sc.equations_of_motion(sim.model).evaluate(q, u).qdot
    sim.set_state(q=q + duration * rate)
    poses = sim.poses()
    sim.set_state(q=q, u=u)
    return poses


def matrix(pose):
    x, y, z, w = pose.quaternion
    turn = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2.0 * w * turn + 2.0 * turn @ turn


def test_the_relative_velocity_is_that_of_the_twists(sim):
    twists, coms = sim.twists(), sim.snapshot().coms
    contacts = sim.contacts()
    assert contacts
    for contact in contacts:
        a, b = (
            twists[body].linear + np.cross(twists[body].angular, contact.point - coms[body])
            for body in (contact.body_a, contact.body_b)
        )
        told = contact.velocity_jacobian @ sim.u
        assert told == pytest.approx(b - a, abs=1e-12)  # rounding of speeds of size 1
        assert contact.jacobian @ sim.u == pytest.approx(contact.normal @ (b - a), abs=1e-12)


def test_the_relative_velocity_is_how_the_bodies_move_at_the_point(sim):
    step = 1e-6
    here, ends = sim.poses(), [pose_after(sim, sign * step) for sign in (1.0, -1.0)]
    for contact in sim.contacts():
        velocity = {}
        for body in (contact.body_a, contact.body_b):
            own = matrix(here[body]).T @ (contact.point - here[body].position)
            after, before = (matrix(end[body]) @ own + end[body].position for end in ends)
            velocity[body] = (after - before) / (2.0 * step)
        expected = velocity[contact.body_b] - velocity[contact.body_a]
        # Central differences over 2e-6 of positions of size 1: rounding 1e-16 / 1e-6.
        assert contact.velocity_jacobian @ sim.u == pytest.approx(expected, abs=1e-8)


def test_generalised_contact_forces_are_what_the_equations_feel(sim):
    model = sim.model
    wrenches = {}
    for body in model.body_names:
        wrench = sim.contact_wrench(body)
        wrenches[body] = (wrench.force, wrench.torque)
    told = sc.equations_of_motion(model).evaluate(sim.q, sim.u, wrenches=wrenches)
    expected = told.mass_matrix @ told.udot + told.bias
    force = sum(contact.velocity_jacobian.T @ contact.force for contact in sim.contacts())
    assert np.abs(force).max() > 1e-3
    assert force == pytest.approx(expected, abs=1e-11 * (1.0 + np.abs(expected).max()))


def test_generalised_contact_forces_are_what_the_step_feels(sim):
    eom = sc.equations_of_motion(sim.model)
    probe = sc.Simulation(sim.model, integrator='semi_implicit', step_size=1e-8)
    probe.set_state(q=sim.q, u=sim.u)
    told = eom.evaluate(probe.q, probe.u)
    force = sum(contact.velocity_jacobian.T @ contact.force for contact in probe.contacts())
    before = probe.u
    probe.step()
    felt = told.mass_matrix @ (probe.u - before) / probe.step_size + told.bias
    # Speeds of size 1 round to 1e-16, over 1e-8 s; forces change by 1e-6 of themselves meanwhile.
    assert felt == pytest.approx(force, abs=1e-6 * (1.0 + np.abs(force).max()))


def test_numbers_are_those_of_the_symbols(sim):
    q = sim.q
    compared = 0
    for contact in sim.contacts():
        near = [
            feature.evaluate(q)
            for feature in sc.contact_geometry(sim.model, contact.body_a, contact.body_b)
        ]
        same = [told for told in near if np.allclose(told.point, contact.point, atol=1e-9)]
        for told in same:
            compared += 1
            assert told.distance == pytest.approx(contact.distance, abs=1e-12)
            assert told.normal == pytest.approx(contact.normal, abs=1e-12)
            assert told.jacobian == pytest.approx(contact.jacobian, abs=1e-12)
            assert told.velocity_jacobian == pytest.approx(contact.velocity_jacobian, abs=1e-12)
    assert compared


def test_a_contact_tells_of_its_own_instant(write_model):
    model = sc.load_model(write_model(LEANING.replace('[0.4, 0, 0]', '[4 * R, 0, 0]')))
    sim, twin = sc.Simulation(model), sc.Simulation(model)
    for each in (sim, twin):
        each.step(3)
    late, early = sim.contacts(), twin.contacts()
    expected = [contact.velocity_jacobian for contact in early]
    for each in (sim, twin):
        each.step(20)
        each.set_parameters({'R': 0.11})  # the arm becomes longer
        each.step(20)
    assert [contact.velocity_jacobian.tolist() for contact in late] == [
        jacobian.tolist() for jacobian in expected
    ]
    sim.step(10)
    twin.step(10)
    assert sim.state_hash() == twin.state_hash()


def test_proximities_tell_how_fast_bodies_approach():
    sim = sc.Simulation(sc.load_model('circle_circle'), proximity_range=10.0)
    (before,) = sim.proximities()
    sim.step()
    (after,) = sim.proximities()
    # Free flight for 1 ms: the distance bends by its second derivative, below 10 m/s^2.
    slope = (after.distance - before.distance) / sim.step_size
    assert before.jacobian @ sim.u == pytest.approx(slope, abs=1e-2)
    assert before.jacobian @ sim.u < 0.0


def test_contacts_can_be_copied_and_sent_elsewhere(sim):
    contact = sim.contacts()[0]
    copies = [pickle.loads(pickle.dumps(contact)), copy.deepcopy(contact), copy.copy(contact)]
    copies.append(dataclasses.replace(contact, distance=-1.0))
    for other in copies:
        assert other.jacobian == pytest.approx(contact.jacobian, abs=0.0)
    assert 'jacobian' not in repr(contact)
    assert dataclasses.asdict(contact)['body_a'] == contact.body_a


def test_shapes_alone_have_no_jacobian():
    pose = sc.Pose([0, 0, 0], [0, 0, 0, 1])
    found = sc.proximity(sc.Sphere(1.0), pose, sc.Sphere(1.0), sc.Pose([3, 0, 0], [0, 0, 0, 1]))
    with pytest.raises(sc.SymcontactError, match='only results of a simulation'):
        _ = found.jacobian


def test_jacobians_need_no_sympy_once_the_model_is_known():
    code = (
        'import sys, symcontact_ros as sc\n'
        "sim = sc.Simulation(sc.load_model('bouncing_circle'))\n"
        'while not sim.contacts(): sim.step()\n'
        'sim.contacts()[0].jacobian\n'
        "print('sympy' in sys.modules)"
    )
    for _ in range(2):  # the first may have to derive the equations
        result = subprocess.run(
            [sys.executable, '-c', code], capture_output=True, text=True, env=dict(os.environ)
        )
    assert result.stdout.strip() == 'False', result.stderr
