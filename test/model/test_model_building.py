"""Models built in Python, written and read again; parameters, live symbols, materials, pairs."""

from helpers.model_texts import RICH, with_masses
from helpers.places import URDF
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.expressions import Formula
from symcontact_ros.model.installed_files import shipped_models

PARTS = (
    *('name', 'dimension', 'gravity', 'symbols', 'bodies', 'materials', 'pair_materials'),
    *('collide', 'sensors', 'initial_overlap', 'duration', 'pairs', 'joint_names'),
    'own_settings',
)

JOINTS = """\
dimension: 3
parameters: {a: {value: 0.3, min: 0, max: 1, unit: m, description: "a: b", latex: '\\alpha'}, b: 1e-5}
materials:
  default: {stiffness: auto, restitution: 0.7}
  steel: {law: hunt_crossley, stiffness: 1e9 * a, damping: b, friction: 0, slip_speed: 1e-3}
  soft: {law: linear, rest_depth: a / 100, restitution: 0.3, impact_speed: 2}
  own: {law: {normal: k * rho**2 * (1 - c * v_n) * a, tangent: mu * f_n * tanh(v_t / vs)}}
  pairs: [{bodies: [flier, ground], material: steel}, {bodies: [roller, flier], material: own}]
bodies:
  ground: {fixed: true, initial: {position: [0, 0, -1], rpy: [0.1, 0, 0]},
           shapes: [{type: half_space, normal: [0, 1, 1], offset: a}]}
  flier:
    mass: 1 + a
    shapes: [{type: capsule, radius: a, half_length: 1}, {type: cylinder, radius: b, half_length: 1}]
    joint: {type: free}
    sites: {nose: {position: [a, 0, 0], quaternion: [0, 0, 1, 1]}, tail: {}}
    initial: {position: [0, 0, a], quaternion: [1, 0, 0, 1], velocity: [1, a, 3],
              angular_velocity: [0, 0, b]}
  glider: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1, ixy: 0.1, ixz: -0.1, iyz: b},
           joint: {type: planar, parent: ground, origin: {xyz: [0, 0, a], rpy: [0, a, 0]}},
           initial: {position: [1, 2, 0], angle: a, velocity: [1, 0, 0], angular_velocity: 2}}
  wheel:
    mass: 2
    com: [0, a, 0]
    inertia: {ixx: a, iyy: a, izz: a}
    joint: {type: revolute, name: axle, parent: flier, axis: [0, 3, 4], damping: 0.1,
            stiffness: a, rest_position: 0.2, friction: b, armature: 0.01,
            limits: {lower: -a, upper: 1, stiffness: 1e5, damping: 10}, servo: {kp: 100, kd: a}}
    initial: {position: a, velocity: -1}
  roller: {mass: 3, shapes: [{type: box, size: [a, 1, 2]}],
           joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: [5, 0, 0]}}}
  ball: {mass: 1, shapes: [{type: sphere, radius: 1}], joint: {type: spherical, parent: roller},
         initial: {rpy: [0, 0, a], angular_velocity: [1, 0, 0]}}
  tip: {joint: {type: fixed, parent: wheel, origin: {xyz: [0, 0, 1], quaternion: [0, 1, 0, 1]}}}
sensors:
- {type: imu, site: nose, name: gyro, noise: {angular_velocity: 0.01}}
- {type: force_torque, joint: axle}
collide: [[flier, ground], [roller, flier], [wheel, flier]]
initial_overlap: refuse
duration: a * 10
integrator: implicit
detector: co
step_size: a / 600
"""  # noqa: E501 - one line per thing


def parts(model):
    return {part: getattr(model, part) for part in PARTS}


@pytest.mark.parametrize('name', ['joints', 'rich', *shipped_models(), 'arm', 'all_joints'])
def test_what_is_written_reads_the_same(name, write_model):
    texts = {'joints': JOINTS, 'rich': RICH}
    urdf = URDF / f'{name}.urdf'
    if name in texts:
        model = sc.load_model(write_model(texts[name]))
    elif urdf.is_file():
        model = sc.load_model(write_model(with_masses(urdf.read_text()), urdf.name))
    else:
        model = sc.load_model(name)
    text = model.to_yaml()
    again = sc.load_model(write_model(text, 'again.yaml'))
    assert parts(again) == parts(model)
    assert again.to_yaml() == text


def test_a_model_is_built_piece_by_piece_with_shapes_mappings_and_arrays(tmp_path, write_model):
    model = sc.Model('tower', dimension=3, gravity=np.array([0, 0, -1.62]))
    model.add_parameter('R', 0.2, min=0.1, max=0.5, unit='m')
    model.add_material('default', stiffness=1e6, damping=np.float64(0.1))
    model.add_body('floor', fixed=True, shapes=[sc.HalfSpace((0, 0, 2), 0.5)])
    bump = {'type': 'sphere', 'radius': 'R', 'pose': {'position': [0, 'R', 0]}}
    start = {'position': np.array([0, 0, 1.0])}
    model.add_body('ball', mass=np.int64(2), shapes=[sc.Sphere(0.2), bump], initial=start)
    model.add_body('hull', mass=1, shapes=[sc.ConvexHull(np.vstack([np.zeros(3), np.eye(3)]))])
    model.set(collide=[('ball', 'floor')], duration=2)
    assert model.pairs == (('ball', 'floor'),)
    assert model.duration == 2.0
    assert model.parameters['gravity.z'] == -1.62
    text = model.to_yaml(tmp_path / 'tower.yaml')
    assert (tmp_path / 'tower.yaml').read_text() == text
    assert parts(sc.load_model(tmp_path / 'tower.yaml')) == parts(model)


def test_a_faulty_addition_leaves_the_model_as_it_was():
    model = sc.Model('m')
    model.add_body('a', mass=1, inertia={'izz': 1})
    before = parts(model)
    with pytest.raises(sc.ModelError, match=r'm: bodies\.b\.mass: must be >= 0, got -1'):
        model.add_body('b', mass=-1, inertia={'izz': 1})
    with pytest.raises(sc.ModelError, match=r'bodies\.a: already exists'):
        model.add_body('a', mass=1, inertia={'izz': 1})
    assert parts(model) == before


def test_a_formula_may_stand_wherever_a_number_does(write_model):
    formulas = sc.load_model(write_model(JOINTS))
    values = {'a': 0.3, 'b': 1e-5}
    for body in formulas.bodies:
        for scalar in (body.mass, *body.com, *body.inertia, *body.joint.origin.position):
            assert np.isfinite(formulas.number(scalar))
    wheel = formulas.body('wheel')
    assert wheel.joint.axis == pytest.approx((0, 0.6, 0.8))
    assert formulas.number(wheel.joint.limits.lower) == -values['a']
    assert formulas.number(formulas.body('flier').mass) == 1.3
    assert formulas.number(formulas.materials['steel'].stiffness) == pytest.approx(3e8)
    assert formulas.duration == pytest.approx(3.0)


def test_the_live_symbols_are_those_of_the_design(write_model):
    model = sc.load_model(write_model(JOINTS))
    materials = [
        f'materials.{name}.{constant}'
        for name in ('default', 'steel', 'soft', 'own')
        for constant in ('stiffness', 'damping', 'friction', 'slip_speed')
        if (name, constant) not in (('steel', 'stiffness'), ('steel', 'damping'))
    ]
    materials += [
        f'materials.{name}.{constant}'
        for name in ('default', 'soft')  # without slip_speed: they stick
        for constant in ('presliding', 'torsional_radius')
    ]
    assert sorted(model.parameters) == sorted([
        *('a', 'b', 'gravity.x', 'gravity.y', 'gravity.z'),
        *('glider.mass', 'wheel.mass', 'roller.mass', 'ball.mass'),  # flier.mass is a formula
        *('axle.damping', 'roller.damping', 'roller.stiffness'),  # axle.stiffness too
        'axle.kp',  # axle.kd too
        *materials,
    ])  # fmt: skip
    symbol = model.symbols['a']
    assert (symbol.minimum, symbol.maximum, symbol.unit, symbol.latex) == (0, 1, 'm', '\\alpha')
    assert symbol.description == 'a: b'


@pytest.mark.parametrize('value', [0, 1, -1])
def test_a_parameter_at_0_or_1_stays_live(value):
    model = sc.Model()
    model.add_parameter('p', value)
    model.add_body('a', mass=1, com=['p', 0, 0], inertia={'izz': '1 + p**2'})
    assert model.body('a').com[0] == Formula.symbol('p')
    assert 'p' in set(model.body('a').inertia[2].names())


def test_overrides_reach_every_live_symbol_and_what_is_written(write_model):
    changes = {
        'a': 0.5, 'gravity.y': 1.0, 'wheel.mass': 5.0, 'axle.damping': 0.7,
        'materials.soft.stiffness': 123.0, 'materials.own.damping': 0.25,
    }  # fmt: skip
    path = write_model(JOINTS)
    model = sc.load_model(path, parameters=changes)
    assert {name: model.parameters[name] for name in changes} == changes
    again = sc.load_model(write_model(model.to_yaml(), 'again.yaml'))
    assert again.parameters == model.parameters
    model.add_body('more', mass=1, shapes=[sc.Sphere(1.0)])
    assert {name: model.parameters[name] for name in changes} == changes
    assert sc.load_model(path).parameters['a'] == 0.3


@pytest.mark.parametrize(
    ('overrides', 'reason'),
    [
        ({'a': 2.0}, r'a: value 2 is outside \[0, 1\]'),
        ({'a': float('nan')}, 'a: must be finite'),
        ({'a': 'x'}, "a: unknown parameter 'x'"),
        ({'a': None}, 'a: a number is needed'),
        ({'a': True}, 'a: a number is needed'),
        ({'wheel.mass': -1}, r'mass: value -1 is outside \[1e-12, inf\]'),
        ({'flier.mass': 1}, "no live symbol 'flier.mass'"),
        ({'x.': 1}, "no live symbol 'x.'"),
        ({3: 1}, "no live symbol '3'"),
    ],
)
def test_bad_overrides_are_told(overrides, reason, write_model):
    with pytest.raises(sc.ModelError, match=reason):
        sc.load_model(write_model(JOINTS), parameters=overrides)


LINK = """<link name="{}"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
PALM = LINK.format('palm')
ROBOT = f"""<robot name="r">{{root}}{LINK.format('hand')}
<joint name="wrist" type="continuous"><parent link="{{parent}}"/><child link="hand"/>
<origin xyz="1 0 0" rpy="0 0 0.5"/><axis xyz="0 0 1"/></joint></robot>"""
CART = 'dimension: 3\nbodies: {cart: {mass: 1, shapes: [{type: sphere, radius: 1}]}}\n'


@pytest.fixture
def include(write_model):
    """Return a function that loads a model which includes a small robot."""

    def load(keys, root=PALM, parent='palm'):
        write_model(ROBOT.format(root=root, parent=parent), 'robot.urdf')
        return sc.load_model(write_model(f'{CART}include: [{{urdf: robot.urdf, {keys}}}]'))

    return load


def test_an_included_robot_brings_its_bodies_under_a_prefix(include, write_model):
    model = include('prefix: arm_')
    assert model.body_names == ('cart', 'arm_palm', 'arm_hand')
    assert model.joint_names == ('arm_wrist',)
    assert model.body('arm_palm').joint.type == 'fixed'
    assert 'arm_hand.mass' in model.parameters
    assert parts(sc.load_model(write_model(model.to_yaml(), 'again.yaml'))) == parts(model)


def test_an_included_robot_stands_where_its_pose_says(include):
    pose = 'pose: {position: [1, 2, 3], rpy: [0, 0, 1]}'
    palm = include(pose).body('palm')
    assert (palm.joint.origin.position, palm.joint.origin.rotation.rpy) == ((1, 2, 3), (0, 0, 1))
    palm = include(f'{pose}, base: free').body('palm')
    assert palm.joint.type == 'free'
    assert (palm.initial.position, palm.initial.rotation.rpy) == ((1, 2, 3), (0, 0, 1))


def test_a_robot_whose_root_is_the_world_is_moved_by_its_pose_too(include):
    pose = 'pose: {position: [1, 2, 3], rpy: [0, 0, 1]}'
    origin = include(pose, root='<link name="world"/>', parent='world').body('hand').joint.origin
    assert origin.position == pytest.approx((1 + np.cos(1), 2 + np.sin(1), 3))
    assert origin.rotation.evaluated({}) == pytest.approx((0, 0, np.sin(0.75), np.cos(0.75)))


# Solutions of x - ln(1 + x) = -e x - ln(1 - e x): x = damping * impact speed.
RESTITUTIONS = {0.9: 0.16648, 0.8: 0.37315, 0.7: 0.63483, 0.5: 1.43275, 0.3: 3.08708}


@pytest.mark.parametrize(('restitution', 'x'), RESTITUTIONS.items())
def test_restitution_chooses_the_damping_of_the_exact_law(restitution, x):
    model = sc.Model()
    model.add_body('a', mass=1, inertia={'izz': 1})
    model.add_material('m', stiffness=1e5, restitution=restitution, impact_speed=2.0)
    assert model.parameters['materials.m.damping'] == pytest.approx(x / 2.0, abs=3e-6)


@pytest.mark.parametrize(
    ('law', 'n'), [('elastic_plastic', 3), ('hunt_crossley', 1.5), ('linear', 1)]
)
def test_rest_depth_chooses_the_stiffness_that_carries_the_heaviest_body(law, n):
    model = sc.Model(gravity=[0, -2, 0])
    model.add_body('light', mass=1, shapes=[sc.Circle(0.2)])
    model.add_body('heavy', mass=3, shapes=[sc.Rectangle((0.05, 1.0))])
    model.add_material('m', law=law, rest_depth=0.01)
    assert model.parameters['materials.m.stiffness'] == pytest.approx(6 / 0.01**n)
    # Without any word the depth is 0.5 % of the smallest size, here the width of 0.1 m.
    assert model.parameters['materials.default.stiffness'] == pytest.approx(6 / 0.0005**3)
    assert any('materials.default' in note and '0.5 mm' in note for note in model.notes)


def test_a_custom_law_is_a_pair_of_formulas(write_model):
    own = sc.load_model(write_model(JOINTS)).materials['own']
    assert own.law == 'custom'
    assert {'k', 'rho', 'c', 'v_n', 'a'} == set(own.normal.names())
    assert {'mu', 'f_n', 'v_t', 'vs'} == set(own.tangent.names())


def test_pairs_have_their_materials_and_others_the_default(write_model):
    model = sc.load_model(write_model(JOINTS))
    assert model.material('ground', 'flier') is model.materials['steel']
    assert model.material('flier', 'roller') is model.materials['own']
    assert model.material('ball', 'ground') is model.materials['default']


def test_neighbours_touch_only_where_listed_and_still_bodies_never():
    model = sc.Model()
    circle = [sc.Circle(0.1)]
    model.add_body('ground', fixed=True, shapes=circle)
    model.add_body('post', joint={'type': 'fixed', 'parent': 'ground'}, shapes=circle)
    model.add_body('arm', mass=1, joint={'type': 'revolute', 'parent': 'post'}, shapes=circle)
    model.add_body('hand', mass=1, joint={'type': 'revolute', 'parent': 'arm'}, shapes=circle)
    model.add_body('ghost', mass=1, inertia={'izz': 1})
    assert model.pairs == (('ground', 'hand'), ('hand', 'post'))  # the post is part of the ground
    model.set(collide=[['hand', 'arm'], ['post', 'ground'], ['ghost', 'arm']])
    assert model.pairs == (('arm', 'hand'),)
