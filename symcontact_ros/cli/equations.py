"""``symcontact equations``: the equations of the very model that runs."""

from __future__ import annotations

import argparse
import json
import sys

from symcontact_ros.model.library import load_model
from symcontact_ros.simulation.equations import equations_of_motion

WRITERS = {
    'text': lambda forms, wrenches: forms.text(wrenches),
    'latex': lambda forms, wrenches: forms.latex(wrenches),
    'python': lambda forms, wrenches: forms.source('python'),
    'c': lambda forms, wrenches: forms.source('c'),
}


def run(options: argparse.Namespace) -> int:
    """Print the equations of a model, or its linearisation as JSON."""
    model = load_model(options.model, base=options.base, meshes=False)
    print(f'{model.name}: {model.speed_count} degrees of freedom', file=sys.stderr, flush=True)
    equations = equations_of_motion(model, options.method, _say)
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
    _say('deriving equations of motion')
    print(WRITERS[options.format](equations.forms, options.wrenches))
    return 0


def _say(text: str) -> None:
    print(f'{text} ...', file=sys.stderr, flush=True)
