"""The documentation as a site: no warning, no dead link, nothing from the network, all there."""

import ast
import os
import re
import subprocess
import sys
from types import SimpleNamespace

from helpers.browser import browser
from helpers.places import page, ROOT, script
from helpers.sources import SOURCES
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.command_options import COMMANDS
from symcontact_ros.model.installed_files import shipped_models, shipped_worlds
from symcontact_ros.model.yaml_loader import read_yaml

pytest.importorskip('furo', reason="not installed: pip install 'symcontact_ros[docs]'")

MATHS = r"""\
# Formulas

In a line $x^2$, and

$$
\begin{aligned}
\left[\begin{matrix} a_1 & 0 \\ 0 & a_2 \end{matrix}\right] &= \frac{1}{2} \\
b &= \sqrt{a_1 + a_2}
\end{aligned}
$$ (numbered)

with a number: {eq}`numbered`.
"""


def built(folder, *options):
    """Build the site into a folder; return it, and what was said."""
    words = [sys.executable, str(ROOT / 'tools' / 'docs.py'), str(folder), *options]
    result = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, 'PYTHONPATH': str(ROOT)}
    )
    return SimpleNamespace(
        folder=folder, code=result.returncode, said=result.stderr + result.stdout
    )


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """The site, without notebooks and pages of models."""
    return built(tmp_path_factory.mktemp('site') / 'docs', '--quick')


@pytest.fixture(scope='module')
def links():
    return script('tools/docs_links.py')


@pytest.fixture
def extensions(monkeypatch):
    """Make the extensions of the site importable."""
    monkeypatch.syspath_prepend(ROOT / 'docs' / '_ext')


def text_of(site, name):
    return (site.folder / name).read_text(encoding='utf-8')


def test_the_site_is_built_without_a_warning_or_a_dead_link(site):
    assert site.code == 0, site.said
    assert site.said == f'{site.folder / "index.html"}\n'


@pytest.mark.parametrize(
    ('line', 'reason'),
    [
        ('<a href="nowhere.html">', 'there is no such file'),
        ('<a href="other.html#nothing">', 'there is no such anchor'),
        ('<a href="#nothing">', 'there is no such anchor'),
        ('<img src="lost.png">', 'there is no such file'),
        ('<script src="https://cdn.example.org/x.js">', 'would be loaded from the network'),
        ('<link href="//fonts.example.org/x.css">', 'would be loaded from the network'),
    ],
)
def test_a_wrong_link_is_found(line, reason, links, tmp_path):
    (tmp_path / 'index.html').write_text(line)
    (tmp_path / 'other.html').write_text('<p id="there">')
    (fault,) = links.faults(tmp_path)
    assert fault.endswith(reason)


def test_links_that_lead_somewhere_are_good(links, tmp_path):
    good = '<a href="other.html#there"><a href="https://mcap.dev"><p id="x"><a href="#x">'
    (tmp_path / 'index.html').write_text(good)
    (tmp_path / 'other.html').write_text('<p id="there">')
    assert links.faults(tmp_path) == []


def test_links_into_a_folder_that_was_left_out_are_not_looked_at(links, tmp_path):
    (tmp_path / 'index.html').write_text('<a href="gallery/ball.html"><a href="gallery.html">')
    (fault,) = links.faults(tmp_path, left_out=('gallery',))
    assert '<a> gallery.html' in fault


def test_every_page_can_be_reached_by_a_folded_list_beside_the_text(site):
    toctree = text_of(site, 'index.html')
    pages = {path.stem for path in (ROOT / 'docs').glob('*.md')} - {'index'}
    assert [name for name in pages if f'href="{name}.html"' not in toctree] == []


def test_every_public_name_is_in_the_reference(site):
    pages = [path.read_text('utf-8') for path in (site.folder / 'reference/python').iterdir()]
    whole = ''.join(pages)
    assert [name for name in sc.__all__ if f'id="symcontact_ros.{name}"' not in whole] == []


def test_every_subcommand_and_option_is_in_the_reference(site):
    text = re.sub('<.*?>', '', text_of(site, 'reference/command_line.html'))
    assert [name for name in COMMANDS if f'symcontact {name} ' not in text] == []
    assert '--co-core-radius M' in text
    assert '--panels NAME ...' in text


def test_every_shipped_model_is_in_the_gallery(site):
    text = text_of(site, 'gallery.html')
    assert [name for name in shipped_models() if f'id="model-{name}"' not in text] == []


# Keys of model files -----------------------------------------------------------------------------


def literal_keys():
    """Return the keys that the package reads by name, and where."""
    trace = script('docs/_ext/key_trace.py')
    for folder in ('model', 'joints', 'shapes'):
        for path in (SOURCES / folder).rglob('*.py'):
            for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
                is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                if is_call and node.func.attr in trace.READERS and node.args:
                    key = node.args[0]
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key.value, path.relative_to(SOURCES)


def test_every_key_that_is_read_by_name_is_traced(extensions):
    from key_examples import read_keys

    traced = {key.name for key in read_keys().values()}
    named = set(literal_keys())
    assert len({key for key, _ in named}) > 60
    assert sorted((key, str(path)) for key, path in named if key not in traced) == []


def test_shipped_models_have_no_key_that_the_examples_do_not_read(extensions):
    from key_examples import read_keys

    assert read_keys(tuple(shipped_models().values())).keys() == read_keys().keys()


def test_a_key_without_a_meaning_and_a_meaning_without_a_key_are_found(extensions):
    from model_keys import differences, keys_of_loader, mappings, meanings

    (path, keys) = 'materials.<material>.law', mappings(keys_of_loader())
    good = ['normal: force', 'tangent (formula) = 0: friction', '  that goes on']
    assert list(differences(path, keys[path], meanings(good))) == []
    wrong = ['normal: force', 'tangents: friction']
    assert list(differences(path, keys[path], meanings(wrong))) == [
        f'{path}: the loader reads tangent: its meaning is missing',
        f'{path}: the loader reads no key tangents',
    ]


def test_a_mapping_without_a_table_is_found(extensions):
    from model_keys import missing_tables

    text = page('reference/model_file.md')
    assert missing_tables(text) == []
    assert missing_tables(text.replace('{model-keys} sensors[]\n', '')) == ['sensors[]']


def test_defaults_and_bounds_are_those_of_the_loader(extensions):
    from key_examples import read_keys
    from model_keys import default_of, kind_of

    keys = read_keys()
    radius = keys['bodies.<body>.shapes[].radius']
    assert (kind_of(radius), default_of(radius)) == ('number > 0', '**needed**')
    assert radius.types == {'capsule', 'circle', 'cylinder', 'sphere'}
    presliding = keys['materials.<material>.presliding']
    assert (kind_of(presliding), default_of(presliding)) == ('number > 0', '0.0001')
    assert kind_of(keys['bodies.<body>.joint.armature']) == '`auto` or number >= 0'


def schema_faults(data):
    """Return the keys of a model file that its JSON Schema refuses."""
    jsonschema = pytest.importorskip('jsonschema', reason='not installed: pip install jsonschema')
    from model_schema import Schema

    schema = Schema(page('reference/model_file.md')).whole()
    jsonschema.Draft7Validator.check_schema(schema)
    return [error.json_path for error in jsonschema.Draft7Validator(schema).iter_errors(data)]


@pytest.mark.parametrize('name', [*shipped_models(), *shipped_worlds()])
def test_shipped_files_keep_to_the_schema(name, extensions):
    assert schema_faults(read_yaml({**shipped_models(), **shipped_worlds()}[name]).data) == []


def test_the_schema_refuses_an_unknown_key_and_a_wrong_kind(extensions):
    ball = {'mas': 1.0, 'shapes': [{'type': 'circle', 'radius': [1]}]}
    assert sorted(schema_faults({'bodies': {'ball': ball}})) == [
        '$.bodies.ball',
        '$.bodies.ball.shapes[0].radius',
    ]


# In a browser, from disk -------------------------------------------------------------------------


@pytest.fixture(scope='module')
def shown():
    """A tab of Chromium, and the addresses that it asked for."""
    with browser() as chromium:
        tab = chromium.new_context(viewport={'width': 390, 'height': 844}).new_page()
        asked, wrong = [], []
        tab.on('request', lambda request: asked.append(request.url))
        tab.on('pageerror', lambda error: wrong.append(str(error)))
        yield SimpleNamespace(tab=tab, asked=asked, wrong=wrong)


def test_search_works_from_disk(site, shown):
    shown.tab.goto(f'{(site.folder / "search.html").as_uri()}?q=presliding')
    shown.tab.wait_for_selector('#search-results li a')
    found = shown.tab.eval_on_selector_all(
        '#search-results li a', 'links => links.map(l => l.href)'
    )
    assert any('models.html' in link for link in found)
    assert shown.wrong == []
    assert [url for url in shown.asked if not url.startswith('file:')] == []


def test_pages_fit_a_phone(site, shown):
    for name in ('index', 'ros', 'reference/model_file', 'reference/command_line', 'gallery'):
        shown.tab.goto((site.folder / f'{name}.html').as_uri())
        assert shown.tab.evaluate('document.documentElement.scrollWidth') == 390, name


def test_formulas_are_drawn_without_a_script(shown, tmp_path):
    from sphinx.cmd.build import main

    (tmp_path / 'index.md').write_text(MATHS)
    lines = ['import sys', f'sys.path.append({str(ROOT / "docs/_ext")!r})']
    lines += ["extensions = ['myst_parser', 'maths']", "myst_enable_extensions = ['dollarmath']"]
    (tmp_path / 'conf.py').write_text('\n'.join(lines))
    assert main(['-q', '-W', '-b', 'html', str(tmp_path), str(tmp_path / 'out')]) == 0
    shown.tab.goto((tmp_path / 'out' / 'index.html').as_uri())
    size = '(sign) => { const b = sign.getBoundingClientRect(); return [b.width, b.height] }'
    square = shown.tab.eval_on_selector('math msup', size)
    fraction = shown.tab.eval_on_selector('math mfrac', size)
    assert min(*square, *fraction) > 5
    assert fraction[1] > 1.3 * square[1]  # drawn as one above the other
    assert '(1)' in shown.tab.inner_text('.eqno')
    lines = shown.tab.eval_on_selector_all(
        'mtable.aligned > mtr', 'all => all.map(r => r.children.length)'
    )
    assert lines == [2, 2]
    assert shown.tab.locator('mtable.square').count() == 1
    scripts = shown.tab.eval_on_selector_all('script', 'all => all.map(each => each.src)')
    assert not any('mathjax' in source.lower() for source in scripts)


def test_a_formula_with_an_unknown_command_is_refused(extensions):
    from maths import formula

    with pytest.raises(ValueError, match='nosuch'):
        formula(r'a + \nosuch{b}', 'inline')


@pytest.mark.deep
@pytest.mark.timeout(1800)  # pages of all models: two minutes of one core
def test_the_whole_site_is_good_with_notebooks_and_pages_of_all_models(tmp_path):
    site = built(tmp_path / 'docs')
    assert site.code == 0, site.said
    made = {path.name for path in (site.folder / 'gallery').iterdir()}
    assert made == {f'{name}{end}' for name in shipped_models() for end in ('.html', '.png')}
