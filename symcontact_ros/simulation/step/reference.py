"""The integrator `reference`: SciPy's DOP853 with tight tolerances, on the same forces."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.errors import DivergenceError
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation

RELATIVE, ABSOLUTE = 1e-11, 1e-13
LONGEST = 0.01  # [s] of a step: contacts are not stepped over


def advance(simulation: Simulation, count: int) -> None:
    """Advance a simulation by count steps; the tolerances choose the steps in between."""
    from scipy.integrate import solve_ivp  # 0.7 s to import

    duration = count * simulation.step_size

    def rates(time: float, state: Vector) -> Vector:
        return simulation._loop.rates(state)

    found: Any = solve_ivp(
        rates,
        (0.0, duration),
        simulation._whole.copy(),
        method='DOP853',
        rtol=RELATIVE,
        atol=ABSOLUTE,
        max_step=min(LONGEST, duration),
    )
    if not found.success or not np.isfinite(found.y[:, -1]).all():
        raise DivergenceError(f'the reference integrator gave up: {found.message}')
    simulation._whole[:] = found.y[:, -1]
    simulation._image['stage'][:] = simulation._state
    simulation._tables.world.drift = np.inf
    simulation.steps += count
