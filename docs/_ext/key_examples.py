"""
Models in which every key of model files is read, made from the tables of joints, shapes and laws.

They need not be good models: a key is read before its value is judged. Where the loader reads one
key only beside another, or instead of another, there is a model with the one and a model with the
other.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from key_trace import Key, traced

from symcontact_ros.contact.laws import LAWS
from symcontact_ros.errors import ModelError
from symcontact_ros.joints.table import types_in
from symcontact_ros.model.building.builder import build, NOISE
from symcontact_ros.model.description import Description
from symcontact_ros.shapes.table import KINDS

TURNS: dict[int, tuple[dict[str, Any], ...]] = {
    2: ({'angle': 0.1}, {'rpy': [0, 0, 0.1]}),
    3: ({'rpy': [0, 0, 0.1]}, {'quaternion': [0, 0, 0, 1]}),
}
JOINT = {
    'limits': {'lower': 0},
    'servo': {'kp': 1, 'target': 0},
    'mimic': {},
}
SIZES: tuple[dict[str, Any], ...] = ({}, {'size': [1, 1]})
MATERIALS: tuple[dict[str, Any], ...] = (
    {'stiffness': 1, 'damping': 0},
    {'stiffness': {'auto': 1}},
    {'rest_depth': 1e-3, 'restitution': 0.5},
    {'presliding': 1e-4, 'static_friction': 1},
    {'law': {}},
)
HEAD = {'detector': 'sat', 'integrator': 'rk4', 'step_size': 1e-3, 'collide': 'all'}
HEAD |= {'description': 'words', 'topic': 'paper'}


def _bodies(dimension: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a body for every joint type, way to turn and way to give a size."""
    for kind in types_in(dimension):
        for number, turn in enumerate(TURNS[dimension]):
            pose = {'position': [0, 0, 0], **turn}
            shapes = [
                {'type': name, 'pose': pose, **size}
                for name, shape in KINDS.items()
                for size in SIZES
                if shape.fits(dimension)
            ]
            yield (
                f'{kind}{number}',
                {
                    'mass': 1,
                    'inertia': {'izz': 1},
                    'joint': {'type': kind, 'origin': dict(turn), **JOINT},
                    'initial': dict(turn),
                    'shapes': shapes,
                    'sites': {'site': pose},
                },
            )


def _materials() -> dict[str, Any]:
    """Return a material for every law and way to give its constants."""
    ways = [*MATERIALS, *({'law': law.name} for law in LAWS if not law.has_formulas)]
    return {f'm{number}': way for number, way in enumerate(ways)} | {'pairs': [{}]}


def _model(dimension: int) -> dict[str, Any]:
    """Return a model with one of everything."""
    return {
        'dimension': dimension,
        'parameters': {'plain': 1, 'full': {'value': 1, 'min': 0, 'max': 2}},
        'bodies': dict(_bodies(dimension)),
        'materials': _materials(),
        'sensors': [{'type': kind} for kind in NOISE],
        'self_collision': {'robot': 'none'},
        **HEAD,
    }


def _including() -> dict[str, Any]:
    """Return a model that includes another with all options."""
    options = {
        'parameters': {'m': 1},
        'arguments': {'a': 1},
        'pose': {},
        'material': 'm',
        'self_collision': 'none',
    }
    joints = [{key: {'*': 1} for key in ('initial', 'damping', 'friction', 'armature')}]
    servo = dict.fromkeys(('kp', 'kd', 'max_effort'), 1)
    joints += [{'servo': {'*': servo}}]
    turned = [{'pose': turn} for turn in TURNS[3]]
    entries = [{**options, **more, 'yaml': 'floor'} for more in (*joints, *turned)]
    entries += [{'urdf': 'a.urdf'}, {'xacro': 'a.xacro'}]
    return {'dimension': 3, 'include': entries}


def read_keys(more: tuple[Path, ...] = ()) -> dict[str, Key]:
    """Return all keys of model files; ``more`` are files that are traced as well."""
    from symcontact_ros.model.yaml_loader import read_yaml

    with traced() as keys:
        for model in (_model(2), _model(3), {'self_collision': 'all'}, _including()):
            with suppress(ModelError):
                build(Description('example', model))
        for path in more:
            with suppress(ModelError):
                build(read_yaml(path))
    return {path: key for path, key in sorted(keys.items()) if path}
