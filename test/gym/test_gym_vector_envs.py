"""Many worlds at once are what Gymnasium makes of single ones, bit for bit."""

import numpy as np
import pytest

gymnasium = pytest.importorskip('gymnasium', reason='the extra `gym`')

from gymnasium.vector import AutoresetMode, SyncVectorEnv
from helpers.gym_tasks import GO2, Hover

import symcontact_ros as sc
from symcontact_ros.errors import OptionError
from symcontact_ros.gym import IDS, SymcontactEnv, SymcontactVectorEnv

WORLDS, LONGEST, SEED = 3, 12, 5
MODES = list(AutoresetMode)
MASSES = {'m': sc.Uniform(0.05, 0.5)}


def pair(task, mode, longest=LONGEST, **options):
    """Return our vector environment, and Gymnasium's of single environments."""

    def single():
        return gymnasium.wrappers.TimeLimit(SymcontactEnv(task, **options), longest)

    ours = SymcontactVectorEnv(task, WORLDS, longest, autoreset_mode=mode, **options)
    return ours, SyncVectorEnv([single] * WORLDS, autoreset_mode=mode)


def assert_same(ours, theirs):
    """Compare what two calls return: observations, rewards, ends and infos."""
    *arrays, info = ours
    *their_arrays, their_info = theirs
    for own, other in zip(arrays, their_arrays, strict=True):
        assert own.dtype == other.dtype
        assert own.tolist() == other.tolist()
    assert_same_info(info, their_info)


def assert_same_info(info, other):
    assert info.keys() == other.keys()
    for key in info.keys() & {'final_info'}:
        assert_same_info(info[key], other[key])
    for key in info.keys() - {'final_info'}:
        mask = other[key if key.startswith('_') else f'_{key}']
        for world in np.flatnonzero(mask):
            assert np.array_equal(info[key][world], other[key][world]), key


def go_on(ours, theirs, steps, choose):
    """Step both, and compare; return how many episodes ended, and how many were cut off."""
    ends = np.zeros(2, int)
    assert_same(ours.reset(seed=SEED), theirs.reset(seed=SEED))
    for step in range(steps):
        actions = choose(step)
        one = ours.step(actions)
        assert_same(one, theirs.step(actions))
        over = one[2] | one[3]
        ends += [one[2].sum(), one[3].sum()]
        if over.any() and ours.metadata['autoreset_mode'] is AutoresetMode.DISABLED:
            mask = {'reset_mask': over}
            assert_same(ours.reset(options={**mask}), theirs.reset(options={**mask}))
    return ends.tolist()


def at_random(env):
    """Return actions by step."""
    space = env.action_space
    space.seed(1)
    return lambda step: space.sample()


@pytest.mark.parametrize(
    ('task', 'mode'),
    [*(('cart_pole', mode) for mode in MODES), ('hopper', MODES[0]), ('push', MODES[1])],
)
def test_worlds_are_single_environments_through_the_ends_of_episodes(task, mode):
    ours, theirs = pair(task, mode)
    over, cut = go_on(ours, theirs, 40, at_random(ours))
    assert cut >= 6  # every world begins three times and more
    assert over >= 1 or task != 'cart_pole'


@GO2
def test_a_robots_worlds_are_single_environments():
    ours, theirs = pair('go2_stand', 'NextStep', 4)
    assert go_on(ours, theirs, 8, at_random(ours))[1] == WORLDS


@pytest.mark.parametrize('mode', MODES)
def test_worlds_draw_the_symbols_that_single_environments_draw(mode):
    ours, theirs = pair('cart_pole', mode, randomise=MASSES)
    go_on(ours, theirs, 30, at_random(ours))
    single = [env.unwrapped.simulation.parameters['m'] for env in theirs.envs]
    assert ours.batch.parameters['m'].tolist() == single
    assert len(set(single)) == WORLDS


@pytest.mark.parametrize('mode', MODES)
def test_a_world_that_diverges_ends_its_own_episode_alone(mode):
    ours, theirs = pair(Hover(1e300), mode, 8)
    push = np.eye(WORLDS, dtype=np.float32)[1][:, None]  # the second world, in every third step
    over, cut = go_on(ours, theirs, 20, lambda step: push * (step % 3 == 2))
    assert over >= 5
    assert cut >= 2


def test_contacts_and_wrenches_are_those_of_single_environments():
    ours, theirs = pair(Hover(), 'SameStep', 80)
    go_on(ours, theirs, 100, lambda step: np.full((WORLDS, 1), step % 20 == 0, np.float32))
    lying = ours.step(np.zeros((WORLDS, 1)))[1]
    assert (lying < 0.0).any()


@pytest.mark.parametrize('name', [own for own in IDS if 'Go2' not in own])
def test_an_id_makes_many_worlds_whose_arrays_are_of_their_spaces(name):
    env = gymnasium.make_vec(name, num_envs=WORLDS)
    assert isinstance(env, SymcontactVectorEnv)
    seen, info = env.reset(seed=0)
    assert (seen in env.observation_space, info) == (True, {})
    seen, rewards, over, cut, _ = env.step(env.action_space.sample())
    assert seen in env.observation_space
    assert [own.dtype for own in (rewards, over, cut)] == [np.float64, bool, bool]
    assert [own.shape for own in (rewards, over, cut)] == [(WORLDS,)] * 3


def test_episodes_are_cut_off_as_the_id_says_unless_told_otherwise():
    episodes = {}
    for longest in ({}, {'max_episode_steps': 4}):
        env = gymnasium.make_vec('symcontact/Push-v0', num_envs=2, **longest)
        env.reset(seed=0)
        steps = 1
        while not env.step(np.zeros((2, 2), np.float32))[3].all():
            steps += 1
        episodes[steps] = longest
    assert list(episodes) == [100, 4]


def test_gymnasiums_statistics_of_episodes_are_right():
    env = gymnasium.make_vec('symcontact/CartPole-v0', num_envs=2, max_episode_steps=5)
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    env.reset(seed=0)
    for _ in range(5):
        info = env.step(np.zeros((2, 1), np.float32))[4]
    assert info['episode']['r'].tolist() == [5.0, 5.0]
    assert info['episode']['l'].tolist() == [5, 5]


def test_lists_of_seeds_and_a_mask_choose_worlds():
    env = SymcontactVectorEnv('cart_pole', WORLDS)
    first, _ = env.reset(seed=[7, 8, 9])
    moved = env.step(np.ones((WORLDS, 1)))[0]
    mask = np.array([False, True, False])
    seen, _ = env.reset(seed=[None, 7, None], options={'reset_mask': mask})
    assert seen.tolist() == [moved[0].tolist(), first[0].tolist(), moved[2].tolist()]


@pytest.mark.parametrize(
    ('call', 'said'),
    [
        (lambda env: env.reset(seed=[1, 2]), 'seed: a whole number, or 3 of them'),
        (lambda env: env.reset(seed=1.5), 'seed: a whole number, or 3 of them'),
        (lambda env: env.reset(seed='abc'), 'seed: a whole number, or 3 of them'),
        (lambda env: env.reset(options={'mask': 1}), "options: 'mask' is unknown; reset_mask is"),
        (lambda env: env.reset(options={'reset_mask': [True]}), 'reset_mask: an array of 3 bool'),
        (lambda env: env.reset(options={'reset_mask': [1, 0, 1]}), 'reset_mask: an array of 3'),
        (lambda env: env.step([[0.0]] * 2), 'actions: 3 rows are needed, got 2'),
        (lambda env: env.step([[0.0], [np.inf], [0.0]]), 'action: finite numbers are needed'),
        (lambda env: env.step('left'), 'action: numbers are needed'),
    ],
)
def test_what_worlds_cannot_do_is_named_and_changes_nothing(call, said):
    env = SymcontactVectorEnv('cart_pole', WORLDS)
    env.reset(seed=1)
    before = env.batch.q
    with pytest.raises(OptionError, match=said):
        call(env)
    assert env.batch.q.tolist() == before.tolist()


def test_what_comes_in_the_wrong_order_is_refused():
    env = SymcontactVectorEnv('cart_pole', 1, 1, autoreset_mode='Disabled')
    with pytest.raises(OptionError, match='step: `reset` comes first'):
        env.step([[0.0]])
    env.reset(seed=1)
    env.step([[0.0]])
    with pytest.raises(OptionError, match=r'episodes are over, `reset` them: of worlds \[0\]'):
        env.step([[0.0]])
