"""Error against CPU time: our integrators and SciPy's, on the same forces."""

import argparse
import json
import logging
from pathlib import Path
import sys
import time
from typing import Any

from measuring import table
import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.machine import machine, pin_to_core, versions

SCENARIOS = ('bouncing_circle', 'rectangle_circle', 'sphere_cuboid')
DURATION = 1.0  # [s]: at least one impact in each
OURS = ('rk4', 'verlet', 'semi_implicit')
STEP_SIZES = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)  # [s]
# [s]: step size of the rk4 reference solution. With shorter steps rounding errors grow: 1e-11 m at
# 1e-6 s. Not one of STEP_SIZES.
FINEST = 5e-6
FINER = 2e-6  # [s]: step size for the error estimate of the reference
SCIPY = ('DOP853', 'RK45', 'LSODA')
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
LONGEST = 0.01  # [s] of a step of SciPy's: contacts are not stepped over
COLOURS = {
    'rk4': '#d1495b',
    'verlet': '#e8871e',
    'semi_implicit': '#f2c14e',
    'DOP853': '#30638e',
    'RK45': '#66a182',
    'LSODA': '#8d6a9f',
}


def simulation_of(name: str, integrator: str, step_size: float) -> sc.Simulation:
    return sc.Simulation(
        sc.load_model(name), integrator=integrator, step_size=step_size, max_substeps=1
    )


def error_of(simulation: sc.Simulation, truth: dict[str, Any]) -> float:
    """Return the largest position error of a body [m]."""
    poses = simulation.poses()
    return max(float(np.linalg.norm(poses[b].position - p.position)) for b, p in truth.items())


def truth_of(name: str) -> tuple[dict[str, Any], float, float]:
    """Return the final poses, their error estimate, and their distance from `reference`."""
    fine = simulation_of(name, 'rk4', FINEST)
    fine.step(round(DURATION / FINEST))
    truth = fine.poses()
    finer = simulation_of(name, 'rk4', FINER)
    finer.step(round(DURATION / FINER))
    other = simulation_of(name, 'reference', DURATION)
    other.step(1)
    return truth, error_of(finer, truth), error_of(other, truth)


def ours(name: str, integrator: str, step_size: float, repeats: int, truth: Any) -> Any:
    simulation = simulation_of(name, integrator, step_size)
    steps = round(DURATION / step_size)
    times = []
    for _ in range(repeats + 1):  # the first run is a warm-up
        simulation.reset()
        start = time.process_time()
        simulation.step(steps)
        times.append(time.process_time() - start)
    return {
        'setting': step_size,
        'cpu': min(times[1:]),
        'error': error_of(simulation, truth),
        'evaluations': None,
    }


def scipy_way(name: str, method: str, tolerance: float, repeats: int, truth: Any) -> Any:
    from scipy.integrate import solve_ivp

    simulation = simulation_of(name, 'rk4', 1e-3)
    live, compiled = simulation.parts.live, simulation.parts.compiled_steps
    state = live.memory.whole_state
    size = live.memory.layout.state_size
    times = []
    for _ in range(repeats):
        simulation.reset()
        whole = state.copy()

        def rates(_: float, x: np.ndarray, whole: np.ndarray = whole) -> np.ndarray:
            whole[:size] = x  # without the energies, which need no tolerance
            return compiled.rates(whole)[:size]

        begin = time.process_time()
        found = solve_ivp(
            rates,
            (0.0, DURATION),
            state[:size].copy(),
            method=method,
            rtol=tolerance,
            atol=1e-2 * tolerance,
            max_step=LONGEST,
        )
        times.append(time.process_time() - begin)
    assert found.success, found.message
    state[:size] = found.y[:, -1]
    return {
        'setting': tolerance,
        'cpu': min(times),
        'error': error_of(simulation, truth),
        'evaluations': int(found.nfev),
    }


def advantage(points: dict[str, list[Any]], floor: float) -> list[tuple[float, float, str]]:
    """Return the ratio of CPU times of SciPy and our best method, at each error of SciPy."""
    found = []
    own = [p for method in OURS for p in points[method]]
    for method in SCIPY:
        for point in points.get(method, ()):
            error = max(point['error'], floor)
            good = [p['cpu'] for p in own if max(p['error'], floor) <= error]
            if good:
                found.append((error, point['cpu'] / min(good), method))
    return found


def draw(results: dict[str, Any], path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * len(results), 4.6), layout='constrained')
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(results), sharey=True, squeeze=False).ravel()
    for panel, (name, result) in zip(panels, results.items(), strict=True):
        for method, points in result['points'].items():
            own = method in OURS
            panel.loglog(
                [p['cpu'] for p in points],
                [max(p['error'], 1e-16) for p in points],
                'o-' if own else 's--',
                color=COLOURS[method],
                label=f'ours, {method}' if own else f'SciPy {method}',
                markersize=4,
                linewidth=1.6 if own else 1.1,
            )
        panel.axhspan(1e-16, result['floor'], color='0.93', zorder=0)
        panel.set_title(name.replace('_', ' '), loc='left', fontsize=10, fontweight='bold')
        panel.set_xlabel(f'CPU time for {DURATION:g} simulated seconds [s]')
        panel.grid(color='0.9')
        for side in ('top', 'right'):
            panel.spines[side].set_visible(False)
    panels[0].set_ylabel('largest error of a position at the end [m]')
    panels[0].set_ylim(bottom=1e-14)
    panels[-1].legend(fontsize=8, frameon=False)
    figure.suptitle('Work and precision; grey: accuracy of the reference', fontsize=11)
    figure.savefig(path, dpi=150)


def print_points(results: dict[str, Any]) -> None:
    rows = [
        (
            f'{name} {method}',
            f'{p["setting"]:.0e}',
            f'{1e3 * p["cpu"]:.3f}',
            f'{p["error"]:.1e}',
            str(p['evaluations'] or '-'),
        )
        for name, result in results.items()
        for method, points in result['points'].items()
        for p in points
    ]
    header = ('', 'step s or tolerance', 'CPU ms', 'error m', 'evaluations')
    print(table(header, rows), '\n')
    print("SciPy's CPU time over that of our best setting with no larger error:")
    for name, result in results.items():
        ratios = [ratio for _, ratio, _ in result['advantage']]
        best = min(max(q['error'], result['floor']) for m in OURS for q in result['points'][m])
        missed = sum(
            max(p['error'], result['floor']) < best for m in SCIPY for p in result['points'][m]
        )
        text = f'least {min(ratios):.1f}, median {np.median(ratios):.0f}' if ratios else 'none'
        print(
            f'  {name}: {text}; settings of SciPy more accurate than all of ours: {missed}; '
            f'reference good to {result["floor"]:.0e} m, `reference` {result["reference"]:.0e} m'
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--scenarios', nargs='+', choices=SCENARIOS, default=SCENARIOS)
    parser.add_argument('--repeats', type=int, default=3)
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    parser.add_argument('--plot', type=Path, metavar='FILE', help='draw error over CPU time')
    options = parser.parse_args()
    core = pin_to_core(options.core)
    logging.disable(logging.WARNING)
    about = {'machine': machine(core), 'versions': versions(('scipy',))}
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(about['machine'], '\n')
    results: dict[str, Any] = {}
    for name in options.scenarios:
        print(f'  {name} ...', file=sys.stderr, flush=True)
        truth, floor, reference = truth_of(name)
        points: dict[str, list[Any]] = {
            kind: [ours(name, kind, h, options.repeats, truth) for h in STEP_SIZES]
            for kind in OURS
        }
        for kind in SCIPY:
            points[kind] = [scipy_way(name, kind, t, options.repeats, truth) for t in TOLERANCES]
        results[name] = {
            'floor': floor,
            'reference': reference,
            'points': points,
            'advantage': advantage(points, floor),
        }
    print_points(results)
    if options.json:
        options.json.write_text(json.dumps({**about, 'scenarios': results}, indent=1) + '\n')
    if options.plot:
        draw(results, options.plot)


if __name__ == '__main__':
    main()
