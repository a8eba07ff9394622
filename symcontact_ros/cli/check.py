"""``symcontact check``: is a model file right, and what does it describe."""

from __future__ import annotations

import argparse

from symcontact_ros.model.library import load_model, model_file


def run(options: argparse.Namespace) -> int:
    """Print what a model describes; faults are raised."""
    model = load_model(options.model)
    print(f'{model_file(options.model)}: good')
    print(f'  {model.name}: {3 * len(model.moving)} degrees of freedom, planar')
    for body in model.bodies:
        shapes = ', '.join(shape.kind for shape in body.shapes) or 'no shape'
        weight = 'fixed' if body.fixed else f'{body.mass:g} kg'
        print(f'  body {body.name}: {weight}, {shapes}')
    for a, b in model.pairs:
        print(f'  pair {a} - {b}')
    for name, value in model.parameters.items():
        print(f'  parameter {name} = {value:g}')
    return 0
