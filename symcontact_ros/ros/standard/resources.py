"""
Models that requests name or bring along: files in known folders, or texts.

Whoever may call a service may not read any file: a name is that of a shipped model, world or
robot, a path is one that the model of the node could include.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
import tempfile
from typing import Any
from urllib.parse import unquote, urlsplit

from symcontact_ros.errors import ModelError, OptionError, shown
from symcontact_ros.model.file_kinds import is_urdf, is_xacro, is_yaml
from symcontact_ros.model.including.files import find_included, NotFoundError
from symcontact_ros.model.installed_files import shipped_models, shipped_robots, shipped_worlds
from symcontact_ros.model.library import load_part
from symcontact_ros.model.load_options import servo_of
from symcontact_ros.model.model import Model
from symcontact_ros.ros.parameters import SimulationParameters

MOST_TEXT = 2**20  # characters of a model that a request brings along
URDF, YAML = '.urdf', '.yaml'
TEXT = 'resource_string'  # what faults of a text name as their file
FORMATS = ['urdf', 'symcontact']


class NoResourceError(OptionError):
    """Neither a file nor a text."""


class FormatError(OptionError):
    """A file or a text of another format."""


class Resource:
    """
    What a request names or brings along.

    Parameters
    ----------
    uri, text
        Of the request; the text counts where there is no URI.
    settings
        The node's parameters.
    folder
        Of the model file of the node.
    """

    def __init__(self, uri: str, text: str, settings: SimulationParameters, folder: Path) -> None:
        self._settings = settings
        self._text = '' if uri else text
        if not uri and not text.strip():
            raise NoResourceError('uri and resource_string are empty: one is needed')
        if len(self._text) > MOST_TEXT:
            raise FormatError(f'resource_string has more than {MOST_TEXT} characters')
        is_xml = self._text.lstrip('\ufeff \t\r\n').startswith('<')
        self._ending = URDF if is_xml else YAML
        self._file = self._find(uri, folder) if uri else None
        self.uri = uri

    def _find(self, uri: str, folder: Path) -> Path:
        """Return the file of a URI; OptionError if it is none that may be read."""
        for shipped in (shipped_models(), shipped_worlds(), shipped_robots()):
            if uri in shipped:
                return shipped[uri]
        text = uri
        if uri.startswith('file:'):
            parts = urlsplit(uri)
            text = unquote(parts.path)
            if parts.netloc not in ('', 'localhost'):
                raise NoFileError(f'{shown(uri)} is on another machine')
        paths = [Path(path) for path in self._settings.include_paths if path]
        try:
            path = find_included(text, folder, paths)
        except NotFoundError as error:
            raise NoFileError(str(error)) from None
        if not (is_yaml(path) or is_urdf(path)):
            raise FormatError(f'{shown(uri)} is no .urdf or .yaml file, nor a shipped model')
        if is_xacro(path) and not self._settings.allow_xacro:
            raise FormatError('a xacro file is a program: it is read only with allow_xacro')
        if not path.is_file():
            raise NoFileError(f'{shown(uri)}: there is no such file')
        return path

    def load(self) -> Model:
        """Return the model; ModelError with all its faults."""
        if self._file is not None:
            return load_part(self._file, **self._options(self._file))
        with tempfile.TemporaryDirectory(prefix='symcontact_') as folder:
            path = Path(folder, f'resource{self._ending}')
            path.write_text(self._text, encoding='utf-8')
            try:
                model = load_part(path, **self._options(path))
            except ModelError as error:
                faults = [
                    replace(f, source=f.source.replace(str(path), TEXT)) for f in error.faults
                ]
                raise ModelError(faults) from None
            # Its file will be gone: what is asked for the URDF later gets this text.
            robots = [replace(r, expanded=self._text.encode()) for r in model.contents.robots]
            model.contents.robots = robots
            return model

    def _options(self, path: Path) -> dict[str, Any]:
        settings = self._settings
        options: dict[str, Any] = {
            'include_paths': [path for path in settings.include_paths if path],
            'allow_xacro': settings.allow_xacro,
            'progress': lambda text: None,
        }
        if is_urdf(path):
            options['base'] = settings.spawn_base
            options['servo'] = servo_of(settings.spawn_servo)
        return options


class NoFileError(OptionError):
    """A file that is not there, or that must not be read."""
