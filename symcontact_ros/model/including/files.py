"""
Files that a model file may include.

References are not trusted. A file lies in the folder of the model file or below, in a folder that
the user has given, or in the package that it names; links are followed before that is decided, and
may lead to another copy of the same package. The pieces of config/worlds have bare names.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
import os
from pathlib import Path

from symcontact_ros.errors import shown, suggestion
from symcontact_ros.model.installed_files import PACKAGE as THIS_PACKAGE
from symcontact_ros.model.installed_files import share, shipped_worlds
from symcontact_ros.model.urdf.mesh_files import find_package, leads_into

PACKAGE = 'package://'
WAY_OUT = 'other folders are given by include_paths (--include-path)'


class NotFoundError(ValueError):
    """A reference that leads nowhere, or where it must not."""


def find_included(text: str, folder: Path, include_paths: Sequence[Path]) -> Path:
    """
    Return the file that a model file refers to.

    Parameters
    ----------
    text
        A path below one of the folders, relative or absolute, or ``package://NAME/PATH``.
    folder
        Folder of the model file.
    include_paths
        Folders that the user has given; searched after that of the model file.

    Raises
    ------
    NotFoundError
        It leads out of these folders, or is not an ordinary file.

    """
    if text.startswith(PACKAGE):
        name, _, inner = text[len(PACKAGE) :].partition('/')
        return _inside(inner, _package(name, folder), text, f'package {name}')
    if Path(text).is_absolute():
        return _of_whole_path(text, (folder, *include_paths))
    # All places are checked: a way out is refused, wherever the file is.
    found = [_inside(text, folder, text, 'folder of this file')]
    found += [_inside(text, place, text, f'include path {place}') for place in include_paths]
    return next((path for path in found if path.exists()), found[0])


def _of_whole_path(text: str, places: Sequence[Path]) -> Path:
    """Return the file of an absolute path, which must be in one of the folders."""
    for place in places:
        with suppress(NotFoundError):
            return _inside(text, place, text, f'folder {place}')
    raise NotFoundError(f'{text!a} leads out of the folder of this file; {WAY_OUT}')


def find_piece(name: str) -> Path:
    """Return the file of a piece of config/worlds; NotFoundError suggests a name."""
    pieces = shipped_worlds()
    if name not in pieces:
        hint = suggestion(name, pieces, 'there are')
        raise NotFoundError(f'no world {shown(name)} (a path ends in .yaml); {hint}')
    return pieces[name]


def _package(name: str, folder: Path) -> Path:
    if name == THIS_PACKAGE:  # also where nothing is installed, or another version of it
        return share()
    try:
        package = find_package(name, Path(os.path.abspath(folder)))
    except ValueError as error:
        raise NotFoundError(f'{PACKAGE}{name} {error}') from None
    # A folder around the model file is a package only if it says so.
    listed = os.environ.get('ROS_PACKAGE_PATH', '').split(os.pathsep)
    if not (package / 'package.xml').is_file() and not any(
        os.path.isabs(entry) and package.is_relative_to(entry) for entry in listed
    ):
        raise NotFoundError(f'{PACKAGE}{name}: {package} has no package.xml')
    return package


def _inside(text: str, folder: Path, said: str, what: str) -> Path:
    """Return the path in a folder; NotFoundError if it leads out of it or is no file."""
    path = folder / text
    try:
        inside = leads_into(path, [folder])
        special = path.exists() and not path.is_file()  # a pipe would block
    except (OSError, ValueError, RuntimeError):  # a NUL in the name, circular links
        inside = special = False
    if not inside:
        raise NotFoundError(f'{said!a} leads out of the {what}; {WAY_OUT}')
    if special:
        raise NotFoundError(f'{shown(said)} is not an ordinary file')
    return path
