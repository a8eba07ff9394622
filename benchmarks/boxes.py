"""Many boxes on a plane: ms per step after settling, alternating with MuJoCo."""

import argparse
from importlib import import_module, util
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from measuring import table
import numpy as np

from symcontact_ros.bench.machine import machine, pin_to_core, versions

HALF = 0.1  # [m]
STEP_SIZE = 1e-3  # [s]
MATERIAL = {'stiffness': 1e7, 'damping': 0.5, 'friction': 0.3, 'slip_speed': 0.05}
COUNTS = (10, 50, 100, 300, 1000)
MUST = 0.25  # [ms] per step, 100 boxes
SLOWEST = 60.0  # [s]: limit of the time for the steps before the measurement


def layer(count: int) -> np.ndarray:
    """Return the positions of separate boxes, each on the plane."""
    side = int(np.ceil(count**0.5))
    i = np.arange(count)
    return np.column_stack([0.25 * (i % side), 0.25 * (i // side), np.full(count, 0.12)])


def pile(count: int) -> np.ndarray:
    """Return the positions of boxes in a spaced grid that falls into a pile."""
    side = int(np.ceil(count ** (1 / 3))) + 1
    i = np.arange(count)
    off = 0.04 * np.random.default_rng(0).uniform(size=(count, 2))
    x, y = 0.25 * (i % side) + off[:, 0], 0.25 * (i // side % side) + off[:, 1]
    return np.column_stack([x, y, 0.12 + 0.24 * (i // side**2)])


LAYOUTS = {'layer': layer, 'pile': pile}


class Ours:
    def __init__(self, places: np.ndarray, integrator: str) -> None:
        import symcontact_ros as sc

        box = {'type': 'box', 'half_extents': [HALF] * 3}
        bodies: dict[str, Any] = {
            'ground': {'fixed': True, 'shapes': [{'type': 'half_space', 'normal': [0, 0, 1]}]}
        }
        for i, place in enumerate(places):
            bodies[f'box{i:04d}'] = {
                'mass': 1.0,
                'shapes': [box],
                'joint': {'type': 'free'},
                'initial': {'position': place.tolist()},
            }
        model = sc.Model('boxes', dimension=3)
        model.set(materials={'default': MATERIAL}, bodies=bodies)
        start = time.process_time()
        self._simulation = sc.Simulation(model, integrator=integrator, step_size=STEP_SIZE)
        self.loading = time.process_time() - start

    def run(self, steps: int) -> None:
        self._simulation.step(steps)

    def facts(self) -> dict[str, float]:
        simulation = self._simulation
        energy = simulation.energy()
        heights = simulation.q.reshape(-1, 7)[:, 2]
        return {
            'contacts': len(simulation.contacts()),
            'lowest': float(heights.min()),
            'substeps': float(simulation.counters['substeps']),
            'residual': float(energy.residual),
            'load s': self.loading,
        }


class Mujoco:
    def __init__(self, places: np.ndarray) -> None:
        mujoco = self._mujoco = import_module('mujoco')
        geom = f'<geom type="box" size="{HALF} {HALF} {HALF}" mass="1"/>'
        bodies = ''.join(
            f'<body pos="{x} {y} {z}"><freejoint/>{geom}</body>' for x, y, z in places
        )
        self._model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP_SIZE}"/><size memory="200M"/>'
            f'<default><geom friction="{MATERIAL["friction"]} 0 0"/></default><worldbody>'
            f'<geom type="plane" size="0 0 1"/>{bodies}</worldbody></mujoco>'
        )
        self._data = mujoco.MjData(self._model)

    def run(self, steps: int) -> None:
        self._mujoco.mj_step(self._model, self._data, steps)

    def facts(self) -> dict[str, float]:
        return {'contacts': self._data.ncon, 'lowest': float(self._data.xpos[1:, 2].min())}


def measure(
    methods: dict[str, Any], warm_up: int, steps: int, repeats: int
) -> dict[str, dict[str, float]]:
    """Return ms of CPU time per step, mean and minimum, after a warm-up; methods alternate."""
    times: dict[str, list[float]] = {}
    for name, method in methods.items():
        start, made = time.process_time(), 0
        while made < warm_up and time.process_time() - start < SLOWEST:
            method.run(50)
            made += 50
        if made >= warm_up:
            times[name] = []
        else:
            print(f'{name}: only {made} steps in {SLOWEST} s, left out')
    for _ in range(repeats):
        for name, own in times.items():
            start = time.process_time()
            methods[name].run(steps)
            own.append(1e3 * (time.process_time() - start) / steps)
    return {
        name: {'mean': float(np.mean(own)), 'minimum': min(own), **methods[name].facts()}
        for name, own in times.items()
    }


def rows_of(layout: str, count: int, found: dict[str, dict[str, float]]) -> list[tuple[str, ...]]:
    rows = []
    for name, row in found.items():
        ours = found.get('rk4', row)
        more = [f'{row[key]:.3g}' if key in row else '-' for key in ('substeps', 'residual')]
        rows.append(
            (
                f'{layout} {count} {name}',
                f'{row["mean"]:.4f}',
                f'{row["minimum"]:.4f}',
                f'{row["minimum"] / ours["minimum"]:.2f}',
                f'{1e3 * row["minimum"] / count:.2f}',
                f'{row["contacts"]:.0f}',
                f'{1e3 * (HALF - row["lowest"]):.2f}',
                *more,
            )
        )
    return rows


HEADER = ('', 'ms per step: mean', 'min', 'x rk4', 'us per box', 'contacts', 'deepest mm')
HEADER += ('substeps', 'residual J')


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--counts', nargs='+', type=int, default=COUNTS)
    parser.add_argument('--layouts', nargs='+', choices=LAYOUTS, default=list(LAYOUTS))
    parser.add_argument('--warm-up', type=int, default=1000, help='steps before the measurement')
    parser.add_argument('--steps', type=int, default=100, help='steps per measurement')
    parser.add_argument('--repeats', type=int, default=5)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(about['machine'])
    if not util.find_spec('mujoco'):
        print('not installed, not measured: mujoco (pip install mujoco)')
    results: dict[str, Any] = {}
    rows: list[tuple[str, ...]] = []
    for layout in options.layouts:
        for count in options.counts:
            print(f'  {layout} of {count} ...', file=sys.stderr, flush=True)
            places = LAYOUTS[layout](count)
            methods: dict[str, Any] = {kind: Ours(places, kind) for kind in ('rk4', 'verlet')}
            if util.find_spec('mujoco'):
                methods['MuJoCo'] = Mujoco(places)
            found = measure(methods, options.warm_up, options.steps, options.repeats)
            results[f'{layout} {count}'] = found
            rows += rows_of(layout, count, found)
    print(table(HEADER, rows), '\n')
    for name, found in results.items():
        if name.endswith(' 100') and 'rk4' in found:
            measured = found['rk4']['minimum']
            verdict = 'ok' if measured <= MUST else 'MISSED'
            print(f'{name} boxes, rk4: at most {MUST} ms, measured {measured:.4f} ms: {verdict}')
    if options.json:
        options.json.write_text(json.dumps({**about, 'boxes': results}, indent=1) + '\n')


if __name__ == '__main__':
    main()
