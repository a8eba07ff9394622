"""Joint types: every type of the table describes one motion, in symbols and in numbers."""

from helpers.joint_checks import (
    check_attributes,
    check_numbers,
    check_placing,
    check_reference,
    check_velocities,
)
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.joints.table import (
    FIXED,
    floating_type,
    JOINT_TYPES,
    types_in,
    urdf_types,
)

ALL = sorted(JOINT_TYPES)
MOVING = [name for name in ALL if not JOINT_TYPES[name].is_fixed]
PLACED = [name for name in ALL if JOINT_TYPES[name].can_be_placed]


@pytest.mark.parametrize('name', ALL)
def test_the_attributes_of_a_type_fit_together(name):
    assert JOINT_TYPES[name].name == name
    check_attributes(JOINT_TYPES[name])


@pytest.mark.parametrize('name', MOVING)
def test_velocities_are_the_derivatives_of_the_pose(name):
    check_velocities(JOINT_TYPES[name])


@pytest.mark.parametrize('name', MOVING)
def test_the_reference_motion_is_the_same_motion(name):
    check_reference(JOINT_TYPES[name])


@pytest.mark.parametrize('name', MOVING)
def test_numbers_are_those_of_the_symbols(name):
    check_numbers(JOINT_TYPES[name])


@pytest.mark.parametrize('name', PLACED)
def test_a_pose_and_velocities_become_coordinates_and_speeds(name):
    check_placing(JOINT_TYPES[name])


def test_a_planar_joint_refuses_a_pose_out_of_its_plane():
    with pytest.raises(ValueError, match='z must be 0'):
        JOINT_TYPES['planar'].coordinates_at(np.array([0.0, 0.0, 0.1]), np.eye(3))


def test_counts_names_and_units_are_those_of_the_contract():
    counts = {name: (kind.coordinates, kind.speeds) for name, kind in JOINT_TYPES.items()}
    assert counts == {
        'fixed': (0, 0),
        'revolute': (1, 1),
        'prismatic': (1, 1),
        'planar': (3, 3),
        'spherical': (4, 3),
        'free': (7, 6),
    }
    units = {name: (kind.unit, kind.effort_unit) for name, kind in JOINT_TYPES.items()}
    assert units['revolute'] == ('rad', 'N m')
    assert units['prismatic'] == ('m', 'N')
    assert JOINT_TYPES[FIXED].is_fixed


def test_the_table_answers_for_model_files_and_urdf():
    assert types_in(2) == ('planar', 'revolute', 'prismatic', 'fixed')
    assert types_in(3) == ('free', 'revolute', 'prismatic', 'fixed', 'planar', 'spherical')
    assert [floating_type(dimension).name for dimension in (2, 3)] == ['planar', 'free']
    assert {name: kind.name for name, kind in urdf_types().items()} == {
        'revolute': 'revolute',
        'continuous': 'revolute',
        'prismatic': 'prismatic',
        'fixed': 'fixed',
        'floating': 'free',
        'planar': 'planar',
        'spherical': 'spherical',
    }


@pytest.mark.parametrize('key', ['axis: [0, 0, 1]', 'damping: 1', 'limits: {lower: 0, upper: 1}'])
def test_a_key_of_other_types_is_a_fault(key, tmp_path):
    model = tmp_path / 'model.yaml'
    body = f'{{mass: 1, inertia: {{izz: 1}}, joint: {{type: planar, {key}}}}}'
    model.write_text(f'dimension: 2\nbodies:\n  puck: {body}\n')
    reason = 'is for revolute and prismatic joints, not for planar'
    with pytest.raises(sc.ModelError, match=reason):
        sc.load_model(model)


def test_a_position_of_two_numbers_is_one_fault(tmp_path):
    model = tmp_path / 'model.yaml'
    body = '{mass: 1, inertia: {izz: 1}, initial: {position: [0, 1], velocity: [1, 2]}}'
    model.write_text(f'dimension: 2\nbodies:\n  puck: {body}\n')
    with pytest.raises(sc.ModelError) as error:
        sc.load_model(model)
    assert [fault.key for fault in error.value.faults] == [
        'bodies.puck.initial.position',
        'bodies.puck.initial.velocity',
    ]
