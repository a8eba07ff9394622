"""A run that stores something of everything in the cache: its words say what came out."""

import sys

import numpy as np

import symcontact_ros as sc
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.model.urdf.stored_hulls import is_hull
from symcontact_ros.shapes.stored_results import stored_result

HULL = {
    'vertices': [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    'facets': [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    'gap': 0.0,
}


def doubled(numbers: Floats) -> None:
    """Double a number in place: a kernel."""
    numbers[0] = 2.0 * numbers[0]


def main(simulate):
    """Use equations and their code, a kernel, a hull, and perhaps a whole simulation."""
    model = sc.load_model('cart_pole')
    equations = sc.equations_of_motion(model)
    print(equations.evaluate([0.1, 0.2], [0.3, 0.4]).udot.tobytes().hex())
    numbers = np.array([0.7])
    Kernel(doubled, [Floats], Cache())(numbers)
    print(numbers, stored_result('hull', b'', lambda: HULL, is_hull))
    if simulate:
        simulation = sc.Simulation(model)
        simulation.step(500)
        print(simulation.state_hash())


if __name__ == '__main__':
    main('simulate' in sys.argv)
