"""Reading of files named by users: ordinary ones only, up to a size."""

from __future__ import annotations

import os
from pathlib import Path
import stat


def read_ordinary(path: Path, limit: int) -> bytes:
    """Return the bytes of a file; ValueError if they cannot be read."""
    if '\0' in str(path):
        raise ValueError('cannot be read: its name has a NUL in it')
    try:
        # A pipe or a terminal would block: it is opened without waiting, then refused.
        with open(path, 'rb', opener=_open_at_once) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise ValueError('cannot be read: not an ordinary file')
            raw = stream.read(limit + 1)
    except OSError as error:
        raise ValueError(f'cannot be read: {error.strerror}') from error
    if len(raw) > limit:
        raise ValueError(f'larger than {limit // 2**20} MiB')
    return raw


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, 'O_NONBLOCK', 0))
