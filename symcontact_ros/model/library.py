"""Library of models: files of the package by name, or any file by path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import difflib
import os
from pathlib import Path
import sys

import symcontact_ros
from symcontact_ros.errors import Fault, ModelError, not_one_of, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.model.yaml_loader import read_yaml

PACKAGE = 'symcontact_ros'
YAML = ('.yaml', '.yml')
URDF = ('.urdf', '.xacro')


def load_model(
    source: str | Path,
    base: str = 'fixed',
    parameters: Mapping[str, float] | None = None,
    meshes: bool = True,
) -> Model:
    """
    Return the model of a file, or of the shipped file of that name.

    Parameters
    ----------
    source
        A name that ``symcontact list`` shows, or the path of a .yaml, .urdf or .xacro file.
    base
        Joint of the root link of a URDF to the world: 'fixed' or 'free'.
    parameters
        Values that replace those of live symbols.
    meshes
        Whether collision meshes of a URDF are read, as convex hulls.

    Raises
    ------
    ModelError
        With every fault of the file.

    """
    path = model_file(source)
    if base not in ('fixed', 'free'):
        raise OptionError(not_one_of('base', ('fixed', 'free'), base))
    if path.suffix in URDF:
        from symcontact_ros.model.urdf.loader import read_urdf  # lxml: only where it is used

        return Model.from_description(read_urdf(path, base=base, meshes=meshes), parameters)
    return Model.from_description(read_yaml(path), parameters)


def model_file(source: str | Path) -> Path:
    """Return the file of a name or a path; ModelError if there is none."""
    path = Path(source)
    if path.suffix in YAML + URDF:
        return path
    if len(path.parts) > 1 or path.suffix:
        endings = ', '.join(YAML[:1] + URDF)
        raise _no_model(source, f'is not a model file; its name must end in {endings}')
    names = shipped_models()
    if str(source) in names:
        return names[str(source)]
    close = difflib.get_close_matches(str(source), names, 1)
    hint = f'did you mean {close[0]!r}?' if close else f'there are: {", ".join(names)};'
    raise _no_model(source, f'no model of this name; {hint} a path ends in {YAML[0]} or {URDF[0]}')


def shipped_models() -> dict[str, Path]:
    """Return the files of config/models by name."""
    return {path.stem: path for path in sorted((share() / 'config' / 'models').glob('*.yaml'))}


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


def _no_model(source: str | Path, reason: str) -> ModelError:
    return ModelError([Fault(str(source), None, '', reason)])
