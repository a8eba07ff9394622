"""Ids of the environments in Gymnasium's registry."""

from __future__ import annotations

import gymnasium

# Task and most actions of an episode. Gymnasium has no entry points for packages: an import of
# this one registers them, also that of `make('symcontact_ros.gym:symcontact/CartPole-v0')`.
IDS = {
    'symcontact/CartPole-v0': ('cart_pole', 500),
    'symcontact/Hopper-v0': ('hopper', 1000),
    'symcontact/Push-v0': ('push', 100),
    'symcontact/Go2Stand-v0': ('go2_stand', 500),
}


def register_all() -> None:
    """Register all ids, once."""
    for name, (task, longest) in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point='symcontact_ros.gym.env:SymcontactEnv',
                vector_entry_point='symcontact_ros.gym.vector_env:SymcontactVectorEnv',
                max_episode_steps=longest,
                kwargs={'task': task},
            )
