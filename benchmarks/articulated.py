"""Bodies on joints that touch nothing: us per step of 1 ms beside MuJoCo, in turns on a core."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, util
import json
import logging
from pathlib import Path
import sys
import tempfile
import time
from typing import Any
from xml.etree import ElementTree

from measuring import ROOT, Sample, table
import numpy as np
from robot_scenes import PANDA, Scene, urdf
from robot_simulators import gravity_of

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions

STEP_SIZE = 1e-3  # [s]
EARLY = 100  # steps after which positions are compared
METHODS = {'rk4': 'RK4', 'semi_implicit': 'Euler'}  # the same method in MuJoCo
PENDULA = """
<mujoco>
  <compiler angle="radian"/>
  <option gravity="0 {gravity} 0"/>
  <worldbody>{bodies}</worldbody>
</mujoco>
"""


@dataclass(frozen=True)
class Case:
    """A model, its integrator and budget [us per step], and its text for MuJoCo."""

    load: Callable[[], sc.Model]
    text: Callable[[sc.Model], str]
    integrator: str
    budget: float
    steps: int  # of a run


def mass_in_plane(model: sc.Model, name: str) -> str:
    """Return the inertia of a planar body for MuJoCo, which needs all three moments."""
    body = model.body(name)
    mass, moment = model.number(body.mass), max(model.number(body.inertia[2]), 1e-6)
    centre = ' '.join(repr(float(model.number(part))) for part in body.com)
    return f'<inertial pos="{centre}" mass="{mass}" diaginertia="{moment} {moment} {moment}"/>'


def cart_pole(model: sc.Model) -> str:
    """Return the cart-pole for MuJoCo."""
    pole = f'<body><joint axis="0 0 1"/>{mass_in_plane(model, "pole")}</body>'
    cart = f'<body><joint type="slide" axis="1 0 0"/>{mass_in_plane(model, "cart")}{pole}</body>'
    return PENDULA.format(gravity=gravity_of(model)[1], bodies=cart)


def double_pendulum(model: sc.Model) -> str:
    """Return the double pendulum for MuJoCo."""
    joint, length = '<joint axis="0 0 1"/>', model.symbols['l'].value
    lower = f'<body pos="0 {-length} 0">{joint}{mass_in_plane(model, "lower")}</body>'
    upper = f'<body>{joint}{mass_in_plane(model, "upper")}{lower}</body>'
    return PENDULA.format(gravity=gravity_of(model)[1], bodies=upper)


def panda_text() -> str:
    """Return the Panda of this package without shapes, its fingers with joints of their own."""
    robot = urdf(Scene('urdf/panda.urdf', (), {}, 0.0), ROOT)
    return ElementTree.tostring(robot, encoding='unicode')


def panda() -> sc.Model:
    """Return the Panda without shapes, as it falls from a pose of work."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, 'panda.urdf')
        file.write_text(panda_text())
        return sc.load_model(file, initial={**PANDA, 'panda_finger*': 0.02})


CASES = {
    'cart_pole': Case(lambda: sc.load_model('cart_pole'), cart_pole, 'rk4', 0.30, 5000),
    'double_pendulum': Case(
        lambda: sc.load_model('double_pendulum'), double_pendulum, 'rk4', 0.30, 5000
    ),
    'Panda': Case(panda, lambda _: panda_text(), 'semi_implicit', 1.5, 200),
}


class Ours:
    """Our simulation of a case, with guards and energy balance, as by default."""

    def __init__(self, case: Case) -> None:
        self.model = case.load()
        self._simulation = sc.Simulation(
            self.model, integrator=case.integrator, step_size=STEP_SIZE
        )
        self.reset = self._simulation.reset
        self.run = self._simulation.step

    def positions(self) -> np.ndarray:
        """Return the positions of all joints [rad or m]."""
        return np.array(self._simulation.q)

    def check(self) -> None:
        """Raise where the steps of a run were divided: it is at a stop, or too stiff."""
        if self._simulation.counters['substeps']:
            raise ValueError(f'{self.model.name}: steps were divided into substeps')


class Mujoco:
    """MuJoCo with the masses, the start and the step size of ours."""

    def __init__(self, case: Case, ours: Ours, integrator: str) -> None:
        self._mujoco = import_module('mujoco')
        spec = self._mujoco.MjSpec.from_string(case.text(ours.model))
        spec.option.timestep = STEP_SIZE
        spec.option.integrator = getattr(self._mujoco.mjtIntegrator, f'mjINT_{integrator.upper()}')
        self._model = spec.compile()
        self._data = self._mujoco.MjData(self._model)
        self._start = ours.positions()
        if self._model.nq != len(self._start):
            raise ValueError(f'{self._model.nq} joints, ours: {len(self._start)}')

    def reset(self) -> None:
        """Go to the start of ours."""
        self._mujoco.mj_resetData(self._model, self._data)
        self._data.qpos[:] = self._start

    def run(self, steps: int) -> None:
        """Make steps."""
        self._mujoco.mj_step(self._model, self._data, steps)

    def positions(self) -> np.ndarray:
        """Return the positions of all joints [rad or m]."""
        return np.array(self._data.qpos)


def measured(case: Case, repeats: int) -> dict[str, dict[str, Any]]:
    """Return us per step of all methods, and how far they are from ours after a few steps."""
    ours = Ours(case)
    methods: dict[str, Any] = {f'ours, {case.integrator}': ours}
    if util.find_spec('mujoco'):
        for integrator in dict.fromkeys((METHODS[case.integrator], 'Euler')):
            methods[f'MuJoCo, {integrator}'] = Mujoco(case, ours, integrator)
    early = {}
    for name, method in methods.items():
        method.reset()
        method.run(EARLY)
        early[name] = method.positions()
    first = next(iter(early.values()))
    times: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(repeats):
        for name, method in methods.items():
            method.reset()
            start = time.process_time()
            method.run(case.steps)
            times[name].append(1e6 * (time.process_time() - start) / case.steps)
    ours.check()
    return {
        name: {'us': Sample.of(own), 'difference': float(np.abs(early[name] - first).max())}
        for name, own in times.items()
    }


def rows_of(name: str, found: dict[str, dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return the rows of a case."""
    budget, ours = CASES[name].budget, next(iter(found.values()))['us'].minimum
    rows = []
    for method, facts in found.items():
        least, is_ours = facts['us'].minimum, method.startswith('ours')
        verdict = ('ok' if least <= budget else 'MISSED') if is_ours else ''
        must = f'<= {budget:g}' if is_ours else ''
        difference = '' if is_ours else f'{facts["difference"]:.1e}'
        ratio = f'{least / ours:.1f}'
        text = facts['us'].text()
        rows.append((f'{name}, {method}', text, ratio, difference, must, verdict))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--cases', nargs='+', choices=CASES, default=list(CASES))
    parser.add_argument('--repeats', type=int, default=40, help='runs from the start')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(about['machine'])
    if not util.find_spec('mujoco'):
        print('not installed, not measured: mujoco (pip install mujoco)')
    results = {name: measured(CASES[name], options.repeats) for name in options.cases}
    rows = [row for name, found in results.items() for row in rows_of(name, found)]
    print(f'us per step of 1 ms: least / median of {options.repeats} runs')
    print(table(('', 'us per step', 'x ours', 'difference', 'must', ''), rows))
    if options.json:
        numbers = {
            name: {method: {**facts, 'us': vars(facts['us'])} for method, facts in found.items()}
            for name, found in results.items()
        }
        options.json.write_text(json.dumps({**about, 'cases': numbers}, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
