"""The README tells the truth: its Python runs, its topics and commands exist."""

from pathlib import Path
import re

import numpy as np

from symcontact_ros.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
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
