"""The Python surface as a user meets it: names, types and what objects say of themselves."""

import numpy as np
import pytest

import symcontact_ros as sc


@pytest.fixture(scope='module')
def model():
    model = sc.Model('swing', dimension=2)
    model.add_parameter('radius', 0.1)
    model.add_body('floor', fixed=True, shapes=[sc.HalfSpace((0.0, 1.0, 0.0), -2.0)])
    model.add_body(
        'ball',
        mass=1.0,
        com=[1.0, 0.0, 0.0],
        shapes=[{'type': 'circle', 'radius': 'radius', 'pose': {'position': [1.0, 0.0, 0.0]}}],
        sites={'port': {'position': [1.1, 0.0, 0.0]}},
        joint={'type': 'revolute', 'name': 'hinge', 'servo': {'kp': 1.0}},
    )
    return model


@pytest.fixture(scope='module')
def sim(model):
    return sc.Simulation(model)


@pytest.fixture(scope='module')
def eom(model):
    return sc.equations_of_motion(model)


def test_symbolic_attributes_are_listed_before_they_are_derived(eom):
    listed = dir(eom)
    assert {'mass_matrix', 'forcing', 'qdot', 'latex', 'source', 'evaluate'} <= set(listed)
    assert all(hasattr(eom, name) for name in listed)


def test_reprs_say_what_an_object_is_on_one_line(model, sim, eom):
    assert repr(model) == '<Model swing: planar, 2 bodies, 1 degree of freedom>'
    assert repr(sim) == (
        '<Simulation of swing: planar, 2 bodies, 1 degree of freedom; at 0 s, '
        'steps of 1 ms, auto: implicit, with implicit2 in impacts and fast motion, sat>'
    )
    assert repr(eom) == (
        '<EquationsOfMotion swing: planar, 2 bodies, 1 degree of freedom, recursive>'
    )
    assert repr(sim.snapshot()) == '<Snapshot at 0 s: bodies 2, pairs 1, contact points 0>'


def test_no_public_object_shows_an_address(model, sim, eom):
    here = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    far = sc.Pose(np.array([[3.0, 0.0, 0.0], [5.0, 0.0, 0.0]]), np.array([0.0, 0.0, 0.0, 1.0]))
    ball = sc.Circle(1.0)
    many = sc.proximities(ball, here, ball, far)
    assert repr(many) == '<Proximities of 2 poses, distance 1 to 3 m>'
    objects = [
        *(model, sim, eom, eom.forms, eom.linearize(), sim.snapshot(), sim.cross_check('co')),
        *(many, many[0], ball, here, sim.energy(), sim.momentum(), sim.proximities()),
        *sc.contact_geometry(model, 'ball', 'floor'),
    ]
    for thing in objects:
        assert ' at 0x' not in repr(thing), type(thing)


NAMES = {
    'contact_wrench': lambda s, e: s.contact_wrench('bal'),
    'contact_wrench by one': lambda s, e: s.contact_wrench('floor', 'bal'),
    'of a snapshot': lambda s, e: s.snapshot().contact_wrench('bal'),
    'of a snapshot by one': lambda s, e: s.snapshot().contact_wrench('floor', 'bal'),
    'set_wrench': lambda s, e: s.set_wrench('bal', (1.0, 0.0, 0.0)),
    'body': lambda s, e: s.model.body('bal'),
    'material': lambda s, e: s.model.material('bal', 'floor'),
    'contact_geometry': lambda s, e: sc.contact_geometry(s.model, 'bal', 'floor'),
    'evaluate': lambda s, e: e.evaluate([0.0], [0.0], wrenches={'bal': np.zeros((2, 3))}),
    'jacobian': lambda s, e: e.jacobian('bal'),
    'jacobian in numbers': lambda s, e: e.jacobian('bal', [0.0]),
}
OTHERS = {
    'effort': (lambda s, e: s.set_effort('hing', 1.0), "no joint .* 'hing'.*'hinge'"),
    'target': (lambda s, e: s.set_target('hing', 1.0), "no joint .* 'hing'.*'hinge'"),
    'site': (lambda s, e: e.jacobian('prt'), "no body or site 'prt'.*'port'"),
    'symbol': (lambda s, e: s.set_parameters({'radus': 1.0}), "live symbol 'radus'.*'radius'"),
    'nearest at other values': (
        lambda s, e: sc.contact_geometry(s.model, 'ball', 'floor', parameters={'radus': 1.0}),
        "live symbol 'radus'.*'radius'",
    ),
    'option': (lambda s, e: s.configure(detectr='co'), "no option .*'detectr'.*'detector'"),
    'detector': (lambda s, e: s.configure(detector='sta'), "got 'sta'; did you mean 'sat'"),
    'solver': (lambda s, e: s.configure(co={'solvr': 'ecos'}), "'co.solvr'.*solver"),
    'language': (lambda s, e: e.source('pyton'), "got 'pyton'; did you mean 'python'"),
    'method': (lambda s, e: sc.equations_of_motion(s.model, 'kan'), "did you mean 'kane'"),
    'operating point': (lambda s, e: e.linearize({'efort': [0.0]}), "did you mean 'effort'"),
}


@pytest.mark.parametrize('call', NAMES.values(), ids=NAMES)
def test_a_mistyped_body_is_an_option_error_with_a_suggestion(call, sim, eom):
    with pytest.raises(sc.OptionError, match=r"no body.* 'bal'; did you mean 'ball'?"):
        call(sim, eom)


@pytest.mark.parametrize(('call', 'reason'), OTHERS.values(), ids=OTHERS)
def test_any_other_mistyped_name_is_too(call, reason, sim, eom):
    with pytest.raises(sc.OptionError, match=reason):
        call(sim, eom)


def test_a_mistyped_override_of_a_model_file_is_a_fault_with_a_suggestion():
    with pytest.raises(sc.ModelError, match=r"override: no live symbol 'gravity.Y'.*'gravity.y'"):
        sc.load_model('bouncing_circle', parameters={'gravity.Y': 1.0})


HERE = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
WRONG = {
    'steps as text': (lambda s, e: s.step('3'), "whole number >= 0, got '3'"),
    'half a step': (lambda s, e: s.step(1.5), 'whole number >= 0, got 1.5'),
    'steps back': (lambda s, e: s.step(-1), 'whole number >= 0, got -1'),
    'force': (lambda s, e: s.set_wrench('ball', 'up'), "force must be 3 finite numbers, got 'up'"),
    'effort': (lambda s, e: s.set_effort('hinge', '1'), "must be a finite number, got '1'"),
    'target': (lambda s, e: s.set_target('hinge', [1]), r'must be a finite number, got \[1\]'),
    'q': (lambda s, e: s.set_state(q='zero'), "q must be 1 finite numbers, got 'zero'"),
    'length of q': (lambda s, e: s.set_state(q=[1, 2]), 'q must be 1 finite numbers, got 2'),
    'q of equations': (lambda s, e: e.evaluate('a', [0]), "q must be 1 finite numbers, got 'a'"),
    'wrench': (lambda s, e: e.evaluate([0], [0], wrenches={'ball': 3}), r'\(force, torque\)'),
    'force in a wrench': (
        lambda s, e: e.evaluate([0], [0], wrenches={'ball': ((0, 0), (0, 0, 0))}),
        'the force on ball must be 3 finite numbers, got 2',
    ),
    'parameters': (lambda s, e: s.set_parameters('radius'), 'must be a mapping'),
    'saved state': (lambda s, e: s.restore_state('state'), 'a saved state is bytes, got str'),
    'a name for a model': (
        lambda s, e: sc.Simulation('cart_pole'),
        r"must be a Model, got 'cart_pole': load_model\('cart_pole'\) returns one",
    ),
    'no model': (lambda s, e: sc.equations_of_motion(None), 'must be a Model, got None'),
    'no shape': (lambda s, e: sc.proximity(1, HERE, sc.Circle(1), HERE), 'shape A must be'),
    'no pose': (
        lambda s, e: sc.proximity(sc.Circle(1), HERE, sc.Circle(1), None),
        'pose of shape B must be a Pose, got None',
    ),
}


@pytest.mark.parametrize(('call', 'reason'), WRONG.values(), ids=WRONG)
def test_an_argument_of_the_wrong_type_is_an_option_error(call, reason, sim, eom):
    before = sim.state_hash()
    with pytest.raises(sc.OptionError, match=reason):
        call(sim, eom)
    assert sim.state_hash() == before


def test_numbers_of_numpy_count_as_numbers(model):
    sim = sc.Simulation(model)
    sim.step(np.int64(2))
    sim.set_effort('hinge', np.float32(1.0))
    assert sim.steps == 2
    assert '; at 0.002 s, steps of 1 ms' in repr(sim)


def test_a_model_without_bodies_has_empty_equations():
    eom = sc.equations_of_motion(sc.Model('empty'))
    assert eom.evaluate([], []).mass_matrix.shape == (0, 0)
