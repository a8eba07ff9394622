"""The models of the controller demos, left to themselves."""

import functools

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.expressions import evaluate_all

# How long until each has hit what it can hit [s].
MODELS = {'cart_pole_walls': 2.0, 'wall_push': 2.0, 'docking_probe_drogue': 8.0}


@functools.cache
def run(name):
    """Return a simulation after its time, and the pairs that touched."""
    simulation = sc.Simulation(sc.load_model(name))
    touched = set()
    for _ in range(round(MODELS[name] / 0.004)):
        simulation.step(4)
        touched |= {(contact.body_a, contact.body_b) for contact in simulation.contacts()}
    return simulation, touched


@pytest.mark.parametrize('name', MODELS)
def test_its_ledger_closes(name):
    energy = run(name)[0].energy()
    # Impacts at steps of 1 ms cost RK4 up to 1e-4 of what goes through; these are soft.
    assert abs(energy.residual) <= 1e-5 * energy.throughput
    assert energy.dissipated > 0.0


@pytest.mark.parametrize(
    ('name', 'pair'),
    [
        ('cart_pole_walls', ('cart', 'right_wall')),
        ('wall_push', ('hand', 'wall')),
        ('docking_probe_drogue', ('probe', 'target')),
    ],
)
def test_it_touches_what_it_is_there_to_touch(name, pair):
    assert pair in run(name)[1]


def test_docking_keeps_its_momentum():
    simulation, _ = run('docking_probe_drogue')
    start = sc.Simulation(simulation.model).momentum()
    now = simulation.momentum()
    np.testing.assert_allclose(now.linear, start.linear, atol=1e-12)
    # rk4 keeps angular momentum to its order only.
    np.testing.assert_allclose(now.angular, start.angular, atol=1e-8)


@pytest.mark.parametrize('beta', [0.4, 0.7854, 1.1])
def test_the_plates_of_the_drogue_close_to_a_cone(beta):
    """Half-way up, all around: free just inside of the cone, in a plate just outside of it."""
    model = sc.load_model('docking_probe_drogue', parameters={'beta': beta})
    values = model.parameters
    plates = [
        (
            plate.shape.evaluated(values),
            sc.Pose(
                np.array(evaluate_all(plate.placement.position, values)),
                np.array(plate.placement.rotation.evaluated(values)),
            ),
        )
        for plate in model.body('target').shapes[1:]
    ]
    port, half_way = -0.115, 0.5 * values['s']
    reach = values['r0'] + half_way * np.sin(beta)  # of the middle of a plate
    for angle in np.linspace(0.0, 2.0 * np.pi, 49):
        # An octagon: the radius of its corners is larger than that of its sides.
        side = reach / np.cos((angle + np.pi / 8) % (np.pi / 4) - np.pi / 8)
        for radius, inside in ((side - 0.006, True), (side, False)):
            place = [
                port - half_way * np.cos(beta),
                *(radius * np.array([np.cos(angle), np.sin(angle)])),
            ]
            ball = sc.Pose(np.array(place), np.array([0.0, 0.0, 0.0, 1.0]))
            distances = [sc.proximity(sc.Sphere(1e-4), ball, *plate).distance for plate in plates]
            assert (min(distances) > 0.0) == inside, (angle, radius, min(distances))


@pytest.mark.parametrize('name', MODELS)
def test_check_tells_its_sensors(name, capsys):
    assert main(['check', name]) == 0
    assert 'sensor' in capsys.readouterr().out
