"""Conversion of Python arguments to the plain data of model files, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral, Real
import re
from typing import Any

from symcontact_ros.errors import Fault, ModelError
from symcontact_ros.expressions import Formula
from symcontact_ros.model.parts import Body
from symcontact_ros.shapes.base import Shape

MAXIMUM_DEPTH = 12  # as in model files
_NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\Z')
# Keys that a constant of a material replaces.
_REPLACED = {'damping': ('restitution', 'impact_speed')}


def plain(value: Any, depth: int = 0) -> Any:
    """Return a copy of an argument as plain data: shapes as mappings, arrays as lists."""
    if depth > MAXIMUM_DEPTH:
        raise ModelError([Fault('model', None, '', f'nested more than {MAXIMUM_DEPTH} deep')])
    if isinstance(value, Shape):
        value = {'type': value.kind, **vars(value)}
    elif hasattr(value, 'tolist'):  # of numpy: arrays, numbers
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, str | Formula):
        return str(value)
    if isinstance(value, Real) and not isinstance(value, bool):
        return int(value) if isinstance(value, Integral) else _float(value)
    return value


def _float(value: Real) -> Any:
    try:
        return float(value)
    except OverflowError:  # a fraction of huge numbers: refused where it is read
        return value


def with_numbers(value: Any) -> Any:
    """Return plain data with the texts that are just numbers as numbers."""
    if isinstance(value, dict):
        return {key: with_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_numbers(item) for item in value]
    if isinstance(value, str) and _NUMBER.match(value):
        return float(value) if any(mark in value for mark in '.eE') else int(value)
    return value


def with_values(
    data: dict[str, Any],
    values: Mapping[str, float],
    gravity: Iterable[Any],
    bodies: Iterable[Body],
) -> dict[str, Any]:
    """Return the data of a model with the values of some live symbols replaced."""
    data = plain(data)
    owners = {body.joint.name: body.name for body in bodies}
    for name, value in values.items():
        head, _, key = name.rpartition('.')
        if not head:
            table = data['parameters']
            table, key = (table[name], 'value') if isinstance(table[name], dict) else (table, name)
        elif head == 'gravity' and key in 'xyz':
            field = data.setdefault('gravity', plain(list(gravity)))
            field['xyz'.index(key)] = value
            continue
        elif head.startswith('materials.'):
            table = data.setdefault('materials', {}).setdefault(head.partition('.')[2], {})
            if key == 'stiffness' and _is_chosen(table):
                table[key] = {'auto': value}  # pairs keep their ratios
                continue
            for other in _REPLACED.get(key, ()):
                table.pop(other, None)
        elif key == 'mass':
            table = data['bodies'][head]
        elif key in ('kp', 'kd'):
            table = data['bodies'][owners[head]]['joint']['servo']
        else:
            table = data['bodies'][owners[head]].setdefault('joint', {})
        table[key] = value
    return data


def _is_chosen(material: dict[str, Any]) -> bool:
    """Return whether the stiffness of a material is chosen by the pair."""
    stiffness = material.get('stiffness', 'auto')
    return stiffness == 'auto' or isinstance(stiffness, dict)
