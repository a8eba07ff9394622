"""Inertias and shapes of URDF links, in the keys of the model file."""

from __future__ import annotations

from collections.abc import Callable
import math
from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.model.urdf.elements import (
    child,
    children,
    Element,
    local_name,
    number,
    numbers,
    shown,
    UrdfDescription,
)
from symcontact_ros.model.urdf.mesh_files import find_mesh, MeshLeftOutError, MeshRefusedError
from symcontact_ros.model.urdf.mesh_hulls import hull_of
from symcontact_ros.types import Vector

Fields = dict[str, Any]  # of the model file

_MOMENTS = {
    'ixx': (0, 0),
    'iyy': (1, 1),
    'izz': (2, 2),
    'ixy': (0, 1),
    'ixz': (0, 2),
    'iyz': (1, 2),
}
_DEFAULT_MOMENTS = {key: None if key[1] == key[2] else 0.0 for key in _MOMENTS}


def rotation(rpy: list[float]) -> Vector:
    """Return the matrix of fixed-axis roll, pitch, yaw [rad]: Rz(yaw) Ry(pitch) Rx(roll)."""
    (sr, sp, sy), (cr, cp, cy) = map(math.sin, rpy), map(math.cos, rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def frame(
    description: UrdfDescription, holder: Element, path: str, position: str = 'position'
) -> Fields:
    """Return the ``<origin>`` of an element as a position [m] and rpy [rad]; default: zeros."""
    place, rpy = _origin(description, holder, f'{path}.{position}', f'{path}.rpy')
    return {position: place, 'rpy': rpy}


def _origin(
    description: UrdfDescription, holder: Element, xyz_path: str, rpy_path: str
) -> tuple[list[float], list[float]]:
    origin = child(holder, 'origin')
    if origin is not None and origin.get('quat_xyzw') is not None:
        description.refuse(origin, rpy_path, '<origin quat_xyzw> is not read: give `rpy`')
    return (
        numbers(description, origin, 'xyz', xyz_path),
        numbers(description, origin, 'rpy', rpy_path),
    )


def inertial(description: UrdfDescription, link: Element, path: str) -> Fields:
    """
    Return mass [kg], com [m] and inertia [kg m^2] about it in body axes.

    A link without ``<inertial>`` has mass 0 and nothing else; whether it may move is checked
    later.
    """
    element = child(link, 'inertial')
    if element is None:
        return {'mass': 0.0}
    com, rpy = _origin(description, element, f'{path}.com', f'{path}.inertia')
    return {
        'mass': _mass(description, element, f'{path}.mass'),
        'com': com,
        'inertia': _inertia(description, element, f'{path}.inertia', rpy),
    }


def _mass(description: UrdfDescription, holder: Element, path: str) -> float:
    element = child(holder, 'mass')
    if element is None:
        description.refuse(holder, path, '<inertial> has no <mass>')
        return 0.0
    return number(description, element, 'value', path, minimum=0.0)


def _inertia(
    description: UrdfDescription, holder: Element, path: str, rpy: list[float]
) -> dict[str, float]:
    element = child(holder, 'inertia')
    if element is None:
        description.refuse(holder, path, '<inertial> has no <inertia>')
        return dict.fromkeys(_MOMENTS, 0.0)
    description.mark(path, element)
    moments = {
        key: number(description, element, key, f'{path}.{key}', default=default)
        for key, default in _DEFAULT_MOMENTS.items()
    }
    if not any(rpy):
        return moments  # as the file says, to the last bit
    local = np.empty((3, 3))
    for key, (row, column) in _MOMENTS.items():
        local[row, column] = local[column, row] = moments[key]
    turn = rotation(rpy)
    body = turn @ local @ turn.T
    return {key: float(body[place]) for key, place in _MOMENTS.items()}


def shapes(
    description: UrdfDescription, link: Element, path: str, folder: Path | None
) -> list[Fields]:
    """Return the shapes of every ``<collision>``; without the URDF's folder, no meshes."""
    found: list[Fields] = []
    for collision in children(link, 'collision'):
        shape = _shape(description, collision, f'{path}[{len(found)}]', folder)
        if shape is not None:
            found.append(shape)
    return found


def _shape(
    description: UrdfDescription, collision: Element, path: str, folder: Path | None
) -> Fields | None:
    description.mark(path, collision)
    geometry = child(collision, 'geometry')
    element = None if geometry is None else next(geometry.iterchildren(), None)
    if element is None:
        description.refuse(collision, path, '<collision> has no <geometry> with a shape')
        return None
    kind = local_name(element)
    if kind != 'mesh' and kind not in _SHAPES:
        known = ', '.join(f'<{name}>' for name in (*_SHAPES, 'mesh'))
        description.refuse(element, f'{path}.type', f'<{kind}> is not a shape; shapes are {known}')
        return None
    before = len(description.faults)
    fields = (
        _mesh(description, element, path, folder)
        if kind == 'mesh'
        else _SHAPES[kind](description, element, path)
    )
    pose = frame(description, collision, f'{path}.pose')
    if fields is None or len(description.faults) > before:
        return None
    return {**fields, 'pose': pose}


def _box(description: UrdfDescription, element: Element, path: str) -> Fields:
    size = numbers(description, element, 'size', f'{path}.half_extents', default=None, above=0.0)
    return {'type': 'box', 'half_extents': [length / 2 for length in size]}


def _sphere(description: UrdfDescription, element: Element, path: str) -> Fields:
    return {
        'type': 'sphere',
        'radius': number(description, element, 'radius', f'{path}.radius', above=0.0),
    }


def _long(description: UrdfDescription, element: Element, path: str) -> Fields:
    """Read a cylinder or a capsule: along z in URDF and here, length without the caps."""
    length = number(description, element, 'length', f'{path}.half_length', above=0.0)
    return {
        'type': local_name(element),
        'radius': number(description, element, 'radius', f'{path}.radius', above=0.0),
        'half_length': length / 2,
    }


def _mesh(
    description: UrdfDescription, element: Element, path: str, folder: Path | None
) -> Fields | None:
    vertices_path = f'{path}.vertices'
    description.mark(vertices_path, element)
    scale = numbers(description, element, 'scale', vertices_path, default=(1.0, 1.0, 1.0))
    if 0.0 in scale:
        description.refuse(element, vertices_path, f'{shown(element, "scale")} makes it flat')
    reference = element.get('filename', '').strip()
    if not reference:
        description.refuse(element, vertices_path, '<mesh> needs `filename`')
    if folder is None or not reference or 0.0 in scale:
        return None
    try:
        hull = hull_of(find_mesh(reference, folder), scale)
    except MeshRefusedError as error:
        description.refuse(element, vertices_path, f'{shown(element, "filename")} {error}')
        return None
    except MeshLeftOutError as error:
        description.warn(element, path, f'left out: {shown(element, "filename")} {error}')
        return None
    except (OSError, ValueError) as error:  # no permission; a name that no file can have
        text = f'left out: {shown(element, "filename")} cannot be read: {error}'
        description.warn(element, path, text)
        return None
    if hull.simplified:
        description.warn(
            element, vertices_path, f'{shown(element, "filename")}: {hull.simplified}'
        )
    return {'type': 'convex_hull', 'vertices': hull.vertices.tolist()}


_SHAPES: dict[str, Callable[[UrdfDescription, Element, str], Fields]] = {
    'box': _box,
    'sphere': _sphere,
    'cylinder': _long,
    'capsule': _long,
}
