"""Worlds around robots: pieces that come with the package, and where a robot stands in them."""

from helpers.model_faults import faults
import pytest

import symcontact_ros as sc
from symcontact_ros.model.installed_files import shipped_worlds
from symcontact_ros.model.start_pose import StartPose

BOX = """<link name="{0}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="0.2 0.2 {1}"/></geometry></collision></link>"""
# A body with a leg that hangs 0.5 m below it, and a foot 0.1 m high at its end.
ROBOT = f"""<robot name="hopper">{BOX.format('trunk', 0.2)}{BOX.format('foot', 0.1)}
<joint name="leg" type="prismatic"><parent link="trunk"/><child link="foot"/>
<origin xyz="0 0 -0.5"/><axis xyz="0 0 -1"/><limit lower="-0.2" upper="0.2" effort="1e3"
velocity="10"/></joint></robot>"""
MINE = """\
name: mine
dimension: 3
gravity: [0, 0, -1.62]
duration: 3
bodies: {slab: {fixed: true, shapes: [{type: box, size: [4, 4, 1]}]}}
"""


@pytest.fixture
def robot(write_model):
    return write_model(ROBOT, 'robot.urdf')


def height(model, body='trunk'):
    return StartPose(model).frames[body][1][2]


@pytest.mark.parametrize('name', sorted(shipped_worlds()))
def test_every_piece_can_be_a_world_and_be_included(name, robot, write_model):
    model = sc.load_model(robot, world=name, base='free')
    assert model.name == 'hopper'
    assert model.body_names[:2] == ('trunk', 'foot')
    assert any(model.pair_materials.values())
    again = sc.load_model(write_model(model.to_yaml(), 'again.yaml'))
    assert (again.bodies, again.pairs) == (model.bodies, model.pairs)
    text = f'dimension: 3\ninclude: [{{yaml: {name}, prefix: w_}}, {{urdf: robot.urdf}}]'
    included = sc.load_model(write_model(text))
    assert {f'w_{b}' for b in model.body_names[2:]} <= set(included.body_names)


def test_the_pieces_are_those_that_the_pages_name():
    assert set(shipped_worlds()) == {'floor', 'table_top', 'ramp', 'shelf', 'hills'}


@pytest.mark.parametrize(('start', 'lowest'), [(0.0, 0.55), (0.2, 0.75), (-0.2, 0.35)])
@pytest.mark.parametrize('world', ['floor', 'table_top'])
def test_a_free_base_stands_with_its_lowest_point_on_the_surface(world, start, lowest, robot):
    model = sc.load_model(robot, world=world, base='free', initial={'leg': start})
    assert height(model) == pytest.approx(lowest, abs=2e-6)


def test_a_free_base_on_a_ramp_touches_it(robot):
    model = sc.load_model(robot, world='ramp', base='free', parameters={'ramp_angle': 0.5})
    # The lowest corner of the foot, 0.1 m up the slope.
    corner = height(model) - 0.55
    assert corner == pytest.approx(0.1 * 0.5463024898437905, abs=2e-6)


def test_a_fixed_base_stays_unless_what_moves_would_be_in_the_world(robot):
    model = sc.load_model(robot, world='floor')
    assert height(model) == pytest.approx(0.56, abs=2e-6)
    assert any('raised by 0.56 m' in note for note in model.notes)
    above = sc.load_model(robot, world='floor', pose=[0, 0, 0.7, 0, 0, 0])
    assert height(above) == 0.7
    up = ROBOT.replace('0 0 -0.5', '0 0 0.5')
    robot.write_text(up)
    model = sc.load_model(robot, world='floor')
    assert height(model) == 0.0
    assert not any('raised' in note for note in model.notes)


def test_a_pose_is_kept_as_given(robot):
    model = sc.load_model(robot, world='floor', base='free', pose=[1, 2, -3, 0, 0, 1])
    start = model.body('trunk').initial
    assert (start.position, start.rotation.rpy) == ((1, 2, -3), (0, 0, 1))


def test_a_world_of_ones_own_brings_its_gravity_and_duration(robot, write_model):
    world = write_model(MINE, 'mine.yaml')
    model = sc.load_model(robot, world=world, base='free')
    assert (model.name, model.duration, model.parameters['gravity.z']) == ('hopper', 3, -1.62)
    assert height(model) == pytest.approx(1.05, abs=2e-6)


def test_a_world_brings_what_it_is_made_for_and_faults_name_its_file(robot, write_model):
    world = write_model(f'{MINE}step_size: 5e-4\nintegrator: verlet\n', 'mine.yaml')
    model = sc.load_model(robot, world=world, base='free')
    assert (model.integrator, model.step_size, model.detector) == ('verlet', 5e-4, None)
    wrong = write_model(f'{MINE}integrator: verlt\n', 'wrong.yaml')
    line = wrong.read_text().splitlines().index('integrator: verlt') + 1
    with pytest.raises(sc.ModelError, match=rf"wrong\.yaml:{line}: integrator: .*'verlet'"):
        sc.load_model(robot, world=wrong, base='free')


def test_names_that_robot_and_world_share_stay_those_of_the_robot(write_model):
    robot = write_model(ROBOT.replace('"trunk"', '"floor"'), 'robot.urdf')
    model = sc.load_model(robot, world='floor', base='free')
    assert model.body_names == ('floor', 'foot', 'world_floor')


def test_a_model_file_is_put_into_a_world(write_model):
    ball = write_model(
        'name: b\ndimension: 3\nbodies: {b: {mass: 1, shapes: [{type: sphere, radius: 0.3}]}}\n'
    )
    model = sc.load_model(ball, world='floor')
    assert height(model, 'b') == pytest.approx(0.3, abs=2e-6)
    assert sc.load_model(ball, world='floor', pose=[0, 0, 5, 0, 0, 0]).bodies[
        0
    ].initial.position == (0, 0, 5)


def test_a_model_file_keeps_its_own_settings_in_a_world(robot, write_model):
    text = 'name: r\ndimension: 3\ngravity: [0, 0, -3]\ninclude: [{urdf: robot.urdf, base: free}]'
    world = write_model(MINE, 'mine.yaml')
    model = sc.load_model(write_model(text), world=world)
    assert (model.name, model.duration, model.parameters['gravity.z']) == ('r', 3, -3)
    assert any('`gravity` is ignored' in note for note in model.notes)
    assert height(model) == pytest.approx(1.05, abs=2e-6)


def test_lists_of_pairs_decide_only_among_their_own_bodies(write_model):
    """Robot and world alike: pairs across collide, and named neighbours stay named."""
    ball = '{mass: 1, shapes: [{type: sphere, radius: 0.1}]'
    hinge = f'{ball}, joint: {{type: revolute, parent: a, axis: [0, 1, 0]}}}}'
    bodies = f'bodies: {{a: {ball}}}, b: {hinge}, c: {ball}}}}}'
    robot = write_model(f'dimension: 3\ncollide: [[a, b]]\n{bodies}', 'robot.yaml')
    listed = f'dimension: 3\ncollide: [[d, e]]\nbodies: {{d: {ball}}}, e: {ball}}}, f: {ball}}}}}'
    world = write_model(listed, 'listed.yaml')
    assert sc.load_model(robot).pairs == (('a', 'b'),)
    on_floor = {(name, 'floor') for name in 'abc'}
    assert set(sc.load_model(robot, world='floor').pairs) == on_floor | {('a', 'b')}
    both = sc.load_model(robot, world=world)
    across = {(robot, world) for robot in 'abc' for world in 'def'}
    assert set(both.pairs) == across | {('a', 'b'), ('d', 'e')}
    again = sc.load_model(write_model(both.to_yaml(), 'again.yaml'))
    assert again.pairs == both.pairs
    empty = write_model(f'dimension: 3\ncollide: []\n{bodies}', 'empty.yaml')
    assert set(sc.load_model(empty, world='floor').pairs) == on_floor


def test_pairs_with_bodies_of_the_world_can_be_excluded(robot):
    options = {'world': 'floor', 'base': 'free'}
    assert sc.load_model(robot, **options).pairs == (('floor', 'foot'), ('floor', 'trunk'))
    model = sc.load_model(robot, **options, exclude=[('trunk', 'fl*')])
    assert model.pairs == (('floor', 'foot'),)
    with pytest.raises(sc.OptionError) as caught:
        sc.load_model(robot, **options, exclude=[('trunk', 'flor')], initial={'lg': 1})
    assert "no body 'flor'; did you mean 'floor'" in str(caught.value)
    assert 'initial.lg' in str(caught.value)


@pytest.mark.parametrize('bodies', ['3', '[a]', '{a: 1}', '{a: {joint: 1}}'])
def test_faults_of_a_model_in_a_world_are_those_of_the_model(bodies, write_model):
    assert faults(write_model(f'dimension: 3\nbodies: {bodies}'), world='floor')


def test_a_world_that_cannot_be_is_told(robot, write_model):
    with pytest.raises(sc.OptionError, match="did you mean 'floor'"):
        sc.load_model(robot, world='flor')
    with pytest.raises(sc.ModelError, match='cannot be read'):
        sc.load_model(robot, world='nothing.yaml')
    with pytest.raises(sc.OptionError, match='planar'):
        sc.load_model(robot, world=write_model('bodies: {}', 'flat.yaml'))


def test_a_robot_held_by_servos_stands_where_it_starts(robot):
    model = sc.load_model(robot, 'free', world='floor', servo='auto', initial={'leg': 0.1})
    simulation = sc.Simulation(model)
    simulation.step(200)
    # The leg gives way by the weight of the robot over the gain of the servo: 2 kg, 900 N/m.
    assert simulation.q[2] == pytest.approx(0.65 - 0.022, abs=2e-3)


@pytest.mark.parametrize(
    'pose',
    [
        sc.Pose([0.5, 0.0, 2.0], [0.0, 0.0, 0.0, 1.0]),
        [0.5, 0.0, 2.0],
        (0.5, 0.0, 2.0, 0.0, 0.0, 0.0),
        {'position': [0.5, 0.0, 2.0]},
    ],
    ids=['Pose', 'three', 'six', 'mapping'],
)
def test_a_pose_may_be_given_in_any_form(pose, robot):
    for base in ('fixed', 'free'):
        model = sc.load_model(robot, world='floor', base=base, pose=pose)
        assert StartPose(model).frames['trunk'][1].tolist() == [0.5, 0.0, 2.0]
