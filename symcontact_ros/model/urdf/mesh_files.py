"""
Files of the meshes of a URDF: ``package://``, ``model://``, ``file://`` and paths.

References are not trusted: a mesh must lie in the package that it names, in the URDF's own
folder or package, or in an installed package, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import re
import stat

from symcontact_ros.model.input_limits import MESH_BYTES

NEAR = 3  # folders from the URDF upwards in which a package that is not found may have its files

# Folders of models and packages, by the scheme of a reference.
_SEARCHED = {
    'package': ('ROS_PACKAGE_PATH',),
    'model': ('GZ_SIM_RESOURCE_PATH', 'GAZEBO_MODEL_PATH', 'ROS_PACKAGE_PATH'),
}
_PACKAGE = re.compile(r'[A-Za-z0-9][A-Za-z0-9_.-]*\Z')
_NAME = re.compile(rb'<name>\s*([^<\s]+)\s*</name>')


class MeshRefusedError(ValueError):
    """A reference that the file must not make."""


class MeshLeftOutError(ValueError):
    """A mesh that is missing or cannot be read; it is left out with a warning."""


def find_mesh(reference: str, folder: Path) -> Path:
    """
    Return the file that the URDF in a folder (absolute) refers to.

    Raises
    ------
    MeshRefusedError
        It lies outside the allowed folders, is not a regular file, or is too large.
    MeshLeftOutError
        There is none.
    OSError
        The system denies access.

    """
    scheme, separator, rest = reference.partition('://')
    if not separator:
        scheme, rest = 'file', reference
    if scheme in _SEARCHED:
        name, _, inner = rest.lstrip('/').partition('/')
        package = _package_with(inner, name, folder, scheme)
        return _regular_file(_confined(package / inner, [package]))
    if scheme == 'file':
        # Without a package around it, the folder above often has `meshes` beside `urdf`.
        roots = [folder, _folder_with_manifest(folder) or folder.parent, *_installed()]
        return _regular_file(_confined(folder / rest, roots))
    raise MeshLeftOutError(
        f'is not supported: {scheme}:// is neither package:// nor model:// nor file://'
    )


def _package_with(inner: str, name: str, folder: Path, scheme: str) -> Path:
    """Return the folder of a package, or one around the URDF that has the wanted file."""
    try:
        return find_package(name, folder, scheme)
    except MeshLeftOutError:
        # A copy of a package under another name, which the URDF is in.
        for place in (folder, *folder.parents)[:NEAR]:
            if (place / inner).is_file():
                return place
        raise


def find_package(name: str, folder: Path, scheme: str = 'package') -> Path:
    """Return the folder of a package, as seen from a folder (absolute); raises as `find_mesh`."""
    if not _PACKAGE.match(name):
        raise MeshRefusedError(f'names no package: {name!r}')
    for package in _packages(scheme, name, folder):
        if package.is_dir():
            return package
    raise MeshLeftOutError(
        f'is not found: no package {name!r} in AMENT_PREFIX_PATH, in '
        f'{", in ".join(_SEARCHED[scheme])}, or among the folders around the URDF'
    )


def _packages(scheme: str, name: str, folder: Path) -> Iterator[Path]:
    """Yield possible folders of a package; the first that exists is used, as in ROS."""
    marker = Path('share', 'ament_index', 'resource_index', 'packages', name)
    for prefix in _folders('AMENT_PREFIX_PATH'):
        if (prefix / marker).is_file():
            yield prefix / 'share' / name
    for variable in _SEARCHED[scheme]:
        for entry in _folders(variable):
            yield entry if entry.name == name else entry / name
            yield from sorted(entry.glob(f'*/{name}'))
    around = [folder, *folder.parents][:-1]  # a package is never in the root of all folders
    yield from (place for place in around if place.name == name)
    yield from (place / name for place in around)


def _installed() -> list[Path]:
    """Return the folders of installed packages, which ``file://$(find pkg)`` leads to."""
    shares = [prefix / 'share' for prefix in _folders('AMENT_PREFIX_PATH')]
    return shares + _folders('ROS_PACKAGE_PATH')


def _folders(variable: str) -> list[Path]:
    entries = os.environ.get(variable, '').split(os.pathsep)
    return [Path(entry) for entry in entries if os.path.isabs(entry)]


def leads_into(path: Path, roots: list[Path]) -> bool:
    """
    Return whether a path, with its links followed, is in one of some folders.

    `colcon build --symlink-install` makes every file of a package a link to its source: such a
    link leaves the folder but not the package.
    """
    real = Path(os.path.realpath(path))
    if any(real.is_relative_to(os.path.realpath(root)) for root in roots):
        return True
    plain = Path(os.path.abspath(path))
    if not any(plain.is_relative_to(os.path.abspath(root)) for root in roots):
        return False
    name = _package_name(plain)
    return name is not None and name == _package_name(real)


def _confined(path: Path, roots: list[Path]) -> Path:
    real = Path(os.path.realpath(path))
    if leads_into(path, roots):
        return real
    raise MeshRefusedError(
        f'leads to {real}, outside the package or the folder of the URDF; '
        'use package://, move the mesh, or read the URDF without meshes'
    )


def _package_name(path: Path) -> bytes | None:
    folder = _folder_with_manifest(path.parent)
    if folder is None:
        return None
    try:
        found = _NAME.search((folder / 'package.xml').read_bytes())
    except OSError:
        return None
    return found and found[1]


def _folder_with_manifest(folder: Path) -> Path | None:
    around = (folder, *folder.parents)
    return next((place for place in around if (place / 'package.xml').is_file()), None)


def _regular_file(path: Path) -> Path:
    try:
        status = path.stat()
    except FileNotFoundError:
        raise MeshLeftOutError(f'is not found: there is no {path}') from None
    if not stat.S_ISREG(status.st_mode):
        raise MeshRefusedError(f'is not a regular file: {path}')
    if status.st_size > MESH_BYTES:
        raise MeshRefusedError(f'is larger than {MESH_BYTES // 2**20} MiB: {path}')
    return path
