"""Budgets of a step: Table I with both integrators, steps in contact, calls, starts."""

import argparse
import json
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from measuring import in_fresh_process, table
import numpy as np

from symcontact_ros.bench import report
from symcontact_ros.bench.machine import pin_to_core
from symcontact_ros.bench.ours import Ours
from symcontact_ros.bench.peers import missing_packages, PEERS
from symcontact_ros.bench.scenes import load_scene, SCENARIOS
from symcontact_ros.bench.table_one import in_turns, measure, STEP_SIZE

SCRIPT = Path(__file__).resolve()
IN_CONTACT = 1e-6  # [s]: 2000 such steps are within one impact
STARTS = 3  # fresh processes per measurement
NEAR = 1e-4  # [s]: step size until the deepest point
PATIENCE = 20_000  # steps


def start(name: str, integrator: str) -> dict[str, float]:
    """Load a model and make its first step, in a fresh process."""
    import symcontact_ros as sc

    sc.Simulation(sc.load_model(name), integrator=integrator).step(1)
    return {'until': time.monotonic()}


def touching(name: str) -> tuple[Any, Any]:
    """Return q and u at the deepest point of the first impact of a scenario."""
    import symcontact_ros as sc

    simulation = sc.Simulation(sc.load_model(name), step_size=NEAR, manifold='single')
    deepest, found = 0.0, None
    for _ in range(PATIENCE):
        simulation.step(1)
        depth = max((-c.distance for c in simulation.contacts()), default=0.0)
        if depth < deepest:
            return found
        if depth > 0.0:
            deepest, found = depth, (simulation.q, simulation.u)
    raise SystemExit(f'{name}: no impact in {PATIENCE * NEAR} s')


def in_contact(name: str, runs: int, steps: int) -> float:
    """Return CPU time per rk4 step while the bodies touch [ns], the least of all runs."""
    import symcontact_ros as sc

    q, u = touching(name)
    simulation = sc.Simulation(
        sc.load_model(name), step_size=IN_CONTACT, max_substeps=1, manifold='single'
    )
    times = []
    for _ in range(runs + 1):  # the first run is a warm-up
        simulation.reset()
        simulation.set_state(q=q, u=u)
        assert simulation.contacts()
        begin = time.process_time()
        simulation.step(steps)
        times.append(time.process_time() - begin)
        assert simulation.contacts(), 'the bodies parted: these are not all steps in contact'
    return 1e9 * min(times[1:]) / steps


def verlet_beside_pymunk(name: str, runs: int, steps: int) -> dict[str, float] | None:
    """Return CPU time per step of verlet and of pymunk's compiled loop, alternating [us]."""
    model, scene = load_scene(name)
    kinds = [p for p in PEERS if p.package == 'pymunk' and p.loop == 'compiled']
    if 'pymunk' in missing_packages() or not all(kind.simulates(scene) for kind in kinds):
        return None
    methods = [
        Ours(model, scene, 'verlet', STEP_SIZE),
        *(kind(scene, STEP_SIZE) for kind in kinds),
    ]
    times = in_turns(methods, runs, steps)
    ours, theirs = (1e6 * min(timing.run for timing in own) / steps for own in times)
    return {'verlet': ours, 'pymunk': theirs}


def starts(name: str) -> dict[str, float]:
    """Return seconds from process start to the first step, with an empty and a full cache."""
    found: dict[str, list[float]] = {'first ever': [], 'again': []}
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as cache:
            for key in found:
                result = in_fresh_process(SCRIPT, ['start', name, 'rk4'], Path(cache))
                found[key].append(result['since_start'])
    return {key: min(values) for key, values in found.items()}


def budget_rows(result: Any, extra: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return budget, measured value and verdict for each budget."""
    rows = []

    def check(what: str, limit: float, value: float, unit: str, at_least: bool = False) -> None:
        good = value >= limit if at_least else value <= limit
        sign = '>=' if at_least else '<='
        text = f'{report.digits(value)} {unit}'.strip()
        rows.append((what, f'{sign} {limit:g} {unit}'.strip(), text, 'ok' if good else 'MISSED'))

    for name, methods in result.scenarios.items():
        by_name = {row.method: row for row in methods}
        planar = name != 'sphere_cuboid'
        ours = by_name['ours, rk4'].step_us.minimum
        check(f'{name}: rk4 step', 200 if planar else 250, 1e3 * ours, 'ns')
        singly = by_name['ours, rk4, a call per step'].step_us.minimum
        check(f'{name}: step(1) from Python', 3, singly, 'us')
        contact = extra[name]['in contact']
        check(f'{name}: rk4 step in contact', 650 if planar else 850, contact, 'ns')
        check(f'{name}: Symbolic SAT / ours', 250, by_name['Symbolic SAT'].ratio, 'x', True)
        if 'MuJoCo' in by_name:
            check(f'{name}: MuJoCo / ours', 12, by_name['MuJoCo'].ratio, 'x', True)
        if extra[name]['verlet']:
            ratio = extra[name]['verlet']['pymunk'] / extra[name]['verlet']['verlet']
            check(f'{name}: pymunk / verlet (goal)', 5, ratio, 'x', True)
        check(f'{name}: first start ever', 25, extra[name]['starts']['first ever'], 's')
        check(f'{name}: start with a full cache', 1, extra[name]['starts']['again'], 's')
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--scenarios', nargs='+', choices=SCENARIOS, default=SCENARIOS)
    parser.add_argument('--runs', type=int, default=10)
    parser.add_argument('--steps', type=int, default=2000)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    parser.add_argument('--plot', type=Path, metavar='FILE', help='draw the times per step')
    options = parser.parse_args()
    core = pin_to_core(options.core)

    def say(text: str) -> None:
        print(f'  {text} ...', file=sys.stderr, flush=True)

    result = measure(
        options.scenarios, options.runs, options.steps, peers=True, core=core, say=say
    )
    extra: dict[str, Any] = {}
    for name in options.scenarios:
        say(f'{name}: in contact, verlet, starts')
        extra[name] = {
            'in contact': in_contact(name, options.runs, options.steps),
            'verlet': verlet_beside_pymunk(name, options.runs, options.steps),
            'starts': starts(name),
        }
    print(report.text(result), '\n')
    print(table(('budget', 'must', 'measured', ''), budget_rows(result, extra)))
    if options.json:
        whole = {**report.data(result), 'budgets': extra}
        options.json.write_text(json.dumps(whole, indent=1, default=np.ndarray.tolist) + '\n')
    if options.plot:
        report.write_plot(result, options.plot)


if __name__ == '__main__':
    if sys.argv[1:2] == ['start']:
        print(json.dumps(start(*sys.argv[2:])))
    else:
        main()
