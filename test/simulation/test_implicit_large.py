"""The sparse factor of large islands: equal to numpy, to the profile, and to plain Python."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.records import BlockKind, Image, layout_of
from symcontact_ros.simulation.step.implicit import sparse
from symcontact_ros.simulation.step.implicit.elimination import (
    begin_large,
    BITS,
    count_bits,
    lowest,
    make_neighbours,
    order_large,
    shift_between,
    write_panels,
)
from symcontact_ros.simulation.step.implicit.factor import entry_at
from symcontact_ros.simulation.world.solver_records import Solver

NEVER = 1 << 40  # velocities of an island

# Random systems ---------------------------------------------------------------------------------


def factorise_and_solve(number: int, solver: Solver) -> None:
    """Solve an island for the right side in `solution`."""
    island = solver.islands[number]
    if sparse.factorise(solver, island):
        sparse.solve(solver, island, solver.solution)


@functools.cache
def compiled_solve():
    return Kernel(factorise_and_solve, [int, Solver])


def counts_of(sizes):
    """Return the sizes of the blocks of a solver that the factor needs, for blocks of sizes."""
    n, blocks = sum(sizes), len(sizes)
    fields = layout_of(Solver).fields.items()
    counts = {name: 0 for name, field in fields if isinstance(field.kind, BlockKind)}
    per_block = ('blocks', 'block_order', 'islands', 'degrees', 'sequence', 'panels')
    counts |= dict.fromkeys((*per_block, 'shifts', 'runs'), blocks)
    counts |= dict.fromkeys(('row_at', 'solution', 'part'), n)
    counts |= {'factor': n * n, 'neighbours': 2 * blocks * blocks, 'members': blocks * blocks}
    return counts


class System:
    """Blocks of some sizes in islands of their own, random couplings, a positive matrix."""

    def __init__(self, rng, islands, density):
        sizes = [size for island in islands for size in island]
        self.starts = [0, *itertools.accumulate(sizes)]
        self.image = Image(Solver, counts_of(sizes))
        self.solver = self.image.record
        pairs = self._numbered(islands)
        edges = [pair for pair in pairs if rng.random() < density]
        begin_large(self.solver)
        for i, j in [*edges, *edges[::2], *(edge[::-1] for edge in edges[::3])]:
            make_neighbours(self.solver, i, j)
        order_large(self.solver)
        write_panels(self.solver)
        self.edges = [*edges, *((i, i) for i in range(len(sizes)))]
        self.matrix = self._random(rng)
        self.right = rng.normal(size=sum(sizes))
        places = [self.solver.blocks[i].place + np.arange(size) for i, size in enumerate(sizes)]
        self.places = np.concatenate(places)
        self.image['solution'][self.places] = self.right

    def _numbered(self, islands):
        """Write blocks and islands; return the pairs of blocks that may be coupled."""
        solver, starts, pairs = self.solver, self.starts, []
        solver.island_count, first = len(islands), 0
        for k, own in enumerate(islands):
            island, end = solver.islands[k], first + len(own)
            island.first_block, island.block_count = first, len(own)
            island.first_place, island.place_count = starts[first], sum(own)
            for i in range(first, end):
                block = solver.blocks[i]
                block.start, block.count, block.island = starts[i], own[i - first], k
                solver.block_order[i] = i
            pairs += itertools.combinations(range(first, end), 2)
            first = end
        return pairs

    def _random(self, rng):
        starts = self.starts
        matrix = np.zeros((starts[-1], starts[-1]))
        for i, j in self.edges:
            rows, columns = slice(starts[i], starts[i + 1]), slice(starts[j], starts[j + 1])
            part = rng.normal(size=(starts[i + 1] - starts[i], starts[j + 1] - starts[j]))
            matrix[rows, columns] = part if i != j else 0.5 * (part + part.T)
            matrix[columns, rows] = matrix[rows, columns].T
        return matrix + np.diag(1.0 + np.abs(matrix).sum(axis=1))

    def write(self, island):
        """Write the part of the matrix that is of an island."""
        solver, starts = self.solver, self.starts
        self.image['factor'][:] = 0.0
        for i, j in self.edges:
            if solver.blocks[i].island != island:
                continue
            shift = shift_between(solver, i, j)
            for r, c in np.ndindex(starts[i + 1] - starts[i], starts[j + 1] - starts[j]):
                p, q = solver.blocks[i].place + r, solver.blocks[j].place + c
                at = entry_at(solver.row_at, p, q) + shift
                solver.factor[at] = self.matrix[starts[i] + r, starts[j] + c]


@pytest.mark.parametrize('density', [0.0, 0.1, 0.3, 1.0])
@pytest.mark.parametrize(
    'islands',
    [[[6] * 30], [[3] * 40, [6] * 12], [[7, 3, 1, 6, 6, 13, 2, 6, 4, 6]], [[1] * (2 * BITS + 1)]],
    ids=['bodies', 'two islands', 'groups', 'many'],
)
def test_the_factor_solves_random_systems(islands, density):
    system = System(np.random.default_rng(7), islands, density)
    for number in range(len(islands)):
        system.write(number)
        compiled = system.image.duplicate()
        compiled_solve()(number, compiled.memory)
        factorise_and_solve(number, system.solver)
        assert compiled.memory.tobytes() == system.image.memory.tobytes()
    solution = system.image['solution'][system.places]
    expected = np.linalg.solve(system.matrix, system.right)
    np.testing.assert_allclose(solution, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_the_factor_has_less_numbers_than_a_dense_one():
    system = System(np.random.default_rng(0), [[6] * 60], 0.03)
    assert 0 < system.solver.islands[0].factor_size < 0.2 * 360 * 360


def test_a_matrix_that_is_not_positive_is_refused():
    system = System(np.random.default_rng(0), [[6] * 12], 0.3)
    system.write(0)
    place = system.solver.blocks[5].place
    system.solver.factor[entry_at(system.solver.row_at, place, place)] = -1.0
    assert not sparse.factorise(system.solver, system.solver.islands[0])


def test_bits_are_counted_and_found():
    rng = np.random.default_rng(3)
    words = [0, 1, (1 << BITS) - 1, 1 << (BITS - 1), *map(int, rng.integers(1 << BITS, size=200))]
    assert [count_bits(word) for word in words] == [word.bit_count() for word in words]
    assert all(word >> lowest(word) & 1 and word % (1 << lowest(word)) == 0 for word in words[1:])


# Heaps ------------------------------------------------------------------------------------------


def heap(dimension, count):
    """Return balls and boxes on each other between walls, and an arm among them."""
    round_one, square = ('circle', 'rectangle') if dimension == 2 else ('sphere', 'box')
    up = dimension - 1
    width = 1.05 if dimension == 2 else 0.64
    walls = []
    for axis, way in itertools.product(range(dimension), (1, -1)):
        normal = [0, 0, 0]
        normal[axis] = way
        if (axis, way) != (up, -1):
            walls.append(
                {'type': 'half_space', 'normal': normal, 'offset': 0.0 if way > 0 else -width}
            )
    bodies = {'room': {'fixed': True, 'shapes': walls}}
    rng, side = np.random.default_rng(1), 5 if dimension == 2 else 3
    for i in range(count):
        grid = [i % side, i // side] if dimension == 2 else [i % 3, i // 3 % 3, i // 9]
        place = 0.105 + 0.198 * np.array(grid) + 0.02 * rng.uniform(size=dimension)
        place[up] = 0.099 + 0.197 * grid[up]
        shape = {'type': round_one, 'radius': 0.1}
        if i % 4 == 3:
            shape = {'type': square, 'half_extents': [0.099] * dimension}
        bodies[f'b{i:02d}'] = {
            'mass': 0.5 + 0.1 * (i % 5),
            'shapes': [shape],
            'joint': {'type': 'planar' if dimension == 2 else 'free'},
            'initial': {'position': [*place, 0.0][:3]},
        }
    layers = -(-count // (5 if dimension == 2 else 9))
    bodies |= arm(dimension, 0.197 * layers + 0.04)
    model = sc.Model('heap', dimension=dimension)
    gravity = [0, 0, 0]
    gravity[up] = -9.81
    material = {'stiffness': 1e5, 'damping': 0.5, 'friction': 0.4, 'slip_speed': 0.01}
    model.set(gravity=gravity, materials={'default': material}, bodies=bodies)
    return model


def arm(dimension, height):
    """Return two links that lie on the heap."""
    shape = {'type': 'capsule', 'radius': 0.04, 'half_length': 0.14}
    link = {'mass': 0.4, 'com': [0.15, 0, 0]}
    turned = {'position': [0.15, 0, 0]}
    if dimension == 3:
        turned['rpy'] = [0.0, np.pi / 2, 0.0]
    joint = {'type': 'revolute', 'damping': 0.02}
    if dimension == 3:
        joint['axis'] = [0, 1, 0]
    base = [0.05, height, 0] if dimension == 2 else [0.05, 0.11, height]
    link['shapes'] = [{**shape, 'pose': turned}]
    return {
        'upper': {**link, 'joint': {**joint, 'origin': {'xyz': base}}},
        'lower': {**link, 'joint': {**joint, 'parent': 'upper', 'origin': {'xyz': [0.3, 0, 0]}}},
    }


def run(model, count, limit):
    simulation = sc.Simulation(model, integrator='implicit', step_size=1e-3)
    simulation.parts.live.memory.world.solver.sparse_from = limit
    simulation.step(count)
    return simulation


def solver_of(simulation):
    return simulation.parts.live.memory.world.solver


@pytest.mark.parametrize('dimension', [2, 3])
def test_a_heap_moves_as_with_the_factor_of_small_islands(dimension):
    model = heap(dimension, 40)
    one, other = run(model, 50, 30), run(model, 50, NEVER)
    solver = solver_of(one)
    islands = [solver.islands[i] for i in range(solver.island_count)]
    assert max(island.place_count for island in islands if island.is_sparse) > 100
    assert solver.blocks[40].island == solver.blocks[0].island, 'the arm touches nothing'
    assert solver_of(other).panel_count == 0 and solver.unconverged == 0
    np.testing.assert_allclose(one.q, other.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(one.u, other.u, rtol=0, atol=1e-9)


@pytest.mark.parametrize('dimension', [2, 3])
def test_plain_python_makes_the_same_steps_bit_for_bit(dimension, monkeypatch):
    model = heap(dimension, 10)
    compiled = run(model, 4, 6)
    assert solver_of(compiled).panel_count > 0
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    assert run(model, 4, 6).state_hash() == compiled.state_hash()


def test_small_worlds_have_no_memory_for_large_islands():
    simulation = run(heap(2, 10), 4, NEVER)
    solver = solver_of(simulation)
    assert len(solver.neighbours) == len(solver.members) == 0
    assert len(solver.factor) > 0
