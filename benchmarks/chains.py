"""Chains of links in space that fall: us per step of 1 ms over the number of links."""

import argparse
from importlib import import_module, util
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from measuring import Sample, table
import numpy as np
from robot_simulators import gravity_of

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions

STEP_SIZE = 1e-3  # [s]
COUNTS = (1, 2, 4, 8, 16, 32, 64)
LENGTH, MASS = 0.2, 1.0  # of a link [m], [kg]
INERTIA = (0.001, 0.004, 0.004)  # [kg m^2]
DAMPING = 0.1  # of a joint [N m s/rad]: without it a long chain is a whip
START = 0.1  # of every joint [rad]
STEPS = 500  # of a run
EARLY = 100  # steps after which positions are compared


def axis(link: int) -> list[int]:
    """Return the axis of a joint: by turns across and upright."""
    return [0, 1, 0] if link % 2 == 0 else [0, 0, 1]


def chain(count: int) -> sc.Model:
    """Return a chain that hangs from a point, straight but for a bend in every joint."""
    model = sc.Model(f'chain{count}', dimension=3)
    for i in range(count):
        model.add_body(
            f'link{i}',
            mass=MASS,
            com=[0.5 * LENGTH, 0, 0],
            inertia=dict(zip(('ixx', 'iyy', 'izz'), INERTIA, strict=True)),
            joint={
                'type': 'revolute',
                'parent': f'link{i - 1}' if i else 'world',
                'axis': axis(i),
                'origin': {'xyz': [LENGTH if i else 0.0, 0, 0]},
                'damping': DAMPING,
            },
            initial={'position': START},
        )
    return model


class Ours:
    """Our simulation of a chain, with guards and energy balance, as by default."""

    def __init__(self, count: int) -> None:
        self.model = chain(count)
        begin = time.process_time()
        self._simulation = sc.Simulation(
            self.model, integrator='semi_implicit', step_size=STEP_SIZE
        )
        self.loading = time.process_time() - begin
        self.reset = self._simulation.reset
        self.run = self._simulation.step

    def positions(self) -> np.ndarray:
        """Return the positions of all joints [rad]."""
        return np.array(self._simulation.q)


class Mujoco:
    """MuJoCo with the same chain; Euler with its damping at the begin of a step, as ours."""

    def __init__(self, count: int, ours: Ours) -> None:
        self._mujoco = mujoco = import_module('mujoco')
        inertial = (
            f'<inertial pos="{0.5 * LENGTH} 0 0" mass="{MASS}" '
            f'diaginertia="{" ".join(map(str, INERTIA))}"/>'
        )
        text = ''
        for i in reversed(range(count)):
            joint = f'<joint axis="{" ".join(map(str, axis(i)))}" damping="{DAMPING}"/>'
            text = f'<body pos="{LENGTH if i else 0.0} 0 0">{joint}{inertial}{text}</body>'
        gravity = ' '.join(map(str, gravity_of(ours.model)))
        self._model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{STEP_SIZE}" gravity="{gravity}">'
            f'<flag eulerdamp="disable"/></option><worldbody>{text}</worldbody></mujoco>'
        )
        self._data = mujoco.MjData(self._model)

    def reset(self) -> None:
        """Go to the start."""
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = START

    def run(self, steps: int) -> None:
        """Make steps."""
        self._mujoco.mj_step(self._model, self._data, steps)

    def positions(self) -> np.ndarray:
        """Return the positions of all joints [rad]."""
        return np.array(self._data.qpos)


def measured(count: int, repeats: int) -> dict[str, Any]:
    """Return us per step of all methods, in turns, and how far MuJoCo is from ours."""
    ours = Ours(count)
    methods: dict[str, Any] = {'ours': ours}
    if util.find_spec('mujoco'):
        methods['MuJoCo'] = Mujoco(count, ours)
    early = {}
    for name, method in methods.items():
        method.reset()
        method.run(EARLY)
        early[name] = method.positions()
    times: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(repeats):
        for name, method in methods.items():
            method.reset()
            start = time.process_time()
            method.run(STEPS)
            times[name].append(1e6 * (time.process_time() - start) / STEPS)
    away = {name: float(np.abs(own - early['ours']).max()) for name, own in early.items()}
    found: dict[str, Any] = {
        name: {'us': vars(Sample.of(own)), 'difference': away[name]} for name, own in times.items()
    }
    found['ours']['load s'] = ours.loading
    return found


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--counts', nargs='+', type=int, default=COUNTS)
    parser.add_argument('--repeats', type=int, default=15, help='runs from the start')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(about['machine'])
    if not util.find_spec('mujoco'):
        print('not installed, not measured: mujoco (pip install mujoco)')
    Ours(3)  # imports
    results = {count: measured(count, options.repeats) for count in options.counts}
    rows = []
    for count, found in results.items():
        ours = found['ours']['us']['minimum']
        for name, facts in found.items():
            least, away = facts['us']['minimum'], facts['difference']
            row = (f'{count} links, {name}', f'{least:.2f}', f'{least / count:.3f}')
            rows.append((*row, f'{least / ours:.2f}', f'{away:.1e}' if name != 'ours' else ''))
    print(table(('', 'us per step', 'us per link', 'x ours', 'difference'), rows))
    if options.json:
        options.json.write_text(json.dumps({**about, 'chains': results}, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
