"""Wrong input to the ``symcontact`` command: one line that says what is needed."""

import math

import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.cli.planar_angles import planar_angles

NUMBERS = [
    *('simulate --duration abc -> number of seconds', 'simulate --duration -1 -> seconds > 0'),
    *('simulate --duration nan -> seconds > 0', 'simulate --step-size 1ms -> number of seconds'),
    *('simulate --step-size 0 -> seconds > 0', 'simulate --sample-rate x -> frequency in Hz'),
    *('simulate --sample-rate 0 -> frequency in Hz > 0', 'simulate --sample-rate inf -> finite'),
    *('simulate --max-substeps 1.5 -> whole number', 'simulate --co-margin 1cm -> length'),
    *(
        'simulate --co-core-radius x -> length in metres',
        'simulate --max-substeps x -> whole number',
    ),
    *('simulate --set m -> must be NAME=NUMBER', 'simulate --set =1 -> must be NAME=NUMBER'),
    *('simulate --set m=x -> m must be a number', 'node --duration abc -> number of seconds'),
    *('node --duration 0 -> seconds > 0', 'node --rate fast -> must be a number'),
    *('node --rate -1 -> 0 or more', 'bench --runs x -> whole number', 'bench --runs 0 -> 1 or'),
    *('bench --steps 1e3 -> whole number', 'bench --core x -> whole number'),
]


def refused(*words, capsys):
    """Return the last line on stderr of a command that is bad input, and prints nothing else."""
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, '')
    return captured.err.splitlines()[-1]


@pytest.mark.parametrize('case', NUMBERS)
def test_an_option_of_the_wrong_type_says_what_it_must_be(case, capsys):
    words, _, reason = case.partition(' -> ')
    command, option, value = words.split(' ')
    model = [] if command == 'bench' else ['bouncing_circle']
    told = refused(command, *model, f'{option}={value}', capsys=capsys)
    assert told.startswith(f'symcontact {command}: error: argument {option}: ')
    assert reason in told
    assert value.rpartition('=')[2] in told
    assert 'invalid' not in told


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        ('simulat bouncing_circle', "no command 'simulat'; did you mean 'simulate'?"),
        (
            'check cart_pole --ros-args -p x:=1',
            '--ros-args is for node, replay, view, demo, not for check',
        ),
        ('check README.md', 'README.md: is not a model file; its name must end in .yaml'),
        ('check folder/model', 'folder/model: is not a model file'),
        ('check nope.yaml', 'nope.yaml: cannot be read: No such file'),
        ('simulate bouncing_circle --integrator rk', "got 'rk'; did you mean 'rk4'?"),
        ('simulate bouncing_circle --set M=1', "no live symbol 'M'; did you mean 'm'?"),
        ('simulate bouncing_circle --step-size 20', '--duration 5 is 0.25 steps of 20 s: 1 to'),
        ('simulate bouncing_circle --duration 1e-9', 'is 1e-06 steps'),
        ('simulate bouncing_circle --duration 1e300', 'is 1e+303 steps'),
        ('simulate bouncing_circle --duration inf', '--duration must be finite'),
        ('bench --plot bench.txt', '--plot bench.txt: the name must end in .png or .pdf or .svg'),
        ('bench --scenarios circle', "no scenario 'circle'; did you mean"),
        ('equations circle_circle --contact left rigt', "no body 'rigt'; did you mean 'right'?"),
        (
            'equations circle_circle --contact left right --format c',
            'needs --format text or latex',
        ),
    ],
)
def test_other_wrong_words_are_explained_in_a_line(words, reason, capsys):
    assert reason in refused(*words.split(), capsys=capsys)


UNTOUCHABLE = {
    'bodies: {ball: {mass: 1, inertia: {izz: 1}}, rod: {fixed: true}}': 'no body has a shape',
    'bodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}, rod: {fixed: true}}': (
        'only ball has shapes'
    ),
    'bodies: {ball: {mass: 1, inertia: {izz: 1}}, floor: {fixed: true, shapes: [{type: half_space}'
    ']}, wall: {fixed: true, shapes: [{type: half_space, normal: [1, 0, 0]}]}}': (
        'all bodies with shapes are fixed'
    ),
    'bodies: {a: {mass: 1, shapes: [{type: circle, radius: 1}]}, b: {mass: 1, joint: {parent: a}, '
    'shapes: [{type: circle, radius: 1}]}, rod: {fixed: true}}': (
        'all bodies with shapes are neighbours'
    ),
    'collide: []\nbodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}, floor: {fixed: '
    'true, shapes: [{type: half_space}]}}': 'the list `collide` is empty',
    'collide: [[ball, rod]]\nbodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}, '
    'floor: {fixed: true, shapes: [{type: half_space}]}, rod: {fixed: true}}': (
        'a body has no shape'
    ),
}


@pytest.mark.parametrize(('text', 'reason'), UNTOUCHABLE.items(), ids=UNTOUCHABLE.values())
def test_a_model_in_which_nothing_can_touch_loads_with_a_warning(
    text, reason, write_model, capsys
):
    path = write_model(text + '\n')
    assert main(['check', str(path)]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == f'{path}: loads, with 1 warning'
    assert second.startswith('  warning: no two bodies can touch: ')
    assert reason in second
    assert main(['simulate', str(path), '--duration', '0.001']) == 0
    assert f'contacts: none (no two bodies can touch: {second[36:]})' in capsys.readouterr().out


def test_a_model_with_pairs_has_no_warning(capsys):
    assert main(['check', 'bouncing_circle']) == 0
    assert 'warning' not in capsys.readouterr().out


SPINNING = """\
dimension: 2
gravity: [0, 0, 0]
bodies:
  top: {mass: 1, inertia: {izz: 1}, initial: {angle: 3.0, angular_velocity: 700.0}}
  arm: {mass: 1, com: [1, 0, 0], inertia: {izz: 1},
        joint: {type: revolute, axis: [0, 0, -1], parent: top, origin: {rpy: [0, 0, 0.5]}},
        initial: {position: 1.0, velocity: 0.0}}
"""


def test_the_final_angle_is_the_same_and_not_wrapped_in_summary_and_files(
    tmp_path, write_model, capsys
):
    record = tmp_path / 'run.csv'
    words = [str(write_model(SPINNING)), '--duration', '0.5', '--record', str(record)]
    assert main(['simulate', *words]) == 0  # 7 rad per sample: no sampling could unwrap it
    out = capsys.readouterr().out
    assert 'angle [rad], not wrapped' in out
    header, first, *_, last = record.read_text().splitlines()
    columns = header.split(',')
    for body in ('top', 'arm'):
        column = columns.index(f'{body}.angle [rad]')
        (line,) = [words for words in map(str.split, out.splitlines()) if words[0] == body]
        assert float(line[3]) == pytest.approx(float(last.split(',')[column]), abs=1e-6)
    assert float(first.split(',')[columns.index('top.angle [rad]')]) == pytest.approx(3.0)
    assert float(last.split(',')[columns.index('top.angle [rad]')]) > 100.0


def test_angles_are_those_of_the_poses():
    simulation = sc.Simulation(sc.load_model('double_pendulum'))
    simulation.set_state(q=[4.0, -9.0])
    angles = planar_angles(simulation.model, simulation.q, simulation.parameters)
    for name, pose in simulation.poses().items():
        if name in angles:
            turn = 2.0 * math.atan2(pose.quaternion[2], pose.quaternion[3])
            assert math.remainder(angles[name] - turn, math.tau) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize('name', ['cart_pole', 'double_pendulum', 'satellite'])
def test_one_thing_that_moves_alone_is_good(name, write_model, capsys):
    text = 'gravity: [0, 0, 0]\ndimension: 3\nbodies: {sat: {mass: 1, shapes: [&b {type: box, '
    text += (
        'size: [1, 1, 1]}]}, array: {mass: 1, shapes: [*b], joint: {parent: sat, axis: [1, 0, 0], '
    )
    text += 'type: revolute}}}\n'
    path = write_model(text) if name == 'satellite' else name
    assert main(['check', str(path)]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].endswith(': good')
    assert 'touch' not in out
