"""
Gymnasium environments: one world on a simulation, many worlds on a batch.

``import symcontact_ros.gym`` registers the ids ``symcontact/CartPole-v0``, ``Hopper-v0``,
``Push-v0`` and ``Go2Stand-v0``; ``gymnasium.make`` gives a `SymcontactEnv` of them,
``gymnasium.make_vec`` a `SymcontactVectorEnv`. A `Task` of one's own makes others.
"""

from symcontact_ros.optional_packages import missing

try:
    import gymnasium as _gymnasium  # noqa: F401 - whether it is there
except ImportError as error:
    raise missing('symcontact_ros.gym', 'gymnasium') from error

from symcontact_ros.gym.env import SymcontactEnv
from symcontact_ros.gym.registration import IDS, register_all
from symcontact_ros.gym.task import Task, Worlds
from symcontact_ros.gym.vector_env import SymcontactVectorEnv

register_all()

__all__ = ['IDS', 'SymcontactEnv', 'SymcontactVectorEnv', 'Task', 'Worlds']
