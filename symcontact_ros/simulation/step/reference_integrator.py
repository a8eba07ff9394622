"""The integrator `reference`: SciPy's DOP853 with tight tolerances, on the same forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from symcontact_ros.errors import DivergenceError
from symcontact_ros.simulation.step.anchors import settle_anchors
from symcontact_ros.simulation.step.compiled_steps import CompiledSteps
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector

RELATIVE, ABSOLUTE = 1e-11, 1e-13
LONGEST = 0.01  # [s] of a step: contacts are not stepped over


def advance_by_reference(memory: WorldMemory, compiled: CompiledSteps, count: int) -> None:
    """
    Advance by a number of steps; the tolerances choose the steps in between.

    Where friction sticks, the anchors of the points that touch at the start of a step are part of
    what is integrated until its end.
    """
    step_size = memory.world.step_size
    compiled.begin_watch()
    if memory.layout.sticks:
        for _ in range(count):
            _make_step(memory, compiled, step_size)
    else:
        whole = _integrated(compiled, memory.whole_state.copy(), count * step_size)
        memory.whole_state[:] = whole
    memory.image['stage'][:] = memory.state
    memory.world.drift = np.inf
    compiled.look()


def _make_step(memory: WorldMemory, compiled: CompiledSteps, step_size: float) -> None:
    """Make a step of a model whose friction sticks."""
    state = memory.whole_state.copy()
    memory.world.anchors_are_listed = False
    compiled.rates(state)  # lists the anchors
    start = memory.anchors
    stretches = np.column_stack([start['stretch'].reshape(-1, 3), start['twist']])
    whole = _integrated(compiled, np.concatenate([state, stretches.ravel()]), step_size)
    memory.whole_state[:] = whole[: len(state)]
    ends = whole[len(state) :].reshape(-1, 4)
    anchors = memory.anchors
    anchors['stretch'], anchors['twist'] = ends[:, :3], ends[:, 3]
    settle_anchors(memory.world, True)


def _integrated(compiled: CompiledSteps, start: Vector, duration: float) -> Vector:
    """Return what a state becomes after a time [s]."""
    from scipy.integrate import solve_ivp  # 0.7 s to import

    def rates(_: float, whole: Vector) -> Vector:
        return compiled.rates(whole)

    found: Any = solve_ivp(
        rates,
        (0.0, duration),
        start,
        method='DOP853',
        rtol=RELATIVE,
        atol=ABSOLUTE,
        max_step=min(LONGEST, duration),
    )
    if not found.success or not np.isfinite(found.y[:, -1]).all():
        raise DivergenceError(f'the reference integrator failed: {found.message}')
    end: Vector = found.y[:, -1]
    return end
