"""Result codes of the services of simulation_interfaces."""

from __future__ import annotations

from typing import Any

# Of simulation_interfaces/msg/Result, and of its services.
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
ALREADY, TRANSITION_ERROR = 101, 102  # of SetSimulationState
INVALID_POSE = 101  # of SetEntityState


def answered(response: Any, code: int, text: str = '') -> Any:
    """Return a response with a code, and the reason for it."""
    response.result.result = code
    response.result.error_message = text
    return response
