"""URDF files of the robots in a model, as ``robot_description`` shows them."""

from xml.etree import ElementTree

import pytest

import symcontact_ros as sc
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.including.robot_files import description_text
from symcontact_ros.placements import Placement

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

    def robots(*entries, parent='world', head=''):
        write_model(ROBOT.format(root=f'<link name="{parent}"/>', parent=parent), 'r.urdf')
        text = ', '.join(f'{{urdf: r.urdf, {entry}}}' for entry in entries)
        return sc.load_model(write_model(f'{head}dimension: 3\ninclude: [{text}]')).contents.robots

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
    assert moved.world_pose == Placement((1, 0, 0))


def test_the_place_of_a_root_link_world_may_be_a_formula(robots, write_model):
    head = 'parameters: {h: 2, w: 3}\n'
    (robot,) = robots('pose: {position: [0, 0, h], rpy: [0, 0, w]}', head=head)
    assert names(robot, 'link') == ['r_world', 'hand_1']
    head = f'{head}dimension: 3\n'
    write_model(f'{head}include: [{{urdf: r.urdf, pose: {{position: [0, 0, h]}}}}]', 'in.yaml')
    outer = f'{head}include: [{{yaml: in.yaml, prefix: a_, pose: {{position: [w, 0, h]}}}}]'
    model = sc.load_model(write_model(outer, 'outer.yaml'), parameters={'a_h': 5})
    place = model.contents.robots[0].world_pose.position
    assert evaluate_all(place, model.parameters) == (3, 0, 7)
    assert evaluate_all(place, {'h': 1, 'w': 1, 'a_h': 1}) == (1, 0, 2)
    origin = model.body('a_hand_1').joint.origin.position
    assert tuple(map(model.number, origin))[2] == 7


def test_meshes_are_found_by_others(robots, tmp_path):
    (robot,) = robots('prefix: a_')
    meshes = ElementTree.fromstring(description_text(robot)).iter('mesh')
    files = [mesh.get('filename') for mesh in meshes]
    assert files == [f'file://{tmp_path}/meshes/hand.stl', 'package://p/hand.stl']


def test_a_robot_in_a_world_keeps_its_file(robots, tmp_path):
    robots('prefix: a_')
    model = sc.load_model(tmp_path / 'r.urdf', world='floor')
    (robot,) = model.contents.robots
    assert (robot.prefix, robot.topic, robot.bodies) == ('', 'r', ('hand_1',))
    assert 'file://' in description_text(robot)
