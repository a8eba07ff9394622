"""The sensors over real DDS, number by number those of the same simulation without ROS."""

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import WrenchStamped
from helpers.listener import listening, seconds
from helpers.processes import simulating
from sensor_msgs.msg import Imu
from tf2_msgs.msg import TFMessage

import symcontact_ros as sc

SEED = 7
MEASURED = {
    'cart_pole_walls': ('/symcontact/sensors/tip', Imu, 'tip'),
    'wall_push': ('/symcontact/sensors/wrist', WrenchStamped, 'hand'),
    'walker_2d': ('/symcontact/sensors/left_foot', WrenchStamped, 'left_foot/centre_of_pressure'),
}


def vector(part):
    return [part.x, part.y, part.z]


def numbers(message):
    if isinstance(message, Imu):
        parts = (message.linear_acceleration, message.angular_velocity)
    else:
        parts = (message.wrench.force, message.wrench.torque)
    return np.array([vector(part) for part in parts])


@pytest.mark.parametrize('model', MEASURED)
def test_noise_and_all_a_sensor_tells_what_the_model_says(
    model, domain, ros_environment, tmp_path
):
    topic, kind, frame = MEASURED[model]
    with (
        listening(domain, {topic: kind, '/tf': TFMessage}) as ears,
        simulating(model, ros_environment, tmp_path, seed=SEED) as process,
    ):
        assert ears.spin_until(lambda: len(ears.messages[topic]) >= 50), process.log
    places = {
        (seconds(t.header.stamp), t.child_frame_id): vector(t.transform.translation)
        for message in ears.messages['/tf']
        for t in message.transforms
    }
    pressures = 0
    alone = sc.Simulation(sc.load_model(model))
    alone.seed = SEED
    for message in ears.messages[topic]:
        alone.step(round(seconds(message.header.stamp) / alone.step_size) - alone.steps)
        reading = alone.sensors()[topic.rpartition('/')[2]]
        if kind is Imu:
            expected = [reading.specific_force, reading.angular_velocity]
            variances = message.linear_acceleration_covariance, message.angular_velocity_covariance
            levels = [np.reshape(v, (3, 3)) for v in variances]
            np.testing.assert_allclose(levels[0], 0.05**2 * np.eye(3))
            np.testing.assert_allclose(levels[1], 0.002**2 * np.eye(3))
        else:
            expected = [reading.force, reading.torque]
        np.testing.assert_array_equal(numbers(message), expected)
        if isinstance(reading, sc.GroundReaction) and reading.centre_of_pressure is not None:
            time = seconds(message.header.stamp)
            np.testing.assert_array_equal(places[time, frame], reading.centre_of_pressure)
            pressures += 1
        assert message.header.frame_id == frame
    assert (pressures > 0) == (model == 'walker_2d')
