"""Files of the repository as pages: models, worlds, launch files, which other pages name."""

from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = (
    'config/**/*.yaml',
    'config/**/*.xacro',
    'launch/*.py',
    'urdf/**/*.urdf',
    'urdf/**/*.xacro',
)
LANGUAGES = {'.yaml': 'yaml', '.py': 'python'}  # others are XML
FOLDER = 'files'


@cache
def shown_files():
    """Return the files that have a page."""
    return frozenset(path for pattern in PATTERNS for path in ROOT.glob(pattern))


def page_of_file(path):
    """Return the page of a file; None if it has none."""
    path = (ROOT / path).resolve()
    return f'{FOLDER}/{path.relative_to(ROOT).as_posix()}' if path in shown_files() else None


def collect_pages(app):
    """Yield a page for each file; none where pages of models are left out, too."""
    for path in sorted(shown_files()) if app.config.gallery_pages else ():
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding='utf-8')
        language = LANGUAGES.get(path.suffix, 'xml')
        block = app.builder.highlighter.highlight_block(text, language)
        body = f'<h1>{name}</h1>\n<div class="highlight-{language} notranslate">{block}</div>'
        yield f'{FOLDER}/{name}', {'title': name, 'body': body, 'parents': []}, 'page.html'


def setup(app):
    """Add the pages."""
    app.connect('html-collect-pages', collect_pages)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
