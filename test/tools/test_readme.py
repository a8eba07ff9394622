"""The README tells the truth: its Python runs, its topics and commands exist."""

import re

from helpers.places import page, ROOT
import numpy as np

import symcontact_ros as sc
from symcontact_ros.cli.main import COMMANDS

README = (ROOT / 'README.md').read_text(encoding='utf-8')


def blocks():
    """Return the indented blocks of code, without their indentation."""
    found = re.findall(r'(?:^    .*\n)+', README, re.M)
    return [re.sub('^    ', '', block, flags=re.M) for block in found]


def test_the_python_example_runs():
    (example,) = [block for block in blocks() if 'import symcontact_ros' in block]
    scope = {}
    exec(example, scope)
    assert scope['sim'].time == 0.5
    assert np.isfinite(scope['sim'].poses()['ball'].position).all()


def test_every_make_target_and_subcommand_that_is_named_exists():
    targets = re.findall(r'^([a-z-]+):', (ROOT / 'Makefile').read_text(), re.M)
    named = set(re.findall(r'(?:^    |`)make ([a-z-]+)', README, re.M))
    assert named
    assert named <= set(targets)
    assert set(re.findall(r'symcontact (check|list|node|\w+) [A-Z]', README)) <= set(COMMANDS)


def test_every_file_that_is_named_exists():
    for name in re.findall(r'`((?:config|launch|docs)/[\w./]+|[A-Z]+\.\w+)`', README):
        assert (ROOT / name).is_file(), name


def fenced(name, language):
    """Return the fenced blocks of a page in a language."""
    text = (ROOT / 'docs' / name).read_text(encoding='utf-8')
    return re.findall(rf'^```{language}\n(.*?)^```', text, re.M | re.S)


def test_the_examples_of_the_page_on_models_are_right(tmp_path, capsys):
    crane, materials, sensors = fenced('models.md', 'yaml')
    path = tmp_path / 'crane.yaml'
    path.write_text(crane + sensors)
    model = sc.load_model(path)
    assert set(sc.Simulation(model).sensors()) == {'imu', 'load'}
    assert model.joint_names == ('trolley', 'load')
    floor = (
        'bodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}, floor: {fixed: true}}\n'
    )
    path.write_text(materials + floor)
    assert set(sc.load_model(path).materials) == {'default', 'rubber'}
    (example,) = fenced('models.md', 'python')
    exec(example, {})
    assert 'name: pendulum' in capsys.readouterr().out


def glossary():
    """Return the terms of the glossary and their explanations."""
    return re.findall(r'^\| \*\*(.+?)\*\* \| (.+) \|$', page('glossary.md'), re.M)


def test_the_glossary_is_alphabetical_and_linked():
    terms = [term.casefold() for term, _ in glossary()]
    assert len(terms) > 60
    assert terms == sorted(set(terms))
    for name in ('README.md', 'CONTRIBUTING.md'):
        assert 'docs/glossary.md' in (ROOT / name).read_text(encoding='utf-8')


def test_every_term_that_the_glossary_refers_to_is_explained():
    terms = {term for term, _ in glossary()}
    referred = {name for _, text in glossary() for name in re.findall(r'\*([^*]+)\*', text)}
    assert referred <= terms


def test_every_name_that_the_glossary_marks_as_code_exists():
    sources = [*(ROOT / 'symcontact_ros').rglob('*.py'), *(ROOT / 'config').rglob('*.yaml')]
    words = set(re.findall(r'\w+', ' '.join(path.read_text('utf-8') for path in sources)))
    for term, text in glossary():
        for code in re.findall('`(.*?)`', text):
            if code.startswith('docs/'):
                assert (ROOT / code).is_file(), code
            else:
                assert set(re.findall(r'[a-zA-Z]\w*', code)) <= words, (term, code)
