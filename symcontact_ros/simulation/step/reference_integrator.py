"""The integrator `reference`: SciPy's DOP853 with tight tolerances, on the same forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from symcontact_ros.errors import DivergenceError
from symcontact_ros.simulation.step.compiled_steps import CompiledSteps
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector

RELATIVE, ABSOLUTE = 1e-11, 1e-13
LONGEST = 0.01  # [s] of a step: contacts are not stepped over


def advance_by_reference(memory: WorldMemory, compiled: CompiledSteps, duration: float) -> None:
    """Advance by a time [s]; the tolerances choose the steps in between."""
    from scipy.integrate import solve_ivp  # 0.7 s to import

    def rates(_: float, whole: Vector) -> Vector:
        return compiled.rates(whole)

    found: Any = solve_ivp(
        rates,
        (0.0, duration),
        memory.whole_state.copy(),
        method='DOP853',
        rtol=RELATIVE,
        atol=ABSOLUTE,
        max_step=min(LONGEST, duration),
    )
    if not found.success or not np.isfinite(found.y[:, -1]).all():
        raise DivergenceError(f'the reference integrator failed: {found.message}')
    memory.whole_state[:] = found.y[:, -1]
    memory.image['stage'][:] = memory.state
    memory.world.drift = np.inf
