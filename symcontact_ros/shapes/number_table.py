"""Tables of many numbers, as fields of shapes: read-only, compared and hashed by their bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any
import zlib

import numpy as np
from numpy.typing import ArrayLike, NDArray

MARK = 'packed:'  # of a table as text
FEW = 10_000  # numbers that a model file has as lists; more are packed


class NumberTable:
    """
    A table of floats or ints that never changes.

    Attributes
    ----------
    array
        Its numbers; read-only.
    key
        A hash of them and of their shape.
    """

    def __init__(self, array: ArrayLike, dtype: type = np.float64) -> None:
        own: NDArray[Any] = np.array(array, dtype=dtype)
        own.flags.writeable = False
        self.array: NDArray[Any] = own
        self.key = hashlib.sha256(repr(own.shape).encode() + own.tobytes()).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberTable) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f'<{" x ".join(map(str, self.array.shape))} numbers>'

    def tolist(self) -> Any:
        """Return it as model files have it: lists, or a text where they would be long."""
        return self.array.tolist() if self.array.size <= FEW else packed_text(self.array)


def packed_text(array: NDArray[Any]) -> str:
    """Return a table as text: its shape, and its bytes compressed, in base 64."""
    little = array.astype('<f8' if array.dtype.kind == 'f' else '<i8')
    shape = 'x'.join(map(str, array.shape))
    return f'{MARK}{shape}:{base64.b64encode(zlib.compress(little.tobytes(), 6)).decode()}'


def unpacked(text: str, kind: str, most: int) -> NDArray[Any]:
    """
    Return the table of a text; ValueError where it is none, or has more numbers than allowed.

    Parameters
    ----------
    kind
        'f' or 'i': floats or ints.
    most
        How many numbers it may have; no more are ever decompressed.
    """
    head, _, body = text.removeprefix(MARK).partition(':')
    try:
        shape = tuple(int(number) for number in head.split('x'))
        if min(shape) < 0 or len(shape) > 2:
            raise ValueError(head)
        count = int(np.prod(shape, dtype=object))
    except ValueError:
        raise ValueError(f'{MARK} is not followed by the shape of a table') from None
    if count > most:
        raise ValueError(f'has {count} numbers, and may have {most}')
    try:
        raw = zlib.decompressobj().decompress(base64.b64decode(body, validate=True), 8 * count + 1)
    except (binascii.Error, zlib.error):
        raise ValueError(f'{MARK} is followed by no compressed table') from None
    if len(raw) != 8 * count:
        raise ValueError(f'{MARK} is followed by a table of another size than {head}')
    return np.frombuffer(raw, f'<{kind}8').reshape(shape)
