"""
Saved states as bytes: arrays and numbers, with a checksum and the mark of their model.

Nothing in them is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import OptionError
from symcontact_ros.model.model import Model

MAGIC = b'symcontact_ros state\n'
VERSION = 5  # raise it when the name or the meaning of an array changes


def fingerprint_of(model: Model, step_size: float) -> str:
    """Return the mark of a model and a step size [s], to which alone a state can be restored."""
    text = f'{model.to_yaml()}\n{step_size!r}'
    return hashlib.sha256(text.encode()).hexdigest()


def to_bytes(fingerprint: str, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays as bytes, with their mark."""
    buffer = io.BytesIO()
    mark = np.frombuffer(fingerprint.encode(), dtype=np.uint8)
    np.savez(buffer, version=np.array(VERSION), fingerprint=mark, **arrays)  # type: ignore[arg-type]
    payload = buffer.getvalue()
    return MAGIC + hashlib.sha256(payload).digest() + payload


def from_bytes(fingerprint: str, data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays; OptionError if they are none, or belong to something else."""
    if not isinstance(data, bytes | bytearray):
        raise OptionError(f'a saved state is bytes, got {type(data).__name__}')
    start = len(MAGIC) + hashlib.sha256().digest_size
    payload = data[start:]
    if data[:start] != MAGIC + hashlib.sha256(payload).digest():
        raise OptionError('not a saved state, or a damaged one')
    with np.load(io.BytesIO(payload), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    version = int(arrays.pop('version'))
    mark = arrays.pop('fingerprint').tobytes().decode()
    if version != VERSION:
        raise OptionError(f'a saved state of version {version}; this is version {VERSION}')
    if mark != fingerprint:
        raise OptionError('a saved state of another model or step size')
    return arrays
