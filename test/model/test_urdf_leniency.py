"""URDF files as they are in the wild: read as other loaders do, and what was made of them said."""

import math

from helpers.places import URDF
import numpy as np
import pytest

from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.model.urdf.frames import rotation, rpy_of, turn_of_z
from symcontact_ros.model.urdf.loader import read_urdf
from symcontact_ros.placements import matrix

pytest.importorskip('lxml', reason='the urdf extra is not installed')

ARM = (URDF / 'arm.urdf').read_text()
BALL = '<collision><geometry><sphere radius="1"/></geometry></collision>'
SOLID = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


def joined(kind, inside=''):
    """Return a joint of the two links of a robot."""
    ends = '<parent link="base"/><child link="upper"/>'
    return f'<joint name="elbow" type="{kind}">{ends}{inside}</joint>'


def robot(base='', upper=SOLID, joint='', after=''):
    """Return a robot of two links."""
    links = f'<link name="base">{base}</link><link name="upper">{upper}</link>'
    return f'<robot name="r">{links}{joint or joined("continuous")}{after}</robot>'


def read(path, **options):
    description = read_urdf(path, **options)
    assert description.faults == []
    return description


# Prologues

BODY = '\n<robot name="r"><link name="a"/></robot>'


@pytest.mark.parametrize(
    'text',
    [
        '<?xml version="0.0" ?>' + BODY,
        "<?xml version='1.1' encoding='utf-8'?>" + BODY,
        '\ufeff<?xml version="1.0"?>' + BODY,
        '\ufeff' + BODY,
        ' \n\t<?xml version="1.0"?>' + BODY,
        '<!-- a licence -->\n<!-- and more -->\n<?xml version="1.0"?>' + BODY,
        '<?xml version="1.0"?><!-- a -- b --->' + BODY,
        '<?xml version="1.0" encoding="iso-8859-1"?><!-- \u00e4 -->' + BODY,
        BODY.replace('<link', '<xacro:x/><link'),
    ],
)
def test_prologues_of_the_wild_are_read(text, write_urdf):
    path = write_urdf(text.encode('latin-1' if '8859' in text else 'utf-8'))
    assert list(read(path).data['bodies']) == ['a']


def test_lines_are_counted_from_the_first_one(write_urdf):
    text = '<!--\n\n-->\n<?xml version="0.0"?>\n<robot name="r">\n<link/>\n</robot>'
    assert read_urdf(write_urdf(text)).faults[-1].line == 6


def test_what_follows_the_robot_is_left_out(write_urdf):
    path = write_urdf(BODY + '\nrubbish')
    assert read(path).warnings == [f'{path}:3: what follows the first element is left out']


def test_a_doctype_is_refused_behind_any_prologue(write_urdf):
    text = '\n<!-- x --><?xml version="0.0"?><!DOCTYPE r [<!ENTITY x "y">]><robot name="&x;"/>'
    [fault] = read_urdf(write_urdf(text)).faults
    assert 'has a DOCTYPE' in fault.reason


# Numbers


@pytest.mark.parametrize(
    ('text', 'value', 'doubt'),
    [
        ('2.', 2.0, ''),
        ('+2', 2.0, ''),
        ('.5', 0.5, ''),
        (' 1e-3\t', 1e-3, ''),
        ('1.5f', 1.5, "ends in 'f', which is left out"),
        ('1.57.', 1.57, "ends in '.', which is left out"),
        ('$(optenv MASS 3)', 3.0, 'its default is read'),
    ],
)
def test_numbers_of_the_wild_are_read(text, value, doubt, write_urdf):
    description = read(write_urdf(ARM.replace('value="2"', f'value="{text}"')))
    assert description.data['bodies']['upper']['mass'] == value
    assert bool(doubt) == bool(description.warnings)
    assert all(doubt in warning for warning in description.warnings)


@pytest.mark.parametrize(
    ('text', 'doubt'),
    [
        ('1 2 3 4', 'has 4 numbers, of which the first 3 are read'),
        ('1, 2, 3', 'has commas, which are read as spaces'),
        ('1,2,3', 'has commas, which are read as spaces'),
    ],
)
def test_triples_of_the_wild_are_read(text, doubt, write_urdf):
    description = read(write_urdf(ARM.replace('xyz="0 0 1"/>\n<mass', f'xyz="{text}"/>\n<mass')))
    assert description.data['bodies']['upper']['com'] == [1.0, 2.0, 3.0]
    [warning] = description.warnings
    assert doubt in warning


# Elements


@pytest.mark.parametrize(
    ('old', 'new', 'line', 'key', 'warning'),
    [
        ('<mass value="2"/>', '', 4, 'mass', '<inertial> has no <mass>: 0 kg'),
        ('ixx="1"', '', 6, 'inertia.ixx', '<inertia> has no `ixx`: 0 kg m^2'),
        ('<inertia ixx="1" iyy="1" izz="1"/>', '', 4, 'inertia', 'has no <inertia>: 0 kg m^2'),
        ('<sphere radius="1"/>', '', 8, 'shapes[0]', 'no <geometry> with a shape'),
        ('sphere radius', 'cone radius', 9, 'shapes[0]', '<cone> is not a shape; shapes are'),
        ('radius="1"', 'radius="0"', 9, 'shapes[0]', '<sphere> has a size of 0'),
        ('sphere radius="1"', 'mesh', 9, 'shapes[0]', '<mesh> has no `filename`'),
        ('sphere radius="1"', 'plane', 8, 'shapes[0]', 'infinite, and this link can move'),
        ('<axis xyz="0 0 1"', '<axis xyz="0 0 0"', 15, 'joint.axis', 'no direction: 1 0 0'),
        (
            '<limit lower="-1" upper="1"/>',
            '',
            12,
            'joint.limits',
            'has no <limit>: it has no stop',
        ),
        ('lower="-1" upper="1"', 'effort="1"', 16, 'joint.limits', 'and `upper`: no stops'),
        ('lower="-1"', 'lower="2"', 16, 'joint.limits', 'lower 2 is above upper 1: no stops'),
    ],
)
def test_what_others_read_is_a_warning(old, new, line, key, warning, write_urdf):
    assert ARM.count(old) == 1
    path = write_urdf(ARM.replace(old, new))
    [found] = read(path).warnings
    assert found.startswith(f'{path}:{line}: bodies.upper.{key}: ')
    assert warning in found


def test_stops_at_infinity_are_none(write_urdf):
    endless = ARM.replace('lower="-1" upper="1"', 'lower="-inf" upper="1.797e308"')
    description = read(write_urdf(endless))
    assert 'limits' not in description.data['bodies']['upper']['joint']
    assert description.warnings == []
    endless = ARM.replace('lower="-1"', 'lower="-inf"')
    assert read(write_urdf(endless)).data['bodies']['upper']['joint']['limits'] == {'upper': 1.0}


def test_an_effort_of_zero_is_no_limit_and_said_once(write_urdf):
    weak = '<limit lower="-1" upper="1" effort="0" velocity="2"/>'
    description = read(write_urdf(ARM.replace('<limit lower="-1" upper="1"/>', weak)))
    limits = description.data['bodies']['upper']['joint']['limits']
    assert limits == {'lower': -1.0, 'upper': 1.0, 'velocity': 2.0}
    [warning] = description.warnings
    assert warning.endswith(': bodies: <limit effort="0"> is read as no limit: elbow')


def test_a_plane_is_a_half_space(write_urdf):
    plane = '<collision><geometry><plane normal="0 1 0"/></geometry></collision>'
    description = read(write_urdf(robot(base=plane)))
    [shape] = description.data['bodies']['base']['shapes']
    assert (shape['type'], shape['normal']) == ('half_space', [0.0, 1.0, 0.0])
    assert Model.from_description(description).warnings == ()


def test_quaternions_of_origins_are_read(write_urdf):
    half = math.sqrt(0.5)
    turned = f'<origin xyz="0 0 1" quat_xyzw="0 {half} 0 {half}"/>'
    description = read(write_urdf(robot(joint=joined('continuous', turned))))
    origin = description.data['bodies']['upper']['joint']['origin']
    assert origin['xyz'] == [0.0, 0.0, 1.0]
    assert origin['rpy'] == pytest.approx([0.0, math.pi / 2, 0.0], abs=1e-15)


def test_rotations_become_angles_and_back_at_right_angles_too():
    generator = np.random.default_rng(1)
    for pitch in (0.3, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9):
        turn = rotation([*generator.uniform(-3, 3, 1), pitch, *generator.uniform(-3, 3, 1)])
        # rounding of products of sines: a few units in the last place
        assert rotation(rpy_of(turn)) == pytest.approx(turn, abs=1e-15)


def test_names_that_would_be_the_same_get_numbers(write_urdf):
    text = robot().replace('"base"', '"b.c"').replace('"upper"', '"b-c"')
    description = read(write_urdf(text))
    assert list(description.data['bodies']) == ['b_c', 'b_c_2']
    assert description.data['bodies']['b_c_2']['joint']['parent'] == 'b_c'
    assert description.names == {'b.c': 'b_c', 'b-c': 'b_c_2'}
    [warning] = description.warnings
    assert "link 'b-c' is called 'b_c_2' here: there is another 'b_c'" in warning


def test_contact_of_bullet_is_noted_once(write_urdf):
    contact = '<contact><lateral_friction value="1"/></contact>'
    description = read(write_urdf(robot(base=contact, upper=SOLID + contact)))
    [note] = description.notes
    assert '<contact> of 2 links is not read' in note


# Joints


@pytest.mark.parametrize('axis', [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.6, 0.0, 0.8), (1, 2, 3)])
def test_a_planar_joint_moves_across_its_axis(axis, write_urdf):
    inside = f'<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="{axis[0]} {axis[1]} {axis[2]}"/>'
    model = load_model(write_urdf(robot(joint=joined('planar', inside))))
    unit = np.array(axis) / np.linalg.norm(axis)
    joint_frame = rotation([0.1, 0.2, 0.3])
    still = StartPose(model, q=np.zeros(3)).frames['upper']
    assert still[1] == pytest.approx([1.0, 2.0, 3.0], abs=1e-15)
    assert still[0] == pytest.approx(joint_frame, abs=1e-15)
    turned, moved = StartPose(model, q=np.array([0.3, -0.4, 0.5])).frames['upper']
    way = joint_frame.T @ (moved - still[1])
    assert unit @ way == pytest.approx(0.0, abs=1e-15)
    assert np.linalg.norm(way) == pytest.approx(0.5)
    half = math.sin(0.25)
    about = matrix((*(half * unit), math.cos(0.25)))
    assert turned == pytest.approx(joint_frame @ about, abs=1e-15)


def test_the_turn_of_z_is_a_rotation():
    for axis in ([0, 0, 1], [0, 0, -1], [1, 0, 0], [0.6, 0, -0.8], [1e-7, 0, -1.0]):
        turn = turn_of_z(np.array(axis) / np.linalg.norm(axis))
        assert turn @ turn.T == pytest.approx(np.eye(3), abs=1e-8)
        assert np.linalg.det(turn) == pytest.approx(1.0)


@pytest.mark.parametrize('kind', ['floating', 'planar', 'spherical'])
def test_joints_of_several_degrees_of_freedom_start_at_their_origin(kind, write_urdf):
    inside = '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 1"/>'
    model = load_model(write_urdf(robot(joint=joined(kind, inside))))
    q, u = initial_state(model, model.parameters)
    rest = {'floating': [0] * 6 + [1], 'planar': [0] * 3, 'spherical': [0, 0, 0, 1]}[kind]
    assert q.tolist() == rest
    assert not u.any()


def test_limits_of_spherical_joints_are_left_out_with_a_warning(write_urdf):
    [warning] = read(write_urdf(ARM.replace('"revolute"', '"spherical"'))).warnings[:1]
    assert '<limit> of a spherical joint is left out' in warning


# Roots


def test_fixed_scenery_is_a_model_with_a_note(write_urdf):
    model = load_model(write_urdf(f'<robot name="r"><link name="a">{BALL}</link></robot>'))
    assert model.speed_count == 0
    assert model.warnings == ()
    assert model.notes[0] == 'no body can move: this is fixed scenery'


def test_a_base_that_is_fixed_without_being_said_so_is_noted(write_urdf):
    path = write_urdf(robot(base=SOLID))
    [note] = read(path).notes
    assert note.startswith(f'{path}:1: bodies.base: the base, 2 kg, is fixed in the world')
    assert 'base: free' in note
    assert read(path, base='free').notes == []
    assert read(write_urdf(robot(base=SOLID).replace('"base"', '"world"'))).notes == []
    assert read(write_urdf(robot())).notes == []  # a base without mass is no mobile one


def test_a_world_with_shapes_is_a_fixed_body_of_another_name(write_urdf):
    description = read(write_urdf(robot(base=BALL).replace('"base"', '"world"')))
    bodies = description.data['bodies']
    assert bodies['world_link']['joint'] == {'type': 'fixed'}
    assert len(bodies['world_link']['shapes']) == 1
    assert bodies['upper']['joint']['parent'] == 'world_link'
    assert description.names == {'world': 'world_link'}
    [warning] = description.warnings
    assert "it is the fixed body 'world_link'" in warning


@pytest.mark.parametrize('inside', ['', BALL])
def test_a_free_base_below_the_world_is_free(inside, write_urdf):
    held = joined('fixed', '<origin xyz="0 0 1" rpy="0 0 0.5"/>')
    text = robot(base=inside, joint=held).replace('"base"', '"world"')
    description = read(write_urdf(text), base='free')
    upper = description.data['bodies']['upper']
    assert upper['joint'] == {'name': 'elbow', 'type': 'free'}
    assert upper['initial'] == {'position': [0.0, 0.0, 1.0], 'rpy': [0.0, 0.0, 0.5]}
    assert description.freed == ['elbow']
    assert (
        "its joint 'elbow' to the root link 'world' is fixed in the file" in description.notes[0]
    )
    assert Model.from_description(description).speed_count == 6


# Files beside


def system(value, joint='elbow', interface='position'):
    parameter = f'<param name="initial_value">{value}</param>'
    state = f'<state_interface name="{interface}">{parameter}</state_interface>'
    return f'<ros2_control name="s"><joint name="{joint}">{state}</joint></ros2_control>'


def test_initial_values_of_ros2_control_are_where_joints_start(write_urdf):
    description = read(write_urdf(robot(after=system(' 0.5 ') + system(2, interface='velocity'))))
    assert description.data['bodies']['upper']['initial'] == {'position': 0.5, 'velocity': 2.0}
    model = Model.from_description(description)
    assert initial_state(model, model.parameters)[0].tolist() == [0.5]


@pytest.mark.parametrize(
    ('text', 'reason'),
    [
        (robot(after=system(1, joint='wrist')), 'there is no such joint'),
        (robot(after=system('x')), "initial_value 'x' is left out: is not a number"),
        (robot(joint=joined('fixed'), after=system(1)), "joint 'elbow' is fixed"),
        (
            robot(joint=joined('continuous', '<mimic joint="knee"/>'), after=system(1)),
            "joint 'elbow' mimics 'knee', which places it",
        ),
    ],
)
def test_initial_values_that_cannot_be_are_left_out_with_a_warning(text, reason, write_urdf):
    description = read(write_urdf(text))
    assert 'initial' not in description.data['bodies']['upper']
    [warning] = description.warnings
    assert reason in warning


@pytest.mark.parametrize('place', ['robot.srdf', '../srdf/robot.srdf', '../config/other.srdf'])
def test_the_srdf_beside_the_file_says_which_links_never_collide(place, tmp_path):
    urdf = tmp_path / 'urdf' / 'robot.urdf'
    srdf = urdf.parent / place
    for path, text in (
        (urdf, robot(base=BALL, upper=SOLID + BALL)),
        (
            srdf,
            '<robot name="r"><disable_collisions link1="upper" link2="base"/>'
            '<disable_collisions link1="upper" link2="none"/></robot>',
        ),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    description = read(urdf)
    assert description.data['exclude'] == [['base', 'upper']]
    assert Model.from_description(description).pairs == ()
    [note] = description.notes
    assert '1 pair of links left out' in note
    assert note.endswith(srdf.name)


def test_an_srdf_of_another_robot_or_a_damaged_one_is_left_out(write_urdf, tmp_path):
    path = write_urdf(robot())
    other = tmp_path / 'other.srdf'
    other.write_text('<robot name="o"><disable_collisions link1="a" link2="b"/></robot>')
    assert read(path).notes == []
    other.rename(tmp_path / 'robot.srdf').write_text('<!DOCTYPE r []><robot/>')
    [warning] = read(path).warnings
    assert 'robot.srdf:1: left out: has a DOCTYPE' in warning


# Round trips

THIN = '<inertial><mass value="1"/><inertia ixx="0" iyy="-2e-22" izz="3e-6"/></inertial>'


def test_what_was_loaded_with_warnings_is_changed_written_and_read_again(write_urdf, tmp_path):
    text = robot(base=THIN + '<collision/>', upper=SOLID, joint=joined('revolute'))
    model = load_model(write_urdf(text))
    assert len(model.warnings) == 3
    assert sum('breaks the triangle inequality' in warning for warning in model.warnings) == 1
    text = model.to_yaml(tmp_path / 'again.yaml')
    again = load_model(tmp_path / 'again.yaml')
    assert again.bodies == model.bodies
    assert again.to_yaml() == text
    [warning] = again.warnings  # those about elements of the URDF are gone with it
    assert 'breaks the triangle inequality' in warning
    model.set(duration=2.0)
    assert model.duration == 2.0
    assert len(model.warnings) == 3


def test_numbers_are_written_as_they_are(write_urdf, tmp_path):
    generator = np.random.default_rng(2)
    for _ in range(20):
        value = float(generator.uniform(0.1, 10) * 10.0 ** generator.integers(-12, 12))
        model = load_model(write_urdf(ARM.replace('value="2"', f'value="{value!r}"')))
        model.to_yaml(tmp_path / 'again.yaml')
        assert load_model(tmp_path / 'again.yaml').parameters['upper.mass'] == value
