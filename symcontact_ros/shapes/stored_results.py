"""Results of slow computations on shapes, stored on disk between processes."""

from __future__ import annotations

from collections.abc import Callable
import hashlib
import json
from typing import Any

from symcontact_ros.kernels.cache import Cache


def stored_result(
    purpose: str,
    given: bytes,
    compute: Callable[[], Any],
    is_valid: Callable[[Any], bool] = lambda result: True,
) -> Any:
    """
    Return a result of plain data (JSON), computed if it is not in the cache.

    Parameters
    ----------
    purpose
        Of the result, with a version: another one where ``compute`` changes.
    given
        All that the result depends on.
    compute
        Computes it; what it raises is raised, and nothing is stored.
    is_valid
        Whether a stored result can be one of these; one that cannot is computed again.

    """
    key = hashlib.sha256(purpose.encode() + b'\0' + given).hexdigest()
    cache = Cache()
    payload = cache.load(key, 'result')
    if payload is not None:
        try:
            stored = json.loads(payload)
        except (ValueError, RecursionError):
            stored = None
        if stored is not None and is_valid(stored):
            return stored
    result = compute()
    cache.store(key, 'result', json.dumps(result).encode())
    return result
