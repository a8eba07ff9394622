"""
Python reference from the docstrings, as their authors wrote them.

Signatures have the annotations of the source (`ArrayLike`, not what it stands for), fields of
dataclasses the comments beside them, and names in backticks are links where they name something.
"""

import ast
import dataclasses
import inspect
import re
import textwrap

from docutils import nodes
from sphinx.util.inspect import stringify_signature

COMMENT = re.compile(r'#\s?(.*)$')


def source_signature(app, what, name, obj, *rest):
    """Return signature and result with the annotations of the source."""
    if what not in ('class', 'function', 'method'):
        return None
    try:
        found = inspect.signature(obj)
    except (TypeError, ValueError):
        return None
    shown = [_readable(p) for p in found.parameters.values() if not p.name.startswith('_')]
    if what == 'method' and shown and shown[0].name in ('self', 'cls'):
        shown = shown[1:]
    result = found.return_annotation
    result = result if isinstance(result, str) and what != 'class' else ''
    bare = found.replace(parameters=shown, return_annotation=inspect.Signature.empty)
    return stringify_signature(bare), result


class _Name:
    """A default that is shown by its name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


def _readable(parameter):
    """Return a parameter whose default is not the address of a function."""
    default = parameter.default
    if inspect.isfunction(default):
        return parameter.replace(default=_Name(default.__name__))
    return parameter.replace(default=_Name('...')) if str(default) == '<factory>' else parameter


def field_comments(cls):
    """Yield name, annotation and comment of the fields of a dataclass."""
    lines = textwrap.dedent(inspect.getsource(cls)).splitlines()
    (tree,) = ast.parse('\n'.join(lines)).body
    for node in tree.body:
        if not isinstance(node, ast.AnnAssign) or node.target.id.startswith('_'):
            continue
        above, at = [], node.lineno - 2
        while lines[at].strip().startswith('#'):
            above.insert(0, COMMENT.search(lines[at])[1])
            at -= 1
        beside = COMMENT.search(lines[node.end_lineno - 1])
        words = [*above, beside[1]] if beside else above
        yield node.target.id, ast.unparse(node.annotation), ' '.join(words)


def with_fields(app, what, name, obj, *rest):
    """Add the fields of a dataclass to its docstring; keep one-line docstrings in one piece."""
    *_, lines = rest
    if what in ('attribute', 'property') and lines:
        lines[0] = f': {lines[0]}'  # without, words before a colon pass for a type
    if not inspect.isclass(obj) or not dataclasses.is_dataclass(obj):
        return
    if any(line.strip() in ('Attributes', 'Parameters') for line in lines):
        return
    fields = [(field, kind, text) for field, kind, text in field_comments(obj)]
    if fields:
        lines += ['', 'Attributes', '----------']
        for field, kind, text in fields:
            kind = re.sub(r'_\b', r'\_', kind)  # not a reference
            lines += [f'{field} : {kind}', f'    {text}']


def plain_name(app, env, node, contnode):
    """Lead to the public name of a thing; leave names of others as they are."""
    if node.get('refdomain') != 'py':
        return None
    known = env.get_domain('py').objects
    # `Wrench`, `symcontact_ros.types.Wrench`, or `counters` of the class around it
    last = node['reftarget'].rpartition('.')[2]
    around = '.'.join(filter(None, (node.get('py:module'), node.get('py:class'), last)))
    classes = (name for name, entry in known.items() if entry.objtype == 'class')
    ending = next((name for name in classes if name.endswith(f'.{last}')), '')
    for name in (f'symcontact_ros.{last}', around, ending):
        if name in known:
            entry = known[name]
            link = nodes.reference('', '', internal=True, reftitle=name)
            uri = app.builder.get_relative_uri(node['refdoc'], entry.docname)
            link['refuri'] = f'{uri}#{entry.node_id}'
            link += contnode
            return link
    return contnode


def setup(app):
    """Connect all of it, before napoleon reads the docstrings."""
    app.connect('autodoc-process-signature', source_signature)
    app.connect('autodoc-process-docstring', with_fields, priority=400)
    app.connect('missing-reference', plain_name)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
