"""Arrays, Jacobians, copies and pickles: right, and nobody else's memory."""

import copy
from pathlib import Path
import pickle
from threading import Thread

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.placements import matrix, quaternion_of

ARM_URDF = Path(__file__).parents[1] / 'urdf' / 'arm.urdf'
ROUNDING = 1e-12


def arm():
    """Return two links on a turned base, a free ball and a floor, with a site on each part."""
    model = sc.Model('arm', dimension=3)
    model.add_parameter('length', 0.4, min=0.1, max=1.0)
    model.add_material('default', stiffness=1e6, damping=0.1, friction=0.5)
    model.add_body('floor', fixed=True, shapes=[sc.HalfSpace((0.0, 0.0, 1.0), -0.5)])
    model.add_body(
        'base', fixed=True, joint={'origin': {'xyz': [0.1, 0, 0.2], 'rpy': [0.3, 0, 1.0]}}
    )
    inertia = {'ixx': 0.01, 'iyy': 0.02, 'izz': 0.03}
    model.add_body(
        'upper',
        mass=2.0,
        com=['0.5 * length', 0, 0.01],
        inertia=inertia,
        joint={'type': 'revolute', 'name': 'shoulder', 'parent': 'base', 'axis': [0, 1, 0]},
        initial={'position': 0.3, 'velocity': 0.5},
    )
    model.add_body(
        'lower',
        mass=1.0,
        com=[0.1, 0, 0],
        inertia=inertia,
        sites={'tool': {'position': ['length', 0, 0.1], 'rpy': [0.1, 0.2, 0.3]}},
        joint={
            'type': 'prismatic',
            'name': 'slide',
            'parent': 'upper',
            'axis': [1, 0, 0],
            'origin': {'xyz': ['length', 0, 0], 'rpy': [0, 0.4, 0]},
            'servo': {'kp': 10.0, 'kd': 1.0},
        },
        initial={'position': 0.1, 'velocity': -0.2},
    )
    model.add_body(
        'ball',
        mass=1.0,
        com=[0.01, 0.02, 0.0],
        inertia=inertia,
        shapes=[sc.Sphere(0.2)],
        sites={'mark': {'position': [0, 0, 0.2]}},
        joint={'type': 'free'},
        initial={'position': [2, 0, -0.305], 'rpy': [0.5, 0.1, 2.0], 'velocity': [0.3, 0, 0]},
    )
    return model


def planar():
    model = sc.Model('planar', dimension=2)
    model.add_material('default', stiffness=1e9, damping=0.1, friction=0.5)
    model.add_body('floor', fixed=True, shapes=[sc.HalfSpace((0.0, 1.0, 0.0), 0.0)])
    model.add_body(
        'box',
        mass=1.0,
        com=[0.01, 0.0, 0.0],
        shapes=[sc.Rectangle((0.2, 0.1))],
        sites={'corner': {'position': [0.2, 0.1, 0.0]}},
        joint={'type': 'planar'},
        initial={'position': [0, 0.0995, 0], 'velocity': [1, 0, 0]},
    )
    return model


@pytest.fixture(scope='module', params=[arm, planar])
def model(request):
    return request.param()


@pytest.fixture
def sim(model):
    simulation = sc.Simulation(model)
    simulation.step(20)
    return simulation


@pytest.fixture(scope='module')
def eom():
    return sc.equations_of_motion(arm())


# Arrays ------------------------------------------------------------------------------------------


def test_arrays_and_dicts_tell_what_the_equations_do(sim, model):
    found = sc.equations_of_motion(model).dynamics.kinematics(sim.q, sim.u)
    poses, twists = sim.poses(), sim.twists()
    names = model.body_names
    assert sim.body_poses.shape == (len(names), 7)
    assert sim.body_twists.shape == (len(names), 6)
    assert list(twists) == list(names)
    for name, pose, twist in zip(names, sim.body_poses, sim.body_twists, strict=True):
        assert (np.concatenate([poses[name].position, poses[name].quaternion]) == pose).all()
        assert (np.concatenate([twists[name].linear, twists[name].angular]) == twist).all()
        if name in found:
            body = found[name]
            attitude = quaternion_of(np.reshape(body.rotation, (3, 3)))
            assert pose == pytest.approx(np.concatenate([body.position, attitude]), abs=ROUNDING)
            assert twist == pytest.approx(np.array(body.twist), abs=ROUNDING)
        else:
            assert (twist == 0.0).all()


def test_poses_include_sites_after_the_bodies(sim, model):
    poses = sim.poses()
    sites = [(body.name, name) for body in model.bodies for name in body.sites]
    assert list(poses) == [*model.body_names, *(site for _, site in sites)]
    for body, site in sites:
        placement = model.body(body).sites[site]
        attitude = matrix(tuple(poses[body].quaternion))
        offset = [model.number(x) for x in placement.position]
        turn = matrix(placement.rotation.evaluated(model.parameters))
        assert poses[site].position == pytest.approx(poses[body].position + attitude @ offset)
        assert poses[site].quaternion == pytest.approx(quaternion_of(attitude @ turn))


def test_sites_and_centres_follow_live_symbols():
    sim = sc.Simulation(arm())
    before, twist = sim.poses()['tool'].position, sim.body_twists[2]
    sim.set_parameters({'length': 0.6})
    fresh = sc.Simulation(sc.Model.from_description(sim.model.contents, {'length': 0.6}))
    assert (sim.poses()['tool'].position == fresh.poses()['tool'].position).all()
    assert sim.body_twists[2] == pytest.approx(fresh.body_twists[2], abs=ROUNDING)
    assert np.linalg.norm(sim.poses()['tool'].position - before) > 0.1
    assert np.linalg.norm(sim.body_twists[2] - twist) > 0.01


def test_what_is_returned_belongs_to_the_caller(sim, model, eom):
    body = model.body_names[-1]
    q = np.array([0.3, 0.1, *sc.Simulation(eom.model).q[2:]])
    read = [
        lambda: sim.body_poses,
        lambda: sim.body_twists,
        lambda: sim.poses()[body].position,
        lambda: sim.twists()[body].linear,
        lambda: sim.contact_wrench(body).force,
        lambda: sim.contact_wrench(body, 'floor').torque,
        lambda: sim.q,
        lambda: eom.jacobian('tool', q),
        lambda: eom.gravity_effort(q),
    ]
    kept = [function() for function in read]
    expected = [array.copy() for array in kept]
    before = sim.state_hash()
    for function, array in zip(read, kept, strict=True):
        function()[...] = 99.0  # by others
        assert not np.shares_memory(function(), array)
    assert sim.state_hash() == before
    assert all((a == b).all() for a, b in zip(kept, expected, strict=True))
    assert all((f() == b).all() for f, b in zip(read, expected, strict=True))
    sim.step(3)
    assert all((a == b).all() for a, b in zip(kept, expected, strict=True))


def test_reading_never_changes_a_step(model):
    silent, watched = sc.Simulation(model), sc.Simulation(model)
    silent.step(50)
    for _ in range(50):
        watched.step()
        _ = watched.poses(), watched.body_twists, watched.contact_wrench(model.body_names[-1])
        watched.save_state()
    assert silent.state_hash() == watched.state_hash()


def test_contact_wrenches_are_sums_of_contacts(sim, model):
    body = model.body_names[-1]
    contacts = sim.contacts()
    assert contacts
    centre = sim.snapshot().coms[body]
    total = np.zeros(6)
    for contact in contacts:
        push = contact.force * (1.0 if contact.body_b == body else -1.0)
        total += np.concatenate([push, np.cross(contact.point - centre, push)])
    for wrench in (sim.contact_wrench(body), sim.contact_wrench(body, 'floor')):
        found = np.concatenate([wrench.force, wrench.torque])
        assert found == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert (sim.contact_wrench('floor', body).force == -sim.contact_wrench(body).force).all()
    assert (sim.contact_wrench('floor', 'floor').force == 0.0).all()


# Equations ---------------------------------------------------------------------------------------


@pytest.mark.parametrize('frame', ['tool', 'mark', 'upper', 'lower', 'ball'])
def test_jacobians_are_slopes_of_poses(eom, frame):
    sim = sc.Simulation(eom.model)
    jacobian = eom.jacobian(frame, sim.q)
    step = 1e-6
    for i in range(eom.model.speed_count):
        u = np.zeros(eom.model.speed_count)
        u[i] = 1.0
        ahead = eom.evaluate(sim.q, u).qdot
        there, back = copy.copy(sim), copy.copy(sim)
        there.set_state(q=sim.q + step * ahead)
        back.set_state(q=sim.q - step * ahead)
        moved = (there.poses()[frame].position - back.poses()[frame].position) / (2 * step)
        assert jacobian[:3, i] == pytest.approx(moved, abs=1e-8)
        before, after = (matrix(tuple(s.poses()[frame].quaternion)) for s in (back, there))
        skew = (after - before) / (2 * step) @ matrix(tuple(sim.poses()[frame].quaternion)).T
        turned = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
        assert jacobian[3:, i] == pytest.approx(turned, abs=1e-8)


def test_a_body_that_stands_has_a_jacobian_of_zeros(eom):
    assert not eom.jacobian('base', sc.Simulation(eom.model).q).any()


def test_jacobians_follow_live_symbols():
    model = arm()
    eom, q = sc.equations_of_motion(model), sc.Simulation(model).q
    before = eom.jacobian('tool', q)
    eom.dynamics.set_values({**model.parameters, 'length': 0.6})
    other = sc.Model.from_description(model.contents, {'length': 0.6})
    expected = sc.equations_of_motion(other).jacobian('tool', q)
    assert eom.jacobian('tool', q) == pytest.approx(expected, abs=ROUNDING)
    assert np.abs(expected - before).max() > 0.05


def test_threads_do_not_share_the_memory_of_a_call(eom):
    rng = np.random.default_rng(1)
    attitude = sc.Simulation(eom.model).q[2:]
    states = [np.array([*rng.normal(size=2), *attitude]) for _ in range(4)]
    expected = [(eom.jacobian('tool', q), eom.gravity_effort(q)) for q in states]
    wrong = []

    def run(q, jacobian, gravity):
        for _ in range(200):
            if (eom.jacobian('tool', q) != jacobian).any() or (
                eom.gravity_effort(q) != gravity
            ).any():
                wrong.append(q)

    threads = [
        Thread(target=run, args=(q, *numbers)) for q, numbers in zip(states, expected, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_gravity_efforts_are_the_bias_at_rest(eom):
    q = sc.Simulation(eom.model).q
    bias = eom.evaluate(q, np.zeros(eom.model.speed_count)).bias
    assert eom.gravity_effort(q) == pytest.approx(bias, abs=ROUNDING)
    assert eom.gravity_effort(q.tolist()) == pytest.approx(bias, abs=ROUNDING)


@pytest.mark.parametrize(
    ('call', 'message'),
    [
        (lambda s, e, q: e.jacobian('toll', q), "no body or site 'toll'; did you mean 'tool'"),
        (lambda s, e, q: e.jacobian('tool', q[:-1]), 'q must be 9 finite numbers, got 8'),
        (lambda s, e, q: e.jacobian('tool', q * np.nan), 'q must be 9 finite numbers'),
        (lambda s, e, q: e.gravity_effort('q'), 'q must be 9 finite numbers'),
        (lambda s, e, q: s.contact_wrench('bal'), "no body 'bal'; did you mean 'ball'"),
        (lambda s, e, q: s.contact_wrench('ball', 'flor'), "did you mean 'floor'"),
        (lambda s, e, q: s.set_wrench('bal', point=[0, 0, 0]), "no body 'bal'; did you mean"),
    ],
)
def test_what_is_wrong_is_said(eom, call, message):
    sim = sc.Simulation(eom.model)
    with pytest.raises(sc.OptionError, match=message):
        call(sim, eom, sim.q)


def test_large_numbers_are_finite(eom):
    q = sc.Simulation(eom.model).q
    q[:2] = 1e308  # their sum is not
    assert np.isfinite(eom.jacobian('upper', q)).all()


# Start, copies, pickles --------------------------------------------------------------------------


def disturb(sim):
    """Change whatever the next steps depend on; all of it is part of a state."""
    body = sim.model.body_names[-1]
    sim.set_wrench(body, force=(0.3, 0.1, 0.0))
    for joint in sim.model.joint_names:
        sim.set_effort(joint, 0.7)
    if 'slide' in sim.model.joint_names:
        sim.set_target('slide', 0.2)
    sim.step(30)


def assert_same(*simulations):
    for _ in range(2):
        assert len({sim.state_hash() for sim in simulations}) == 1
        assert len({repr(sim.energy()) for sim in simulations}) == 1
        for sim in simulations:
            sim.step(40)
    assert len({sim.state_hash() for sim in simulations}) == 1


def test_a_reset_is_a_new_start_bit_for_bit(sim, model):
    disturb(sim)
    sim.reset()
    assert sim.save_state() == sc.Simulation(model).save_state()
    assert_same(sim, sc.Simulation(model))


@pytest.mark.parametrize(
    'options',
    [{'max_substeps': 3}, {'integrator': 'verlet'}, {'detector': 'co'}, {'manifold': 'single'}],
)
def test_a_reset_keeps_options_that_were_changed(options):
    sim = sc.Simulation(planar())
    sim.step(20)
    sim.configure(**options)
    sim.reset()
    assert_same(sim, sc.Simulation(planar(), **options))


def test_a_reset_keeps_live_symbols_that_were_changed():
    sim = sc.Simulation(arm())
    sim.set_parameters({'length': 0.6})
    for _ in range(2):
        sim.reset()
        other = sc.Simulation(sc.Model.from_description(sim.model.contents, {'length': 0.6}))
        assert_same(sim, other)
    assert sim.parameters['length'] == 0.6


def test_a_copy_goes_on_alike_and_alone(sim):
    disturb(sim)
    before = sim.state_hash()
    other, third = copy.copy(sim), copy.copy(sim)
    assert other.model is sim.model
    assert repr(other) == repr(sim)
    other.step(40)
    other.set_wrench(sim.model.body_names[-1], force=(0.0, 0.0, 0.0))
    other.reset()
    assert sim.state_hash() == before
    assert_same(sim, third)
    assert_same(other, sc.Simulation(sim.model))


def test_copies_have_options_and_live_symbols_of_their_own():
    sim = sc.Simulation(arm(), max_substeps=5, seed=3)
    sim.set_parameters({'length': 0.5})
    other = copy.copy(sim)
    assert (other.max_substeps, other.seed) == (5, 3)
    assert other.parameters == sim.parameters
    place = sim.poses()['tool'].position
    other.set_parameters({'length': 0.7})
    other.configure(integrator='verlet', max_substeps=6)
    assert sim.parameters['length'] == 0.5
    assert (sim.poses()['tool'].position == place).all()
    sim.step(40)
    assert (sim.integrator, sim.max_substeps) == ('auto', 5)
    again = sc.Simulation(arm(), max_substeps=5)
    again.set_parameters({'length': 0.5})
    again.step(40)
    assert sim.state_hash() == again.state_hash()
    other.reset()
    other.step(20)
    fresh = sc.Simulation(arm(), integrator='verlet', max_substeps=6)
    fresh.set_parameters({'length': 0.7})
    fresh.reset()
    fresh.step(20)
    assert other.state_hash() == fresh.state_hash()


def test_a_pickle_goes_on_alike(sim):
    disturb(sim)
    for other in (pickle.loads(pickle.dumps(sim)), copy.deepcopy(sim)):
        assert other.model is not sim.model
        assert_same(copy.copy(sim), other)


def test_a_pickle_keeps_options():
    sim = sc.Simulation(
        planar(), 'co', 'rk4', 5e-4, max_substeps=7, manifold='single', proximity_range=0.1, seed=4
    )
    sim.step(10)
    other = pickle.loads(pickle.dumps(sim))
    for name in ('detector', 'integrator', 'step_size', 'max_substeps', 'manifold', 'seed'):
        assert getattr(other, name) == getattr(sim, name)
    assert other.proximity_range == 0.1
    assert_same(sim, other)


def test_a_pickle_keeps_live_symbols():
    sim = sc.Simulation(arm())
    sim.set_parameters({'length': 0.5})
    sim.step(10)
    other = pickle.loads(pickle.dumps(sim))
    assert other.parameters == sim.parameters
    assert_same(sim, other)


def test_a_pickle_holds_a_description_and_a_saved_state(sim):
    stored = sim.__getstate__()
    assert stored['state'] == sim.save_state()
    assert set(stored) == {'model', 'options', 'state'}
    assert set(sim.model.__getstate__()) == {'description', 'warnings', 'notes'}


@pytest.mark.parametrize('source', ['cart_pole', 'docking_probe_drogue', ARM_URDF, arm, planar])
def test_models_can_be_pickled(source):
    model = source() if callable(source) else sc.load_model(source)
    other = pickle.loads(pickle.dumps(model))
    assert other.to_yaml() == model.to_yaml()
    assert other.parameters == model.parameters
    assert (other.warnings, other.notes) == (model.warnings, model.notes)
    assert other.bodies == model.bodies
    assert pickle.dumps(other) == pickle.dumps(pickle.loads(pickle.dumps(other)))


def test_a_pickled_robot_keeps_its_files_and_warnings(tmp_path):
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(ARM_URDF.read_text())
    model = sc.load_model(urdf, world='floor', servo='auto')
    stored = pickle.dumps(model)
    urdf.unlink()  # it is not read again
    other = pickle.loads(stored)
    assert other.contents.robots == model.contents.robots != []
    assert other.contents.warnings == model.contents.warnings
    assert other.to_yaml() == model.to_yaml()
    assert_same(sc.Simulation(model), sc.Simulation(other))


def test_pickled_models_have_values_that_were_given():
    model = sc.load_model('cart_pole')
    name, value = next(iter(model.parameters.items()))
    changed = sc.load_model('cart_pole', parameters={name: 1.1 * value})
    other = pickle.loads(pickle.dumps(changed))
    assert other.parameters == changed.parameters != model.parameters
