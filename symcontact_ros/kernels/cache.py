"""
Cache of derived equations and machine code on disk.

A cache of machine code is an attack surface, so files and folders that belong to another user or
that others may write to are not read, and symbolic links are not followed. A file that is
incomplete, altered or of another version is ignored. Faults of the cache do not stop a simulation:
it warns once, and derives and compiles again.
"""

from __future__ import annotations

from collections.abc import Iterator
import contextlib
from contextvars import ContextVar
import errno
import hashlib
import logging
import os
from pathlib import Path
import re
import stat
import time

MAGIC = b'symcontact_ros cache 1\n'  # raise the number when the meaning of a file changes
ENTRIES = 1000  # more are pruned, the longest unused first; $SYMCONTACT_CACHE_ENTRIES may say
LARGEST = 2**28  # [byte] of a file, many times what the equations of a humanoid take
_KEY = re.compile(r'[0-9a-f]{64}')
_NAME = re.compile(r'[a-z0-9][a-z0-9._-]{0,99}')
_DIGEST = hashlib.sha256().digest_size
_ABANDONED = 600.0  # a file half written for longer [s] has lost its writer
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a pipe that someone put there must not wait for its other end.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_log = logging.getLogger(__name__)
_warned: set[Path] = set()  # folders of which this process has warned
_swept: set[Path] = set()  # folders from which it has removed what dead writers left


class UntrustedError(OSError):
    """A file or folder that another user could have written."""


def default_folder() -> Path:
    """Return ``$SYMCONTACT_CACHE_DIR``, or our folder in the user's cache folder."""
    own = os.environ.get('SYMCONTACT_CACHE_DIR')
    if own:
        return Path(os.path.expanduser(own)).absolute()
    users = os.environ.get('XDG_CACHE_HOME', '')
    if not os.path.isabs(users):  # then the XDG specification says to ignore it
        # Without a home, `~` stays: /~ cannot be made, and the work is done without a cache.
        users = os.path.join('/', os.path.expanduser('~'), '.cache')
    return Path(users, 'symcontact_ros')


def most_entries() -> int:
    """Return how many entries are kept: ``$SYMCONTACT_CACHE_ENTRIES``, or `ENTRIES`."""
    given = os.environ.get('SYMCONTACT_CACHE_ENTRIES', '')
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else ENTRIES


class NotStoredError(Exception):
    """Something that would have to be derived or compiled, where only what is stored counts."""


_only_stored: ContextVar[bool] = ContextVar('only_stored', default=False)


@contextlib.contextmanager
def only_stored() -> Iterator[None]:
    """Have NotStoredError, in this thread, where something would be derived or compiled."""
    token = _only_stored.set(True)
    try:
        yield
    finally:
        _only_stored.reset(token)


def check_may_make() -> None:
    """Raise NotStoredError inside of `only_stored`; called before deriving and compiling."""
    if _only_stored.get():
        raise NotStoredError


class Cache:
    """
    Entries under a key, each holding named blobs.

    Parameters
    ----------
    folder
        Folder of the cache, by default `default_folder`; created on first writing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = default_folder() if folder is None else Path(folder)

    def load(self, key: str, name: str) -> bytes | None:
        """
        Return a blob, or None if it is not there or not to be trusted.

        Parameters
        ----------
        key
            Hexadecimal SHA-256 of everything that the entry depends on.
        name
            Of the blob in the entry: lower-case letters, digits, ``.``, ``_`` and ``-``.
        """
        _check_names(key, name)
        try:
            with _opened(self.folder, _FOLDER) as root, _opened(key, _FOLDER, root) as entry:
                content = _content(name, entry)
                with contextlib.suppress(OSError):  # a read-only cache is a good cache
                    os.utime(entry)  # the time of the last use, for pruning
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(error)
            return None
        start = len(MAGIC) + _DIGEST
        payload = content[start:]
        return payload if content[:start] == _header(key, name, payload) else None

    def store(self, key: str, name: str, payload: bytes) -> bool:
        """
        Store a blob, replacing an existing one; return whether that was possible.

        Readers get the old blob or the new one, never a part, also with concurrent writers.
        """
        _check_names(key, name)
        if len(payload) > LARGEST - len(MAGIC) - _DIGEST:
            return False
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _opened(self.folder, _FOLDER) as root:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(key, 0o700, dir_fd=root)
                with _opened(key, _FOLDER, root) as entry:
                    _replace(name, _header(key, name, payload) + payload, entry)
                if self.folder not in _swept:  # it looks into every entry
                    _sweep(root)
                    _swept.add(self.folder)
                _prune(root, most_entries())
        except OSError as error:
            self._warn(error)
            return False
        return True

    def _warn(self, error: OSError) -> None:
        if self.folder not in _warned:
            _warned.add(self.folder)
            _log.warning('working without the cache %s: %s', self.folder, error)


def _check_names(key: str, name: str) -> None:
    """Raise ValueError for names that could lead out of the folder."""
    if not _KEY.fullmatch(key):
        raise ValueError(f'not a hexadecimal SHA-256: {key!r}')
    if not _NAME.fullmatch(name):
        raise ValueError(f'not a name of a blob: {name!r}')


def _header(key: str, name: str, payload: bytes) -> bytes:
    """Return the header of a file, with key and name, so that files cannot be confused."""
    digest = hashlib.sha256(f'{key}/{name}/'.encode())
    digest.update(payload)
    return MAGIC + digest.digest()


@contextlib.contextmanager
def _opened(path: str | Path, flags: int, folder: int | None = None) -> Iterator[int]:
    """
    Give a descriptor of something that only this user can have written.

    The opened folder itself is checked, and its files are accessed through the descriptor, so that
    nothing can be exchanged between check and use.
    """
    try:
        descriptor = os.open(path, flags, 0o600, dir_fd=folder)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UntrustedError(f'{path} is a symbolic link or not a folder') from None
        raise
    try:
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid():
            raise UntrustedError(f'{path} belongs to another user')
        if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise UntrustedError(f'{path} can be written to by other users')
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            raise UntrustedError(f'{path} is not a file')
        yield descriptor
    finally:
        os.close(descriptor)


def _content(name: str, entry: int) -> bytes:
    with _opened(name, _READ, entry) as descriptor, open(descriptor, 'rb', closefd=False) as file:
        if os.fstat(descriptor).st_size > LARGEST:
            raise UntrustedError(f'{name} is larger than {LARGEST} bytes')
        return file.read(LARGEST)


def _replace(name: str, content: bytes, entry: int) -> None:
    """Write a temporary file and rename it to the final one atomically."""
    unfinished = f'.{os.urandom(8).hex()}'
    try:
        with _opened(unfinished, _WRITE, entry) as descriptor:
            with open(descriptor, 'wb', closefd=False) as file:
                file.write(content)
            os.fsync(descriptor)  # a machine switched off after its first start starts warm
        os.replace(unfinished, name, src_dir_fd=entry, dst_dir_fd=entry)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished, dir_fd=entry)
        raise


def _keys(root: int) -> list[str]:
    """Return the names of all entries; other files are not ours."""
    return [name for name in os.listdir(root) if _KEY.fullmatch(name)]


def _prune(root: int, kept: int) -> None:
    """Remove all but the ``kept`` last used entries."""
    keys = _keys(root)
    if len(keys) <= kept:
        return
    last_use = {}
    for key in keys:
        with contextlib.suppress(OSError):  # removed meanwhile
            last_use[key] = os.stat(key, dir_fd=root, follow_symlinks=False).st_mtime
    for key in sorted(last_use, key=last_use.__getitem__, reverse=True)[kept:]:
        with contextlib.suppress(OSError), _opened(key, _FOLDER, root) as entry:
            for name in os.listdir(entry):
                os.unlink(name, dir_fd=entry)
            os.rmdir(key, dir_fd=root)


def _sweep(root: int) -> None:
    """Remove what interrupted writers left."""
    for key in _keys(root):
        with contextlib.suppress(OSError), _opened(key, _FOLDER, root) as entry:
            for name in os.listdir(entry):
                if not name.startswith('.'):
                    continue
                age = time.time() - os.stat(name, dir_fd=entry, follow_symlinks=False).st_mtime
                if age > _ABANDONED:
                    os.unlink(name, dir_fd=entry)
