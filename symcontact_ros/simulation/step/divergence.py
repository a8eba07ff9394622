"""Return to the last good state after a divergence, and its error message."""

from __future__ import annotations

from collections.abc import Iterable
import math

import numpy as np

from symcontact_ros.simulation.step.compiled_steps import CompiledSteps
from symcontact_ros.simulation.step.division import undivide
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.types import Proximity


def is_finite(live: LiveModel) -> bool:
    """Return whether all numbers of the state, and their squares, are finite."""
    state = live.memory.state
    with np.errstate(over='ignore', invalid='ignore'):
        return bool(np.isfinite(state * state).all())


def diverged_body(live: LiveModel) -> str:
    """Return the name of the first body whose numbers in the state, or their squares, diverged."""
    state = live.memory.state
    with np.errstate(over='ignore'):
        bad = int(np.flatnonzero(~np.isfinite(state * state))[0])
    return live.memory.layout.owner(bad)


def return_to_last_good(live: LiveModel, compiled: CompiledSteps, made: int) -> int:
    """
    Go back to the state before the step that diverged.

    Parameters
    ----------
    made
        Good steps of the last call of `advance`.

    Returns
    -------
    The steps from the state before that call to the present one: `made`, or 0 where the same steps
    do not lead there again.
    """
    before, anchors = compiled.before, compiled.anchors_before
    guard = live.memory.world.guard
    limits = guard.max_depth_ratio, guard.max_unstable, guard.max_residual
    guard.max_depth_ratio, guard.max_unstable, guard.max_residual = math.inf, 2**62, math.inf
    live.set_whole_state(before, anchors)
    compiled.advance(made)
    guard = live.memory.world.guard  # the memory may be another one
    guard.max_depth_ratio, guard.max_unstable, guard.max_residual = limits
    if not np.isfinite(live.memory.whole_state).all():  # they went another way
        live.set_whole_state(before, anchors)
        return 0
    return made


def settle(live: LiveModel, compiled: CompiledSteps) -> int:
    """
    Have a whole step behind, where an exception has ended `advance`; return how many were made.

    Steps in plain Python may have been cut short: then all is as before the call.
    """
    if not compiled.is_plain:
        return compiled.made
    undivide(live.memory.world)
    live.set_whole_state(compiled.before, compiled.anchors_before)
    return 0


def divergence_message(
    body: str, time: float, proximities: Iterable[Proximity], cause: str
) -> str:
    """Return the error message for a body that diverged at a time [s], for a cause if known."""
    deepest = min(proximities, key=lambda p: p.distance, default=None)
    pair = ''
    if deepest is not None and deepest.distance < 0.0:
        pair = f'; {deepest.body_a} is {deepest.penetration:.3g} m deep in {deepest.body_b}'
    why = f'; {cause}' if cause else ''
    return (
        f'body {body!r}: the state became NaN or infinite at {time:.6g} s{pair}{why}; '
        'the state is that before the step: make step_size smaller, the stiffness lower, '
        'or max_substeps larger'
    )
