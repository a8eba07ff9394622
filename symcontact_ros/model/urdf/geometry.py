"""Inertias and shapes of URDF links, in the keys of the model file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from symcontact_ros.model.building.inertias import unphysical
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
from symcontact_ros.model.urdf.frames import Fields, frame, origin, rotation
from symcontact_ros.model.urdf.mesh_files import find_mesh, MeshLeftOutError, MeshRefusedError
from symcontact_ros.model.urdf.mesh_hulls import MeshReader
from symcontact_ros.model.urdf.mesh_modes import DECOMPOSE, EXACT, HULL
from symcontact_ros.shapes.number_table import NumberTable

WAY = "Load the model with meshes='decompose' or 'hull'"
_MOMENTS = {
    'ixx': (0, 0),
    'iyy': (1, 1),
    'izz': (2, 2),
    'ixy': (0, 1),
    'ixz': (0, 2),
    'iyz': (1, 2),
}


@dataclass(frozen=True)
class MeshesOfFile:
    """Access to the meshes of a URDF."""

    folder: Path  # of the URDF, absolute
    reader: MeshReader
    mode: str = HULL  # what they become


def inertial(description: UrdfDescription, link: Element, path: str) -> Fields:
    """
    Return mass [kg], com [m] and inertia [kg m^2] about it in body axes.

    A link without ``<inertial>`` has mass 0 and nothing else; whether it may move is checked
    later.
    """
    element = child(link, 'inertial')
    if element is None:
        return {'mass': 0.0}
    com, rpy = origin(description, element, f'{path}.com', f'{path}.inertia')
    return {
        'mass': _mass(description, element, f'{path}.mass'),
        'com': com,
        'inertia': _inertia(description, element, f'{path}.inertia', rpy),
    }


def _mass(description: UrdfDescription, holder: Element, path: str) -> float:
    element = child(holder, 'mass')
    if element is None:
        description.warn(holder, path, '<inertial> has no <mass>: 0 kg')
        return 0.0
    return number(description, element, 'value', path, minimum=0.0)


def _inertia(description: UrdfDescription, holder: Element, path: str, rpy: list[float]) -> Fields:
    element = child(holder, 'inertia')
    if element is None:
        description.warn(holder, path, '<inertial> has no <inertia>: 0 kg m^2')
        return dict.fromkeys(_MOMENTS, 0.0)
    description.mark(path, element)
    moments = {
        key: number(description, element, key, f'{path}.{key}', default=0.0) for key in _MOMENTS
    }
    for key in ('ixx', 'iyy', 'izz'):
        if element.get(key) is None:
            description.warn(element, f'{path}.{key}', f'<inertia> has no `{key}`: 0 kg m^2')
    if any(rpy):  # otherwise as the file says, to the last bit
        local = np.empty((3, 3))
        for key, (row, column) in _MOMENTS.items():
            local[row, column] = local[column, row] = moments[key]
        turn = rotation(rpy)
        body = turn @ local @ turn.T
        moments = {key: float(body[place]) for key, place in _MOMENTS.items()}
    reason, is_grave = unphysical(moments.values())
    return {**moments, 'as_given': True} if reason and not is_grave else moments


def shapes(
    description: UrdfDescription,
    link: Element,
    path: str,
    meshes: MeshesOfFile | None,
    is_still: bool,
) -> list[Fields]:
    """
    Return the shapes of every ``<collision>``.

    A link that is not still, which can move, has no planes: these are infinite.
    """
    found: list[Fields] = []
    for collision in children(link, 'collision'):
        place = f'{path}[{len(found)}]'
        for shape in _shapes(description, collision, place, meshes, is_still):
            if shape['type'] == 'half_space' and not is_still:
                text = 'left out: <plane> is infinite, and this link can move'
                description.warn(collision, place, text)
                continue
            description.mark(f'{path}[{len(found)}]', collision)
            found.append(shape)
    return found


def _shapes(
    description: UrdfDescription,
    collision: Element,
    path: str,
    meshes: MeshesOfFile | None,
    is_still: bool,
) -> list[Fields]:
    """Return the shapes of a ``<collision>``: one, or the pieces of a mesh."""
    description.mark(path, collision)
    geometry = child(collision, 'geometry')
    element = None if geometry is None else next(geometry.iterchildren('*'), None)
    if element is None:
        description.warn(collision, path, 'left out: <collision> has no <geometry> with a shape')
        return []
    kind = local_name(element)
    if kind != 'mesh' and kind not in _SHAPES:
        known = ', '.join(f'<{name}>' for name in (*_SHAPES, 'mesh'))
        reason = f'left out: <{kind}> is not a shape; shapes are {known}'
        description.warn(element, path, reason)
        return []
    before = len(description.faults)
    if kind == 'mesh':
        found = _mesh(description, element, path, meshes, is_still)
    else:
        found = [_SHAPES[kind](description, element, path)]
    pose = frame(description, collision, f'{path}.pose')
    if not found or len(description.faults) > before:
        return []
    sizes = (found[0].get('radius', 1.0), found[0].get('half_length', 1.0))
    if 0.0 in (*sizes, *found[0].get('half_extents', ())):
        description.warn(element, path, f'left out: <{kind}> has a size of 0')
        return []
    return [{**fields, 'pose': pose} for fields in found]


def _box(description: UrdfDescription, element: Element, path: str) -> Fields:
    size = numbers(description, element, 'size', f'{path}.half_extents', default=None, minimum=0.0)
    return {'type': 'box', 'half_extents': [length / 2 for length in size]}


def _sphere(description: UrdfDescription, element: Element, path: str) -> Fields:
    radius = number(description, element, 'radius', f'{path}.radius', minimum=0.0)
    return {'type': 'sphere', 'radius': radius}


def _long(description: UrdfDescription, element: Element, path: str) -> Fields:
    """Read a cylinder or a capsule: along z in URDF and here, length without the caps."""
    length = number(description, element, 'length', f'{path}.half_length', minimum=0.0)
    return {
        'type': local_name(element),
        'radius': number(description, element, 'radius', f'{path}.radius', minimum=0.0),
        'half_length': length / 2,
    }


def _plane(description: UrdfDescription, element: Element, path: str) -> Fields:
    """Read the ``<plane normal="">`` of Bullet: solid below it, without end."""
    up = (0.0, 0.0, 1.0)
    normal = numbers(description, element, 'normal', f'{path}.normal', default=up)
    if not any(normal):
        description.warn(element, path, f'{shown(element, "normal")} has no direction: 0 0 1')
        normal = list(up)
    return {'type': 'half_space', 'normal': normal, 'offset': 0.0}


def _mesh(
    description: UrdfDescription,
    element: Element,
    path: str,
    meshes: MeshesOfFile | None,
    is_still: bool,
) -> list[Fields]:
    """Return what a mesh becomes; nothing, with a warning or a fault, if it cannot be read."""
    vertices_path = f'{path}.vertices'
    description.mark(vertices_path, element)
    scale = numbers(description, element, 'scale', vertices_path, default=(1.0, 1.0, 1.0))
    reference = element.get('filename', '').strip()
    if not reference:
        description.warn(element, path, 'left out: <mesh> has no `filename`')
    elif 0.0 in scale:
        description.warn(element, path, f'left out: {shown(element, "scale")} makes it flat')
    if meshes is None or not reference or 0.0 in scale:
        return []
    if meshes.mode == EXACT and not is_still:
        reason = f'cannot be taken as it is: this link can move. {WAY}'
        description.refuse(element, vertices_path, f'{shown(element, "filename")} {reason}')
        return []
    try:
        return _read(description, find_mesh(reference, meshes.folder), scale, meshes, path)
    except MeshRefusedError as error:
        description.refuse(element, vertices_path, f'{shown(element, "filename")} {error}')
    except MeshLeftOutError as error:
        description.warn(element, path, f'left out: {shown(element, "filename")} {error}')
    except (OSError, ValueError) as error:  # no permission; a name that no file can have
        text = f'left out: {shown(element, "filename")} cannot be read: {error}'
        description.warn(element, path, text)
    return []


def _read(
    description: UrdfDescription, file: Path, scale: list[float], meshes: MeshesOfFile, path: str
) -> list[Fields]:
    """Return what a mesh file becomes; raises as `MeshReader`."""
    if meshes.mode == EXACT:
        found = meshes.reader.surface_of(file, scale)
        tables = NumberTable(found.vertices), NumberTable(found.triangles, int)
        return [{'type': 'mesh', 'vertices': tables[0].tolist(), 'triangles': tables[1].tolist()}]
    if meshes.mode == DECOMPOSE:
        pieces = meshes.reader.pieces_of(file, scale)
    else:
        hull = meshes.reader.hull_of(file, scale)
        pieces = [hull.vertices]
        if hull.gap > 0.0:
            description.hull_gaps[f'{path}.vertices'] = hull.gap
    return [{'type': 'convex_hull', 'vertices': piece.tolist()} for piece in pieces]


_SHAPES: dict[str, Callable[[UrdfDescription, Element, str], Fields]] = {
    'box': _box,
    'sphere': _sphere,
    'cylinder': _long,
    'capsule': _long,
    'plane': _plane,
}
