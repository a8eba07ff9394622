"""Models that tests run in WebAssembly, beside those that are shipped."""

from pathlib import Path

import symcontact_ros as sc
from symcontact_ros.model.library import load_model

ARM = Path(__file__).parents[1] / 'urdf' / 'arm.urdf'


def arm():
    """Return a robot arm on the floor, held by servos."""
    return load_model(ARM, servo='auto', world='floor')


def slope():
    """Return boxes on a slope whose friction sticks, one of them upon another."""
    model = sc.Model('slope', dimension=3, gravity=[2.0, 0.0, -9.5])
    model.add_material(
        'default',
        law='linear',
        stiffness=1e5,
        damping=10.0,
        friction=0.6,
        presliding=1e-4,
        torsional_radius=0.02,
    )
    model.add_body('floor', joint={'type': 'fixed'}, shapes=[{'type': 'half_space'}])
    for i, height in enumerate((0.099, 0.297)):
        model.add_body(
            f'box{i}',
            mass=1.0,
            shapes=[{'type': 'box', 'half_extents': [0.1, 0.1, 0.1]}],
            joint={'type': 'free'},
            initial={'position': [0.0, 0.0, height], 'angular_velocity': [0.0, 0.0, 0.3 * i]},
        )
    return model
