"""The equations of motion of random trees, against Newton and Euler in world axes."""

import itertools

from helpers.newton_euler import skew, Tree
from helpers.random_cases import cases
from helpers.random_trees import ACCURACY, assert_close, Maker, random_wrenches, SPATIAL, trees
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest
import yaml

import symcontact_ros as sc


@pytest.fixture(scope='module')
def load(tmp_path_factory):
    """Return a function that writes plain data as a model file and loads it."""
    folder = tmp_path_factory.mktemp('trees')
    numbers = itertools.count()
    with pytest.MonkeyPatch.context() as patch:

        def load(description):
            # Hundreds of models that nobody will use again have no place in the cache of the
            # others, and none in a common one, which would have to be pruned at every turn.
            patch.setenv('SYMCONTACT_CACHE_DIR', str(folder / f'cache_{next(numbers)}'))
            path = folder / 'tree.yaml'
            path.write_text(yaml.safe_dump(description, sort_keys=False), encoding='utf-8')
            return sc.load_model(path)

        yield load


def check_tree(description, seed, load, order=None):
    """Compare all that the equations of a model give with the oracle, at random states."""
    model = load(description)
    tree = Tree(description, order)
    eom = sc.equations_of_motion(model)
    assert len(model.joint_names) == len(tree.effort_indices)
    rng = np.random.default_rng(seed)
    for _ in range(2):
        q, u = tree.random_state(rng)
        expected = tree.evaluate(q, u)
        check_dynamics(eom, tree, q, u, expected, rng)
        check_inverse(eom, tree, q, u, expected, rng)
        body = rng.choice(list(description['bodies']))
        # directions are unit vectors, lengths of the order of one
        assert_close(eom.jacobian(body, q), tree.jacobian(body, q), 1.0)


def check_dynamics(eom, tree, q, u, expected, rng):
    effort = rng.uniform(-5.0, 5.0, len(tree.effort_indices))
    wrenches = random_wrenches(rng, [b.name for b in tree.bodies if rng.random() < 0.5])
    result = eom.evaluate(q, u, effort=effort, wrenches=wrenches)
    assert_close(result.mass_matrix, expected.mass_matrix)
    assert_close(result.bias, expected.bias, expected.scale)
    assert_close(result.qdot, expected.qdot)
    force = tree.generalized(q, effort, wrenches) - expected.bias
    udot = np.linalg.solve(expected.mass_matrix, force)
    eigenvalues = np.linalg.eigvalsh(expected.mass_matrix)
    scale = expected.scale + np.linalg.norm(force) + eigenvalues[-1] * np.linalg.norm(udot)
    assert_close(expected.mass_matrix @ result.udot - force, np.zeros(tree.nu), scale)
    # Roundings of both sides, 1e-13 of their scale, reach udot multiplied by 1 / min(eig M).
    assert_close(result.udot, udot, 1e-13 / ACCURACY * scale / eigenvalues[0])


def check_inverse(eom, tree, q, u, expected, rng):
    udot = rng.uniform(-5.0, 5.0, tree.nu)
    force = expected.mass_matrix @ udot + expected.bias
    assert_close(eom.inverse_dynamics(q, u, udot), force, expected.scale)
    weight = tree.evaluate(q, np.zeros(tree.nu))
    assert_close(eom.gravity_effort(q), weight.bias, weight.scale)


@settings(max_examples=cases(100), deadline=None)
@given(tree=trees(3))
def test_spatial_trees_move_as_newton_and_euler_say(tree, load):
    check_tree(*tree, load)


@settings(max_examples=cases(100), deadline=None)
@given(tree=trees(2))
def test_planar_trees_move_as_newton_and_euler_say(tree, load):
    check_tree(*tree, load)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize('dimension', [2, 3])
@settings(max_examples=2000, deadline=None)
@given(data=st.data())
def test_many_more_trees_move_as_newton_and_euler_say(dimension, data, load):
    check_tree(*data.draw(trees(dimension)), load)


@pytest.mark.parametrize('kind', SPATIAL)
def test_every_joint_works_on_every_joint(kind, load):
    rows = [(kind, None, False)]
    rows += [(child, 'body0', index % 2 == 0) for index, child in enumerate(SPATIAL)]
    check_tree(Maker(7, 3).model(rows), 7, load)


def accelerations(tree, q, u, effort):
    terms = tree.evaluate(q, u)
    return np.linalg.solve(terms.mass_matrix, tree.generalized(q, effort) - terms.bias)


def slopes(function, directions, h=1e-5):
    """Return the central differences of a function along directions, one column each."""
    return np.array([(function(h * d) - function(-h * d)) / (2.0 * h) for d in directions]).T


def linearized(tree, q, u, effort):
    """Return A and B by differences, where tangents of q are displacements as u is of velocity."""
    nu, inputs = tree.nu, len(effort)
    A, B = np.zeros((2 * nu, 2 * nu)), np.zeros((2 * nu, inputs))
    A[nu:, :nu] = slopes(lambda d: accelerations(tree, q + tree.qdot(q, d), u, effort), np.eye(nu))
    A[nu:, nu:] = slopes(lambda d: accelerations(tree, q, u + d, effort), np.eye(nu))
    if inputs:
        B[nu:] = slopes(lambda d: accelerations(tree, q, u, effort + d), np.eye(inputs))
    A[:nu, nu:] = np.eye(nu)
    for body in tree.bodies:  # deviations in axes that turn with the body: Lie brackets
        if body.kind in ('free', 'spherical'):
            turning = slice(body.u.stop - 3, body.u.stop)
            A[turning, turning] -= skew(u[turning])
        if body.kind == 'free':
            moving = slice(body.u.start, body.u.start + 3)
            A[moving, moving] -= skew(u[turning])
            A[moving, turning] -= skew(u[moving])
    return A, B


@pytest.mark.parametrize('kind', SPATIAL)
def test_the_linearization_is_the_slope_of_the_equations(kind, load):
    model = Maker(9, 3).model(
        [('revolute', None, False), (kind, 'body0', False), ('prismatic', 'body1', True)]
    )
    tree, rng = Tree(model), np.random.default_rng(9)
    (q, u), effort = tree.random_state(rng), rng.uniform(-5.0, 5.0, len(tree.effort_indices))
    linear = sc.equations_of_motion(load(model)).linearize({'q': q, 'u': u, 'effort': effort})
    A, B = linearized(tree, q, u, effort)
    # differences over h = 1e-5: h^2 of truncation, 1e-16 / h of rounding, some 100 of each
    np.testing.assert_allclose(linear.A, A, rtol=0.0, atol=1e-8 * np.linalg.norm(A))
    np.testing.assert_allclose(linear.B, B, rtol=0.0, atol=1e-8 * np.linalg.norm(B))


@pytest.mark.parametrize('seed', range(2))
def test_a_file_may_name_children_before_their_parents(seed, load):
    kinds = ('free', 'revolute', 'spherical', 'prismatic', 'planar', 'revolute')
    parents = (None, 'body0', 'body1', None, 'body3', 'body1')
    model = Maker(seed, 3).model([*zip(kinds, parents, [False] * 6, strict=True)])
    shuffled = np.random.default_rng(seed).permutation(list(model['bodies'])).tolist()
    model['bodies'] = {name: model['bodies'][name] for name in shuffled}
    order = load(model).body_names
    assert sorted(order) == sorted(shuffled)
    for name, body in model['bodies'].items():
        parent = body['joint'].get('parent')
        assert parent is None or order.index(parent) < order.index(name)
    check_tree(model, seed, load, order)


def test_damping_springs_and_friction_stay_out_of_the_bias(load):
    rows = [('revolute', None, False), ('prismatic', 'body0', False)]
    model = Maker(3, 3).model(rows)
    for body in model['bodies'].values():
        body['joint'] |= {'damping': 0.7, 'stiffness': 30.0, 'rest_position': 0.2}
    eom, tree = sc.equations_of_motion(load(model)), Tree(model)
    q, u = tree.random_state(np.random.default_rng(3))
    expected = tree.evaluate(q, u)
    assert_close(eom.evaluate(q, u).bias, expected.bias, expected.scale)
    force = expected.mass_matrix @ u + expected.bias
    assert_close(eom.inverse_dynamics(q, u, u), force, expected.scale)


def test_without_inputs_only_gravity_and_motion_act(load):
    model = Maker(5, 3).model([('free', None, False), ('revolute', 'body0', False)])
    eom, tree = sc.equations_of_motion(load(model)), Tree(model)
    q, u = tree.random_state(np.random.default_rng(5))
    expected = tree.evaluate(q, u)
    udot = np.linalg.solve(expected.mass_matrix, -expected.bias)
    assert_close(eom.evaluate(q, u).udot, udot)
