"""Files that come with the package: models, pieces of worlds, robots."""

from __future__ import annotations

from collections.abc import Iterator
import os
from pathlib import Path
import sys

import symcontact_ros

PACKAGE = 'symcontact_ros'


def shipped_models() -> dict[str, Path]:
    """Return the files of config/models by name."""
    return {path.stem: path for path in sorted((share() / 'config' / 'models').glob('*.yaml'))}


def shipped_worlds() -> dict[str, Path]:
    """Return the files of config/worlds by name."""
    return {path.stem: path for path in sorted((share() / 'config' / 'worlds').glob('*.yaml'))}


def shipped_robots() -> dict[str, Path]:
    """Return the files of urdf by name."""
    return {path.stem: path for path in sorted((share() / 'urdf').glob('*.urdf'))}


def share() -> Path:
    """Return the folder that holds ``config`` and ``launch``: sources, or share of an install."""
    for folder in _places():
        if (folder / 'config' / 'models').is_dir() and (folder / 'package.xml').is_file():
            return folder
    raise FileNotFoundError(f'the config folder of {PACKAGE} is not installed; install it again')


def _places() -> Iterator[Path]:
    package = Path(symcontact_ros.__file__).resolve().parent
    yield package.parent  # the source tree
    for parent in package.parents:  # any prefix: a venv, a colcon install, /usr/local
        yield parent / 'share' / PACKAGE
    for prefix in (sys.prefix, *os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)):
        yield Path(prefix) / 'share' / PACKAGE
