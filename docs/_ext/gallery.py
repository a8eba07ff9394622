"""
Directive `gallery`: all shipped models, each with a picture and the page of `symcontact export`.

Pages and pictures are made when the site is finished, and kept as long as neither the code nor
the model changes. `-D gallery_pages=0` leaves them out.
"""

from contextlib import redirect_stderr, redirect_stdout
from functools import cache
import hashlib
import io
import logging as std_logging
from pathlib import Path
import shutil

from docutils import nodes
from source_pages import page_of_file, ROOT
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from thumbnails import draw_thumbnail

from symcontact_ros.cli.main import main
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.model.words import TOPICS
from symcontact_ros.model.yaml_loader import read_yaml

LOGGER = logging.getLogger(__name__)
FOLDER = 'gallery'
ENDINGS = ('.html', '.png')
OTHERS = 'Others'  # models without a topic


def by_topic():
    """Return the shipped models by title of their topic: name and description."""
    found = {title: [] for title in (*TOPICS.values(), OTHERS)}
    for name, path in shipped_models().items():
        about = read_yaml(path).data
        text = ' '.join(about.get('description', '').split())
        found[TOPICS.get(about.get('topic'), OTHERS)].append((name, text))
    return {title: models for title, models in found.items() if models}


class Gallery(SphinxDirective):
    """The grid of models."""

    def run(self):
        """Return a grid for each topic."""
        found = []
        for title, models in by_topic().items():
            found.append(nodes.rubric(title, title))
            grid = nodes.container(classes=['gallery'])
            grid += [self._card(name, text) for name, text in models]
            found.append(grid)
        return found

    def _card(self, name, text):
        page = f'{FOLDER}/{name}'
        card = nodes.container(classes=['card'], ids=[f'model-{name}'])
        links = [_link(page_of_file(shipped_models()[name]) + '.html', 'model file')]
        launch = ROOT / 'launch' / f'{name}.launch.py'
        if launch.is_file():
            links.append(_link(page_of_file(launch) + '.html', 'launch file'))
        if self.config.gallery_pages:
            picture = f'<img src="{page}.png" alt="{name}: the scene of a run" loading="lazy">'
            card += nodes.raw('', f'<a href="{page}.html">{picture}</a>', format='html')
            links.insert(0, _link(f'{page}.html', 'open the live page'))
        card += nodes.paragraph('', '', nodes.strong('', name))
        card += self.parse_text_to_nodes(text)
        line = nodes.paragraph(classes=['links'])
        for link in links:
            line += [link, nodes.Text(' ')]
        card += line
        return card


def _link(uri, text):
    return nodes.reference('', text, internal=True, refuri=uri)


@cache
def code_hash():
    """Return a hash of all that a page of a model is made with, but the model."""
    whole = hashlib.sha256()
    for folder in ('symcontact_ros', 'docs/_ext', 'config/worlds', 'urdf'):
        for path in sorted((ROOT / folder).rglob('*')):
            if path.is_file() and '__pycache__' not in path.parts:
                whole.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return whole.hexdigest()


def kept_files(name, source, folder):
    """Return page and picture of a model from a folder, made there if they are not."""
    key = hashlib.sha256((code_hash() + source.read_text(encoding='utf-8')).encode()).hexdigest()
    place = folder / f'{name}-{key[:16]}'
    if not place.is_dir():
        for old in folder.glob(f'{name}-*'):
            shutil.rmtree(old)
        part = folder / f'part-{name}'  # renamed when it is whole
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        if not _make_files(name, part):
            return []
        part.rename(place)
    return [place / f'{name}{ending}' for ending in ENDINGS]


def _make_files(name, folder):
    """Make page and picture of a model; return whether there is a page."""
    said = io.StringIO()  # progress, or what is wrong
    with redirect_stdout(said), redirect_stderr(said):
        status = main(['export', name, str(folder / f'{name}.html')])
        draw_thumbnail(name, folder / f'{name}.png')
    if status:
        LOGGER.warning('%s: no page: %s', name, said.getvalue())
    return status == 0


def add_pages(app, error):
    """Put page and picture of every model into the finished site."""
    if error is not None or app.builder.name != 'html' or not app.config.gallery_pages:
        return
    target = Path(app.outdir) / FOLDER
    target.mkdir(exist_ok=True)
    folder = Path(app.config.gallery_cache or app.doctreedir) / FOLDER
    std_logging.getLogger('symcontact_ros').setLevel(
        std_logging.ERROR
    )  # they are no faults of the site
    for name, source in shipped_models().items():
        for path in kept_files(name, source, folder):
            shutil.copy2(path, target / path.name)


def setup(app):
    """Add the directive, its settings and what makes the pages."""
    app.add_config_value('gallery_pages', True, 'env', bool)
    app.add_config_value('gallery_cache', '', '', str)
    app.add_directive('gallery', Gallery)
    app.connect('build-finished', add_pages)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
