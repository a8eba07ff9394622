"""
Interfaces of other packages: offered where these are installed, and silently not elsewhere.

Classes with the fields of their public definitions stand in for messages: what is tested is what
the handlers do. test_ros_entities.py and test_node_spawning.py have the messages, over DDS.
"""

import asyncio
import re
from types import SimpleNamespace

from helpers.places import page
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import Wrench
from helpers.schedulers import hide, module, response, scheduler
from std_msgs.msg import Header, String

from symcontact_ros.ros.publishing.gazebo import GazeboContacts
from symcontact_ros.ros.standard import results
from symcontact_ros.ros.standard import standard_services as standard
from symcontact_ros.ros.standard.standard_services import StandardServices

PAGE = page('ros.md')
SERVICES = re.findall(r'simulation_interfaces/srv/(\w+)', PAGE)


class FakeNode:
    """Remembers which services and actions are offered."""

    def __init__(self):
        self.offered = {}

    def create_service(self, kind, name, handler, callback_group=None):
        self.offered[name] = handler

    def get_logger(self):
        return SimpleNamespace(info=lambda text: None)


@pytest.fixture
def offered(monkeypatch):
    module(monkeypatch, 'simulation_interfaces.srv', **dict.fromkeys(SERVICES, object))
    found = scheduler(start_paused=True)
    services = StandardServices(FakeNode(), found, found.simulation.observer(), 'world')
    return services, found


def test_without_the_packages_nothing_is_offered(monkeypatch):
    hide(monkeypatch, 'simulation_interfaces', 'ros_gz_interfaces')
    found = scheduler()
    node = FakeNode()
    assert StandardServices(node, found, found.simulation.observer(), 'world').names == []
    assert node.offered == {}
    assert GazeboContacts(None, found.simulation.model, 'world').topic is None


def test_what_the_page_names_is_offered_and_nothing_else(offered):
    services, _ = offered
    assert {name.title().replace('_', '') for name in services.names} == set(SERVICES)


def features(services):
    answer = SimpleNamespace(features=SimpleNamespace())
    return services.get_simulator_features(None, answer).features.features


def test_what_the_installed_version_lacks_is_no_feature(offered, monkeypatch):
    services, _ = offered
    assert features(services) == [
        *(
            0,
            1,
            5,
            6,
            8,
            9,
            10,
            11,
            12,
            14,
            20,
            21,
            22,
            23,
            24,
            25,
            26,
            31,
            32,
            40,
            41,
            43,
            44,
            45,
        ),
        50,
    ]
    names = set(SERVICES) - {'SetEntityState', 'GetEntityBounds', 'SpawnEntity', 'LoadWorld'}
    names -= {'SpawnEntities', 'UnloadWorld'}
    module(monkeypatch, 'simulation_interfaces.srv', **dict.fromkeys(names, object))
    module(monkeypatch, 'simulation_interfaces.action', SimulateSteps=object)
    monkeypatch.setattr('symcontact_ros.ros.standard.steps.ActionServer', lambda *a, **k: None)
    spatial = scheduler('sphere_cuboid')
    services = StandardServices(FakeNode(), spatial, spatial.simulation.observer(), 'world')
    assert 'set_entity_state' not in services.names
    assert features(services) == [
        *(1, 6, 7, 8, 10, 12, 14, 20, 21, 22, 23, 24, 25, 26, 31, 32, 33, 44, 45)
    ]


def test_states_change_as_the_standard_says(offered):
    services, found = offered

    def to(state):
        request = SimpleNamespace(state=SimpleNamespace(state=state))
        return services.set_simulation_state(request, response()).result.result

    def now():
        answer = response(state=SimpleNamespace(state=0))
        return services.get_simulation_state(None, answer).state.state

    assert now() == standard.PAUSED
    assert to(standard.PAUSED) == results.ALREADY
    assert to(standard.PLAYING) == results.OK
    assert (now(), found.paused) == (standard.PLAYING, False)
    step = SimpleNamespace(steps=5)
    assert services.step_simulation(step, response()).result.result == results.FAILED
    assert to(standard.PAUSED) == results.OK
    before = found.steps
    assert services.step_simulation(step, response()).result.result == results.OK
    assert found.steps == before + 5
    assert to(standard.STOPPED) == results.OK
    assert (now(), found.nanoseconds) == (standard.STOPPED, 0)
    assert to(77) == results.UNSUPPORTED
    assert to(standard.QUITTING) == results.OK
    assert services.quitting


@pytest.mark.parametrize(
    ('scope', 'time', 'height'),
    [(0, 0.0, 1.0), (1, 0.0, 0.95095), (2, 0.1, 1.0), (3, 0.0, 1.0), (8, 0.1, 0.95095)],
)
def test_resets_have_a_scope(scope, time, height, offered):
    services, found = offered
    found.step(100)  # 0.1 s of fall
    answer = asyncio.run(services.reset_simulation(SimpleNamespace(scope=scope), response()))
    assert answer.result.result == (results.UNSUPPORTED if scope == 8 else results.OK)
    assert 1e-9 * found.nanoseconds == pytest.approx(time)
    assert found.simulation.q[1] == pytest.approx(height)


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
        'JointWrench': lambda header: SimpleNamespace(
            header=header,
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
    found = scheduler(str(path))
    contacts = GazeboContacts(FakeTopics(), found.simulation.model, 'world')
    contacts.publish(found.simulation.observer().observe(), 1_500_000_000)
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
    assert all(w.header == message.header for w in contact.wrenches)


def test_contacts_of_gazebo_carry_the_weight_over_dds(domain, ros_environment, resting_ball):
    kinds = pytest.importorskip('ros_gz_interfaces.msg', reason='there is no wheel of it')
    from helpers.laboratory import laboratory, node_command

    model, weight = resting_ball
    topic = 'gz_contacts'
    with laboratory(domain, ros_environment, node_command(model), {topic: kinds.Contacts}) as lab:
        for message in lab.collect(topic, 20):
            (contact,) = message.contacts
            (wrench,) = contact.wrenches
            assert (contact.collision1.name, contact.collision2.name) == ('ball', 'floor')
            assert message.header.frame_id == wrench.header.frame_id == 'world'
            # started at its rest depth, it stays there to rounding
            assert wrench.body_1_wrench.force.y == pytest.approx(weight, rel=1e-6)
            assert wrench.body_2_wrench.force.y == -wrench.body_1_wrench.force.y
