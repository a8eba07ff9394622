"""Model files: what is right is read, what is wrong is told with file, line, key and reason."""

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

import symcontact_ros as sc
from symcontact_ros.model.installed_files import shipped_models

GOOD = """\
materials: {default: {stiffness: 1e7, damping: 0.2, friction: 0.3, slip_speed: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 2, 0]}]}
  ball: {mass: 1, shapes: [{type: circle, radius: 0.2}]}
"""


def faults(path):
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(path)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize('name', sorted(shipped_models()))
def test_every_shipped_model_loads_and_runs(name):
    simulation = sc.Simulation(sc.load_model(name))
    simulation.step(100)
    assert simulation.time == pytest.approx(0.1)


def test_the_bouncing_circle_is_that_of_the_paper():
    model = sc.load_model('bouncing_circle')
    ball = model.body('ball')
    radius = ball.shapes[0].shape.radius
    assert (model.number(ball.mass), model.number(radius)) == (1.0, 0.2)
    assert model.number(ball.inertia[2]) == pytest.approx(0.02)
    assert ball.initial.position == (0.0, 1.0, 0.0)
    assert model.pairs == (('ball', 'floor'),)
    assert model.parameters == {
        'm': 1.0,
        'R': 0.2,
        'gravity.x': 0.0,
        'gravity.y': -9.81,
        'gravity.z': 0.0,
        'materials.default.stiffness': 1e7,
        'materials.default.damping': 0.2,
        'materials.default.friction': 0.3,
        'materials.default.slip_speed': 0.1,
    }


def test_words_of_a_model_are_read_written_and_change_no_state(write_model):
    words = 'topic: space\ndescription: >-\n  A ball falls.\n  See it bounce.\n'
    plain, told = (sc.load_model(write_model(text)) for text in (GOOD, words + GOOD))
    assert (plain.description, plain.topic) == ('', '')
    assert (told.description, told.topic) == ('A ball falls. See it bounce.', 'space')
    again = sc.load_model(write_model(told.to_yaml()))
    assert (again.description, again.topic) == (told.description, told.topic)
    first = sc.Simulation(plain)
    first.step(10)
    second = sc.Simulation(told)
    second.restore_state(first.save_state())
    assert second.state_hash() == first.state_hash()


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        ('description: [a, b]', 'description: a text is needed'),
        ('description: ' + 'a' * 401, 'description: at most 400 characters, got 401'),
        ('description: "a \\e[31m"', 'description: has characters that cannot be printed'),
        ('topic: spce', "topic: must be one of paper, classics, control, .*did you mean 'space'"),
        ('topic: [space]', 'topic: a word is needed'),
    ],
)
def test_wrong_words_are_told(words, reason, write_model):
    with pytest.raises(sc.ModelError, match=reason):
        sc.load_model(write_model(f'{words}\n{GOOD}'))


@pytest.mark.parametrize('name', sorted(shipped_models()))
def test_every_shipped_model_says_what_to_see(name):
    model = sc.load_model(name)
    assert model.topic
    assert len(model.description) > 60


def test_parameters_can_be_overridden():
    model = sc.load_model('bouncing_circle', parameters={'m': 3.0})
    assert model.number(model.body('ball').mass) == 3.0
    assert model.parameters['m'] == 3.0


def test_an_override_must_name_a_parameter_and_keep_its_range():
    with pytest.raises(sc.ModelError, match='no live symbol'):
        sc.load_model('bouncing_circle', parameters={'mass': 3.0})
    with pytest.raises(sc.ModelError, match=r'outside \[0.01, 2\]'):
        sc.load_model('bouncing_circle', parameters={'R': 3.0})


def test_pairs_are_in_alphabetical_order_whatever_the_file_says(write_model):
    model = sc.load_model(
        write_model(GOOD + '  able: {mass: 1, shapes: [{type: circle, radius: 1}]}\n')
    )
    assert model.pairs == (('able', 'ball'), ('able', 'floor'), ('ball', 'floor'))


def test_collide_lists_the_pairs_that_may_touch(write_model):
    assert sc.load_model(write_model(GOOD + 'collide: [[floor, ball]]')).pairs == (
        ('ball', 'floor'),
    )
    assert sc.load_model(write_model(GOOD + 'collide: []')).pairs == ()
    assert 'unknown body' in faults(write_model(GOOD + 'collide: [[floor, bal]]'))[0]
    assert 'list of pairs' in faults(write_model(GOOD + 'collide: some'))[0]


def test_all_faults_are_told_at_once_with_their_lines(write_model):
    path = write_model(
        'gravty: [0, 0, 0]\n'
        'materials: {default: {stiffness: -1, damping: 0.2, friction: yes, slip_speed: 0.1}}\n'
        'bodies:\n'
        '  a__b: {mass: true, shapes: [{type: circle, radius: 0}]}\n'
        '  ball: {mass: 1, mass: 2, shapes: [{type: cirle}], inertia: {izz: 1}}\n'
    )
    assert faults(path) == [
        f"{path}:1: gravty: unknown key; did you mean 'gravity'? known here: bodies, collide, "
        'description, detector, dimension, duration, exclude, format_version, gravity, include, '
        'initial_overlap, integrator, materials, name, parameters, self_collision, sensors, '
        'step_size, topic',
        f'{path}:2: materials.default.stiffness: must be > 0, got -1',
        f"{path}:2: materials.default.friction: unknown parameter 'yes'; parameters are: none",
        f"{path}:4: bodies.a__b: 'a__b' is not a valid name: use letters, "
        'digits and single _, and a letter first',
        f'{path}:4: bodies.a__b.shapes[0].radius: must be > 0, got 0',
        f'{path}:4: bodies.a__b.mass: a number is needed',
        f'{path}:5: bodies.ball.mass: is given twice',
        f'{path}:5: bodies.ball.shapes[0].type: must be one of circle, rectangle, '
        "polygon, capsule, half_space, ellipse, got 'cirle'; did you mean 'circle'?",
    ]


@pytest.mark.parametrize(
    ('text', 'line', 'reason'),
    [
        ('bodies: {ball: [1\nname: x', 2, 'not valid YAML'),
        ('name: "open', 1, 'not valid YAML'),
        ('- a list\n', 1, 'a mapping'),
        ('', 1, 'a mapping'),
        ('bodies: 3\n' + GOOD.splitlines()[0], 1, 'a mapping'),
        (GOOD.replace('mass: 1', 'mass: .nan'), 4, 'cannot read'),
        (GOOD.replace('mass: 1', 'mass: 1e999'), 4, 'must be finite'),
        (GOOD.replace('mass: 1', 'mass: [1]'), 4, 'a number is needed'),
        (GOOD.replace('fixed: true', 'mass: 1, inertia: {izz: 1}'), 3, 'must be fixed'),
        (GOOD + 'dimension: 4', 5, 'must be 2 (planar) or 3 (spatial)'),
        (GOOD + 'format_version: 9', 5, 'must be 1'),
        (GOOD + 'duration: 0', 5, 'must be > 0'),
    ],
)
def test_each_fault_has_its_line(text, line, reason, write_model):
    path = write_model(text)
    assert any(f.startswith(f'{path}:{line}:') and reason in f for f in faults(path)), faults(path)


def test_a_model_without_moving_bodies_is_scenery_and_without_bodies_none(write_model):
    model = sc.load_model(write_model('\n'.join(GOOD.splitlines()[:3])))
    assert model.notes[0] == 'no body can move: this is fixed scenery'
    path = write_model('bodies: {}')
    assert faults(path) == [f'{path}:1: bodies: no body can move: at least one is needed']


def test_unreadable_and_binary_files_are_told_by_name(tmp_path):
    assert faults(tmp_path / 'none.yaml') == [
        f'{tmp_path}/none.yaml: cannot be read: No such file or directory'
    ]
    binary = tmp_path / 'binary.yaml'
    binary.write_bytes(b'name: x\n\xff\xfe')
    assert faults(binary) == [f'{binary}:2: not a text file (UTF-8)']


def test_a_misspelt_name_gets_a_hint():
    assert "did you mean 'bouncing_circle'" in faults('bouncing_cirle')[0]
    assert 'end in .yaml' in faults('somewhere/else.txt')[0]


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_damaged_file_raises_nothing_but_model_errors(data, tmp_path_factory):
    text = shipped_models()['bouncing_circle'].read_text()
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 20))
    insert = data.draw(st.text(max_size=8))
    path = tmp_path_factory.getbasetemp() / 'damaged.yaml'
    path.write_text(
        text[:start] + insert + text[start + length :], encoding='utf-8', errors='replace'
    )
    try:
        sc.load_model(path)
    except sc.ModelError as error:
        assert error.faults
