"""The README tells the truth: its Python runs, its topics and commands exist."""

import inspect
import json
import re
import shlex

from helpers.places import page, ROOT

import symcontact_ros as sc
from symcontact_ros.cli.command_options import COMMANDS, parser_of
from symcontact_ros.cli.main import main
from symcontact_ros.cli.model_options import load_options
from symcontact_ros.model.library import load_model

README = (ROOT / 'README.md').read_text(encoding='utf-8')


def commands():
    """Return every command of `symcontact`, in text and in blocks."""
    found = re.findall(r'`(symcontact [^`]+)`|^    (symcontact .*)', README, re.M)
    return [shlex.split(a or b)[1:] for a, b in found]


def test_the_python_example_runs():
    (example,) = re.findall(r'^```python\n(.*?)^```', README, re.M | re.S)
    scope = {}
    exec(example, scope)
    assert scope['sim'].contact_wrench('ball').force[1] > 100.0, 'it touches the ground'
    (door,) = re.findall(r'`(sim = sc\..*?)`', README)
    exec(door, scope)
    assert scope['sim'].model.name == 'cart_pole'


def test_the_examples_of_the_page_on_python_run():
    scope = {}
    for example in fenced('python.md', 'python'):
        exec(example, scope)
    assert scope['sim'].model.name == 'bouncing_circle'
    assert str(scope['gap'].distance) == '-R + y_ball'


def test_the_commands_are_run_as_they_stand(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'urdf').symlink_to(ROOT / 'urdf')
    ran = set()
    for words in commands():
        if words[0] == 'bench':  # takes minutes
            parser_of().parse_args(words)
        elif words[0] == 'node':  # of a robot: the rest of it is the node, which others test
            load_model(words[1], **load_options(parser_of().parse_args(words)))
        else:
            assert main(words) == 0, words
        ran.add(words[0])
    assert ran == {'bench', 'equations', 'export', 'list', 'node', 'simulate'}
    assert 210_000 < (tmp_path / 'page.html').stat().st_size < 320_000, 'as the table says'
    assert (tmp_path / 'run.png').stat().st_size > 10_000
    assert 'm_c + m_p' in capsys.readouterr().out


def test_every_make_target_and_subcommand_that_is_named_exists():
    targets = re.findall(r'^([a-z-]+):', (ROOT / 'Makefile').read_text(), re.M)
    named = set(re.findall(r'(?:^    |`)make ([a-z-]+)', README, re.M))
    assert named
    assert named <= set(targets)
    assert set(re.findall(r'symcontact (check|list|node|\w+) [A-Z]', README)) <= set(COMMANDS)


def test_every_file_that_is_named_or_linked_exists():
    named = re.findall(r'`((?:config|launch|docs)/[\w./]+|[A-Z]+\.\w+)`', README)
    linked = re.findall(r'\]\(([^)#:]+)\)', README)
    assert len(linked) > 30
    for name in named + linked:
        assert (ROOT / name).is_file(), name


def fenced(name, language):
    """Return the fenced blocks of a page in a language."""
    text = (ROOT / 'docs' / name).read_text(encoding='utf-8')
    return re.findall(rf'^```{language}\n(.*?)^```', text, re.M | re.S)


def test_the_examples_of_the_page_on_models_are_right(tmp_path, capsys):
    crane, _, materials, _, sensors = fenced('models.md', 'yaml')
    path = tmp_path / 'crane.yaml'
    path.write_text(crane + sensors)
    model = sc.load_model(path)
    assert set(sc.Simulation(model).sensors()) == {'imu', 'load', 'plate'}
    assert model.joint_names == ('trolley', 'load')
    floor = (
        'bodies: {ball: {mass: 1, shapes: [{type: circle, radius: 1}]}, floor: {fixed: true}}\n'
    )
    path.write_text(materials + floor)
    assert set(sc.load_model(path).materials) == {'default', 'rubber', 'grip'}
    turned, example = fenced('models.md', 'python')
    exec(turned, {})
    told = [
        [float(x) for x in line.strip('[]').split()]
        for line in capsys.readouterr().out.splitlines()
    ]
    assert told == [[0.0, -3.0, 0.0], [3.0, 0.0, 0.0]], 'in body axes, then in those of the world'
    exec(example, {})
    assert 'name: pendulum' in capsys.readouterr().out


LINK = (
    '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    '<collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>'
)
JOINT = (
    '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
    '<origin xyz="0 0 0.5"/></joint>'
)
CHAIN = ('base', 'upper', 'hand', 'finger1')
ARM = (
    f'<robot name="arm">{"".join(map(LINK.format, CHAIN))}{JOINT.format("elbow", *CHAIN[:2])}'
    f'{JOINT.format("wrist", *CHAIN[1:3])}{JOINT.format("finger", *CHAIN[2:])}</robot>'
)
BALL = 'bodies: {ball: {mass: m, shapes: [{type: sphere, radius: 1}]}}'
BOXES = f'dimension: 3\nparameters: {{m: 1}}\n{BALL}'


def test_the_examples_of_includes_are_right(tmp_path, monkeypatch):
    package = tmp_path / 'my_arm' / 'urdf'
    package.mkdir(parents=True)
    for folder in (package, tmp_path):
        (folder / 'arm.urdf').write_text(ARM)
    (tmp_path / 'boxes.yaml').write_text(BOXES)
    monkeypatch.setenv('ROS_PACKAGE_PATH', str(tmp_path))
    path = tmp_path / 'model.yaml'
    path.write_text(f'dimension: 3\nmaterials: {{rubber: {{}}}}\n{fenced("models.md", "yaml")[3]}')
    model = sc.load_model(path)
    assert model.joint_names == ('arm_elbow', 'arm_wrist', 'arm_finger')
    assert model.parameters['left_m'] == 2
    (several,) = fenced('robots.md', 'yaml')
    path.write_text(several)
    robots = sc.load_model(path).contents.robots
    assert [robot.topic for robot in robots] == ['left', 'right']


def test_the_commands_of_the_page_on_robots_are_commands():
    words = [
        shlex.split(command)[1:]
        for command in re.findall(r'`(symcontact node .+?)`', page('robots.md'))
    ]
    assert len(words) == 5
    for command in words:
        assert load_options(parser_of().parse_args(command))['servo'] == 'auto'
    listed = set(re.findall(r'^\| `(\w+)=.*?` \|', page('robots.md'), re.M))
    assert listed | {'path', 'complete'} == set(inspect.signature(sc.load_model).parameters)


def glossary():
    """Return the terms of the glossary and their explanations."""
    return re.findall(r'^\| \*\*(.+?)\*\* \| (.+) \|$', page('glossary.md'), re.M)


def test_the_glossary_is_alphabetical_and_linked():
    terms = [term.casefold() for term, _ in glossary()]
    assert len(terms) > 60
    assert terms == sorted(set(terms))
    for name in ('README.md', 'CONTRIBUTING.md'):
        assert 'docs/glossary.md' in (ROOT / name).read_text(encoding='utf-8')


def test_every_term_that_the_glossary_refers_to_is_explained():
    terms = {term for term, _ in glossary()}
    referred = {name for _, text in glossary() for name in re.findall(r'\*([^*]+)\*', text)}
    assert referred <= terms


def test_every_name_that_the_glossary_marks_as_code_exists():
    sources = [*(ROOT / 'symcontact_ros').rglob('*.py'), *(ROOT / 'config').rglob('*.yaml')]
    words = set(re.findall(r'\w+', ' '.join(path.read_text('utf-8') for path in sources)))
    for term, text in glossary():
        for code in re.findall('`(.*?)`', text):
            if code.startswith('docs/'):
                assert (ROOT / code).is_file(), code
            else:
                assert set(re.findall(r'[a-zA-Z]\w*', code)) <= words, (term, code)


def test_the_table_of_speed_has_the_numbers_that_were_measured():
    stored = json.loads((ROOT / 'docs' / 'paper.json').read_text(encoding='utf-8'))
    rows = [row for rows in stored['scenarios'].values() for row in rows]

    def span(method, key):
        values = [row[key]['minimum'] for row in rows if row['method'] == method]
        return f'{min(values):.2g} to {max(values):.2g}'

    (flight,) = re.findall(r'^\| free flight.*$', README, re.M)
    for method in ('ours, rk4', 'MuJoCo', 'PyBullet, substeps'):
        assert f'| {span(method, "step_us")} us ' in flight
    (start,) = re.findall(r'^\| start:.*$', README, re.M)
    assert f'| {span("ours, rk4, new", "build_s")} s ({span("ours, rk4", "build_s")} s) ' in start
    for method in ('MuJoCo', 'PyBullet'):
        assert f'| {span(method, "build_s")} s |' in start
    measured = json.loads((ROOT / 'benchmarks' / 'results.json').read_text(encoding='utf-8'))
    rates = {}
    for row in measured['worlds']['rows']:
        if row['measure'] == '2 threads':
            rates.setdefault(row['case'], {})[row['method']] = row['value']
    small, robot = rates['rectangle_circle, rk4, 10,000 worlds'], rates['Go2, implicit, 64 worlds']
    peer = max(rate for method, rate in robot.items() if method != 'ours')
    ours = f'{1.0 / small["ours"]:.2g} us; {1e3 / robot["ours"]:.2g} us'
    assert f'| {ours} | Go2: {1e3 / peer:.2g} us |' in README
    table = page('contact.md').partition('## Beside MuJoCo')[2]
    robots = re.findall(r'^\|(?: [\w, ]+ \|)(?: [\d.]+ \|){5}', table, re.M)
    numbers = [[float(cell) for cell in row.split('|')[2:-1]] for row in robots]
    assert len(numbers) == 8
    rest, theirs = ([row[column] for row in numbers] for column in (2, 3))
    said = f'{min(rest)} to {max(rest)} us | {min(theirs)} to {max(theirs)} us'
    assert said in README
