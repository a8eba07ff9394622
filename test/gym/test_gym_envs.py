"""Gymnasium's checkers are content with environments, and wrong input is named."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip('gymnasium', reason='the extra `gym`')

from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from helpers.gym_tasks import GO2, Hover

import symcontact_ros as sc
from symcontact_ros.errors import DivergenceError, MissingPackageError, OptionError
from symcontact_ros.gym import IDS, SymcontactEnv, SymcontactVectorEnv

CART_POLE = 'symcontact/CartPole-v0'


@pytest.mark.parametrize(
    'name', [pytest.param(own, marks=GO2 if 'Go2' in own else ()) for own in IDS]
)
def test_gymnasiums_checker_is_content(name):
    env = gymnasium.make(name)  # with its passive checker, which looks at every call
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter('always')
        check_env(env.unwrapped, skip_render_check=True)
        env.reset(seed=1)
        env.action_space.seed(1)
        for _ in range(3):
            env.step(env.action_space.sample())
    # Places and speeds have no limits, as in Gymnasium's own environments.
    assert [text for own in said if 'infinity' not in (text := str(own.message))] == []


def test_an_id_with_its_module_needs_no_import():
    env = gymnasium.make(f'symcontact_ros.gym:{CART_POLE}', max_episode_steps=3)
    assert isinstance(env.unwrapped, SymcontactEnv)
    env.reset(seed=2)
    cut = [env.step([0.0])[3] for _ in range(3)]
    assert cut == [False, False, True]


def test_a_seed_says_how_all_episodes_go():
    envs = [gymnasium.make(CART_POLE) for _ in range(2)]
    check_environments_match(*envs, num_steps=200, seed=4)  # some twenty episodes
    one, _ = envs[0].reset(seed=4)
    other, _ = envs[0].reset(seed=5)
    assert not np.array_equal(one, other)
    again, _ = envs[0].reset(seed=4)
    assert np.array_equal(one, again)


def test_every_episode_draws_its_symbols_within_their_range():
    env = SymcontactEnv('cart_pole', randomise={'m': sc.Uniform(0.2, 0.3)})
    masses = set()
    for episode in range(5):
        env.reset(seed=None if episode else 1)
        masses.add(env.simulation.parameters['m'])
    assert len(masses) == 5
    assert all(0.2 <= mass <= 0.3 for mass in masses)
    env.reset(seed=1)
    assert env.simulation.parameters['m'] in masses


def test_an_episode_begins_where_it_is_told():
    env = SymcontactEnv('cart_pole')
    seen, _ = env.reset(seed=0, options={'q': [0.3, -0.1], 'u': [0.5, 0.0]})
    assert seen.tolist() == [0.3, -0.1, 0.5, 0.0]


def test_the_pole_falls_and_the_reward_ends():
    env = SymcontactEnv('cart_pole')
    env.reset(seed=0, options={'q': [0.0, 0.19], 'u': [0.0, 0.0]})
    results = [env.step([0.0])[1:3]]
    while not results[-1][1]:
        results.append(env.step([0.0])[1:3])
    assert results == [(1.0, False)] * (len(results) - 1) + [(0.0, True)]
    # From 0.19 to 0.2 rad at g / (4/3 l) * 0.19 rad/s^2 (a cart that hardly moves): 0.085 s.
    assert 0.06 <= env.simulation.time <= 0.10


def test_a_step_takes_what_the_task_says():
    env = SymcontactEnv('hopper')
    env.reset(seed=0)
    env.step(np.zeros(3, np.float32))
    assert env.simulation.time == pytest.approx(env.task.steps * env.simulation.step_size)
    assert env.metadata['render_fps'] == 125


def test_actions_beyond_their_limits_act_as_the_limit():
    env = SymcontactEnv('cart_pole')
    ends = []
    for action in (1.0, 50.0):
        env.reset(seed=3)
        ends.append(env.step([action])[0].tolist())
    assert ends[0] == ends[1]


def test_a_world_that_diverges_ends_its_episode_in_its_last_good_state():
    env = SymcontactEnv(Hover(1e300))
    env.reset(seed=1)
    seen, reward, over, cut, info = env.step([1.0])
    assert (over, cut) == (True, False)
    assert np.isfinite([*seen, reward]).all()
    with pytest.raises(DivergenceError) as same:
        env.simulation.step(1)
    assert info['diverged'].partition(':')[0] == str(same.value).partition(':')[0]
    env.reset()
    *_, over, _, info = env.step([0.0])
    assert (over, info) == (False, {})


def test_a_task_of_ones_own_sees_contacts_and_applies_wrenches():
    env = SymcontactEnv(Hover())
    env.reset(seed=1)
    for _ in range(60):  # 1.2 s: it has fallen 0.3 m, and lies
        seen, reward, *_ = env.step([0.0])
    assert reward == pytest.approx(-9.81, rel=1e-2)  # [N], of 1 kg
    for _ in range(10):
        seen, reward, *_ = env.step([1.0])  # three times its weight, for 0.2 s
    assert reward == 0.0
    assert seen[1] == pytest.approx(2 * 9.81 * 0.2, rel=5e-2)  # [m/s]


@pytest.mark.parametrize(
    ('make', 'said'),
    [
        (lambda: SymcontactEnv('cartpole'), "no task 'cartpole'; did you mean 'cart_pole'?"),
        (lambda: SymcontactEnv(['cart_pole']), 'there are: cart_pole, go2_stand, hopper, push'),
        (lambda: SymcontactEnv('cart_pole', speed=2), "task cart_pole: .* 'speed'"),
        (lambda: SymcontactEnv(Hover(), speed=2), 'speed: options are of tasks that are named'),
        (lambda: SymcontactEnv('cart_pole', render_mode='human'), "'rgb_array' or None needed"),
        (lambda: SymcontactEnv('cart_pole', {'x': sc.Uniform(0, 1)}), "no live symbol 'x'"),
        (lambda: SymcontactEnv('cart_pole', {'m': 0.1}), 'randomise.m: a distribution'),
        (lambda: SymcontactEnv('cart_pole', 0.1), 'randomise: symbols and distributions'),
        (lambda: SymcontactVectorEnv('cart_pole', 0), 'must be a whole number of 1 to'),
        (lambda: SymcontactVectorEnv('cart_pole', 1, 0), 'max_episode_steps: 1 or more'),
        (lambda: SymcontactVectorEnv('cart_pole', autoreset_mode='now'), "one of 'NextStep'"),
    ],
)
def test_what_cannot_be_made_is_named(make, said):
    with pytest.raises(OptionError, match=said):
        make()


@pytest.mark.parametrize(
    ('given', 'said'),
    [
        ({'options': {'p': 1}}, "options: 'p' is unknown; q and u are known"),
        ({'options': {'q': [1.0]}}, 'q must be 2 finite numbers'),
        ({'options': {'u': [0.0, np.nan]}}, 'u must be 2 finite numbers'),
    ],
)
def test_what_an_episode_cannot_begin_with_is_named(given, said):
    env = SymcontactEnv('cart_pole')
    with pytest.raises(OptionError, match=said):
        env.reset(**given)


@pytest.mark.parametrize('action', [0.5, [1.0, 2.0], [np.nan], ['left'], None])
def test_what_is_no_action_is_refused_and_changes_nothing(action):
    env = SymcontactEnv('cart_pole')
    env.reset(seed=1)
    before = env.simulation.state_hash()
    with pytest.raises(OptionError, match=r'action: .* needed'):
        env.step(action)
    assert env.simulation.state_hash() == before


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr('symcontact_ros.gym.tasks.go2_stand.PACKAGE', 'example-robot-data-not')
    monkeypatch.setitem(
        sc.optional_packages.SOURCES, 'example-robot-data-not', sc.optional_packages.SOURCES['lz4']
    )
    with pytest.raises(MissingPackageError, match=r'Go2Stand-v0 without `urdf=` needs example-'):
        gymnasium.make('symcontact/Go2Stand-v0')
