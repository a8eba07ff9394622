"""
Directive `model-keys`: a table of the keys of one mapping of model files.

Its argument is the path of the mapping, its lines the meanings, one for each key, which may say
more of kind and default than the loader can:

    key: meaning
    key (kind) = default: meaning

A key without a meaning, or a meaning without a key, is a warning; so is a mapping without a table.
"""

from functools import cache
import math
from pathlib import Path
import re

from key_examples import read_keys
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LOGGER = logging.getLogger(__name__)
PAGE = 'reference/model_file'
LINE = re.compile(
    r'(?P<key>[\w<>]+)(?: \((?P<kind>[^)]*)\))?(?: = (?P<default>[^:]*))?: (?P<text>.+)'
)
TABLE = re.compile(r'^```\{model-keys\} (.*)\n((?:(?!```).*\n)*)```', re.M)
TOP = 'model'  # stands for the whole file

keys_of_loader = cache(read_keys)


def mappings(keys):
    """Return the keys of every mapping, by the path of the mapping; `model` is the file."""
    found = {}
    for key in keys.values():
        found.setdefault(key.section or TOP, {})[key.name] = key
    return found


def meanings(lines):
    """Return the matched lines of a table by key; lines that go on are indented."""
    joined = re.sub(r'\n\s+', ' ', '\n'.join(lines))
    matched = [(line, LINE.fullmatch(line)) for line in joined.splitlines() if line.strip()]
    if wrong := [line for line, match in matched if not match]:
        raise ValueError(f'not of the form `key: meaning`: {wrong[0]}')
    return {match['key']: match for _, match in matched}


def tables(text):
    """Return the meanings in the tables of a page, by the paths of their mappings."""
    return {path: meanings(lines.splitlines()) for path, lines in TABLE.findall(text)}


def kind_of(key):
    """Return in words what the value of a key is."""
    kinds = [kind for kind in key.kinds if kind not in ('any', 'word')] or ['word']
    words = [f'`{choice}`' for choice in key.choices]
    if words and kinds in (['text'], ['word']):
        return ', '.join(words)
    if sizes := [kind.split()[0] for kind in kinds if kind.endswith(' numbers')]:
        kinds = [kind for kind in kinds if not kind.endswith(' numbers')]
        kinds.append(f'{" or ".join(sizes)} numbers')
    bound = f' {key.bound}' if key.bound else ''
    numbers = [kind + bound for kind in kinds if kind in ('number', 'constant')]
    others = [kind for kind in kinds if kind not in ('number', 'constant')]
    return ' or '.join([*words, *numbers, *others])


def default_of(key):
    """Return what a key is where a file has none."""
    if key.is_needed:
        return '**needed**'
    return ' or '.join(filter(None, map(_shown, key.defaults)))


def _shown(value):
    if isinstance(value, str):
        return f'`{value}`' if value else ''
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f'{value:g}' if math.isfinite(value) else 'none'
    return f'[{", ".join(f"{number:g}" for number in value)}]'


class ModelKeys(SphinxDirective):
    """A table of the keys of a mapping."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        """Return the table; warn where loader and page differ."""
        path = self.arguments[0]
        keys = mappings(keys_of_loader()).get(path, {})
        told = meanings(self.content)
        for reason in differences(path, keys, told):
            LOGGER.warning(reason, location=self.get_location())
        known = {key for other in keys.values() for key in other.types}
        has_types = any(keys[name].types != known for name in told if name in keys)
        rows = [
            _row(keys[name], match, has_types, known)
            for name, match in told.items()
            if name in keys
        ]
        of = ' of |' if has_types else ''
        head = [
            f'| key | {of} value | default | meaning |',
            f'|---|{"---|" * bool(of)}---|---|---|',
        ]
        return self.parse_text_to_nodes('\n'.join([*head, *rows]))


def _row(key, match, has_types, known):
    of = ['all' if key.types == known else ', '.join(sorted(key.types))] if has_types else []
    cells = [
        f'`{key.name}`',
        *of,
        match['kind'] or kind_of(key),
        match['default'] or default_of(key),
    ]
    return f'| {" | ".join([*cells, match["text"]])} |'


def differences(path, keys, told):
    """Yield what a table lacks, or has too much."""
    yield from (
        f'{path}: the loader reads {name}: its meaning is missing'
        for name in keys
        if name not in told
    )
    yield from (f'{path}: the loader reads no key {name}' for name in told if name not in keys)
    for name in keys.keys() & told.keys():
        if keys[name].kinds == ['any'] and not told[name]['kind']:
            yield f'{path}.{name}: say what it is: `{name} (kind): meaning`'


def missing_tables(text):
    """Return the mappings of model files of which a page has no table."""
    return sorted(mappings(keys_of_loader()).keys() - tables(text).keys())


def check_tables(app, env):
    """Warn of mappings without a table."""
    text = Path(env.doc2path(PAGE)).read_text(encoding='utf-8')
    for path in missing_tables(text):
        LOGGER.warning('%s: there is no table of its keys', path, location=PAGE)


def setup(app):
    """Add the directive and the check."""
    app.add_directive('model-keys', ModelKeys)
    app.connect('env-check-consistency', check_tables)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
