"""Ellipses and ellipsoids that rock, roll and bounce, with both detectors."""

import math

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main

G = 9.81
STIFFNESS = 1e6  # [N/m]
MASS = 2.0
every_detector = pytest.mark.parametrize('detector', ['sat', 'co'])


def egg_on_floor(dimension, radii, tilt, friction):
    """An egg that stands on its shortest axis, tilted about y (in the plane: z)."""
    down = [0, -G, 0] if dimension == 2 else [0, 0, -G]
    model = sc.Model('egg', dimension=dimension, gravity=down)
    model.add_material(
        'default',
        law='linear',
        stiffness=STIFFNESS,
        damping=0.0,
        friction=friction,
        slip_speed=1e-3,
    )
    up = [0, 1, 0] if dimension == 2 else [0, 0, 1]
    model.add_body('floor', joint={'type': 'fixed'}, shapes=[sc.HalfSpace(up)])
    a, c = radii[0], radii[-1]
    reach = math.hypot(a * math.sin(tilt), c * math.cos(tilt)) - MASS * G / STIFFNESS
    initial = {'position': [reach * x for x in up]}
    initial |= {'angle': tilt} if dimension == 2 else {'rpy': [0, tilt, 0]}
    shape = sc.Ellipse(radii) if dimension == 2 else sc.Ellipsoid(radii)
    model.add_body('egg', mass=MASS, inertia='auto', shapes=[shape], initial=initial)
    return model


@every_detector
@pytest.mark.parametrize('friction', [0.0, 1.0])
@pytest.mark.parametrize(('dimension', 'radii'), [(2, (0.3, 0.2)), (3, (0.3, 0.25, 0.2))])
def test_an_egg_rocks_with_the_period_of_its_curvature(dimension, radii, friction, detector):
    """
    T = 2 pi sqrt(I / (m g (R - h))) for small angles.

    R = a^2 / c is the radius of curvature at the bottom, h = c the height of the centre; I is the
    inertia about the contact if the egg rolls, about the centre if it slips.
    """
    tilt = 0.005
    simulation = sc.Simulation(
        egg_on_floor(dimension, radii, tilt, friction), step_size=5e-4, detector=detector
    )
    times, angles = [], []
    for _ in range(1200):
        simulation.step(5)
        times.append(simulation.time)
        _, y, z, w = simulation.poses()['egg'].quaternion
        angles.append(2.0 * math.atan2(z if dimension == 2 else y, w))
    angles, times = np.array(angles), np.array(times)
    up = np.flatnonzero((angles[:-1] < 0.0) & (angles[1:] >= 0.0))
    crossings = times[up] - angles[up] * (times[up + 1] - times[up]) / (
        angles[up + 1] - angles[up]
    )
    a, c = radii[0], radii[-1]
    inertia = (a * a + c * c) / (4.0 if dimension == 2 else 5.0) + (c * c if friction else 0.0)
    period = 2.0 * math.pi * math.sqrt(inertia / (G * (a * a / c - c)))
    # The amplitude makes 2e-5 of it, static depth and slip of a soft contact 1e-5.
    assert np.diff(crossings).mean() == pytest.approx(period, rel=1e-4)
    energy = simulation.energy()
    assert abs(energy.residual) < 1e-9 * energy.throughput
    (contact,) = simulation.contacts()
    assert contact.force @ contact.normal == pytest.approx(MASS * G, rel=1e-2)


def heap(dimension):
    """Eggs that fall on each other, on a box and on a floor."""
    down = [0, -G, 0] if dimension == 2 else [0, 0, -G]
    model = sc.Model('heap', dimension=dimension, gravity=down)
    up = np.array([0, 1, 0] if dimension == 2 else [0, 0, 1])
    model.add_body('floor', joint={'type': 'fixed'}, shapes=[sc.HalfSpace(up)])
    others = [sc.Rectangle((0.2, 0.1)), sc.Circle(0.1), sc.Capsule(0.08, 0.1)]
    eggs = [sc.Ellipse((0.15, 0.1)), sc.Ellipse((0.06, 0.2))]
    if dimension == 3:
        others = [sc.Box((0.2, 0.2, 0.1)), sc.Cylinder(0.1, 0.1), sc.Sphere(0.1)]
        eggs = [sc.Ellipsoid((0.15, 0.12, 0.1)), sc.Ellipsoid((0.06, 0.2, 0.1))]
    for i, shape in enumerate([others[0], eggs[0], others[1], eggs[1], others[2]]):
        aside = 0.03 * np.array([1.0, 0.0, 0.0]) * (-1) ** i
        place = aside + (0.2 + 0.4 * i) * up
        model.add_body(
            f'body{i}',
            mass=1.0,
            inertia='auto',
            shapes=[shape],
            initial={'position': place.tolist()},
        )
    return model


@every_detector
@pytest.mark.parametrize('dimension', [2, 3])
def test_a_heap_with_eggs_comes_to_rest_and_its_energy_balance_closes(dimension, detector):
    simulation = sc.Simulation(heap(dimension), step_size=1e-3, detector=detector)
    touched = set()
    for _ in range(300):
        simulation.step(10)
        touched |= {frozenset((c.body_a, c.body_b)) for c in simulation.contacts()}
    energy = simulation.energy()
    assert abs(energy.residual) < 1e-6 * energy.throughput
    assert energy.kinetic < 0.05 * energy.throughput
    assert any(pair & {'body1', 'body3'} and 'floor' not in pair for pair in touched)
    positions = np.array([simulation.poses()[f'body{i}'].position for i in range(5)])
    assert positions[:, dimension - 1].min() > 0.04  # nothing has sunk into the floor


EGG = """
format_version: 1
name: egg
dimension: 2
gravity: [0.0, -9.81, 0.0]
duration: 0.5
parameters:
  a: {value: 0.2, min: 0.01, max: 1.0, unit: m, description: longer semi-axis}
bodies:
  floor:
    fixed: true
    shapes: [{type: half_space, normal: [0, 1, 0], offset: 0.0}]
  egg:
    mass: 1.0
    inertia: auto
    shapes: [{type: ellipse, radii: [a, 0.1]}]
    initial: {position: [0, 0.5, 0], angle: 0.5}
"""


def test_the_command_line_checks_simulates_and_plots_an_egg(tmp_path, capsys):
    path, picture = tmp_path / 'egg.yaml', tmp_path / 'egg.png'
    path.write_text(EGG)
    assert main(['check', str(path)]) == 0
    assert main(['simulate', str(path), '--plot', str(picture)]) == 0
    assert picture.stat().st_size > 0
    path.write_text(EGG.replace('[a, 0.1]', '[a, 0.1, 0.2]'))
    assert main(['check', str(path)]) == 2
    assert 'radii: a list of 2 numbers is needed' in capsys.readouterr().err


def test_radii_are_live(tmp_path):
    path = tmp_path / 'egg.yaml'
    path.write_text(EGG)
    simulation = sc.Simulation(sc.load_model(path), proximity_range=10.0)
    for a in (0.2, 0.3):
        simulation.set_parameters({'a': a})
        (found,) = simulation.proximities()
        reach = math.hypot(a * math.sin(0.5), 0.1 * math.cos(0.5))
        assert found.distance == pytest.approx(0.5 - reach, abs=1e-15)
