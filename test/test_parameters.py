"""The defaults of the node's parameters stand in three places: they must agree."""

from dataclasses import fields
import math
from pathlib import Path
import re

import pytest
import yaml

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.parameters import SimulationParameters

ROOT = Path(__file__).resolve().parents[1]
CODE = {entry.name: entry.default for entry in fields(SimulationParameters)}


def test_the_file_has_every_parameter_with_its_default():
    document = yaml.safe_load((ROOT / 'config' / 'simulation.yaml').read_text())
    assert document['/**']['ros__parameters'] == CODE


def test_the_readme_has_every_parameter_with_its_default():
    rows = re.findall(r'^\| `(\w+)` \| `([^`]+)` \|', (ROOT / 'README.md').read_text(), re.M)
    documented = {name: yaml.safe_load(value) for name, value in rows if name in CODE}
    assert documented == CODE


def test_the_launch_file_offers_parameters_with_their_defaults():
    text = (ROOT / 'launch' / 'simulation.launch.py').read_text()
    rows = re.findall(r"^    \('(\w+)', '([^']+)', (\w+),", text, re.M)
    assert {name for name, _, _ in rows} <= set(CODE)
    for name, default, kind in rows:
        assert {'str': str, 'float': float}[kind](default) == CODE[name]


def test_rates_that_are_no_whole_number_of_steps_are_refused_with_a_way_out():
    with pytest.raises(OptionError, match=r'300 Hz is no whole number of steps.*333.333 Hz'):
        SimulationParameters(publish_rate=300.0)
    with pytest.raises(OptionError, match='1000 Hz'):
        SimulationParameters(publish_rate=5000.0)
    assert SimulationParameters(publish_rate=1000.0).steps_per_publish == 1


def test_every_parameter_says_what_it_is():
    for entry in fields(SimulationParameters):
        low, high = entry.metadata['range']
        assert entry.metadata['description'].endswith('.')
        if isinstance(entry.default, float):
            assert low <= entry.default <= high < math.inf
