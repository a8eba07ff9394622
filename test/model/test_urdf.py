"""URDF and xacro files that are right: every kind of joint, shape and name is read."""

import re
import sys

from helpers.places import URDF
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest

from symcontact_ros.errors import MissingPackageError, OptionError
from symcontact_ros.model.urdf.loader import read_urdf
from symcontact_ros.model.urdf.robot_tree import our_name

pytest.importorskip('lxml', reason='the urdf extra is not installed')

ALL_JOINTS = URDF / 'all_joints.urdf'
CHAIN = URDF / 'chain.urdf.xacro'
ARM = (URDF / 'arm.urdf').read_text()


def bodies(path, **options):
    description = read_urdf(path, **options)
    assert description.faults == []
    return description.data['bodies']


# What is right


def test_a_robot_is_a_spatial_model_in_the_order_of_its_tree():
    description = read_urdf(ALL_JOINTS)
    assert (description.faults, description.warnings) == ([], [])
    assert {key: value for key, value in description.data.items() if key != 'bodies'} == {
        'format_version': 1,
        'name': 'all_joints',
        'dimension': 3,
        'gravity': [0.0, 0.0, -9.81],
    }
    expected = ['base', 'turning', 'spinning', 'tip', 'sliding', 'gliding', 'flying']
    assert list(description.data['bodies']) == expected


def test_every_type_of_joint_is_read():
    joints = {name: body['joint'] for name, body in bodies(ALL_JOINTS).items()}
    here = {'xyz': [0.0, 0.0, 0.0], 'rpy': [0.0, 0.0, 0.0]}
    for name in ('turning', 'spinning', 'sliding'):
        assert joints[name].pop('armature') == 'auto'
    assert joints == {
        'base': {'type': 'fixed'},
        'turning': {
            'name': 'hinge',
            'type': 'revolute',
            'parent': 'base',
            'origin': here,
            'axis': pytest.approx([0.0, -0.6, 0.8]),
            'damping': 0.7,
            'friction': 0.1,
            'limits': {'lower': -1.0, 'upper': 2.0, 'effort': 10.0, 'velocity': 3.0},
        },
        'spinning': {
            'name': 'wheel',
            'type': 'revolute',
            'parent': 'turning',
            'origin': here,
            'axis': [1.0, 0.0, 0.0],
            'limits': {'effort': 1.0, 'velocity': 1.0},
        },
        'tip': {
            'name': 'glue',
            'type': 'fixed',
            'parent': 'spinning',
            'origin': {'xyz': [1.0, 2.0, 3.0], 'rpy': [0.1, 0.2, 0.3]},
        },
        'sliding': {
            'name': 'rail',
            'type': 'prismatic',
            'parent': 'base',
            'origin': here,
            'axis': [1.0, 0.0, 0.0],
            'limits': {'lower': 0.0, 'upper': 0.5},
        },
        'gliding': {'name': 'table', 'type': 'planar', 'parent': 'base', 'origin': here},
        'flying': {'name': 'air', 'type': 'free', 'parent': 'base', 'origin': here},
    }


def test_shapes_are_those_of_all_collisions():
    read = bodies(ALL_JOINTS)
    here = {'position': [0.0, 0.0, 0.0], 'rpy': [0.0, 0.0, 0.0]}
    assert read['base']['shapes'] == [
        {'type': 'box', 'half_extents': [0.5, 1.0, 1.5], 'pose': here},
        {
            'type': 'sphere',
            'radius': 0.25,
            'pose': {'position': [0.0, 0.0, 1.0], 'rpy': [0.0, 0.5, 0.0]},
        },
    ]
    assert read['turning']['shapes'] == [
        {'type': 'cylinder', 'radius': 0.1, 'half_length': 0.4, 'pose': here},
        {'type': 'capsule', 'radius': 0.1, 'half_length': 0.3, 'pose': here},
    ]


def test_inertia_is_turned_into_body_axes():
    body = bodies(ALL_JOINTS)['turning']
    assert (body['mass'], body['com']) == (1.5, [0.1, 0.2, 0.3])
    roll, pitch, yaw = 0.4, -0.5, 0.6
    c, s = np.cos, np.sin
    about_x = np.array([[1, 0, 0], [0, c(roll), -s(roll)], [0, s(roll), c(roll)]])
    about_y = np.array([[c(pitch), 0, s(pitch)], [0, 1, 0], [-s(pitch), 0, c(pitch)]])
    about_z = np.array([[c(yaw), -s(yaw), 0], [s(yaw), c(yaw), 0], [0, 0, 1]])
    turn = about_z @ about_y @ about_x
    local = np.array([[0.1, 0.01, -0.02], [0.01, 0.2, 0.03], [-0.02, 0.03, 0.25]])
    expected = turn @ local @ turn.T
    for key, value in body['inertia'].items():
        place = ['xyz'.index(letter) for letter in key[1:]]
        assert value == pytest.approx(expected[tuple(place)], abs=1e-15), key  # rounding


def test_inertia_without_rotation_is_that_of_the_file_to_the_bit():
    assert bodies(ALL_JOINTS)['base']['inertia'] == {
        'ixx': 1.0,
        'iyy': 2.0,
        'izz': 2.5,
        'ixy': 0.0,
        'ixz': 0.0,
        'iyz': 0.0,
    }


def test_a_link_without_inertial_has_no_mass():
    assert bodies(ALL_JOINTS)['tip'] == {
        'robot': 'all_joints',
        'mass': 0.0,
        'shapes': [],
        'joint': bodies(ALL_JOINTS)['tip']['joint'],
    }


def test_every_key_knows_its_line():
    lines = read_urdf(ALL_JOINTS).lines
    text = ALL_JOINTS.read_text().splitlines()
    for path, part in {
        'name': '<robot',
        'bodies': '<robot',
        'bodies.turning': '<link name="turning">',
        'bodies.turning.mass': '<mass value="1.5"/>',
        'bodies.turning.com': '<origin xyz="0.1 0.2 0.3"',
        'bodies.turning.inertia': '<inertia ixx="0.1"',
        'bodies.turning.inertia.ixy': '<inertia ixx="0.1"',
        'bodies.base.shapes[0]': '<collision><geometry><box',
        'bodies.base.shapes[1].radius': '<sphere',
        'bodies.base.shapes[1].pose.rpy': '<origin xyz="0 0 1"',
        'bodies.turning.joint': '<joint name="hinge"',
        'bodies.turning.joint.axis': '<axis xyz="0 -3 4"/>',
        'bodies.turning.joint.limits.upper': '<limit lower="-1"',
        'bodies.turning.joint.damping': '<dynamics',
        'bodies.turning.joint.parent': '<parent link="base"/>',
        'bodies.tip.joint.origin.rpy': '<origin xyz="1 2 3"',
    }.items():
        assert part in text[lines[path] - 1], path


def test_a_free_base_flies():
    assert bodies(ALL_JOINTS, base='free')['base']['joint'] == {'type': 'free'}
    with pytest.raises(OptionError, match='base must be one of fixed, free'):
        read_urdf(ALL_JOINTS, base='loose')


def test_a_root_link_called_world_is_the_world(write_urdf):
    path = write_urdf(ARM.replace('"base"', '"world"'))
    read = bodies(path)
    assert list(read) == ['upper']
    assert read['upper']['joint']['parent'] == 'world'


def test_names_become_names_of_topics(write_urdf):
    path = write_urdf(ARM.replace('"upper"', '"2/link-.a__b"').replace('elbow', 'el bow'))
    description = read_urdf(path)
    assert description.faults == []
    assert description.names == {'2/link-.a__b': 'b2_link_a_b', 'el bow': 'el_bow'}
    assert description.data['bodies']['b2_link_a_b']['joint']['parent'] == 'base'
    assert read_urdf(write_urdf(ARM)).names == {}


@given(st.text())
def test_every_text_becomes_a_name(text):
    name = our_name(text)
    assert re.fullmatch(r'[A-Za-z][A-Za-z0-9_]*', name)
    assert '__' not in name
    assert our_name(name) == name


def test_a_namespace_of_the_document_changes_nothing(write_urdf):
    path = write_urdf(ARM.replace('<robot', '<robot xmlns="http://ros.org/urdf"'))
    assert bodies(path) == bodies(write_urdf(ARM, 'plain.urdf'))


# xacro


def test_xacro_expands_macros_and_takes_mappings():
    read = bodies(CHAIN)
    assert list(read) == ['base', 'link1', 'link2']
    assert read['link2']['joint']['parent'] == 'link1'
    assert read['link2']['com'] == [0.0, 0.0, -0.25]
    mappings = {'mass': '3.5', 'count': '4'}
    read = bodies(CHAIN, mappings=mappings)
    assert [body['mass'] for body in read.values()] == [0.0, 3.5, 3.5, 3.5, 3.5]
    assert mappings == {'mass': '3.5', 'count': '4'}


def test_an_argument_that_a_xacro_does_not_have_is_a_warning():
    read = read_urdf(CHAIN, mappings={'mass': '2', 'maas': '2'})
    (line,) = [text for text in read.warnings if 'argument' in text]
    assert "no argument 'maas'; did you mean 'mass'?" in line


def test_faults_of_a_xacro_name_the_expanded_text():
    description = read_urdf(CHAIN, mappings={'mass': 'heavy'})
    assert description.source == f'{CHAIN} (expanded)'
    assert [(f.key, f.reason) for f in description.faults] == [
        (f'bodies.link{index}.mass', '<mass value="heavy"> is not a number') for index in (1, 2)
    ]
    assert all(fault.line is not None for fault in description.faults)


@pytest.mark.parametrize(
    'body',
    [
        '<xacro:nothing/>',
        '<link name="${1 / 0}"/>',
        '<link name="${unknown}"/>',
        '<link name="$(arg unknown)"/>',
        '<xacro:include filename="missing.xacro"/>',
        '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
        '<link name="${__import__(\'os\').getcwd()}"/>',
        '<link>',
    ],
)
def test_what_xacro_cannot_expand_is_one_fault_with_the_file(body, write_urdf):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    description = read_urdf(write_urdf(f'{head}{body}</robot>', 'robot.xacro'))
    assert len(description.faults) == 1
    assert str(description.faults[0]).startswith(f'{description.source}: xacro cannot expand it: ')


@pytest.mark.parametrize(
    ('body', 'way_out'),
    [
        ('<link name="$(arg unknown)"/>', 'give it a value by `arguments`'),
        ('<xacro:arg name="a"/><link name="$(arg a)"/>', 'is given by `arguments`'),
        ('<link name="$(find nowhere)"/>', 'source the workspace that has the package'),
        ('<xacro:include filename="missing.xacro"/>', 'are relative to its folder'),
    ],
)
def test_what_xacro_needs_is_told_with_a_way_out(body, way_out, write_urdf):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    [fault] = read_urdf(write_urdf(f'{head}{body}</robot>', 'robot.xacro')).faults
    assert fault.reason.endswith(way_out)


def test_a_missing_package_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, 'xacro', None)
    with pytest.raises(
        MissingPackageError,
        match=r'needs xacro, .*: sudo apt install ros-.*, or pip install',
    ):
        read_urdf(CHAIN)
    monkeypatch.setitem(sys.modules, 'lxml.etree', None)
    with pytest.raises(
        MissingPackageError, match=r'needs lxml, .*: sudo apt install python3-lxml, or pip'
    ):
        read_urdf(ALL_JOINTS)
