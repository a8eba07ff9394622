"""
Quick tests once more, as on another processor.

NumPy has products and functions for what a processor can do, and its last bits depend on them. A
child process has them switched off, and the matrix products of another kind of processor.
"""

import ctypes
import os
from pathlib import Path
import subprocess
import sys

from helpers.places import TEST
import numpy as np

# Kinds of OpenBLAS; one machine is at most one of them by itself.
KINDS = ('Haswell', 'Nehalem')


def dispatched():
    """Return the names of the features that NumPy has code for beyond its least."""
    from numpy._core import _multiarray_umath as core

    return list(core.__cpu_dispatch__)


def active():
    """Return which of them this process uses."""
    from numpy._core import _multiarray_umath as core

    return [name for name in dispatched() if core.__cpu_features__[name]]


def kind_of_products():
    """Return the kind of processor that OpenBLAS computes for in this process, if it tells."""
    folder = Path(np.__file__).parents[1] / 'numpy.libs'
    for path in folder.glob('*openblas*'):
        tell = getattr(ctypes.CDLL(str(path)), 'scipy_openblas_get_corename64_', None)
        if tell is not None:
            tell.restype = ctypes.c_char_p
            return tell().decode()
    return None


def run_tests(kind, *words):
    """Run tests in a child that has the least of NumPy's features and products of a kind."""
    code = (
        'import sys; sys.path.insert(0, sys.argv[1])\n'
        'from helpers.lesser_processors import active, kind_of_products\n'
        'assert active() == [], active()\n'
        'assert kind_of_products() in (None, sys.argv[2]), kind_of_products()\n'
        'import pytest; sys.exit(pytest.main(sys.argv[3:]))'
    )
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith('PYTEST_')
    }
    environment |= {'NPY_DISABLE_CPU_FEATURES': ' '.join(dispatched()), 'OPENBLAS_CORETYPE': kind}
    return subprocess.run(
        [sys.executable, '-c', code, str(TEST), kind, '-m', 'quick and not deep', '-q', *words],
        cwd=TEST.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
