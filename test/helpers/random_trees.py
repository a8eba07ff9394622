"""Random trees of bodies as plain data of model files, and how near two ways to numbers come."""

from helpers.newton_euler import rpy_matrix
from hypothesis import strategies as st
import numpy as np

# Two ways to the same numbers in double precision: a few hundred roundings in each, of sums whose
# terms are larger than the sum. 1e-10 leaves room for 1e5 of them and for no fault.
ACCURACY = 1e-10
# All that enters is of order 1 to 10: what cancels to nothing leaves its rounding.
ROUNDING = 1e-14
SPATIAL = ('planar', 'free', 'fixed', 'revolute', 'prismatic', 'spherical')
PLANAR = ('planar', 'fixed', 'revolute', 'prismatic')
AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]


def assert_close(actual, expected, scale=0.0):
    """Check numbers to ACCURACY, relative to their norm or to the scale of what they sum."""
    actual, expected = np.asarray(actual, dtype=float), np.asarray(expected, dtype=float)
    assert actual.shape == expected.shape
    scale = max(scale, np.linalg.norm(expected))
    np.testing.assert_allclose(actual, expected, rtol=0.0, atol=ACCURACY * scale + ROUNDING)


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


def random_wrenches(rng, names):
    """Return {body: (force, torque)}."""
    return {name: (rng.uniform(-5.0, 5.0, 3), rng.uniform(-5.0, 5.0, 3)) for name in names}
