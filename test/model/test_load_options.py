"""Options of ``load_model`` as texts, on the command line and in parameters of ROS."""

from pathlib import Path

import pytest

from symcontact_ros.cli.command_options import parser_of
from symcontact_ros.cli.model_options import load_options, node_parameters
from symcontact_ros.errors import ModelError, OptionError
from symcontact_ros.model import load_options as texts
from symcontact_ros.model.library import load_model


@pytest.mark.parametrize(
    ('read', 'text', 'value'),
    [
        (texts.servo_of, '', None),
        (texts.servo_of, 'auto', 'auto'),
        (texts.servo_of, '{kp: 100, kd: 1e1}', {'kp': 100, 'kd': '1e1'}),
        (texts.servo_of, '{"finger*": "auto"}', {'finger*': 'auto'}),
        (texts.positions_of, ['', 'a:=0.3', 'b = -1', '{c: 2}'], {'a': 0.3, 'b': -1.0, 'c': 2.0}),
        (texts.pairs_of, ['', 'a/b*', 'c, d'], [['a', 'b*'], ['c', 'd']]),
        (texts.arguments_of, ['', 'a:=b:=c', 'd=1'], {'a': 'b:=c', 'd': '1'}),
        (texts.pose_of, '', None),
        (texts.pose_of, '0 0 1, 0 0 -1.5', [0, 0, 1, 0, 0, -1.5]),
        (texts.pose_of, '[0, 0, 1, 0, 0, 0]', [0, 0, 1, 0, 0, 0]),
        (texts.pose_of, (1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6]),
    ],
)  # fmt: skip
def test_texts_are_read(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ('read', 'text'),
    [
        (texts.servo_of, '3'), (texts.servo_of, '{kp'), (texts.servo_of, 'x' * 20_000),
        (texts.servo_of, '!!python/object/apply:os.system [ls]'),
        (texts.positions_of, ['a']), (texts.positions_of, ['a=b']),
        (texts.positions_of, ['{a: }']),
        (texts.pairs_of, ['a']), (texts.pairs_of, ['a/b/c']), (texts.pairs_of, ['a/']),
        (texts.arguments_of, ['a']), (texts.arguments_of, [':=1']),
        (texts.pose_of, '1 2 3'), (texts.pose_of, 'a b c d e f'), (texts.pose_of, 'nothing'),
    ],
)  # fmt: skip
def test_texts_that_mean_nothing_are_refused(read, text):
    with pytest.raises(OptionError):
        read(text)


@pytest.fixture
def arm():
    return Path(__file__).parents[1] / 'urdf' / 'arm.urdf'


WORDS = [
    *(
        'check',
        'arm.urdf',
        '--base',
        'free',
        '--world',
        'floor',
        '--pose',
        '0',
        '0',
        '-1e-3',
        *'000',
    ),
    *('--servo', 'auto', '--initial', 'a=1', 'b=-2', '--self-collision', 'none'),
    *('--exclude', 'a,b', 'c/d', '--argument', 'n:=v', '--include-path', 'x'),
    *('--include-path', 'y', '--allow-xacro', '--meshes', 'exact'),
]


def test_the_command_line_has_all_options_of_load_model():
    assert load_options(parser_of().parse_args(WORDS)) == {
        'base': 'free',
        'servo': 'auto',
        'initial': {'a': 1.0, 'b': -2.0},
        'self_collision': 'none',
        'exclude': [['a', 'b'], ['c', 'd']],
        'arguments': {'n': 'v'},
        'include_paths': ['x', 'y'],
        'allow_xacro': True,
        'meshes': 'exact',
        'world': 'floor',
        'pose': [0.0, 0.0, -1e-3, 0.0, 0.0, 0.0],
    }


def test_wrong_texts_are_told_all_at_once():
    words = [
        'check',
        'x.urdf',
        '--servo',
        '{kp: 1',
        '--initial',
        'a',
        '--exclude',
        'a',
        '--argument',
        'b',
        '--world',
        'flor',
    ]
    with pytest.raises(OptionError) as refused:
        load_options(parser_of().parse_args(words))
    assert len(str(refused.value).splitlines()) == 5
    assert "expected ',' or '}'" in str(refused.value)


@pytest.mark.parametrize('world', [3, 'flor'])
def test_wrong_options_are_told_all_at_once(arm, world):
    options = {
        'base': 'x',
        'meshes': 'y',
        'arguments': {'a': 1},
        'include_paths': ['/nowhere', 3],
        'allow_xacro': 'x',
        'world': world,
        'pose': [1],
        'servo': {'none': 'auto'},
        'initial': {'none': 1},
        'exclude': [['base', 'none']],
        'self_collision': 'q',
    }
    with pytest.raises(OptionError) as refused:
        load_model(arm, **options)
    text = str(refused.value)
    assert [name for name in options if name not in text] == []
    assert len(text.splitlines()) == len(options) + 1  # two folders


@pytest.mark.parametrize('folder', ['/nowhere', '/', ['/nowhere'], 3, [''], 'a\0'])
def test_a_text_of_include_paths_is_one_folder(arm, folder):
    if folder == '/':
        assert load_model(arm, include_paths=folder).contents.permissions.include_paths == (
            Path('/'),
        )
        return
    with pytest.raises(OptionError, match='include_paths'):
        load_model(arm, include_paths=folder)


def test_a_servo_with_nothing_to_hold_is_told(write_model):
    path = write_model('bodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}}')
    assert any('nothing to hold' in note for note in load_model(path, servo='auto').notes)


def test_names_of_live_symbols_keep_their_dots(arm):
    with pytest.raises(ModelError, match=r'parameters\.elbow\.damping: '):
        load_model(arm, parameters={'elbow.damping': 'x'})


def test_endings_may_be_in_capitals(arm, tmp_path):
    copy = tmp_path / 'ARM.URDF'
    copy.write_bytes(arm.read_bytes())
    assert load_model(copy, world='floor').dimension == 3


@pytest.mark.parametrize(
    'words',
    [
        ['--pose', '0', '-.5', '-1e-3', '-1.', '+2', '3E2'],
        ['--pose', '0 -.5 -1e-3 -1. +2 3E2'],
        ['--pose', '0,-.5,-1e-3,-1.,+2,3E2'],
        ['--pose=0 -.5 -1e-3 -1. +2 3E2'],
    ],
)
def test_a_pose_is_six_words_or_one(words):
    pose = [0, -0.5, -1e-3, -1, 2, 300]
    for line in (['check', 'arm.urdf', *words], ['check', *words, 'arm.urdf', '--base', 'free']):
        options = parser_of().parse_args(line)
        assert (options.model, options.pose) == ('arm.urdf', pose)
    backwards = [word.replace('0', '-1e-3', 1) for word in words[:2]] + words[2:]
    assert parser_of().parse_args(['check', 'a.urdf', *backwards]).pose[0] == -1e-3


@pytest.mark.parametrize(
    'words', [['1', '2', '3'], [], ['x'], ['1 2'], ['1'] * 7, ['- - - - - 1']]
)
def test_a_pose_that_is_none_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        parser_of().parse_args(['check', 'arm.urdf', '--pose', *words])
    assert capsys.readouterr().err.startswith('usage: ')


def test_the_node_gets_the_same_options_by_its_parameters():
    pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
    from symcontact_ros.ros import model_options
    from symcontact_ros.ros.parameters import SimulationParameters

    options = parser_of().parse_args(WORDS)
    settings = SimulationParameters(**node_parameters(options))
    assert model_options.load_options(settings) == load_options(options)
    words = ['equations', 'arm.urdf', *model_options.command_line(settings)]
    assert load_options(parser_of().parse_args(words)) == load_options(options)
    plain = parser_of().parse_args(['node', 'arm.urdf'])
    assert node_parameters(plain) == {}
    assert model_options.load_options(SimulationParameters()) == load_options(plain)
