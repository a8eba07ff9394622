"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
import contextlib
import fcntl
import os
from pathlib import Path
import re
import stat
import tempfile
import time

from symcontact_ros.errors import one_line, OptionError

YOUNG = 2.0  # [s]: an unfinished file may be so young that its writer has not locked it yet
_cleaned: set[Path] = set()  # files beside which this process has looked for unfinished ones


def write_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, whatever happens meanwhile."""
    target = Path(path)
    if target not in _cleaned:
        _cleaned.add(target)
        remove_abandoned(target)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f'.{target.name}.')
    try:
        with os.fdopen(descriptor, 'wb') as file:
            with contextlib.suppress(OSError):  # some file systems have no locks
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.fchmod(descriptor, 0o666 & ~_umask())  # as any file that a user makes
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def remove_abandoned(target: Path) -> None:
    """
    Remove what killed writers of a file have left beside it.

    A writer locks its unfinished file, and the lock goes with the process. Removed are files of
    this user with the names that `write_file` gives and without a lock.
    """
    with contextlib.suppress(OSError):  # a folder that cannot be read is reported by its writer
        for path in list(_unfinished(target)):
            with contextlib.suppress(OSError):  # somebody else has it, or was faster
                _remove_unlocked(path)


def check_place(path: Path, what: str) -> None:
    """Raise OptionError unless a file could be written here; ``what`` names it."""
    named, folder = f'{what} {one_line(path)}', path.parent
    if not folder.is_dir():
        raise OptionError(f'{named}: there is no folder {one_line(folder)}')
    if path.is_dir():
        raise OptionError(f'{named} is a folder: name a file in it')
    if path.exists() and not path.is_file():
        raise OptionError(f'{named} is not a file')
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OptionError(f'{named}: nothing can be written to {one_line(folder)}')


def _unfinished(target: Path) -> Iterator[Path]:
    """Yield the names of unfinished files of a target, of this user, that are not young."""
    pattern = re.compile(rf'\.{re.escape(target.name)}\.[a-z0-9_]{{8}}')  # as of `mkstemp`
    with os.scandir(target.parent) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                if status.st_uid == os.geteuid() and time.time() - status.st_mtime > YOUNG:
                    yield Path(entry.path)


def _remove_unlocked(path: Path) -> None:
    """Remove a file unless its writer lives; OSError if that has locked it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
