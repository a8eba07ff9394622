"""Options of a simulation: their checks, and their values in the world."""

from __future__ import annotations

from collections.abc import Mapping
import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from symcontact_ros.collision.convex_programs.options import faults_of
from symcontact_ros.collision.detection import DETECTORS
from symcontact_ros.errors import no_such, not_one_of, OptionError, shown_value
from symcontact_ros.model.building.body_tree import massless, turning_freely
from symcontact_ros.model.model import Model
from symcontact_ros.model.run_settings import INTEGRATORS
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.types import float_of

MANIFOLDS = ('shared', 'single')
# Options that may change while it runs.
CHANGEABLE = (
    *('detector', 'co', 'integrator', 'max_substeps', 'manifold', 'proximity_range'),
    *('max_residual', 'max_depth_ratio', 'max_exceeded_steps'),
)
MOST_SUBSTEPS = 1_000_000
MAX_SUBSTEPS = 64
MAX_RESIDUAL = 0.01
MAX_DEPTH_RATIO = 1.0
MAX_EXCEEDED_STEPS = 1000
# Of omega h. With rk4 the ledger of every shipped scenario then closes to 1e-6; methods of lower
# order have no such accuracy to keep, and are steady to 0.3.
SPRING_LIMITS = {'rk4': 0.06}
OTHER_SPRING_LIMIT = 0.3
RATE_LIMITS = {'rk4': 2.0}  # of the rate of friction times h; rk4 is stable to 2.78
OTHER_RATE_LIMIT = 1.0
STABILITY = {'rk4': 2.78}  # of a rate, or an angular frequency, times h
OTHER_STABILITY = 2.0
# How much more of the energy methods of lower order may lose: of the shipped scenarios rk4 loses
# 4e-5 of the throughput at most, verlet 1.3e-2, semi_implicit 0.14.
# Implicit ones book what they lose; of trees, what their curved paths add is left, of order 1.
ALLOWANCES = {'verlet': 10.0, 'semi_implicit': 50.0, 'implicit': 50.0, 'implicit2': 10.0}
ALLOWANCES |= {'mixed': 50.0}
NEVER = 2**62  # steps
MOST_STEPS = 2**53  # that a float has exactly: time is their number times the step size


def fixed_step_integrator(integrator: str) -> str:
    """Return the integrator whose steps are compiled; `reference` has rates alone."""
    return 'rk4' if integrator == 'reference' else integrator


def plain_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with Python's own numbers in place of those of numpy."""
    return {name: _plain(value) for name, value in options.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return plain_options(value)
    return value.item() if isinstance(value, np.generic) else value


def check_options(options: Mapping[str, Any]) -> None:
    """Raise OptionError with all that is wrong with options of a simulation."""
    faults = [
        not_one_of(name, choices, options[name])
        for name, choices in (
            ('detector', DETECTORS),
            ('integrator', INTEGRATORS),
            ('manifold', MANIFOLDS),
        )
        if options[name] not in choices
    ]
    co = options['co']
    faults += (
        faults_of(co)
        if isinstance(co, Mapping)
        else [f'co must be a mapping, got {shown_value(co)}']
    )
    substeps = options['max_substeps']
    is_whole = isinstance(substeps, int) and not isinstance(substeps, bool)
    if not is_whole or not 1 <= substeps <= MOST_SUBSTEPS:
        most = f'a whole number of 1 to {MOST_SUBSTEPS}'
        faults.append(f'max_substeps must be {most}, got {shown_value(substeps)}')
    margin = options['proximity_range']
    if not _is_number(margin) or margin < 0.0:
        faults.append(f'proximity_range must be >= 0 metres, got {shown_value(margin)}')
    for name in ('max_residual', 'max_depth_ratio', 'max_exceeded_steps'):
        limit = options[name]
        is_number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if not is_number or not limit >= 0.0 or _is_too_large(limit):
            faults.append(f'{name} must be >= 0, where 0 is no limit, got {shown_value(limit)}')
    if faults:
        raise OptionError('; '.join(faults))


def check_step_size(step_size: float) -> None:
    """Raise OptionError unless a step has a length."""
    if not _is_number(step_size) or step_size <= 0.0:
        raise OptionError(f'step_size must be > 0 seconds, got {shown_value(step_size)}')


def check_count(count: object, made: int) -> int:
    """Return a number of steps after those already made; OptionError unless it is one."""
    if not isinstance(count, Integral) or count < 0:
        raise OptionError(
            f'the number of steps must be a whole number >= 0, got {shown_value(count)}'
        )
    number = int(count)
    if number > MOST_STEPS - made:
        raise OptionError(
            f'a run has at most {MOST_STEPS} steps in all, got {shown_value(number)} more'
        )
    return number


def write_options(
    world: AnyWorld, integrator: str, step_size: float, max_substeps: int, manifold: str
) -> None:
    """Write options that are checked into a world."""
    world.step_size = step_size
    world.max_substeps = max_substeps
    world.is_single = manifold == 'single'
    world.spring_limit = SPRING_LIMITS.get(integrator, OTHER_SPRING_LIMIT)
    world.guard.stability = STABILITY.get(integrator, OTHER_STABILITY)
    world.rate_limit = RATE_LIMITS.get(integrator, OTHER_RATE_LIMIT)


def write_guards(
    world: AnyWorld,
    integrator: str,
    max_residual: float,
    max_depth_ratio: float,
    max_exceeded_steps: float,
) -> None:
    """Write limits of the guards into a world, in which 0 is no limit; without substeps, none."""
    guard = world.guard
    allowance = ALLOWANCES.get(integrator, 1.0)
    guard.max_residual = max_residual * allowance or math.inf
    guard.usual_residual = min(guard.max_residual, MAX_RESIDUAL * allowance)
    guard.max_depth_ratio = max_depth_ratio or math.inf
    is_limited = 0 < max_exceeded_steps < NEVER and world.max_substeps > 1
    guard.max_unstable = int(max_exceeded_steps) if is_limited else NEVER


def check_values(model: Model, values: Mapping[str, float]) -> None:
    """Raise OptionError unless these can be values of live symbols of a model."""
    if not isinstance(values, Mapping):
        raise OptionError(
            f'parameters must be a mapping of names to numbers, got {shown_value(values)}'
        )
    for name, value in values.items():
        if name not in model.symbols:
            raise no_such('live symbol', name, model.symbols)
        if not isinstance(value, Real):
            raise OptionError(f'{name} must be a number, got {shown_value(value)}')
        symbol = model.symbols[name]
        if not symbol.minimum <= value <= symbol.maximum or not math.isfinite(float_of(value)):
            got = shown_value(value)
            raise OptionError(
                f'{name} must be within [{symbol.minimum:g}, {symbol.maximum:g}], got {got}'
            )


def check_limits(model: Model, values: Mapping[str, float]) -> None:
    """Refuse symbols that make a mass, a stiffness or the like what none can be."""
    broken = [(limit.path, limit.broken(values)) for limit in model.limits]
    broken += massless(model.bodies, values)
    if not any(reason for _, reason in broken):
        broken += turning_freely(model.bodies, values)
    if faults := [f'{path}: {reason}' for path, reason in broken if reason]:
        raise ValueError('; '.join(faults))


def check_state_values(model: Model, values: Mapping[str, float]) -> None:
    """Raise OptionError unless the values of live symbols in a saved state make a model."""
    try:
        check_values(model, values)
        check_limits(model, values)
    except (ValueError, ArithmeticError) as error:
        raise OptionError(f'a saved state with values that make no model: {error}') from error


def _is_number(value: object) -> bool:
    is_real = isinstance(value, int | float) and not isinstance(value, bool)
    return is_real and math.isfinite(float_of(value))


def _is_too_large(value: float) -> bool:
    """Return whether a number, which may be infinite, is more than a float can be."""
    return isinstance(value, int) and math.isinf(float_of(value))
