"""Grey images of PNG files: 8 or 16 bits, not interlaced."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b'\x89PNG\r\n\x1a\n'
GREY = 0  # colour type
DEPTHS = (8, 16)  # bits
NONE, SUB, UP, AVERAGE, PAETH = range(5)  # filters of a row


def grey_image(raw: bytes, most: int) -> NDArray[np.float64]:
    """
    Return the pixels of a PNG file from 0 (black) to 1 (white), row by row from the top.

    Parameters
    ----------
    raw
        The file.
    most
        How many pixels it may have; no more are ever decompressed.

    Raises
    ------
    ValueError
        It is no such file; the text goes on after its name.
    """
    if not raw.startswith(SIGNATURE):
        raise ValueError('is no PNG file')
    head, packed = _chunks(raw)
    if len(head) != 13:
        raise ValueError('is damaged: it has no header')
    width, height, depth, colour, _, _, interlaced = struct.unpack('>IIBBBBB', head)
    if colour != GREY or depth not in DEPTHS or interlaced:
        raise ValueError('must be grey with 8 or 16 bits, without a palette, alpha or interlacing')
    if not width or not height:
        raise ValueError('has no pixels')
    if width * height > most:
        raise ValueError(f'has {width} x {height} pixels, and may have {most} in all')
    step = depth // 8
    stride = 1 + width * step
    try:
        data = zlib.decompressobj().decompress(packed, stride * height + 1)
    except zlib.error as error:
        raise ValueError(f'is damaged: {error}') from None
    if len(data) != stride * height:
        raise ValueError('is damaged: it has more or fewer pixels than its header says')
    rows = _unfiltered(np.frombuffer(data, np.uint8).reshape(height, stride), step)
    pixels = rows.reshape(height, width * step).view('>u2' if depth == 16 else np.uint8)
    levels: NDArray[np.float64] = pixels.astype(np.float64) / (2**depth - 1)
    return levels


def _chunks(raw: bytes) -> tuple[bytes, bytes]:
    """Return the header and all compressed data."""
    at, head, packed = len(SIGNATURE), b'', []
    while at + 8 <= len(raw):
        length, kind = struct.unpack_from('>I4s', raw, at)
        body = raw[at + 8 : at + 8 + length]
        if len(body) < length:
            raise ValueError('is cut off')
        if kind == b'IHDR':
            head = body
        elif kind == b'IDAT':
            packed.append(body)
        elif kind == b'IEND':
            break
        at += 12 + length
    return head, b''.join(packed)


def _unfiltered(lines: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Return the bytes of all rows; the first byte of a line says how it was filtered."""
    rows = np.zeros((len(lines), lines.shape[1] - 1), np.uint8)
    before = np.zeros(rows.shape[1], np.uint8)
    for number, line in enumerate(lines):
        kind, body = int(line[0]), line[1:]
        if kind == NONE:
            rows[number] = body
        elif kind == SUB:
            rows[number] = np.cumsum(body.reshape(-1, step), axis=0, dtype=np.uint8).ravel()
        elif kind == UP:
            rows[number] = body + before
        elif kind in (AVERAGE, PAETH):
            rows[number] = _predicted(kind, body.tolist(), before.tolist(), step)
        else:
            raise ValueError(f'is damaged: a row has filter {kind}')
        before = rows[number]
    return rows


def _predicted(kind: int, body: list[int], above: list[int], step: int) -> list[int]:
    row: list[int] = []
    for i, byte in enumerate(body):
        left = row[i - step] if i >= step else 0
        if kind == AVERAGE:
            row.append((byte + (left + above[i]) // 2) & 255)
            continue
        corner = above[i - step] if i >= step else 0
        guess = left + above[i] - corner
        near = min((left, above[i], corner), key=lambda value: abs(guess - value))
        row.append((byte + near) & 255)
    return row
