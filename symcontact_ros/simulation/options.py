"""What can be chosen of a simulation, and what is wrong with a choice."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any

from symcontact_ros.collision.detection import DETECTORS
from symcontact_ros.collision.programs.options import faults_of
from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.loops import STEPS

INTEGRATORS = (*STEPS, 'reference')
MANIFOLDS = ('shared', 'single')
# Options that may change while it runs.
CHANGEABLE = ('detector', 'co', 'integrator', 'max_substeps', 'manifold', 'proximity_range')
MOST_PARTS = 1_000_000  # of a step


def check_options(options: Mapping[str, Any]) -> None:
    """Raise OptionError that tells all that is wrong with options of a simulation."""
    faults = [
        f'{name} must be one of {", ".join(choices)}, got {options[name]!r}'
        for name, choices in (
            ('detector', DETECTORS),
            ('integrator', INTEGRATORS),
            ('manifold', MANIFOLDS),
        )
        if options[name] not in choices
    ]
    co = options['co']
    faults += faults_of(co) if isinstance(co, Mapping) else [f'co must be a mapping, got {co!r}']
    parts = options['max_substeps']
    if not isinstance(parts, int) or isinstance(parts, bool) or not 1 <= parts <= MOST_PARTS:
        faults.append(f'max_substeps must be a whole number of 1 to {MOST_PARTS}, got {parts!r}')
    near = options['proximity_range']
    if not _is_number(near) or near < 0.0:
        faults.append(f'proximity_range must be >= 0 metres, got {near!r}')
    if faults:
        raise OptionError('; '.join(faults))


def check_step_size(step_size: float) -> None:
    """Raise OptionError unless a step has a length."""
    if not _is_number(step_size) or step_size <= 0.0:
        raise OptionError(f'step_size must be > 0 seconds, got {step_size}')


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
