"""Poses and inertias at the start: against the derived equations, for every joint type."""

from __future__ import annotations

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.table import JOINT_TYPES
from symcontact_ros.model.start_pose import StartPose

INERTIA = {'ixx': 0.03, 'iyy': 0.02, 'izz': 0.04, 'ixy': 0.001, 'ixz': -0.002, 'iyz': 0.003}
CHAIN = ('free', 'revolute', 'prismatic', 'fixed', 'spherical', 'planar')


@pytest.fixture(scope='module')
def model() -> sc.Model:
    model = sc.Model('chain', dimension=3)
    model.add_parameter('l', 0.3)
    parent = 'world'
    for kind in CHAIN:
        joint = {'type': kind, 'parent': parent, 'origin': {'xyz': ['l', 0.1, -0.2]}}
        joint['origin']['rpy'] = [0.3, -0.4, 0.5]
        if JOINT_TYPES[kind].has_axis:
            joint |= {'axis': [1.0, 2.0, -1.0], 'armature': 0.01}
        parent = f'on_{kind}'
        model.add_body(parent, mass=1.3, com=[0.1, -0.2, 'l'], inertia=INERTIA, joint=joint)
    return model


def test_inertia_and_poses_are_those_of_the_equations(model: sc.Model) -> None:
    random = np.random.default_rng(1)
    sim = sc.Simulation(model)
    q = sim.q + random.normal(size=len(sim.q))
    sim.set_state(q=q, u=0.0 * sim.u)
    pose = StartPose(model, q=sim.q)
    expected = sc.equations_of_motion(model).evaluate(sim.q, sim.u).mass_matrix
    # Both are sums of some hundred products of numbers around one.
    np.testing.assert_allclose(pose.mass_matrix, expected, atol=1e-12)
    for name, found in sim.poses().items():
        np.testing.assert_allclose(pose.frames[name][1], found.position, atol=1e-13)


@pytest.mark.parametrize('name', JOINT_TYPES)
def test_pose_in_numbers_is_that_in_symbols(name: str) -> None:
    kind = JOINT_TYPES[name]
    q = np.arange(1.0, kind.coordinates + 1.0)
    if kind.quaternion_at is not None:
        q[kind.quaternion_at :] /= np.linalg.norm(q[kind.quaternion_at :])
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    for found, expected in zip(
        kind.pose(q, axis, ()), JointType.pose(kind, q, axis, ()), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_starts_where_the_simulation_starts(model: sc.Model) -> None:
    model = sc.load_model('double_pendulum')
    pose, sim = StartPose(model), sc.Simulation(model)
    assert pose.q.tolist() == sim.q.tolist()
    matrix = sc.equations_of_motion(model).evaluate(sim.q, sim.u).mass_matrix
    for i, joint in enumerate(model.joint_names):
        assert pose.inertia_at(joint) == pytest.approx(matrix[i, i], rel=1e-12)
