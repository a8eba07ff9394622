"""The equations of motion of random trees, against Newton and Euler in world axes."""

from hypothesis import given, settings
from hypothesis import strategies as st
from newton_euler import rpy_matrix, skew, Tree
import numpy as np
import pytest
import yaml

import symcontact_ros as sc

# Two ways to the same numbers in double precision: a few hundred roundings in each, of sums whose
# terms are larger than the sum. 1e-10 leaves room for 1e5 of them and for no fault.
ACCURACY = 1e-10
SPATIAL = ('planar', 'free', 'fixed', 'revolute', 'prismatic', 'spherical')
PLANAR = ('planar', 'fixed', 'revolute', 'prismatic')
AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]


def assert_close(actual, expected, scale=0.0):
    """Check numbers to ACCURACY, relative to their norm or to the scale of what they sum."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape
    scale = max(scale, np.linalg.norm(expected))
    np.testing.assert_allclose(actual, expected, rtol=0.0, atol=ACCURACY * scale + 1e-300)


def numbers(values):
    return [float(value) for value in values]


class Maker:
    """Draws the numbers of one model; plain ones (0, 1, axes) where a formula may fold."""

    def __init__(self, seed, dimension):
        self.rng, self.dimension = np.random.default_rng(seed), dimension

    def vector(self, plain):
        if plain:
            return self.rng.choice([*AXES[:2], [0, 0, 0]]).tolist()
        vector = self.rng.uniform(-1.0, 1.0, 3)
        return numbers(vector if self.dimension == 3 else [*vector[:2], 0.0])

    def axis(self, kind, plain):
        """Return an axis of any length: the loader normalises."""
        if self.dimension == 2 and kind == 'revolute':
            return [0, 0, 1]
        if plain:
            return AXES[self.rng.integers(2 if self.dimension == 2 else 6)]
        return numbers(np.array(self.vector(False)) * self.rng.uniform(0.1, 5.0))

    def rpy(self, plain):
        if plain:
            return [0, 0, 0]
        angles = self.rng.uniform(-3.0, 3.0, 3)
        return numbers(angles if self.dimension == 3 else [0.0, 0.0, angles[2]])

    def inertia(self, mass, plain):
        """Return the entries for an inertia that a body of this mass can have."""
        size = self.rng.uniform(0.1, 0.5, 3)
        masses = self.rng.dirichlet(np.ones(3)) * mass  # point masses on three crossed dumbbells
        squares = masses * size**2
        matrix = np.diag(squares.sum() - squares)
        if not plain:
            rotation = rpy_matrix(self.rpy(False))
            matrix = rotation @ matrix @ rotation.T
        if self.dimension == 2:
            return {'izz': float(matrix[2, 2])}
        entries = {'ixx': (0, 0), 'iyy': (1, 1), 'izz': (2, 2)}
        if not plain:
            entries |= {'ixy': (0, 1), 'ixz': (0, 2), 'iyz': (1, 2)}
        return {key: float(matrix[index]) for key, index in entries.items()}

    def joint(self, kind, parent, plain):
        joint = {'type': kind}
        if parent:
            joint['parent'] = parent
        if kind in ('revolute', 'prismatic'):
            joint['axis'] = self.axis(kind, plain)
            if self.rng.random() < 0.5:
                joint['armature'] = float(self.rng.uniform(0.0, 0.5))
        if not (plain and self.rng.random() < 0.5):
            joint['origin'] = {'xyz': self.vector(plain), 'rpy': self.rpy(plain)}
        return joint

    def body(self, kind, parent, plain):
        mass = 2 if plain else float(self.rng.uniform(0.5, 5.0))
        return {
            'mass': mass,
            'com': self.vector(plain),
            'inertia': self.inertia(mass, plain),
            'joint': self.joint(kind, parent, plain),
        }

    def model(self, rows):
        gravity = numbers(self.rng.uniform(-10.0, 10.0, 3))
        return {
            'format_version': 1,
            'name': 'tree',
            'dimension': self.dimension,
            'gravity': gravity if self.dimension == 3 else [*gravity[:2], 0],
            'bodies': {f'body{index}': self.body(*row) for index, row in enumerate(rows)},
        }


@st.composite
def trees(draw, dimension):
    """Return (plain data of a model, seed): 1 to 8 bodies, parents before their children."""
    kinds = SPATIAL if dimension == 3 else PLANAR
    rows = []
    # many of few bodies, as time goes with their number; some of eight
    for index in range(draw(st.sampled_from([1, *[2] * 8, *[3] * 8, 4, 4, 5, 8]))):
        # the first body moves, so that there is something to compare
        kind = draw(st.sampled_from([k for k in kinds if index or k != 'fixed']))
        parent = draw(st.sampled_from([None, *(f'body{i}' for i in range(index))]))
        rows.append((kind, parent, draw(st.booleans())))
    seed = draw(st.integers(0, 2**32 - 1))
    return Maker(seed, dimension).model(rows), seed


@pytest.fixture(scope='module')
def load(tmp_path_factory):
    """Return a function that writes plain data as a model file and loads it."""
    folder = tmp_path_factory.mktemp('trees')

    def load(description):
        path = folder / 'tree.yaml'
        path.write_text(yaml.safe_dump(description, sort_keys=False), encoding='utf-8')
        return sc.load_model(path)

    with pytest.MonkeyPatch.context() as patch:
        # Hundreds of models that nobody will use again have no place in the user's cache.
        patch.setenv('SYMCONTACT_CACHE_DIR', str(folder / 'cache'))
        yield load


def random_wrenches(rng, names):
    """Return {body: (force, torque)}."""
    return {name: (rng.uniform(-5.0, 5.0, 3), rng.uniform(-5.0, 5.0, 3)) for name in names}


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


@pytest.mark.timeout(600)  # 20 to 40 s, several times that on a busy machine
@settings(max_examples=100, deadline=None)
@given(tree=trees(3))
def test_spatial_trees_move_as_newton_and_euler_say(tree, load):
    check_tree(*tree, load)


@pytest.mark.timeout(600)  # 20 to 40 s, several times that on a busy machine
@settings(max_examples=100, deadline=None)
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
