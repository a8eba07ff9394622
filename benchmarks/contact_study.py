"""
Contact, friction and integrators: the numbers and figures of `docs/contact.md`.

Prints a table for each part. `--figures docs/images` writes figures, for which
`--robots FILE` names the JSON of `robots.py --json FILE`.
"""

import argparse
from collections.abc import Callable, Iterator
import json
import logging
from pathlib import Path
from typing import Any

from contact_limits import brick_wall, lag, landing, TERMS
from contact_trials import (
    bounce,
    breakaway,
    creep,
    CREEPING,
    dry_joint,
    exact_restitution,
    INTEGRATORS,
    jump,
    momentum,
    momentum_of_tree,
)
from measuring import table

IMPLICIT = ('implicit', 'implicit2')
LAWS = ('linear', 'hunt_crossley', 'elastic_plastic')
RATIOS = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1)  # duration of a contact over the step
Rows = Iterator[list[str]]


def creep_rows() -> Rows:
    yield ['15 degrees, mu 0.6, 60 s', 'moved [m]']
    for friction, integrator in CREEPING:
        yield [f'{friction}, {integrator}', f'{creep(friction, integrator)[1][-1]:.2g}']


def breakaway_rows() -> Rows:
    parts = (0.99, 0.999, 1.001, 1.01)
    yield ['speed [m/s] after 1 s under a force of', *(f'{part:g} mu F_N' for part in parts)]
    for integrator in ('rk4', *IMPLICIT):
        yield [integrator, *(f'{breakaway(part, integrator):.2g}' for part in parts)]


def joint_rows() -> Rows:
    yield ['lever held by twice its torque in dry friction', 'sinks in 10 s [rad]']
    for integrator in INTEGRATORS:
        yield [integrator, f'{dry_joint(integrator):.2g}']


def restitution_rows() -> Rows:
    yield [f'restitution (law: {exact_restitution():.3f})', *(f'{r:g} steps' for r in RATIOS)]
    for integrator in ('rk4', *IMPLICIT):
        yield [integrator, *(f'{bounce(integrator, ratio)[0]:.3f}' for ratio in RATIOS)]


def loss_rows() -> Rows:
    yield ['integration over the energy before', *(f'{r:g} steps' for r in RATIOS)]
    for law, integrator in (*((law, 'implicit') for law in LAWS), ('linear', 'implicit2')):
        cells = (f'{100.0 * bounce(integrator, ratio, law)[2]:.1f} %' for ratio in RATIOS)
        yield [f'{law}, {integrator}', *cells]


def ledger_rows() -> Rows:
    yield ['Go2, dropped from 0.1 m, after 0.6 s [J]', 'step [ms]', *TERMS]
    for integrator in ('rk4', 'implicit', 'implicit2', 'auto'):
        for h in (1e-3, 2.5e-4):
            found = landing(integrator, h=h)
            if found is None:
                return
            cells = (f'{found[1][term][-1]:.3f}' for term in TERMS)
            yield [integrator, f'{1e3 * h:g}', *cells]


def momentum_rows() -> Rows:
    yield ['change of momentum, relative', 'linear', 'angular']
    for integrator in (*INTEGRATORS, 'auto'):
        for h in (1e-3, 5e-4):
            name = f'two boxes collide, {integrator}, {1e3 * h:g} ms'
            yield [name, *_parts(momentum(integrator, h))]
    for integrator in INTEGRATORS:
        for h in (1e-3, 5e-4):
            name = f'free chain, 1 s, {integrator}, {1e3 * h:g} ms'
            yield [name, *_parts(momentum_of_tree(integrator, h))]


def _parts(found: tuple[float, ...]) -> list[str]:
    return [f'{one:.1e}' for one in found]


def limit_rows() -> Rows:
    yield ['sliding rods: mu, k', 'steps with limits off', 'at most by', 'iterations', 'rise [J]']
    for stiffness in (1e5, 1e8):
        for friction in (0.5, 1.0, 1.5, 3.0):
            part, most, iterations, rise = lag(friction, stiffness)
            cells = [f'{100 * part:.0f} %', f'{100 * most:.2f} %', f'{iterations:.0f}']
            yield [f'{friction:g}, {stiffness:.0e} N/m', *cells, f'{rise:.1g}']


def wall_rows() -> Rows:
    yield ['wall of bricks, one island', 'contacts', 'ms per step, falling', 'at rest']
    for side in (4, 7, 10):
        for integrator in ('implicit', 'rk4'):
            moving, resting, contacts = brick_wall(side, integrator)
            cells = [str(contacts), f'{moving:.2g}', f'{resting:.2g}']
            yield [f'{side * side} bricks, {integrator}', *cells]


def jump_rows() -> Rows:
    speeds = (5.0, 10.0, 20.0, 50.0)
    yield ['ball of 10 mm on a plate of 2 mm', *(f'{speed:g} m/s' for speed in speeds)]
    for integrator in ('rk4', *IMPLICIT, 'auto'):
        yield [integrator, *(jump(integrator, speed) for speed in speeds)]


def robot_rows(results: dict[str, Any]) -> Rows:
    """Yield us per step, least, ours and MuJoCo's by its defaults."""
    yield ['', 'first 0.5 s: ours', 'MuJoCo', 'at rest: ours', 'MuJoCo', 'x ours', 'drift: ours',
           'MuJoCo']  # fmt: skip
    for robot, found in results['robots'].items():
        ours, other = found['ours'], found['MuJoCo']
        first, rest = ('first 0.5 s', 'at rest')
        times = [one['us per step'][phase][0] for phase in (first, rest) for one in (ours, other)]
        drifts = (f'{one["drift"]:.0e}' for one in (ours, other))
        yield [robot, *(f'{us:.1f}' for us in times), f'{times[3] / times[2]:.1f}', *drifts]


PARTS: dict[str, Callable[[], Rows]] = {
    'creep': creep_rows,
    'breakaway': breakaway_rows,
    'joints': joint_rows,
    'restitution': restitution_rows,
    'losses': loss_rows,
    'ledger': ledger_rows,
    'momentum': momentum_rows,
    'limits': limit_rows,
    'walls': wall_rows,
    'jumps': jump_rows,
}


def show(rows: Rows, as_markdown: bool) -> None:
    header, *body = rows
    if as_markdown:
        for row in (header, ['---'] * len(header), *body):
            print('|', ' | '.join(row), '|')
        print()
    else:
        print(table(header, body), end='\n\n')


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--only', nargs='*', choices=PARTS, default=list(PARTS))
    parser.add_argument('--markdown', action='store_true', help='tables as a page has them')
    parser.add_argument('--robots', type=Path, metavar='FILE', help='of robots.py --json FILE')
    parser.add_argument('--figures', type=Path, metavar='FOLDER', help='where to write figures')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    logging.disable(logging.WARNING)
    for name in options.only:
        show(PARTS[name](), options.markdown)
    results = json.loads(options.robots.read_text()) if options.robots else None
    if results:
        print(results['machine'], results['versions'])
        show(robot_rows(results), options.markdown)
    if options.figures:
        from contact_figures import write_figures

        write_figures(options.figures, results)


if __name__ == '__main__':
    main()
