"""Axes of joints of a URDF, in the frame of the joint, which is that of the child link."""

from __future__ import annotations

import math

from symcontact_ros.joints.table import FIXED
from symcontact_ros.model.urdf.elements import child, children, numbers, UrdfDescription
from symcontact_ros.model.urdf.frames import Fields, rotation, rpy_of, turn_of_z
from symcontact_ros.model.urdf.robot_tree import Joint


def axis_of(description: UrdfDescription, joint: Joint, path: str) -> list[float]:
    """Return the unit axis in the frame of the joint; URDF's default is x."""
    default = (1.0, 0.0, 0.0)
    element = child(joint.element, 'axis')
    axis = numbers(description, element, 'xyz', f'{path}.axis', default=default)
    if len(children(joint.element, 'axis')) > 1:
        description.warn(element, f'{path}.axis', 'there are several <axis>: the first is read')
    largest = max(map(abs, axis))
    if largest == 0.0:
        text = '<axis xyz="0 0 0"> has no direction: 1 0 0, as where there is no <axis>'
        description.warn(element, f'{path}.axis', text)
        return list(default)
    axis = [component / largest for component in axis]  # tiny components square to 0 otherwise
    length = math.hypot(*axis)
    return [component / length + 0.0 for component in axis]  # + 0.0: no negative zeros


def carrier_of(link: str) -> str:
    """Return the name of the body that carries a link whose joint moves across another axis."""
    return f'{link}_plane'


def across(description: UrdfDescription, fields: Fields, axis: list[float], path: str) -> Fields:
    """
    Return the fixed joint of a link to a new body without mass that moves across an axis.

    Here joints of this type move across their z: the new body's frame is turned, so that the
    link's own can stay as the file has it.
    """
    body = path.split('.')[1]
    carrier = carrier_of(body)
    if carrier in description.data['bodies'] or f'bodies.{carrier}' in description.lines:
        description.fault(
            f'{path}.axis', f'needs a body {carrier!r}: rename the link of that name'
        )
    turn = turn_of_z(axis)
    origin = {**fields['origin'], 'rpy': rpy_of(rotation(fields['origin']['rpy']) @ turn)}
    description.data['bodies'][carrier] = {'mass': 0.0, 'joint': {**fields, 'origin': origin}}
    back = {'xyz': [0.0, 0.0, 0.0], 'rpy': rpy_of(turn.T)}
    return {'type': FIXED, 'parent': carrier, 'origin': back}
