"""Steps while two bodies touch, and over whole runs: ns per step beside MuJoCo, in turns."""

import argparse
from collections.abc import Sequence
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from measuring import Sample, table
from step_budgets import IN_CONTACT, touching

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions
from symcontact_ros.bench.ours import Ours
from symcontact_ros.bench.peers import missing_packages, Mujoco
from symcontact_ros.bench.scenes import load_scene, SCENARIOS
from symcontact_ros.bench.table_one import in_turns, STEP_SIZE

STEPS = 2000
BUDGETS = {  # [ns]
    'in contact': {'rectangle_rectangle': 450.0, 'sphere_cuboid': 630.0},
    'over its run': {'sphere_cuboid': 140.0},
}


class Touching:
    """Our steps from the deepest point of the first impact."""

    def __init__(self, name: str, state: tuple[Any, Any]) -> None:
        self._simulation = sc.Simulation(
            sc.load_model(name), step_size=IN_CONTACT, max_substeps=1, manifold='single'
        )
        self.run, self._state = self._simulation.step, state

    def reset(self) -> None:
        """Go to that point."""
        self._simulation.reset()
        self._simulation.set_state(*self._state)

    def contacts(self) -> int:
        """Return the number of contact points."""
        return len(self._simulation.contacts())


class MujocoTouching(Mujoco):
    """MuJoCo from the same positions at rest: its law would part the bodies at once."""

    def __init__(self, name: str, state: tuple[Any, Any]) -> None:
        super().__init__(load_scene(name)[1], IN_CONTACT)
        self._q = state[0]
        self.build()

    def reset(self) -> None:
        """Go to that point."""
        super().reset()
        q = self._q.reshape(len(self._scene.solids), -1)
        if self._scene.dimension == 3:
            q = q[:, [0, 1, 2, 6, 3, 4, 5]]
        self._data.qpos[:] = q.ravel()
        self._data.qvel[:] = 0.0
        self._library.mj_forward(self._model, self._data)

    def contacts(self) -> int:
        """Return the number of contact points."""
        return int(self._data.ncon)


def in_contact(name: str, peers: bool, runs: int) -> dict[str, Any]:
    """Return ns per step while the bodies touch, of methods that take turns."""
    state = touching(name)
    methods: dict[str, Any] = {'ours': Touching(name, state)}
    if peers:
        methods['MuJoCo'] = MujocoTouching(name, state)
    times: dict[str, list[float]] = {method: [] for method in methods}
    for _ in range(runs + 1):  # the first run is a warm-up
        for title, method in methods.items():
            method.reset()
            before = method.contacts()
            begin = time.process_time()
            method.run(STEPS)
            times[title].append(1e9 * (time.process_time() - begin) / STEPS)
            if not (before and method.contacts()):
                raise SystemExit(f'{name}, {title}: the bodies part: not all steps in contact')
    return {title: vars(Sample.of(own[1:])) for title, own in times.items()}


def over_its_run(name: str, peers: bool, runs: int) -> dict[str, Any]:
    """Return ns per step of 1 ms over a whole run, most of it free flight."""
    model, scene = load_scene(name)
    methods: list[Any] = [Ours(model, scene, 'rk4', STEP_SIZE)]
    if peers:
        methods.append(Mujoco(scene, STEP_SIZE))
    found = in_turns(methods, runs, STEPS)
    return {
        title: vars(Sample.of([1e9 * timing.run / timing.steps for timing in own]))
        for title, own in zip(('ours', 'MuJoCo'), found, strict=False)
    }


MEASURES = {'in contact': in_contact, 'over its run': over_its_run}


def measured(names: Sequence[str], runs: int) -> dict[str, Any]:
    """Return ns per step by scenario, measure and method."""
    peers = 'mujoco' not in missing_packages()
    return {
        name: {title: measure(name, peers, runs) for title, measure in MEASURES.items()}
        for name in names
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--scenarios', nargs='+', choices=SCENARIOS, default=SCENARIOS)
    parser.add_argument('--runs', type=int, default=20)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)  # steps are not divided here, on purpose
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(about['machine'])
    found = measured(options.scenarios, options.runs)
    rows = []
    for name, measures in found.items():
        for measure, methods in measures.items():
            budget = BUDGETS[measure].get(name)
            for title, sample in methods.items():
                must = f'<= {budget:g}' if budget and title == 'ours' else ''
                verdict = ('ok' if sample['minimum'] <= budget else 'MISSED') if must else ''
                text = Sample(**sample).text()
                rows.append((f'{name}, {measure}, {title}', text, must, verdict))
    print(f'ns per step: least / median of {options.runs} runs')
    print(table(('', 'ns per step', 'must', ''), rows))
    if options.json:
        options.json.write_text(json.dumps({**about, 'scenarios': found}, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
