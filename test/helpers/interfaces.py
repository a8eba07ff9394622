"""Interfaces that have no wheel, for the tests that talk with them."""

from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
import sys

from helpers.places import script
import pytest

_borrowed = set()  # packages that are on the path of this process for a while
build = cache(lambda: script('tools/interfaces/build.py'))


def environment(*packages):
    """Return the variables with which a process finds these packages, built if need be."""
    if all(find_spec(package) and package not in _borrowed for package in packages):
        return {}  # a distribution has them
    if not build().available():
        pytest.skip(f'{", ".join(packages)} is not installed, nor what builds it')
    return build().environment(*packages)


@contextmanager
def importable(*packages):
    """Let this process import these packages for a while; others find them missing again."""
    added = []
    if environment(*packages):
        _borrowed.update(packages)
        added = [str(build().prefix(package) / 'python') for package in packages]
    sys.path[:0] = added
    try:
        yield
    finally:
        for path in added:
            sys.path.remove(path)
        _borrowed.difference_update(packages)
        if added:
            for name in [n for n in sys.modules if n.partition('.')[0] in packages]:
                del sys.modules[name]
