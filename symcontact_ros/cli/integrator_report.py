"""Lines of `symcontact check` about the integrator: which one, why, and how things bounce."""

from __future__ import annotations

from collections.abc import Iterator
import sys

from symcontact_ros.model.model import Model
from symcontact_ros.simulation.impact_trial import restitutions, SPEED
from symcontact_ros.simulation.integrator_choice import AUTO, Choice, chosen_integrator
from symcontact_ros.simulation.step.integrators import MIXED
from symcontact_ros.simulation.world.start_overlaps import body_pairs


def integrator_lines(model: Model) -> Iterator[str]:
    """Yield the integrator that a model gets and why, then the restitution of its materials."""
    run = model.run_settings()
    choice = Choice(run.integrator, 'named by the model')
    if run.integrator == AUTO:
        choice = chosen_integrator(model, run.step_size)
    yield f'integrator {choice.words}, steps of {1e3 * run.step_size:g} ms: {choice.reason}'
    if body_pairs(model).pairs:
        print('trying how materials bounce ...', file=sys.stderr, flush=True)
    used = 'implicit2' if choice.name == MIXED else choice.name
    for found in restitutions(model, used, run.step_size):
        yield (
            f'material {found.material}: restitution {found.asked:.3g} at {SPEED:g} m/s by its '
            f'law, {found.obtained:.3g} by {used} ({" - ".join(found.pair)})'
        )
