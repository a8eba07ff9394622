"""Robots in contact: us per step of 1 ms beside MuJoCo, alternating on one core."""

import argparse
from collections.abc import Iterable
from importlib import util
import json
import logging
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from measuring import table
import numpy as np
from robot_scenes import robots_folder, Scene, SCENES
from robot_simulators import Mujoco, Ours, STEP_SIZE

from symcontact_ros import SymcontactError
from symcontact_ros.bench.machine import machine, pin_to_core, versions

BATCH = 100  # steps between two looks at the clock
PHASES = {'first 0.5 s': (0.0, 0.5), '0.5 to 2 s': (0.5, 2.0), 'at rest': (2.0, 5.0)}
DURATION = 5.0  # [s]
LAST = 1.0  # the end of the run, in which nothing should move any more [s]
OURS, EULER, ELLIPTIC = 'ours', 'MuJoCo', 'MuJoCo, implicitfast, elliptic'
Samples = dict[str, list[list[float]]]  # by method: us per step, of every run and batch


def measure(methods: dict[str, Any], repeats: int) -> tuple[Samples, dict[str, dict[str, Any]]]:
    """
    Return the times of all batches, and what each method says of its last run.

    In every run all methods go back to the start and make the same batches in turns. A method
    that stops says why, and is left out from then on.
    """
    batches = round(DURATION / STEP_SIZE / BATCH)
    before = batches - round(LAST / STEP_SIZE / BATCH)
    times: Samples = {name: [] for name in methods}
    facts: dict[str, dict[str, Any]] = {name: {} for name in methods}
    running = dict(methods)
    for _ in range(repeats):
        for name, method in running.items():
            method.reset()
            times[name].append([])
            facts[name] = {'least contacts': np.inf}
        for batch in range(batches):
            for name, method in list(running.items()):
                if batch == before:
                    facts[name]['place'] = method.place()
                start = time.process_time()
                try:
                    method.run(BATCH)
                except SymcontactError as error:
                    facts[name]['stopped'] = str(error).splitlines()[0]
                    running.pop(name)
                    continue
                times[name][-1].append(1e6 * (time.process_time() - start) / BATCH)
                least = min(facts[name]['least contacts'], method.contacts())
                facts[name]['least contacts'] = int(least)
    for name, method in running.items():
        moved = method.place() - facts[name].pop('place')
        facts[name].update(method.facts(), drift=float(np.linalg.norm(moved)))
    return times, facts


def phases(runs: list[list[float]]) -> dict[str, tuple[float, float]]:
    """
    Return us per step of every phase: least and median.

    The work of a batch is the same in every run: the least, or the median, of each batch over the
    runs, and the mean of these over the batches of the phase.
    """
    if not runs or len({len(run) for run in runs}) > 1:
        return {}
    rows = np.array(runs)
    found = {}
    for name, limits in PHASES.items():
        first, last = (round(limit / STEP_SIZE / BATCH) for limit in limits)
        part = rows[:, first:last]
        if part.shape[1] == last - first:
            least, median = part.min(axis=0).mean(), np.median(part, axis=0).mean()
            found[name] = (float(least), float(median))
    return found


def result_of(scene: Scene, folder: Path, integrator: str, repeats: int) -> dict[str, Any]:
    """Return all that is measured in one scene."""
    with tempfile.TemporaryDirectory() as place:
        ours = Ours(scene, folder, Path(place), integrator)
    methods: dict[str, Any] = {OURS: ours}
    if util.find_spec('mujoco'):
        methods[EULER] = Mujoco(ours, '')
        methods[ELLIPTIC] = Mujoco(ours, 'elliptic')
    times, facts = measure(methods, repeats)
    return {name: {'us per step': phases(times[name]), **facts[name]} for name in methods}


# Table ---------------------------------------------------------------------------------------

HEADER = (
    '', 'contacts', *PHASES, 'x ours', 'Newton: mean', 'largest', 'not converged',
    'drift', 'N [N]', 'N/weight',
)  # fmt: skip


def rows_of(robot: str, found: dict[str, dict[str, Any]]) -> Iterable[list[str]]:
    ours = found[OURS]['us per step'].get('at rest')
    for name, facts in found.items():
        if 'stopped' in facts:
            print(f'{robot}, {name}: {facts["stopped"]}')
        spent = facts['us per step']
        ratio = spent['at rest'][0] / ours[0] if ours and 'at rest' in spent else None
        yield [
            f'{robot}, {name}',
            shown(facts.get('contacts'), 'd'),
            *('{:.1f} / {:.1f}'.format(*spent[p]) if p in spent else '-' for p in PHASES),
            shown(ratio, '.2f'),
            shown(facts.get('newton mean'), '.2f'),
            shown(facts.get('newton largest'), '.0f'),
            shown(facts.get('not converged'), '.0f'),
            shown(facts.get('drift'), '.1e'),
            shown(facts.get('normal'), '.2f'),
            shown(facts.get('normal over weight'), '.6f'),
        ]


def shown(value: Any, form: str) -> str:
    return '' if value is None else f'{value:{form}}'


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--robots', nargs='+', choices=SCENES, default=list(SCENES))
    parser.add_argument('--integrator', default='implicit')
    parser.add_argument('--repeats', type=int, default=5, help='runs from the start')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    return parser.parse_args()


def main() -> int:
    options = parsed()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(about['machine'])
    if not util.find_spec('mujoco'):
        print('not installed, not measured: mujoco (pip install mujoco)')
    folder = robots_folder()
    if folder is None:
        print('not installed: example-robot-data; nothing is measured (pip install pin)')
        return 0
    results: dict[str, Any] = {}
    for robot in options.robots:
        print(f'  {robot} ...', file=sys.stderr, flush=True)
        results[robot] = result_of(SCENES[robot], folder, options.integrator, options.repeats)
    rows = [row for robot, found in results.items() for row in rows_of(robot, found)]
    print(f'us per step of 1 ms, {options.integrator}: least / median of {options.repeats} runs')
    print(table(HEADER, rows))
    lost = [f'{robot}, {name}' for robot, found in results.items() for name in loose(found)]
    if lost:
        print('not in contact all the time:', '; '.join(lost))
    if options.json:
        options.json.write_text(json.dumps({**about, 'robots': results}, indent=1) + '\n')
    return 0


def loose(found: dict[str, dict[str, Any]]) -> Iterable[str]:
    """Yield the methods that had a look without a contact: their times are of another scene."""
    return (name for name, facts in found.items() if facts.get('least contacts', 1) == 0)


if __name__ == '__main__':
    sys.exit(main())
