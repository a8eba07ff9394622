"""Bodies that are added to a running simulation, and removed from it."""

import copy
import gc
import threading
import time

from helpers.four_legs import four_legs, HEIGHT
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.errors import ModelError, OptionError
from symcontact_ros.kernels.cache import only_stored

ROOM = """\
name: room
dimension: 3
parameters: {r: {value: 0.1, min: 0.05, max: 0.2}}
materials: {default: {friction: 0.5}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  ball:
    mass: 1
    shapes: [{type: sphere, radius: r}]
    initial: {position: [0, 3, 0.1], velocity: [0.3, 0, 0]}
  rod:
    mass: 1
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}
    com: [0, 0, -0.5]
    joint: {type: revolute, axis: [0, 1, 0], origin: {xyz: [0, -3, 2]}, servo: {kp: 5, kd: 1}}
sensors: [{type: force_torque, name: hinge, joint: rod}]
"""
BLOCK = """\
name: block
dimension: 3
parameters: {side: 0.1}
bodies:
  block:
    mass: 2
    shapes: [{type: sphere, radius: side}]
    sites: {top: {position: [0, 0, side]}}
sensors: [{type: imu, name: imu, site: top}]
"""


@pytest.fixture
def room(write_model):
    return sc.load_model(write_model(ROOM, 'room.yaml'))


@pytest.fixture
def block(write_model):
    return write_model(BLOCK, 'block.yaml')


def same(one, other):
    """Return whether ball and rod are at the same places with the same speeds, bit for bit."""
    q, u = len(other.q), len(other.u)  # what was added comes last
    return np.array_equal(one.q[:q], other.q) and np.array_equal(one.u[:u], other.u)


@pytest.mark.parametrize('integrator', ['rk4', pytest.param('implicit', marks=pytest.mark.deep)])
def test_others_go_on_with_the_same_bits(integrator, room, block):
    sim = sc.Simulation(room, integrator=integrator)
    alone = sc.Simulation(room, integrator=integrator)
    for one in (sim, alone):
        one.set_target('rod', 0.5)
        one.set_wrench('ball', force=(0.1, 0.0, 0.0))
        one.set_parameters({'r': 0.101})
        one.step(200)
    sim.add(block, pose=(5.0, 0.0, 3.0), prefix='a_')
    assert sim.model.body_names[-1] == 'a_block'
    assert sim.time == alone.time
    assert same(sim, alone)
    for one in (sim, alone):
        one.step(300)
    assert same(sim, alone)
    sim.remove('a_')
    for one in (sim, alone):
        one.step(300)
    assert same(sim, alone)
    assert sim.model.to_yaml() == alone.model.to_yaml(), 'nothing is left'
    assert sim.parameters == alone.parameters
    assert sim.parameters['r'] == 0.101
    assert sim.sensors().keys() == {'hinge'}


def test_the_ledger_goes_on_and_what_comes_in_is_work(room, block):
    sim = sc.Simulation(room, integrator='rk4')
    sim.step(400)
    before = sim.energy()
    sim.add(block, pose=(0.0, 0.0, 3.0), prefix='a_')
    after = sim.energy()
    assert after.work_in - before.work_in == pytest.approx(2.0 * 9.81 * 3.0)
    assert after.residual == pytest.approx(before.residual, abs=1e-12)
    assert after.dissipated == before.dissipated
    sim.step(1500)
    fallen = sim.energy()
    assert abs(fallen.residual) < 1e-2 * fallen.work_in
    sim.remove(['a_block'])
    assert sim.energy().residual == pytest.approx(fallen.residual, abs=1e-9)


def test_an_added_body_falls_as_in_a_model_that_had_it(room, block):
    sim = sc.Simulation(room, integrator='rk4')
    sim.add(block, pose=(1.0, 0.0, 0.5), prefix='a_')
    sim.add(block, pose={'position': [-1.0, 0.0, 0.5]}, prefix='b_')
    sim.step(1000)
    heights = [sim.poses()[name].position[2] for name in ('a_block', 'b_block')]
    assert heights == pytest.approx([0.1, 0.1], abs=5e-3)
    assert sim.sensors().keys() == {'hinge', 'a_imu', 'b_imu'}
    assert ('a_block', 'b_block') in sim.pairs
    sim.set_parameters({'b_side': 0.12})
    sim.reset()
    assert sim.time == 0.0
    assert sim.poses()['a_block'].position == pytest.approx([1.0, 0.0, 0.5])


def test_friction_goes_on_holding(write_model, block):
    text = ROOM.replace('friction: 0.5', 'friction: 0.5, presliding: 1.0e-4')
    sim = sc.Simulation(sc.load_model(write_model(text, 'held.yaml')))
    sim.set_wrench('ball', force=(0.2, 0.0, 0.0))
    sim.step(300)
    alone = copy.copy(sim)
    sim.add(block, pose=(5.0, 0.0, 3.0), prefix='a_')
    sim.step(200)
    alone.step(200)
    assert same(sim, alone)


def test_what_does_not_fit_changes_nothing_and_is_told(room, block):
    sim = sc.Simulation(room, integrator='rk4')
    sim.add(block, prefix='a_', pose=(0.0, 0.0, 1.0))
    sim.step(10)
    before, model = sim.save_state(), sim.model
    for arguments, words in (
        ((block, None, 'a_'), "'a_block' already exists: choose another prefix"),
        ((block, None, '1'), "prefix: '1' must be letters"),
        ((block, (1.0,), 'b_'), 'pose must be x, y, z'),
        (('bouncing_circle', None, 'b_'), 'bouncing_circle is planar, and room is spatial'),
    ):
        with pytest.raises(OptionError, match=words):
            sim.add(*arguments)
    with pytest.raises(ModelError, match='no model of this name'):
        sim.add('bal')
    with pytest.raises(OptionError, match='no body or prefix'):
        sim.remove('bal_')
    assert sim.model is model
    assert sim.save_state() == before


def test_everything_can_go_and_come_again(room):
    sim = sc.Simulation(room, integrator='rk4')
    sim.step(10)
    sim.remove(['floor', 'ball', 'rod'])
    sim.step(10)
    assert (sim.model.body_names, sim.q.size, sim.time) == ((), 0, pytest.approx(0.02))
    sim.add('floor')
    sim.add(room.__class__.from_description(room.contents), prefix='x_')
    sim.step(10)
    assert sim.model.body_names == ('floor', 'x_floor', 'x_ball', 'x_rod')


@pytest.mark.deep
def test_a_robot_stands_and_the_second_one_is_known(write_model, room):
    robot = write_model(four_legs(), 'four_legs.urdf')
    part = sc.load_model(robot, base='free', servo='auto')
    sim = sc.Simulation(room, integrator='rk4')
    for number in range(3):
        began = time.process_time()
        sim.add(part, pose=(float(number), 0.0, HEIGHT), prefix=f'r{number}_')
        spent = time.process_time() - began
    assert spent < 1.0, 'from the cache; measured: 0.3 s'
    sim.step(1500)
    for number in range(3):
        trunk = sim.poses()[f'r{number}_trunk']
        assert trunk.position[2] == pytest.approx(HEIGHT, abs=0.03)
        assert abs(trunk.quaternion[3]) > 0.99
    sim.remove('r1_')
    assert sum(name.startswith('r') for name in sim.model.joint_names) == 2 * 8 + 1
    sim.step(100)


def test_another_thread_prepares_while_steps_are_made(room, block):
    sim = sc.Simulation(room, integrator='rk4')
    part = sc.load_model(block)
    made = []
    wanted = sc.Simulation(room, integrator='rk4')
    wanted.add(part, prefix='a_', pose=(0.0, 0.0, 2.0))
    worker = threading.Thread(target=lambda: made.append(sim.prepared(wanted.model)))
    worker.start()
    while worker.is_alive():
        sim.step(10)
    steps = sim.steps
    sim.exchange(made[0])
    assert sim.steps == steps
    assert sim.model.body_names[-1] == 'a_block'
    with pytest.raises(OptionError, match='prepared'):
        sim.exchange(sim)


def cycles(sim, part, count):
    for _ in range(count):
        sim.add(part, prefix='a_', pose=(0.0, 0.0, 2.0))
        sim.step(2)
        sim.remove('a_')
    gc.collect()
    return len(gc.get_objects()), threading.active_count()


@pytest.mark.parametrize('count', [5, pytest.param(200, marks=pytest.mark.deep)])
def test_coming_and_going_leaves_nothing(count, room, block):
    sim = sc.Simulation(room, integrator='rk4')
    part = sc.load_model(block)
    cycles(sim, part, 3)
    objects, threads = cycles(sim, part, 3)
    more = cycles(sim, part, count)
    assert more[1] == threads
    assert more[0] - objects < 20, 'nothing grows with the number of them'


GROUND = """\
name: ground
dimension: 3
materials: {soil: {friction: 0.8}, pairs: [{bodies: [ground, '*'], material: soil}]}
bodies:
  ground: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
"""
BALL = """\
name: ball
dimension: 3
bodies:
  ball: {{mass: {mass}, shapes: [{{type: sphere, radius: 0.1}}]}}
"""


def test_what_is_heavier_leaves_the_contacts_of_others_as_they_are(write_model):
    """A chosen stiffness is that of the heaviest pair of a material; others have ratios to it."""

    def depths(*masses):
        ground = sc.load_model(write_model(GROUND, 'ground.yaml'), complete=False)
        simulation = sc.Simulation(ground, integrator='rk4')
        for number, mass in enumerate(masses):
            file = write_model(BALL.format(mass=mass), f'ball_{mass}.yaml')
            simulation.add(file, [number, 0, 0.1], f'b{number}_')
        if len(masses) > 1:
            simulation.remove('b1_')
            simulation.add(file, [2, 0, 0.1], 'b1_')
        simulation.step(2000)
        return [-contact.distance for contact in simulation.contacts()]

    (alone,) = depths(1)
    assert depths(1, 50) == pytest.approx([alone, alone], rel=1e-6), 'of the size of the balls'
    assert alone == pytest.approx(0.005 * 0.2, rel=0.05)


BOX = """\
name: box
dimension: 3
bodies:
  box: {mass: 1, shapes: [{type: box, half_extents: [0.1, 0.1, 0.1]}]}
"""


def test_a_second_instance_needs_no_kernels_that_the_first_has_not(write_model):
    """Two boxes may touch each other; the code for that is there before the second comes."""

    def kernels():
        return list(simulation.parts.live.memory.layout.pairs)

    ground = sc.load_model(write_model(GROUND, 'ground.yaml'), complete=False)
    box = write_model(BOX, 'box.yaml')
    simulation = sc.Simulation(ground, integrator='rk4')
    simulation.add(box, [0, 0, 0.1], 'first_')
    alone = kernels()
    assert len(alone) == 2, 'with the ground, and with another box'
    with only_stored():
        simulation.add(box, [0.05, 0, 0.3], 'second_')
    assert kernels() == alone
    simulation.step(2000)
    assert simulation.contacts()[-1].distance < 0.0
    # Each contact rests at a depth of about 0.5 % of the boxes, 1 mm.
    assert simulation.poses()['second_box'].position[2] == pytest.approx(0.2975, abs=1e-3)
    with only_stored():
        simulation.remove('first_')
    assert kernels() == alone
