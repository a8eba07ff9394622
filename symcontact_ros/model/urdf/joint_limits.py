"""Range, effort and velocity of the ``<limit>`` of a joint, and its ``<dynamics>``."""

from __future__ import annotations

import math

from symcontact_ros.joints.base import JointType
from symcontact_ros.model.urdf.elements import child, Element, number, shown, UrdfDescription
from symcontact_ros.model.urdf.frames import Fields
from symcontact_ros.model.urdf.number_texts import read_number
from symcontact_ros.model.urdf.robot_tree import Joint

FARTHEST = 1e9  # [rad or m]: a stop beyond it is none


def resistance(description: UrdfDescription, joint: Joint, path: str) -> Fields:
    """Return damping [N m s/rad or N s/m] and dry friction [N m or N] where they are given."""
    element = child(joint.element, 'dynamics')
    if element is None:
        return {}
    return {
        key: number(description, element, key, f'{path}.{key}', minimum=0.0)
        for key in ('damping', 'friction')
        if element.get(key) is not None
    }


def limits(description: UrdfDescription, joint: Joint, kind: JointType, path: str) -> Fields:
    """Return the key ``limits`` of a joint with one degree of freedom, or nothing."""
    element = child(joint.element, 'limit')
    is_unlimited = joint.element.get('type') == kind.urdf_unlimited
    if element is None:
        if not is_unlimited:
            what = f'{joint.element.get("type")} joint {joint.element.get("name")!r}'
            description.warn(joint.element, path, f'{what} has no <limit>: it has no stops')
        return {}
    description.mark(path, element)
    fields = {} if is_unlimited else _range(description, element, path)
    fields.update(_strength(description, element, path))
    return {'limits': fields} if fields else {}


def _range(description: UrdfDescription, element: Element, path: str) -> Fields:
    """Return the range of the position [rad or m]; URDF's default for either end is 0."""
    if element.get('lower') is None and element.get('upper') is None:
        description.warn(element, path, '<limit> has no `lower` and `upper`: no stops')
        return {}
    lower, upper = (
        number(description, element, key, f'{path}.{key}', default=0.0, infinite=True)
        for key in ('lower', 'upper')
    )
    if lower > upper:
        text = f'lower {lower:g} is above upper {upper:g}: no stops, as other loaders have it'
        description.warn(element, path, text)
        return {}
    return {key: end for key, end in (('lower', lower), ('upper', upper)) if abs(end) < FARTHEST}


def _strength(description: UrdfDescription, element: Element, path: str) -> dict[str, float]:
    """Return limits of effort [N m or N] and velocity [rad/s or m/s] of the actuator."""
    found = {}
    for key in ('effort', 'velocity'):
        if element.get(key) is None:
            continue
        description.mark(f'{path}.{key}', element)
        try:
            value, _ = read_number(element.get(key), infinite=True)
        except ValueError as error:
            description.warn(element, f'{path}.{key}', f'{shown(element, key)} {error}: no limit')
            continue
        if 0.0 < value < math.inf:
            found[key] = value
    return found
