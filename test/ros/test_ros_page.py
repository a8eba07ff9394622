"""docs/ros.md and the running node say the same: topics, types, quality of service, parameters."""

from functools import partial
from importlib.util import find_spec

import pytest
import yaml

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.laboratory import Laboratory, laboratory, node_command
from helpers.ros_page import full, MODEL, rows
from rcl_interfaces.srv import ListParameters
from rclpy.action import get_action_server_names_and_types_by_node
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

TERMS = 'kinetic potential elastic dissipated work_in manifold integration mechanical residual'
EVERY_NODE_HAS = ('/rosout', '/parameter_events')
HIDDEN = ('parameter', 'get_type_description', '/_action/')


CONTACTS = {'box': 'ground', 'ground': 'box'}
MOVING = ['box', 'lever']
EXPANDED = {
    '~/bodies/<body>/contact_wrench': [f'~/bodies/{b}/contact_wrench' for b in CONTACTS],
    '~/bodies/<body>/contact_wrench/<other>': [
        f'~/bodies/{b}/contact_wrench/{other}' for b, other in CONTACTS.items()
    ],
    '~/bodies/<body>/odom': [f'~/bodies/{b}/odom' for b in MOVING],
    '~/bodies/<body>/wrench_command': [f'~/bodies/{b}/wrench_command' for b in MOVING],
    '~/energy/<term>': [f'~/energy/{term}' for term in TERMS.split()],
    '~/sensors/<sensor>': ['~/sensors/imu', '~/sensors/wrist', '~/sensors/plate'],
    'robot_description': [],  # of URDF models: test_node_urdf.py
}


OTHERS = {'Publications': '/msg/', 'Services': '/srv/', 'Actions': '/action/'}


def of_other_packages(title):
    """Return names and types that the page has of other packages, of those that are installed."""
    return {
        full(name): kind
        for name, kind, _ in rows('Other interfaces')
        if OTHERS.get(title, ' ') in kind and find_spec(kind.partition('/')[0]) is not None
    }


def documented(title):
    """Return names and types in a table of the page, for this model."""
    found = of_other_packages(title)
    for name, kinds, *_ in rows(title):
        choices = kinds.split(', ')
        for i, one in enumerate(EXPANDED.get(name.strip('`'), [name.strip('`')])):
            found[full(one)] = choices[min(i, len(choices) - 1)]
    return found


def running(lab, title):
    """Return names and types of what the node has, as far as it is known yet."""
    ask = {
        'Publications': lab.node.get_publisher_names_and_types_by_node,
        'Subscriptions': lab.node.get_subscriber_names_and_types_by_node,
        'Services': lab.node.get_service_names_and_types_by_node,
        'Actions': partial(get_action_server_names_and_types_by_node, lab.node),
    }
    try:
        found = ask[title]('symcontact', '/')
    except RuntimeError:  # the node itself is not known yet
        return {}
    return {
        name: kinds[0]
        for name, kinds in found
        if name not in EVERY_NODE_HAS and not any(part in name for part in HIDDEN)
    }


def test_the_page_names_what_there_is_and_the_reverse(domain, ros_environment, write_model):
    with laboratory(
        domain, ros_environment, node_command(write_model(MODEL)), {'/tf': TFMessage}
    ) as lab:
        lab.hear('/tf')
        for title in ('Publications', 'Subscriptions', 'Services'):
            wanted = documented(title)
            lab.spin_until(lambda title=title, w=wanted: running(lab, title) == w)
            assert running(lab, title) == wanted
        actions = of_other_packages('Actions')
        assert lab.spin_until(lambda: running(lab, 'Actions') == actions)
        for name, _, quality, *_ in rows('Publications'):
            for one in EXPANDED.get(name.strip('`'), [name.strip('`')]):
                (info,) = lab.node.get_publishers_info_by_topic(full(one))
                assert info.qos_profile.reliability == ReliabilityPolicy.RELIABLE
                latched = info.qos_profile.durability == DurabilityPolicy.TRANSIENT_LOCAL
                assert latched == (quality == 'latched'), name
        parameters = lab.ask(ListParameters, 'list_parameters', depth=0).result.names
        descriptors = {name: lab.describe(name) for name in parameters}
        check_parameters(descriptors, {name: lab.get(name) for name in parameters})


def check_parameters(descriptors, values):
    """Compare the table of parameters with a running node."""
    own = {
        name
        for name in descriptors
        if not name.startswith('symbols.')
        and name not in ('use_sim_time', 'start_type_description_service')
    }
    listed = {}
    for name, default, kind, limits, live, _ in rows('Parameters'):
        listed[name.strip('`')] = default.strip('`'), kind, limits, live
    assert own == set(listed) | {'body_names', 'joint_names', 'pair_names'}
    for name, (default, kind, limits, live) in listed.items():
        descriptor = descriptors[name]
        assert descriptor.read_only == (live != 'live'), name
        ranges = [*descriptor.floating_point_range, *descriptor.integer_range]
        found = ''.join(f'{r.from_value:g} to {r.to_value:g}' for r in ranges)
        assert found == limits, name
        kinds = {bool: 'bool', int: 'integer', float: 'double', str: 'string'}
        assert kinds.get(type(values[name]), 'string array') == kind, name
        if name != 'model':
            assert values[name] == yaml.safe_load(default), name
    for name in ('m', 'gravity.z', 'lever.mass', 'hinge.damping', 'materials.default.friction'):
        assert f'symbols.{name}' in descriptors


def test_what_is_latched_reaches_those_who_come_late(domain, ros_environment, write_model):
    topics = {'/tf_static': TFMessage}
    topics |= dict.fromkeys(('/symcontact/equations', '/symcontact/equations_mathml'), String)
    with laboratory(domain, ros_environment, node_command('cart_pole'), {'/tf': TFMessage}) as lab:
        lab.hear('/tf')
        for _ in range(2):  # the equations are derived for the first, and kept for the second
            late = Laboratory(domain, topics, latched=list(topics))
            assert late.spin_until(lambda late=late: all(late.messages.values()))
            (sites,) = late.messages['/tf_static']
            assert [t.child_frame_id for t in sites.transforms] == ['tip']
            assert sites.transforms[0].header.frame_id == 'pole'
            assert sites.transforms[0].transform.translation.y == pytest.approx(1.0)
            (equations,) = late.messages['/symcontact/equations']
            assert r'\ell' in equations.data
            (mathml,) = late.messages['/symcontact/equations_mathml']
            assert '<math' in mathml.data and 'data-symbol="m"' in mathml.data
            late.close()
        lab.collect('/tf')
