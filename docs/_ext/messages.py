"""
Directive `message`: a mistake, and the message that it gives, made when the page is built.

Its arguments are `yaml` for a model file or `python` for code, and the name of the error; its
lines are the mistake.
"""

from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from symcontact_ros import load_model, SymcontactError

LOGGER = logging.getLogger(__name__)
FILE = Path('model.yaml')


def run_yaml(text, folder):
    """Load a model file."""
    (folder / FILE).write_text(text, encoding='utf-8')
    load_model(folder / FILE)


def run_python(text, folder):
    """Run code of a page, as a reader would."""
    exec(text, {})


RUN = {'yaml': run_yaml, 'python': run_python}


def message_of(language, text, folder):
    """Return name and message of the error that a mistake gives; both empty if it is none."""
    try:
        RUN[language](text, folder)
    except SymcontactError as error:
        return type(error).__name__, str(error).replace(f'{folder}/', '')
    return '', ''


class Message(SphinxDirective):
    """A mistake and its message."""

    required_arguments = 2
    has_content = True

    def run(self):
        """Return both; warn if it is no mistake, or another one."""
        text = '\n'.join(self.content)
        language, expected = self.arguments
        name, message = message_of(language, text, Path(self.env.doctreedir))
        if name != expected:
            reason = f'{name or "no error"} instead of {expected}: {message}'
            LOGGER.warning(reason, location=self.get_location())
        code = nodes.literal_block(text, text, language=language)
        said = nodes.literal_block(message, message, language='text', classes=['message'])
        title = nodes.paragraph('', '', nodes.literal(name, name), nodes.Text(':'))
        return [code, title, said]


def setup(app):
    """Add the directive."""
    app.add_directive('message', Message)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
