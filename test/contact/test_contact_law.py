"""Contact laws: the three of the package, laws of model files, and the choice of constants."""

import math

import numpy as np
import pytest
from validation import ball, block, floor, G, model, residual, simulation, up
from validation.normal_law import dropped, height_and_speed
from validation.oracles import restitution

import symcontact_ros as sc
from symcontact_ros.contact import laws
from symcontact_ros.contact.constants import damping_for, stiffness_for
from symcontact_ros.contact.material import Material, MaterialRecord
from symcontact_ros.kernels.functions import compile_functions
from symcontact_ros.kernels.records import Image

EXPONENTS = {name: laws.law_named(name).exponent for name in laws.names()}

FRICTION = 'mu * f_n * tanh(v_t / (2 * vs))'
WRITTEN_OUT = {
    'elastic_plastic': 'k * rho * rho * rho * (1 - c * v_n)',
    'hunt_crossley': 'k * rho * sqrt(rho) * (1 - c * v_n)',
    'linear': 'k * rho * (1 - c * v_n)',
}
CONSTANTS = {'stiffness': 1e6, 'damping': 0.4, 'friction': 0.5, 'slip_speed': 0.05}
STIFFNESS = {'elastic_plastic': 1e6, 'hunt_crossley': 2e4, 'linear': 2e3}


def thrown(d, **material):
    """Return a ball and a block that are thrown on the floor, turning."""
    spin = 4.0 if d == 2 else [4.0, -3.0, 2.0]
    half = [0.15, 0.1] if d == 2 else [0.15, 0.12, 0.1]
    velocity = np.array([1.0, 0.0, 0.0]) - 2.0 * up(d)
    bodies = {
        'floor': floor(d),
        'ball': ball(d, 0.2, 0.25 * up(d), velocity=velocity, angular_velocity=spin),
        'block': block(d, half, 0.75 * up(d), velocity=velocity, angular_velocity=spin),
    }
    return model(d, bodies, G, {**CONSTANTS, **material})


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize('law', EXPONENTS)
def test_a_law_written_out_is_the_law_of_the_package(dimension, law):
    custom = {'normal': WRITTEN_OUT[law], 'tangent': FRICTION}
    runs = []
    for form in (law, custom):
        running = simulation(thrown(dimension, law=form, stiffness=STIFFNESS[law]), max_substeps=1)
        running.step(200)
        assert running.contacts()
        runs.append(running)
    ours, written = runs
    # The same numbers in another order: rounding, which two impacts make larger.
    assert written.q == pytest.approx(ours.q, abs=1e-10)
    assert written.u == pytest.approx(ours.u, abs=1e-9)
    pairs = zip(ours.contacts(), written.contacts(), strict=True)
    assert all(a.force == pytest.approx(b.force, rel=1e-6, abs=1e-6) for a, b in pairs)
    # The energy of a law of a file is integrated by Simpson's rule, of a root to 1e-5.
    tolerance = 1e-4 if law == 'hunt_crossley' else 1e-8
    assert written.energy().elastic == pytest.approx(ours.energy().elastic, rel=tolerance)


@pytest.mark.parametrize('law', EXPONENTS)
def test_a_law_written_out_asks_for_as_many_parts_of_a_step(law):
    custom = {'normal': WRITTEN_OUT[law], 'tangent': FRICTION}
    stiff = {'stiffness': 1e4 * STIFFNESS[law], 'slip_speed': 0.005}
    counts = []
    for form in (law, custom):
        running = simulation(thrown(2, law=form, **stiff), max_residual=0)  # too stiff for 1 ms
        running.step(100)
        counts.append(running.counters['substeps'])
    assert counts[0] > 0
    # The slope of a law of a file is a difference quotient: a part more or less may be asked for.
    assert counts[1] == pytest.approx(counts[0], rel=0.02)


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize('law', [*EXPONENTS, {'normal': 'k * rho**2 * (1 - c * v_n)'}])
def test_restitution_is_that_of_the_formula_for_every_exponent(dimension, law):
    stiffness = {**STIFFNESS, 'custom': 1e5}[law if isinstance(law, str) else 'custom']
    made = dropped(dimension, 0.02, 1.5, law=law, stiffness=stiffness, damping=0.6)
    running = simulation(made, h=2e-5)
    running.step(20000)
    # A linear spring begins with a kink: order 2 there; the others are better.
    found = height_and_speed(running)[1] / 1.5
    assert found == pytest.approx(restitution(0.9), abs=1e-6)
    assert residual(running) < 1e-6


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize('law', [*EXPONENTS, {'normal': 'k * rho**2 * (1 - c * v_n)'}])
def test_no_law_ever_pulls(dimension, law):
    random = np.random.default_rng(11)
    running = simulation(thrown(dimension, law=law))
    for _ in range(60):
        running.set_state(u=random.normal(0.0, 8.0, len(running.u)))  # often beyond 1 / c
        for contact in running.contacts():
            assert contact.force @ contact.normal >= 0.0
        running.step(5)


def test_a_law_that_would_pull_at_rest_is_refused():
    with pytest.raises(sc.ModelError, match='normal'):
        dropped(2, -0.01, 0.0, law={'normal': 'k * (rho - 0.05)'})


def test_friction_of_a_model_file_never_drives():
    law = {'normal': 'k * rho', 'tangent': 'f_n * (0.2 - v_t)'}  # would drive beyond 0.2 m/s
    start = ball(2, 0.2, 0.19 * up(2), inertia={'izz': 1e9})
    running = simulation(model(2, {'floor': floor(2), 'ball': start}, 0.0, {'law': law}))
    for speed in (-0.5, -0.1, 0.1, 0.19, 0.5):
        running.set_state(u=[speed, 0.0, 0.0])
        pushed = running.contact_wrench('ball').force
        expected = max(0.0, 0.2 - abs(speed)) * pushed[1]
        assert pushed[0] == pytest.approx(-math.copysign(expected, speed), abs=1e-9)


@pytest.mark.parametrize('dimension', [2, 3])
def test_a_law_of_a_model_file_names_parameters_and_they_are_live(dimension, write_model):
    axis = 'y' if dimension == 2 else 'z'
    text = f"""\
dimension: {dimension}
gravity: {[0, -9.81, 0] if dimension == 2 else [0, 0, -9.81]}
parameters: {{stiff: 2000.0}}
materials: {{default: {{law: {{normal: stiff * rho * (1 - c * v_n), tangent: 0}}, damping: 20}}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space, normal: {up(dimension).tolist()}}}]}}
  ball:
    mass: 1
    shapes: [{{type: {'circle' if dimension == 2 else 'sphere'}, radius: 0.2}}]
    initial: {{position: {(0.2 * up(dimension)).tolist()}}}
"""
    running = simulation(sc.load_model(write_model(text)))
    for stiffness in (2000.0, 3000.0):
        running.set_parameters({'stiff': stiffness})
        running.step(10000)
        (contact,) = running.contacts()
        assert -contact.distance == pytest.approx(G / stiffness, rel=1e-9), axis
    assert residual(running) < 1e-6


@pytest.mark.parametrize('law', laws.LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize('v_n', [-0.7, 0.0, 0.4])
def test_energy_force_and_derivatives_of_a_law_belong_together(law, v_n):
    formulas = {'normal': 'k * rho**2 * (1 - c * v_n) + 3 * rho', 'tangent': FRICTION}
    given = formulas if law.has_formulas else law.name
    made = dropped(2, 0.1, 0.0, law=given, **CONSTANTS)
    material, values = made.materials['default'], made.parameters
    record = Image(MaterialRecord, {'own': len(law.own_names(material))}).record
    laws.write_material(record, material, values)
    if law.has_formulas:
        (program,) = compile_functions([law.program_of(material)]).values()
        record.program = program.register()
    rho, h, e = 0.03, 1e-6, 1e-5  # [m], [m], [m/s]

    def force(depth, speed):
        return law.damping.force(record, law.elastic(record, depth), depth, speed)

    def difference(function, at, step):
        return (function(at + step) - function(at - step)) / (2.0 * step)

    # Central differences: errors of (h / rho)^2 = 1e-9 and of rounding, 1e-16 rho / h; custom laws
    # have difference quotients themselves, of 1e-6.
    close = {'rel': 1e-7 if not law.has_formulas else 1e-5}
    elastic = law.elastic(record, rho)
    stored = difference(lambda x: law.energy(material, values, x), rho, h)
    assert stored == pytest.approx(elastic.force, **close)
    assert difference(lambda x: law.elastic(record, x).force, rho, h) == pytest.approx(
        elastic.slope, **close
    )
    by_depth, by_speed = law.damping.gradient(record, elastic, rho, v_n)
    assert difference(lambda x: force(x, v_n), rho, h) == pytest.approx(by_depth, **close)
    assert difference(lambda v: force(rho, v), v_n, e) == pytest.approx(by_speed, **close)
    slow = law.friction.force(record, rho, v_n, 2.0, 1e-6) / 1e-6
    assert law.friction.rate(record, rho, v_n, 2.0) == pytest.approx(slow, rel=1e-9)


def test_the_number_of_a_law_is_the_index_of_its_row():
    for number, law in enumerate(laws.LAWS):
        assert laws.law_named(law.name) is law
        record = Image(MaterialRecord, {'own': 0}).record
        laws.write_material(record, Material(law.name, 1.0, 0.0, 0.0, 1.0), {})
        assert record.law == number
    assert laws.DEFAULT in laws.names()
    assert 'custom' not in laws.names()


@pytest.mark.parametrize('restitution_wanted', [0.05, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0])
def test_the_damping_for_a_restitution_gives_it(restitution_wanted):
    for speed in (0.1, 1.0, 7.0):
        c = damping_for(restitution_wanted, speed)
        assert restitution(c * speed) == pytest.approx(restitution_wanted, abs=1e-12)
    made = dropped(2, 0.01, 1.0, stiffness=1e5, damping=damping_for(restitution_wanted, 1.0))
    running = simulation(made, h=1e-4)
    running.step(10000)
    assert height_and_speed(running)[1] == pytest.approx(restitution_wanted, abs=1e-7)


@pytest.mark.parametrize(
    ('e', 'x'), [(0.9, 0.16648), (0.8, 0.37315), (0.7, 0.63483), (0.5, 1.43275), (0.3, 3.08708)]
)
def test_the_damping_for_a_restitution_is_that_of_the_table(e, x):
    assert damping_for(e, 1.0) == pytest.approx(x, abs=1e-5)  # the table has five digits


@pytest.mark.parametrize('law', EXPONENTS)
def test_the_stiffness_for_a_rest_depth_gives_it(law):
    exponent, depth = EXPONENTS[law], 0.004
    k = stiffness_for(depth, G, exponent)
    assert k * depth**exponent == pytest.approx(G, rel=1e-14)
    running = simulation(dropped(2, -depth, 0.0, G, law=law, stiffness=k))
    running.step(1000)
    assert height_and_speed(running)[0] == pytest.approx(-depth, abs=1e-14)


def test_rest_depth_and_restitution_of_a_material_are_reached(write_model):
    text = """\
materials: {default: {rest_depth: 0.003, restitution: 0.6, impact_speed: 2.0, friction: 0}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  ball: {mass: 3, shapes: [{type: circle, radius: 0.2}], initial: {position: [0, 0.197, 0]}}
"""
    running = simulation(sc.load_model(write_model(text)), h=1e-4)
    running.step(1000)
    assert running.q[1] == pytest.approx(0.197, abs=1e-12)
    running.set_parameters({'gravity.y': 0.0})
    running.set_state(q=[0.0, 0.201, 0.0], u=[0.0, -2.0, 0.0])
    running.step(1000)
    assert running.u[1] == pytest.approx(1.2, abs=1e-5)


@pytest.mark.parametrize('dimension', [2, 3])
def test_all_points_of_a_face_share_the_stiffness(dimension):
    half = 0.15
    depth = (G / CONSTANTS['stiffness']) ** (1.0 / 3.0)
    bodies = {
        'floor': floor(dimension),
        'box': block(dimension, [half] * dimension, (half - depth) * up(dimension)),
    }
    made = model(dimension, bodies, G, CONSTANTS)
    shared, single = simulation(made), simulation(made, manifold='single')
    assert len(shared.contacts()) == 2 ** (dimension - 1)
    assert len(single.contacts()) == 1
    for running in (shared, single):
        total = running.contact_wrench('box').force @ up(dimension)
        assert total == pytest.approx(G, rel=1e-12)


@pytest.mark.parametrize('dimension', [2, 3])
def test_friction_is_against_the_slip_and_as_large_as_the_law_says(dimension):
    d = dimension
    random = np.random.default_rng(4)
    start = ball(d, 0.2, 0.19 * up(d))
    running = simulation(model(d, {'floor': floor(d), 'ball': start}, 0.0, CONSTANTS))
    for _ in range(50):
        u = random.normal(0.0, 0.2, len(running.u))
        running.set_state(u=u)
        (contact,) = running.contacts()
        twist = running.twists()['ball']
        centre = running.poses()['ball'].position
        velocity = twist.linear + np.cross(twist.angular, contact.point - centre)
        force = running.contact_wrench('ball').force
        normal = force @ up(d)
        slip = velocity - velocity @ up(d) * up(d)
        speed = float(np.linalg.norm(slip))
        pushed = CONSTANTS['stiffness'] * 0.01**3 * (1.0 - 0.4 * velocity @ up(d))
        assert normal == pytest.approx(max(0.0, pushed), rel=1e-9)
        expected = -0.5 * normal * math.tanh(speed / 0.1) * slip / speed
        assert force - normal * up(d) == pytest.approx(expected, abs=1e-12 + 1e-9 * normal)
