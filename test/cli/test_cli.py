"""The command line: what it prints, and its exit codes."""

import json
import subprocess
import sys

from helpers.places import ROOT
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.command_options import parser_of
from symcontact_ros.cli.commands.node import is_scene
from symcontact_ros.cli.main import main
from symcontact_ros.model.installed_files import shipped_models


def test_list_says_by_topic_what_to_see_in_each_model(capsys):
    assert main(['list']) == 0
    groups = [text.splitlines() for text in capsys.readouterr().out.split('\n\n')]
    by_title = {group[0]: dict(line.split(maxsplit=1) for line in group[1:]) for group in groups}
    listed = {name for members in by_title.values() for name in members}
    assert listed == set(shipped_models())
    assert all(title.startswith('# ') for title in by_title)
    assert by_title['# The five scenarios of the paper']['bouncing_circle'].startswith(
        'First scenario of the paper: a ball thrown sideways bounces'
    )


def test_a_listed_description_is_wrapped_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    monkeypatch.setenv('COLUMNS', '80')
    assert main(['list']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    at = next(i for i, line in enumerate(lines) if line.startswith('bouncing_circle '))
    assert lines[at + 1].startswith(' ' * 15)  # names alone are at the start of a line


def test_check_tells_what_a_good_model_describes(capsys):
    assert main(['check', 'bouncing_circle']) == 0
    out = capsys.readouterr().out
    assert 'bouncing_circle.yaml: good\n' in out
    assert '  First scenario of the paper: a ball thrown sideways bounces' in out
    assert 'pair ball - floor' in out
    assert 'body ball: planar on world, 1 kg, circle' in out
    assert 'live symbol gravity.y = -9.81 m/s^2' in out


def test_check_calls_good_only_what_lacks_nothing(capsys, write_urdf):
    pytest.importorskip('lxml', reason='the urdf extra is not installed')
    inertial = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    text = '<robot name="r"><link name="base">{}{}</link></robot>'
    path = write_urdf(text.format(inertial, ''))
    assert main(['check', str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f'{path}: loads, with 1 warning\n  warning: no two bodies can touch')
    assert f'  note: {path}:1: bodies.base: the base, 2 kg, is fixed in the world' in out
    assert '  note: no body can move: this is fixed scenery\n' in out
    path = write_urdf(text.format(inertial, '<collision/>'))
    assert main(['check', str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f'{path}: loads, with 2 warnings\n')
    assert f'  warning: {path}:1: bodies.base.shapes[0]: left out: <collision> has no' in out


def test_check_tells_what_overlaps_at_the_start_and_what_never_collides(capsys, write_model):
    ball = 'shapes: [{type: circle, radius: 0.1}]'
    link = f'mass: 1, {ball}, robot: r, joint: {{type: revolute, parent: %s}}'
    path = write_model(
        f"""
bodies:
  wall: {{fixed: true, {ball}}}
  base: {{{ball}, robot: r, joint: {{type: fixed, origin: {{xyz: [1, 0, 0]}}}}}}
  arm: {{{link % 'base'}}}
  hand: {{{link % 'arm'}}}
  free: {{mass: 1, {ball}, initial: {{position: [0.15, 0, 0]}}}}
"""
    )
    assert main(['check', str(path)]) == 0
    told = capsys.readouterr().out
    assert 'loads, with 1 warning' in told
    assert 'warning: free and wall overlap at the start, 0.05 m deep' in told
    assert 'note: 1 pair overlaps at the start and will not collide: base - hand' in told
    assert 'excluded' not in told
    assert main(['check', '-v', str(path)]) == 0
    assert 'excluded base - hand' in capsys.readouterr().out


def test_check_tells_all_faults_on_stderr(capsys, write_model):
    path = write_model('bodies: {ball: {mass: -1}}\nmaterials: {}\n')
    assert main(['check', str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ''
    assert f'{path}:1: bodies.ball.mass: must be >= 0, got -1' in captured.err
    assert captured.err.count('\n') == 2


def test_help_teaches(capsys):
    with pytest.raises(SystemExit) as stop:
        main(['--help'])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert 'examples:' in out
    assert 'Exit codes: 0 good, 1 failed, 2 bad input.' in out


@pytest.mark.parametrize(
    'words', [[], ['fly'], ['node'], ['simulate'], ['node', 'x', '--duration', '-1']]
)
def test_bad_words_are_bad_input(words, capsys):
    try:
        code = main(words)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    captured = capsys.readouterr()
    assert 'usage: symcontact' in captured.out + captured.err


def test_the_module_is_the_command():
    result = subprocess.run(
        [sys.executable, '-m', 'symcontact_ros', 'check', 'nope'], capture_output=True, text=True
    )
    assert result.returncode == 2
    assert result.stderr.startswith('nope: no model of this name')
    assert 'Traceback' not in result.stderr


def test_a_node_without_ros_says_how_to_get_it():
    code = (
        'import sys\n'
        "sys.modules['rclpy'] = None\n"
        'from symcontact_ros.cli.main import main\n'
        "sys.exit(main(['node', 'bouncing_circle']))"
    )
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert result.returncode == 1
    assert result.stderr.startswith('the node needs ROS 2 and there is no rclpy')
    assert result.stderr.count('\n') == 1


def test_equations_are_printed_in_every_format(capsys):
    signs = {
        'text': 'mass_matrix[u_hinge, u_hinge] = 4*l**2*m/3',
        'latex': r'\begin{aligned}',
        'python': 'def equations(q, u, effort, wrench, parameters):',
        'c': 'void equations(const double * q',
    }
    for name, sign in signs.items():
        assert main(['equations', 'cart_pole', '--format', name]) == 0
        captured = capsys.readouterr()
        assert sign in captured.out
        assert 'cart_pole: 2 degrees of freedom' in captured.err
    assert main(['equations', 'cart_pole', '--wrenches']) == 0
    assert 'Fx_cart' in capsys.readouterr().out


def test_a_linearisation_is_printed_as_json(capsys):
    assert main(['equations', 'cart_pole', '--linearize']) == 0
    linear = json.loads(capsys.readouterr().out)
    assert linear['states'] == ['rail', 'hinge', 'd/dt rail', 'd/dt hinge']
    assert linear['inputs'] == ['rail', 'hinge']
    assert len(linear['A']) == 4
    assert [len(row) for row in linear['B']] == [2, 2, 2, 2]


def test_equations_of_a_wrong_file_are_bad_input(capsys, tmp_path):
    assert main(['equations', str(tmp_path / 'none.urdf')]) == 2
    assert 'none.urdf: cannot be read' in capsys.readouterr().err


@pytest.mark.parametrize(
    ('model', 'words', 'begins_anew'),
    [
        ('bouncing_circle', '--view', True),
        ('bouncing_circle', '', False),
        ('bouncing_circle', '--view --duration inf', False),
        ('urdf/panda.urdf', '--view', False),  # no scene: it waits for what is sent to it
        ('bouncing_circle', '--view --ros-args -p checkpoint_file:=run', False),
        ('bouncing_circle', '--view --ros-args -p repeat:=false', False),
    ],
)
def test_a_scene_with_a_page_begins_anew_at_its_end(model, words, begins_anew):
    path = ROOT / model if model.endswith('.urdf') else model
    given, _, ros = words.partition('--ros-args')
    options = parser_of().parse_args(['node', str(path), *given.split()])
    options.ros_arguments = ros.split()
    assert is_scene(sc.load_model(path), options) is begins_anew
