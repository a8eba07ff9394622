"""The noise of sensors: as large as the file says, and the same for the same seed and step."""

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.observing.sensors import noise_of

# noise ------------------------------------------------------------------------------------------


# At rest, so that noise is all there is.
PENDULUM = """\
gravity: [0, 0, 0]
bodies:
  bob:
    mass: 2
    com: [0.5, 0, 0]
    inertia: {izz: 0.3}
    sites: {tip: {position: [0.8, 0, 0]}}
    joint: {type: revolute, axis: [0, 0, 1], name: pivot}
sensors:
- {type: imu, site: tip, noise: {acceleration: 0.2, angular_velocity: 0.01}}
- {type: force_torque, joint: pivot, noise: {force: 3, torque: 0.5}}
"""


@pytest.fixture
def noisy(write_model):
    def make():
        return sc.Simulation(sc.load_model(write_model(PENDULUM)))

    return make


def test_noise_has_the_deviation_that_the_file_says(noisy):
    simulation = noisy()
    count = 1000
    samples = []
    for _ in range(count):
        simulation.step(1)
        reading = simulation.sensors()
        imu, wrench = reading['tip'], reading['pivot']
        parts = (imu.specific_force, imu.angular_velocity, wrench.force, wrench.torque)
        samples.append(np.concatenate(parts))
    levels = np.repeat([0.2, 0.01, 3.0, 0.5], 3)
    scaled = np.array(samples) / levels
    # Five deviations of the mean and of the variance of normal numbers: seeds do not change.
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=5 / np.sqrt(count))
    np.testing.assert_allclose(scaled.var(axis=0), 1.0, atol=5 * np.sqrt(2 / count))
    correlation = np.corrcoef(scaled.T) - np.eye(12)
    np.testing.assert_allclose(correlation, 0.0, atol=5 / np.sqrt(count))
    assert (imu.specific_force_noise, imu.angular_velocity_noise) == (0.2, 0.01)
    assert (wrench.force_noise, wrench.torque_noise) == (3.0, 0.5)


def test_noise_does_not_depend_on_how_often_one_looks(noisy):
    often, once = noisy(), noisy()
    for _ in range(20):
        often.step(1)
        often.sensors()
    once.step(20)
    one, other = often.sensors()['pivot'], once.sensors()['pivot']
    np.testing.assert_array_equal(one.force, other.force)
    np.testing.assert_array_equal(often.sensors()['pivot'].force, one.force)


def test_another_seed_another_noise_and_a_reset_repeats_it(noisy):
    simulation = noisy()
    simulation.step(3)
    first = simulation.sensors()['pivot'].force
    simulation.seed = 1
    assert (simulation.sensors()['pivot'].force != first).all()
    simulation.seed = 0
    simulation.reset()
    simulation.step(3)
    np.testing.assert_array_equal(simulation.sensors()['pivot'].force, first)


def test_noise_is_the_same_on_every_machine():
    # Written down once: a change would make old recordings impossible to replay.
    expected = [-0.7587925859226492, 0.08692494425140142]
    np.testing.assert_allclose(noise_of(7, 'imu', 42)[:2], expected, rtol=1e-12)
