"""
Child process with limits, for files that may be bombs or programs.

A module with functions ``prepare()``, which imports what is large, and ``answer(request: bytes) ->
bytes`` is served by a process of its own. This may take so long and so much memory, write no file,
and answer with so many bytes; beyond that it is ended, with all the processes that it has started.
What it answers is not trusted.
"""

from __future__ import annotations

from contextlib import suppress
import os
import signal
import socket
import subprocess
import sys
import time
from types import TracebackType

from symcontact_ros.model.limited_task import (
    ANSWER,
    ChildEndedError,
    HEADER,
    LIMIT,
    LimitReachedError,
    Limits,
    LONGEST_TEXT,
    shown_bytes,
    TaskFailedError,
    too_much,
)

_START = (
    'import sys; sys.path[:] = sys.argv[5:]; '
    'from symcontact_ros.model.limited_task import serve; serve(*sys.argv[1:5])'
)
# One thread each: threads of BLAS reserve much of the memory that a child may have.
_ENVIRONMENT = {'OPENBLAS_NUM_THREADS': '1', 'OMP_NUM_THREADS': '1', 'MKL_NUM_THREADS': '1'}


class LimitedChild:
    """
    A child that answers requests one after the other; it is started by the first.

    Parameters
    ----------
    task
        Name of a module with functions ``prepare``, before the limits hold, and ``answer``.
    limits
        Of the child.

    """

    def __init__(self, task: str, limits: Limits) -> None:
        self._task = task
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def __enter__(self) -> LimitedChild:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, request: bytes) -> bytes:
        """
        Return the answer to a request.

        Raises
        ------
        TaskFailedError
            The task says why it has no answer.
        ChildEndedError
            One of these, too: the child could not be started, or has ended.
        LimitReachedError
            A limit was reached; the child has been ended, and the next request starts another.

        """
        try:
            channel = self._socket or self._start()
            return self._answer(channel, request)
        except TimeoutError:
            self.close()
            raise LimitReachedError(self._too_long()) from None
        except (EOFError, OSError) as error:
            raise self._end_of_child(error) from None
        except BaseException as error:  # Ctrl-C: the child has not heard it
            if not isinstance(error, TaskFailedError):
                self.close()
            raise

    def close(self) -> None:
        """End the child, and all processes of its group."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._process is not None:
            # Before it is waited for: until then nobody else has its number.
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _start(self) -> socket.socket:
        limits = self._limits
        ours, theirs = socket.socketpair()
        numbers = (limits.seconds, limits.memory, limits.answer)
        command = [sys.executable, '-c', _START, self._task, *map(str, numbers), *sys.path]
        self._socket = ours
        with theirs:
            self._process = subprocess.Popen(
                command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,
            )
        return ours

    def _answer(self, channel: socket.socket, request: bytes) -> bytes:
        end = time.monotonic() + self._limits.seconds
        channel.settimeout(self._limits.seconds)
        channel.sendall(HEADER.pack(ANSWER, len(request)))
        channel.sendall(request)
        kind, length = HEADER.unpack(_received(channel, HEADER.size, end))
        if length > self._limits.answer:
            raise LimitReachedError(too_much(self._limits.answer))
        data = _received(channel, length, end)
        if kind == ANSWER:
            return data
        text = ' '.join(data[: 4 * LONGEST_TEXT].decode('utf-8', 'replace').split())
        text = ''.join(c if c.isprintable() else '?' for c in text[:LONGEST_TEXT])
        raise (LimitReachedError if kind == LIMIT else TaskFailedError)(text)

    def _end_of_child(self, error: Exception) -> ChildEndedError | LimitReachedError:
        """Return why there is no answer of a child that has ended, or never began."""
        process = self._process
        self.close()
        if process is None:
            return ChildEndedError(f'no process can be started for it: {error}')
        code = process.returncode  # its own, if it had ended before
        if code == -getattr(signal, 'SIGXCPU', 0):
            return LimitReachedError(self._too_long())
        ended = f'by signal {-code}' if code < 0 else f'with code {code}'
        return ChildEndedError(
            f'the process that reads it ended {ended}; '
            f'it may take {self._limits.seconds:g} s and {shown_bytes(self._limits.memory)}'
        )

    def _too_long(self) -> str:
        return f'took longer than {self._limits.seconds:g} s'


def _received(channel: socket.socket, count: int, end: float) -> bytes:
    data = bytearray()
    while len(data) < count:
        left = end - time.monotonic()
        if left <= 0.0:
            raise TimeoutError
        channel.settimeout(left)
        part = channel.recv(min(count - len(data), 2**20))
        if not part:
            raise EOFError
        data += part
    return bytes(data)
