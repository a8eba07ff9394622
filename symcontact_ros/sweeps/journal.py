"""
Journal of a sweep: the rows that are done, so that a sweep that was killed goes on.

A file of lines, each with a checksum before its JSON. The first one says which sweep it is of;
all others are rows, in the order in which they came. Nothing is ever changed in it: lines are
appended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import contextlib
import fcntl
import json
import math
import os
from pathlib import Path
import stat
import time
from typing import Any, BinaryIO
import zlib

from symcontact_ros.errors import one_line, OptionError
from symcontact_ros.sweeps.runner import Row, STATUSES

FORMAT = 1  # raise it when the meaning of a line changes
SYNC = 1.0  # [s] between two times at which the disk is waited for
LONGEST = 65_536  # [byte] of a line


class Journal:
    """
    The journal of a sweep, open and locked.

    Parameters
    ----------
    path
        Where it is, or will be.
    marks
        What tells this sweep from others, by word; OptionError if the file is one of another.
    points, width
        Number of points and of measures, which all rows must fit.
    restart
        Whether to forget what is in it.
    """

    def __init__(
        self,
        path: Path,
        marks: Mapping[str, str],
        points: int,
        width: int,
        restart: bool = False,
    ) -> None:
        self._path, self._points, self._width = path, points, width
        self._file = _open(path)
        self._synced = time.monotonic()
        self.damaged = 0  # lines that were no rows
        try:
            self._lock()
            if restart:
                self._file.truncate(0)
            self.rows = self._read({'format': str(FORMAT), **marks})
            self._is_empty = not self.rows
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OptionError(
                f'{one_line(self._path)}: another sweep is writing it; wait for its end, or name '
                'another file'
            ) from None
        except OSError:  # some file systems have no locks
            pass

    def _read(self, marks: Mapping[str, str]) -> dict[int, Row]:
        """Return the rows by point, and cut a line off that was not finished."""
        self._file.seek(0)
        first = self._file.readline(LONGEST)
        if not first.endswith(b'\n'):  # a new one, or killed in its first line
            if first and not _line(marks).startswith(first):
                raise self._foreign()
            self._file.truncate(0)
            self._file.seek(0)
            self._file.write(_line(marks))
            self.sync()
            return {}
        self._check(_content(first), marks)
        rows: dict[int, Row] = {}
        end = len(first)
        for line in self._lines():
            end += len(line)
            row = self._row(_content(line))
            if row is None:
                self.damaged += 1
            else:
                rows.setdefault(row.point, row)
        self._file.seek(end)
        self._file.truncate()
        return rows

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines that follow, up to one without an end or beyond all length."""
        while (line := self._file.readline(LONGEST)).endswith(b'\n'):
            yield line

    def _check(self, found: Any, marks: Mapping[str, str]) -> None:
        """Raise OptionError unless the first line is that of this sweep."""
        if not isinstance(found, dict) or found.get('format') is None:
            raise self._foreign()
        if different := [word for word, mark in marks.items() if found.get(word) != mark]:
            raise OptionError(
                f'{one_line(self._path)}: is of a sweep with another {" and ".join(different)}; '
                'name another output file, or start anew (--restart)'
            )

    def _foreign(self) -> OptionError:
        path = one_line(self._path)
        return OptionError(f'{path}: is no journal of a sweep; move it, or name another output')

    def _row(self, found: Any) -> Row | None:
        """Return a row, or None if this is none of this sweep."""
        if not isinstance(found, list) or len(found) != 4:
            return None
        point, status, values, message = found
        is_point = type(point) is int and 0 <= point < self._points
        if not is_point or status not in STATUSES or not isinstance(message, str):
            return None
        if not isinstance(values, list) or len(values) != self._width:
            return None
        if not all(value is None or _is_finite(value) for value in values):
            return None
        return Row(point, status, tuple(values), message)

    def add(self, rows: Iterable[Row]) -> None:
        """Append rows; the disk has them within about a second."""
        lines = b''.join(_line(row) for row in rows)
        self._is_empty = self._is_empty and not lines
        self._file.write(lines)
        self._file.flush()  # from here on they outlive this process
        if time.monotonic() - self._synced > SYNC:
            self.sync()

    def sync(self) -> None:
        """Wait for the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        """Write all that is left; a file without a row is removed."""
        if self._file.closed:
            return
        if self._is_empty:
            self.remove()
        else:
            self.sync()
            self._file.close()

    def remove(self) -> None:
        """Remove the file: all that was in it is elsewhere now."""
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()
        self._file.close()


def _open(path: Path) -> BinaryIO:
    """Return an ordinary file, open to be read and written; links and pipes are refused."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        raise OptionError(f'{one_line(path)}: cannot be written: {error.strerror}') from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OptionError(f'{one_line(path)}: is not an ordinary file')
    return os.fdopen(descriptor, 'r+b')


def _line(content: object) -> bytes:
    text = json.dumps(content, separators=(',', ':'), allow_nan=False).encode()
    return b'%08x %s\n' % (zlib.crc32(text), text)


def _content(line: bytes) -> Any:
    """Return what a line holds, or None if it is damaged."""
    checksum, space, text = line.rstrip(b'\n').partition(b' ')
    if not space or checksum != b'%08x' % zlib.crc32(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)
