"""Real robots: those of the PyPI package example-robot-data."""

from pathlib import Path
from xml.etree import ElementTree

import pytest


def robots_folder():
    """Return the folder of example-robot-data, next to Pinocchio in any prefix."""
    pin = pytest.importorskip('pinocchio', reason='Pinocchio is not installed (`pip install pin`)')
    for folder in Path(pin.__file__).resolve().parents:
        robots = folder / 'share' / 'example-robot-data' / 'robots'
        if robots.is_dir():
            return robots
    return pytest.skip('example-robot-data is not installed (`pip install example-robot-data`)')


def without_mimics(path, folder):
    """Return a copy of a URDF whose mimic joints are joints of their own, for both sides."""
    tree = ElementTree.parse(path)
    for joint in tree.iter('joint'):
        for mimic in joint.findall('mimic'):
            joint.remove(mimic)
    copy = folder / path.name
    tree.write(copy)
    return copy
