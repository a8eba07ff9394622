"""The rights in config/sros2 and running nodes: what these have is allowed, and nothing else."""

import contextlib
from fnmatch import fnmatchcase
import subprocess

from helpers.places import ROOT
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
etree = pytest.importorskip('lxml.etree', reason='needs lxml; `make test` brings it')

from helpers.laboratory import laboratory, node_command
from helpers.listener import listening
from helpers.live_page import symcontact
from helpers.processes import controlling
from helpers.ros_page import full, MODEL, rows
from rclpy.action import get_action_server_names_and_types_by_node

POLICY = ROOT / 'config' / 'sros2' / 'policy.xml'
CONTROLLERS = ('cart_pole_lqr', 'wall_push', 'docking_guidance')
RIGHTS = {
    ('topics', 'publish'): 'get_publisher_names_and_types_by_node',
    ('topics', 'subscribe'): 'get_subscriber_names_and_types_by_node',
    ('services', 'reply'): 'get_service_names_and_types_by_node',
    ('services', 'request'): 'get_client_names_and_types_by_node',
    ('actions', 'execute'): get_action_server_names_and_types_by_node,
}


def profiles():
    """Return the profiles of the policy by the name of their node."""
    policy = etree.parse(str(POLICY))
    policy.xinclude()
    return {profile.get('node'): profile for profile in policy.iter('profile')}


PROFILES = profiles()


def allowed(node, kind, right):
    """Return the expressions that a profile allows, as full names."""
    lists = [one for one in PROFILES[node].iter(kind) if one.get(right) == 'ALLOW']
    names = [element.text for one in lists for element in one if isinstance(element.tag, str)]
    return {
        name if name[0] == '/' else f'/{node}{name[1:]}' if name[0] == '~' else f'/{name}'
        for name in names
    }


def held(listener, node):
    """Return what a running node has, by right, as far as it is known yet."""
    found = {}
    for right, ask in RIGHTS.items():
        method = getattr(listener.node, ask) if isinstance(ask, str) else None
        try:
            pairs = method(node, '/') if method else ask(listener.node, node, '/')
        except RuntimeError:  # the node itself is not known yet
            pairs = []
        # The topics and services of an action are part of the right to it.
        found[right] = {name for name, _ in pairs if '/_action/' not in name}
    return found


def unused(node, found):
    """Return the expressions of a policy that fit nothing that the node has."""
    return {
        expression
        for right, names in found.items()
        for expression in allowed(node, *right)
        if not any(fnmatchcase(name, expression) for name in names)
    }


def excess(node, found):
    """Return what a node has, and the policy does not allow."""
    return {
        (right, name)
        for right, names in found.items()
        for name in names
        if not any(fnmatchcase(name, expression) for expression in allowed(node, *right))
    }


def check(listener, node, optional=frozenset()):
    """Wait for all that the policy allows to be there, and see that it is all there is."""
    assert listener.spin_until(lambda: unused(node, held(listener, node)) <= optional), unused(
        node, held(listener, node)
    )
    assert excess(node, held(listener, node)) == set()


def test_the_simulation_has_what_the_policy_allows(domain, ros_environment, write_model):
    of_other_packages = {full(name) for name, *_ in rows('Other interfaces')}
    of_robots = {'/robot_description', '/*/robot_description'}
    command = node_command(write_model(MODEL))
    with laboratory(domain, ros_environment, command) as lab:
        check(lab, 'symcontact', of_other_packages | of_robots)


def test_the_policy_names_all_of_other_packages():
    every = set().union(*(allowed('symcontact', *right) for right in RIGHTS))
    assert {full(name) for name, *_ in rows('Other interfaces')} <= every


def test_controllers_have_what_the_policy_allows(domain, ros_environment, tmp_path):
    with listening(domain, {}) as listener, contextlib.ExitStack() as running:
        for name in CONTROLLERS:
            running.enter_context(controlling(name, ros_environment, tmp_path))
        for name in CONTROLLERS:
            check(listener, name)


def test_the_page_has_what_the_policy_allows(domain, ros_environment):
    pytest.importorskip('tornado', reason='serves the page; `make test` brings it')
    of_hands = {'/symcontact/bodies/*/wrench_command'}  # made when a body is pulled
    switch = ('--switch', '/cart_pole_lqr:freeze_gain')
    with listening(domain, {}) as listener, symcontact(ros_environment, 'view', *switch):
        check(listener, 'symcontact_view', of_hands)


def test_the_viewer_reads_everything_and_changes_nothing():
    own = allowed('viewer', 'topics', 'publish') | allowed('viewer', 'services', 'reply')
    assert all(name in ('/rosout', '/parameter_events') or '/viewer/' in name for name in own)
    read = allowed('viewer', 'topics', 'subscribe')
    assert read == allowed('symcontact', 'topics', 'publish')
    asked = allowed('viewer', 'services', 'request')
    assert asked < allowed('symcontact', 'services', 'reply')
    assert not any(word in name for name in asked for word in ('set', 'reset', 'step', 'pause'))
    assert not allowed('viewer', 'actions', 'call')


def test_every_controller_has_an_enclave_of_its_own():
    enclaves = {
        enclave.get('path'): [profile.get('node') for profile in enclave.iter('profile')]
        for enclave in etree.parse(str(POLICY)).iter('enclave')
    }
    names = (*CONTROLLERS, 'viewer', 'symcontact_view')
    wanted = {f'/symcontact/{name}': [name] for name in names}
    assert enclaves == {'/symcontact/simulation': ['symcontact'], **wanted}


@pytest.mark.parametrize(
    'files', [(), ('cert.pem', 'governance.p7s')], ids=['no keys', 'bad keys']
)
def test_keys_that_do_not_work_stop_the_node_with_one_line(ros_environment, tmp_path, files):
    enclave = tmp_path / 'enclaves' / 'symcontact' / 'simulation'
    for file in files:
        enclave.mkdir(parents=True, exist_ok=True)
        (enclave / file).write_text('')
    environment = {
        **ros_environment,
        'ROS_SECURITY_KEYSTORE': str(tmp_path),
        'ROS_SECURITY_ENABLE': 'true',
        'ROS_SECURITY_STRATEGY': 'Enforce',
    }
    command = node_command('bouncing_circle', ros=['--enclave', '/symcontact/simulation'])
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert result.returncode == 2
    assert 'Traceback' not in result.stderr
    assert 'ecurity' in result.stderr or 'SECURITY' in result.stderr
