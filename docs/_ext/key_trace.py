"""
Keys of model files, traced: what the loader reads, with defaults and bounds, as it builds models.

The loader has no table of its keys. It reads them through `Section`, one call for each, whether
the file has the key or not; so what it reads is what there is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
import inspect
import math
import re
from typing import Any

from symcontact_ros.model.building.reader import Section

# Ways to read a key, and what is then there.
READERS = {
    'flag': 'true or false',
    'has_keyword': 'word',
    'items': 'list of mappings',
    'name': 'name',
    'named_sections': 'mapping of names',
    'number': 'number',
    'numbers': 'numbers',
    'points': 'points',
    'section': 'mapping',
    'take': 'any',
    'text': 'text',
    'triple': 'numbers',
    'value': 'constant',
}
NEEDING = ('number', 'numbers', 'points', 'text')  # if they have no default
OWN_NAMES = ('materials.pairs[].material',)  # whose choices are names of the same file
# Names that the author of a file chooses, by the path before them.
CHOSEN = (
    (r'bodies\.[^.]+', 'bodies.<body>'),
    (r'(bodies\.<body>\.sites)\.[^.]+', r'\1.<site>'),
    (r'materials\.(?!pairs)[^.]+', 'materials.<material>'),
    (r'parameters\.[^.]+', 'parameters.<parameter>'),
    (r'self_collision\.[^.]+', 'self_collision.<robot>'),
    (r'(include\[\])\.parameters\.[^.]+', r'\1.parameters.<parameter>'),
    (r'(include\[\])\.arguments\.[^.]+', r'\1.arguments.<argument>'),
    (r'(include\[\]\.servo)\.[^.]+(?=\.)', r'\1'),  # gains for some joints
    (r'(include\[\])\.(initial|damping|friction|armature)\.[^.]+', r'\1.\2.<joint>'),
)


@dataclass
class Key:
    """A key of model files, as the loader reads it."""

    path: str  # `bodies.<body>.shapes[].radius`
    kinds: list[str] = field(default_factory=list)
    defaults: list[Any] = field(default_factory=list)
    is_needed: bool = False
    bound: str = ''
    choices: tuple[str, ...] = ()
    types: set[str] = field(default_factory=set)  # of the shape, sensor or joint that has it

    @property
    def section(self) -> str:
        """The path of the mapping that has it."""
        return self.path.rpartition('.')[0]

    @property
    def name(self) -> str:
        """Its name in that mapping."""
        return self.path.rpartition('.')[2]


def general(path: str) -> str:
    """Return the path of a key with the names that its author chose left open."""
    path = re.sub(r'\[\d+\]', '[]', path)
    for pattern, general_form in CHOSEN:
        path = re.sub(f'^{pattern}', general_form, path)
    return path


@contextmanager
def traced() -> Iterator[dict[str, Key]]:
    """Yield a table of the keys that are read inside of it, by their paths."""
    keys: dict[str, Key] = {}
    originals = {name: getattr(Section, name) for name in READERS}
    depth = [0]  # of readers that call others

    def observed(name: str) -> Any:
        original = originals[name]
        signature = inspect.signature(original)

        @wraps(original)
        def reader(*arguments: Any, **named: Any) -> Any:
            if depth[0] == 0:
                call = signature.bind(*arguments, **named)
                call.apply_defaults()
                _note(keys, name, **call.arguments)
            depth[0] += 1
            try:
                return original(*arguments, **named)
            finally:
                depth[0] -= 1

        return reader

    try:
        for name in READERS:
            setattr(Section, name, observed(name))
        yield keys
    finally:
        for name, original in originals.items():
            setattr(Section, name, original)


def _note(keys: dict[str, Key], reader: str, self: Section, key: str, **call: Any) -> None:
    """Enter what a call of a reader tells of a key."""
    path = general(self.at(key))
    found = keys.setdefault(path, Key(path))
    kind = READERS[reader]
    if kind == 'numbers':
        kind = f'{call.get("count", 3)} numbers'
    if kind not in found.kinds:
        found.kinds.append(kind)
    default = call.get('default')
    if default is None and reader in NEEDING:
        found.is_needed |= key not in self
    elif reader != 'take' and 'default' in call and default not in (*found.defaults, None):
        found.defaults += [] if _is_nan(default) else [default]
    if 'word' in call:
        found.choices = tuple(dict.fromkeys((*found.choices, call['word'])))
    if path not in OWN_NAMES:
        found.choices = tuple(dict.fromkeys((*found.choices, *call.get('choices', ()))))
    for name, sign in (('above', '>'), ('minimum', '>=')):
        if call.get(name, -math.inf) > -math.inf:
            found.bound = f'{sign} {call[name]:g}'
    if variant := _type_of(self):
        found.types.add(variant)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _type_of(section: Section) -> str:
    """Return the type of what a section describes: a shape, a sensor, a start of a joint."""
    names = re.split(r'[.\[]', section.path)
    data: Any = section.description.data
    if names[0] == 'bodies' and names[2:] == ['initial']:
        return str(data['bodies'][names[1]].get('joint', {}).get('type', ''))
    if names[0] == 'sensors' and len(names) > 1:
        return str(data['sensors'][int(names[1].rstrip(']'))].get('type', ''))
    if len(names) == 4 and names[2] == 'shapes':
        return str(data['bodies'][names[1]]['shapes'][int(names[3].rstrip(']'))].get('type', ''))
    return ''
