"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
import tempfile


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


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
