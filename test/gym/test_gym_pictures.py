"""Pictures of environments show where their bodies are."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip('gymnasium', reason='the extra `gym`')
pytest.importorskip('matplotlib', reason='the extra `gym`')

from gymnasium.utils.env_checker import check_env

from symcontact_ros.gym import SymcontactEnv, SymcontactVectorEnv

BOX, FINGER = (0, 1, 0), (1, 0.3, 0)  # green and orange, as directions


def middle_of(picture, colour):
    """Return where a colour is on a picture, from its upper left [dots]."""
    dots = picture.astype(float) - picture.mean(axis=2, keepdims=True)
    strength = dots @ (np.array(colour) - np.mean(colour))
    rows, columns = np.nonzero(strength > 0.5 * strength.max())
    return np.array([columns.mean(), rows.mean()])


def test_gymnasiums_checker_is_content_with_pictures():
    env = gymnasium.make('symcontact/CartPole-v0', render_mode='rgb_array').unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # test_gym_envs.py reads them
        check_env(env)


def test_a_pole_that_leans_is_drawn_leaning():
    env = SymcontactEnv('cart_pole', render_mode='rgb_array')
    places = []
    for angle in (-0.2, 0.0, 0.2):  # a positive one leans to the left: it turns about z
        env.reset(seed=0, options={'q': [0.0, angle], 'u': [0.0, 0.0]})
        picture = env.render()
        assert (picture.shape, picture.dtype) == ((360, 480, 3), np.uint8)
        pole, cart = middle_of(picture, FINGER), middle_of(picture, (0, 0.4, 1))
        assert pole[1] < cart[1]  # above it
        places.append(pole[0] - cart[0])
    assert places[0] > 10 > abs(places[1])
    assert places[2] == pytest.approx(-places[0], abs=3)  # dots of the outline


def test_many_worlds_are_drawn_one_by_one():
    env = SymcontactVectorEnv('push', 2, render_mode='rgb_array')
    env.reset(seed=3)
    pictures = env.render()
    single = SymcontactEnv('push', render_mode='rgb_array')
    single.reset(seed=3)
    # The view is as wide as at the first picture, which here is that of world 0.
    assert np.array_equal(pictures[0], single.render())
    assert not np.array_equal(*pictures)
    box, finger = (middle_of(pictures[0], colour) for colour in (BOX, FINGER))
    assert 20 < np.linalg.norm(box - finger) < 200


def test_without_a_render_mode_there_is_no_picture():
    assert SymcontactEnv('cart_pole').render() is None
    assert SymcontactVectorEnv('cart_pole', 1).render() is None
