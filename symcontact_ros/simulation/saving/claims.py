"""
Claims on files that a run writes again and again: no two runs may write the same one.

A claim is a locked file beside the claimed one, with the name of its owner. The lock goes with the
process, however it ends; what a killed one has left is taken over by the next.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from symcontact_ros.errors import one_line, OptionError

LONGEST = 200  # characters of the name of an owner


class Claim:
    """
    Claim on a file, until it is released, or the process ends.

    Parameters
    ----------
    path
        The file, which need not exist.
    what
        Names it in errors: ``'record_file'``.
    owner
        Who claims it, as others are told.

    Raises
    ------
    OptionError
        If another run has claimed it: the text names that one.

    """

    def __init__(self, path: Path, what: str, owner: str) -> None:
        self._path = path.with_name(f'.{path.name}.lock')
        self._descriptor = -1
        try:
            while not self._is_locked():
                pass
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, f'{owner} (process {os.getpid()})'.encode()[:LONGEST])
        except BlockingIOError:
            other = os.pread(self._descriptor, LONGEST, 0).decode(errors='replace')
            self._close()
            raise OptionError(
                f'{what} {one_line(path)}: {one_line(other or "another run")} is writing it; wait '
                'for its end, or name another file'
            ) from None
        except OSError:  # some file systems have no locks; writing tells what is wrong with others
            self._close()

    def _is_locked(self) -> bool:
        """Open and lock the file; return False if another has removed it meanwhile."""
        self._close()
        flags = os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._descriptor = os.open(self._path, flags | os.O_RDWR | os.O_CREAT, 0o666)
        except PermissionError:  # of another user, whose lock is seen all the same
            self._descriptor = os.open(self._path, flags | os.O_RDONLY)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others write the file."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                self._path.unlink()  # while it is locked: nobody else can have it
        self._close()

    def _close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
        self._descriptor = -1
