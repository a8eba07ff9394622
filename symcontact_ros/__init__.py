"""
Multibody contact simulation for ROS 2 from symbolic equations of motion.

The public names are loaded when first used, so that ``import symcontact_ros`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module

_HOME = {
    'Box': 'shapes.box',
    'Batch': 'batch.batch',
    'BusyError': 'errors',
    'Capsule': 'shapes.capsule',
    'Circle': 'shapes.circle',
    'Contact': 'types',
    'ContactEquations': 'symbolic.contact.contact_equations',
    'ContactFeature': 'symbolic.contact.contact_feature',
    'ConvexHull': 'shapes.convex_hull',
    'DivergenceError': 'errors',
    'Cylinder': 'shapes.cylinder',
    'Ellipse': 'shapes.ellipse',
    'Ellipsoid': 'shapes.ellipsoid',
    'Energy': 'simulation.observing.energy',
    'EquationsOfMotion': 'simulation.equations.equations_of_motion',
    'GroundReaction': 'types',
    'HalfSpace': 'shapes.half_space',
    'HeightField': 'shapes.height_field',
    'ImuReading': 'types',
    'LogUniform': 'batch.distributions',
    'Manifold': 'types',
    'Model': 'model.model',
    'ModelError': 'errors',
    'Momentum': 'simulation.observing.momentum',
    'Normal': 'batch.distributions',
    'OptionError': 'errors',
    'Polygon': 'shapes.polygon',
    'Pose': 'types',
    'Proximities': 'types',
    'Proximity': 'types',
    'Rectangle': 'shapes.rectangle',
    'Simulation': 'simulation.simulation',
    'Sphere': 'shapes.sphere',
    'SweepTable': 'sweeps.table',
    'SymcontactError': 'errors',
    'TriangleMesh': 'shapes.triangle_mesh',
    'Trust': 'simulation.observing.trust',
    'Twist': 'types',
    'Wrench': 'types',
    'Uniform': 'batch.distributions',
    'WrenchReading': 'types',
    'contact_equations': 'simulation.contact_equations',
    'contact_geometry': 'symbolic.contact.contact_geometry',
    'damping_for': 'contact.constants',
    'equations_of_motion': 'simulation.equations.equations_of_motion',
    'load_model': 'model.library',
    'proximities': 'collision.proximity',
    'proximity': 'collision.proximity',
    'stiffness_for': 'contact.constants',
    'sweep': 'sweeps.sweep',
}

__all__ = sorted(_HOME)
__version__ = '0.1.0'


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(import_module(f'{__name__}.{_HOME[name]}'), name)


def __dir__() -> list[str]:
    return [*__all__, '__version__']
