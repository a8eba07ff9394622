"""Bodies as entities of simulation_interfaces; classes with its fields stand in for messages."""

from types import SimpleNamespace

from helpers.places import URDF
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import Pose, Twist, Vector3
from helpers.schedulers import module, response, scheduler
from std_msgs.msg import Header

from symcontact_ros.ros.standard import results
from symcontact_ros.ros.standard.entities import (
    DYNAMIC_OBJECT,
    EntityServices,
    ROBOT,
    STATIC_OBJECT,
)
from symcontact_ros.ros.standard.regions import BOX, CONVEX_HULL, SPHERE

ROOM = """\
dimension: 3
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box:
    fixed: true
    shapes: [{type: box, half_extents: [1, 1, 0.5], pose: {rpy: [0, 0, pi / 4]}}]
    joint: {origin: {xyz: [0, 0, 0.5]}}
  ball:
    mass: 1
    shapes:
    - {type: sphere, radius: 0.2}
    - {type: sphere, radius: 0.1, pose: {position: [0, 0, 0.4]}}
    initial: {position: [-2, 0, 1]}
  ghost: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
"""


@pytest.fixture
def entities():
    return entities_of(scheduler(start_paused=True))


def entities_of(found):
    return EntityServices(found, found.simulation.observer(), 'world'), found


def entity_state():
    return SimpleNamespace(header=Header(), pose=Pose(), twist=Twist())


def filters(pattern='', categories=(), tags=(), bounds=0, points=()):
    return SimpleNamespace(
        filters=SimpleNamespace(
            filter=pattern,
            categories=[SimpleNamespace(category=category) for category in categories],
            tags=SimpleNamespace(tags=tags),
            bounds=SimpleNamespace(
                type=bounds, points=[Vector3(x=x, y=y, z=z) for x, y, z in points]
            ),
        )
    )


@pytest.mark.parametrize(
    ('pattern', 'code', 'names'),
    [
        ('', results.OK, ['floor', 'ball']),
        ('^b', results.OK, ['ball']),
        ('^f[[:lower:]]+r$', results.OK, ['floor']),  # of POSIX, which Python does not know
        ('[[:punct:]]', results.FAILED, []),
        ('(', results.FAILED, []),
        ('(f|b)[a-z]+', results.OK, ['floor', 'ball']),
        ('(l+)+$', results.FAILED, []),  # these would try for ever on a long name
        ('l*l*l*l*l*$', results.FAILED, []),
    ],
)
def test_entities_are_found_by_name(pattern, code, names, entities):
    answer = entities[0].get_entities(filters(pattern), response(entities=[]))
    assert (answer.result.result, answer.entities) == (code, names)


@pytest.mark.parametrize(
    ('model', 'kind', 'points', 'code', 'names'),
    [
        ('room', SPHERE, [(0, 0, 1.5), (0.5, 9, 9)], results.OK, ['box']),  # touches its top
        ('room', SPHERE, [(0, 0, 1.5), (0.4999, 0, 0)], results.OK, []),
        ('room', SPHERE, [(1.3, 1.3, 0.5), (0.4, 0, 0)], results.OK, []),  # in the box around it
        ('room', SPHERE, [(9, 9, -9), (1, 0, 0)], results.OK, ['floor']),
        ('room', BOX, [(0.9, 0, 0.5), (-3, 0.1, 1.5)], results.OK, ['box', 'ball']),
        ('room', BOX, [(-9, -9, -9), (9, 9, 9)], results.OK, ['floor', 'box', 'ball']),
        (
            'room',
            CONVEX_HULL,
            [(0, 0, 0.5), (1, 0, 3), (0, 1, 3), (-1, -1, 3)],
            results.OK,
            ['box'],
        ),
        ('room', CONVEX_HULL, [(0, 0, 0), (1, 0, 0), (0, 1, 0)], results.FAILED, []),  # flat
        ('room', SPHERE, [(0, 0, 0), (-1, 0, 0)], results.FAILED, []),
        ('room', SPHERE, [(np.nan, 0, 0), (1, 0, 0)], results.FAILED, []),
        ('room', BOX, [(0, 0, 0)], results.FAILED, []),
        ('room', 4, [], results.UNSUPPORTED, []),
        ('bouncing_circle', SPHERE, [(0.9, 1, 7), (0.701, 0, 0)], results.OK, ['ball']),
        ('bouncing_circle', BOX, [(0.21, 0.1, 1), (9, 9, 2)], results.OK, []),
        ('bouncing_circle', CONVEX_HULL, [(0, 0, 0)] * 4, results.UNSUPPORTED, []),
    ],
)
def test_entities_are_found_by_bounds(model, kind, points, code, names, write_model):
    found = scheduler(str(write_model(ROOM)) if model == 'room' else model)
    points = [tuple(map(float, point)) for point in points]
    ask = filters(bounds=kind, points=points)
    answer = entities_of(found)[0].get_entities(ask, response(entities=[]))
    assert (answer.result.result, answer.entities) == (code, names), answer.result.error_message


def test_entities_are_found_by_category_and_not_by_tag(entities):
    services, _ = entities

    def found(**kinds):
        answer = services.get_entities(filters(**kinds), response(entities=[]))
        return answer.result.result, answer.entities

    assert found(categories=[STATIC_OBJECT]) == (results.OK, ['floor'])
    assert found(categories=[DYNAMIC_OBJECT, ROBOT]) == (results.OK, ['ball'])
    assert found(categories=[DYNAMIC_OBJECT], pattern='^f') == (results.OK, [])
    assert found(tags=['red']) == (results.UNSUPPORTED, [])


def test_what_a_urdf_describes_is_a_robot():
    arm = URDF / 'arm.urdf'
    services, found = entities_of(scheduler(str(arm)))
    answer = services.get_entities(filters(categories=[ROBOT]), response(entities=[]))
    assert tuple(answer.entities) == found.simulation.model.body_names


def test_entities_are_described(entities):
    services, _ = entities

    def told(name):
        info = SimpleNamespace(category=SimpleNamespace(category=0), description='')
        return services.get_entity_info(SimpleNamespace(entity=name), response(info=info))

    ball = told('ball')
    assert ball.info.category.category == DYNAMIC_OBJECT
    assert ball.info.description == 'planar joint on world, 1 kg, circle'
    assert told('nobody').result.result == results.NOT_FOUND


@pytest.mark.parametrize(
    ('name', 'code', 'kind', 'corners'),
    [
        # upper corner first; half the diagonal of its face, as it is turned by 45 degrees about z
        ('box', results.OK, BOX, [(2**0.5, 2**0.5, 0.5), (-(2**0.5), -(2**0.5), -0.5)]),
        ('ball', results.OK, BOX, [(0.2, 0.2, 0.5), (-0.2, -0.2, -0.2)]),  # and what it carries
        ('floor', results.OK, 0, []),  # without end
        ('ghost', results.FAILED, 0, []),
        ('nobody', results.NOT_FOUND, 0, []),
    ],
)
def test_bounds_of_entities_hold_their_shapes(name, code, kind, corners, write_model):
    services, _ = entities_of(scheduler(str(write_model(ROOM))))
    answer = services.get_entity_bounds(
        SimpleNamespace(entity=name), response(bounds=SimpleNamespace(type=0, points=[]))
    )
    assert (answer.result.result, answer.bounds.type) == (code, kind)
    found = np.array([(p.x, p.y, p.z) for p in answer.bounds.points])
    assert found == pytest.approx(np.array(corners), abs=1e-12)


def test_states_of_entities_are_told(entities, monkeypatch):
    services, _ = entities
    module(monkeypatch, 'simulation_interfaces.msg', EntityState=entity_state)
    answer = services.get_entities_states(filters(), response(entities=[]))
    assert answer.entities == ['floor', 'ball']
    state = answer.states[1]
    assert (state.pose.position.y, state.twist.linear.x) == (1.0, 1.0)
    assert state.header.frame_id == 'world'
    ask = SimpleNamespace(entity='ball')
    assert services.get_entity_state(ask, response(state=entity_state())).state == state
    ask.entity = 'nobody'
    answer = services.get_entity_state(ask, response(state=entity_state()))
    assert answer.result.result == results.NOT_FOUND


def test_entities_are_put_somewhere_and_shown_there(entities):
    services, found = entities
    state = entity_state()
    state.pose.position.x, state.pose.position.y = 3.0, 2.0
    request = SimpleNamespace(entity='ball', state=state, set_pose=True, set_twist=False)
    shown = []
    found.show = lambda: shown.append(found.simulation.q.copy())
    assert services.set_entity_state(request, response()).result.result == results.OK
    assert shown[0] == pytest.approx([3.0, 2.0, 0.0])
    assert found.simulation.u == pytest.approx([1.0, 0.0, 0.0])
    request.entity = 'floor'
    answer = services.set_entity_state(request, response()).result
    assert (answer.result, answer.error_message) == (results.FAILED, 'floor is fixed')


@pytest.mark.parametrize(
    ('field', 'value', 'code'),
    [
        ('pose.position.x', np.nan, results.INVALID_POSE),
        ('pose.position.z', 1.0, results.INVALID_POSE),  # the ball moves in a plane
        ('pose.orientation.w', 0.0, results.INVALID_POSE),
        ('pose.orientation.x', 1.0, results.INVALID_POSE),
        ('twist.linear.x', np.inf, results.FAILED),
        ('header.frame_id', 'moon', results.UNSUPPORTED),
    ],
)
def test_a_state_that_cannot_be_is_refused_whole(field, value, code, entities):
    services, found = entities
    state = entity_state()
    *path, last = field.split('.')
    part = state
    for name in path:
        part = getattr(part, name)
    setattr(part, last, value)
    before = found.simulation.state_hash()
    request = SimpleNamespace(entity='ball', state=state)
    answer = services.set_entity_state(request, response()).result
    assert (answer.result, bool(answer.error_message)) == (code, True)
    assert found.simulation.state_hash() == before


def test_entities_are_found_described_and_measured_over_dds(domain, ros_environment, write_model):
    kinds = pytest.importorskip('simulation_interfaces.srv', reason='there is no wheel of it')
    from helpers.laboratory import laboratory, node_command
    from simulation_interfaces.msg import Bounds, EntityCategory, EntityFilters

    command = node_command(write_model(ROOM), start_paused='true')
    with laboratory(domain, ros_environment, command) as lab:
        told = lab.ask(kinds.GetSimulatorFeatures, 'get_simulator_features').features.features
        assert {5, 6, 7, 8, 10, 11, 12, 33} <= set(told)
        bounds = Bounds(type=SPHERE, points=[Vector3(z=1.5), Vector3(x=0.5)])
        for filters, names in (
            (EntityFilters(bounds=bounds), ['box']),
            (EntityFilters(categories=[EntityCategory(category=STATIC_OBJECT)]), ['floor', 'box']),
        ):
            answer = lab.ask(kinds.GetEntitiesStates, 'get_entities_states', filters=filters)
            assert (answer.result.result, answer.entities) == (results.OK, names)
            assert len(answer.states) == len(names)
        answer = lab.ask(kinds.GetEntityInfo, 'get_entity_info', entity='ball')
        assert answer.info.description == 'free joint on world, 1 kg, sphere, sphere'
        upper, lower = lab.ask(
            kinds.GetEntityBounds, 'get_entity_bounds', entity='ball'
        ).bounds.points
        assert (upper.z, lower.z) == pytest.approx((0.5, -0.2), abs=1e-12)
        world = lab.ask(kinds.GetCurrentWorld, 'get_current_world').world
        assert world.world_resource.uri.endswith('model.yaml')
