"""Kernels from texts: written to a file, imported, run plain and compiled."""

import importlib.util
import itertools
import math
import sys
import textwrap

import numpy as np
import pytest

from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.memory import Floats, floats_of, Ints, ints_of
from symcontact_ros.kernels.records import Record, rows_of
from symcontact_ros.kernels.statics import Known

PREAMBLE = """\
from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
import enum
import functools
import math
from typing import Any, ClassVar, NamedTuple
from symcontact_ros.kernels.language import bits_of, call, from_bits, separate
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, Record, Rows, specialized, Static
"""
LINES = PREAMBLE.count('\n')
STANDARD = [Floats, Ints, Floats, Ints]  # of an entry(x, n, out, whole)
_numbers = itertools.count()


def module_of(folder, text, name=None):
    """Return a text as a module of its own, after the usual imports."""
    name = name or f'kernels_of_test_{next(_numbers)}'
    path = folder / f'{name}.py'
    path.write_text(PREAMBLE + textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where type hints are looked for
    spec.loader.exec_module(module)
    return module


def plain(type_, value):
    """Return an argument as a kernel takes it that runs as plain Python."""
    if isinstance(type_, Known):
        return type_.meaning
    if type_ is Floats:
        return floats_of(value)
    if type_ is Ints:
        return ints_of(floats_of(value.view(np.float64)))
    if isinstance(type_, type) and issubclass(type_, Record):
        return type_.at(floats_of(value.view(np.float64)))
    return rows_of(type_.__args__[0], value) if hasattr(type_, '__args__') else value


def both(function, arguments, *values, compiled=None):
    """Run an entry compiled and plain on copies of its memory; return both memories."""
    results = []
    for run in (compiled or Kernel(function, arguments), None):
        copies = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
        if run is not None:
            run(*copies)
        else:
            given = iter(copies)
            function(*(plain(a, None if isinstance(a, Known) else next(given)) for a in arguments))
        results.append([copy for copy in copies if isinstance(copy, np.ndarray)])
    return results


def same(function, arguments, *values, compiled=None):
    """Assert that an entry does the same bit for bit; return its memory."""
    results, expected = both(function, arguments, *values, compiled=compiled)
    for one, other in zip(results, expected, strict=True):
        assert one.view(np.int64).tolist() == other.view(np.int64).tolist()
    return results


NUMBERS = (
    ([0.0, -0.0, 1.5, -2.5], [0, 1, 2, -3]),
    ([-1.5, 3.25, -0.0, 1e300], [5, -1, 0, 7]),
    ([math.inf, -math.inf, 0.5, 2.0], [2**62, -(2**62), 63, 3]),
    ([1e-310, 5e-324, -7.75, 4.0], [-7, 2, 3, -2]),
)
WITH_NAN = ([math.nan, 1.0, -1.0, math.nan], [1, 0, -1, 2])


def agrees(folder, text, numbers=NUMBERS):
    """Assert that an entry(x, n, out, whole) of a text does the same compiled and plain."""
    entry = module_of(folder, text).entry
    kernel = Kernel(entry, STANDARD)
    for floats, ints in numbers:
        x, n = np.array(floats), np.array(ints)
        same(entry, STANDARD, x, n, np.zeros(8), np.zeros(8, np.int64), compiled=kernel)


def is_refused(folder, text, reason, line=None):
    """Assert that an entry of a text is refused, and where: in which line of the text."""
    entry = module_of(folder, text).entry
    where = r'\d+' if line is None else str(line + LINES)
    with pytest.raises(KernelError, match=rf'\.py:{where}: .*{reason}'):
        Kernel(entry, STANDARD)
