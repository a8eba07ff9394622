"""Times of calls from Python: a control loop; equations, reports and states of an arm."""

import argparse
from collections.abc import Callable
import copy
from functools import partial
import json
from pathlib import Path
import pickle
import tempfile
import time
from typing import Any

from measured_models import Case, load, prepared
from measuring import Sample, table
import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions

PANDA = Case(
    'Panda, fingers locked, no shapes',
    'panda_description/urdf/panda.urdf',
    locked=('panda_finger_joint1', 'panda_finger_joint2'),
)
LENGTH, RADIUS = 0.2, 0.05  # of a link [m]
TILT = 0.3  # of the last two links [rad]
FLOOR = -1.75 * LENGTH * np.sin(TILT) - RADIUS + 1e-3  # [m]: the last one is 1 mm deep in it
BUDGETS = {  # [us]
    'eom.jacobian(body)': 15.0,
    'eom.jacobian(site)': 15.0,
    'eom.gravity_effort': 8.0,
    'sim.poses()': 30.0,
    'sim.contact_wrench(body)': 10.0,
    'sim.contact_wrench(body, other)': 10.0,
    'sim.save_state()': 50.0,
    'sim.reset()': 10.0,
    'sim.step(1), sim.q, sim.set_effort': 1.5,
}
WARM_UP = 0.3  # [s] of calls: kernels are compiled after 0.1 s in plain Python
SAMPLE = 0.01  # [s]


def arm() -> Any:
    """Return an arm of seven joints with capsules above a floor, its last ball on it."""
    model = sc.Model('arm', dimension=3)
    bodies: dict[str, Any] = {
        'floor': {
            'fixed': True,
            'shapes': [{'type': 'half_space', 'normal': [0, 0, 1], 'offset': FLOOR}],
        }
    }
    for i in range(7):
        joint = {
            'type': 'revolute',
            'parent': 'world' if i == 0 else f'link{i - 1}',
            'axis': [0, 1, 0] if i % 2 else [0, 0, 1],
            'origin': {'xyz': [0.0 if i == 0 else LENGTH, 0, 0]},
            'damping': 5.0,
            'stiffness': 1e3,  # so that it stays where it is
            'rest_position': TILT if i == 5 else 0.0,
        }
        shape = {'type': 'capsule', 'radius': RADIUS, 'half_length': 0.25 * LENGTH}
        middle = [0.5 * LENGTH, 0, 0]
        bodies[f'link{i}'] = {
            'mass': 2.0,
            'com': middle,
            'inertia': {'ixx': 0.01, 'iyy': 0.02, 'izz': 0.02},
            'shapes': [{**shape, 'pose': {'position': middle, 'rpy': [0, np.pi / 2, 0]}}],
            'joint': joint,
            'initial': {'position': joint['rest_position']},
        }
    bodies['link6']['sites'] = {'tool': {'position': [LENGTH, 0, 0], 'rpy': [0, 0.3, 0]}}
    model.set(bodies=bodies)
    return model


def calls(model: Any) -> dict[str, Callable[[], object]]:
    """Return what is measured, by name."""
    eom = sc.equations_of_motion(model)
    sim = sc.Simulation(model)
    q = sim.q.copy()
    last = model.body_names[-1]
    site = next((name for body in model.bodies for name in body.sites), last)
    first_joint = model.joint_names[0]
    saved = sim.save_state()
    found: dict[str, Callable[[], object]] = {
        'eom.jacobian(body)': partial(eom.jacobian, last, q),
        'eom.jacobian(site)': partial(eom.jacobian, site, q),
        'eom.gravity_effort': partial(eom.gravity_effort, q),
        'eom.inverse_dynamics': partial(eom.inverse_dynamics, q, q, q),
        'eom.evaluate': partial(eom.evaluate, q, q),
        'sim.poses()': sim.poses,
        'sim.twists()': sim.twists,
        'sim.body_poses': lambda: sim.body_poses,
        'sim.body_twists': lambda: sim.body_twists,
        'sim.contact_wrench(body)': partial(sim.contact_wrench, last),
        'sim.contact_wrench(body, other)': partial(sim.contact_wrench, last, model.body_names[0]),
        'sim.contacts()': sim.contacts,
        'sim.energy()': sim.energy,
        'sim.q': lambda: sim.q,
        'sim.set_effort': partial(sim.set_effort, first_joint, 0.0),
        'sim.set_state': partial(sim.set_state, q),
        'sim.state_hash()': sim.state_hash,
        'sim.step(1)': sim.step,
        'sim.save_state()': sim.save_state,
        'sim.restore_state': partial(sim.restore_state, saved),
        'sim.reset()': sim.reset,
        'copy.copy(sim)': partial(copy.copy, sim),
        'pickle.dumps(sim)': partial(pickle.dumps, sim),
    }
    try:
        found['pickle.loads(sim)'] = partial(pickle.loads, pickle.dumps(sim))
    except (TypeError, ValueError):
        del found['pickle.dumps(sim)']
    return found


def loop_calls() -> dict[str, Callable[[], object]]:
    """Return what a control loop of a cart with a pole does, its parts and as a whole."""
    sim = sc.Simulation(sc.load_model('cart_pole'))
    joint = sim.model.joint_names[0]

    def one_pass() -> None:
        sim.step(1)
        sim.q  # noqa: B018 a property that is measured
        sim.set_effort(joint, 0.0)

    return {
        'sim.step(1)': partial(sim.step, 1),
        'sim.q': lambda: sim.q,
        'sim.set_effort': partial(sim.set_effort, joint, 0.0),
        'sim.step(1), sim.q, sim.set_effort': one_pass,
    }


def measured(functions: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Return the seconds of each call, of processor time: other processes do not count."""
    results = {}
    for name, function in functions.items():
        try:
            start = time.perf_counter()
            while time.perf_counter() < start + WARM_UP:
                function()
        except AttributeError:
            continue  # not in this version
        count = 1
        while (spent := _seconds(function, count)) < SAMPLE:
            count = max(2 * count, int(count * SAMPLE / max(spent, 1e-6)))
        results[name] = [_seconds(function, count) / count for _ in range(repeats)]
    return results


def _seconds(function: Callable[[], object], count: int) -> float:
    start = time.process_time()
    for _ in range(count):
        function()
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--repeats', type=int, default=25)
    parser.add_argument('--json', type=Path, help='write the samples there')
    options = parser.parse_args()
    print(machine(pin_to_core(options.core)))
    print(', '.join(f'{name} {version}' for name, version in versions(()).items()))
    models = {'arm with capsules, one on the floor': arm()}
    with tempfile.TemporaryDirectory() as folder:
        source = prepared(PANDA, Path(folder))
        if source is not None:
            models[PANDA.title] = load(source, 'fixed')
    found = {'cart with a pole': measured(loop_calls(), options.repeats)}
    for title, model in models.items():
        found[title] = measured(calls(model), options.repeats)
    for title, samples in found.items():
        rows = []
        for name, seconds in samples.items():
            sample = Sample.of(seconds).scaled(1e6)
            budget = BUDGETS.get(name)
            verdict = '' if budget is None else 'yes' if sample.minimum <= budget else 'NO'
            rows.append([name, sample.text(), '' if budget is None else f'{budget:g}', verdict])
        print(f'\n{title}\n{table(["call", "us: min / median", "budget", "kept"], rows)}')
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == '__main__':
    main()
