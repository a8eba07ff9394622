"""Many worlds: steps per second by the number of worlds and threads, beside MuJoCo's `rollout`."""

import argparse
from collections.abc import Callable
from importlib import util
import json
import logging
import os
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from measuring import table
import numpy as np
from robot_scenes import robots_folder, SCENES
from robot_simulators import Mujoco, Ours

from symcontact_ros import Batch, load_model
from symcontact_ros.batch.batch import cores
from symcontact_ros.bench.machine import machine, versions
from symcontact_ros.kernels.memory import MODE

# Model, integrator, worlds, steps of a run from the start, million steps/s that are asked for.
CASES = (
    ('rectangle_circle', 'rk4', 10_000, 2_000, 5.0),
    ('cart_pole', 'semi_implicit', 10_000, 1_000, 10.0),
    ('sphere_cuboid', 'rk4', 10_000, 1_000, None),
    ('double_pendulum', 'rk4', 10_000, 200, None),
)
ROBOTS = ('Go2', 'G1')
ROBOT_WORLDS, ROBOT_STEPS = 64, 500
SCALING = (1, 2, 4, 10, 30, 100, 1_000, 10_000)
HEADER = ('', 'integrator', 'worlds', 'threads', 'million steps/s', 'asked for', 'kB per world')


def rate_of(run: Callable[[int], object], steps: int, worlds: int, repeats: int) -> float:
    """Return steps of all worlds per second of wall-clock time: the most of several calls."""
    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        run(steps)
        best = max(best, steps * worlds / (time.perf_counter() - began))
    return best


def of_model(
    name: str, integrator: str, *, worlds: int, steps: int, threads: int, repeats: int
) -> Any:
    """Return the rate of a model, and the memory of a world."""
    batch = Batch(load_model(name), worlds, integrator=integrator, threads=threads)
    batch.step(10)

    def run(count: int) -> None:
        batch.reset()  # bodies that have flown apart cost little
        batch.step(count)

    return rate_of(run, steps, worlds, repeats), batch.memory_per_world


def of_robot(robot: str, folder: Path, threads: int, repeats: int) -> dict[str, float]:
    """Return the rates of a robot that stands, ours and MuJoCo's, which take turns."""
    with tempfile.TemporaryDirectory() as place:
        ours = Ours(SCENES[robot], folder, Path(place), 'implicit')
    batch = Batch(ours.model, ROBOT_WORLDS, integrator='implicit', threads=threads)
    names = list(ours.model.joint_names)
    for name, target in ours.targets.items():
        batch.target[:, names.index(name)] = target
    methods: dict[str, Callable[[int], object]] = {'ours': batch.step}
    if util.find_spec('mujoco'):
        for kind, label in (('', 'MuJoCo'), ('elliptic', 'MuJoCo, implicitfast, elliptic')):
            methods[label] = Mujoco(ours, kind).rollout(ROBOT_WORLDS, threads)
    rates = dict.fromkeys(methods, 0.0)
    for _ in range(repeats):
        for label, run in methods.items():
            rates[label] = max(rates[label], rate_of(run, ROBOT_STEPS, ROBOT_WORLDS, 1))
    if batch.diverged.any():
        print(f'{robot}: {batch.message(int(np.flatnonzero(batch.diverged)[0]))}')
    return rates


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        '--repeats', type=int, default=5, help='calls, of which the fastest counts'
    )
    parser.add_argument('--worlds', type=int, default=10_000, help='the most worlds at once')
    parser.add_argument('--only', choices=('models', 'robots', 'scaling'), nargs='+')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    os.environ.setdefault(MODE, 'best')  # the fastest code, which is waited for
    logging.disable(logging.WARNING)
    parts = options.only or ('models', 'robots', 'scaling')
    about = {'machine': machine(-1), 'versions': versions(('mujoco',)), 'cores': cores()}
    print(about['machine'])
    results: dict[str, Any] = {}
    if 'models' in parts:
        results['models'] = _models(options.repeats, options.worlds)
    if 'robots' in parts and (folder := robots_folder()) is not None:
        results['robots'] = _robots(folder, options.repeats)
    if 'scaling' in parts:
        results['scaling'] = _scaling(options.repeats, options.worlds)
    if options.json:
        options.json.write_text(json.dumps({**about, **results}, indent=1) + '\n')
    return 0


def _models(repeats: int, most: int) -> list[dict[str, Any]]:
    found, rows = [], []
    for name, integrator, wanted_worlds, steps, asked in CASES:
        worlds = min(wanted_worlds, most)
        for threads in sorted({1, cores()}):
            rate, size = of_model(
                name, integrator, worlds=worlds, steps=steps, threads=threads, repeats=repeats
            )
            wanted = '' if asked is None or threads == 1 else f'{asked:g}'
            rows.append(
                [name, integrator, f'{worlds}', f'{threads}', f'{rate / 1e6:.2f}', wanted,
                 f'{size / 1024:.1f}']
            )  # fmt: skip
            found.append(
                {'model': name, 'integrator': integrator, 'worlds': worlds, 'threads': threads,
                 'rate': rate, 'bytes': size}
            )  # fmt: skip
    print(table(HEADER, rows))
    return found


def _robots(folder: Path, repeats: int) -> list[dict[str, Any]]:
    found = [
        {'robot': robot, 'threads': threads, 'rates': of_robot(robot, folder, threads, repeats)}
        for robot in ROBOTS
        for threads in sorted({1, cores()})
    ]
    rows = [
        [f'{own["robot"]}, {name}', f'{own["threads"]}', f'{rate / 1e3:.1f}',
         f'{own["rates"]["ours"] / rate:.2f}']
        for own in found
        for name, rate in own['rates'].items()
    ]  # fmt: skip
    print(f'{ROBOT_WORLDS} worlds, steps of 1 ms, `implicit`')
    print(table(('', 'threads', 'thousand steps/s', 'ours is x'), rows))
    return found


def _scaling(repeats: int, most: int) -> list[dict[str, float]]:
    found = []
    for threads in sorted({1, cores()}):
        for worlds in (count for count in SCALING if count <= most):
            more = 20 if worlds <= 100 else 1  # these are short
            rate, _ = of_model(
                'rectangle_circle', 'rk4', worlds=worlds, steps=2_000, threads=threads,
                repeats=more * repeats,
            )  # fmt: skip
            found.append({'worlds': worlds, 'threads': threads, 'rate': rate})
    rows = [[f'{o["worlds"]}', f'{o["threads"]}', f'{o["rate"] / 1e6:.2f}'] for o in found]
    print(table(('worlds of rectangle_circle', 'threads', 'million steps/s'), rows))
    return found


if __name__ == '__main__':
    sys.exit(main())
