"""Modules of the page by themselves, in Node."""

import os
import shutil
import subprocess

from helpers.places import TEST
import pytest


def test_the_modules_of_the_page_pass_their_tests_in_node(tmp_path):
    node = shutil.which('node')
    if node is None:
        say = pytest.fail if os.environ.get('CI') == 'true' else pytest.skip
        say('node is not installed: apt-get install nodejs')
    tests = sorted(map(str, (TEST / 'web' / 'page').glob('*.test.mjs')))
    assert len(tests) >= 5
    # Elsewhere, since Node takes a package.json above the tests for theirs.
    result = subprocess.run(
        [node, '--test', *tests], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert result.returncode == 0, result.stdout
