"""
Example that learns to balance the cart-pole, in seconds, with NumPy alone.

``python -m symcontact_ros.gym.learn_cart_pole --seed 1``

The cross-entropy method: a policy is four numbers, and its action the sum of their products with
an observation. In every generation each world tries a policy of its own, drawn about a mean; the
best fifth of them gives mean and spread of the next generation. Nothing is known of the cart-pole
but observations and rewards.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import sys
import time

import gymnasium
from gymnasium.vector import VectorEnv
import numpy as np

from symcontact_ros.gym import IDS
from symcontact_ros.types import Vector

NAME = 'symcontact/CartPole-v0'
BEST = 0.2  # of the policies of a generation, which the next one is drawn from
CURIOSITY = 0.1  # spread in addition, over the number of the generation: not to settle too soon
ENOUGH = 0.99  # of the largest return, in the mean of a generation
FRESH = 10**6  # seed of episodes that no policy was chosen by


def returns_of(env: VectorEnv, policies: Vector, seed: int) -> Vector:
    """Return the sum of rewards of one episode of every policy; each has a world."""
    seen, _ = env.reset(seed=seed)
    returns, is_on = np.zeros(len(policies)), np.ones(len(policies), bool)
    while is_on.any():
        actions = (policies * seen).sum(axis=1, keepdims=True)
        seen, rewards, over, cut, _ = env.step(np.clip(actions, -1.0, 1.0).astype(np.float32))
        returns += np.where(is_on, rewards, 0.0)  # worlds that are done have begun another one
        is_on &= ~(over | cut)
    return returns


def learn(env: VectorEnv, largest: float, seed: int = 0, generations: int = 40) -> Vector:
    """
    Return a policy that was learned from nothing.

    Parameters
    ----------
    env
        Worlds, one per policy of a generation.
    largest
        The largest return that there is.
    seed
        Of policies and episodes.
    generations
        The most of them.
    """
    random = np.random.default_rng(seed)
    entries = env.reset()[0].shape[1]
    mean, spread = np.zeros(entries), np.ones(entries)
    began = time.perf_counter()
    for generation in range(1, generations + 1):
        policies = mean + spread * random.standard_normal((env.num_envs, entries))
        returns = returns_of(env, policies, int(random.integers(FRESH)))
        best = policies[np.argsort(returns)[-max(2, round(BEST * len(policies))) :]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + CURIOSITY / generation
        print(
            f'{time.perf_counter() - began:5.1f} s  generation {generation:2}: returns of '
            f'{returns.min():.0f} to {returns.max():.0f}, mean {returns.mean():.0f}'
        )
        if returns.mean() >= ENOUGH * largest:
            break
    return mean


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, and show what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0].strip())
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--worlds', type=int, default=64, help='policies of a generation')
    parser.add_argument('--generations', type=int, default=40, help='the most of them')
    options = parser.parse_args(arguments)
    if options.seed < 0 or options.worlds < 1 or options.generations < 1:
        parser.error('--seed: 0 or more; --worlds and --generations: 1 or more are needed')
    env = gymnasium.make_vec(NAME, num_envs=options.worlds)
    _, largest = IDS[NAME]  # actions of an episode, each of which is worth 1
    policy = learn(env, largest, options.seed, options.generations)
    fresh = returns_of(env, np.tile(policy, (options.worlds, 1)), FRESH)
    print(f'policy: {np.array2string(policy, precision=3)}')
    print(
        f'{options.worlds} fresh episodes: mean return {fresh.mean():.1f} of {largest:.0f}, '
        f'least {fresh.min():.0f}'
    )
    return 0


if __name__ == '__main__':
    sys.exit(main())
