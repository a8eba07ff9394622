"""The files that CONTRIBUTING.md names for an extension are there, and they are all of them."""

import ast
import re

from helpers.places import ROOT
from helpers.sources import modules, SOURCES
import pytest

TEXT = (ROOT / 'CONTRIBUTING.md').read_text(encoding='utf-8')


def paragraph(subject):
    """Return how to add something."""
    (found,) = re.findall(rf'^To add {subject}:.*?(?=\n\n)', TEXT, re.M | re.S)
    return found


def named(subject):
    """Return the files of this repository that a paragraph names; code without its folder."""
    for name in re.findall(r'`([\w./]+\.\w+)`', paragraph(subject)):
        yield SOURCES / name if (SOURCES / name).exists() else ROOT / name


def mentions(path, name):
    """Return whether code has a name: as a text, a variable, an attribute, a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        words = (
            getattr(node, 'value', None) if isinstance(node, ast.Constant) else None,
            getattr(node, 'id', None),
            getattr(node, 'attr', None),
            getattr(node, 'name', None),
        )
        if name in words:
            return True
    return False


@pytest.mark.parametrize(
    'subject', ['a contact law', 'a joint type', 'a shape', 'a topic', 'an integrator']
)
def test_the_files_exist(subject):
    files = list(named(subject))
    assert len(files) >= 3
    assert [str(path) for path in files if not path.is_file()] == []


@pytest.mark.parametrize(
    ('subject', 'name'),
    [
        ('a contact law', 'elastic_plastic'),
        ('a contact law', 'hunt_crossley'),
        ('an integrator', 'semi_implicit'),
        ('an integrator', 'verlet'),
    ],
)
def test_no_other_file_knows_one_by_name(subject, name):
    knowing = {path for path in modules() if mentions(path, name)}
    assert knowing
    assert sorted(map(str, knowing - set(named(subject)))) == []


def test_one_file_has_all_of_a_contact_law():
    assert [path for path in modules() if mentions(path, 'hunt_crossley')] == [
        SOURCES / 'contact' / 'laws.py'
    ]


@pytest.mark.parametrize('name', ['prismatic', 'spherical', 'revolute'])
def test_one_file_has_all_of_a_joint_type(name):
    assert [path for path in modules() if mentions(path, name)] == [
        SOURCES / 'joints' / f'{name}.py'
    ]
