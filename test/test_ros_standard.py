"""
Interfaces of other packages: offered where these are installed, and silently not elsewhere.

There are no wheels of simulation_interfaces and ros_gz_interfaces. Where they are missing, classes
with the fields of their public definitions stand in: what is tested then is what the handlers do.
"""

from importlib.util import find_spec
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import Pose, Twist, Wrench
from std_msgs.msg import Header, String
from test_ros_parts import stepper

from symcontact_ros.ros import standard
from symcontact_ros.ros.gazebo import GazeboContacts
from symcontact_ros.ros.standard import StandardServices
from symcontact_ros.simulation.observer import Observer

SERVICES = [  # of an older version, without SetEntityState
    'GetSimulatorFeatures',
    'GetSimulationState',
    'SetSimulationState',
    'ResetSimulation',
    'StepSimulation',
    'GetEntities',
    'GetEntityState',
    'GetEntitiesStates',
]


class FakeNode:
    """Remembers which services are offered."""

    def __init__(self):
        self.offered = {}

    def create_service(self, kind, name, handler):
        self.offered[name] = handler

    def get_logger(self):
        return SimpleNamespace(info=lambda text: None)


def module(monkeypatch, name, **members):
    """Put a module that stands in for one that is not installed."""
    made = ModuleType(name)
    vars(made).update(members)
    monkeypatch.setitem(sys.modules, name.partition('.')[0], ModuleType(name.partition('.')[0]))
    monkeypatch.setitem(sys.modules, name, made)


def response(**fields):
    return SimpleNamespace(result=SimpleNamespace(result=0, error_message=''), **fields)


@pytest.fixture
def offered(monkeypatch):
    module(monkeypatch, 'simulation_interfaces.srv', **dict.fromkeys(SERVICES, object))
    found = stepper(start_paused=True)
    services = StandardServices(FakeNode(), found, Observer(found.simulation), 'world')
    return services, found


@pytest.mark.skipif(
    find_spec('simulation_interfaces') is not None, reason='simulation_interfaces is installed'
)
def test_without_the_packages_nothing_is_offered():
    found = stepper()
    node = FakeNode()
    assert StandardServices(node, found, Observer(found.simulation), 'world').names == []
    assert node.offered == {}
    assert GazeboContacts(None, found.simulation.model, 'world').topic is None


def test_what_the_installed_version_has_is_offered(offered):
    services, _ = offered
    assert 'set_entity_state' not in services.names
    assert len(services.names) == len(SERVICES)


def test_states_change_as_the_standard_says(offered):
    services, found = offered

    def to(state):
        request = SimpleNamespace(state=SimpleNamespace(state=state))
        return services.set_simulation_state(request, response()).result.result

    def now():
        answer = response(state=SimpleNamespace(state=0))
        return services.get_simulation_state(None, answer).state.state

    assert now() == standard.PAUSED
    assert to(standard.PAUSED) == standard.ALREADY
    assert to(standard.PLAYING) == standard.OK
    assert (now(), found.paused) == (standard.PLAYING, False)
    step = SimpleNamespace(steps=5)
    assert services.step_simulation(step, response()).result.result == standard.FAILED
    assert to(standard.PAUSED) == standard.OK
    before = found.steps
    assert services.step_simulation(step, response()).result.result == standard.OK
    assert found.steps == before + 5
    assert to(standard.STOPPED) == standard.OK
    assert (now(), found.nanoseconds) == (standard.STOPPED, 0)
    assert to(77) == standard.UNSUPPORTED
    assert to(standard.QUITTING) == standard.OK
    assert services.quitting


@pytest.mark.parametrize(
    ('scope', 'time', 'height'),
    [(0, 0.0, 1.0), (1, 0.0, 0.95095), (2, 0.1, 1.0), (3, 0.0, 1.0), (4, 0.1, 0.95095)],
)
def test_resets_have_a_scope(scope, time, height, offered):
    services, found = offered
    found.step(100)  # 0.1 s of fall
    answer = services.reset_simulation(SimpleNamespace(scope=scope), response())
    assert answer.result.result == (standard.UNSUPPORTED if scope == 4 else standard.OK)
    assert 1e-9 * found.nanoseconds == pytest.approx(time)
    assert found.simulation.q[1] == pytest.approx(height)


def entity_state():
    return SimpleNamespace(header=Header(), pose=Pose(), twist=Twist())


def filters(pattern='', bounds=0):
    return SimpleNamespace(
        filters=SimpleNamespace(
            filter=pattern,
            categories=[],
            tags=SimpleNamespace(tags=[]),
            bounds=SimpleNamespace(type=bounds),
        )
    )


@pytest.mark.parametrize(
    ('pattern', 'code', 'names'),
    [
        ('', standard.OK, ['floor', 'ball']),
        ('^b', standard.OK, ['ball']),
        ('^f[[:lower:]]+r$', standard.OK, ['floor']),  # of POSIX, which Python does not know
        ('[[:punct:]]', standard.FAILED, []),
        ('(', standard.FAILED, []),
    ],
)
def test_entities_are_found_by_name(pattern, code, names, offered):
    answer = offered[0].get_entities(filters(pattern), response())
    assert (answer.result.result, answer.entities) == (code, names)


def test_entities_are_not_found_by_bounds(offered):
    answer = offered[0].get_entities(filters(bounds=3), response())
    assert (answer.result.result, answer.entities) == (standard.UNSUPPORTED, [])


def test_states_of_entities_are_told(offered, monkeypatch):
    services, _ = offered
    module(monkeypatch, 'simulation_interfaces.msg', EntityState=entity_state)
    answer = services.get_entities_states(filters(), response())
    assert answer.entities == ['floor', 'ball']
    state = answer.states[1]
    assert (state.pose.position.y, state.twist.linear.x) == (1.0, 1.0)
    assert state.header.frame_id == 'world'
    ask = SimpleNamespace(entity='ball')
    assert services.get_entity_state(ask, response(state=entity_state())).state == state
    ask.entity = 'nobody'
    answer = services.get_entity_state(ask, response(state=entity_state()))
    assert answer.result.result == standard.NOT_FOUND


def test_entities_are_put_somewhere_and_shown_there(offered):
    services, found = offered
    state = entity_state()
    state.pose.position.x, state.pose.position.y = 3.0, 2.0
    request = SimpleNamespace(entity='ball', state=state, set_pose=True, set_twist=False)
    shown = []
    found.show = lambda: shown.append(found.simulation.q.copy())
    assert services.set_entity_state(request, response()).result.result == standard.OK
    assert shown[0] == pytest.approx([3.0, 2.0, 0.0])
    assert found.simulation.u == pytest.approx([1.0, 0.0, 0.0])
    request.entity = 'floor'
    answer = services.set_entity_state(request, response()).result
    assert (answer.result, answer.error_message) == (standard.FAILED, 'floor is fixed')


@pytest.mark.parametrize(
    ('field', 'value', 'code'),
    [
        ('pose.position.x', np.nan, standard.INVALID_POSE),
        ('pose.position.z', 1.0, standard.INVALID_POSE),  # the ball moves in a plane
        ('pose.orientation.w', 0.0, standard.INVALID_POSE),
        ('pose.orientation.x', 1.0, standard.INVALID_POSE),
        ('twist.linear.x', np.inf, standard.FAILED),
        ('header.frame_id', 'moon', standard.UNSUPPORTED),
    ],
)
def test_a_state_that_cannot_be_is_refused_whole(field, value, code, offered):
    services, found = offered
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


def test_a_simulation_that_was_stopped_and_has_made_a_step_is_paused(offered):
    services, found = offered

    def now():
        answer = response(state=SimpleNamespace(state=0))
        return services.get_simulation_state(None, answer).state.state

    stop = SimpleNamespace(state=SimpleNamespace(state=standard.STOPPED))
    services.set_simulation_state(stop, response())
    assert now() == standard.STOPPED
    found.step(1)
    assert now() == standard.PAUSED


def test_contacts_of_gazebo_say_on_whom_they_act(monkeypatch, write_model):
    path = write_model("""\
dimension: 3
materials: {default: {law: linear, stiffness: 1.0e4, damping: 0, friction: 0, slip_speed: 1}}
bodies:
  wall: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box: {mass: 1, shapes: [{type: box, half_extents: [1, 1, 1]}], initial: {position: [0, 0, 0.99]}}
""")

    def entity():
        return SimpleNamespace(name='', type=0)

    kinds = {
        'Contacts': lambda: SimpleNamespace(header=Header(), contacts=[]),
        'Contact': lambda: SimpleNamespace(collision1=entity(), collision2=entity()),
        'Entity': SimpleNamespace(COLLISION=5),
        'JointWrench': lambda: SimpleNamespace(
            body_1_name=String(),
            body_2_name=String(),
            body_1_wrench=Wrench(),
            body_2_wrench=Wrench(),
        ),
    }
    module(monkeypatch, 'ros_gz_interfaces.msg', **kinds)

    class FakeTopics:
        def add(self, message, name):
            sent.append(message)
            return SimpleNamespace(message=message, listeners=1, send=lambda: None)

    sent = []
    found = stepper(str(path))
    contacts = GazeboContacts(FakeTopics(), found.simulation.model, 'world')
    contacts.publish(Observer(found.simulation).look().contacts, 1_500_000_000)
    (message,) = sent
    (contact,) = message.contacts
    assert message.header.stamp.nanosec == 500_000_000
    assert (contact.collision1.name, contact.collision2.name) == ('box', 'wall')
    assert contact.collision1.type == kinds['Entity'].COLLISION
    assert contact.depths == pytest.approx([0.01] * 4)
    assert [n.z for n in contact.normals] == pytest.approx([-1.0] * 4)
    up = sum(w.body_1_wrench.force.z for w in contact.wrenches)
    assert up == pytest.approx(1e4 * 0.01), 'the wall pushes the box up'
    down = sum(w.body_2_wrench.force.z for w in contact.wrenches)
    assert down == -up
    assert np.isfinite([p.x for p in contact.positions]).all()
