"""
Fast machine code, made by another process while quickly made code runs already.

Most of the time of a first start went into LLVM's passes. Code without them gives the same results
and is there in a tenth of the time; the fast code takes its place when it is ready. A thread could
not make it: llvmlite has one lock, and whatever is linked meanwhile would wait. The processes end
with this one; what they did not finish is begun again at the next start.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
import logging
import os
import subprocess
import sys
import threading

from symcontact_ros.kernels.memory import is_debugging, is_hurried, is_patient
from symcontact_ros.kernels.targets.native import NATIVE

# Modules are found where this process finds them, and never in the working directory.
_PROGRAM = (
    'import sys; sys.path[:] = sys.argv[1:]; '
    'from symcontact_ros.kernels.targets.compiling_process import main; main()'
)
_log = logging.getLogger(__name__)
_running: set[Improvement] = set()
_taking = threading.Lock()  # while code is linked, this process does not end
# A core is left to this process; one that compiles takes some 100 MB.
_turns = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))
_is_ending = threading.Event()


def improves() -> bool:
    """Return whether fast code is made while quick code runs."""
    return not (is_debugging() or is_patient() or is_hurried()) and bool(sys.executable)


def begins_quickly(soon: bool) -> bool:
    """
    Return whether a kernel begins with quick code, given whether it is needed soon.

    With ``SYMCONTACT_KERNELS=best`` none does, with ``quick`` all do and keep it.
    """
    return (is_hurried() or (soon and improves())) and NATIVE.has_quick_code()


def wait_for_fast_code() -> None:
    """Return when all code of this process is the fastest there is; for measurements."""
    for improvement in tuple(_running):
        improvement.join()


class Improvement(threading.Thread):
    """
    Optimized object code of a module, in a while.

    Parameters
    ----------
    text
        The module, in LLVM IR.
    take
        Called with the object code, in this thread.
    """

    def __init__(self, text: str, take: Callable[[bytes], None]) -> None:
        super().__init__(name='symcontact optimizing', daemon=True)
        self._text = text.encode()
        self._take = take
        self._process: subprocess.Popen[bytes] | None = None
        _running.add(self)
        self.start()

    def run(self) -> None:
        """Have it made when it is its turn, and hand it over."""
        try:
            with _turns:
                code = self._optimized()
            if code is not None:
                with _taking:
                    self._take(code)
        except OSError as error:  # no process can be started, for example
            _log.warning(
                'steps take two to three times as long: nothing optimizes them: %s', error
            )
        finally:
            _running.discard(self)

    def _optimized(self) -> bytes | None:
        """Return the object code that another process makes, or None if it ended before."""
        if _is_ending.is_set():
            return None
        self._process = subprocess.Popen(
            [sys.executable, '-I', '-c', _PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which then ends it
        )
        if _is_ending.is_set():  # meanwhile
            self.end()
        code, _ = self._process.communicate(self._text)
        if self._process.returncode == 0:
            return code
        _log.debug('optimizing ended with %d', self._process.returncode)
        return None

    def end(self) -> None:
        """End the process, if there is one."""
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()


@atexit.register
def _end_all() -> None:
    _is_ending.set()
    for improvement in tuple(_running):
        improvement.end()
    _taking.acquire(timeout=1.0)  # for good: nothing is linked from now on
