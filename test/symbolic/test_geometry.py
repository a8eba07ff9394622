"""Contact geometry in symbols: closed forms, what people see, and what is refused."""

import itertools
import re

from helpers.places import page
import numpy as np
import pytest
import sympy as sm

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.symbolic.contact.distances import meeting
from symcontact_ros.symbolic.contact.shape_features import FeatureMaker
from symcontact_ros.symbolic.expansion import TooLargeError
from symcontact_ros.symbolic.recorder import Recorder

PAGE = page('geometry.md')


def same(expression, expected):
    return sm.simplify(expression - expected) == 0


def only(model, *bodies):
    (feature,) = sc.contact_geometry(model, *bodies)
    return feature


def tumbling_box():
    """Return a free box above a floor."""
    model = sc.Model('box', dimension=3)
    model.add_parameter('h', 0.2)
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space'}])
    model.add_body('box', mass=1.0, shapes=[{'type': 'box', 'half_extents': [0.1, 'h', 0.3]}])
    return model


def test_a_ball_over_the_ground_is_as_high_as_its_centre_less_its_radius():
    feature = only(sc.load_model('bouncing_circle'), 'floor', 'ball')
    x, y, theta = feature.q
    R = feature.symbols['R']
    assert feature.kind == 'circle-half_space'
    assert (feature.body_a, feature.body_b) == ('ball', 'floor')
    assert feature.distance == y - R
    assert feature.normal == sm.Matrix([0, -1, 0])
    assert feature.jacobian == sm.Matrix([[0, 1, 0]])
    assert same(feature.point[1], (y - R) / 2)
    # Of the ground relative to the ball: it moves backwards, and turning adds the lever.
    assert feature.velocity_jacobian[:, 0] == sm.Matrix([-1, 0, 0])
    assert same(feature.velocity_jacobian[0, 2], (feature.point - sm.Matrix([x, y, 0]))[1])
    assert theta not in feature.distance.free_symbols


def test_two_discs_are_apart_by_the_distance_of_their_centres_less_both_radii():
    feature = only(sc.load_model('circle_circle'), 'left', 'right')
    x1, y1, _, x2, y2, _ = feature.q
    R1, R2 = feature.symbols['R1'], feature.symbols['R2']
    length = sm.sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)
    assert same(feature.distance, length - R1 - R2)
    assert same(feature.normal[0], (x2 - x1) / length)
    expected = [(x1 - x2), (y1 - y2), 0, (x2 - x1), (y2 - y1), 0]
    assert all(
        same(entry, slope / length)
        for entry, slope in zip(feature.jacobian, expected, strict=True)
    )


def test_the_tip_of_a_double_pendulum_over_the_ground_is_that_of_the_textbook():
    model = sc.Model('arm', dimension=2)
    for name in ('l1', 'l2', 'h'):
        model.add_parameter(name, 0.5)
    still = {'mass': 1.0, 'inertia': {'izz': 1}}
    model.add_body('upper', com=['l1', 0, 0], joint={'type': 'revolute'}, **still)
    model.add_body(
        'lower',
        joint={'type': 'revolute', 'parent': 'upper', 'origin': {'xyz': ['l1', 0, 0]}},
        shapes=[{'type': 'circle', 'radius': 0.1, 'pose': {'position': ['l2', 0, 0]}}],
        **still,
    )
    ground = {'type': 'half_space', 'normal': [0, 1, 0], 'offset': '-h'}
    model.add_body('ground', fixed=True, shapes=[ground])
    feature = only(model, 'ground', 'lower')
    (a, b), (l1, l2, h) = feature.q, (feature.symbols[name] for name in ('l1', 'l2', 'h'))
    distance = l1 * sm.sin(a) + l2 * sm.sin(a + b) + h - sm.Rational(1, 10)
    assert same(feature.distance, distance)
    assert feature.normal == sm.Matrix([0, 1, 0])  # from the ground to the arm
    assert all(
        same(entry, distance.diff(angle))
        for entry, angle in zip(feature.jacobian, (a, b), strict=True)
    )


def test_a_jacobian_is_the_chain_rule_on_the_formula():
    """Of quaternions too: d(phi)/dq times qdot is J u at any unit quaternion."""
    model = tumbling_box()
    eom = sc.equations_of_motion(model)
    rng = np.random.default_rng(2)
    for feature in sc.contact_geometry(model, 'box', 'floor')[::3]:
        rate = sum(
            feature.distance.diff(q) * qdot for q, qdot in zip(eom.q, eom.qdot, strict=True)
        )
        quaternion = rng.normal(size=4)
        place = [0.1, 0.2, 0.3, *(quaternion / np.linalg.norm(quaternion))]
        values = dict(zip(eom.q, place, strict=True)) | {eom.symbols['h']: 0.2}
        for i, speed in enumerate(eom.u):
            unit = {u: int(u == speed) for u in eom.u}
            expected = float(rate.subs(unit).subs(values))
            assert float(feature.jacobian[i].subs(values)) == pytest.approx(expected, abs=1e-14)


def test_symbols_are_those_of_the_equations_of_motion():
    model = tumbling_box()
    eom = sc.equations_of_motion(model)
    features = sc.contact_geometry(model, 'box', 'floor')
    assert len(features) == 8
    assert {feature.kind for feature in features} == {'vertex-half_space'}
    for feature in features:
        assert (feature.q, feature.u, feature.symbols) == (eom.q, eom.u, eom.symbols)
        assert eom.symbols['h'] in feature.distance.free_symbols
        assert feature.distance.free_symbols <= {*eom.q, *eom.symbols.values()}


def test_live_symbols_stay_symbols_whatever_their_value():
    model = sc.Model('slope', dimension=2)
    model.add_parameter('tilt', 0.0)
    model.add_parameter('rise', 1.0)
    normal = ['-sin(tilt)', 'cos(tilt)', 0]
    model.add_body('slope', fixed=True, shapes=[{'type': 'half_space', 'normal': normal}])
    model.add_body(
        'ball', mass=1.0, shapes=[{'type': 'circle', 'radius': 'rise'}], joint={'type': 'planar'}
    )
    feature = only(model, 'ball', 'slope')
    x, y, _ = feature.q
    tilt, rise = feature.symbols['tilt'], feature.symbols['rise']
    assert same(feature.distance, -x * sm.sin(tilt) + y * sm.cos(tilt) - rise)
    told = feature.evaluate([0.3, 2.0, 0.0], {'tilt': 0.5, 'rise': 0.25})
    assert told.distance == pytest.approx(-0.3 * np.sin(0.5) + 2.0 * np.cos(0.5) - 0.25, abs=1e-15)
    assert told.normal == pytest.approx([np.sin(0.5), -np.cos(0.5), 0.0], abs=1e-15)


def test_a_parameter_may_have_the_name_of_a_step():
    model = sc.Model('names', dimension=2)
    for name in ('z_0', 'z_2'):
        model.add_parameter(name, 0.1)
    model.add_body('a', mass=1.0, shapes=[{'type': 'circle', 'radius': 'z_0'}])
    model.add_body('b', mass=1.0, shapes=[{'type': 'rectangle', 'half_extents': ['z_2', 1]}])
    (feature,) = sc.contact_geometry(model, 'a', 'b', [0, 2, 0, 0, 0, 0.01])
    assert feature.evaluate([0, 2, 0, 0, 0, 0.01]).distance == pytest.approx(
        2 * np.cos(0.01) - 1.1
    )
    for shown in (feature.text().splitlines()[1:], map(str, dict(feature.assignments))):
        assert {line.split(' = ')[0] for line in shown}.isdisjoint({'z_0', 'z_2'})


def test_vertices_and_poses_may_be_formulas():
    model = sc.Model('wedge', dimension=3)
    model.add_parameter('s', 0.4)
    hull = [[0, 0, 0], ['s', 0, 0], [0, 's', 0], [0, 0, '2 * s']]
    pose = {'position': [0, 's', 0], 'quaternion': [0, 0, 's', 1]}
    model.add_body(
        'wedge', mass=1.0, shapes=[{'type': 'convex_hull', 'vertices': hull, 'pose': pose}]
    )
    pose = {'rpy': [0, 's', 0.2]}
    model.add_body(
        'ball',
        mass=1.0,
        shapes=[{'type': 'capsule', 'radius': 0.1, 'half_length': 's', 'pose': pose}],
    )
    rng = np.random.default_rng(4)
    sim = sc.Simulation(model, proximity_range=10.0)
    for s in (0.4, 0.55):
        sim.set_parameters({'s': s})
        for _ in range(5):
            turns = rng.normal(size=(2, 4))
            turns /= np.linalg.norm(turns, axis=1)[:, None]
            q = np.concatenate([[1.0, 0.2, 0.3], turns[0], [0.0, 0.1, -0.2], turns[1]])
            sim.set_state(q=q)
            (found,) = sim.proximities()
            (feature,) = sc.contact_geometry(model, 'ball', 'wedge', q, sim.parameters)
            assert feature.symbols['s'] in feature.reduced_distance.free_symbols | {
                symbol for _, value in feature.assignments for symbol in value.free_symbols
            }
            told = feature.evaluate(q, sim.parameters)
            assert told.distance == pytest.approx(found.distance, abs=1e-12)
            assert told.jacobian == pytest.approx(found.jacobian, abs=1e-12)


def test_steps_and_formulas_written_out_are_equal():
    (feature, *_) = sc.contact_geometry(sc.load_model('rectangle_rectangle'), 'block', 'brick')
    meaning = {}
    for symbol, value in feature.assignments:
        meaning[symbol] = value.xreplace(meaning)
    assert [str(symbol) for symbol in meaning] == [f'z_{i}' for i in range(len(meaning))]
    assert same(feature.reduced_distance.xreplace(meaning), feature.distance)
    for what in ('normal', 'jacobian', 'point', 'velocity_jacobian'):
        reduced = getattr(feature, f'reduced_{what}').xreplace(meaning)
        assert all(map(same, reduced, getattr(feature, what)))


def test_what_would_fill_pages_says_what_to_use():
    model = sc.Model('chain', dimension=3)
    parent = {}
    for i in range(9):
        joint = {'type': 'revolute', 'axis': [[1, 0, 0], [0, 1, 0], [0, 0, 1]][i % 3], **parent}
        shapes = [{'type': 'box', 'half_extents': [0.1, 0.2, 0.3]}]
        model.add_body(f'link{i}', mass=1.0, joint=joint, shapes=shapes)
        parent = {'parent': f'link{i}', 'origin': {'xyz': [0.3, 0.4, 0.5]}}
    model.add_body('other', mass=1.0, shapes=[{'type': 'box', 'half_extents': [1, 2, 3]}])
    features = sc.contact_geometry(model, 'link8', 'other')
    feature = next(f for f in features if f.kind == 'edge-edge')
    with pytest.raises(TooLargeError, match='use `assignments` with `reduced_velocity_jacobian`'):
        _ = feature.velocity_jacobian
    assert len(feature.assignments) < 600
    assert feature.latex().count(r'\\') > 10  # steps are shown instead


def test_a_feature_shows_as_latex_in_notebooks():
    feature = only(sc.load_model('bouncing_circle'), 'ball', 'floor')
    assert feature._repr_latex_().startswith('$\\displaystyle \\begin{aligned}\n\\phi &= - R + y_')
    assert r'\dot{\phi} &= \left[\begin{array}{c}1\end{array}\right]' in feature.latex()
    assert 'J[vy_ball] = 1' in feature.text()
    assert repr(feature) == '<ball circle - floor half_space>'


def test_steps_that_are_shown_define_all_that_is_shown():
    model = sc.load_model('sphere_cuboid')
    (feature,) = sc.contact_geometry(model, 'sphere', 'cuboid', sc.Simulation(model).q)
    known = {str(symbol) for symbol in (*feature.q, *feature.symbols.values())}
    for line in feature.text().splitlines()[1:]:
        name, value = line.split(' = ')
        assert set(re.findall(r'\b(?!sqrt)[a-zA-Z]\w*', value)) <= known, line
        known.add(name)


def test_an_upright_cylinder_has_a_height_but_no_gradient():
    model = sc.Model('can', dimension=3)
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space'}])
    model.add_body(
        'can', mass=1.0, shapes=[{'type': 'cylinder', 'radius': 0.1, 'half_length': 0.2}]
    )
    q = [0, 0, 0.5, 0, 0, 0, 1]
    (feature,) = sc.contact_geometry(model, 'can', 'floor', q)
    told = feature.evaluate(q)
    assert feature.kind == 'rim-half_space'
    assert told.distance == pytest.approx(0.3)
    assert np.isnan(told.jacobian).any()


def test_several_shapes_give_features_of_each_pair():
    model = sc.Model('dumbbell', dimension=2)
    discs = [{'type': 'circle', 'radius': 0.1, 'pose': {'position': [x, 0, 0]}} for x in (-1, 1)]
    model.add_body('bell', mass=1.0, shapes=discs)
    model.add_body('ball', mass=1.0, shapes=discs[:1])
    features = sc.contact_geometry(model, 'bell', 'ball', q=[0, 0, 0, 0.5, 2.0, 0.3])
    assert len(features) == 2
    assert len({feature.evaluate([0, 0, 0, 0.5, 2, 0.3]).distance for feature in features}) == 2


@pytest.mark.parametrize(
    ('arguments', 'message'),
    [
        (('block', 'nobody'), "no body 'nobody'; there are: block, disc"),
        (('block', 'block'), "two bodies are needed, got 'block' twice"),
        (('block', 'disc', [0.0]), 'q must be 6 finite numbers'),
        (('block', 'disc', [np.nan] * 6), 'q must be 6 finite numbers'),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(sc.OptionError, match=message):
        sc.contact_geometry(sc.load_model('rectangle_circle'), *arguments)


def test_bodies_without_shapes_are_all_named():
    with pytest.raises(sc.OptionError, match="'cart' has no shapes; body 'pole' has no shapes"):
        sc.contact_geometry(sc.load_model('cart_pole'), 'cart', 'pole')


def test_unknown_parameters_are_refused():
    feature = only(sc.load_model('bouncing_circle'), 'ball', 'floor')
    with pytest.raises(sc.OptionError, match="no live symbol 'r'; did you mean 'R'"):
        feature.evaluate([0, 0, 0], {'r': 1.0})


def test_too_many_features_ask_for_a_place():
    rng = np.random.default_rng(0)
    model = sc.Model('rocks', dimension=3)
    for name in 'ab':
        points = rng.normal(size=(40, 3))
        points /= np.linalg.norm(points, axis=1)[:, None]
        hull = {'type': 'convex_hull', 'vertices': points.tolist()}
        model.add_body(name, mass=1.0, shapes=[hull])
    with pytest.raises(sc.OptionError, match='pairs of features: give q to have the nearest'):
        sc.contact_geometry(model, 'a', 'b')
    q = [0, 0, 0, 0, 0, 0, 1, 3, 0.1, 0.2, 0, 0, 0, 1]
    (feature,) = sc.contact_geometry(model, 'a', 'b', q)
    assert feature.evaluate(q).distance > 0.9


def test_the_command_prints_features(capsys):
    assert main(['equations', 'bouncing_circle', '--contact', 'floor', 'ball']) == 0
    assert 'distance = -R + y_ball' in capsys.readouterr().out
    arguments = ['equations', 'circle_circle', '--contact', 'left', 'right', '--format']
    assert main([*arguments, 'latex']) == 0
    assert r'\phi &= - R_1 - R_2 + z_{2}' in capsys.readouterr().out
    assert main([*arguments, 'c']) == 2
    assert main(['equations', 'circle_circle', '--contact', 'left', 'wrong']) == 2
    assert "no body 'wrong'" in capsys.readouterr().err


def test_the_example_of_the_page_runs_and_says_the_truth(capsys):
    (example,) = re.findall(r'^```python\n(.*?)^```', PAGE, re.M | re.S)
    scope = {}
    exec(example, scope)
    printed = capsys.readouterr().out
    assert printed.startswith('vertex-circle\n')
    promised = re.search(r'print\(edges\[1\].distance\)\n# (.*)$', example, re.M)[1]
    assert printed.endswith(f'\n{promised}\n')
    assert scope['speed'] < 0.0
    assert scope['force'].shape == (6,)


def test_every_kind_of_feature_is_in_the_page():
    named = set(itertools.chain(*(re.findall(r'`(\w+)`', row) for row in PAGE.splitlines())))
    kinds = 'circle sphere vertex edge face half_space cap end side segment rim'
    assert set(kinds.split()) <= named


def test_an_ellipsoid_meets_a_plane_at_its_lowest_point():
    """A feature for shapes with a smooth surface, against points all over a random one."""
    rng = np.random.default_rng(6)
    axes = np.linalg.qr(rng.standard_normal((3, 3)))[0] * [[0.2], [0.5], [1.3]]  # rows
    centre, normal, *outwards = rng.standard_normal((20_002, 3))
    normal /= np.linalg.norm(normal)
    points = np.array(outwards) / np.linalg.norm(outwards, axis=1)[:, None] @ axes + centre
    make = FeatureMaker({}, {})
    ellipsoid = make.ellipsoid('ellipsoid', make.vector(centre), [make.vector(a) for a in axes])
    plane = make.plane('plane', make.vector(normal), make.scalar(0.3))
    found = meeting(Recorder(), ellipsoid, plane)
    lowest = points[(points @ normal).argmin()]
    assert float(found.distance) <= normal @ lowest - 0.3
    # 20,000 points are 0.03 apart: as much beside the lowest one, and its square above it.
    assert float(found.distance) == pytest.approx(normal @ lowest - 0.3, abs=1e-3)
    touching = lowest - 0.5 * (normal @ lowest - 0.3) * normal
    np.testing.assert_allclose(np.array(found.point, float), touching, atol=0.1)
