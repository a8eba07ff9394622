"""Results of slow computations on shapes, stored on disk between processes."""

from __future__ import annotations

from collections.abc import Callable
import hashlib
import json
from typing import Any

from symcontact_ros.kernels.cache import Cache


def stored_result(purpose: str, given: bytes, compute: Callable[[], Any]) -> Any:
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

    """
    key = hashlib.sha256(purpose.encode() + b'\0' + given).hexdigest()
    cache = Cache()
    payload = cache.load(key, 'result')
    if payload is None:
        result = compute()
        cache.store(key, 'result', json.dumps(result).encode())
        return result
    return json.loads(payload)
