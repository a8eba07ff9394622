"""
Inner side of a child process with limits: answers requests, and keeps the limits.

`limited_child` has the outer side. This module is all that a child imports beside its task.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
import importlib
import os
import signal
import struct

try:
    import resource
except ImportError:  # a system without limits: the outer side keeps the time all the same
    resource = None  # type: ignore[assignment]

OPEN_FILES = 256
LONGEST_TEXT = 2000  # characters of an error
HEADER = struct.Struct('<BQ')  # what follows, and its bytes
ANSWER, ERROR, LIMIT = range(3)


class TaskFailedError(Exception):
    """A request that cannot be answered; the text says why."""


class ChildEndedError(TaskFailedError):
    """A child that could not be started, or has ended without an answer."""


class LimitReachedError(Exception):
    """A limit that was reached; the text says which, as in `took longer than 60 s`."""


@dataclass(frozen=True)
class Limits:
    """Limits of a child."""

    seconds: float  # for one answer, by the clock on the wall and by that of the processor
    memory: int  # bytes, beside those that it has after its imports
    answer: int  # bytes


def shown_bytes(count: int) -> str:
    """Return a number of bytes as a message shows it: `2 GiB`."""
    for unit, size in (('GiB', 2**30), ('MiB', 2**20), ('KiB', 2**10)):
        if count >= size:
            return f'{count / size:.3g} {unit}'
    return f'{count} bytes'


def too_much(limit: int) -> str:
    """Return what is said of an answer that is too long."""
    return f'became more than {shown_bytes(limit)}'


def serve(task: str, seconds: str, memory: str, answer: str) -> None:
    """Answer requests on standard input until it is closed; what a child does."""
    try:
        _serve(task, Limits(float(seconds), int(memory), int(answer)))
    except BaseException:
        os._exit(1)
    os._exit(0)  # at once: the outer side waits for nobody who has closed the socket


def _serve(task: str, limits: Limits) -> None:
    import socket  # the outer side imports this module for its names alone

    channel = socket.socket(fileno=os.dup(0))
    with open(os.devnull, 'rb') as nothing:
        os.dup2(nothing.fileno(), 0)
    module = importlib.import_module(task)
    module.prepare()
    _limit_all(limits)
    stream = channel.makefile('rb')
    while header := stream.read(HEADER.size):
        request = stream.read(HEADER.unpack(header)[1])
        _limit_time(limits.seconds)
        kind, data = _reply(module.answer, request, limits)
        _stop_clock()
        channel.sendall(HEADER.pack(kind, len(data)))
        channel.sendall(data)


def _reply(answer: Callable[[bytes], bytes], request: bytes, limits: Limits) -> tuple[int, bytes]:
    try:
        data = answer(request)
    except LimitReachedError as error:
        return LIMIT, str(error).encode()
    except RecursionError:
        return ERROR, b'nested too deep'
    except Exception as error:  # whatever a file makes a parser raise
        if _is_of_memory(error):
            return LIMIT, f'needs more than {shown_bytes(limits.memory)} of memory'.encode()
        text = str(error) if isinstance(error, TaskFailedError) else _told(error)
        return ERROR, text[:LONGEST_TEXT].encode('utf-8', 'replace')
    return (
        (ANSWER, data) if len(data) <= limits.answer else (LIMIT, too_much(limits.answer).encode())
    )


def _is_of_memory(error: BaseException | None) -> bool:
    """Return whether an error is one of memory, or comes of one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__context__
    return error is not None


def _told(error: Exception) -> str:
    return ' '.join(str(error).split()) or type(error).__name__


def _limit_all(limits: Limits) -> None:
    """Set what holds for all requests, as far as the system lets us."""
    if resource is None:
        return
    for name, value in (
        ('RLIMIT_AS', _address_space() + limits.memory),
        ('RLIMIT_FSIZE', 0),
        ('RLIMIT_CORE', 0),
        ('RLIMIT_NOFILE', OPEN_FILES),
    ):
        _set_limit(name, value, is_hard=True)


def _stop_clock() -> None:
    if hasattr(signal, 'alarm'):
        signal.alarm(0)


def _limit_time(seconds: float) -> None:
    """Set what ends the child if nobody is there any more who would."""
    if hasattr(signal, 'alarm'):
        signal.alarm(int(seconds) + 5)
    if resource is not None:
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        _set_limit('RLIMIT_CPU', int(used + seconds) + 1, is_hard=False)


def _set_limit(name: str, value: int, is_hard: bool) -> None:
    with suppress(AttributeError, ValueError, OSError):  # macOS has no RLIMIT_AS to be set
        kind = getattr(resource, name)
        highest = resource.getrlimit(kind)[1]
        if highest != resource.RLIM_INFINITY:
            value = min(value, highest)
        resource.setrlimit(kind, (value, value if is_hard else highest))


def _address_space() -> int:
    """Return the bytes of address space that the process has, as far as the system tells."""
    try:
        with open('/proc/self/statm', encoding='ascii') as stream:
            return int(stream.read().split()[0]) * os.sysconf('SC_PAGE_SIZE')
    except (OSError, ValueError):
        return 2**30
