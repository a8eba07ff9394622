"""
Multibody contact simulation for ROS 2 from symbolic equations of motion.

The public names are loaded when first used, so that ``import symcontact_ros`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    'Circle': 'model.shapes',
    'Contact': 'types',
    'HalfSpace': 'model.shapes',
    'Model': 'model.model',
    'ModelError': 'errors',
    'OptionError': 'errors',
    'Pose': 'types',
    'Proximity': 'types',
    'Simulation': 'simulation.simulation',
    'SymcontactError': 'errors',
    'Twist': 'types',
    'Wrench': 'types',
    'load_model': 'model.library',
    'proximity': 'collision.query',
}

__all__ = sorted(_HOME)
__version__ = '0.1.0'


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(f'{__name__}.{_HOME[name]}'), name)


def __dir__() -> list[str]:
    return [*__all__, '__version__']
