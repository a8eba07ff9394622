"""A new contact law takes one file: this one has two, and nothing else knows of them."""

import math

import numpy as np
import pytest
from validation import ball, floor, G, model, residual, simulation, up
from validation.normal_law import bounce, dropped, height_and_speed

import symcontact_ros as sc
from symcontact_ros.contact import laws
from symcontact_ros.contact.base import Damping, Elastic, Law
from symcontact_ros.contact.material import Constant
from symcontact_ros.expressions import evaluate
from symcontact_ros.kernels.targets.native import NATIVE

DETECTORS = ('sat', 'co')
SPEED, STIFFNESS, DASHPOT = 1.0, 1e4, 30.0  # [m/s], [N/m], [N s/m]; the ball has 1 kg


# Kelvin and Voigt: a linear spring beside a dashpot, F = k rho - d v_N -------------------------


def spring(material, rho):
    return Elastic(material.stiffness * rho, material.stiffness)


def dashpot(material, elastic, rho, v_n):
    return elastic.force - material.own[0] * v_n


def dashpot_gradient(material, elastic, rho, v_n):
    return elastic.slope, -material.own[0]


KELVIN_VOIGT = Law(
    'kelvin_voigt',
    'N/m',
    1.0,
    spring,
    Damping(dashpot, dashpot_gradient),
    constants=(Constant('dashpot', 'N s/m', minimum=0.0),),
)


# A stiffening spring, which is no power of the depth: F = k (rho + b rho^3) (1 - c v_N) ---------


def stiffening(material, rho):
    k, b = material.stiffness, material.own[0]
    return Elastic(k * (rho + b * rho * rho * rho), k * (1.0 + 3.0 * b * rho * rho))


class Stiffening(Law):
    def energy(self, material, values, rho):
        k, b = evaluate(material.stiffness, values), evaluate(material.own['growth'], values)
        return k * (0.5 * rho**2 + 0.25 * b * rho**4)

    def faults(self, material, values):
        if evaluate(material.own['growth'], values) > 1e6:
            yield ('growth',), 'must be <= 1e6'


STIFFENING = Stiffening(
    'stiffening',
    'N/m',
    1.0,
    stiffening,
    constants=(Constant('growth', '1/m^2', 100.0, above=0.0),),
)


@pytest.fixture(autouse=True)
def _table(monkeypatch):
    """Enter both laws into the table for the duration of a test."""
    monkeypatch.setattr(laws, 'LAWS', (*laws.LAWS, KELVIN_VOIGT, STIFFENING))


def kelvin_voigt(**keys):
    return {'law': 'kelvin_voigt', 'stiffness': STIFFNESS, 'dashpot': DASHPOT, **keys}


def closed_form():
    """Return how long the force of the spring and dashpot lasts, and the restitution."""
    decay = 0.5 * DASHPOT
    omega = math.sqrt(STIFFNESS - decay**2)
    lasts = (math.pi - math.atan2(2.0 * decay * omega, omega**2 - decay**2)) / omega
    sine, cosine = math.sin(omega * lasts), math.cos(omega * lasts)
    return lasts, -math.exp(-decay * lasts) * (cosine - decay / omega * sine)


@pytest.mark.parametrize('detector', DETECTORS)
@pytest.mark.parametrize('dimension', [2, 3])
def test_a_ball_bounces_as_the_closed_form_of_a_new_law_says(dimension, detector):
    lasts, restitution = closed_form()
    h, gap = 1e-5, 0.001
    running = simulation(dropped(dimension, gap, SPEED, **kelvin_voigt()), h=h, detector=detector)
    heights, speeds = bounce(running, 5000)
    # The force jumps when they touch: the time of that is known to a step, 1e-3 of the whole.
    changes = np.flatnonzero(np.diff(speeds))
    assert h * len(changes) == pytest.approx(lasts, abs=2.0 * h)
    assert h * changes[0] == pytest.approx(gap / SPEED, abs=2.0 * h)
    assert speeds[-1] / SPEED == pytest.approx(restitution, abs=1e-3)
    assert heights[-1] > 0.0
    assert residual(running) < 1e-3


@pytest.mark.parametrize('detector', DETECTORS)
@pytest.mark.parametrize('dimension', [2, 3])
def test_a_ball_turns_at_the_depth_that_stores_its_energy(dimension, detector):
    growth = 1e4
    made = dropped(
        dimension, 0.001, SPEED, law='stiffening', stiffness=STIFFNESS, growth=growth, damping=0.0
    )
    running = simulation(made, h=1e-4, detector=detector)
    heights, speeds = bounce(running, 400)
    # v^2 = k (rho^2 + b rho^4 / 2), a quadratic in rho^2.
    deepest = math.sqrt((math.sqrt(1.0 + 2.0 * growth * SPEED**2 / STIFFNESS) - 1.0) / growth)
    assert min(heights) == pytest.approx(-deepest, rel=1e-4)  # the turn lies between two steps
    # The spring begins with a kink: an error of (omega h)^2 = 1e-4 of what a step does there.
    assert speeds[-1] == pytest.approx(SPEED, abs=1e-5)
    assert residual(running) < 1e-5


@pytest.mark.parametrize('dimension', [2, 3])
def test_a_model_file_names_a_new_law_and_its_constant_is_live(dimension, write_model):
    text = f"""\
dimension: {dimension}
gravity: {(-G * up(dimension)).tolist()}
materials: {{default: {{law: kelvin_voigt, rest_depth: 0.002, dashpot: 30}}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space, normal: {up(dimension).tolist()}}}]}}
  ball:
    mass: 2
    shapes: [{{type: {'circle' if dimension == 2 else 'sphere'}, radius: 0.5}}]
    initial: {{position: {(0.5 * up(dimension)).tolist()}}}
"""
    made = sc.load_model(write_model(text))
    symbol = made.symbols['materials.default.dashpot']
    assert (symbol.value, symbol.unit, symbol.minimum) == (30.0, 'N s/m', 0.0)
    assert made.symbols['materials.default.stiffness'].value == pytest.approx(2.0 * G / 0.002)
    running = simulation(made)
    running.set_parameters({'materials.default.dashpot': 100.0})
    running.step(3000)
    assert height_and_speed(running)[0] == pytest.approx(-0.002, rel=1e-9)
    assert running.energy().elastic == pytest.approx(0.5 * 2.0 * G * 0.002, rel=1e-9)
    assert 'dashpot: 30' in made.to_yaml()


def test_faults_of_a_new_law_are_reported_with_the_others(write_model):
    text = """\
materials:
  a: {law: kelvin_voigt}
  b: {law: kelvin_voigt, dashpot: -1}
  c: {law: stiffening, growth: 1e7}
  d: {law: linear, dashpot: 3}
  e: {law: kelvin_void}
"""
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(write_model(text))
    message = str(caught.value)
    for path, reason in {
        'materials.a.dashpot': 'is missing',
        'materials.b.dashpot': 'must be >= 0',
        'materials.c.growth': 'must be <= 1e6',
        'materials.d.dashpot': 'unknown key',
        'materials.e.law': "did you mean 'kelvin_voigt'",
    }.items():
        assert any(path in line and reason in line for line in message.splitlines()), path


def test_machine_code_of_a_new_law_does_what_plain_python_does(monkeypatch):
    hashes = []
    for has_compiler in (NATIVE.is_available(), False):
        monkeypatch.setattr(NATIVE, 'is_available', lambda found=has_compiler: found)
        start = ball(2, 0.5, 0.499 * up(2), velocity=[0.3, -1.0, 0.0], angular_velocity=2.0)
        bodies = {'floor': floor(2), 'ball': start}
        running = simulation(model(2, bodies, G, kelvin_voigt(friction=0.4)))
        running.step(50)
        hashes.append(running.state_hash())
    assert hashes[0] == hashes[1]


def test_a_law_that_keeps_state_is_refused_until_a_step_has_memory_for_it(monkeypatch):
    sticking = Law('sticking', 'N/m', 1.0, spring, state_slots=2)
    monkeypatch.setattr(laws, 'LAWS', (*laws.LAWS, sticking))
    made = dropped(2, 0.001, SPEED, law='sticking')
    with pytest.raises(sc.OptionError, match=r'materials\.default: .*sticking'):
        simulation(made)
