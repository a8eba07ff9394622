"""Arguments of the launch files, without launch: texts, defaults, parameter files."""

from dataclasses import fields

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from symcontact_ros.launching.arguments import (
    checked_file,
    other_arguments,
    parameter_arguments,
    parameters_of,
    values_in,
)
from symcontact_ros.ros.parameters import parameter_name, SimulationParameters


def test_every_parameter_is_an_argument_whose_default_is_that_of_the_node():
    arguments = parameter_arguments({'tf_mode': 'bodies'})
    values = parameters_of({name: a.default for name, a in arguments.items()})
    for entry in fields(SimulationParameters):
        wanted = list(entry.default) if isinstance(entry.default, tuple) else entry.default
        if entry.name == 'tf_mode':
            wanted = 'bodies'
        assert values[parameter_name(entry)] == wanted
        assert type(values[parameter_name(entry)]) is type(wanted)
    assert checked_file('params_file', other_arguments()['params_file'].default).is_file()


def test_only_what_is_given_becomes_a_parameter_and_wrong_words_are_told():
    given = parameters_of({'co_program': 'growth', 'lockstep': 'TRUE', 'pair_topics': 'a/*,b/c'})
    assert given == {'co.program': 'growth', 'lockstep': True, 'pair_topics': ['a/*', 'b/c']}
    for wrong, kind in ({'lockstep': 'maybe'}, 'bool'), ({'step_size': 'abc'}, 'float'):
        with pytest.raises(RuntimeError, match=f':=(maybe|abc) is not a {kind}'):
            parameters_of(wrong)


def test_parameter_files_are_read_as_the_node_does(tmp_path):
    file = tmp_path / 'my.yaml'
    file.write_text("""\
/**: {ros__parameters: {model: a.urdf, co: {program: growth}, tf_mode: base}}
/lab/symcontact: {ros__parameters: {tf_mode: bodies}}
other: {ros__parameters: {model: b.yaml}}
""")
    both = {'model': 'a.urdf', 'co.program': 'growth', 'tf_mode': 'base'}
    assert values_in(file, '') == both
    assert values_in(file, '/lab/') == {**both, 'tf_mode': 'bodies'}
    file.write_text('[1, {')
    assert values_in(file, '') == {}, 'the node reports it'
    with pytest.raises(
        RuntimeError, match=r'params_file:=nope.yaml: there is no such file \(in /'
    ):
        checked_file('params_file', 'nope.yaml')
