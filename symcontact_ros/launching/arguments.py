"""
Arguments of the launch files: every parameter of the node, and what launch adds to them.

Independent of launch. What is shown as a default is what is used. An argument that is given
overrides the parameter file, which overrides the defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, Field, fields
from pathlib import Path
from typing import Any

import yaml

from symcontact_ros.model.installed_files import share
from symcontact_ros.ros.parameters import parameter_name, SimulationParameters

NODE = 'symcontact'
TRUTH = {'true': True, 'false': False, '1': True, '0': False}
PARAMETERS = {entry.name: entry for entry in fields(SimulationParameters)}
Value = str | float | bool | list[str]


@dataclass(frozen=True)
class Argument:
    """An argument of a launch file."""

    description: str
    default: str | None = None  # None: it must be given


def parameter_arguments(own: Mapping[str, str]) -> dict[str, Argument]:
    """Return an argument for every parameter of the node; ``own`` defaults differ from its own."""
    return {
        name: Argument(_described(entry), own.get(name, text_of(entry.default)))
        for name, entry in PARAMETERS.items()
    }


def other_arguments() -> dict[str, Argument]:
    """Return the arguments that are not parameters of the node."""
    file = str(share() / 'config' / 'simulation.yaml')
    return {
        'params_file': Argument('Parameter file; arguments that are given override it.', file),
        'namespace': Argument('Namespace of the nodes.', ''),
        'view': Argument(
            'Whether to serve a page that shows it; its address is printed.', 'false'
        ),
        'rviz': Argument('Whether to start RViz, configured for the model.', 'false'),
        'rviz_config': Argument('Configuration of RViz; empty: by the model.', ''),
    }


def _described(entry: Field[Any]) -> str:
    words, choices = entry.metadata['description'], entry.metadata['choices']
    return f'{words} One of {", ".join(choices)}.' if choices else str(words)


def text_of(value: Any) -> str:
    """Return a value as it is written in an argument."""
    if isinstance(value, bool):
        return str(value).lower()
    return ','.join(value) if isinstance(value, tuple) else str(value)


def value_of(name: str, text: str, kind: type) -> Value:
    """Return an argument converted to a type; errors name the argument."""
    try:
        if kind is bool:
            return TRUTH[text.lower()]
        return text.split(',') if kind is tuple else kind(text)
    except (KeyError, ValueError) as error:
        raise RuntimeError(f'{name}:={text} is not a {kind.__name__}') from error


def parameters_of(texts: Mapping[str, str]) -> dict[str, Value]:
    """Return the arguments that are parameters of the node, by their names in ROS."""
    return {
        parameter_name(entry): value_of(name, texts[name], type(entry.default))
        for name, entry in PARAMETERS.items()
        if name in texts
    }


def settings_of(values: Mapping[str, Any]) -> SimulationParameters:
    """Return the parameters of the node from values by their names in ROS, of whatever else."""
    known = {}
    for name, entry in PARAMETERS.items():
        value = values.get(parameter_name(entry), entry.default)
        if entry.metadata['numbers'] and isinstance(value, list):
            value = ' '.join(map(repr, value))
        known[name] = value
    return SimulationParameters(**known)


def checked_file(argument: str, text: str) -> Path:
    """Return the path of a file; launch would only warn about one that does not exist."""
    path = Path(text)
    if not path.is_file():
        raise RuntimeError(f'{argument}:={text}: there is no such file (in {Path.cwd()})')
    return path


def values_in(file: Path, namespace: str) -> dict[str, Any]:
    """Return the parameters of the node in a parameter file; none if it cannot be read."""
    try:
        document = yaml.safe_load(file.read_text(encoding='utf-8'))
    except (yaml.YAMLError, UnicodeDecodeError):
        return {}  # the node reports it
    found: dict[str, Any] = {}
    place = '/'.join(part for part in (namespace.strip('/'), NODE) if part)
    for name in ('/**', '/**/' + NODE, place, f'/{place}'):
        content = document.get(name) if isinstance(document, dict) else None
        if isinstance(content, dict) and isinstance(content.get('ros__parameters'), dict):
            found.update(_flat(content['ros__parameters']))
    return found


def _flat(tree: Mapping[str, Any], prefix: str = '') -> Iterator[tuple[str, Any]]:
    """Return parameters of nested dictionaries, with dots in their names."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f'{prefix}{key}.')
        else:
            yield f'{prefix}{key}', value
