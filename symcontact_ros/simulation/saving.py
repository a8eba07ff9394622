"""
States of a simulation as bytes and as files.

What is saved is all that the next step depends on, also what is remembered of pairs, so that a run
goes on bit for bit. Arrays and numbers only: nothing in a file is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
import io
import os
from pathlib import Path
import tempfile

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.types import Vector

MAGIC = b'symcontact_ros state\n'
VERSION = 2  # raise it when the meaning of an array changes


def to_bytes(fingerprint: str, arrays: Mapping[str, Vector]) -> bytes:
    """Return arrays as bytes, marked with what they belong to."""
    buffer = io.BytesIO()
    mark = np.frombuffer(fingerprint.encode(), dtype=np.uint8)
    np.savez(buffer, version=np.array(VERSION), fingerprint=mark, **arrays)  # type: ignore[arg-type]
    payload = buffer.getvalue()
    return MAGIC + hashlib.sha256(payload).digest() + payload


def from_bytes(fingerprint: str, data: bytes) -> dict[str, Vector]:
    """Return the arrays; OptionError if they are none, or belong to something else."""
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


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, whatever happens meanwhile."""
    target = Path(path)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f'.{target.name}.')
    try:
        with os.fdopen(descriptor, 'wb') as file:
            os.fchmod(descriptor, 0o666 & ~_umask())  # as any file that a user makes
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
