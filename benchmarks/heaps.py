"""Heaps of balls in a box: ms per implicit step, and us per factor, of both kinds of factors."""

import argparse
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from measuring import table
import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.simulation.step.implicit import factor, sparse
from symcontact_ros.simulation.step.implicit.islands import find_islands
from symcontact_ros.simulation.step.implicit.newton import write_hessian
from symcontact_ros.simulation.world.compiling import world_type
from symcontact_ros.simulation.world.world import World

RADIUS = 0.1  # [m]
STEP_SIZE = 1e-3  # [s]
COUNTS = (8, 16, 27, 64, 216, 512)
MATERIAL = {'stiffness': 1e5, 'damping': 0.5, 'friction': 0.4, 'slip_speed': 0.01}
NEVER = 1 << 40  # velocities of an island
LIMITS = {'profile': NEVER, 'sparse': 0}  # from which its factor is sparse


def simulation(count: int) -> sc.Simulation:
    """Return balls above each other in a box, which fall a few millimetres."""
    side = max(2, int(np.floor(count ** (1 / 3) + 1e-9)))
    width = 2.02 * RADIUS * side + 0.4 * RADIUS
    faces = {(0, 0, 1): 0.0, (1, 0, 0): 0.0, (0, 1, 0): 0.0, (-1, 0, 0): width, (0, -1, 0): width}
    walls = [
        {'type': 'half_space', 'normal': list(normal), 'offset': -at}
        for normal, at in faces.items()
    ]
    bodies: dict[str, Any] = {'box': {'fixed': True, 'shapes': walls}}
    rng = np.random.default_rng(0)
    for i in range(count):
        grid = np.array([i % side, i // side % side, i // side**2])
        place = RADIUS * (1.02 + 2.02 * grid) + 0.3 * RADIUS * np.array([*rng.uniform(size=2), 0])
        bodies[f'ball{i:04d}'] = {
            'mass': 1.0,
            'shapes': [{'type': 'sphere', 'radius': RADIUS}],
            'joint': {'type': 'free'},
            'initial': {'position': place.tolist()},
        }
    model = sc.Model('heap', dimension=3)
    model.set(materials={'default': MATERIAL}, bodies=bodies)
    return sc.Simulation(model, integrator='implicit', step_size=STEP_SIZE)


def plan(times: int, world: World[S, F, V]) -> None:
    """Find the islands of the last step, with their order of elimination."""
    for _ in range(times):
        find_islands(world, world.active_count)


def assemble(times: int, world: World[S, F, V]) -> None:
    """Write the Hessian of the first island, as in the last step."""
    for _ in range(times):
        write_hessian(world, world.solver.islands[0], world.step_size)


def solve(times: int, world: World[S, F, V]) -> None:
    """Write the same, factorise it and solve."""
    solver = world.solver
    for _ in range(times):
        island = solver.islands[0]
        write_hessian(world, island, world.step_size)
        if island.is_sparse:
            sparse.factorise(solver, island)
            sparse.solve(solver, island, solver.solution)
        else:
            factor.factorise(solver, island)
            factor.solve(solver, island, solver.solution)


PARTS = {'plan': plan, 'assemble': assemble, 'solve': solve}


class Heap:
    """A simulation whose islands have one kind of factor."""

    def __init__(self, count: int, kind: str) -> None:
        self._simulation = simulation(count)
        self.memory = self._simulation.parts.live.memory
        self.memory.world.solver.sparse_from = LIMITS[kind]
        own = world_type(self.memory)
        self._parts = {name: Kernel(part, [int, own]) for name, part in PARTS.items()}

    def run(self, steps: int) -> None:
        self._simulation.step(steps)

    def follow(self, other: 'Heap') -> None:
        """Take the state of another heap."""
        self._simulation.restore_state(other._simulation.save_state())

    def seconds(self, name: str, times: int) -> float:
        """Return the seconds that a part of the last step takes."""
        start = time.process_time()
        self._parts[name](times, self.memory.image.memory)
        return (time.process_time() - start) / times

    def facts(self) -> dict[str, float]:
        solver = self.memory.world.solver
        sizes = [solver.islands[i].place_count for i in range(solver.island_count)]
        return {
            'islands': solver.island_count,
            'velocities': sizes[0],
            'contacts': solver.row_count,
            'numbers': solver.islands[0].factor_size,
            'iterations': solver.iterations,
            'unconverged': solver.unconverged,
            'memory': float(self.memory.image.memory.nbytes),
        }


def measure(count: int, warm_up: int, steps: int, repeats: int) -> dict[str, dict[str, float]]:
    """Return the least times of every kind of factor, which alternate, and facts."""
    heaps = {kind: Heap(count, kind) for kind in LIMITS}
    heaps['sparse'].run(warm_up)
    heaps['profile'].follow(heaps['sparse'])
    found: dict[str, dict[str, float]] = {kind: {} for kind in heaps}
    for _ in range(repeats):
        for kind, heap in heaps.items():
            before = heap.memory.world.solver.iterations
            start = time.process_time()
            heap.run(steps)
            times = {'step': (time.process_time() - start) / steps}
            found[kind]['per step'] = (heap.memory.world.solver.iterations - before) / steps
            rounds = max(1, int(0.02 / max(1e-6, heap.seconds('solve', 1))))
            times |= {name: heap.seconds(name, rounds) for name in PARTS}
            for name, value in times.items():
                found[kind][name] = min(value, found[kind].get(name, np.inf))
    return {kind: {**own, **heaps[kind].facts()} for kind, own in found.items()}


HEADER = ('', 'velocities', 'contacts', 'numbers', 'iterations', 'ms per step', 'us: plan')
HEADER += ('assemble', 'factor, solve')


def rows_of(count: int, found: dict[str, dict[str, float]]) -> list[tuple[str, ...]]:
    return [
        (
            f'{count} {kind}',
            *(f'{own[key]:.0f}' for key in ('velocities', 'contacts', 'numbers')),
            f'{own["per step"]:.2f}',
            f'{1e3 * own["step"]:.3f}',
            f'{1e6 * own["plan"]:.1f}',
            f'{1e6 * own["assemble"]:.1f}',
            f'{1e6 * (own["solve"] - own["assemble"]):.1f}',
        )
        for kind, own in found.items()
    ]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--counts', nargs='+', type=int, default=COUNTS)
    parser.add_argument('--warm-up', type=int, default=500, help='steps before the measurement')
    parser.add_argument('--steps', type=int, default=20, help='steps per measurement')
    parser.add_argument('--repeats', type=int, default=5)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(())}
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(about['machine'])
    results, rows = {}, []
    for count in options.counts:
        print(f'  {count} balls ...', file=sys.stderr, flush=True)
        found = measure(count, options.warm_up, options.steps, options.repeats)
        results[str(count)] = found
        rows += rows_of(count, found)
    print(table(HEADER, rows))
    if options.json:
        options.json.write_text(json.dumps({**about, 'heaps': results}, indent=1) + '\n')


if __name__ == '__main__':
    main()
