"""Formulas as MathML, which a browser draws by itself: no script, no fonts, no network."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

LOGGER = logging.getLogger(__name__)


def mathml(latex, display, node):
    """Return a formula as MathML; a warning and the LaTeX itself where that fails."""
    try:
        return convert(latex, display=display)
    except Exception as error:
        LOGGER.warning('formula %r: %r', latex, error, location=node)
        return f'<code>{nodes.unescape(latex)}</code>'


def visit_inline(translator, node):
    """Write a formula in a line."""
    text = mathml(node.astext(), 'inline', node)
    translator.body.append(translator.starttag(node, 'span', '', CLASS='math notranslate'))
    translator.body.append(f'{text}</span>')
    raise nodes.SkipNode


def visit_block(translator, node):
    """Write a formula of its own, with its number if it has one."""
    translator.body.append(translator.starttag(node, 'div', CLASS='math notranslate'))
    if node['number']:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, 'Link to this equation')
        translator.body.append('</span>')
    latex = node.astext()
    if '\\\\' in latex and '\\begin' not in latex:
        latex = f'\\begin{{aligned}}{latex}\\end{{aligned}}'
    parts = [part for part in latex.split('\n\n') if part.strip()]
    translator.body.extend(mathml(part, 'block', node) for part in parts)
    translator.body.append('</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Make it the way in which formulas are written."""
    app.add_html_math_renderer('mathml', (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = 'mathml'
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
