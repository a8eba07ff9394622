"""URDF files of the robots in a model, as ``robot_description`` shows them."""

from xml.etree import ElementTree

import pytest

import symcontact_ros as sc
from symcontact_ros.model.including.robot_files import description_text

pytest.importorskip('lxml', reason='needs the extra `urdf`')

ROBOT = """<robot name="r">{root}<link name="hand-1"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="meshes/hand.stl"/></geometry></visual>
<visual><geometry><mesh filename="package://p/hand.stl"/></geometry></visual></link>
<joint name="wrist" type="continuous"><parent link="{parent}"/><child link="hand-1"/>
<axis xyz="0 0 1"/></joint></robot>"""


@pytest.fixture
def robots(write_model):
    """Return a function that returns the robots of a model that includes one several times."""

    def robots(*entries, parent='world'):
        write_model(ROBOT.format(root=f'<link name="{parent}"/>', parent=parent), 'r.urdf')
        text = ', '.join(f'{{urdf: r.urdf, {entry}}}' for entry in entries)
        return sc.load_model(write_model(f'dimension: 3\ninclude: [{text}]')).description.robots

    return robots


def names(robot, tag):
    return [e.get('name') for e in ElementTree.fromstring(description_text(robot)).iter(tag)]


def test_names_have_their_prefix_wherever_the_text_has_them(robots):
    left, right = robots('prefix: left_', 'prefix: right_', parent='base')
    assert (left.topic, right.topic) == ('left', 'right')
    assert names(left, 'link') == ['left_base', 'left_hand_1']
    assert names(right, 'joint') == ['right_wrist']
    text = description_text(right)
    assert '<parent link="right_base"/>' in text
    assert '<child link="right_hand_1"/>' in text


def test_a_root_link_world_that_was_moved_has_a_frame_of_its_own(robots):
    still, moved = robots('prefix: a_', 'prefix: b_, pose: {position: [1, 0, 0]}')
    assert names(still, 'link') == ['world', 'a_hand_1']
    assert names(moved, 'link') == ['b_r_world', 'b_hand_1']
    assert moved.world_pose == (1, 0, 0, 0, 0, 0, 1)


def test_meshes_are_found_by_others(robots, tmp_path):
    (robot,) = robots('prefix: a_')
    meshes = ElementTree.fromstring(description_text(robot)).iter('mesh')
    files = [mesh.get('filename') for mesh in meshes]
    assert files == [f'file://{tmp_path}/meshes/hand.stl', 'package://p/hand.stl']


def test_a_robot_in_a_world_keeps_its_file(robots, tmp_path):
    robots('prefix: a_')
    model = sc.load_model(tmp_path / 'r.urdf', world='floor')
    (robot,) = model.description.robots
    assert (robot.prefix, robot.topic, robot.bodies) == ('', 'r', ('hand_1',))
    assert 'file://' in description_text(robot)
