"""``symcontact equations``: the equations of motion of a model."""

from __future__ import annotations

import argparse
import json
import sys

from symcontact_ros.cli.model_options import load_options
from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.equations.equations_of_motion import equations_of_motion

WRITERS = {
    'text': lambda forms, wrenches: forms.text(wrenches),
    'latex': lambda forms, wrenches: forms.latex(wrenches),
    'python': lambda forms, wrenches: forms.source('python'),
    'c': lambda forms, wrenches: forms.source('c'),
}


def run(options: argparse.Namespace) -> int:
    """Print the equations of a model, with contacts or without, its A and B, or a distance."""
    chosen = load_options(options)
    if not (options.contact or options.contacts):
        chosen['meshes'] = 'none'
    model = load_model(options.model, **chosen)
    print(f'{model.name}: {model.speed_count} degrees of freedom', file=sys.stderr, flush=True)
    if options.contacts:
        return _print_contacts(model, options)
    if options.contact:
        return _print_contact(model, options)
    equations = equations_of_motion(model, options.method, _report)
    if options.linearize:
        linear = equations.linearize()
        print(
            json.dumps(
                {
                    'states': linear.states,
                    'inputs': linear.inputs,
                    'A': linear.A.tolist(),
                    'B': linear.B.tolist(),
                    'q': linear.q.tolist(),
                    'effort': linear.effort.tolist(),
                },
                indent=2,
            )
        )
        return 0
    _report('deriving equations of motion')
    if options.format == 'mathml':
        from symcontact_ros.symbolic.mathml import equations_mathml

        print(equations_mathml(model))
        return 0
    print(WRITERS[options.format](equations.forms, options.wrenches))
    return 0


def _print_contact(model: Model, options: argparse.Namespace) -> int:
    """Print the features of two bodies that are nearest in the initial configuration."""
    from symcontact_ros.symbolic.contact.contact_geometry import contact_geometry

    if options.format not in ('text', 'latex'):
        raise OptionError(f'--contact needs --format text or latex, not {options.format}')
    start, _ = initial_state(model, model.parameters)
    body_a, body_b = options.contact
    for feature in contact_geometry(model, body_a, body_b, start):
        print(feature.latex() if options.format == 'latex' else feature.text())
    return 0


def _print_contacts(model: Model, options: argparse.Namespace) -> int:
    """Print the equations of motion with the forces of contacts: of all, or of two bodies."""
    from symcontact_ros.simulation.contact_equations import contact_equations

    if options.format == 'mathml':
        raise OptionError('--contacts needs --format text, latex, python or c, not mathml')
    if options.linearize or options.method != 'recursive':
        raise OptionError('--contacts goes with neither --linearize nor --method')
    _report('deriving equations of motion and contacts')
    equations = contact_equations(model, [options.contact] if options.contact else None)
    print(WRITERS[options.format](equations, options.wrenches))
    return 0


def _report(text: str) -> None:
    print(f'{text} ...', file=sys.stderr, flush=True)
