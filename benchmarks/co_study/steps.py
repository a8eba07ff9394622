"""Time per step of whole simulations with each detector, and the fallbacks of CO."""

from collections.abc import Iterable
from importlib import util
import time
from typing import Any

from boxes import MATERIAL
import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.scenes import SCENARIOS

STEP_SIZE = 1e-3  # [s]
RUN = 2000  # steps of a scenario
SETTLE = 400  # steps of a pile before the clock starts: the lowest boxes have landed
WINDOW = 20  # steps from the first contact on, or after settling, that compiled detectors make,
FEW, FEWEST = 10, 1  # and those called from Python, in scenarios and in piles
SHORT = 10  # short runs are repeated as many times more
PILES = ((10, 1e9), (50, 1e9), (50, 1e7))  # boxes and stiffness [N/m^3]
DETECTORS: dict[str, dict[str, Any]] = {
    'SAT': {},
    'CO, builtin': {'detector': 'co'},
    'CO, ECOS': {'detector': 'co', 'co': {'solver': 'ecos'}},
    'CO, CVXPY': {'detector': 'co', 'co': {'solver': 'cvxpy'}},
}
COMPILED = ('SAT', 'CO, builtin')


def detectors() -> dict[str, dict[str, Any]]:
    """Return the detectors whose packages are installed."""
    needs = {'CO, ECOS': ('ecos',), 'CO, CVXPY': ('ecos', 'cvxpy')}
    return {
        name: options
        for name, options in DETECTORS.items()
        if all(util.find_spec(package) for package in needs.get(name, ()))
    }


def box_pile(count: int, stiffness: float) -> sc.Model:
    """Return boxes of 0.2 m in closely spaced, slightly irregular towers that fall."""
    box = {'type': 'box', 'half_extents': [0.1] * 3}
    bodies: dict[str, Any] = {
        'ground': {'fixed': True, 'shapes': [{'type': 'half_space', 'normal': [0, 0, 1]}]}
    }
    side = round((count / 2) ** (1 / 3))
    off = 0.04 * np.random.default_rng(0).uniform(size=(count, 2))
    for i in range(count):
        place = [0.25 * (i % side) + off[i, 0], 0.25 * (i // side % side) + off[i, 1]]
        bodies[f'box{i:04d}'] = {
            'mass': 1.0,
            'shapes': [box],
            'joint': {'type': 'free'},
            'initial': {'position': [*place, 0.105 + 0.21 * (i // side**2)]},
        }
    model = sc.Model(f'pile_of_{count}', dimension=3)
    model.set(materials={'default': {**MATERIAL, 'stiffness': stiffness}}, bodies=bodies)
    return model


def pile_title(count: int, stiffness: float) -> str:
    """Return the title of a pile."""
    return f'pile of {count}, k = {stiffness:.0e}'.replace('e+0', 'e')


def simulation(model: sc.Model, name: str) -> sc.Simulation:
    """Return a simulation with one of the detectors."""
    return sc.Simulation(model, step_size=STEP_SIZE, **DETECTORS[name])


def in_contact(model: sc.Model, before: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the state at the first contact, or that of a pile after some steps."""
    running = simulation(model, 'SAT')
    if len(model.bodies) > 2:
        running.step(before)
    else:
        while not running.contacts() and running.time < before * STEP_SIZE:
            running.step(1)
    return running.q.copy(), running.u.copy()


def whole_runs(
    models: dict[str, sc.Model], steps: int, before: int, repeats: int
) -> dict[str, dict[str, Any]]:
    """Return us per step of compiled detectors, alternating, and their counters."""
    found: dict[str, dict[str, Any]] = {}
    for title, model in models.items():
        running = {name: simulation(model, name) for name in COMPILED}
        spent: dict[str, list[float]] = {name: [] for name in COMPILED}
        for _ in range(repeats):
            for name, one in running.items():
                one.reset()
                one.step(before)
                spent[name].append(_per_step(one, steps))
        quotients = np.divide(spent['CO, builtin'], spent['SAT'])  # of one pass each
        ends = [one.q for one in running.values()]
        found[title] = {
            'us': {name: min(own) for name, own in spent.items()},
            'ratio': float(np.median(quotients)),
            'counters': {name: counted(one) for name, one in running.items()},
            'difference': float(np.abs(ends[0] - ends[1]).max()),
        }
    return found


def counted(running: sc.Simulation) -> dict[str, float]:
    """Return the counters of a simulation as plain numbers."""
    return {name: float(number) for name, number in running.counters.items()}


def _per_step(running: sc.Simulation, count: int) -> float:
    """Return thread CPU time per step [us]."""
    start = time.thread_time()
    running.step(count)
    return 1e6 * (time.thread_time() - start) / count


def windows(models: dict[str, sc.Model], before: int, repeats: int) -> dict[str, dict[str, float]]:
    """Return us per step of all detectors in a few steps of contact, alternating."""
    found: dict[str, dict[str, float]] = {}
    for title, model in models.items():
        q, u = in_contact(model, before)
        few = FEWEST if len(model.bodies) > 2 else FEW
        running = {name: simulation(model, name) for name in detectors()}
        found[title] = dict.fromkeys(running, np.inf)
        for turn in range(repeats):
            for name, one in running.items():
                if name in COMPILED or turn < 2:  # the first run builds the problems of CVXPY
                    one.set_state(q=q, u=u)
                    spent = _per_step(one, WINDOW if name in COMPILED else few)
                    found[title][name] = min(found[title][name], spent)
    return found


def steps(
    repeats: int,
    run: int = RUN,
    settle: int = SETTLE,
    scenarios: Iterable[str] = SCENARIOS,
    piles: Iterable[tuple[int, float]] = PILES,
) -> dict[str, Any]:
    """Return all times of steps."""
    scenes = {name: sc.load_model(name) for name in scenarios}
    heaps = {pile_title(*pile): box_pile(*pile) for pile in piles}
    return {
        'whole': {
            **whole_runs(scenes, run, 0, SHORT * repeats),
            **whole_runs(heaps, max(run // 4, 1), settle, 2 * repeats),
        },
        'contact': {
            **windows(scenes, run, SHORT * repeats),
            **windows(heaps, settle, SHORT * repeats),
        },
    }
