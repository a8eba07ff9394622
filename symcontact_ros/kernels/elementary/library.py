"""The elementary functions as machine code that programs call by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from symcontact_ros.kernels import elementary
from symcontact_ros.kernels.cache import Cache, check_may_make
from symcontact_ros.kernels.targets.native import NATIVE, NativeLibrary

if TYPE_CHECKING:
    from symcontact_ros.kernels.compiler.module import Module

PREFIX = 'symcontact_elementary_'  # of their symbols: they are not those of the C library
BINARY = ('pow', 'atan2')
FUNCTIONS: dict[str, Callable[..., float]] = {
    'sin': elementary.sin,
    'cos': elementary.cos,
    'tan': elementary.tan,
    'asin': elementary.asin,
    'acos': elementary.acos,
    'atan': elementary.atan,
    'atan2': elementary.atan2,
    'exp': elementary.exp,
    'log': elementary.log,
    'sinh': elementary.sinh,
    'cosh': elementary.cosh,
    'tanh': elementary.tanh,
    'pow': elementary.power,
}
PAIR = 'cos_sin'  # gives two numbers
# What is compiled together: a robot needs the first three, and few models need others.
_TOGETHER = (('cos', 'sin', PAIR), *((name,) for name in FUNCTIONS if name not in ('cos', 'sin')))


def declarations() -> list[str]:
    """Return the declarations in LLVM IR."""
    lines = [f'declare {{double, double}} @{PREFIX}{PAIR}(double) nounwind']
    for name in FUNCTIONS:
        numbers = 'double, double' if name in BINARY else 'double'
        lines.append(f'declare double @{PREFIX}{name}({numbers}) nounwind')
    return lines


def ir_text(names: Iterable[str]) -> str:
    """Return some of them as one LLVM module."""
    # The compiler is not needed if they are cached.
    from symcontact_ros.kernels.compiler.module import Module

    module = Module()
    lines = definitions(module, names)
    return module.text() + '\n'.join(lines) + '\n'


def definitions(module: Module, names: Iterable[str]) -> list[str]:
    """Return definitions of some of them, of kernels that are added to a module."""
    from symcontact_ros.kernels.compiler.values import FLOAT

    lines = []
    for name in names:
        if name == PAIR:
            symbol, _ = module.compiled(elementary.cos_sin, (FLOAT,))
            lines += [
                f'define {{double, double}} @{PREFIX}{PAIR}(double %x) nounwind {{',
                f'  %both = call fastcc {{double, double}} @"{symbol}"(double %x)',
                '  ret {double, double} %both\n}',
            ]
            continue
        types = (FLOAT, FLOAT) if name in BINARY else (FLOAT,)
        symbol, _ = module.compiled(FUNCTIONS[name], types)
        taken = ', '.join(f'double %{number}' for number in 'xy'[: len(types)])
        lines += [
            f'define double @{PREFIX}{name}({taken}) nounwind {{',
            f'  %one = call fastcc double @"{symbol}"({taken})',
            '  ret double %one\n}',
        ]
    return lines


def provide(operations: Iterable[str]) -> None:
    """
    Provide functions to machine code that is linked from now on.

    Parameters
    ----------
    operations
        Of the programs that call them; those that are no elementary functions are left out.
    """
    wanted = set(operations)
    for names in _TOGETHER:
        if wanted.intersection(names):
            _provided(names)


@functools.cache
def _provided(names: tuple[str, ...]) -> NativeLibrary:
    """Provide some of them; compiled once, and cached."""
    digest = hashlib.sha256(_sources())
    digest.update(' '.join(names).encode())
    cache = Cache()
    code = cache.load(digest.hexdigest(), 'elementary')
    if code is None:
        check_may_make()
        code = NATIVE.object_code(ir_text(names), optimized=True)
        cache.store(digest.hexdigest(), 'elementary', code)
    library = NATIVE.link(code)
    for name in names:
        NATIVE.provide(PREFIX + name, library.address(PREFIX + name))
    return library


@functools.cache
def _sources() -> bytes:
    """Return a hash of all that their machine code depends on."""
    digest = hashlib.sha256(NATIVE.fingerprint().encode())
    for path in sorted(Path(__file__).parents[1].rglob('*.py')):
        digest.update(path.read_bytes())
    return digest.digest()
