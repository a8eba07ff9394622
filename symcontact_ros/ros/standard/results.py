"""Result codes of the services of simulation_interfaces."""

from __future__ import annotations

from typing import Any

# Of simulation_interfaces/msg/Result, and of its services.
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
ALREADY, TRANSITION_ERROR = 101, 102  # of SetSimulationState
INVALID_POSE = 101  # of SetEntityState
NO_WORLD = 101  # of GetCurrentWorld and UnloadWorld
SOME_FAILED = 150  # of SpawnEntities
SPAWN = {  # of SpawnEntity
    'NAME_NOT_UNIQUE': 101,
    'NAME_INVALID': 102,
    'UNSUPPORTED_FORMAT': 103,
    'NO_RESOURCE': 104,
    'RESOURCE_PARSE_ERROR': 106,
    'INVALID_POSE': 109,
}
WORLD = {'UNSUPPORTED_FORMAT': 101, 'NO_RESOURCE': 102, 'RESOURCE_PARSE_ERROR': 103}  # LoadWorld


def answered(response: Any, code: int, text: str = '') -> Any:
    """Return a response with a code, and the reason for it."""
    response.result.result = code
    response.result.error_message = text
    return response
