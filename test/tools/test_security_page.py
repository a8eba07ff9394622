"""docs/security.md: every promise names a test, and the test exists."""

import ast
import re

from helpers.places import page, ROOT
import pytest

PAGE = page('security.md')
NAMED = re.findall(r'`(test/[\w/]+\.py)::(\w+)`', PAGE)


@pytest.mark.parametrize(('file', 'name'), NAMED, ids=[name for _, name in NAMED])
def test_the_test_of_a_promise_exists(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding='utf-8'))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_promise_names_its_test():
    (section,) = re.findall(r'^## Inputs\n(.*?)^## ', PAGE, re.M | re.S)
    promises = re.findall(r'^\| .*\|$', section, re.M)[1:]
    without = [row for row in promises if '::test_' not in row]
    assert len(promises) > 20
    assert [row.split('|')[1].strip() for row in without] == ['environment']


def test_files_that_are_named_exist():
    text = PAGE + (ROOT / 'SECURITY.md').read_text(encoding='utf-8')
    for name in re.findall(r'`((?:config|test|docs)/[\w/]+\.\w+)', text):
        assert (ROOT / name).is_file(), name
