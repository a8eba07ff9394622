"""A control loop in Python on the cart-pole: a step, its state, an effort; us beside MuJoCo."""

import argparse
from collections.abc import Callable
from importlib import import_module, util
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from articulated import cart_pole
from measuring import Sample, table

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions
from symcontact_ros.kernels.improving import wait_for_fast_code

WHOLE = 'step, state, effort'
BUDGET = 1.5  # [us] of a round
ROUNDS = 10_000  # in a measurement
WARM_UP = 1.0  # [s]
GAIN = 1e-3  # [N/m]: so little that the cart-pole falls as without it


Rounds = Callable[[int], None]


def repeated(call: Callable[[], object]) -> Rounds:
    """Return a loop over a call."""

    def run(rounds: int) -> None:
        for _ in range(rounds):
            call()

    return run


def ours() -> dict[str, Rounds]:
    """Return a round of ours, and its parts."""
    model = sc.load_model('cart_pole')
    simulation = sc.Simulation(model, integrator='semi_implicit', step_size=1e-3)
    joint = model.joint_names[0]

    def run(rounds: int) -> None:
        simulation.reset()
        for _ in range(rounds):
            simulation.step(1)
            simulation.set_effort(joint, -GAIN * simulation.q[0])

    return {
        WHOLE: run,
        'step': repeated(lambda: simulation.step(1)),
        'state': repeated(lambda: simulation.q[0]),
        'effort': repeated(lambda: simulation.set_effort(joint, 0.0)),
    }


def mujoco() -> dict[str, Rounds]:
    """Return a round of MuJoCo, and its parts: `mj_step`, `qpos`, `ctrl`."""
    library = import_module('mujoco')
    spec = library.MjSpec.from_string(cart_pole(sc.load_model('cart_pole')))
    spec.option.timestep = 1e-3
    slide = spec.joints[0]
    slide.name = 'cart'
    spec.add_actuator(target='cart', trntype=library.mjtTrn.mjTRN_JOINT)
    model = spec.compile()
    data = library.MjData(model)

    def run(rounds: int) -> None:
        library.mj_resetData(model, data)
        for _ in range(rounds):
            library.mj_step(model, data)
            data.ctrl[0] = -GAIN * data.qpos[0]

    return {
        WHOLE: run,
        'step': repeated(lambda: library.mj_step(model, data)),
        'state': repeated(lambda: data.qpos[0]),
        'effort': repeated(lambda: data.ctrl.__setitem__(0, 0.0)),
    }


def measured(repeats: int, warm_up: float = WARM_UP) -> dict[str, dict[str, Any]]:
    """Return us of a round and of its parts, by method, in turns."""
    methods = {'ours': ours()}
    if util.find_spec('mujoco'):
        methods['MuJoCo'] = mujoco()
    wait_for_fast_code()
    for parts in methods.values():
        end = time.perf_counter() + warm_up
        while time.perf_counter() < end:
            for run in parts.values():
                run(1000)
    times: dict[tuple[str, str], list[float]] = {}
    for _ in range(repeats):
        for name, parts in methods.items():
            for part, run in parts.items():
                begin = time.process_time()
                run(ROUNDS)
                spent = 1e6 * (time.process_time() - begin) / ROUNDS
                times.setdefault((name, part), []).append(spent)
    return {
        name: {part: vars(Sample.of(times[name, part])) for part in parts}
        for name, parts in methods.items()
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--repeats', type=int, default=25)
    parser.add_argument('--warm-up', type=float, default=WARM_UP, help='[s] of each')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('mujoco',))}
    print(about['machine'])
    found = measured(options.repeats, options.warm_up)
    rows = [[name, *(Sample(**own[part]).text() for part in own)] for name, own in found.items()]
    print(table(('us, cart_pole', *found['ours']), rows))
    least = found['ours'][WHOLE]['minimum']
    verdict = 'ok' if least <= BUDGET else 'MISSED'
    print(f'{WHOLE}: at most {BUDGET} us, measured {least:.2f} us: {verdict}')
    if options.json:
        options.json.write_text(json.dumps({**about, 'calls': found}, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
