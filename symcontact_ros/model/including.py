"""``include:`` of a URDF in a model file: its bodies become bodies of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from symcontact_ros.model.reader import Section


def included(root: Section) -> list[str]:
    """Add the bodies of every included URDF to the description; return notes about them."""
    notes: list[str] = []
    description = root.description
    for section in root.items('include'):
        path = _path(section, Path(description.source).parent)
        prefix = section.text('prefix', '')
        base = section.text('base', 'fixed', ('fixed', 'free'))
        pose = section.section('pose')
        place = {'xyz': list(pose.triple('position')), 'rpy': list(pose.triple('rpy'))}
        pose.close()
        section.close()
        if path is None:
            continue
        from symcontact_ros.model.urdf_loader import read_urdf  # lxml: only where it is used

        urdf = read_urdf(path, base=base, prefix=prefix)
        description.faults += urdf.faults
        notes += urdf.warnings
        _merge(description.data, urdf.data['bodies'], base, place, section)
        for key, line in urdf.lines.items():
            if key.startswith('bodies.'):
                description.lines.setdefault(key, line)
                description.sources.setdefault(key, urdf.source)
    return notes


def _path(section: Section, folder: Path) -> Path | None:
    """Return the file, which must lie in the folder of the model file or below."""
    text = section.text('urdf')
    if not text:
        return None
    path = folder / text
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        inside = False
    if not inside or Path(text).is_absolute():
        section.fault('urdf', f'{text!r} leads out of the folder of this file')
        return None
    return path


def _merge(
    data: dict[str, Any],
    bodies: dict[str, Any],
    base: str,
    place: dict[str, Any],
    section: Section,
) -> None:
    own = data.setdefault('bodies', {})
    for name, body in bodies.items():
        if name in own:
            section.fault('prefix', f'body {name!r} is there already: choose another prefix')
        if body.get('joint', {}).get('parent', 'world') == 'world':
            if base == 'free' and body['joint'].get('type') == 'free':
                body['initial'] = {'position': place['xyz'], 'rpy': place['rpy']}
            else:
                body['joint'].setdefault('origin', place)
        own[name] = body
