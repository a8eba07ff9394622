"""The Panda of urdf/: kinematics of the published parameters, dynamics of Pinocchio."""

from helpers.places import ROOT
from helpers.robots import robots_folder
import numpy as np
import pytest

import symcontact_ros as sc

PANDA = ROOT / 'urdf' / 'panda.urdf'
# Denavit-Hartenberg parameters in Craig's convention, as Franka publishes them: a, d, alpha.
PUBLISHED = [
    (0.0, 0.333, 0.0),
    (0.0, 0.0, -np.pi / 2),
    (0.0, 0.316, np.pi / 2),
    (0.0825, 0.0, np.pi / 2),
    (-0.0825, 0.384, -np.pi / 2),
    (0.0, 0.0, np.pi / 2),
    (0.088, 0.0, np.pi / 2),
    (0.0, 0.107, 0.0),  # the flange
]


@pytest.fixture(scope='module')
def panda():
    return sc.load_model(PANDA)


def states(panda, count=5):
    """Return positions within the limits, and speeds."""
    source = np.random.default_rng(1)
    joints = {b.joint.name: b.joint for b in panda.bodies}
    for _ in range(count):
        limits = [joints[name].limits for name in panda.joint_names]
        q = [source.uniform(panda.number(x.lower), panda.number(x.upper)) for x in limits]
        yield np.array(q), source.normal(size=len(q))


def flange_of(q):
    """Return position and attitude of the flange by the published parameters."""
    place = np.eye(4)
    for (a, d, alpha), theta in zip(PUBLISHED, (*q[:7], 0.0), strict=True):
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
        place = place @ np.array(
            [
                [c, -s, 0.0, a],
                [s * ca, c * ca, -sa, -d * sa],
                [s * sa, c * sa, ca, d * ca],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
    return place


def test_its_flange_is_where_the_published_parameters_put_it(panda):
    simulation = sc.Simulation(sc.load_model('panda_table'))
    block, base = simulation.q[:7], np.array([-0.5, 0.0, 0.0])
    for q, _ in states(panda):
        simulation.set_state(q=[*block, *q])
        pose, expected = simulation.poses()['panda_link8'], flange_of(q)
        assert pose.position == pytest.approx(base + expected[:3, 3], abs=1e-9)
        x, y, z, w = pose.quaternion
        along = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]
        assert along == pytest.approx(expected[:3, 2], abs=1e-9)


def test_it_moves_as_the_panda_of_its_maker_does(panda):
    pin = pytest.importorskip('pinocchio', reason='Pinocchio is not installed (`pip install pin`)')
    path = robots_folder() / 'panda_description' / 'urdf' / 'panda.urdf'
    other = pin.buildModelFromUrdf(str(path))
    data, eom = other.createData(), sc.equations_of_motion(panda)
    for q, u in states(panda):
        # Pinocchio moves each finger; ours follow one another.
        q2, u2 = np.append(q, q[7]), np.append(u, u[7])
        ours = eom.evaluate(q, u)
        bias = pin.nonLinearEffects(other, data, q2, u2)
        mass = pin.crba(other, data, q2)
        assert ours.bias[:7] == pytest.approx(bias[:7], abs=1e-9)
        assert ours.bias[7] == pytest.approx(bias[7] + bias[8], abs=1e-9)
        assert np.triu(ours.mass_matrix)[:7, :7] == pytest.approx(np.triu(mass)[:7, :7], abs=1e-9)


def test_a_file_anywhere_includes_what_the_package_brings(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text('dimension: 3\ninclude: [{urdf: package://symcontact_ros/urdf/panda.urdf}]\n')
    assert 'panda_hand' in sc.load_model(path).body_names
    path.write_text('dimension: 3\ninclude: [{urdf: package://symcontact_ros/../x.urdf}]\n')
    with pytest.raises(sc.ModelError, match='leads out of the package'):
        sc.load_model(path)
