"""One mistake in a model file is reported once, and none hides another."""

from helpers.model_faults import faults, text_of
import pytest

ROD = 'mass: 1, inertia: {izz: 1}, '
DISC = 'mass: 1, shapes: [{type: circle, radius: R%s}]'
JOINT = ROD + 'joint: {%s}'

# Body `a` of a planar model -> the end of the path of each fault, and part of its reason.
TWO_NUMBERS = [
    (ROD + 'initial: {position: [0, 1]}', 'initial.position'),
    (ROD + 'initial: {velocity: [0, 1]}', 'initial.velocity'),
    (ROD + 'com: [0, 1]', 'com'),
    ('mass: 1, com: [0, 1], shapes: [{type: circle, radius: R}]', 'com'),
    (DISC % ', pose: {position: [0, 1]}', 'shapes[0].pose.position'),
    (DISC % ', pose: {rpy: [0, 1]}', 'shapes[0].pose.rpy'),
    (ROD + 'sites: {port: {position: [0, 1]}}', 'sites.port.position'),
    (JOINT % 'type: prismatic, axis: [0, 1]', 'joint.axis'),
    (JOINT % 'type: revolute, axis: [0, 1]', 'joint.axis'),
    (JOINT % 'origin: {xyz: [0, 1]}', 'joint.origin.xyz'),
    (JOINT % 'origin: {rpy: [0, 1]}', 'joint.origin.rpy'),
    ('fixed: true, shapes: [{type: half_space, normal: [0, 1]}]', 'shapes[0].normal'),
]


@pytest.mark.parametrize(('body', 'key'), TWO_NUMBERS)
def test_two_numbers_where_three_are_needed_are_one_fault(body, key, write_model):
    (told,) = faults(write_model(text_of(body)))
    assert told.endswith(f'bodies.a.{key}: a list of 3 numbers is needed, got 2')


def test_a_gravity_of_two_numbers_is_one_fault(write_model):
    (told,) = faults(write_model(text_of(tail='gravity: [0, -9.81]\n')))
    assert told.endswith('gravity: a list of 3 numbers is needed, got 2')


@pytest.mark.parametrize(
    'keys',
    [
        'axis: [0, 0, 1], damping: 1, limits: {lower: 0, upper: 1}, servo: {kp: 1}',
        'origin: {xyz: [0, 1, 0]}, parent: floor',
    ],
)
@pytest.mark.parametrize(
    'initial', ['position: 0.3, velocity: 1', 'position: [0, 1, 0], angular_velocity: 2']
)
def test_after_an_unknown_joint_type_only_the_type_is_a_fault(keys, initial, write_model):
    body = ROD + f'joint: {{type: revolut, {keys}}}, initial: {{{initial}}}'
    (told,) = faults(write_model(text_of(body)))
    assert 'joint.type: must be one of planar, ' in told
    assert told.endswith("got 'revolut'; did you mean 'revolute'?")


def test_what_all_joint_types_have_is_checked_beside_an_unknown_type(write_model):
    body = ROD + (
        'joint: {type: hinge, parnt: floor, damping: -1, origin: {xyz: [0, 1]}}, '
        'initial: {position: [0, y], speed: 1}'
    )
    told = '\n'.join(faults(write_model(text_of(body))))
    assert told.count('\n') == 5
    for fault in (
        'joint.type: must be one of',
        "joint.parnt: unknown key; did you mean 'parent'?",
        'joint.damping: must be >= 0, got -1',
        'joint.origin.xyz: a list of 3 numbers is needed',
        "initial.position[1]: unknown parameter 'y'",
        'initial.speed: unknown key',
    ):
        assert fault in told


def test_a_wrong_shape_type_hides_no_undefined_parameter(write_model):
    shape = 'type: cirle, radius: RR, pose: {position: [0, x, 0]}, colour: red'
    told = faults(write_model(text_of(f'mass: 1, shapes: [{{{shape}}}]')))
    ends = [fault.partition('shapes[0].')[2].partition('; known')[0] for fault in told]
    *others, wrong_type = sorted(ends)
    assert others == [
        'colour: unknown key',
        "pose.position[1]: unknown parameter 'x'; parameters are: R, m",
        "radius: unknown parameter 'RR'; did you mean 'R'?",
    ]
    assert wrong_type.startswith('type: must be one of circle, ')
    assert wrong_type.endswith("got 'cirle'; did you mean 'circle'?")


def test_a_shape_of_the_other_dimension_hides_no_undefined_parameter(write_model):
    told = faults(write_model(text_of('mass: 1, shapes: [{type: box, half_extents: [R, R, w]}]')))
    assert len(told) == 2
    assert 'box is for spatial models' in told[0]
    assert "half_extents[2]: unknown parameter 'w'" in told[1]


def test_after_an_unknown_sensor_type_only_the_type_is_a_fault(write_model):
    (told,) = faults(write_model(text_of(tail='sensors: [{type: ft, joint: a, name: s}]\n')))
    assert 'sensors[0].type: must be one of imu, force_torque' in told


@pytest.mark.parametrize('dimension', ['4', '3d', '[2]'])
def test_after_a_wrong_dimension_no_body_is_judged_by_it(dimension, write_model):
    body = 'mass: 1, shapes: [{type: sphere, radius: R}]'
    (told,) = faults(write_model(text_of(body).replace('dimension: 2', f'dimension: {dimension}')))
    assert ': dimension: ' in told


@pytest.mark.parametrize(
    ('body', 'count'),
    [
        ('shapes: [{type: circle, radius: R}]', 1),  # no mass
        ('mas: 1, shapes: [{type: circle, radius: R}]', 2),
        (JOINT % 'type: revolute, limits: [0, 1]', 1),
        (ROD + 'joint: revolute', 1),
    ],
)
def test_what_is_missing_or_no_mapping_is_reported_once(body, count, write_model):
    told = faults(write_model(text_of(body)))
    assert len(told) == count, told


def test_a_parameter_with_a_fault_brings_none_to_the_formulas_with_it(write_model):
    text = text_of('mass: k, shapes: [{type: circle, radius: 2 * k}]')
    (told,) = faults(write_model(text.replace('{m: 1,', '{k: {value: one}, m: 1,')))
    assert "parameters.k.value: unknown parameter 'one'" in told


@pytest.mark.parametrize(
    ('body', 'reason'),
    [
        ('mass: 1 kg, inertia: {izz: 1}', "cannot read '1 kg'.*without a unit, in m, kg, s, rad"),
        (ROD + 'initial: {angle: 90deg}', "cannot read '90deg'.*without a unit"),
        (ROD + 'initial: {pos: [0, 0, 0]}', "did you mean 'position'?"),
        (JOINT % 'parent: wrld', "unknown body 'wrld'; did you mean 'world'?"),
        ('mass: M, inertia: {izz: 1}', "unknown parameter 'M'; did you mean 'm'?"),
    ],
)
def test_reasons_help(body, reason, write_model):
    (told,) = faults(write_model(text_of(body)))
    first, _, rest = reason.partition('.*')
    assert first in told
    assert rest in told


@pytest.mark.parametrize('text', ['', '\n', '   \n\n'])
def test_an_empty_file_is_called_empty(text, write_model):
    (told,) = faults(write_model(text))
    assert 'the file is empty: a model file is a mapping of keys' in told
