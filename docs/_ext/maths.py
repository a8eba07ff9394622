r"""
Formulas as MathML, which a browser draws by itself: no script, no fonts, no network.

latex2mathml converts them. Lines that are aligned with each other (`\begin{aligned}`) are split
here, since it loses them; brackets of matrices are drawn by the style sheet, since only some fonts
have tall ones. A command that is not known is a warning.
"""

import html
import re
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

LOGGER = logging.getLogger(__name__)
SPACE = 'http://www.w3.org/1998/Math/MathML'
TOKEN = re.compile(
    r'\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\left|\\right|\\\\|\\.|[{}&]|[^\\{}&]+', re.S
)
LINES = re.compile(r'\s*\\begin\{(aligned|align\*?|split|gathered)\}(.*)\\end\{\1\}\s*', re.S)
# A bracket that begins a line is none of the options that a line may have.
LINE_BRACKET = re.compile(r'(\\\\|\\begin\{\w*(?:cases|matrix)\})\s*\[')
BRACKETS = {'[': ']', '(': ')'}


def mathml(latex, display, node):
    """Return a formula as MathML; a warning and the LaTeX itself where that fails."""
    try:
        root = formula(latex.strip().removeprefix(r'\displaystyle'), display)
    except Exception as error:
        LOGGER.warning('formula %r: %r', latex, error, location=node)
        return f'<code>{html.escape(latex)}</code>'
    return ElementTree.tostring(root, encoding='unicode')


def formula(latex, display):
    """Return a formula as an element; ValueError for a command that is not known."""
    if lines := LINES.fullmatch(latex):
        return _aligned(lines[2], display)
    plain = LINE_BRACKET.sub(r'\1 {[}', latex)
    root = ElementTree.fromstring(convert(plain, display=display))
    for element in root.iter():
        element.tag = element.tag.removeprefix(f'{{{SPACE}}}')
        if element.text and element.text.startswith('\\') and len(element.text) > 1:
            raise ValueError(f'{element.text} is not known')
    for element in list(root.iter()):
        _draw_brackets(element)
    root.set('xmlns', SPACE)
    return root


def pieces(latex, separator):
    """Return the parts of a formula between separators that are in no group or environment."""
    found, depth = [''], 0
    for token in TOKEN.findall(latex):
        depth += token == '{' or token.startswith((r'\begin', r'\left'))
        depth -= token == '}' or token.startswith((r'\end', r'\right'))
        if token == separator and depth == 0:
            found.append('')
        else:
            found[-1] += token
    return found


def _aligned(latex, display):
    """Return lines below each other, their columns right and left of each ampersand."""
    root = ElementTree.Element('math', {'xmlns': SPACE, 'display': display})
    table = ElementTree.SubElement(root, 'mtable', {'class': 'aligned', 'displaystyle': 'true'})
    for line in pieces(latex, r'\\'):
        if line.strip():
            row = ElementTree.SubElement(table, 'mtr')
            for cell in pieces(line, '&'):
                (inner,) = formula(cell.strip() or '{}', display)  # a row, which would not align
                ElementTree.SubElement(row, 'mtd').extend(list(inner))
    return root


def _draw_brackets(parent):
    """Make a class of the brackets around a table."""
    children = list(parent)
    for before, table, after in zip(children, children[1:], children[2:], strict=False):
        closing = BRACKETS.get((before.text or '').strip())
        if table.tag == 'mtable' and closing and (after.text or '').strip() == closing:
            parent.remove(before)
            parent.remove(after)
            table.set('class', 'square' if closing == ']' else 'round')


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
    for part in filter(str.strip, node.astext().split('\n\n')):
        is_split = len(pieces(part, r'\\')) > 1
        latex = rf'\begin{{aligned}}{part}\end{{aligned}}' if is_split else part
        translator.body.append(mathml(latex, 'block', node))
    translator.body.append('</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Make it the way in which formulas are written."""
    app.add_html_math_renderer('mathml', (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = 'mathml'
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
