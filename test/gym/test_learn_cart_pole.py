"""The example learns to balance the cart-pole from observations and rewards alone."""

import re

import numpy as np
import pytest

gymnasium = pytest.importorskip('gymnasium', reason='the extra `gym`')

from symcontact_ros.gym import learn_cart_pole

ACTIONS = 150


def test_it_learns_to_balance():
    env = gymnasium.make_vec('symcontact/CartPole-v0', num_envs=48, max_episode_steps=ACTIONS)
    policy = learn_cart_pole.learn(env, ACTIONS, seed=2, generations=12)
    fresh = learn_cart_pole.returns_of(env, np.tile(policy, (48, 1)), learn_cart_pole.FRESH)
    nothing = learn_cart_pole.returns_of(env, np.zeros((48, 4)), learn_cart_pole.FRESH)
    # A pole that nobody holds leans four times as much after exp(3.8 / s * t): in a second or so.
    assert nothing.mean() < 75
    assert fresh.mean() > 140
    # The policy pushes towards where the pole leans: a positive angle is to the left.
    assert policy[1] < 0


def test_a_run_shows_how_it_goes_and_a_seed_repeats_it(capsys):
    shown = []
    for seed in (1, 1, 2):
        assert learn_cart_pole.main(f'--seed {seed} --worlds 8 --generations 2'.split()) == 0
        text = capsys.readouterr().out
        found = re.search(r'8 fresh episodes: mean return ([\d.]+) of 500, least (\d+)', text)
        assert 0 < float(found[2]) <= float(found[1]) <= 500
        shown.append(re.sub(r'[\d.]+ s', '', text))
    assert text.count('generation') == 2
    assert shown[0] == shown[1] != shown[2]
