"""Divergence: recovery from a state that became NaN or infinite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.errors import DivergenceError
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation


def divergence(simulation: Simulation, made: int, before: Vector) -> DivergenceError:
    """
    Go back to the last good state, and return the error to raise.

    Parameters
    ----------
    simulation
        Its state is that after the bad step.
    made
        Good steps since the state before.
    before
        State and ledger to start from again.
    """
    with np.errstate(over='ignore'):
        bad = int(np.flatnonzero(~np.isfinite(simulation._state * simulation._state))[0])
    name = simulation._tables.owner(bad)
    simulation._put_back(before)
    simulation._loop(made)
    if not np.isfinite(simulation._whole).all():  # not the way it went before
        simulation._put_back(before)
        made = 0
    simulation.steps += made
    deepest = min(simulation.proximities(), key=lambda p: p.distance, default=None)
    pair = ''
    if deepest is not None and deepest.distance < 0.0:
        pair = f'; {deepest.body_a} is {deepest.penetration:.3g} m deep in {deepest.body_b}'
    return DivergenceError(
        f'the state of body {name!r} became NaN or infinite at {simulation.time:.6g} s{pair}; '
        'it is reset to that before the step: make step_size smaller, the stiffness lower, or '
        'max_substeps larger'
    )
