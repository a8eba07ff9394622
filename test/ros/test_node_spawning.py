"""Entities that are spawned in a running node and deleted, by services over DDS."""

from pathlib import Path
import signal

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import PoseStamped, WrenchStamped
from helpers.four_legs import four_legs, HEIGHT
from helpers.laboratory import laboratory, node_command, time_of
from helpers.processes import LONG
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from visualization_msgs.msg import Marker, MarkerArray

ROOM = """\
name: room
dimension: 3
integrator: rk4
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  ball: {mass: 1, shapes: [{type: sphere, radius: 0.1}], initial: {position: [0, 3, 0.1]}}
"""
BLOCK = """\
name: block
dimension: 3
parameters: {side: 0.1}
bodies:
  block: {mass: 2, shapes: [{type: sphere, radius: side}]}
"""
OK, NOT_FOUND, FAILED = 1, 2, 4


@pytest.fixture(scope='module')
def services():
    """Return the services of simulation_interfaces."""
    return pytest.importorskip('simulation_interfaces.srv')


@pytest.fixture
def lab(services, domain, ros_environment, write_model):
    command = node_command(write_model(ROOM, 'room.yaml'), spawn_servo='auto')
    topics = {
        '/clock': Clock,
        'bodies/ball/odom': Odometry,
        'bodies/a_block/odom': Odometry,
        'markers': MarkerArray,
    }
    with laboratory(domain, ros_environment, command, topics) as found:
        found.hear('/clock', 'bodies/ball/odom', 'markers')
        yield found


def at(x=0.0, y=0.0, z=0.0, frame=''):
    pose = PoseStamped()
    pose.header.frame_id = frame
    pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = x, y, z
    return pose


def spawn(lab, services, **fields):
    answer = lab.ask(services.SpawnEntity, 'spawn_entity', **fields)
    return answer.result.result, answer.entity_name or answer.result.error_message


def delete(lab, services, entity):
    return lab.ask(services.DeleteEntity, 'delete_entity', entity=entity).result.result


def entities(lab, services):
    return lab.ask(services.GetEntities, 'get_entities').entities


def topics_of(lab, body):
    """Return the topics of a body that somebody publishes."""
    names = [name for name, _ in lab.node.get_topic_names_and_types() if f'/{body}/' in name]
    return [name for name in names if lab.node.count_publishers(name)]


def test_topics_parameters_and_markers_follow_what_comes_and_goes(lab, services):
    assert spawn(lab, services, name='a', resource_string=BLOCK, initial_pose=at(z=0.5)) == (
        OK,
        'a',
    )
    assert entities(lab, services) == ['floor', 'ball', 'a_block', 'a']
    assert lab.get('body_names') == ['floor', 'ball', 'a_block']
    assert lab.get('symbols.a_side') == 0.1
    assert lab.set(symbols__a_side=0.12) == ''
    fallen = lab.collect('bodies/a_block/odom', 3)[-1]
    assert fallen.pose.pose.position.z < 0.51
    state = lab.ask(services.GetEntityState, 'get_entity_state', entity='a').state
    assert state.pose.position.x == pytest.approx(0.0, abs=1e-6)

    def drawn(action):
        sent = (m for array in lab.messages[lab.full('markers')] for m in array.markers)
        return any(m.ns == 'a_block' and m.action == action for m in sent)

    assert lab.spin_until(lambda: drawn(Marker.ADD))
    assert delete(lab, services, 'a') == OK
    assert entities(lab, services) == ['floor', 'ball']
    assert lab.get('body_names') == ['floor', 'ball']
    assert 'no parameter' in lab.set(symbols__a_side=0.1)
    assert lab.spin_until(lambda: drawn(Marker.DELETE))
    assert lab.spin_until(lambda: not topics_of(lab, 'a_block')), topics_of(lab, 'a_block')
    assert delete(lab, services, 'a') == NOT_FOUND
    # Who listens to the ball has noticed nothing: no instant is missing.
    heard = [time_of(m) for m in lab.collect('bodies/ball/odom')]
    assert heard
    stamps = sorted({round(100 * time_of(m)) for m in lab.messages['/clock']})
    assert stamps == list(range(stamps[0], stamps[-1] + 1))


def test_pairs_with_what_comes_and_goes_have_topics_for_whoever_listened_before(lab, services):
    assert lab.set(max_pair_topics=0) == ''
    stays, comes = 'bodies/ball/contact_wrench/floor', 'bodies/a_block/contact_wrench/ball'
    heard = {topic: [] for topic in (stays, comes)}
    for topic, messages in heard.items():
        lab.node.create_subscription(WrenchStamped, lab.full(topic), messages.append, 10)
    assert lab.spin_until(lambda: heard[stays])
    for _ in range(2):
        code, _ = spawn(lab, services, name='a', resource_string=BLOCK, initial_pose=at(z=2.0))
        assert code == OK
        assert lab.spin_until(lambda: heard[comes])
        assert delete(lab, services, 'a') == OK
        assert lab.spin_until(lambda: not topics_of(lab, 'a_block'))
        heard[comes].clear()
        heard[stays].clear()
        assert lab.spin_until(lambda: heard[stays]), 'the others go on'


def test_what_cannot_be_spawned_is_told_and_changes_nothing(lab, services, tmp_path):
    (tmp_path / 'block.yaml').write_text(BLOCK, encoding='utf-8')
    outside = tmp_path.parent / f'{tmp_path.name}_outside.yaml'
    outside.write_text(BLOCK, encoding='utf-8')
    assert spawn(lab, services, name='b', uri='block.yaml', initial_pose=at(2.0)) == (OK, 'b')
    again = {'name': 'b', 'uri': 'block.yaml', 'initial_pose': at(4.0, 0.0, 0.1)}
    assert spawn(lab, services, **again)[0] == 101
    assert spawn(lab, services, allow_renaming=True, **again) == (OK, 'b_2')
    for fields, code, words in (
        ({'name': 'x'}, 104, 'one is needed'),
        ({'name': 'x/y', 'resource_string': BLOCK}, 102, 'must be letters'),
        ({'name': 'x', 'resource_string': 'bodies: 3'}, 106, 'resource_string:1: bodies'),
        ({'name': 'x', 'resource_string': '# ' * 2**20}, 103, 'more than'),
        ({'name': 'x', 'uri': str(outside)}, NOT_FOUND, 'include_paths'),
        ({'name': 'x', 'uri': f'file://{outside}'}, NOT_FOUND, 'include_paths'),
        ({'name': 'x', 'uri': '../../etc/passwd'}, NOT_FOUND, 'include_paths'),
        ({'name': 'x', 'uri': 'no_such.yaml'}, NOT_FOUND, 'no such file'),
        ({'name': 'x', 'uri': 'robot.urdf.xacro'}, 103, 'allow_xacro'),
        ({'name': 'x', 'uri': 'bouncing_circle'}, FAILED, 'planar'),
        ({'name': 'x', 'uri': 'block.yaml', 'entity_namespace': 'n'}, 0, 'must be empty'),
        ({'name': 'x', 'uri': 'block.yaml', 'initial_pose': at(frame='moon')}, 109, 'must be'),
        ({'name': 'x', 'uri': 'block.yaml', 'initial_pose': at(float('nan'))}, 109, 'finite'),
    ):
        found, text = spawn(lab, services, **fields)
        assert found == code, (fields, text)
        assert words in text
    assert entities(lab, services) == ['floor', 'ball', 'b_block', 'b_2_block', 'b', 'b_2']
    answer = lab.ask(services.ResetSimulation, 'reset_simulation', scope=4)
    assert answer.result.result == OK
    assert entities(lab, services) == ['floor', 'ball']


def test_a_world_is_loaded_and_stopped_at_time_0(lab, services):
    answer = lab.ask(services.LoadWorld, 'load_world', uri='floor')
    assert (answer.result.result, answer.world.name) == (OK, 'floor'), answer.result.error_message
    assert entities(lab, services) == ['floor']
    assert lab.get('body_names') == ['floor']
    assert lab.pause() == 0.0
    assert spawn(lab, services, name='a', resource_string=BLOCK, initial_pose=at(z=0.1))[0] == OK
    lab.pause(False)
    assert lab.collect('bodies/a_block/odom', 5)[-1].pose.pose.position.z < 0.101
    assert lab.ask(services.LoadWorld, 'load_world', uri='no_such').result.result == 101
    assert lab.ask(services.LoadWorld, 'load_world').result.result == 102
    worlds = lab.ask(services.GetAvailableWorlds, 'get_available_worlds').worlds
    assert {'floor', 'box_stack'} <= {world.world_resource.uri for world in worlds}
    spawnable = lab.ask(services.GetSpawnables, 'get_spawnables').spawnables
    assert {'box_stack', 'quadruped'} <= {entry.uri for entry in spawnable}
    features = lab.ask(services.GetSimulatorFeatures, 'get_simulator_features').features
    assert {0, 1, 9, 14, 23, 40, 41, 43, 44, 45, 50} <= set(features.features)
    assert features.spawn_formats == ['urdf', 'symcontact']


def test_several_are_spawned_at_once_and_a_world_is_unloaded(lab, services):
    from simulation_interfaces.msg import Resource, SpawnEntity

    wanted = [
        SpawnEntity(
            name=name, entity_resource=Resource(resource_string=text), initial_pose=at(x, 0.0, 0.1)
        )
        for name, text, x in (('a', BLOCK, 1.0), ('b', 'bodies: 3', 2.0), ('c', BLOCK, 3.0))
    ]
    answer = lab.ask(services.SpawnEntities, 'spawn_entities', spawn_requests=wanted)
    assert answer.result.result == 150
    assert '1 of 3' in answer.result.error_message
    assert [one.result.result for one in answer.results] == [OK, 106, OK]
    assert [one.entity_name for one in answer.results] == ['a', '', 'c']
    wanted = [
        SpawnEntity(name='d', entity_resource=Resource(uri='floor'), initial_pose=at(z=-9.0))
    ]
    answer = lab.ask(services.SpawnEntities, 'spawn_entities', spawn_requests=wanted)
    assert (answer.result.result, answer.results[0].entity_name) == (OK, 'd')
    assert entities(lab, services)[2:] == ['a_block', 'c_block', 'd_floor', 'a', 'c', 'd']

    assert lab.ask(services.UnloadWorld, 'unload_world').result.result == OK
    assert entities(lab, services) == []
    assert lab.pause() == 0.0
    assert lab.ask(services.UnloadWorld, 'unload_world').result.result == 101
    assert lab.ask(services.GetCurrentWorld, 'get_current_world').result.result == 101
    assert spawn(lab, services, name='a', resource_string=BLOCK) == (OK, 'a')
    lab.pause(False)
    assert lab.collect('bodies/a_block/odom', 5)[-1].pose.pose.position.z < 0.0, 'it falls'
    assert lab.ask(services.LoadWorld, 'load_world', uri='floor').result.result == OK
    answer = lab.ask(services.GetCurrentWorld, 'get_current_world')
    assert (answer.result.result, answer.world.name) == (OK, 'floor')


@pytest.mark.deep
def test_two_robots_with_four_legs_are_spawned_and_stand(lab, services):
    for number in range(2):
        found = spawn(
            lab,
            services,
            name=f'dog{number}',
            resource_string=four_legs(),
            initial_pose=at(float(number), 0.0, HEIGHT),
        )
        assert found == (OK, f'dog{number}')
    start = time_of(lab.collect('/clock')[-1])
    assert lab.spin_until(lambda: time_of(lab.messages['/clock'][-1]) > start + 2.0, 4 * LONG)
    for number in range(2):
        answer = lab.ask(services.GetEntityState, 'get_entity_state', entity=f'dog{number}')
        assert answer.state.pose.position.z == pytest.approx(HEIGHT, abs=0.03)


def test_a_node_that_ends_ends_what_it_is_compiling(services, domain, ros_environment, tmp_path):
    work = tmp_path / 'work'
    work.mkdir()
    own = {'TMPDIR': str(work), 'SYMCONTACT_CACHE_DIR': str(tmp_path / 'cache')}
    environment = {**ros_environment, **own}

    def compiling():
        """Return the processes that compile from files in this folder."""
        named = (path for path in Path('/proc').glob('[0-9]*/cmdline'))
        return [path for path in named if f'{work}/' in text_of(path)]

    with laboratory(domain, environment, node_command('floor')) as lab:
        client = lab.node.create_client(services.SpawnEntity, lab.full('spawn_entity'))
        assert lab.spin_until(client.service_is_ready)
        client.call_async(services.SpawnEntity.Request(name='dog', uri='quadruped'))
        assert lab.spin_until(compiling)
        lab.process.send_signal(signal.SIGTERM)  # to it alone, not to its group as Ctrl-C
        assert lab.process.wait(LONG) == 0
        assert not compiling()
        assert not list(work.glob('symcontact_*'))


def text_of(path):
    """Return the command line of a process, which may be gone by now."""
    try:
        return path.read_text(errors='replace')
    except OSError:
        return ''


@pytest.mark.parametrize('count', [3, pytest.param(200, marks=pytest.mark.deep)])
def test_coming_and_going_leaves_no_memory_and_no_threads(count, lab, services):
    def cycle(times):
        for _ in range(times):
            code, text = spawn(
                lab, services, name='a', resource_string=BLOCK, initial_pose=at(z=2.0)
            )
            assert code == OK, text
            assert delete(lab, services, 'a') == OK

    def state():
        """Return memory [MB], threads and open files of the node."""
        with open(f'/proc/{lab.process.pid}/status', encoding='ascii') as file:
            fields = dict(line.split(':', 1) for line in file)
        return int(fields['VmRSS'].split()[0]) / 1e3, int(fields['Threads'])

    cycle(3)
    memory, threads = state()
    cycle(count)
    more, still = state()
    assert still == threads
    assert more - memory < 20.0, 'MB'
