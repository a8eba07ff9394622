"""Ctrl-C, threads, and models that change: one simulation in the hands of one user."""

import copy
import os
import signal
import threading
import time

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.step.pieces import PERIOD, Pieces

LONG = 10**9  # steps: minutes


def interrupted(call, after=0.05):
    """Press Ctrl-C while a call runs; return how long it went on [s]."""
    pressed = []

    def press():
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    ended = time.perf_counter()
    timer.join()
    return ended - pressed[0]


@pytest.fixture(autouse=True)
def heard():
    """Hear Ctrl-C also where this was started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope='module')
def sim():
    return sc.Simulation(sc.load_model('cart_pole'), integrator='rk4')


def test_ctrl_c_ends_a_long_run_soon_after_a_whole_step(sim):
    sim.reset()
    # The best of some: the machine may be busy with something else.
    assert min(interrupted(lambda: sim.step(LONG)) for _ in range(3)) < 0.2
    assert 0 < sim.steps < LONG
    again = sc.Simulation(sim.model, integrator='rk4')
    again.step(sim.steps)
    assert again.state_hash() == sim.state_hash()
    assert sim.time == again.time


def test_ctrl_c_ends_steps_in_plain_python_where_they_began(sim, monkeypatch):
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    plain = sc.Simulation(sim.model, integrator='rk4')
    plain.step(3)
    before = plain.state_hash()
    plain._pieces.size = LONG  # cut short in mid-step
    interrupted(lambda: plain.step(LONG))
    assert plain.steps == 3
    assert plain.state_hash() == before


def test_ctrl_c_in_the_reference_integrator_changes_nothing(sim):
    slow = sc.Simulation(sim.model, integrator='reference')
    slow.step(1)  # imports SciPy
    before = slow.state_hash()
    interrupted(lambda: slow.step(10**6), after=0.3)
    assert slow.state_hash() == before
    assert slow.steps == 1


def test_pieces_are_never_much_longer_than_their_period():
    pieces = Pieces()
    for _ in range(40):
        pieces.observe(pieces.size, 1e-7 * pieces.size)
    assert 0.5 * PERIOD < 1e-7 * pieces.size < 2 * PERIOD
    before = pieces.size
    pieces.observe(before, 1e-5 * before)  # a hundred times slower, in contact
    assert 1e-5 * pieces.size < 2 * PERIOD
    for _ in range(40):
        pieces.observe(pieces.size, 10.0)
    assert pieces.size == 1


# Threads -----------------------------------------------------------------------------------------


@pytest.fixture
def stepping(sim):
    """A simulation that another thread has, until the test is over."""
    busy = copy.copy(sim)
    busy.reset()
    over, began = threading.Event(), threading.Event()

    def hold():  # as if in a long compiled call
        with busy._lock:
            began.set()
            over.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    began.wait()
    yield busy
    over.set()
    thread.join()


USES = {
    'step': lambda s: s.step(),
    'steps': lambda s: s.step(100),
    'q': lambda s: s.q,
    'set_state': lambda s: s.set_state(u=[0.0, 0.0]),
    'set_parameters': lambda s: s.set_parameters({'m': 2.0}),
    'set_effort': lambda s: s.set_effort('rail', 1.0),
    'set_wrench': lambda s: s.set_wrench('pole', force=[1, 0, 0]),
    'contacts': lambda s: s.contacts(),
    'poses': lambda s: s.poses(),
    'energy': lambda s: s.energy(),
    'reset': lambda s: s.reset(),
    'save_state': lambda s: s.save_state(),
    'state_hash': lambda s: s.state_hash(),
    'proximity_range': lambda s: setattr(s, 'proximity_range', 1.0),
    'copy': copy.copy,
}


@pytest.mark.parametrize('use', USES.values(), ids=USES)
def test_a_second_thread_gets_an_error_and_not_wrong_numbers(stepping, use):
    with pytest.raises(sc.BusyError, match=r'another thread.*copy\.copy\(sim\)'):
        use(stepping)


def test_an_observer_is_a_user_of_its_simulation(sim):
    other = copy.copy(sim)
    observer = other.observer(often=False)
    errors = []

    def look():
        try:
            observer.observe()
        except sc.BusyError as error:
            errors.append(error)

    with other._lock:
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert len(errors) == 1
    observer.observe()


def test_threads_on_one_simulation_raise_or_take_turns():
    """Many threads that step and read at once: whatever is done is done as in one thread."""
    shared = sc.Simulation(sc.load_model('rectangle_circle'))
    made, refused = [], []

    def work():
        for _ in range(200):
            try:
                shared.step(50)
                made.append(50)
            except sc.BusyError:
                refused.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.steps == sum(made)
    alone = sc.Simulation(shared.model)
    alone.step(shared.steps)
    assert alone.state_hash() == shared.state_hash()


def test_a_copy_is_a_simulation_of_its_own(sim):
    other = copy.copy(sim)
    assert other._lock is not sim._lock
    before = sim.state_hash()
    other.step(10)
    assert sim.state_hash() == before


# Numbers and models ------------------------------------------------------------------------------


@pytest.mark.parametrize('count', [-1, 1.5, 1.0, '1', None, 2**63, 2**53, -(2**63), 1e300, [1]])
def test_what_is_no_number_of_steps_is_refused(sim, count):
    before = sim.state_hash(), sim.steps
    with pytest.raises(sc.OptionError, match='steps'):
        sim.step(count)
    assert (sim.state_hash(), sim.steps) == before


@pytest.mark.parametrize('count', [np.int32(7), np.int64(7), np.uint8(7)])
def test_numbers_of_numpy_are_numbers_of_steps(sim, count):
    before = sim.steps
    sim.step(count)
    assert sim.steps == before + 7
    assert type(sim.steps) is int


def test_options_may_be_numbers_of_numpy():
    model = sc.load_model('bouncing_circle')
    given = sc.Simulation(
        model,
        step_size=np.float64(1e-3),
        max_substeps=np.int32(32),
        proximity_range=np.float32(0.25),
        max_residual=np.float32(0.125),
        max_exceeded_steps=np.int64(50),
        seed=np.int64(3),
        detector=np.str_('sat'),
    )
    plain = sc.Simulation(
        model,
        step_size=1e-3,
        max_substeps=32,
        proximity_range=0.25,
        max_residual=0.125,
        max_exceeded_steps=50,
        seed=3,
    )
    for simulation in (given, plain):
        simulation.step(500)
    assert given.save_state() == plain.save_state()
    given.configure(max_substeps=np.int16(8), co={'margin': np.float32(0.5)})
    assert (given.max_substeps, given.co['margin']) == (8, 0.5)
    assert type(given.max_substeps) is int
    coarse = sc.Simulation(model, step_size=np.float32(1e-3))
    assert coarse.step_size == float(np.float32(1e-3))


@pytest.mark.parametrize(
    'options',
    [
        {'step_size': np.float64('nan')},
        {'step_size': np.array([1e-3])},
        {'max_substeps': np.float64(2.0)},
        {'max_substeps': np.bool_(True)},
        {'proximity_range': np.float32('inf')},
        {'max_residual': np.float32('nan')},
    ],
)
def test_numbers_of_numpy_are_checked_as_others_are(options):
    with pytest.raises(sc.OptionError, match=next(iter(options))):
        sc.Simulation(sc.load_model('bouncing_circle'), **options)


def test_a_model_that_has_changed_is_a_clear_error():
    model = sc.Model('pendulum', dimension=2)
    model.add_body(
        'bob', mass=1.0, com=[1, 0, 0], inertia={'izz': 0.0}, joint={'type': 'revolute'}
    )
    simulation = sc.Simulation(model)
    simulation.step(5)
    model.add_body('other', mass=1.0, inertia={'izz': 1.0})
    for use in (
        lambda: simulation.step(),
        lambda: simulation.step(5),
        simulation.poses,
        lambda: simulation.q,
        simulation.save_state,
        simulation.reset,
    ):
        with pytest.raises(sc.OptionError, match=r'model was changed.*make a new Simulation'):
            use()
    sc.Simulation(model).step(5)
