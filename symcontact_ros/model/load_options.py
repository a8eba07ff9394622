"""Options of ``load_model`` as texts, as parameters of ROS and the command line give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
import re
from typing import Any

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.model.file_kinds import is_yaml
from symcontact_ros.model.including.files import find_piece, NotFoundError

LONGEST = 10_000  # characters of a text


def read_all(texts: Mapping[str, tuple[Callable[[Any], Any], Any]]) -> dict[str, Any]:
    """Return what texts mean, by option; OptionError lists all that mean nothing."""
    read, faults = {}, []
    for name, (reader, text) in texts.items():
        try:
            read[name] = reader(text)
        except OptionError as error:
            faults.append(str(error))
    if faults:
        raise OptionError('\n'.join(faults))
    return read


def servo_of(text: str) -> str | dict[str, Any] | None:
    """Return a servo: '' is none; `auto`; or a mapping in YAML or JSON."""
    if not text.strip():
        return None
    value = _value('servo', text)
    if not isinstance(value, str | dict):
        raise OptionError(
            f'servo must be `auto` or a mapping such as {{kp: 100}}, got {shown(text)}'
        )
    return value


def positions_of(texts: Iterable[str]) -> dict[str, float]:
    """Return positions by joint: of texts `joint:=q` or `joint=q`, or mappings in YAML."""
    positions: dict[str, float] = {}
    for text in filter(str.strip, texts):
        name, separator, number = _split(text, r':?=')
        table = {name: number} if separator else _value('initial', text)
        if not isinstance(table, dict):
            raise OptionError(f'initial must be JOINT=NUMBER or a mapping, got {shown(text)}')
        for joint, position in table.items():
            try:
                positions[str(joint)] = float(position)
            except (TypeError, ValueError):
                raise OptionError(
                    f'initial: {joint} must be a number, got {shown(position)}'
                ) from None
    return positions


def pairs_of(texts: Iterable[str]) -> list[list[str]]:
    """Return pairs of bodies of texts `a/b` or `a,b`."""
    pairs = []
    for text in filter(str.strip, texts):
        names = re.split(r'[/,]', text)
        if len(names) != 2 or not all(map(str.strip, names)):
            raise OptionError(f'exclude must have pairs such as `a,b` or `a/b`, got {shown(text)}')
        pairs.append([name.strip() for name in names])
    return pairs


def world_of(text: str) -> str | None:
    """Return the name of a shipped piece or a model file that surrounds a model; '' is none."""
    if not text or is_yaml(Path(text)):
        return text or None
    try:
        find_piece(text)
    except NotFoundError as error:
        raise OptionError(f'world: {error}') from None
    return text


def arguments_of(texts: Iterable[str]) -> dict[str, str]:
    """Return arguments of xacro of texts `name:=value`."""
    arguments = {}
    for text in filter(str.strip, texts):
        name, separator, value = _split(text, r':?=')
        if not separator or not name:
            raise OptionError(f'arguments of xacro are NAME:=VALUE, got {shown(text)}')
        arguments[name] = value
    return arguments


def pose_of(given: str | Sequence[float]) -> list[float] | None:
    """Return x, y, z, roll, pitch, yaw [m, rad] of six numbers or their text; '' is none."""
    words = re.split(r'[\s,]+', given.strip(' \t[]')) if isinstance(given, str) else list(given)
    if words in ([], ['']):
        return None
    try:
        numbers = [float(word) for word in words]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 6:
        raise OptionError(f'pose must be six numbers: x y z roll pitch yaw, got {shown(given)}')
    return numbers


def _split(text: str, separator: str) -> tuple[str, str, str]:
    name, *rest = re.split(separator, text, maxsplit=1)
    return (name.strip(), '=', rest[0].strip()) if rest else (name, '', '')


def _value(what: str, text: str) -> Any:
    if len(text) > LONGEST:
        raise OptionError(f'{what} has {len(text)} characters; at most {LONGEST} are read')
    import yaml  # only where it is used

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        problem = getattr(error, 'problem', None) or str(error).splitlines()[0]
        mark = getattr(error, 'problem_mark', None)
        place = f' at character {mark.index + 1}' if mark is not None else ''
        raise OptionError(f'{what} {shown(text)} is not YAML: {problem}{place}') from None
