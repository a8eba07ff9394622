"""Pages as files: small, closed, and safe whatever names and texts a model has."""

import base64
import hashlib
from html.parser import HTMLParser
import json
import re

import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.symbolic.mathml import equations_mathml
from symcontact_ros.web import page_script as joining
from symcontact_ros.web.page_file import filled_page, page_text, script_json
from symcontact_ros.web.page_script import page_script

LARGEST = 500_000  # bytes
HOSTILE = '</script><script>alert(1)</script><!-- "\'&{{SCRIPT}} \u2028'


class Elements(HTMLParser):
    """Elements of a page, with their attributes and texts."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.is_within = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ''])
        self.is_within = True

    def handle_endtag(self, tag):
        self.is_within = False

    def handle_data(self, data):
        if self.is_within:
            self.found[-1][2] += data

    def of(self, tag):
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


def policy_of(elements):
    return next(a['content'] for a, _ in elements.of('meta') if 'http-equiv' in a)


def test_texts_cannot_leave_their_places():
    data = {'text': HOSTILE, 'variants': [{'name': HOSTILE}]}
    elements = Elements(filled_page(HOSTILE, data, '', ['QUJD']))
    scripts = elements.of('script')
    assert [a.get('id') for a, _ in scripts] == ['data', 'engine-0', None]
    assert json.loads(scripts[0][1]) == data
    assert elements.of('title')[0][1] == HOSTILE
    assert elements.of('h1')[0][1] == HOSTILE


def test_the_policy_lets_only_the_own_script_and_style_run():
    elements = Elements(filled_page('a', {}))
    policy = policy_of(elements)
    assert policy.startswith("default-src 'none'; ")
    assert 'unsafe-inline' not in policy
    assert 'connect-src' not in policy
    for tag in ('script', 'style'):
        text = elements.of(tag)[-1][1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "connect-src 'self'" in policy_of(Elements(filled_page('a', {'live': True})))


def test_a_page_names_nothing_that_is_elsewhere():
    text = filled_page('a', {})
    for attributes in (a for _, a, _ in Elements(text).found):
        for name in ('src', 'href', 'action', 'srcset'):
            assert attributes.get(name, 'data:,') == 'data:,'
    known = {'http://www.w3.org/2000/svg', 'http://www.w3.org/1998/Math/MathML'}
    assert set(re.findall(r'https?://[^\s\'"`<>$]+', text)) <= known
    assert 'url(' not in text
    assert '@import' not in text


def test_json_of_any_text_is_within_its_element():
    text = script_json({'a': HOSTILE})
    assert json.loads(text) == {'a': HOSTILE}
    assert not set('<>&\u2028') & set(text)
    with pytest.raises(ValueError, match='JSON'):
        script_json(float('nan'))


def test_modules_are_joined_in_the_order_of_their_imports():
    script = page_script()
    assert script.index('const vectors_js =') < script.index('const scene_js =')
    assert script.index('const sources_local_js =') < script.index('const main_js =')
    assert not re.search(r'^\s*(import|export)\b', script, re.M)


@pytest.mark.parametrize(
    ('first', 'other', 'said'),
    [
        ("import { b } from './b.js';", "import { a } from './a.js';", 'import each other'),
        ('export default 1;', '', 'cannot join'),
        ("import * as b from './b.js';", '', 'cannot join'),
    ],
)
def test_modules_that_cannot_be_joined_are_refused(tmp_path, monkeypatch, first, other, said):
    (tmp_path / 'a.js').write_text(f'{first}\n')
    (tmp_path / 'b.js').write_text(f'{other}\n')
    monkeypatch.setattr(joining, 'PAGE', tmp_path)
    with pytest.raises(ValueError, match=said):
        page_script.__wrapped__('a.js')


def test_equations_of_small_models_are_typeset_and_large_ones_say_why_not():
    small = equations_mathml(sc.load_model('cart_pole'))
    assert small.count('<math') >= 5
    assert 'data-symbol="M"' in small
    assert 'data-symbol="q_hinge"' in small
    large = equations_mathml(sc.load_model('sphere_cuboid'))
    assert '<math' not in large
    assert '12 degrees of freedom' in large
    long = equations_mathml(sc.load_model('walker_2d'))  # six, of thirteen bodies
    assert '<math' not in long and 'Too long' in long


def test_the_page_of_a_shipped_model_of_many_shapes_is_small_enough():
    text = page_text([sc.Simulation(sc.load_model('docking_probe_drogue'))])
    assert len(text.encode()) < LARGEST


def test_export_writes_a_page_and_says_so(tmp_path, capsys):
    path = tmp_path / 'page.html'
    assert (
        main(['export', 'bouncing_circle', str(path), '--title', 'A <ball>', '--set', 'm=2']) == 0
    )
    text = path.read_text('utf-8')
    assert len(text.encode()) < LARGEST
    assert '<title>A &lt;ball&gt;</title>' in text
    assert 'a ball thrown sideways bounces on the ground. See ' in text
    assert f'wrote {path}: ' in capsys.readouterr().out


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--integrator', 'reference'], 'no browser has'),
        (['--detector', 'co', '--co-solver', 'ecos'], 'no browser has'),
        (['--set', 'nothing=1'], 'nothing'),
        (['--detector', 'none'], 'detector'),
    ],
)
def test_what_a_browser_cannot_run_is_bad_input(tmp_path, capsys, words, said):
    path = tmp_path / 'page.html'
    assert main(['export', 'bouncing_circle', str(path), *words]) == 2
    assert said in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize('name', ['page.txt', 'nowhere/page.html', '.'])
def test_names_of_pages_are_checked_first(tmp_path, capsys, name):
    assert main(['export', 'bouncing_circle', str(tmp_path / name)]) == 2
    assert capsys.readouterr().err
