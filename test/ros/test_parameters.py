"""The node's parameters: their defaults in code and file, and what they refuse."""

from dataclasses import fields
import math

from helpers.places import ROOT
import pytest
import yaml

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

import symcontact_ros as sc
from symcontact_ros.errors import OptionError
from symcontact_ros.ros.parameters import parameter_name, SimulationParameters

CODE = {
    parameter_name(entry): list(entry.default)
    if isinstance(entry.default, tuple)
    else entry.default
    for entry in fields(SimulationParameters)
}


def test_the_file_has_every_parameter_with_its_default():
    document = yaml.safe_load((ROOT / 'config' / 'simulation.yaml').read_text())
    values = document['/**']['ros__parameters']
    nested = values.pop('co')
    assert values | {f'co.{name}': value for name, value in nested.items()} == CODE


def in_ms(**values):
    """Return parameters with steps of 1 ms, as those of a model that names no other."""
    return SimulationParameters(step_size=1e-3, **values)


def test_numbers_may_be_whole_and_ranges_are_kept():
    assert in_ms(publish_rate=50).steps_per_publish == 20
    for name, value in {'tick_rate': 'fast', 'model': 3, 'step_size': True}.items():
        with pytest.raises(OptionError, match=f'{name} must be (a number|text), got'):
            SimulationParameters(**{name: value})
    with pytest.raises(OptionError, match='real_time_factor must be 0 to 100, got -1'):
        SimulationParameters(real_time_factor=-1.0)


def test_rates_that_are_no_whole_number_of_steps_are_refused_with_a_way_out():
    with pytest.raises(OptionError, match=r'300 Hz is not a whole number of.*333\.333333 Hz'):
        in_ms(publish_rate=300.0)
    with pytest.raises(OptionError, match='1000 Hz'):
        in_ms(publish_rate=5000.0)
    with pytest.raises(OptionError, match='nearest') as caught:
        in_ms(publish_rate=31.0)
    suggested = float(str(caught.value).split()[-2])
    assert in_ms(publish_rate=suggested).steps_per_publish == 32
    assert in_ms(publish_rate=1000.0).steps_per_publish == 1


def test_a_control_rate_sets_ticks_and_messages():
    both = in_ms(control_rate=500, real_time_factor=0.5, publish_rate=300.0)
    assert both.steps_per_publish == both.steps_per_reply == 2
    assert both.ticks_per_second == 250.0  # of the wall clock
    off = in_ms(step_count=7)
    rates = off.ticks_per_second, off.messages_per_second, off.steps_per_reply
    assert rates == (off.tick_rate, off.publish_rate, 7)
    # as fast as possible, and slower than services may wait
    assert in_ms(control_rate=100, real_time_factor=0).ticks_per_second == 100.0
    assert in_ms(control_rate=2).ticks_per_second == 20.0
    with pytest.raises(OptionError, match='control_rate 300 Hz is not a whole number of steps'):
        in_ms(control_rate=300.0)
    with pytest.raises(OptionError, match='control_rate must be 0 to 10000, got -1'):
        in_ms(control_rate=-1.0)


def test_what_is_not_given_is_the_models_else_the_default():
    model = sc.load_model('bouncing_circle')
    bare = SimulationParameters()
    assert (bare.detector, bare.integrator, bare.step_size) == ('', '', 0.0)
    filled = bare.for_model(model)
    assert (filled.detector, filled.integrator, filled.step_size) == ('sat', 'rk4', 1e-3)
    model.set(detector='co', integrator='verlet', step_size=2e-3)
    filled = bare.for_model(model)
    assert (filled.detector, filled.integrator, filled.step_size) == ('co', 'verlet', 2e-3)
    assert filled.steps_per_publish == 5
    given = SimulationParameters(detector='sat', integrator='auto', step_size=1e-3)
    assert given.for_model(model) == given
    again = filled.changed({'integrator': ''}).for_model(model)
    assert again == filled


def test_steps_of_a_model_and_rates_must_agree():
    model = sc.load_model('bouncing_circle')
    model.set(step_size=3e-3)
    with pytest.raises(OptionError, match='publish_rate 100 Hz is not a whole number of steps'):
        SimulationParameters().for_model(model)
    with pytest.raises(OptionError, match=r'step_size must be 1e-06 to 0\.1, or 0'):
        SimulationParameters(step_size=1e-9)
    with pytest.raises(OptionError, match='manifold must be one of'):
        SimulationParameters(manifold='')  # there is no other place that names one


def test_all_faults_are_told_at_once():
    with pytest.raises(OptionError) as caught:
        SimulationParameters(tick_rate=0.0, integrator='euler', pair_topics='a/b', lockstep=1)
    text = str(caught.value)
    assert text.count('\n') == 3
    for part in ('tick_rate must be 1 to 10000', 'integrator must be one of', 'list of texts'):
        assert part in text


def test_frames_that_tf2_refuses_are_refused_here():
    with pytest.raises(OptionError) as error:
        SimulationParameters(world_frame='/map', frame_prefix='/left/')
    assert 'world_frame must not start with /' in str(error.value)
    assert 'frame_prefix must not start with /' in str(error.value)
    with pytest.raises(OptionError, match='world_frame must not be empty'):
        SimulationParameters(world_frame='')


def test_every_parameter_says_what_it_is():
    for entry in fields(SimulationParameters):
        low, high = entry.metadata['range']
        assert entry.metadata['description'].endswith('.')
        if isinstance(entry.default, float):
            assert low <= entry.default <= high < math.inf
