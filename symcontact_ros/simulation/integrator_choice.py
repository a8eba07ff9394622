"""Choice of the integrator where none is named: what `auto` is for a model."""

from __future__ import annotations

from symcontact_ros.model.model import Model

AUTO = 'auto'


def resolved_integrator(model: Model, integrator: str, step_size: float) -> str:
    """
    Return the integrator that makes the steps: the named one, or the one that `auto` chooses.

    Parameters
    ----------
    model
        What is simulated.
    integrator
        The name that was asked for.
    step_size
        Fixed step [s].

    """
    return 'rk4' if integrator == AUTO else integrator


def integrator_words(integrator: str, used: str) -> str:
    """Return the name that was asked for, and after `auto` what it has chosen: `auto: rk4`."""
    return integrator if used == integrator else f'{integrator}: {used}'
