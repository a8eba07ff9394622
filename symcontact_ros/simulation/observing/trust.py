"""Whether the results of a run are to be trusted, as far as the run itself can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math

import numpy as np

from symcontact_ros.collision.shape_pair import UNPROVEN
from symcontact_ros.simulation.observing.energy import Energy
from symcontact_ros.simulation.step.guards import DOUBTFUL
from symcontact_ros.simulation.world.world import AnyWorld

# What each counter says of a run, where it is not 0.
REASONS = {
    'stops': 'stopped {n} times by a guard, or by a number that was not finite',
    'not_converged': '{n} minimisations of implicit steps did not converge',
    'exceeded_steps': '{n} steps needed more substeps than max_substeps allows',
    'unproven': '{n} queries found a depth that may not be the least one',
    'unresolved_substeps': '{n} substeps were too long for order 2, and left to order 1',
}


@dataclass(frozen=True)
class Trust:
    """
    Whether the results of a run are to be trusted, as far as it can tell itself.

    Attributes
    ----------
    reasons
        Why not, in words; none where nothing is known against it.
    counters
        What was counted since the start: ``stops`` by guards, ``not_converged``,
        ``exceeded_steps``, ``unproven`` and ``unresolved_substeps`` of `Simulation.counters`.
    """

    reasons: tuple[str, ...]
    counters: Mapping[str, int]

    @property
    def is_good(self) -> bool:
        """Whether there is no reason against it."""
        return not self.reasons

    def __str__(self) -> str:
        return '; '.join(self.reasons) or 'nothing is known against it'


def doubts(world: AnyWorld) -> dict[str, int]:
    """Return how often something happened in a run that results may suffer from."""
    solver = world.solver
    return {
        'stops': world.stops,
        'not_converged': solver.unconverged,
        'exceeded_steps': world.exceeded,
        'unproven': world.statuses[UNPROVEN],
        'unresolved_substeps': solver.given_up,
    }


def trust_of(world: AnyWorld, energy: Energy) -> Trust:
    """Return whether the run of a world is to be trusted, by its counters and its energy."""
    counters = doubts(world)
    reasons = [REASONS[name].format(n=n) for name, n in counters.items() if n]
    guard = world.guard
    throughput = max(energy.throughput, guard.throughput, guard.least)
    with np.errstate(over='ignore', invalid='ignore'):
        part = abs(energy.residual) / throughput if throughput else 0.0
    if not part <= DOUBTFUL * guard.usual_residual:
        of_all = f', {part:.2g} of the energy throughput' if math.isfinite(part) else ''
        reasons.append(f'the energy balance is open by {energy.residual:.3g} J{of_all}')
    return Trust(tuple(reasons), counters)
