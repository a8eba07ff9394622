"""Friction that sticks: no creep below the cone, Coulomb beyond it, anchors in the state."""

import copy
import math

import numpy as np
import pytest
from validation import ball, block, floor, G, model, residual, simulation, up

import symcontact_ros as sc

MU, DELTA = 0.6, 1e-4
# A linear contact that comes to rest within a few milliseconds.
FIRM = {'law': 'linear', 'stiffness': 1e5, 'damping': 10.0, 'friction': MU}
HALF = {2: [0.1, 0.1], 3: [0.1, 0.1, 0.1]}
EXPLICIT = ('rk4', 'verlet', 'semi_implicit')


def scene(d, bodies, degrees=0.0, **material):
    """Return a model whose floor is level and whose gravity is that of a slope towards +x."""
    angle = math.radians(degrees)
    gravity = G * math.sin(angle) * np.array([1.0, 0.0, 0.0]) - G * math.cos(angle) * up(d)
    made = sc.Model('sticking', dimension=d, gravity=gravity.tolist())
    made.add_material('default', **{**FIRM, **material})
    for name, keys in bodies.items():
        made.add_body(name, **keys)
    return made


def resting(d, degrees=0.0, **material):
    """Return a block that lies on the floor, as deep as it rests."""
    depth = G * math.cos(math.radians(degrees)) / FIRM['stiffness']
    place = (0.1 - depth) * up(d)
    return scene(d, {'floor': floor(d), 'box': block(d, HALF[d], place)}, degrees, **material)


def anchors(simulated):
    return simulated.parts.live.memory.anchors


def creep(simulated):
    """Return how far the first body moves between 0.5 and 5 s [m]."""
    simulated.step(500)
    start = simulated.q[:3].copy()
    simulated.step(4500)
    return np.abs(simulated.q[:3] - start).max()


@pytest.mark.parametrize('integrator', EXPLICIT)
@pytest.mark.parametrize('d', [2, 3])
def test_a_box_on_a_slope_below_the_cone_does_not_creep(d, integrator):
    running = simulation(resting(d, 15.0), integrator)
    assert creep(running) < 1e-9  # regularised friction: 0.1 m
    down = G * math.sin(math.radians(15.0))
    assert running.contact_wrench('box').force[0] == pytest.approx(-down, rel=1e-9)


def test_a_box_sticks_with_convex_programs_too():
    plank = {'fixed': True, 'shapes': [{'type': 'rectangle', 'half_extents': [1.0, 0.1]}]}
    box = block(2, HALF[2], (0.2 - G / 1e5) * up(2))
    made = scene(2, {'plank': plank, 'box': box}, 15.0)
    for detector in ('sat', 'co'):
        assert creep(simulation(made, detector=detector)) < 1e-9
    assert creep(simulation(resting(3, 15.0), detector='co')) < 1e-9


@pytest.mark.parametrize('integrator', EXPLICIT)
@pytest.mark.parametrize('d', [2, 3])
def test_above_the_cone_it_slides_as_coulomb_says(d, integrator):
    running = simulation(resting(d, 40.0), integrator)
    running.step(200)
    speed = running.u[0]
    running.step(500)
    slope = math.radians(40.0)
    expected = G * (math.sin(slope) - MU * math.cos(slope))
    assert (running.u[0] - speed) / 0.5 == pytest.approx(expected, rel=1e-3)
    assert anchors(running)['slides'].all()
    lengths = np.linalg.norm(anchors(running)['stretch'], axis=1)
    assert lengths == pytest.approx(DELTA, rel=1e-12)


def test_the_anchor_is_a_spring_whose_energy_is_in_the_ledger():
    """Below breakaway s = F delta / mu N, and the energy F s / 2."""
    running = simulation(resting(2))
    push = 0.5 * MU * G
    before = running.energy().elastic
    running.set_wrench('box', force=(push, 0.0, 0.0), point=(0.0, 0.0, 0.0))
    running.step(2000)
    stretch = 0.5 * DELTA
    # The lever of the push is that of the start: it tilts the box a little.
    assert running.q[0] == pytest.approx(stretch, rel=1e-3)
    energy = running.energy()
    assert energy.elastic - before == pytest.approx(0.5 * push * stretch, rel=1e-3)
    assert energy.dissipated > 0.0
    assert residual(running) < 1e-9


@pytest.mark.parametrize('integrator', EXPLICIT)
def test_static_friction_holds_up_to_the_breakaway(integrator):
    running = simulation(resting(2, static_friction=0.9), integrator)
    held = []
    for part in (0.65, 0.8, 0.85, 0.89, 0.91):  # a jump would make it rock beyond the limit
        running.set_wrench('box', force=(part * G, 0.0, 0.0), point=(0.0, 0.0, 0.0))
        running.step(500)
        held.append(abs(running.u[0]) < 1e-6)
    assert held == [True, True, True, True, False]
    # Once it slides, the smaller coefficient holds, and the push may be less.
    running.set_wrench('box', force=(0.7 * G, 0.0, 0.0), point=running.contacts()[0].point)
    speed = running.u[0]
    running.step(100)
    assert running.u[0] - speed == pytest.approx(0.1 * 0.1 * G, rel=1e-3)


@pytest.mark.parametrize('integrator', EXPLICIT)
def test_spin_on_one_point_stops_in_the_time_of_the_formula(integrator):
    """A ball that spins about the normal: I dw/dt = - mu N r_p."""
    radius, spin = 0.02, 10.0
    top = ball(3, 0.1, (0.1 - G / 1e5) * up(3), angular_velocity=[0.0, 0.0, spin])
    made = scene(3, {'floor': floor(3), 'ball': top}, torsional_radius=radius)
    running = simulation(made, integrator)
    rate = MU * G * radius / (0.4 * 0.1**2)
    running.step(200)
    assert running.u[5] == pytest.approx(spin - 0.2 * rate, rel=1e-6)
    torque = running.contacts()[0].torque  # on the floor, which is B
    assert torque == pytest.approx([0.0, 0.0, MU * G * radius], rel=1e-9)
    assert running.contact_wrench('ball').torque == pytest.approx(-torque, rel=1e-9)
    assert running.snapshot().pairs[0].wrench.torque == pytest.approx(torque, rel=1e-9)
    running.step(int(1e3 * spin / rate) - 200 - 10)
    assert running.u[5] > 0.2
    running.step(1000)
    assert abs(running.u[5]) < 1e-6
    assert residual(running) < (1e-3 if integrator == 'semi_implicit' else 1e-7)


@pytest.mark.parametrize('d', [2, 3])
def test_a_ball_rolls_without_slip(d):
    """Down a slope: a = g sin / (1 + I / m r^2), and the slip is none."""
    place = (0.1 - G / 1e5) * up(d)
    running = simulation(scene(d, {'floor': floor(d), 'ball': ball(d, 0.1, place)}, 10.0))
    running.step(1000)
    kappa = {2: 0.5, 3: 0.4}[d]
    twist = running.twists()['ball']
    assert twist.linear[0] == pytest.approx(
        G * math.sin(math.radians(10.0)) / (1.0 + kappa), rel=1e-3
    )
    turn = -twist.angular[2] if d == 2 else twist.angular[1]
    arm = 0.1 - G * math.cos(math.radians(10.0)) / 2e5  # to the contact point
    assert twist.linear[0] - arm * turn == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize('integrator', ['verlet', 'semi_implicit'])
def test_anchors_turn_with_what_they_hold(integrator):
    """A block on a turntable stays where it is on it, for a turn."""
    rate, arm = 4.0, 0.2
    table = {
        'mass': 1000.0,
        'shapes': [{'type': 'box', 'half_extents': [0.5, 0.5, 0.1]}],
        'joint': {'type': 'revolute', 'name': 'axle', 'axis': [0, 0, 1]},
        'initial': {'velocity': rate},
    }
    speed = {'velocity': [0.0, arm * rate, 0.0], 'angular_velocity': [0, 0, rate]}
    box = block(3, [0.05] * 3, [arm, 0.0, 0.15], **speed)
    running = simulation(scene(3, {'table': table, 'box': box}), integrator)
    running.step(100)

    def place():
        pose, angle = running.poses()['box'], running.q[0]
        x, y, _ = pose.position
        return math.hypot(x, y), math.remainder(math.atan2(y, x) - angle, 2.0 * math.pi)

    radius, angle = place()
    running.step(1600)
    # A third of the weight as centripetal force stretches the anchors; nothing slips.
    assert place()[0] == pytest.approx(radius, abs=1e-6)
    assert arm * (place()[1] - angle) == pytest.approx(0.0, abs=1e-6)


def test_the_reference_integrator_has_the_same_friction():
    made = resting(2, 15.0)
    runs = []
    for integrator in ('reference', 'rk4'):
        running = simulation(made, integrator)
        running.set_state(u=[0.02, 0.0, 0.0])
        running.step(20)
        runs.append(running)
    # The reference cuts anchors at the end of steps, the other at that of substeps.
    assert runs[1].q == pytest.approx(runs[0].q, abs=2e-6)
    assert residual(runs[0]) < 1e-10


# The state ---------------------------------------------------------------------------------------


def sliding_then_stuck(d=2):
    """Return a block that has slid and is held now."""
    running = simulation(resting(d, 15.0))
    running.set_state(u=[0.2, *[0.0] * (len(running.u) - 1)])
    running.step(150)
    assert len(anchors(running))
    return running


@pytest.mark.parametrize('d', [2, 3])
def test_a_saved_state_with_anchors_goes_on_bit_for_bit(d):
    running = sliding_then_stuck(d)
    saved, mark = running.save_state(), running.state_hash()
    other, twin = simulation(resting(d, 15.0)), copy.copy(running)
    running.step(300)
    other.restore_state(saved)
    assert (other.save_state(), other.state_hash()) == (saved, mark)
    for again in (other, twin):
        again.step(300)
        assert again.state_hash() == running.state_hash()
        assert again.energy() == running.energy()


def test_the_hash_tells_anchors_apart():
    running = sliding_then_stuck()
    mark = running.state_hash()
    anchors(running)['stretch'][0] *= 0.5
    assert running.state_hash() != mark


def test_plain_python_sticks_as_machine_code_does_bit_for_bit(monkeypatch):
    compiled = sliding_then_stuck()
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    assert sliding_then_stuck().state_hash() == compiled.state_hash()


def test_a_state_from_outside_has_no_anchors():
    running = sliding_then_stuck()
    running.set_state(u=np.zeros(3))
    assert not len(anchors(running))
    running.step(10)
    assert len(anchors(running))
    running.reset()
    assert not len(anchors(running))


def test_live_symbols_and_detectors_keep_the_anchors():
    running = simulation(resting(2, 15.0))
    running.step(1000)
    place = running.q.copy()
    running.set_parameters({'materials.default.slip_speed': 0.02})
    running.configure(detector='co')
    running.step(1000)
    assert running.q == pytest.approx(place, abs=1e-12)
    running.set_parameters({'materials.default.friction': 0.2})  # tan 15 degrees is 0.268
    running.step(500)
    assert running.q[0] > place[0] + 0.05


def test_anchors_find_room():
    made = resting(3, 15.0)
    usual, tight = simulation(made), simulation(made)
    tight.parts.live.memory.set_anchor_room(0)
    for running in (usual, tight):
        running.step(50)
    assert tight.state_hash() == usual.state_hash()


# The model file ----------------------------------------------------------------------------------

KEYS = {'presliding', 'torsional_radius', 'static_friction'}


def constants(**material):
    made = sc.Model('x', dimension=2)
    made.add_material('default', **material)
    made.add_body('disc', mass=1.0, shapes=[{'type': 'circle', 'radius': 1.0}])
    return {name.removeprefix('materials.default.') for name in made.parameters} & KEYS


def test_which_materials_stick():
    assert constants() == {'presliding', 'torsional_radius'}
    assert constants(presliding=1e-3, slip_speed=0.1) == {'presliding', 'torsional_radius'}
    assert constants(static_friction=0.4) == KEYS
    assert constants(slip_speed=0.05) == set()
    own = {'normal': 'k * rho', 'tangent': 'mu * f_n * tanh(v_t / vs)'}
    assert constants(law=own) == set()


def test_the_keys_go_through_a_file(tmp_path):
    made = resting(3, static_friction=0.8, torsional_radius=0.01, presliding=2e-4)
    made.to_yaml(tmp_path / 'again.yaml')
    again = sc.load_model(tmp_path / 'again.yaml')
    assert again.parameters == made.parameters
    assert again.parameters['materials.default.static_friction'] == 0.8


@pytest.mark.parametrize(
    ('material', 'reason'),
    [
        ({'presliding': 0.0}, 'presliding: must be > 0'),
        ({'presliding': -1.0}, 'presliding: must be > 0'),
        ({'presliding': 'a'}, 'presliding: unknown parameter'),
        ({'torsional_radius': -1.0}, 'torsional_radius: must be >= 0'),
        ({'static_friction': -1.0}, 'static_friction: must be >= 0'),
        ({'friction': 0.5, 'static_friction': 0.4}, 'must be >= friction, which is 0.5, got 0.4'),
        ({'slip_speed': 0.05, 'static_friction': 0.4}, 'give presliding beside static_friction'),
        ({'slip_speed': 0.05, 'torsional_radius': 0.1}, 'give presliding beside torsional'),
        ({'law': {'normal': 'k * rho'}, 'presliding': 1e-4}, 'has friction of its own'),
    ],
)
def test_bad_constants_of_friction_are_faults(material, reason):
    with pytest.raises(sc.ModelError, match=reason):
        constants(**material)


@pytest.mark.parametrize(
    ('name', 'value', 'reason'),
    [
        ('presliding', 0.0, 'must be within'),
        ('torsional_radius', -1.0, 'must be within'),
        ('static_friction', 0.1, 'must be >= friction'),
        ('friction', 0.9, 'must be >= friction, which is 0.9, got 0.8'),
    ],
)
def test_a_running_simulation_refuses_them_too(name, value, reason):
    running = simulation(resting(2, static_friction=0.8))
    with pytest.raises(sc.OptionError, match=reason):
        running.set_parameters({f'materials.default.{name}': value})


def test_regularised_friction_is_what_it_was():
    """A material with slip_speed alone: mu F_N tanh(v_T / 2 vs), and no memory of it."""
    made = model(2, {'floor': floor(2), 'box': block(2, HALF[2], 0.0999 * up(2))}, G, FIRM)
    running = simulation(made)
    running.set_state(u=[0.01, 0.0, 0.0])
    assert running.parts.live.memory.image['anchors'].size == 0
    for contact in running.contacts():
        force = contact.force if contact.body_b == 'box' else -contact.force
        assert force[0] == pytest.approx(-MU * force[1] * math.tanh(0.5), rel=1e-12)
