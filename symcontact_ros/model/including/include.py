"""
``include:`` of a model file: robots and other models become parts of the model.

An included model is read like any other, with its own includes first; then its names get their
prefix, its robot its options and its bodies their place, and it is merged.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
import re
from typing import Any

from symcontact_ros.errors import ModelError, shown, suggestion
from symcontact_ros.model.building.parameters import values_of
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.size_checks import check_body_count
from symcontact_ros.model.description import Description, Permissions
from symcontact_ros.model.file_kinds import is_xacro, is_yaml, XACRO, YAML
from symcontact_ros.model.including.files import find_included, find_piece, NotFoundError
from symcontact_ros.model.including.merging import merge, put_pairs_first
from symcontact_ros.model.including.placing import place_bodies, Pose, read_pose
from symcontact_ros.model.including.renaming import add_prefix
from symcontact_ros.model.including.robot_files import robot_file
from symcontact_ros.model.including.robot_options import OPTIONS, RobotOptions
from symcontact_ros.model.urdf.mesh_modes import MESHES, NONE
from symcontact_ros.model.yaml_loader import read_yaml

DEEPEST = 8  # files inside each other
MOST_FILES = 100  # of one model
KINDS = ('urdf', 'xacro', 'yaml')
BASES = ('fixed', 'free')
PREFIX = re.compile(r'([A-Za-z][A-Za-z0-9_]*)?\Z')


@dataclass
class _Way:
    """Files that are being read, the outermost first, and how many were read in all."""

    overrides: Mapping[str, float]  # of parameters of the file that is being read
    around: tuple[Path, ...] = ()
    read: list[Path] = field(default_factory=list)  # shared by all ways of a model

    def into(self, path: Path) -> _Way:
        """Return the way into a file; ValueError if it leads back, too deep or to too many."""
        real = path.resolve()
        if real in self.around:
            loop = ' -> '.join(p.name for p in (*self.around[self.around.index(real) :], real))
            raise ValueError(f'files include each other: {loop}')
        if len(self.around) >= DEEPEST:
            raise ValueError(f'included more than {DEEPEST} files deep')
        if len(self.read) >= MOST_FILES:
            raise ValueError(f'more than {MOST_FILES} files are included')
        self.read.append(real)
        return replace(self, around=(*self.around, real))

    def under(self, prefix: str, given: Mapping[str, float]) -> _Way:
        """Return the way with the overrides of an entry: `left_k` is `k` of what is `left_`."""
        own = {
            n.removeprefix(prefix): v for n, v in self.overrides.items() if n.startswith(prefix)
        }
        return replace(self, overrides={**given, **own})


def include(description: Description, overrides: Mapping[str, float]) -> None:
    """
    Replace ``include:`` of a description by the contents of the files, in place.

    ``overrides`` replace values of its parameters, of which those of included files may be
    formulas.
    """
    if 'include' in description.data:
        # What is no number is reported where the model is built.
        numbers = {str(n): float(v) for n, v in overrides.items() if isinstance(v, Real)}
        _include(description, _Way(numbers, (Path(description.source).resolve(),)))


def read_part(
    path: Path, base: str, arguments: Mapping[str, str], allowed: Permissions
) -> Description:
    """Return the description of a model file by its ending, with its includes to be read."""
    part: Description
    if is_yaml(path):
        part = read_yaml(path)
        part.data = plain(part.data)  # aliases of the file become values of their own
    else:
        from symcontact_ros.model.urdf.loader import read_urdf  # lxml: only where it is used

        part = robot = read_urdf(path, base=base, mappings=arguments, meshes=allowed.meshes)
        part.robots = [robot_file(robot, path)]
        part.is_incomplete = bool(part.faults)
    check_body_count(part)
    part.permissions = allowed
    return part


def configure_part(
    part: Description, section: Section, pose: Pose, prefix: str = ''
) -> list[dict[str, Any]]:
    """Give a part its prefix, options and place, in place; return the pairs of its material."""
    add_prefix(part, prefix)
    options = RobotOptions(section, part, prefix)
    options.apply()
    if reason := place_bodies(part, pose):
        section.fault('pose', reason)
    return options.material_pairs


def _include(description: Description, way: _Way) -> None:
    root = Section(description, '', description.data, values_of(description, way.overrides))
    sections = root.items('include')
    planar = is_planar(description)
    if planar and any('urdf' in section or 'xacro' in section for section in sections):
        root.fault('include', 'a URDF is a spatial model: it needs `dimension: 3`')
    chosen: list[dict[str, Any]] = []  # pairs of materials that entries name
    for section in sections:
        prefix = section.text('prefix', '')
        part = _part(section, prefix, planar, way, chosen)
        if part is not None:
            merge(description, part, section.fault, prefix)
            check_body_count(description)
    put_pairs_first(description, chosen)
    description.data.pop('include', None)  # from here on all is the model's own


def _part(
    section: Section, prefix: str, planar: bool, way: _Way, chosen: list[dict[str, Any]]
) -> Description | None:
    """Return what an entry includes; None and a fault if it cannot be read."""
    description = section.description
    before = len(description.faults)
    path = _file(section, description)
    base = section.text('base', 'fixed', BASES)
    _allowed(section)
    arguments = _arguments(section)
    entry = section.section('parameters')
    values = {name: entry.value(name, 0.0) for name in entry.names()}
    pose = read_pose(section)
    if not PREFIX.match(prefix):
        section.fault('prefix', f'{shown(prefix)} must be letters, digits and _, a letter first')
    if len(description.faults) > before or (path is not None and planar and not is_yaml(path)):
        path = None
    inner = way.under(prefix, values)
    part = None if path is None else _read(path, base, arguments, section, inner)
    if part is None:
        description.is_incomplete = True
        for key in OPTIONS:
            section.take(key)
        section.close()
        return None
    if is_planar(part) != planar:
        words = ('spatial', 'planar')
        section.fault('', f'is {words[not planar]}, and this model is {words[planar]}')
    _set_parameters(part, entry, values)
    chosen += configure_part(part, section, pose, prefix)
    section.close()
    return part


def _read(
    path: Path, base: str, arguments: Mapping[str, str], section: Section, way: _Way
) -> Description | None:
    """Return the description of a file without includes; None and faults if there is none."""
    description = section.description
    try:
        inner = way.into(path)
        part = read_part(path, base, arguments, _allowed(section))
    except ModelError as error:
        description.faults += error.faults
        return None
    except ValueError as error:
        section.fault('', str(error))
        return None
    _include(part, inner)
    return part


def _allowed(section: Section) -> Permissions:
    """Return what an entry may do, with what its meshes become; the user may want none."""
    rights = section.description.permissions
    meshes = section.text('meshes', rights.meshes, MESHES)
    return rights if rights.meshes == NONE else replace(rights, meshes=meshes)


def _file(section: Section, description: Description) -> Path | None:
    """Return the file of an entry."""
    kinds = [kind for kind in KINDS if kind in section]
    for kind in KINDS:
        section.take(kind)
    if len(kinds) != 1:
        section.fault(kinds[1] if kinds else '', f'one of {", ".join(KINDS)} is needed')
        return None
    kind = kinds[0]
    text = section.text(kind)
    allowed = description.permissions
    try:
        if kind == 'yaml' and text and '/' not in text and '.' not in text:
            return find_piece(text)
        path = find_included(text, Path(description.source).parent, allowed.include_paths)
    except NotFoundError as error:
        section.fault(kind, str(error))
        return None
    if not text:
        return None
    reason = _kind_fault(kind, path, allowed)
    if reason:
        section.fault(kind, reason)
    return None if reason else path


def _kind_fault(kind: str, path: Path, allowed: Permissions) -> str:
    """Return why a file is not of the kind that its key says, or must not be read; or ''."""
    if is_xacro(path) != (kind == 'xacro'):
        return f'is named by `xacro:` if its name ends in {XACRO}, and only then'
    if kind == 'xacro' and not allowed.allow_xacro:
        return 'a xacro file is a program: it is included only with allow_xacro'
    if kind == 'yaml' and not is_yaml(path):
        return f'the name of a model file ends in {YAML[0]}'
    if kind == 'urdf' and is_yaml(path):
        return 'is a model file: include it by `yaml:`'
    return ''


def _arguments(section: Section) -> dict[str, str]:
    entry = section.section('arguments')
    return {name: str(entry.take(name)) for name in entry.names()}


def _set_parameters(part: Description, entry: Section, values: Mapping[str, float]) -> None:
    """Set parameters of an included model."""
    table: dict[str, Any] = part.data.get('parameters', {})
    known = table if isinstance(table, dict) else {}
    for name, value in values.items():
        if name not in known:
            hint = suggestion(name, known, 'there are')
            entry.fault(name, f'the included model has no parameter {shown(name)}; {hint}')
        elif isinstance(known[name], dict):
            known[name] = {**known[name], 'value': value}
        else:
            known[name] = value


def is_planar(description: Description) -> bool:
    """Return whether a model is in the plane; not where its dimension is none at all."""
    try:
        return float(description.data.get('dimension', 2)) != 3.0
    except (TypeError, ValueError):
        return False
