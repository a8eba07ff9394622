"""A tenth of the zoo: real robots and things of two packages, one for every way to be odd."""

import sys

from helpers.places import ROOT
import pytest

pytest.importorskip('lxml', reason='the urdf extra is not installed')
sys.path.insert(0, str(ROOT / 'tools'))

import zoo

# A file, and a word of every warning that it must give.
LOADED = {}
REFUSED = {
    'ur_description/urdf/ur3.urdf': 'has no <link>',
    'torus_deform.urdf': 'has no <link>',
}


def animal(name):
    """Return the path of a file of the zoo; skip where its package is not installed."""
    for folder in zoo.packages().values():
        if (folder / name).is_file():
            return folder / name
    return pytest.skip('example-robot-data or pybullet_data is not installed: make setup-dev')
