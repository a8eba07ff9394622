"""URDF files that are wrong: everything is told with line, key and reason, nothing is raised."""

import re
import time

from helpers.places import URDF
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest

from symcontact_ros.errors import ModelError
from symcontact_ros.model.input_limits import XML_BYTES
from symcontact_ros.model.library import load_model
from symcontact_ros.model.urdf.elements import UrdfDescription
from symcontact_ros.model.urdf.loader import read_urdf

pytest.importorskip('lxml', reason='the urdf extra is not installed')

ALL_JOINTS = URDF / 'all_joints.urdf'
CHAIN = URDF / 'chain.urdf.xacro'
ARM = (URDF / 'arm.urdf').read_text()


def faults(path, **options):
    """Return the faults as (line, key, reason)."""
    return [(f.line, f.key, f.reason) for f in read_urdf(path, **options).faults]


# What is wrong


@pytest.mark.parametrize(
    ('old', 'new', 'line', 'key', 'reason'),
    [
        # numbers
        ('value="2"', 'value="abc"', 5, 'upper.mass', '<mass value="abc"> is not a number'),
        ('value="2"', 'value="1_0"', 5, 'upper.mass', '<mass value="1_0"> is not a number'),
        ('value="2"', 'value=""', 5, 'upper.mass', '<mass value=""> is not a number'),
        ('value="2"', 'value="nan"', 5, 'upper.mass', '<mass value="nan"> must be finite'),
        ('value="2"', 'value="1e999"', 5, 'upper.mass', '<mass value="1e999"> must be finite'),
        ('value="2"', 'value="-2"', 5, 'upper.mass', '<mass value="-2"> must be >= 0'),
        ('value="2"', '', 5, 'upper.mass', '<mass> needs `value`'),
        ('iyy="1"', 'iyy="inf"', 6, 'upper.inertia.iyy', 'must be finite'),
        ('0 0 1"/>\n<mass', '0 1"/>\n<mass', 4, 'upper.com', 'needs 3 numbers, got 2'),
        ('0 0 1"/>\n<mass', '0 0 z"/>\n<mass', 4, 'upper.com', "'z' is not a number"),
        ('xyz="0 0 1"/>\n<m', 'rpy="0"/>\n<m', 4, 'upper.inertia', 'needs 3 numbers, got 1'),
        ('<origin', '<origin quat_xyzw="0 0 0 0"', 4, 'upper.inertia', 'is no rotation'),
        ('<origin', '<origin rpy="" quat_xyzw="0 0 0 1"', 4, 'upper.inertia', 'give one'),
        ('value="2"', 'value="1,5"', 5, 'upper.mass', '<mass value="1,5"> is not a number'),
        ('value="2"', 'value="${m}"', 5, 'upper.mass', 'is an expression of xacro'),
        ('xyz="0 0 1"/>\n<m', 'xyz="0,5 0 0"/>\n<m', 4, 'upper.com', "'0,5' is not a number"),
        # shapes
        ('radius="1"', 'radius="-1"', 9, 'upper.shapes[0].radius', 'must be >= 0'),
        ('radius="1"', '', 9, 'upper.shapes[0].radius', '<sphere> needs `radius`'),
        ('sphere radius="1"', 'box size="1 2"', 9, 'upper.shapes[0].half_extents', '3 numbers'),
        ('sphere radius="1"', 'box size="1 2 -3"', 9, 'upper.shapes[0].half_extents', '>= 0'),
        ('sphere radius="1"', 'box', 9, 'upper.shapes[0].half_extents', '<box> needs `size`'),
        # joints
        ('"revolute"', '"ball"', 12, 'upper.joint.type', '<joint type="ball"> is unknown'),
        ('"revolute"', '"revolut"', 12, 'upper.joint.type', "did you mean 'revolute'?"),
        ('type="revolute"', '', 12, 'upper.joint.type', 'types are: continuous, fixed'),
        ('<axis xyz="0 0 1"', '<axis xyz="0 1"', 15, 'upper.joint.axis', '3 numbers, got 2'),
        ('lower="-1"', 'lower="x"', 16, 'upper.joint.limits.lower', 'is not a number'),
        ('damping="1"', 'damping="-1"', 17, 'upper.joint.damping', 'must be >= 0'),
        ('damping="1"', 'friction="-1"', 17, 'upper.joint.friction', 'must be >= 0'),
        # trees
        ('<parent link="base"', '<parent link="b"', 13, 'upper.joint.parent', 'is not a link'),
        ('<parent link="base"/>', '', 12, 'upper.joint.parent', 'has no <parent link'),
        ('<parent link="base"', '<parent link="upper"', 12, 'upper.joint', 'upper -> upper'),
        ('name="upper"', 'name=""', 3, '', '<link> needs `name`'),
        ('name="elbow"', '', 12, '', '<joint> needs `name`'),
    ],
)
def test_each_fault_has_its_line_and_key(old, new, line, key, reason, write_urdf):
    assert ARM.count(old) == 1
    found = faults(write_urdf(ARM.replace(old, new)))
    path = f'bodies.{key}'.rstrip('.')
    assert any(f[:2] == (line, path) and reason in f[2] for f in found), found


def test_a_world_that_is_no_root_or_cannot_be_freed_is_refused(write_urdf):
    path = write_urdf(ARM.replace('"base"', '"world"'))
    [(line, key, reason)] = faults(path, base='free')
    assert (line, key) == (2, 'bodies.world')
    assert "the joint below it is of type 'revolute'" in reason
    [(line, _, reason)] = faults(write_urdf(ARM.replace('"upper"', '"world"')))
    assert (line, 'only the root link' in reason) == (3, True)


def tree(links, joints):
    """Return a robot of links and joints `name parent child`, one a line after the first."""
    lines = [f'<link name="{name}"/>' for name in links.split()]
    for joint in joints.split(','):
        name, parent, child = joint.split()
        lines.append(
            f'<joint name="{name}" type="fixed"><parent link="{parent}"/><child link="{child}"/>'
            '</joint>'
        )
    return '\n'.join(['<robot name="r">', *lines, '</robot>'])


@pytest.mark.parametrize(
    ('links', 'joints', 'expected'),
    [
        ('a b c', 'j a b', [(4, 'bodies.c', "link 'c' has no parent joint, and neither has 'a'")]),
        ('a b', 'j a b, k a b', [(5, 'bodies.b.joint', "joint 'k' gives link 'b' a second")]),
        ('a b c', 'j b c, k c b', [(6, 'bodies.b.joint', 'form a loop: b -> c -> b;')]),
        ('a b', 'j a b, k b a', [(5, 'bodies.a.joint', 'form a loop: a -> b -> a')]),
        ('a b c', 'j a b, k a c, l a d', [(7, 'bodies.d', '<child link="d"> is not a link')]),
        ('a a', 'j a b', [(3, 'bodies.a', "link 'a' is given twice, first on line 2"), (4,)]),
        ('a b c', 'j a b, j a c', [(4,), (6, 'bodies.c.joint', "joint 'j' is given twice")]),
    ],
)
def test_what_is_no_tree_is_told_with_names_and_lines(links, joints, expected, write_urdf):
    found = faults(write_urdf(tree(links, joints)))
    assert len(found) == len(expected), found
    for fault, parts in zip(found, expected, strict=True):
        assert fault[: len(parts[:2])] == parts[:2]
        assert all(part in fault[2] for part in parts[2:]), fault


def test_the_example_of_the_documentation_of_faults_reads_well(write_urdf):
    path = write_urdf(ARM.replace('value="2"', 'value="abc"'))
    assert [str(fault) for fault in read_urdf(path).faults] == [
        f'{path}:5: bodies.upper.mass: <mass value="abc"> is not a number'
    ]


def test_deep_trees_are_read(write_urdf):
    count = 3000
    joints = ','.join(f'j{i} l{i} l{i + 1}' for i in range(count - 1))
    path = write_urdf(tree(' '.join(f'l{i}' for i in reversed(range(count))), joints))
    assert list(read_urdf(path).data['bodies']) == [f'l{i}' for i in range(count)]


# What is no URDF


@pytest.mark.parametrize(
    ('text', 'line', 'reason'),
    [
        ('', 1, 'not XML: no element found'),
        ('bodies: {}', 1, 'not XML'),
        ('<robot>\n<link>\n</robot>', 3, 'not XML'),
        ('<robot>\n&unknown;</robot>', 2, 'not XML'),
        (b'<robot>\n\xff\xfe</robot>', 2, 'not XML'),
        (b'\x7fELF\x00\x01\x02', 1, 'not XML'),
        ('<?xml version="1.0" encoding="klingon"?><robot/>', 1, 'not XML'),
        ('\n<sdf version="1.6"/>', 2, 'the root element is <sdf>'),
        ('<robot name="r"/>', 1, '<robot> has no <link>'),
        ('<robot>' + '<link name="a">' * 100_000, 1, 'not XML'),
        ('<!DOCTYPE robot>\n<robot/>', 1, 'has a DOCTYPE'),
        ('\n<!DOCTYPE robot SYSTEM "http://example.org/robot.dtd">\n<robot/>', 2, 'has a DOCTYPE'),
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<robot>&x;</robot>', 1, 'DOCTY'),
        ('<!DOCTYPE r [<!ENTITY % x SYSTEM "/etc/passwd"> %x;]>\n<robot/>', 1, 'has a DOCTYPE'),
        ('<!DOCTYPE r []><robot/>'.encode('utf-16'), 1, 'has a DOCTYPE'),
    ],
)
def test_what_is_no_urdf_is_one_fault(text, line, reason, write_urdf):
    for name in ('robot.urdf', 'robot.xacro') if 'DOCTYPE' in str(text) else ('robot.urdf',):
        [(found_line, _, found)] = faults(write_urdf(text, name))
        assert found_line == line
        assert reason in found


@pytest.mark.parametrize('name', ['bomb.urdf', 'bomb.xacro'])
def test_a_billion_laughs_end_at_once(name, write_urdf):
    entities = ''.join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    text = f'<!DOCTYPE r [<!ENTITY l0 "ha">{entities}]><robot name="&l9;">&l9;</robot>'
    path = write_urdf(text, name)
    start = time.process_time()
    assert 'has a DOCTYPE' in faults(path)[0][2]
    assert time.process_time() - start < 1.0  # expanded it would be 2 GB


def test_files_that_cannot_be_read_are_told(tmp_path, write_urdf):
    assert faults(tmp_path / 'none.urdf') == [
        (None, '', 'cannot be read: No such file or directory')
    ]
    assert faults(tmp_path) == [(None, '', 'cannot be read: Is a directory')]
    large = write_urdf('<robot>' + ' ' * XML_BYTES)
    assert faults(large) == [(None, '', 'larger than 16 MiB')]


# Anything at all

TEXTS = {path: path.read_text() for path in (ALL_JOINTS, CHAIN)}
PIECES = [
    '"',
    '<',
    '>',
    '&',
    'nan',
    '-',
    '1e308',
    ' ',
    'world',
    'base',
    '<link/>',
    '<joint/>',
    '\0',
    '<!--',
    '-->',
    '<?xml version="0.0"?>',
    '\ufeff',
    'quat_xyzw="0 0 1 1" ',
    '<plane/>',
    'planar',
]


def check_description(description):
    assert isinstance(description, UrdfDescription)
    assert set(description.data) == {'format_version', 'name', 'dimension', 'gravity', 'bodies'}
    seen = {'world'}
    for name, body in description.data['bodies'].items():
        assert body['joint'].get('parent', 'world') in seen
        seen.add(name)
        assert np.isfinite(body['mass'])
        assert np.isfinite(list(body.get('inertia', {}).values())).all()


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_damaged_file_raises_nothing(data, tmp_path_factory):
    path = data.draw(st.sampled_from([ALL_JOINTS, ALL_JOINTS, ALL_JOINTS, CHAIN]))
    text = TEXTS[path]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 20))
        insert = data.draw(st.one_of(st.text(max_size=8), st.sampled_from(PIECES)))
        text = text[:start] + insert + text[start + length :]
    damaged = tmp_path_factory.getbasetemp() / f'damaged{path.suffix}'
    damaged.write_text(text, encoding='utf-8', errors='replace')
    check_description(read_urdf(damaged, base=data.draw(st.sampled_from(['fixed', 'free']))))


ATTRIBUTE = re.compile(r'"([^"]*)"')
BASES = ('fixed', 'free')
JUNK = ['', 'x', '-1', '0', '1e99', '1e-320', '-0.0 0 0', '1 2', '&#10;', '1f', '1, 2, 3']
JUNK += ['1 2 3 4', '$(optenv A 1)', 'inf', 'planar', 'spherical', 'world']


def wrong_values(data, folder):
    """Return a file with some attributes of others; the XML is whole, so it reaches deeper."""
    text = TEXTS[ALL_JOINTS]
    values = sorted(set(ATTRIBUTE.findall(text)))
    spans = [match.span(1) for match in ATTRIBUTE.finditer(text)][1:]  # the first is the version
    changed = data.draw(st.lists(st.sampled_from(spans), min_size=1, max_size=4, unique=True))
    for start, end in sorted(changed, reverse=True):
        drawn = data.draw(st.one_of(st.sampled_from(JUNK), st.sampled_from(values)))
        text = text[:start] + drawn + text[end:]
    path = folder / 'wrong.urdf'
    path.write_text(text, encoding='utf-8')
    return path


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_wrong_values_raise_nothing(data, tmp_path_factory):
    check_description(read_urdf(wrong_values(data, tmp_path_factory.getbasetemp())))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_what_loads_is_changed_written_and_read_again(data, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    try:
        model = load_model(wrong_values(data, folder), base=data.draw(st.sampled_from(BASES)))
    except ModelError:
        return
    text = model.to_yaml(folder / 'again.yaml')
    again = load_model(folder / 'again.yaml')
    assert again.bodies == model.bodies
    assert again.to_yaml() == text
    model.set(duration=2.0)
    assert model.bodies == again.bodies
