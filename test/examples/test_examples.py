"""The laws of the controllers, on simulations of the same process: no ROS in between."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from builtin_interfaces.msg import Time
from sensor_msgs.msg import JointState, PointCloud2, PointField

import symcontact_ros as sc
from symcontact_ros.examples.cart_pole_lqr import cart_pole_gain, lqr_gain
from symcontact_ros.examples.docking_guidance import guidance, Motion, Sight
from symcontact_ros.examples.reading import joint, rotation, rows, seconds, triples
from symcontact_ros.examples.wall_push import ForceLaw

WEIGHTS, EFFORT_WEIGHT = np.array([10.0, 50.0, 1.0, 1.0]), 0.1
PERIOD = 0.01  # [s], of the messages of the node


def linearized(model):
    """Return what `~/linearize` answers, through JSON as there."""
    found = sc.equations_of_motion(model).linearize()
    text = json.dumps(
        {
            'A': found.A.tolist(),
            'B': found.B.tolist(),
            'states': found.states,
            'inputs': found.inputs,
        }
    )
    return json.loads(text)


def test_the_gain_of_a_double_integrator_is_that_of_the_textbook():
    A, B = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]])
    gain = lqr_gain(A, B, np.eye(2), np.eye(1))
    np.testing.assert_allclose(gain, [[1.0, np.sqrt(3.0)]], rtol=1e-10)


@pytest.mark.parametrize('name', ['cart_pole', 'cart_pole_walls'])
def test_the_gain_balances_the_pole(name):
    model = sc.load_model(name)
    gain = cart_pole_gain(linearized(model), WEIGHTS, EFFORT_WEIGHT)
    simulation = sc.Simulation(model)
    for _ in range(round(8.0 / PERIOD)):
        state = np.concatenate([simulation.q, simulation.u])
        assert abs(state[1]) < 0.2
        simulation.set_effort('rail', float(-gain @ state))
        simulation.step(10)
    np.testing.assert_allclose(state, 0.0, atol=1e-3)  # its slowest mode decays with 1.4 s


def test_a_heavier_pole_has_another_gain():
    model = sc.load_model('cart_pole')
    heavy = sc.load_model('cart_pole', parameters={'m': 2.0})
    gains = [cart_pole_gain(linearized(m), WEIGHTS, EFFORT_WEIGHT) for m in (model, heavy)]
    assert abs(gains[1][1]) > 1.2 * abs(gains[0][1])


def test_what_is_no_cart_pole_has_no_gain():
    with pytest.raises(ValueError, match='not those of a cart-pole'):
        cart_pole_gain(linearized(sc.load_model('double_pendulum')), WEIGHTS, EFFORT_WEIGHT)


@pytest.mark.parametrize('target', [5.0, 20.0, 60.0])
def test_the_hand_presses_as_told(target):
    simulation, law = sc.Simulation(sc.load_model('wall_push')), ForceLaw()
    for _ in range(round(8.0 / PERIOD)):
        pressed = -simulation.contact_wrench('hand').force[0]
        effort = law.effort(pressed, simulation.u[0], PERIOD, target, 0.1)
        simulation.set_effort('slide', effort)
        simulation.step(10)
    assert law.touching
    assert pressed == pytest.approx(target, rel=0.01)  # the integral has some 0.3 s


def motion(simulation, body):
    x, y, z, w = simulation.poses()[body].quaternion
    twist = simulation.twists()[body]
    return Motion(rotation(SimpleNamespace(x=x, y=y, z=z, w=w)), twist.linear, twist.angular)


def sight(simulation, axis):
    seen = [p for p in simulation.proximities() if (p.body_a, p.body_b) == ('probe', 'target')]
    if not seen:
        return None
    return Sight.of(np.array([p.distance for p in seen]), np.array([p.normal for p in seen]), axis)


@pytest.mark.parametrize('offset', [0.005, 0.03, 0.08])
def test_distances_to_the_drogue_tell_how_far_off_the_probe_is(offset):
    model = sc.load_model('docking_probe_drogue', parameters={'offset': offset})
    found = sight(sc.Simulation(model), np.array([1.0, 0.0, 0.0])).sideways
    true = np.array([0.0, offset, -offset / 2])
    # From 0.3 m the plates are seen at a shallow angle: the direction is right, the size is less.
    assert found @ true > 0.98 * np.linalg.norm(found) * np.linalg.norm(true)
    assert 0.5 * np.linalg.norm(true) < np.linalg.norm(found) < 1.1 * np.linalg.norm(true)


@pytest.mark.parametrize('offset', [0.0, 0.08])
def test_guidance_brings_the_probe_into_the_throat(offset):
    model = sc.load_model('docking_probe_drogue', parameters={'offset': offset})
    simulation = sc.Simulation(model)
    deepest = 0.0
    for _ in range(round(24.0 / 0.04)):  # at 25 messages per second
        target = motion(simulation, 'target')
        seen = sight(simulation, target.attitude[:, 0])
        force, torque = guidance(motion(simulation, 'chaser'), target, seen, 0.05, 0.2)
        simulation.set_wrench('chaser', force=force, torque=torque)
        simulation.step(40)
        pushes = [np.linalg.norm(contact.force) for contact in simulation.contacts()]
        deepest = max([deepest, *pushes])
    poses = simulation.poses()
    tip = target.attitude.T @ (poses['probe_tip'].position - poses['port'].position)
    # It stands on the body behind the throat, 15 mm in, and pushes.
    np.testing.assert_allclose(tip, [0.015, 0.0, 0.0], atol=1e-3)
    assert deepest < 3.0  # [N]: gently; unguided it hits with 14 N


def test_a_cloud_is_read_by_the_names_of_its_fields():
    layout = np.dtype({'names': ['x', 'body_a'], 'formats': ['<f4', '<i4'], 'itemsize': 12})
    data = np.zeros(2, layout)
    data['x'], data['body_a'] = [0.5, -1.5], [3, 4]
    message = PointCloud2(height=1, width=2, point_step=12, data=data.tobytes())
    message.fields = [
        PointField(name='x', offset=0, datatype=PointField.FLOAT32, count=1),
        PointField(name='body_a', offset=4, datatype=PointField.INT32, count=1),
    ]
    cloud = rows(message)
    np.testing.assert_array_equal(cloud['body_a'], [3, 4])
    np.testing.assert_array_equal(triples(cloud, 'x', 'x'), [[0.5, 0.5], [-1.5, -1.5]])


def test_a_joint_that_is_not_there_is_named():
    message = JointState(name=['a'], position=[1.0], velocity=[2.0])
    assert joint(message, 'a') == (1.0, 2.0)
    with pytest.raises(KeyError, match=r"no joint 'b'.*available: a"):
        joint(message, 'b')
    assert seconds(Time(sec=1, nanosec=500_000_000)) == 1.5
