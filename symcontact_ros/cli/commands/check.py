"""``symcontact check``: the contents of a model file, or its faults."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
import sys

from symcontact_ros.cli.integrator_report import integrator_lines
from symcontact_ros.cli.joint_report import joint_lines
from symcontact_ros.cli.model_options import load_options
from symcontact_ros.cli.pair_report import overlap_warnings, pair_lines
from symcontact_ros.cli.shape_figure import check_ending, save_shapes
from symcontact_ros.errors import counted
from symcontact_ros.model.file_kinds import is_urdf
from symcontact_ros.model.library import load_model, model_file
from symcontact_ros.model.model import Model
from symcontact_ros.model.no_pairs import is_alone, reason_for_no_pairs
from symcontact_ros.model.parts import Body
from symcontact_ros.simulation.integrator_choice import resolved_integrator
from symcontact_ros.simulation.options import MAX_SUBSTEPS, OTHER_RATE_LIMIT, RATE_LIMITS
from symcontact_ros.simulation.step.integrators import IMPLICIT
from symcontact_ros.simulation.step.stiff_joints import stiff_joints
from symcontact_ros.simulation.world.start_overlaps import body_pairs


def run(options: argparse.Namespace) -> int:
    """Print the contents of a model; faults are raised."""
    if options.plot is not None:
        check_ending(options.plot)
    path = model_file(options.model)
    if is_urdf(path):  # its meshes may take seconds
        print(f'reading {path} ...', file=sys.stderr, flush=True)
    model = load_model(options.model, **load_options(options))
    warnings = [*model.warnings, *_warnings(model)]
    told = f'loads, with {counted(len(warnings), "warning")}' if warnings else 'good'
    print(f'{path}: {told}')
    for warning in warnings:
        print(f'  warning: {warning}')
    for note in filter(None, (*model.notes[len(model.warnings) :], body_pairs(model).note())):
        print(f'  note: {note}')
    print(f'  {model.summary()}')
    if model.description:
        print(f'  {model.description}')
    if named := [f'{name} {v}' for name, v in asdict(model.own_settings).items() if v is not None]:
        print(f'  made for {", ".join(named)}')
    for line in _lines(model, options.verbose):
        print(f'  {line}'.rstrip())
    if options.plot is not None:
        save_shapes(model, options.plot)
        print(f'  shapes in {options.plot}')
    return 0


def _lines(model: Model, is_verbose: bool) -> Iterator[str]:
    """Yield what a model is made of, and how it is simulated."""
    yield from (f'body {body.name}: {_body(model, body)}' for body in model.bodies)
    yield from (f'joint {line}' for line in joint_lines(model))
    yield from pair_lines(model, is_verbose)
    yield from integrator_lines(model)
    for sensor in model.sensors:
        yield f'sensor {sensor.name}: {sensor.type} at {sensor.place}'
    for name, symbol in model.symbols.items():
        yield f'live symbol {name} = {symbol.value:g} {symbol.unit}'


def _warnings(model: Model) -> list[str]:
    """Return what a run would stumble over."""
    found = overlap_warnings(model)
    run = model.run_settings()
    used = resolved_integrator(model, run.integrator, run.step_size)
    if used not in IMPLICIT:
        limit = RATE_LIMITS.get(used, OTHER_RATE_LIMIT)
        stiff = stiff_joints(model, run.step_size, limit, MAX_SUBSTEPS)
        found += [stiff] if stiff else []
    if not body_pairs(model).pairs and not is_alone(model):
        found.append(f'no two bodies can touch: {reason_for_no_pairs(model)}')
    return found


def _body(model: Model, body: Body) -> str:
    parts = [f'{body.joint.type} on {body.joint.parent}']
    if body.mass != 0.0:
        parts.append(f'{model.number(body.mass):g} kg')
    parts.append(', '.join(placed.shape.kind for placed in body.shapes) or 'no shape')
    if body.sites:
        parts.append('sites ' + ', '.join(body.sites))
    return ', '.join(parts)
