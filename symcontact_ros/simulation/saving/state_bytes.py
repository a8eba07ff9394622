"""
Saved states as bytes: arrays and numbers, with a checksum and the mark of their model.

After a checksum comes a line of text: version, mark, and name and number of bytes of each array;
then the arrays, one after the other, as 8-byte numbers, as they are: nothing is compressed, and
nothing in them is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.model.model import Model

MAGIC = b'symcontact_ros state\n'
VERSION = 9  # raise it when the name or the meaning of an array changes
_START = len(MAGIC) + hashlib.sha256().digest_size  # of all that the checksum is of
_NUMBER = 8  # [byte]
_LONGEST_LINE = 4096  # [byte]
_LONGEST_NUMBER = 15  # digits


def fingerprint_of(model: Model, step_size: float) -> str:
    """Return the mark of a model and a step size [s], to which alone a state can be restored."""
    text = f'{model.simulated_yaml()}\n{step_size!r}'
    return hashlib.sha256(text.encode()).hexdigest()


def to_bytes(fingerprint: str, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays of 8-byte numbers as bytes with their mark."""
    blocks = {name: array.tobytes() for name, array in arrays.items()}
    table = ' '.join([f'{name} {len(block)}' for name, block in blocks.items()])
    payload = b''.join([f'{VERSION} {fingerprint} {table}\n'.encode(), *blocks.values()])
    return b''.join([MAGIC, hashlib.sha256(payload).digest(), payload])


def most_bytes(sizes: Mapping[str, range]) -> int:
    """Return how long a saved state can be whose arrays have so many numbers."""
    return _START + _LONGEST_LINE + _NUMBER * sum(size[-1] for size in sizes.values())


def from_bytes(
    fingerprint: str, data: bytes, sizes: Mapping[str, range]
) -> dict[str, NDArray[np.int64]]:
    """Return the arrays; OptionError if they are none, or belong to something else."""
    if not isinstance(data, bytes | bytearray):
        raise OptionError(f'a saved state is bytes, got {type(data).__name__}')
    if len(data) > most_bytes(sizes):
        raise OptionError('not a saved state of this model: longer than it can be')
    if data[:_START] != MAGIC + hashlib.sha256(memoryview(data)[_START:]).digest():
        raise OptionError('not a saved state, or a damaged one')
    end = data.find(b'\n', _START, _START + _LONGEST_LINE)
    words = data[_START : max(end, _START)].decode('ascii', 'replace').split(' ')
    version, mark, table = words[0], words[1:2], words[2:]
    if version != str(VERSION):
        other = f'version {version}' if version.isdecimal() and len(version) < 4 else 'no version'
        raise OptionError(f'a saved state of {other}; this is version {VERSION}')
    if mark != [fingerprint]:
        raise OptionError('a saved state of another model or step size')
    return _arrays(memoryview(data)[end + 1 :], table, sizes)


def _arrays(
    payload: memoryview, table: list[str], sizes: Mapping[str, range]
) -> dict[str, NDArray[np.int64]]:
    """Return the arrays that a table of names and sizes describes."""
    names, lengths = table[::2], table[1::2]
    if names != list(sizes) or len(lengths) != len(names):
        raise OptionError('not a whole saved state: other arrays than it has')
    for name, length in zip(names, lengths, strict=True):
        if not (length.isdecimal() and len(length) <= _LONGEST_NUMBER) or int(length) % _NUMBER:
            raise OptionError(f'not a whole saved state: {name} of {shown(length)} bytes')
        if int(length) // _NUMBER not in sizes[name]:
            raise OptionError(f'a saved state with another size of {name}')
    ends = list(accumulate(map(int, lengths), initial=0))
    if ends[-1] != len(payload):
        raise OptionError(f'not a whole saved state: {len(payload)} bytes, not {ends[-1]}')
    blocks = (payload[start:end] for start, end in pairwise(ends))
    return {
        name: np.frombuffer(block, dtype=np.int64)
        for name, block in zip(names, blocks, strict=True)
    }
