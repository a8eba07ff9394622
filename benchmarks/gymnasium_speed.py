"""Environments of Gymnasium as a learner calls them: actions per second, ours beside MuJoCo's."""

import argparse
from collections.abc import Callable, Iterator
import contextlib
from dataclasses import dataclass, field
from importlib import util
import json
import logging
import os
from pathlib import Path
import sys
import time
from typing import Any
import warnings

import gymnasium
from measuring import table
import numpy as np

from symcontact_ros.batch.batch import cores
from symcontact_ros.bench.machine import machine, versions
import symcontact_ros.gym  # noqa: F401 - has the ids
from symcontact_ros.kernels.memory import MODE

# What is done, ours, and the nearest of MuJoCo's: the same task, or one with as much to compute.
CASES = (
    ('pole on a cart', 'symcontact/CartPole-v0', 'InvertedPendulum-v5'),
    ('hopper', 'symcontact/Hopper-v0', 'Hopper-v5'),
    ('four legs', 'symcontact/Go2Stand-v0', 'Ant-v5'),
    ('pushing', 'symcontact/Push-v0', 'Pusher-v5'),
)
MANY, MOST = 64, 1024  # worlds
ACTIONS = 64  # that are drawn, and used again and again
HEADER = ('', 'worlds', '', 'thousand actions/s', 'simulated s/s')


@dataclass
class Runner:
    """One way to make environments, and the most actions per second that were seen."""

    method: str
    worlds: int
    env: Any
    run: Callable[[float], float]  # for a time [s]; actions/s
    period: float  # of an action [s]
    rates: list[float] = field(default_factory=list)


def single(env: Any) -> Callable[[float], float]:
    """Return a run of one world, which is reset by hand."""
    actions = drawn(env.action_space)

    def run(duration: float) -> float:
        env.reset(seed=0)
        made, began = 0, time.perf_counter()
        while time.perf_counter() - began < duration:
            for action in actions:
                _, _, over, cut, _ = env.step(action)
                if over or cut:
                    env.reset()
            made += len(actions)
        return made / (time.perf_counter() - began)

    return run


def vector(env: Any) -> Callable[[float], float]:
    """Return a run of many worlds; those that begin another episode make no action then."""
    actions = drawn(env.action_space)

    def run(duration: float) -> float:
        env.reset(seed=0)
        ended = np.zeros(env.num_envs, bool)
        made, began = 0, time.perf_counter()
        while time.perf_counter() - began < duration:
            for action in actions:
                made += env.num_envs - int(ended.sum())
                _, _, over, cut, _ = env.step(action)
                ended = over | cut
                if time.perf_counter() - began >= duration:
                    break
        return made / (time.perf_counter() - began)

    return run


def drawn(space: Any) -> list[Any]:
    """Return actions at random, always the same."""
    space.seed(0)
    return [space.sample() for _ in range(ACTIONS)]


def peers(name: str) -> Iterator[Runner]:
    """Yield one world of MuJoCo's, and many, one after the other and in processes."""
    one = gymnasium.make(name)
    period = float(one.unwrapped.dt)
    yield Runner('MuJoCo, make', 1, one, single(one), period)
    for mode, label in (('sync', 'SyncVectorEnv'), ('async', 'AsyncVectorEnv')):
        env = gymnasium.make_vec(name, MANY, vectorization_mode=mode)
        yield Runner(f'MuJoCo, {label}', MANY, env, vector(env), period)


def ours(name: str, most: int) -> Iterator[Runner]:
    """Yield one world of ours, and many."""
    one = gymnasium.make(name)
    task, simulation = one.unwrapped.task, one.unwrapped.simulation
    period = task.steps * simulation.step_size
    yield Runner('ours, make', 1, one, single(one), period)
    for worlds in sorted({MANY, most}):
        env = gymnasium.make_vec(name, worlds)
        yield Runner('ours, make_vec', worlds, env, vector(env), period)


def measured(case: str, mine: str, other: str, options: argparse.Namespace) -> list[Runner]:
    """Return the runners of a case, which took turns."""
    with contextlib.ExitStack() as stack:
        runners = []
        # Peers first: their processes are forks, and ours has threads.
        makers = [peers(other)] if util.find_spec('mujoco') else []
        for maker in (*makers, ours(mine, options.worlds)):
            for runner in maker:
                stack.callback(runner.env.close)
                runners.append(runner)
        for runner in runners:
            runner.run(0.1 * options.seconds)  # what comes first is not counted
        for _ in range(options.repeats):
            for runner in runners:
                runner.rates.append(runner.run(options.seconds))
    return runners


def rows_of(case: str, runners: list[Runner]) -> Iterator[dict[str, Any]]:
    """Yield the rows of docs/benchmarks.md."""
    for runner in runners:
        worlds = '1 world' if runner.worlds == 1 else f'{runner.worlds:,} worlds'
        for measure, unit, factor in (
            ('actions', 'thousand actions/s', 1e-3),
            ('simulated time', 'simulated s/s', runner.period),
        ):
            yield {
                'case': case,
                'measure': f'{worlds}, {measure}',
                'method': runner.method,
                'value': factor * max(runner.rates),
                'unit': unit,
                'median': factor * float(np.median(runner.rates)),
            }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--repeats', type=int, default=5, help='runs, of which the fastest counts')
    parser.add_argument('--seconds', type=float, default=1.0, help='[s] of a run')
    parser.add_argument('--worlds', type=int, default=MOST, help='the most worlds of ours')
    parser.add_argument('--only', choices=[case for case, *_ in CASES], nargs='+')
    parser.add_argument('--quick', action='store_true', help='a look: two cases, short runs')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    options = parser.parse_args()
    if options.quick:
        options.repeats, options.seconds, options.worlds = 1, 0.3, MANY
        options.only = options.only or [case for case, *_ in CASES[:2]]
    os.environ.setdefault(MODE, 'best')  # the fastest code, which is waited for
    logging.disable(logging.WARNING)
    warnings.simplefilter('ignore')
    about = {'machine': machine(-1), 'versions': versions(('gymnasium', 'mujoco')), 'rows': []}
    print(f'{about["machine"]}; {cores()} of them used')
    lines = []
    for case, mine, other in CASES:
        if options.only and case not in options.only:
            continue
        runners = measured(case, mine, other, options)
        about['rows'] += rows_of(case, runners)
        for own in runners:
            rate = max(own.rates)
            name = mine if own.method.startswith('ours') else other
            lines.append(
                [
                    name,
                    f'{own.worlds}',
                    own.method,
                    f'{1e-3 * rate:.2f}',
                    f'{rate * own.period:.1f}',
                ]
            )
    print(table(HEADER, lines))
    if options.json:
        options.json.write_text(json.dumps(about, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
