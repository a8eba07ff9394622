"""Bad input is refused with file, line, key and reason, soon, and nothing of it is run."""

import re

from helpers.model_faults import assert_told, faults, text_of
from helpers.places import page
import pytest

import symcontact_ros as sc


@pytest.mark.parametrize('dimension', [2, 3])
def test_the_model_that_is_damaged_below_is_good(dimension, write_model):
    assert sc.load_model(write_model(text_of(dimension=dimension))).dimension == dimension


I3 = 'mass: 1, inertia: {{ixx: {}, iyy: {}, izz: {}}}'
ROD = 'mass: 1, inertia: {izz: 1}, '
REVOLUTE = ROD + 'joint: {type: revolute, %s}'
POLYGON = 'mass: 1, shapes: [{type: polygon, vertices: %s}]'
RECTANGLE = 'mass: 1, shapes: [{type: rectangle, %s}]'
HULL = 'mass: 1, shapes: [{type: convex_hull, vertices: %s}]'
SHAPE = 'mass: 1, shapes: [{%s}]'


@pytest.mark.parametrize(
    ('body', 'key', 'reason'),
    [
        ('mass: -1, inertia: {izz: 1}', 'mass', 'must be >= 0, got -1'),
        ('mass: m - 2, inertia: {izz: 1}', 'mass', 'must be >= 0, got -1'),
        ('mass: 0, inertia: {izz: 1}', 'mass', 'needs a mass'),
        ('mass: m - 1, inertia: {izz: 1}', 'mass', 'needs a mass'),
        ('inertia: {izz: 1}', 'mass', 'is missing'),
        ('mass: 1', 'inertia', 'is missing'),
        ('mass: 1, inertia: {izz: -1}', 'inertia', 'must be >= 0'),
        ('mass: 1, inertia: {izz: 0}', 'inertia', 'must be > 0'),
        ('mass: 1, inertia: 5', 'inertia', 'must be `auto`, or moments: {izz}'),
        ('mass: 1, inertia: {ixx: 1, izz: 1}', 'inertia.ixx', 'unknown key'),
        (ROD + 'joint: {parent: nobody}', 'joint.parent', "unknown body 'nobody'"),
        (ROD + 'joint: {parent: a}', 'joint.parent', 'form a loop: a -> a'),
        (ROD + 'joint: {type: revolut}', 'joint.type', "did you mean 'revolute'?"),
        (ROD + 'joint: {type: free}', 'joint.type', 'must be one of planar'),
        (ROD + 'joint: {damping: 1}', 'joint.damping', 'is for revolute and prismatic'),
        (ROD + 'joint: {axis: [0, 0, 1]}', 'joint.axis', 'is for revolute and prismatic'),
        (REVOLUTE % 'axis: [0, 0, 0]', 'joint.axis', 'must have a length'),
        (REVOLUTE % 'axis: [1, 0, 0]', 'joint.axis', 'turns about z'),
        (REVOLUTE % 'axis: [0, 0, m]', 'joint.axis', 'plain numbers'),
        (ROD + 'joint: {type: prismatic, axis: [0, 0, 1]}', 'joint.axis', 'in the plane'),
        (REVOLUTE % 'limits: {lower: 1, upper: 0}', 'joint.limits.lower', 'not be above'),
        (ROD + 'joint: {origin: {xyz: [0, 0, 1]}}', 'joint.origin', 'z = 0'),
        (ROD + 'joint: {name: b}', 'joint', "another joint has the name 'b'"),
        (ROD + 'fixed: true, joint: {type: planar}', 'fixed', 'contradicts'),
        (ROD + 'fixed: 1', 'fixed', 'must be true or false'),
        (ROD + 'com: [0, 0, 1]', 'com', 'in the plane'),
        (ROD + 'com: [0, 0]', 'com', 'a list of 3 numbers'),
        (ROD + 'com: 0', 'com', 'a list of 3 numbers'),
        (ROD + 'sites: {b: {}}', 'sites.b', 'another body or site'),
        (ROD + 'sites: {world: {}}', 'sites.world', 'another body or site'),
        (ROD + 'sites: [1]', 'sites', 'a mapping'),
        (ROD + 'initial: {position: [0, 0, 1]}', 'initial.position', 'z must be 0'),
        (ROD + 'initial: {velocity: [0, 0, 1]}', 'initial.velocity', 'z must be 0'),
        (ROD + 'shapes: {}', 'shapes', 'a list'),
        (ROD + 'shapes: [circle]', 'shapes[0]', 'a mapping'),
        (ROD + 'shapes: [{radius: 1}]', 'shapes[0].type', 'is missing'),
        (ROD + 'shapes: [{type: half_space}]', 'shapes', 'must be fixed'),
        (SHAPE % 'type: circle, radius: 0', 'shapes[0].radius', 'must be > 0'),
        (SHAPE % 'type: circle, radius: R - 1', 'shapes[0].radius', 'must be > 0'),
        (SHAPE % 'type: sphere, radius: 1', 'shapes[0].type', 'for spatial models'),
        (RECTANGLE % 'size: [1]', 'shapes[0].size', 'list of 2'),
        (RECTANGLE % 'size: [1, 1], half_extents: 1', 'shapes[0].half_extents', 'not both'),
        (POLYGON % '3', 'shapes[0].vertices', 'a list of points'),
        (POLYGON % '[[0, 0], [1, 0], 1]', 'shapes[0].vertices[2]', 'list of 2'),
        (POLYGON % '[[0, 0], [1, 0]]', 'shapes[0]', '3 vertices'),
        (POLYGON % '[[0, 0], [1, 1], [2, 2]]', 'shapes[0]', 'one line'),
        (POLYGON % '[[0, 0], [2, 0], [1, 1], [1, 3]]', 'shapes[0]', 'not convex at vertex 2'),
        (POLYGON % '[[0, 0], [1, 1], [1, 0], [0, 1]]', 'shapes[0]', 'not convex'),
        (POLYGON % '[[0, 3], [2, -2], [-3, 1], [3, 1], [-2, -2]]', 'shapes[0]', 'more than once'),
    ],
)  # fmt: skip
def test_planar_bodies_are_checked(body, key, reason, write_model):
    assert_told(write_model(text_of(body)), 5, f'bodies.a.{key}', reason)


FREE = 'mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, '


@pytest.mark.parametrize(
    ('body', 'key', 'reason'),
    [
        (I3.format(1, 1, -1), 'inertia', 'not positive definite'),
        ('mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1, ixy: 1.5}', 'inertia', 'not positive'),
        (I3.format(1, 1, 3), 'inertia', 'triangle inequality'),
        (I3.format(0, 0, 0), 'inertia', 'must be > 0'),
        ('mass: 1, inertia: {izz: 1}', 'inertia.ixx', 'is missing'),
        ('mass: 1, inertia: Auto', 'inertia', 'must be `auto`, or moments: {ixx'),
        (FREE + 'initial: {quaternion: [0, 0, 0, 0]}', 'initial.quaternion', 'must have a length'),
        (FREE + 'initial: {quaternion: [0, 0, 1]}', 'initial.quaternion', 'list of 4'),
        (FREE + 'initial: {rpy: [0, 0, 0], quaternion: [0, 0, 0, 1]}', 'initial.rpy', 'not both'),
        (FREE + 'joint: {type: revolute, axis: [0, 0, 0]}', 'joint.axis', 'must have a length'),
        (FREE + 'joint: {origin: {quaternion: [0, 0, m, 1]}}', 'joint.origin', 'plain numbers'),
        (SHAPE % 'type: circle, radius: 1', 'shapes[0].type', 'for planar models'),
        (HULL % '[[0, 0, 0], [1, 0, 0], [0, 1, 0]]', 'shapes[0]', '4 points'),
        (HULL % '[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]', 'shapes[0]', 'one plane'),
        (SHAPE % 'type: box, size: [1, 1, -1]', 'shapes[0]', 'must be > 0'),
        (SHAPE % 'type: half_space, normal: [0, 0, 0]', 'shapes[0]', 'must have a length'),
    ],
)  # fmt: skip
def test_spatial_bodies_are_checked(body, key, reason, write_model):
    assert_told(write_model(text_of(body, 3)), 5, f'bodies.a.{key}', reason)


PAIR = 'materials.pairs[0]'
PAIRS = 'materials: {pairs: [{bodies: %s, material: default}]}'


@pytest.mark.parametrize(
    ('line', 'key', 'reason'),
    [
        ('gravty: [0, 0, 0]', 'gravty', "did you mean 'gravity'?"),
        ('gravity: [0, 0, 1]', 'gravity', 'in the plane'),
        ('gravity: down', 'gravity', 'a list of 3 numbers'),
        ('duration: -1', 'duration', 'must be > 0'),
        ('step_size: 0', 'step_size', 'must be > 0'),
        ('step_size: short', 'step_size', "unknown parameter 'short'"),
        ('integrator: rk', 'integrator', "got 'rk'; did you mean 'rk4'?"),
        ('integrator: [rk4]', 'integrator', 'a word is needed'),
        ('detector: gjk', 'detector', "must be one of sat, co, got 'gjk'"),
        ('name: a b', 'name', 'is not a valid name'),
        ('name: {a: b}', 'name', 'a word is needed'),
        ('collide: {}', 'collide', 'must be `all` or a list'),
        ('collide: [a]', 'collide[0]', 'a pair'),
        ('collide: [[a, a]]', 'collide[0]', 'two different bodies'),
        ('collide: [[a, [b]]]', 'collide[0]', 'unknown body'),
        ('initial_overlap: maybe', 'initial_overlap', 'must be one of allow, refuse'),
        ('sensors: [{type: imu, site: nose}]', 'sensors[0].site', "unknown site 'nose'"),
        ('sensors: [{type: radar}]', 'sensors[0].type', 'must be one of'),
        ('sensors: [{type: force_torque, joint: a}]', 'sensors[0].joint', 'carries no load'),
        ('sensors: [{type: imu, noise: {force: 1}}]', 'sensors[0].noise.force', 'unknown key'),
        ('sensors: [{type: force_torque, noise: {torque: -1}}]', 'sensors[0].noise.torque', '>='),
        ('materials: {"a b": {}}', 'materials.a b', 'is not a valid name'),
        ('materials: {x: {law: cubic}}', 'materials.x.law', 'must be one of'),
        ('materials: {x: {law: {normal: foo}}}', 'materials.x.law.normal', 'unknown parameter'),
        ('materials: {x: {restitution: 1.1}}', 'materials.x.restitution', 'must be <= 1'),
        ('materials: {x: {restitution: 0}}', 'materials.x.restitution', 'must be > 0'),
        ('materials: {x: {impact_speed: 0}}', 'materials.x.impact_speed', 'must be > 0'),
        ('materials: {x: {rest_depth: 1e-200}}', 'materials.x.rest_depth', 'no stiffness'),
        ('materials: {x: {damping: 1, restitution: 1}}', 'materials.x.restitution', 'not both'),
        ('materials: {x: {stiffness: 1, rest_depth: 1}}', 'materials.x.rest_depth', 'not both'),
        ('materials: {x: {slip_speed: 0}}', 'materials.x.slip_speed', 'must be > 0'),
        (PAIRS % '[a, [b]]', f'{PAIR}.bodies', 'unknown'),
        (PAIRS % '[a, a]', f'{PAIR}.bodies', 'two different bodies'),
        (PAIRS.replace('default', 'tin') % '[a, b]', f'{PAIR}.material', 'one of'),
        (
            'materials: {"t\\tn": {}, pairs: [{material: tin}]}',
            f'{PAIR}.material',
            'one of default, got',
        ),
        ('include: [{urdf: ../robot.urdf}]', 'include[0].urdf', 'leads out of the folder'),
        ('include: [{urdf: /etc/passwd}]', 'include[0].urdf', 'leads out of the folder'),
        ('include: [{urdf: "a\\0b"}]', 'include[0].urdf', 'leads out of the folder'),
        ('include: [{urdf: .}]', 'include[0].urdf', 'not an ordinary file'),
        ('include: {urdf: a}', 'include', 'a list'),
    ],
)  # fmt: skip
def test_the_rest_of_the_file_is_checked(line, key, reason, write_model):
    assert_told(write_model(text_of(tail=line)), 7, key, reason)


@pytest.mark.parametrize(
    'number',
    [
        *('.nan', 'nan', 'NaN', '.NAN', '.inf', '-.inf', 'inf', '1e999', '-1e999', '1e31'),
        *('true', 'false', 'True', 'yes', 'null', '~', '""', '{}', '[]', '1,5', '1 000', '0x'),
        *('1j', '1_', '1__0', '0777', 'a:300000', '1:30', '1/0', '0**-1', '10**999', '1e308*10'),
        *('__import__("os")', '__import__', 'm.real', 'm()', 'sin', 'lambda: 1', 'm or 1'),
        *('m < 2', '"\\0"', '"\\e[31m"', 'm if m else m', 'log(-m)', '-' * 400 + 'm', 'm' * 10**6),
        *('(' * 240 + 'm' + ')' * 240, '+'.join('m' * 200)),
        *('\N{FULLWIDTH DIGIT NINE}', '\N{FULLWIDTH LATIN SMALL LETTER M}'),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused(number, write_model):
    path = write_model(text_of(f'inertia: {{izz: 1}}, mass: {number}'))
    told = faults(path)
    assert told[0].startswith(f'{path}:5: '), told
    assert len(told[0]) < 1000 and told[0].isprintable()


@pytest.mark.parametrize(
    'name',
    ['a b', '1a', 'a__b', 'a-b', 'a.b', '"a[0]"', 'é', '"a\\nb"', '"\\0"', '""', '__class__'
     , 'a' * 10**5 + '!'],
)  # fmt: skip
def test_names_that_suit_no_topic_are_refused(name, write_model):
    text = f'bodies: {{? {name} : {{mass: 1, inertia: {{izz: 1}}}}}}\nparameters: {{? {name} : 1}}'
    path = write_model(text)
    told = faults(path)
    assert [f.split(':')[1] for f in told] == ['1', '2']
    assert all('is not a valid name' in f and f.isprintable() and len(f) < 500 for f in told)


def test_words_of_formulas_are_no_parameters(write_model):
    told = faults(write_model(text_of(tail='').replace('R: 0.2', 'R: 0.2, pi: 3, lambda: 1')))
    assert len(told) == 2 and all('choose another name' in f for f in told)


LAWS = {
    "normal: 'k * rho + 1.0'": 'there is no force without overlap',
    "normal: '-k * rho**2'": 'pulls at rest',
    "normal: 'k * log(rho)'": 'there is no force without overlap|pulls at rest',
    "normal: 'k * rho', tangent: '-mu * f_n'": 'must not be negative',
    "normal: 'k * deep'": 'deep',
    "normal: 'k * rho * f_n'": "unknown parameter 'f_n'",
    "normal: 'k * rho * v_t'": "unknown parameter 'v_t'",
}


@pytest.mark.parametrize('law', LAWS)
def test_a_law_that_no_contact_has_is_refused(law, write_model):
    text = f"""
format_version: 1
name: wrong
dimension: 2
materials: {{default: {{law: {{{law}}}, stiffness: 1.0, damping: 0.1}}}}
bodies: {{ball: {{mass: 1.0, shapes: [{{type: circle, radius: 0.1}}]}}}}
"""
    with pytest.raises(sc.ModelError, match=LAWS[law]):
        sc.load_model(write_model(text))


STRANGE = """\
strange: 1
name: all
dimension: 2
include: [{yaml: floor.yaml, strange: 1}]
parameters: {m: {value: 1, strange: 1}}
materials:
  rubber: {stiffness: 1.0e4, strange: 1}
  pairs: [{bodies: [ball, pole], material: rubber, strange: 1}]
bodies:
  ball:
    strange: 1
    mass: m
    shapes: [{type: circle, radius: 0.1}]
  pole:
    mass: 1
    inertia: {izz: 1}
    joint:
      strange: 1
      type: revolute
      parent: ball
      limits: {lower: -1, strange: 1}
      servo: {kp: 1, strange: 1}
"""
FLOOR = 'dimension: 2\nbodies: {floor: {fixed: true, shapes: [{type: half_space}]}}\n'
SECTIONS = {
    'model': '',
    'include[]': 'include[0].',
    'parameters.<parameter>': 'parameters.m.',
    'materials.<material>': 'materials.rubber.',
    'materials.pairs[]': 'materials.pairs[0].',
    'bodies.<body>': 'bodies.ball.',
    'bodies.<body>.joint': 'bodies.pole.joint.',
    'bodies.<body>.joint.limits': 'bodies.pole.joint.limits.',
    'bodies.<body>.joint.servo': 'bodies.pole.joint.servo.',
}


def test_an_unknown_key_is_told_all_keys_that_the_reference_has(write_model):
    write_model(FLOOR, 'floor.yaml')
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(write_model(STRANGE))
    told = {fault.key: fault.reason for fault in caught.value.faults}
    for mapping, path in SECTIONS.items():
        (table,) = re.findall(
            rf'{{model-keys}} {re.escape(mapping)}\n(.*?)```',
            page('reference/model_file.md'),
            re.S,
        )
        keys = set(re.findall(r'^([a-z_]+)(?: \(.*?\))?(?: = .*?)?:', table, re.M))
        start, _, named = told.pop(f'{path}strange').partition('known here: ')
        assert start.startswith('unknown key; ')
        assert keys <= set(named.split(', ')), mapping
    assert told == {}


CALL = 'hypot(m, 2)'


@pytest.mark.parametrize(
    ('line', 'key', 'text'),
    [
        ('materials: {default: {law: {normal: hypot(m, 2), tangent: 0}}}',
         'materials.default.law.normal', CALL),
        ('materials: {default: {law: {tangent: 0, normal: (1 + hypot(m, 2))}}}',
         'materials.default.law.normal', f'(1 + {CALL})'),
        ('gravity: [0, hypot(m, 2), 0]', 'gravity[1]', CALL),
        ('parameters: {k: {description: stiffness (N/m, of the floor), value: 2}}',
         'parameters.k.description', 'stiffness (N/m, of the floor)'),
    ],
)  # fmt: skip
def test_a_comma_in_a_value_that_is_not_quoted_is_one_fault(line, key, text, write_model):
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(write_model(f'dimension: 2\n{line}\n'))
    (fault,) = caught.value.faults
    assert (fault.line, fault.key) == (2, key)
    assert fault.reason.startswith(f"a comma ends a value in {{}} and []: quote it, '{text}'")
    assert ('is not allowed in a formula' in fault.reason) == (CALL in text)


def test_a_formula_that_is_not_allowed_is_one_fault_and_other_brackets_are_none(write_model):
    law = 'materials: {default: {law: {normal: "%s", tangent: 0}}}\n'
    law += 'bodies: {b: {mass: 1, shapes: [{type: circle, radius: 1}]}}\n'
    with pytest.raises(sc.ModelError) as caught:
        sc.load_model(write_model(law % CALL))
    assert len(caught.value.faults) == 1
    good = '{k: {value: 2, description: "of (a, b)"}, f: {value: (1 + k) * (2), unit: N}}'
    model = sc.load_model(
        write_model(f'parameters: {good}\nbodies: {{b: {{mass: 1, inertia: {{izz: 1}}}}}}')
    )
    assert model.symbols['f'].value == 6.0
