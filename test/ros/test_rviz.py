"""
The RViz configurations: known classes and keys, topics and frames that the node has.

RViz itself is not needed. Classes and keys are those of its sources (branch jazzy); what is not
tested is how it looks.
"""

from helpers.launch_files import SCENARIOS
from helpers.places import ROOT
import pytest
import yaml

import symcontact_ros as sc

FILES = sorted((ROOT / 'config' / 'rviz').glob('*.rviz'))
COMMON = {'Class', 'Name', 'Enabled', 'Value'}
QOS = {'Value', 'Depth', 'History Policy', 'Reliability Policy', 'Durability Policy'}
# Class -> its keys, and the type of its messages.
DISPLAYS = {
    'rviz_default_plugins/Grid': (
        {'Reference Frame', 'Plane', 'Plane Cell Count', 'Normal Cell Count', 'Cell Size'}
        | {'Line Style', 'Color', 'Alpha', 'Offset'},
        None,
    ),
    'rviz_default_plugins/TF': (
        {'Show Names', 'Show Axes', 'Show Arrows', 'Marker Scale', 'Update Interval'}
        | {'Frame Timeout', 'Frames', 'Tree'},
        None,
    ),
    'rviz_default_plugins/MarkerArray': (
        {'Namespaces', 'Topic'},
        'visualization_msgs/msg/MarkerArray',
    ),
    'rviz_default_plugins/Wrench': (
        {'Accept NaN Values', 'Alpha', 'Force Color', 'Torque Color', 'Force Arrow Scale'}
        | {'Torque Arrow Scale', 'Arrow Width', 'History Length', 'Topic'},
        'geometry_msgs/msg/WrenchStamped',
    ),
    'rviz_default_plugins/RobotModel': (
        {'Visual Enabled', 'Collision Enabled', 'Alpha', 'Update Interval', 'TF Prefix'}
        | {'Description Source', 'Description Topic'},
        'std_msgs/msg/String',
    ),
}
OTHERS = {
    *(f'rviz_common/{name}' for name in ('Displays', 'Views', 'Time')),
    *(f'rviz_default_plugins/{n}' for n in ('MoveCamera', 'Select', 'FocusCamera', 'Measure')),
}
VIEWS = {
    'rviz_default_plugins/TopDownOrtho': {'Angle', 'Scale', 'X', 'Y'},
    'rviz_default_plugins/Orbit': {'Distance', 'Focal Point', 'Pitch', 'Yaw'},
}
POLICIES = {
    'History Policy': {'Keep Last', 'Keep All'},
    'Reliability Policy': {'Reliable', 'Best Effort'},
    'Durability Policy': {'Volatile', 'Transient Local'},
}


def displays(name):
    file = ROOT / 'config' / 'rviz' / f'{name}.rviz'
    return yaml.safe_load(file.read_text())['Visualization Manager']['Displays']


def topics(name, wrench):
    """Return (topic, type, durability) of every display, the topic as the launch file maps it."""
    for display in displays(name):
        _, kind = DISPLAYS[display['Class']]
        entry = display.get('Topic') or display.get('Description Topic')
        if entry is not None:
            topic = entry['Value']
            if topic == '/contact_wrench':
                topic = f'/symcontact/bodies/{wrench}/contact_wrench'
            yield topic, kind, entry['Durability Policy']


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_classes_and_keys_are_those_of_rviz(file):
    content = yaml.safe_load(file.read_text())
    manager = content['Visualization Manager']
    assert manager['Global Options']['Fixed Frame'] == 'world'
    for entry in (*content['Panels'], *manager['Tools']):
        assert entry['Class'] in OTHERS
    for display in manager['Displays']:
        keys, _ = DISPLAYS[display['Class']]
        assert set(display) == keys | COMMON, display['Name']
        for key in ('Topic', 'Description Topic'):
            entry = display.get(key, {})
            assert set(entry) - {'Filter size'} == (QOS if entry else set())
            for policy, known in POLICIES.items():
                assert entry.get(policy) in known | {None}
    view = manager['Views']['Current']
    assert set(view) == VIEWS[view['Class']] | {
        'Class',
        'Name',
        'Target Frame',
        'Near Clip Distance',
    }


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_every_configuration_is_used_and_shows_grid_frames_and_markers(file):
    assert file.stem in {said['rviz'] for said in SCENARIOS.values()}
    shown = {display['Class'].rpartition('/')[2] for display in displays(file.stem)}
    assert {'Grid', 'TF', 'MarkerArray'} <= shown
    assert ('RobotModel' if file.stem == 'robot' else 'Wrench') in shown


@pytest.mark.parametrize('name', SCENARIOS)
def test_a_launch_file_names_what_there_is(name):
    said = SCENARIOS[name]
    assert (ROOT / 'config' / 'rviz' / f'{said["rviz"]}.rviz').exists()
    if said['model'] is None:
        return
    model = sc.load_model(said['model'])
    flat = yaml.safe_load((ROOT / 'config' / 'rviz' / f'{said["rviz"]}.rviz').read_text())
    view = flat['Visualization Manager']['Views']['Current']['Class']
    assert (view == 'rviz_default_plugins/TopDownOrtho') == (model.dimension == 2)
    if 'wrench' in said:  # its topic exists if the body can touch another one
        assert said['wrench'] in {body for pair in model.pairs for body in pair}
    if 'controller' in said:
        running = (ROOT / 'symcontact_ros' / 'examples' / 'running.py').read_text()
        assert f'def {said["controller"]}()' in running


LIVE = [
    'bouncing_circle.launch.py',
    'docking_guidance.launch.py',
    'robot.launch.py',
    'sphere_cuboid.launch.py',
]


@pytest.mark.parametrize('name', LIVE)
def test_the_node_has_every_topic_and_frame(name, domain, ros_environment, tmp_path):
    pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
    from geometry_msgs.msg import WrenchStamped
    from helpers.listener import listening
    from helpers.processes import simulating
    from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
    from tf2_msgs.msg import TFMessage

    said = SCENARIOS[name]
    model = said['model'] or ROOT / 'test' / 'urdf' / 'arm.urdf'
    more = {'tf_mode': said['tf_mode']} if 'tf_mode' in said else {}
    wanted = list(topics(said['rviz'], said.get('wrench')))
    wrenches = {topic: WrenchStamped for topic, kind, _ in wanted if kind.endswith('Stamped')}
    heard = {'/tf': TFMessage, '/tf_static': TFMessage, **wrenches}
    with (
        listening(domain, heard, latched=['/tf_static']) as ears,
        simulating(model, ros_environment, tmp_path, **more) as simulation,
    ):
        heard_all = ears.spin_until(
            lambda: ears.messages['/tf'] and all(ears.messages[topic] for topic in wrenches)
        )
        assert heard_all, simulation.log
        publishers = ears.node.get_publishers_info_by_topic
        for topic, kind, durability in wanted:
            assert ears.spin_until(lambda topic=topic: publishers(topic)), topic
            (publisher,) = publishers(topic)
            assert publisher.topic_type == kind
            assert publisher.qos_profile.reliability == ReliabilityPolicy.RELIABLE
            if durability == 'Transient Local':
                assert publisher.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL

        def sent():
            heard = (*ears.messages['/tf'], *ears.messages['/tf_static'])
            return {t.child_frame_id: t.header.frame_id for m in heard for t in m.transforms}

        bodies = set(sc.load_model(str(model)).body_names) - {'world'}
        assert ears.spin_until(lambda: bodies <= set(sent())), (bodies, sent())
        assert 'world' in sent().values()
        for topic in wrenches:  # drawn at the origin of its frame
            assert ears.messages[topic][-1].header.frame_id in sent()
