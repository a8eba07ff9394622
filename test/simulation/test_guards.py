"""Runs whose results are finite but wrong stop with what is wrong, and sound ones never do."""

import math

import pytest

import symcontact_ros as sc

FALLING = """
dimension: 2
materials: {{default: {{stiffness: {stiffness}, damping: 0, friction: 0}}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space}}]}}
  ball: {{mass: 1, shapes: [{{type: circle, radius: 0.1}}],
         initial: {{position: [0, {height}, 0], velocity: [0, {velocity}, 0]}}}}
"""


@pytest.fixture
def simulated(write_model):
    def simulated(stiffness=1e9, height=0.2, velocity=0.0, **options):
        text = FALLING.format(stiffness=stiffness, height=height, velocity=velocity)
        return sc.Simulation(sc.load_model(write_model(text)), **options)

    return simulated


def test_a_contact_that_is_too_deep_is_named_with_its_ratio(simulated):
    simulation = simulated(stiffness=1.0)
    with pytest.raises(sc.DivergenceError, match=r'ball - floor: 0\.2\d* m deep at .* 1\.0') as e:
        simulation.step(10_000)
    assert 'max_depth_ratio 1; the state is kept: make the stiffness higher' in str(e.value)
    assert simulation.q[1] < -0.1  # the state is kept
    assert simulation.time == pytest.approx(float(str(e.value).split(' at ')[1].split(' s')[0]))
    simulation.configure(max_depth_ratio=0)
    simulation.step(10)


def test_an_open_energy_balance_is_seen_within_a_hundred_steps(simulated):
    # One step of the fall through the floor's whole potential, without substeps.
    simulation = simulated(stiffness=1e9, velocity=-20.0, max_substeps=1)
    with pytest.raises(sc.DivergenceError, match='energy balance is open by') as error:
        simulation.step(1000)
    assert simulation.steps <= 200
    assert 'max_residual 0.01; the state is kept: make step_size smaller' in str(error.value)
    energy = simulation.energy()
    assert abs(energy.residual) > 1e-2 * energy.throughput


def test_unstable_steps_in_a_row_are_counted():
    model = sc.Model()
    joint = {'type': 'prismatic', 'stiffness': 1e9, 'axis': [0, 1, 0]}
    model.add_body('slider', mass=1, inertia={'izz': 1}, joint=joint)
    simulation = sc.Simulation(model, integrator='rk4', max_substeps=8, max_exceeded_steps=1)
    with pytest.raises(sc.DivergenceError, match="'slider': 2 steps in a row") as error:
        simulation.step(1000)
    assert simulation.steps == 2
    text = 'were too long to be stable, more than max_exceeded_steps 1: up to 527'
    assert text in str(error.value)
    assert 'max_substeps is 8; the state is kept: make step_size smaller' in str(error.value)


def test_steps_that_are_not_sound_count_and_guards_never_change_them(simulated):
    guarded = simulated()
    free = simulated(max_residual=0, max_depth_ratio=math.inf, max_exceeded_steps=0)
    guarded.step(1000)
    for _ in range(10):
        free.step(100)
    assert guarded.state_hash() == free.state_hash()


def test_the_residual_of_the_guard_is_that_of_the_energy_ledger():
    for name in ('cart_pole_walls', 'sphere_cuboid', 'rectangle_rectangle'):
        simulation = sc.Simulation(sc.load_model(name), integrator='verlet')
        simulation.step(1000)
        guard = simulation.parts.live.memory.world.guard
        energy = simulation.energy()
        assert guard.residual == pytest.approx(energy.residual, abs=1e-12 * energy.throughput)


def test_limits_that_are_none_are_refused(simulated):
    with pytest.raises(sc.OptionError, match=r'max_residual must be >= 0.*max_exceeded_steps'):
        simulated(max_residual=-1, max_exceeded_steps='many')
    with pytest.raises(sc.OptionError, match='max_depth_ratio'):
        simulated().configure(max_depth_ratio=math.nan)


def test_meeting_a_stop_keeps_the_energy_balance():
    """The drag of a stop sets in with a jump: a step that meets a chosen one is divided."""
    model = sc.Model('arm', dimension=2, gravity=[0.0, 0.0, 0.0])
    joint = {'type': 'revolute', 'limits': {'lower': -1.0, 'upper': 0.0041}}
    arm = {'mass': 1.0, 'inertia': {'izz': 0.01}, 'initial': {'velocity': 3.0}}
    model.add_body('arm', **arm, joint=joint)
    simulation = sc.Simulation(model)
    simulation.step(50)
    energy = simulation.energy()
    assert energy.dissipated > 0.1 * energy.start
    assert abs(energy.residual) < 1e-4 * energy.throughput  # 2e-3 without


def test_a_joint_with_too_much_friction_for_its_inertia_is_named():
    model = sc.Model('wheel', dimension=2)
    joint = {'type': 'revolute', 'damping': 1.0}
    model.add_body(
        'wheel', mass=1.0, inertia={'izz': 1e-7}, joint=joint, initial={'velocity': 1.0}
    )
    simulation = sc.Simulation(model, integrator='rk4')
    with pytest.raises(sc.DivergenceError, match=r"joint 'wheel.*' needs .* for damping 1 on an"):
        simulation.step(10)


def test_a_balance_that_is_open_by_a_tenth_of_the_limit_is_warned_of_once(caplog):
    model = sc.load_model('bouncing_circle')
    open_part = []
    for limit in (0.0, 1.0):  # 0: no limit
        simulation = sc.Simulation(model, max_substeps=1, max_residual=limit)
        simulation.step(1500)
        energy = simulation.energy()
        open_part.append(abs(energy.residual) / energy.throughput)
    assert 'inaccurate' not in caplog.text
    limit = 2.0 * max(open_part)  # so that a tenth of it is exceeded, and the limit is not
    simulation = sc.Simulation(model, max_substeps=1, max_residual=limit)
    for _ in range(3):
        simulation.step(500)
    assert caplog.text.count('results are inaccurate') == 1
