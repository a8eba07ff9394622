"""Models made of several files: robots and models that are included, and options of robots."""

from helpers.model_faults import faults
from helpers.model_texts import RICH
import pytest

import symcontact_ros as sc
from symcontact_ros.model.description import Description
from symcontact_ros.model.including import include as including
from symcontact_ros.model.including.renaming import add_prefix

LINK = """<link name="{}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>"""
JOINT = """<joint name="{0}-joint" type="continuous"><parent link="{1}"/><child link="{2}"/>
<origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint>"""


def arm(end=''):
    """Return the URDF of an arm; all its names but its own have an end."""
    names = [f'{name}{end}' for name in ('base', 'upper', 'lower', 'hand')]
    joints = zip(('shoulder', 'elbow', 'wrist'), names, names[1:], strict=False)
    text = ''.join(JOINT.format(f'{name}{end}', *links) for name, *links in joints)
    return f'<robot name="arm">{"".join(map(LINK.format, names))}{text}</robot>'


ARM = arm()
BALL = """\
name: ball
dimension: 3
parameters: {r: 0.1, k: {value: 2, unit: kg}}
materials:
  default: {friction: r}
  soft: {law: {normal: k * rho, tangent: mu * f_n}, stiffness: 1e3}
bodies:
  ball: {mass: 2 * k, shapes: [{type: sphere, radius: r}], sites: {top: {position: [0, 0, r]}},
         initial: {position: [1, 0, 0], velocity: [1, 0, 0]}}
  lid: {mass: k, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {type: revolute, parent: ball}}
sensors: [{type: imu, site: top}]
"""

OTHER = 'bodies: {o: {mass: 1, shapes: [{type: sphere, radius: 1}]}}\n'


@pytest.fixture
def load(write_model):
    """Return a function that loads a model with one entry of `include`."""

    def load(entry, head='', **options):
        write_model(ARM, 'arm.urdf')
        write_model(BALL, 'ball.yaml')
        return sc.load_model(write_model(f'dimension: 3\n{head}include: [{entry}]'), **options)

    return load


@pytest.fixture
def told(load):
    """Return a function that returns the faults of a model with one entry of `include`."""

    def told(entry, head='', **options):
        with pytest.raises(sc.ModelError) as caught:
            load(entry, head, **options)
        return '\n'.join(map(str, caught.value.faults))

    return told


def same(model, write_model):
    """Return whether a model is the same after it was written and read again."""
    again = sc.load_model(write_model(model.to_yaml(), 'again.yaml'))
    return again.bodies == model.bodies and again.parameters == model.parameters


# Options ----------------------------------------------------------------------------------------


def test_joints_start_where_an_entry_says(load, write_model):
    model = load("{urdf: arm.urdf, prefix: a_, initial: {'elbow-joint': 0.3, 'w*': -1}}")
    starts = {b.joint.name: b.initial.position[0] for b in model.moving}
    assert starts == {'a_shoulder_joint': 0.0, 'a_elbow_joint': 0.3, 'a_wrist_joint': -1.0}
    assert same(model, write_model)


def test_servos_are_given_to_all_joints_or_by_glob(load, write_model):
    gains = '{kp: 10, kd: 1}'
    model = load(f'{{urdf: arm.urdf, servo: {gains}}}')
    assert [model.number(b.joint.servo.kp) for b in model.moving] == [10, 10, 10]
    model = load(f'{{urdf: arm.urdf, servo: {{"?l*": {gains}}}}}')
    assert [b.joint.servo is not None for b in model.moving] == [False, True, False]
    assert same(model, write_model)


@pytest.mark.parametrize('key', ['damping', 'friction', 'armature'])
def test_joints_resist_as_an_entry_says(key, load, write_model):
    model = load(f'{{urdf: arm.urdf, {key}: 0.5}}')
    assert [model.number(getattr(b.joint, key)) for b in model.moving] == [0.5] * 3
    model = load(f'{{urdf: arm.urdf, {key}: {{"*": 0.5, elbow_joint: 2}}}}')
    assert [model.number(getattr(b.joint, key)) for b in model.moving] == [0.5, 2, 0.5]
    assert same(model, write_model)


def test_a_material_is_that_of_the_robot_with_everything(load):
    head = f'materials: {{rubber: {{friction: 0.9}}}}\n{OTHER}'
    model = load('{urdf: arm.urdf, prefix: a_, material: rubber}', head)
    assert model.pair_materials['a_hand', 'o'] == 'rubber'
    model = load('{yaml: floor}, {urdf: arm.urdf, material: rubber}', head)
    assert model.pair_materials['floor', 'hand'] == 'rubber'
    assert model.pair_materials['floor', 'o'] == 'ground'


def test_pairs_are_excluded_by_the_names_of_the_file(load):
    assert ('a_base', 'a_hand') in load('{urdf: arm.urdf, prefix: a_}').pairs
    model = load("{urdf: arm.urdf, prefix: a_, exclude: [[hand, 'b*']], self_collision: all}")
    assert ('a_base', 'a_hand') not in model.pairs
    assert load('{urdf: arm.urdf, self_collision: none}').pairs == ()


def test_robots_of_the_same_name_are_different_robots(load, write_model):
    write_model(arm('_2'), 'other.urdf')
    model = load('{urdf: arm.urdf, self_collision: none}, {urdf: other.urdf}')
    assert {body.robot for body in model.bodies} == {'arm', 'arm_2'}
    assert [robot.topic for robot in model.contents.robots] == ['arm', 'arm_2']
    assert ('base_2', 'hand_2') in model.pairs
    assert ('base', 'hand') not in model.pairs
    assert ('base', 'hand_2') in model.pairs


@pytest.mark.parametrize(
    ('options', 'reason'),
    [
        ('initial: {elbw-joint: 1}', "initial.elbw-joint: no joint 'elbw-joint'"),
        ('initial: {elbw-joint: 1}', "did you mean 'elbow_joint'"),
        ('initial: {elbow-joint: abc}', "unknown parameter 'abc'"),
        ('servo: 3', 'must be `auto`'),
        ('servo: {kp: -1}', 'must be >= 0'),
        ('servo: {kp: 1, ki: 1}', 'unknown key'),
        ('servo: {"x*": auto}', "no joint 'x*'"),
        ('damping: -1', 'must be >= 0'),
        ('friction: {foo: 1}', "no joint 'foo'"),
        ('self_collision: some', 'must be one of safe, all, none'),
        ('exclude: [[hand]]', 'a pair [a, b]'),
        ('exclude: [[hnd, base]]', "did you mean 'hand'"),
        ('exclude: hand', 'must be a list'),
        ('base: loose', 'must be one of fixed, free'),
        ('prefix: 3a', 'a letter first'),
        ('colour: red', 'unknown key'),
        ('pose: {position: [0, 0]}', 'a list of 3 numbers'),
    ],
)
def test_options_that_fit_nothing_are_told(options, reason, told):
    assert reason in told(f'{{urdf: arm.urdf, {options}}}')


def test_options_of_a_loaded_file_are_those_of_an_entry(load, tmp_path):
    included = load(
        '{urdf: arm.urdf, initial: {"*": 0.2}, pose: {position: [1, 2, 3]}, base: free}'
    )
    options = {'initial': {'*': 0.2}, 'pose': [1, 2, 3, 0, 0, 0], 'base': 'free'}
    assert sc.load_model(tmp_path / 'arm.urdf', **options).bodies == included.bodies


def test_all_wrong_options_of_a_loaded_file_are_told_at_once(load, tmp_path):
    load('{urdf: arm.urdf}')
    with pytest.raises(sc.OptionError) as caught:
        sc.load_model(
            tmp_path / 'arm.urdf',
            servo=3,
            initial={'foo': 1},
            self_collision='x',
            exclude=[['a', 'b']],
        )
    for key in ('servo', 'initial.foo', 'self_collision', 'exclude[0]'):
        assert f'{key}: ' in str(caught.value)


@pytest.mark.parametrize(
    'options',
    [
        {'base': 'free'},
        {'arguments': {'a': 1}},
        {'meshes': 'all'},
        {'world': 'flor'},
        {'pose': [1, 2]},
        {'pose': {'position': 3}},
        {'world': 'floor'},  # the model is planar
        {'initial': {'nothing': 1}},
    ],
)
def test_options_that_a_model_file_does_not_have_are_refused(options):
    with pytest.raises(sc.OptionError):
        sc.load_model('cart_pole', **options)


def test_a_model_file_takes_the_options_that_make_sense():
    model = sc.load_model('cart_pole', initial={'*': 0.1}, servo={'kp': 1.0, 'kd': 2.0})
    assert {b.initial.position for b in model.moving} == {(0.1,)}
    assert all(b.joint.servo for b in model.moving)


# Models in models -------------------------------------------------------------------------------


def test_an_included_model_has_all_its_names_under_the_prefix(load, write_model):
    model = load('{yaml: ball.yaml, prefix: x_}, {yaml: ball.yaml, prefix: y_}')
    assert model.body_names == ('x_ball', 'x_lid', 'y_ball', 'y_lid')
    assert {'x_r', 'x_k', 'y_r', 'y_k'} <= set(model.parameters)
    assert model.material('x_ball', 'y_ball').friction is not None
    assert [sensor.place for sensor in model.sensors] == ['x_top', 'y_top']
    # A law's own `k` is not the parameter.
    assert set(model.materials['x_soft'].normal.names()) == {'k', 'rho'}
    assert model.number(model.body('x_ball').mass) == 4
    assert same(model, write_model)


def test_an_included_model_can_be_placed_and_given_parameters(load):
    pose = 'pose: {position: [0, 0, 1], rpy: [0, 0, 1.5707963267948966]}'
    model = load(f'{{yaml: ball.yaml, {pose}, parameters: {{k: 3, r: 0.2}}}}')
    start = model.body('ball').initial
    assert start.position == pytest.approx((0, 1, 1))
    assert start.velocity == pytest.approx((0, 1, 0))
    assert (model.parameters['k'], model.parameters['r']) == (3, 0.2)


def test_parameters_of_an_entry_follow_those_that_are_given(load, write_model):
    entry = '{yaml: ball.yaml, prefix: b_, parameters: {k: "2 * m"}}'
    head = 'parameters: {m: 1}\n'
    assert load(entry, head).parameters['b_k'] == 2
    assert load(entry, head, parameters={'m': 5}).parameters['b_k'] == 10
    assert load(entry, head, parameters={'m': 5, 'b_k': 7}).parameters['b_k'] == 7
    write_model(f'dimension: 3\n{head}include: [{entry}]', 'inner.yaml')
    entry = '{yaml: inner.yaml, prefix: i_}'
    assert load(entry, parameters={'i_m': 5}).parameters['i_b_k'] == 10
    entry = '{yaml: inner.yaml, prefix: i_, parameters: {m: 3}}'
    assert load(entry).parameters['i_b_k'] == 6
    model = sc.load_model(
        write_model(BALL),
        world=write_model(
            f'dimension: 3\n{head}include: [\
{{yaml: ball.yaml, prefix: c_, parameters: {{k: "2 * m"}}}}]',
            'w.yaml',
        ),
        parameters={'m': 4},
    )
    assert model.parameters['c_k'] == 8


def test_a_pose_may_be_a_formula(load):
    model = load('{yaml: ball.yaml, pose: {position: [1, 0, h]}}', 'parameters: {h: 0.5}\n')
    position = model.body('ball').initial.position
    assert tuple(map(model.number, position)) == (2, 0, 0.5)
    assert list(position[2].names()) == ['h']


def test_a_model_that_includes_is_included_with_its_parts(load, write_model):
    write_model('dimension: 3\ninclude: [{urdf: arm.urdf, prefix: l_}]', 'inner.yaml')
    model = load('{yaml: inner.yaml, prefix: o_, initial: {l_elbow_joint: 1}}')
    assert model.body_names == ('o_l_base', 'o_l_upper', 'o_l_lower', 'o_l_hand')
    (robot,) = model.contents.robots
    assert (robot.prefix, robot.bodies) == ('o_l_', model.body_names)


def test_settings_of_an_included_model_are_ignored_with_a_note(load, write_model):
    write_model(f'gravity: [0, 0, -1.62]\nduration: 9\nintegrator: verlet\n{BALL}', 'moon.yaml')
    model = load('{yaml: moon.yaml}')
    assert model.parameters['gravity.z'] == -9.81
    assert any('`gravity` is ignored' in note for note in model.notes)
    assert any('`duration` is ignored' in note for note in model.notes)
    assert any('`integrator` is ignored' in note for note in model.notes)
    assert model.integrator is None


def test_every_key_of_a_model_file_can_be_included(load, write_model):
    write_model(RICH, 'rich.yaml')
    model = load('{yaml: rich.yaml, prefix: z_}')
    alone = sc.load_model(write_model(RICH, 'rich.yaml'))
    assert model.pairs == tuple((f'z_{a}', f'z_{b}') for a, b in alone.pairs)
    assert model.material('z_ball', 'z_floor').law == 'custom'
    assert [s.place for s in model.sensors] == [f'z_{s.place}' for s in alone.sensors]
    for body in alone.bodies:
        assert model.number(model.body(f'z_{body.name}').mass) == alone.number(body.mass)


def test_pairs_that_an_included_list_leaves_out_stay_out(load, write_model):
    many = ''.join(f'  {n}: {{mass: 1, shapes: [{{type: sphere, radius: 1}}]}}\n' for n in 'abc')
    write_model(f'dimension: 3\ncollide: [[a, b]]\nbodies:\n{many}', 'few.yaml')
    model = load('{yaml: few.yaml}', OTHER)
    assert model.pairs == (('a', 'b'), ('a', 'o'), ('b', 'o'), ('c', 'o'))


def test_named_pairs_of_an_included_model_stay_named(load, write_model):
    ball = BALL.replace('joint: {', 'shapes: [{type: sphere, radius: r}], joint: {')
    write_model(f'{ball}collide: [[lid, ball]]\n', 'named.yaml')
    entries = '{yaml: named.yaml, prefix: x_}, {yaml: named.yaml, prefix: y_}'
    own = {('x_ball', 'x_lid'), ('y_ball', 'y_lid')}
    model = load(entries)
    across = {(f'x_{a}', f'y_{b}') for a in ('ball', 'lid') for b in ('ball', 'lid')}
    assert set(model.pairs) == own | across
    write_model(f'dimension: 3\ninclude: [{entries}]', 'inner.yaml')
    model = load('{yaml: inner.yaml, prefix: z_}', OTHER)
    with_o = {('o', f'z_{name}') for name in ('x_ball', 'x_lid', 'y_ball', 'y_lid')}
    assert set(model.pairs) == {(f'z_{a}', f'z_{b}') for a, b in own | across} | with_o
    write_model(f'{ball}collide: [[lid, bal]]\n', 'named.yaml')
    with pytest.raises(sc.ModelError, match=r"named.yaml:\d+: collide.0.: unknown body 'x_bal'"):
        load('{yaml: named.yaml, prefix: x_}')


@pytest.mark.parametrize('key', ['collide: x', 'exclude: x', 'sensors: x', 'collide: [[ball]]'])
@pytest.mark.parametrize('head', ['', 'collide: []\n', 'exclude: []\n'])
def test_lists_that_are_none_are_told_in_included_models_too(key, head, told, write_model):
    write_model(f'{BALL.replace("sensors", "#")}{key}\n', 'wrong.yaml')
    assert key.split(':')[0] in told('{yaml: wrong.yaml}', head)


def test_the_list_of_an_including_model_decides_about_all(load, write_model):
    head = f'collide: [[o, "a_h*"]]\n{OTHER}'
    model = load('{urdf: arm.urdf, prefix: a_}', head)
    assert model.pairs == (('a_hand', 'o'),)
    assert 'arm.urdf: touches only in pairs that `collide` lists' in model.notes


@pytest.mark.parametrize(
    ('entry', 'reason'),
    [
        ('{yaml: ball.yaml}, {yaml: ball.yaml}', "body 'ball' already exists: choose"),
        ('{yaml: ball.yaml, parameters: {q: 1}}', "no parameter 'q'"),
        ('{yaml: nothing.yaml}', 'cannot be read'),
        ('{yaml: flor}', "did you mean 'floor'"),
        ('{yaml: arm.urdf}', 'ends in .yaml'),
        ('{urdf: ball.yaml}', 'include it by `yaml:`'),
        ('{urdf: arm.urdf, yaml: ball.yaml}', 'one of urdf, xacro, yaml'),
        ('{prefix: a_}', 'one of urdf, xacro, yaml'),
        ('{xacro: a.xacro}', 'a xacro file is a program'),
        ('{urdf: a.xacro}', 'named by `xacro:`'),
        ('{xacro: arm.urdf}', 'named by `xacro:`'),
        ('{yaml: cart_pole.yaml}', 'is planar, and this model is spatial'),
        ('{yaml: model.yaml}', 'files include each other'),
    ],
)  # fmt: skip
def test_includes_that_cannot_be_are_told(entry, reason, told, write_model):
    write_model(ARM, 'a.xacro')
    write_model('bodies: {a: {mass: 1, inertia: {izz: 1}}}', 'cart_pole.yaml')
    assert reason in told(entry)


def test_loops_depth_and_number_of_includes_are_limited(told, write_model, monkeypatch):
    write_model('dimension: 3\ninclude: [{yaml: two.yaml}]', 'one.yaml')
    write_model('dimension: 3\ninclude: [{yaml: one.yaml}]', 'two.yaml')
    assert 'one.yaml -> two.yaml -> one.yaml' in told('{yaml: one.yaml}')
    for i in range(12):
        text = f'dimension: 3\ninclude: [{{yaml: n{i + 1}.yaml}}, {{yaml: n{i + 1}.yaml}}]'
        write_model(text, f'n{i}.yaml')
    assert 'more than 8 files deep' in told('{yaml: n0.yaml}')
    monkeypatch.setattr(including, 'MOST_FILES', 5)
    assert 'more than 5 files' in told('{yaml: n0.yaml}')


# Files ------------------------------------------------------------------------------------------


def test_files_are_found_in_the_paths_of_the_user_and_in_packages(
    load, told, tmp_path, write_model, monkeypatch
):
    lines = 'include: [{yaml: extra.yaml}, {yaml: "package://stuff/models/one.yaml", prefix: p_}]'
    for folder in ('given', 'share/stuff/models', 'inner'):
        (tmp_path / folder).mkdir(parents=True)
    write_model(BALL, 'given/extra.yaml')
    write_model(BALL, 'share/stuff/models/one.yaml')
    path = write_model(f'dimension: 3\n{lines}', 'inner/model.yaml')
    assert len(faults(path)) == 2
    monkeypatch.setenv('ROS_PACKAGE_PATH', str(tmp_path / 'share'))
    model = sc.load_model(path, include_paths=[tmp_path / 'given'])
    assert model.body_names == ('ball', 'lid', 'p_ball', 'p_lid')


def test_absolute_paths_may_lie_in_the_folders_of_the_user(tmp_path, write_model):
    for folder in ('in', 'given', 'out'):
        (tmp_path / folder).mkdir()
        write_model(BALL, f'{folder}/ball.yaml')
    path = write_model(
        f'dimension: 3\ninclude: [{{yaml: "{tmp_path}/given/ball.yaml"}}, '
        f'{{yaml: "{tmp_path}/in/ball.yaml", prefix: a_}}]',
        'in/model.yaml',
    )
    model = sc.load_model(path, include_paths=tmp_path / 'given')
    assert model.body_names[::2] == ('ball', 'a_ball')
    (line,) = faults(path, include_paths=tmp_path / 'out')
    assert f'{tmp_path}/given/ball.yaml' in line
    assert '--include-path' in line


def test_names_of_a_file_that_cannot_be_read_are_no_faults(write_model):
    path = write_model(
        """
dimension: 3
include: [{urdf: left.urdf, prefix: l_}, {urdf: right.urdf, prefix: r_}]
bodies:
  tool: {mass: l_k, inertia: {ixx: 1, iyy: 1, izz: 1},
         joint: {type: revolute, parent: l_hand, mimic: {joint: l_wrist}}}
  ball: {mass: -1, shapes: [{type: sphere, radius: 0.1}]}
collide: [[l_hand, ball], ['r_*', ball]]
self_collision: {l_arm: all}
sensors: [{type: force_torque, joint: l_wrist}]
"""
    )
    told = faults(path, servo={'l_wrist': 'auto'}, initial={'r_wrist': 1})
    assert len([line for line in told if 'left.urdf' in line or 'right.urdf' in line]) == 2
    assert len([line for line in told if 'bodies.ball.mass' in line]) == 1
    assert len(told) == 3


def test_files_of_a_package_that_is_installed_by_links_are_found(
    tmp_path, write_model, monkeypatch
):
    share, source = tmp_path / 'install' / 'share', tmp_path / 'src' / 'stuff'
    marker = share / 'ament_index' / 'resource_index' / 'packages' / 'stuff'
    for folder in (marker.parent, share / 'stuff' / 'models', source / 'models'):
        folder.mkdir(parents=True)
    marker.touch()
    write_model('<package><name>stuff</name></package>', 'src/stuff/package.xml')
    write_model(BALL, 'src/stuff/models/ball.yaml')
    write_model('dimension: 3\ninclude: [{yaml: ball.yaml}]', 'src/stuff/models/both.yaml')
    write_model(BALL, 'out.yaml')
    for name in ('package.xml', 'models/ball.yaml', 'models/both.yaml'):
        (share / 'stuff' / name).symlink_to(source / name)
    (share / 'stuff' / 'models' / 'out.yaml').symlink_to(tmp_path / 'out.yaml')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'install'))
    head = 'dimension: 3\ninclude: [{yaml: "package://stuff/models/'
    assert sc.load_model(write_model(head + 'both.yaml"}]')).body_names == ('ball', 'lid')
    (told,) = faults(write_model(head + 'out.yaml"}]'))
    assert 'leads out of the package stuff' in told


@pytest.mark.parametrize(
    'file',
    ['../out.yaml', '/tmp/out.yaml', 'package://stuff/../../out.yaml', 'link.yaml', 'a/../../o'],
)  # fmt: skip
def test_no_include_leads_out_of_its_folders(file, tmp_path, write_model, monkeypatch):
    write_model(BALL, 'out.yaml')
    for folder in ('in', 'given', 'share/stuff'):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / 'in' / 'link.yaml').symlink_to(tmp_path / 'out.yaml')
    monkeypatch.setenv('ROS_PACKAGE_PATH', str(tmp_path / 'share'))
    path = write_model(f'dimension: 3\ninclude: [{{yaml: "{file}"}}]', 'in/model.yaml')
    (told,) = faults(path, include_paths=[tmp_path / 'given'])
    assert 'leads out of the' in told


def test_a_xacro_is_included_only_where_the_user_allows_it(load, told, write_model):
    pytest.importorskip('xacro', reason='needs xacro')
    text = ARM.replace('<robot ', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    text = text.replace(
        '<link name="base">', '<xacro:arg name="n" default="base"/><link name="base">'
    )
    write_model(text.replace('"hand"', '"$(arg n)_hand"'), 'x.xacro')
    entry = '{xacro: x.xacro, prefix: a_, arguments: {n: left}}'
    assert 'allow_xacro' in told(entry)
    model = load(entry, allow_xacro=True)
    assert 'a_left_hand' in model.body_names
    (robot,) = model.contents.robots
    assert b'left_hand' in robot.expanded


def test_a_prefix_reaches_names_and_formulas_but_not_words():
    data = {
        'parameters': {'fixed': 1, 'sin': 2},
        'bodies': {'a': {'mass': 'sin(fixed) + fixed.x', 'joint': {'type': 'fixed'}}},
    }
    description = Description('x', data)
    add_prefix(description, 'p_')
    body = description.data['bodies']['p_a']
    assert body == {'mass': 'sin(p_fixed) + fixed.x', 'joint': {'type': 'fixed'}}
