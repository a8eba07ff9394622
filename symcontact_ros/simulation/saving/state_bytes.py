"""
Saved states as bytes: arrays and numbers, with a checksum and the mark of their model.

After a checksum comes a line of text: version, mark, and name and number of bytes of each array;
then the arrays, one after the other, as 8-byte numbers. Nothing in them is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import OptionError
from symcontact_ros.model.model import Model

MAGIC = b'symcontact_ros state\n'
VERSION = 8  # raise it when the name or the meaning of an array changes
_START = len(MAGIC) + hashlib.sha256().digest_size  # of all that the checksum is of
_NUMBER = 8  # [byte]


def fingerprint_of(model: Model, step_size: float) -> str:
    """Return the mark of a model and a step size [s], to which alone a state can be restored."""
    text = f'{model.to_yaml()}\n{step_size!r}'
    return hashlib.sha256(text.encode()).hexdigest()


def to_bytes(fingerprint: str, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays of 8-byte numbers, or of records of them, as bytes with their mark."""
    blocks = {name: array.tobytes() for name, array in arrays.items()}
    table = ' '.join([f'{name} {len(block)}' for name, block in blocks.items()])
    payload = b''.join([f'{VERSION} {fingerprint} {table}\n'.encode(), *blocks.values()])
    return b''.join([MAGIC, hashlib.sha256(payload).digest(), payload])


def from_bytes(fingerprint: str, data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays, as floats; OptionError if they are none, or belong to something else."""
    if not isinstance(data, bytes | bytearray):
        raise OptionError(f'a saved state is bytes, got {type(data).__name__}')
    if data[:_START] != MAGIC + hashlib.sha256(memoryview(data)[_START:]).digest():
        raise OptionError('not a saved state, or a damaged one')
    end = data.find(b'\n', _START)
    version, mark, *table = data[_START : max(end, _START)].decode('ascii', 'replace').split(' ')
    if version != str(VERSION):
        older = version if version.isdecimal() else 'before 6'
        raise OptionError(f'a saved state of version {older}; this is version {VERSION}')
    if mark != fingerprint:
        raise OptionError('a saved state of another model or step size')
    return _arrays(memoryview(data)[end + 1 :], table)


def _arrays(payload: memoryview, table: list[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays that a table of names and sizes describes."""
    names, sizes = table[::2], table[1::2]
    if len(names) != len(sizes) or not all(size.isdecimal() for size in sizes):
        raise OptionError('not a whole saved state: its table')
    ends = list(accumulate(map(int, sizes), initial=0))
    if ends[-1] != len(payload) or any(end % _NUMBER for end in ends):
        raise OptionError(f'not a whole saved state: {len(payload)} bytes, not {ends[-1]}')
    blocks = (payload[start:end] for start, end in pairwise(ends))
    return {
        name: np.frombuffer(block, dtype=np.float64)
        for name, block in zip(names, blocks, strict=True)
    }
