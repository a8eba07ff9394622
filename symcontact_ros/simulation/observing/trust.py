"""Trust in the results of a run, as far as the run itself can tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math

from symcontact_ros.collision.shape_pair import UNPROVEN
from symcontact_ros.simulation.observing.energy import Energy
from symcontact_ros.simulation.step.guards import DOUBTFUL
from symcontact_ros.simulation.world.world import AnyWorld

# What counters say of a run, where they are not 0.
REASONS = {
    'stops': 'stopped {times} by a guard, or by a number that was not finite',
    'not_converged': 'minimisations of implicit steps did not converge, {times}',
    'exceeded_steps': 'a step needed more substeps than max_substeps allows, {times}',
    'unproven': 'a depth was found that may not be the least one, {times}',
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
        What was counted since the start: ``stops`` by guards, and ``not_converged``,
        ``exceeded_steps`` and ``unproven`` as in `Simulation.counters`.
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
    }


def trust_of(world: AnyWorld, energy: Energy | None = None) -> Trust:
    """
    Return whether the run of a world is to be trusted, by its counters and its energy balance.

    The balance is what the guards saw since the state was set last; with ``energy``, also that
    since the start.
    """
    counters = doubts(world)
    reasons = [
        text.format(times=_times(n)) for name, text in REASONS.items() if (n := counters[name])
    ]
    guard = world.guard
    balances = [(guard.residual, guard.seen)] if guard.has_start else []
    if energy is not None:
        balances.append((energy.residual, max(energy.throughput, guard.least)))
    for residual, throughput in balances:
        part = abs(residual) / throughput if throughput else 0.0
        if not part <= DOUBTFUL * guard.usual_residual:
            of_all = f', {part:.2g} of the energy throughput' if math.isfinite(part) else ''
            reasons.append(f'the energy balance is open by {residual:.3g} J{of_all}')
            break
    return Trust(tuple(reasons), counters)


def _times(number: int) -> str:
    return 'once' if number == 1 else f'{number} times'
