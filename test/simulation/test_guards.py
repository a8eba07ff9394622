"""Runs whose results are finite but wrong stop with what is wrong, and sound ones never do."""

import math
import re

from helpers.model_texts import RUINED
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.world.guard_records import OPEN, SOUND

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
    with pytest.raises(sc.DivergenceError, match=r'ball - floor: 0\.2\d* m deep in .* 1\.0') as e:
        simulation.step(10_000)
    assert 'max_depth_ratio 1; the state is kept: make the stiffness higher' in str(e.value)
    assert simulation.q[1] < -0.1  # the state is kept
    told = re.search(r'step to ([\d.]+) s', str(e.value))
    assert simulation.time == pytest.approx(float(told[1]))
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


def test_every_call_ends_with_a_look_at_the_energy(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(RUINED)), integrator='rk4')
    with pytest.raises(sc.DivergenceError, match='energy balance is open by'):
        simulation.step(12)
    assert simulation.steps == 12
    assert simulation.energy().kinetic > 1e5  # J: the state is kept


def test_a_look_at_the_end_of_a_call_changes_nothing_that_comes_later():
    model = sc.load_model('cart_pole_walls')
    whole, cut = sc.Simulation(model), sc.Simulation(model)
    whole.step(250)  # beyond two looks of a long run
    for count in (1, 98, 1, 1, 49, 99, 1):
        cut.step(count)
    assert cut.save_state() == whole.save_state()
    one, other = (own.parts.live.memory.world.guard for own in (whole, cut))
    assert (one.throughput, one.unchecked) == (other.throughput, other.unchecked)


def test_only_the_end_of_a_call_is_looked_at_and_not_that_of_its_pieces(write_model):
    """How many pieces a call has depends on the clock, and what stops it must not."""
    simulation = sc.Simulation(sc.load_model(write_model(RUINED)), integrator='rk4')
    compiled = simulation.parts.compiled_steps
    compiled.go_on(True)
    assert compiled.advance(12) == 12
    assert simulation.parts.live.memory.world.guard.reason == SOUND
    compiled.go_on(False)
    assert compiled.advance(1) == 0
    assert simulation.parts.live.memory.world.guard.reason == OPEN


@pytest.mark.parametrize('integrator', ['rk4', 'implicit', 'reference'])
def test_no_call_ends_deeper_than_the_limit(simulated, integrator):
    simulation = simulated(stiffness=1.0, velocity=-3.0, integrator=integrator, max_residual=0)
    with pytest.raises(sc.DivergenceError, match='ball - floor: ') as error:
        for _ in range(200):
            simulation.step(1)
            assert simulation.proximities()[0].penetration <= 0.2
    # The first state beyond the limit, by less than it moves in a step, and said to be.
    depth = simulation.proximities()[0].penetration
    assert 0.2 < depth < 0.2 + 1.1e-3 * abs(simulation.u[1])
    told, ratio = re.findall(r'([\d.]+) m deep|, ([\d.]+) of the', str(error.value))
    assert float(told[0]) == pytest.approx(depth, rel=1e-2)  # three digits
    assert float(ratio[1]) == pytest.approx(depth / 0.2, rel=1e-2)


def test_numbers_of_a_contact_that_was_too_deep_within_a_step_break_its_limit(simulated):
    """At the end of the step, which ends it, the ball is out again."""
    simulation = simulated(stiffness=1e9, height=-0.15, velocity=60.0, max_residual=0)
    with pytest.raises(sc.DivergenceError, match='max_depth_ratio 1;') as error:
        simulation.step(1)
    assert simulation.q[1] > 0.1
    ratio = re.search(r', ([\d.]+) of the thinner body', str(error.value))
    assert float(ratio[1]) > 1.0


TAGGED = """
dimension: 3
materials: {default: {law: linear, stiffness: 1e4, damping: 0.1, friction: 0.5}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  base: {mass: 1, shapes: [{type: box, half_extents: [0.1, 0.1, 0.1]}],
         initial: {position: [0, 0, 0.11]}}
  tag: {mass: 0.001, shapes: [{type: box, half_extents: [0.02, 0.02, 0.000125]}],
        joint: {type: fixed, parent: base, origin: {xyz: [0, 0, -0.100125]}}}
"""


@pytest.mark.parametrize('integrator', ['rk4', 'implicit'])
def test_a_thin_tag_is_as_thick_as_the_body_that_it_is_stuck_on(write_model, integrator):
    simulation = sc.Simulation(sc.load_model(write_model(TAGGED)), integrator=integrator)
    deepest = 0.0
    for _ in range(60):
        simulation.step(2)
        near = [p for p in simulation.proximities() if p.body_b == 'tag']
        deepest = max(deepest, *(p.penetration for p in near))
    assert deepest > 2.0 * 0.00025  # m, and is as deep as the tag is thick, and more


def test_a_lone_tag_and_a_wall_beside_a_floor_are_as_thick_as_they_are(write_model):
    lone = TAGGED.replace(
        'joint: {type: fixed, parent: base, origin: {xyz: [0, 0, -0.100125]}}}',
        'initial: {position: [1, 0, 0.02]}}',
    )
    lone = lone.replace(
        '[{type: half_space}]',
        '[{type: half_space}, {type: box, half_extents:'
        ' [1, 1, 0.001], pose: {position: [0, 0, 2]}}]',
    )
    simulation = sc.Simulation(sc.load_model(write_model(lone)))
    simulation.step(1)
    image = simulation.parts.live.memory.image
    assert sorted(image['shapes']['thickness'].tolist()) == [0.00025, 0.002, 0.2, 1e6]


def test_energies_that_are_no_numbers_stop_a_run(simulated):
    simulation = simulated(max_depth_ratio=0)
    simulation.set_parameters({'ball.mass': 1e10})
    simulation.reset(u=[1e150, 0.0, 0.0])
    with pytest.raises(sc.DivergenceError, match='too large for a number'):
        simulation.step(1)


@pytest.mark.parametrize('integrator', ['implicit', 'implicit2'])
def test_loads_without_a_solution_stop_an_implicit_run(integrator):
    """Their squares are infinite, and so nothing was ever far from the solution."""
    model = sc.load_model('double_pendulum')
    simulation = sc.Simulation(model, integrator=integrator, max_residual=0)
    simulation.set_wrench(model.body_names[-1], force=(1e200, 0.0, 0.0))
    with pytest.raises(sc.DivergenceError, match='has found no velocities'):
        simulation.step(1)
    assert simulation.counters['not_converged'] > 0


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
