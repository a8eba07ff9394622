"""Many worlds of one model are what single simulations are, bit for bit."""

import multiprocessing
import os
import threading

from helpers.processes import LONG
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.errors import BusyError, OptionError

STEPS = 300


def singles(model, batch, values=None, prepare=None, steps=STEPS, **options):
    """Yield every world's number with its single run."""
    for i in range(batch.n):
        sim = sc.Simulation(model, **options)
        if values:
            sim.set_parameters({name: array[i] for name, array in values.items()})
            sim.reset()
        if prepare:
            prepare(sim, i)
        sim.step(steps)
        yield i, sim


def assert_same(batch, i, sim):
    """Compare a world with a single run: bits of states, poses and twists; energies."""
    assert batch.state_hash(i) == sim.state_hash()
    assert np.array_equal(batch.q[i], sim.q)
    assert np.array_equal(batch.u[i], sim.u)
    assert batch.time[i] == sim.time
    assert np.array_equal(batch.body_poses[i], sim.body_poses)
    assert np.array_equal(batch.body_twists[i], sim.body_twists)
    ledger, energies = sim.energy(), batch.energies()
    for name, array in energies.items():
        own = getattr(ledger, name)
        # Sums of a few terms in another order.
        assert array[i] == pytest.approx(own, rel=1e-12, abs=1e-12 * (1 + abs(ledger.mechanical)))


@pytest.mark.parametrize(
    ('name', 'symbol', 'options'),
    [
        ('rectangle_circle', 'm1', {}),
        ('rectangle_circle', 'R', {'detector': 'co', 'integrator': 'verlet'}),
        ('sphere_cuboid', 'm1', {'detector': 'co'}),
        ('sphere_cuboid', 'm1', {'integrator': 'semi_implicit'}),
        ('cart_pole', 'M', {}),
        ('hopper', None, {}),  # sticks; implicit steps, whose memory grows
        ('rattleback', None, {}),
    ],
)
def test_every_world_is_its_single_run(name, symbol, options):
    model = sc.load_model(name)
    values = {symbol: model.parameters[symbol] * np.linspace(0.9, 1.1, 3)} if symbol else {}
    batch = sc.Batch(model, 3, parameters=values, threads=2, **options)
    batch.step(STEPS)
    for i, sim in singles(model, batch, values, **options):
        assert_same(batch, i, sim)


def test_worlds_whose_memory_grows_in_the_run_go_on_as_they_are():
    model = sc.load_model('box_stack')
    batch = sc.Batch(model, 3, integrator='implicit', threads=1)
    small = batch.memory_per_world
    batch.step(STEPS)
    assert batch.memory_per_world > small  # or this tests nothing
    batch.reset(np.array([True, False, False]))
    batch.step(20)
    first = sc.Simulation(model, integrator='implicit')
    first.step(20)
    assert_same(batch, 0, first)
    first.step(STEPS)
    assert_same(batch, 2, first)


def test_efforts_targets_and_wrenches_are_those_of_each_world():
    cart = sc.load_model('cart_pole')
    batch = sc.Batch(cart, 3)
    batch.effort[:, 0] = [0.0, 1.0, -2.0]
    batch.wrench[:, 1, 0] = [0.5, 0.0, 1.5]
    batch.step(STEPS)

    def push(sim, i):
        sim.set_effort(cart.joint_names[0], batch.effort[i, 0])
        sim.set_wrench(cart.body_names[1], force=batch.wrench[i, 1, :3])

    for i, sim in singles(cart, batch, prepare=push):
        assert_same(batch, i, sim)


def test_servos_follow_their_targets_and_let_go():
    model = sc.load_model('gripper')
    batch = sc.Batch(model, 2)
    column = int(np.flatnonzero(~np.isnan(batch.target[0]))[0])
    joint = model.joint_names[column]
    batch.target[0, column] += 0.005
    batch.target[1, column] = np.nan
    goal = batch.target[0, column]
    batch.step(50)

    def command(sim, i):
        sim.set_target(joint, goal if i == 0 else None)

    for i, sim in singles(model, batch, prepare=command, steps=50):
        assert_same(batch, i, sim)
    batch.reset()
    assert batch.target[1, column] == sc.Batch(model, 1).target[0, column]


def test_states_and_symbols_can_be_set_in_mid_run():
    model = sc.load_model('sphere_cuboid')
    batch = sc.Batch(model, 3)
    batch.step(20)
    u = batch.u
    u[:, 0] += [0.0, 0.5, 1.0]
    batch.set_state(u=u, mask=np.array([False, True, True]))
    batch.set_parameters({'m1': [1.0, 1.1, 1.2]}, mask=np.array([False, False, True]))
    assert batch.parameters['m1'][2] == 1.2
    batch.step(100)
    for i in range(3):
        sim = sc.Simulation(model)
        sim.step(20)
        if i:
            sim.set_state(u=u[i])
        if i == 2:
            sim.set_parameters({'m1': 1.2})
        sim.step(100)
        assert_same(batch, i, sim)


def test_contact_forces_are_those_on_the_second_body():
    model = sc.load_model('bouncing_circle')
    batch = sc.Batch(model, 2, parameters={'m': [1.0, 1.2]})
    batch.step(420)  # it touches the ground
    ((a, b),) = sc.Simulation(model).pairs
    forces = batch.contact_force([(a, b), (b, a)])
    assert np.array_equal(forces[:, 0], -forces[:, 1])
    for i in range(2):
        expected = batch.world(i).contact_wrench(b, other=a).force
        assert np.abs(expected).max() > 1.0
        assert forces[i, 0] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(OptionError, match='pair that may touch'):
        batch.contact_force([('ball', 'moon')])


def test_a_world_that_diverges_stops_alone_in_its_last_good_state():
    model = sc.load_model('bouncing_circle')
    batch = sc.Batch(model, 3)
    batch.step(10)
    ball = model.body_names.index('ball')
    batch.wrench[1, ball, 1] = 1e300
    batch.step(100)
    assert batch.diverged.tolist() == [0, 1, 0]
    assert "body 'ball'" in batch.message(1)
    assert batch.message(0) == ''
    assert np.isfinite(batch.q).all()
    assert np.isfinite(batch.u).all()
    assert batch.time.tolist() == pytest.approx([0.11, 0.01, 0.11])
    untouched = sc.Simulation(model)
    untouched.step(110)
    assert_same(batch, 2, untouched)
    batch.reset(batch.diverged > 0)
    batch.step(10)
    assert not batch.diverged.any()
    assert batch.time[1] == pytest.approx(0.01)


def test_an_unsound_world_says_why():
    model = sc.load_model('bouncing_circle')
    stiffness = model.parameters['materials.default.stiffness']
    values = {'materials.default.stiffness': [stiffness, 1.0]}  # it falls through
    batch = sc.Batch(model, 2, parameters=values)
    batch.step(800)
    assert batch.diverged.tolist() == [0, 2]
    assert 'max_depth_ratio' in batch.message(1)


def test_a_divergence_with_anchors_of_friction_goes_back_to_them():
    model = sc.load_model('box_stack')
    batch = sc.Batch(model, 2, integrator='implicit')
    batch.step(50)
    before = batch.q[1].copy()
    batch.wrench[1, -1, 2] = 1e300
    batch.step(10)
    assert batch.diverged.tolist() == [0, 1]
    assert np.array_equal(batch.q[1], before)
    assert np.isfinite(batch.world(1).energy().mechanical)


def test_a_world_may_diverge_in_the_same_call_in_which_another_needs_more_room():
    model = sc.Model('crowd', dimension=2, gravity=[0, 0, 0])
    for i in range(60):
        circle = {'type': 'circle', 'radius': 0.1}
        model.add_body(f'b{i:02}', mass=1, shapes=[circle], initial={'position': [3 * i, 0, 0]})
    batch = sc.Batch(model, 2, integrator='rk4')
    q = batch.q
    q[0, 0::3], q[0, 1::3] = 0.1999 * (np.arange(60) % 8), 0.1999 * (np.arange(60) // 8)
    batch.reset(starts=(q, None))
    room = batch.memory_per_world
    batch.wrench[1, 0, 1] = 1e300
    batch.step(10)
    assert batch.memory_per_world > room  # or this tests nothing
    assert batch.diverged.tolist() == [0, 1]
    assert np.array_equal(batch.q[1], q[1])


def test_draws_depend_on_seed_name_and_world_alone():
    model = sc.load_model('rectangle_circle')
    drawn = {'m1': sc.Uniform(0.5, 2.0), 'm2': sc.LogUniform(0.5, 2.0), 'R': sc.Normal(0.2, 0.01)}
    few = sc.Batch(model, 4, parameters=drawn, seed=3).parameters
    many = sc.Batch(model, 9, parameters=drawn, seed=3, threads=1)
    other = sc.Batch(model, 4, parameters=drawn, seed=4).parameters
    for name in drawn:
        assert np.array_equal(few[name], many.parameters[name][:4])
        assert not np.isclose(few[name], other[name]).any()
        assert len(np.unique(many.parameters[name])) == 9
    assert (few['m1'] > 0.5).all() and (few['m1'] < 2.0).all()
    before = many.parameters['m1']
    mask = np.arange(9) < 2
    many.reset(mask, redraw=True)
    assert (many.parameters['m1'] != before).tolist() == mask.tolist()


def test_arrays_go_to_other_libraries_without_a_copy():
    batch = sc.Batch(sc.load_model('cart_pole'), 4)
    q = batch.q
    assert q.dtype == np.float64 and q.flags.c_contiguous
    shared = np.from_dlpack(q)
    assert np.shares_memory(shared, q)


@pytest.mark.parametrize(
    ('options', 'text'),
    [
        ({'n': 0}, 'n must be a whole number'),
        ({'n': 1.5}, 'n must be a whole number'),
        ({'threads': -1}, 'threads must be'),
        ({'seed': -1}, 'seed must be'),
        ({'parameters': {'nope': 1.0}}, "no live symbol 'nope'"),
        ({'parameters': {'m1': [1.0, -1.0]}}, r'world 1: m1 must be within'),
        ({'parameters': {'m1': [1.0, 1.0, 1.0]}}, 'one number, or 2'),
        ({'parameters': {'m1': 'much'}}, 'm1: numbers are needed'),
        ({'parameters': {'m1': float('nan')}}, 'm1 must be within'),
        ({'integrator': 'reference'}, "take 'rk4'"),
        ({'detector': 'co', 'co': {'solver': 'ecos'}}, 'builtin'),
    ],
)
def test_wrong_options_are_refused(options, text):
    model = sc.load_model('rectangle_circle')
    with pytest.raises(OptionError, match=text):
        sc.Batch(model, **{'n': 2, **options})


@pytest.mark.parametrize(
    ('act', 'text'),
    [
        (lambda batch: batch.step(-1), 'number of steps'),
        (lambda batch: batch.set_state(q=[1.0, 2.0, 3.0]), r'q: \(2, 2\) numbers'),
        (lambda batch: batch.set_state(u=np.full((2, 2), np.inf)), 'u: finite'),
        (lambda batch: batch.reset([1, 0]), 'mask: an array of 2 bool'),
        (lambda batch: batch.world(2), 'world must be'),
        (lambda batch: batch.effort.fill(np.nan) or batch.step(), 'effort: finite'),
        (lambda batch: batch.target.fill(0.0) or batch.step(), 'has no servo'),
        (lambda batch: batch.wrench.fill(1.0) or batch.step(), 'a planar model'),
        (lambda batch: batch.set_parameters({'M': [1.0, -5.0]}), 'world 1: M'),
    ],
)
def test_wrong_input_changes_nothing(act, text):
    batch = sc.Batch(sc.load_model('cart_pole'), 2)
    batch.step(5)
    hashes = [batch.state_hash(0), batch.state_hash(1)]
    with pytest.raises(OptionError, match=text):
        act(batch)
    assert [batch.state_hash(0), batch.state_hash(1)] == hashes


@pytest.mark.parametrize(
    'wrong',
    [
        lambda: sc.Uniform(2.0, 1.0),
        lambda: sc.LogUniform(0.0, 1.0),
        lambda: sc.Normal(0.0, -1.0),
        lambda: sc.Uniform(0.0, np.inf),
    ],
)
def test_distributions_refuse_what_they_are_not(wrong):
    with pytest.raises(OptionError, match='needed'):
        wrong()


@pytest.mark.skipif(not hasattr(os, 'fork'), reason='this system has no forks')
def test_a_batch_that_has_stepped_goes_on_in_a_forked_child_and_in_its_parent():
    batch = sc.Batch(sc.load_model('cart_pole'), 8, threads=2)
    batch.step(10)

    def in_child(answers, depth):
        batch.step(10)
        answers.put([batch.state_hash(world) for world in range(8)])
        if depth:
            join(depth - 1, answers)

    def join(depth, answers):
        child = forks.Process(target=in_child, args=(answers, depth))
        child.start()
        child.join(LONG)
        if child.exitcode is None:
            child.kill()
        assert child.exitcode == 0

    forks = multiprocessing.get_context('fork')
    answers = forks.SimpleQueue()
    join(1, answers)
    found = [answers.get() for _ in range(2)]
    for hashes in found:  # of the child, and of the child of that
        batch.step(10)
        assert hashes == [batch.state_hash(world) for world in range(8)]


def test_another_thread_is_told_that_the_batch_is_busy():
    batch = sc.Batch(sc.load_model('rectangle_circle'), 200)
    done, met = threading.Event(), []

    def work():
        batch.step(20_000)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set() and not met:
        try:
            _ = batch.q
        except BusyError as error:
            met.append(error)
    worker.join()
    assert met


@pytest.mark.parametrize(
    ('name', 'options'),
    [
        ('cart_pole', {}),
        ('sphere_cuboid', {}),  # quaternions and momenta
        ('hopper', {}),  # implicit
        ('cart_pole_walls', {'integrator': 'verlet'}),
    ],
)
def test_worlds_start_anew_from_other_coordinates_as_single_runs_do(name, options):
    model = sc.load_model(name)
    batch = sc.Batch(model, 3, threads=2, **options)
    batch.step(50)
    q, u = batch.q, batch.u
    q[:, 0] += [0.0, 0.01, 0.02]
    u[:, -1] += [0.0, 0.1, 0.2]
    mask = np.array([False, True, True])
    batch.reset(mask, starts=(q, u))
    batch.step(100)
    kept = sc.Simulation(model, **options)
    kept.step(150)
    assert_same(batch, 0, kept)
    for i in (1, 2):
        sim = sc.Simulation(model, **options)
        sim.step(7)  # whatever was before
        sim.reset(q[i], u[i])
        sim.step(100)
        assert_same(batch, i, sim)
        assert sim.energy().work_in == pytest.approx(0.0, abs=1e-9)
        assert abs(sim.energy().residual) < 1e-6 * (1 + abs(sim.energy().mechanical))
    batch.reset(starts=(q, None))
    sim.reset(q=q[2])
    assert_same(batch, 2, sim)


def test_worlds_start_anew_with_other_symbols_and_unused_ones_are_forgotten():
    model = sc.load_model('cart_pole')
    batch = sc.Batch(model, 2, threads=1)
    few = batch.memory_per_world
    for k in range(200):
        batch.reset(np.array([True, False]), parameters={'m': [0.1 + 1e-3 * k, 9.0]})
    assert batch.parameters['m'].tolist() == [0.1 + 1e-3 * 199, model.parameters['m']]
    assert batch.memory_per_world == few
    assert len(batch._variants.starts) < 100
    q = batch.q
    q[0, 1] = 0.2
    batch.reset(np.array([True, False]), parameters={'m': 0.3}, starts=(q, None))
    batch.step(STEPS)
    sim = sc.Simulation(model)
    sim.set_parameters({'m': 0.3})
    sim.reset(q[0])
    sim.step(STEPS)
    assert_same(batch, 0, sim)


@pytest.mark.parametrize(
    ('starts', 'said'),
    [
        (([np.nan] * 14, None), 'q: finite numbers'),
        ((np.zeros((2, 14)), None), 'quaternion of .* is zero'),
        ((None, np.full(12, 1e200)), 'beyond 1e'),
        ((np.zeros(3), None), r'\(2, 14\) numbers'),
    ],
)
def test_a_start_that_is_none_changes_nothing(starts, said):
    batch = sc.Batch(sc.load_model('sphere_cuboid'), 2)
    batch.step(10)
    before = batch.state_hash(1)
    with pytest.raises(OptionError, match=said):
        batch.reset(parameters={'m1': 3.0}, starts=starts)
    assert batch.state_hash(1) == before
    sim = batch.world(1)
    with pytest.raises(OptionError):
        sim.reset(*starts)
    assert sim.state_hash() == before
