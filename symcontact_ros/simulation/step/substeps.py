"""Number of substeps of a step."""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.simulation.step.forces import Effect
from symcontact_ros.simulation.world.world import World


def needed_substeps(world: World[S, F, V], effect: Effect) -> int:
    """Return into how many substeps this step is divided, so that contacts are resolved."""
    h = world.step_size
    needed = max(
        math.sqrt(effect.stiffness) * h / world.spring_limit,
        effect.rate * h / world.rate_limit,
    )
    if needed <= 1.0:
        return 1
    most = float(world.max_substeps)
    world.largest_need = max(world.largest_need, needed)
    if needed > most:
        if world.exceeded == 0:
            world.alerts += 1
        world.exceeded += 1
        needed = most
    substeps = int(needed)
    if float(substeps) < needed:
        substeps += 1
    world.substeps += substeps - 1
    rate = max(math.sqrt(effect.stiffness), effect.rate)
    world.guard.is_unstable = rate * h > world.guard.stability * float(substeps)
    return substeps
