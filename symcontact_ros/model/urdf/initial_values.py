"""Start positions of joints, from ``initial_value`` of ``<ros2_control>``."""

from __future__ import annotations

from collections.abc import Iterator

from symcontact_ros.joints.table import JOINT_TYPES
from symcontact_ros.model.urdf.elements import child, children, Element, UrdfDescription
from symcontact_ros.model.urdf.number_texts import LONGEST, read_number
from symcontact_ros.model.urdf.robot_tree import Tree

INTERFACES = ('position', 'velocity')  # of which `initial_value` is read


def read_initial_values(description: UrdfDescription, robot: Element, tree: Tree) -> None:
    """Add ``initial`` to the bodies whose joints have initial values; others are a warning."""
    places = {joint.element.get('name', '').strip(): name for name, joint in tree.joints.items()}
    for name, interface, parameter in _given(robot):
        if name not in places:
            text = f'initial_value of joint {name!r} is left out: there is no such joint'
            description.warn(parameter, 'bodies', text)
            continue
        link = tree.links[places[name]]
        body = description.data['bodies'].get(link.name, {'joint': {'type': 'fixed'}})
        path = f'{link.path}.initial.{interface}'
        mimic = child(tree.joints[places[name]].element, 'mimic')
        if mimic is not None:
            leader = mimic.get('joint', '').strip()
            text = f'initial_value is left out: joint {name!r} mimics {leader!r}, which places it'
            description.warn(parameter, path, text)
            continue
        if not JOINT_TYPES[body['joint']['type']].is_single:
            text = f'initial_value is left out: joint {name!r} is {body["joint"]["type"]}'
            description.warn(parameter, path, text)
            continue
        text = (parameter.text or '').strip()
        try:
            value, _ = read_number(text)
        except ValueError as error:
            shown = f'initial_value {text[:LONGEST]!r}'
            description.warn(parameter, path, f'{shown} is left out: {str(error).lstrip()}')
            continue
        description.mark(path, parameter)
        body.setdefault('initial', {}).setdefault(interface, value)


def _given(robot: Element) -> Iterator[tuple[str, str, Element]]:
    """Yield joint, interface and parameter of every initial value."""
    for system in children(robot, 'ros2_control'):
        for joint in children(system, 'joint'):
            for interface in children(joint, 'state_interface'):
                for parameter in children(interface, 'param'):
                    known = interface.get('name') in INTERFACES
                    if known and parameter.get('name') == 'initial_value':
                        yield joint.get('name', '').strip(), interface.get('name'), parameter
