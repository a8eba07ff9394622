"""``include:`` of a URDF in a model file: its bodies become bodies of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symcontact_ros.errors import shown
from symcontact_ros.expressions import evaluate_all, Formula
from symcontact_ros.joints.table import JOINT_TYPES
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.shapes import build_placement
from symcontact_ros.model.parts import WORLD
from symcontact_ros.placements import Placement, Rotation

Quaternion = tuple[float, float, float, float]  # x, y, z, w


def include(root: Section, dimension: int) -> None:
    """Add the bodies of every included URDF; these are spatial."""
    description = root.description
    sections = root.items('include')
    if sections and dimension == 2:
        root.fault('include', 'a URDF is a spatial model: it needs `dimension: 3`')
    bodies = description.data.setdefault('bodies', {}) if sections else {}
    for section in sections:
        path = _path(section, Path(description.source).parent)
        prefix = section.text('prefix', '')
        base = section.text('base', 'fixed', ('fixed', 'free'))
        pose = section.section('pose')
        place = build_placement(pose, 3)
        pose.close()
        section.close()
        readable = base in ('fixed', 'free') and dimension == 3
        if path is None or not readable or not isinstance(bodies, dict):
            continue
        from symcontact_ros.model.urdf.loader import read_urdf  # lxml: only where it is used

        urdf = read_urdf(path, base=base, prefix=prefix)
        description.faults += urdf.faults
        description.warnings += urdf.warnings
        description.notes += urdf.notes
        for name, body in urdf.data['bodies'].items():
            if name in bodies:
                section.fault('prefix', f'body {name!r} already exists: choose another prefix')
            _put(body, place, section)
            bodies[name] = body
        for key, line in urdf.lines.items():
            if key.startswith('bodies.'):
                description.lines.setdefault(key, line)
                description.sources.setdefault(key, urdf.source)
    description.data.pop('include', None)  # from here on they are ordinary bodies


def _path(section: Section, folder: Path) -> Path | None:
    """Return the file, which must lie in the folder of the model file or below."""
    text = section.text('urdf')
    if not text:
        return None
    path = folder / text
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        special = path.exists() and not path.is_file()  # a pipe would block
    except (OSError, ValueError, RuntimeError):  # a NUL in the name, circular links
        inside = special = False
    if not inside or Path(text).is_absolute():
        section.fault('urdf', f'{shown(text)} leads out of the folder of this file')
        return None
    if special:
        section.fault('urdf', f'{shown(text)} is not an ordinary file')
        return None
    return path


def _put(body: dict[str, Any], place: Placement, section: Section) -> None:
    """Move a body whose parent is the world by ``pose``."""
    joint = body['joint']
    if joint.get('parent', WORLD) != WORLD or place == Placement():
        return
    turn: dict[str, Any] = {'rpy': list(place.rotation.rpy)}
    if place.rotation.quaternion is not None:
        turn = {'quaternion': list(place.rotation.quaternion)}
    if 'origin' in joint:  # the root link is the world itself
        joint['origin'] = _composed(place, joint['origin'], section)
    elif JOINT_TYPES[joint['type']].floating_in == 3:
        body['initial'] = {'position': list(place.position), **turn}
    else:
        joint['origin'] = {'xyz': list(place.position), **turn}


def _composed(place: Placement, origin: dict[str, Any], section: Section) -> dict[str, Any]:
    """Return an origin of numbers, composed with the placement of its frame."""
    x, y, z = origin['xyz']
    if any(isinstance(s, Formula) for s in (*place.position, *place.rotation.rpy)):
        section.fault('pose', 'must be plain numbers: the root link of this URDF is the world')
    turn = place.rotation.evaluated(section.values)
    inner = Rotation(origin['rpy']).evaluated({})
    conjugate = (-turn[0], -turn[1], -turn[2], turn[3])
    turned = _product(_product(turn, (x, y, z, 0.0)), conjugate)
    position = evaluate_all(place.position, section.values)
    return {
        'xyz': [a + b for a, b in zip(position, turned, strict=False)],
        'quaternion': list(_product(turn, inner)),
    }


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the rotation b followed by a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )
