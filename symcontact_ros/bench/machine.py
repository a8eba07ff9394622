"""Machine and software versions of a measurement."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import metadata
import os
from pathlib import Path
import platform
import re

from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.memory import MODE

PACKAGES = ('symcontact_ros', 'numpy', 'sympy', 'llvmlite')


def pin_to_core(core: int | None) -> int:
    """
    Pin this process to one core, by default the last; return its number.

    What is measured there is the fastest code, which is waited for.
    """
    os.environ.setdefault(MODE, 'best')
    if not hasattr(os, 'sched_setaffinity'):
        return -1  # not Linux
    usable = os.sched_getaffinity(0)
    chosen = max(usable) if core is None else core
    if chosen not in usable:
        raise OptionError(f'no core {core}; available: {_listed(usable)}')
    os.sched_setaffinity(0, {chosen})
    return chosen


def _listed(numbers: set[int]) -> str:
    return ', '.join(map(str, sorted(numbers)))


def machine(core: int) -> str:
    """Return CPU, core and load of this machine."""
    model = platform.processor() or platform.machine()
    information = Path('/proc/cpuinfo')
    if information.exists():
        names = re.findall(r'model name\s*: (.*)', information.read_text())
        model = names[0] if names else model
    where = f'all on core {core}' if core >= 0 else 'on any core'
    return f'{model}, {os.cpu_count()} cores, {where}; load {os.getloadavg()[0]:.1f} at the start'


def versions(more: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of the installed packages."""
    found = {'python': platform.python_version()}
    for package in (*PACKAGES, *more):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
