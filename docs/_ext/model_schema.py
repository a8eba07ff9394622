"""
Directive `model-schema`: keys of model files as a JSON Schema, with which editors complete them.

It says less than the loader does: which keys there are, and what kind of value each has.
"""

import json
from pathlib import Path

from docutils import nodes
from model_keys import keys_of_loader, mappings, PAGE, tables, TOP
from sphinx.util.docutils import SphinxDirective

NAME = 'model.schema.json'
NUMBER = {'type': ['number', 'string']}  # a text is a formula
KINDS = {
    'constant': NUMBER,
    'name': {'type': 'string'},
    'number': NUMBER,
    'points': {'type': 'array', 'items': {'type': 'array', 'items': NUMBER}},
    'text': {'type': 'string'},
    'true or false': {'type': 'boolean'},
}


class Schema:
    """Schemas of the mappings of model files; ``text`` is the page with their meanings."""

    def __init__(self, text):
        self._keys = mappings(keys_of_loader())
        self._meanings = tables(text)

    def whole(self):
        """Return the schema of a model file."""
        head = {
            '$schema': 'http://json-schema.org/draft-07/schema#',
            'title': 'symcontact_ros model',
        }
        return {**head, **self._mapping(TOP)}

    def _mapping(self, path):
        """Return the schema of a mapping; names that the author chooses are all alike."""
        found = {'type': 'object', 'properties': {}, 'additionalProperties': False}
        for name, key in self._keys[path].items():
            meaning = self._meanings.get(path, {}).get(name)
            schema = {'description': meaning['text']} if meaning else {}
            schema |= self._value(key)
            if name.startswith('<'):
                found['additionalProperties'] = schema
            else:
                found['properties'][name] = schema
        return found

    def _value(self, key):
        """Return the schema of the value of a key."""
        if key.kinds == ['any']:
            return {}
        kinds = [self._kind(key, kind) for kind in key.kinds if kind != 'any']
        return kinds[0] if len(kinds) == 1 else {'anyOf': kinds}

    def _kind(self, key, kind):
        """Return the schema of one kind of value."""
        if kind == 'word' or (kind == 'text' and key.choices):
            return {'enum': list(key.choices)}
        if kind in KINDS:
            return KINDS[kind]
        if kind.endswith(' numbers'):
            count = int(kind.split()[0])
            return {'type': 'array', 'items': NUMBER, 'minItems': count, 'maxItems': count}
        if kind == 'list of mappings':
            return {'type': 'array', 'items': self._mapping(f'{key.path}[]')}
        if kind == 'mapping of names':
            inner = next(path for path in self._keys if path.rpartition('.<')[0] == key.path)
            return {'type': 'object', 'additionalProperties': self._mapping(inner)}
        return self._mapping(key.path) if key.path in self._keys else {'type': 'object'}


class ModelSchema(SphinxDirective):
    """A link to the schema."""

    def run(self):
        """Return the link; the file is written when the site is finished."""
        link = nodes.reference('', NAME, internal=True, refuri=NAME)
        return [nodes.paragraph('', '', link)]


def write_schema(app, error):
    """Put the schema beside the page."""
    if error is None and app.builder.name == 'html':
        text = Path(app.env.doc2path(PAGE)).read_text(encoding='utf-8')
        target = (Path(app.outdir) / PAGE).parent / NAME
        target.write_text(json.dumps(Schema(text).whole(), indent=1), encoding='utf-8')


def setup(app):
    """Add the directive and what writes the file."""
    app.add_directive('model-schema', ModelSchema)
    app.connect('build-finished', write_schema)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
