"""WebAssembly modules: kernels as their entries, and programs that these call by address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
import hashlib
from pathlib import Path
import re
from typing import Any, NamedTuple

from symcontact_ros.kernels import tape_ir
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.elementary import library
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import entry_of, Progress
from symcontact_ros.kernels.keys import key_of, sources_of
from symcontact_ros.kernels.tape import Program
from symcontact_ros.kernels.targets.webassembly import WEBASSEMBLY

_BLOB = 'webassembly'  # in an entry of the cache
_CALLED = re.compile(rf'call [^@\n]*@{library.PREFIX}(\w+)\(')


class Entry(NamedTuple):
    """A kernel that the host calls: see `Kernel` for its arguments."""

    function: Callable[..., None]
    arguments: Sequence[Any]


def wasm_module(
    entries: Mapping[str, Entry],
    programs: Sequence[Program],
    pages: int,
    cache: Cache | None = None,
    progress: Progress | None = None,
) -> bytes:
    """
    Return a WebAssembly module that imports nothing.

    An entry takes numbers (an int is 64 bits wide), the address of a record, and of a block its
    address and its count; without the statics.

    Parameters
    ----------
    entries
        Kernels, by the names under which they are exported.
    programs
        Straight-line programs, whose names differ; the address of the first is 1.
    pages
        Memory at first, in pages of 64 KiB; the first one has constants and the stack.
    cache, progress
        As those of `Kernel`.
    """
    code = _object_code(entries, programs, cache, progress)
    symbols = [tape_ir.PREFIX + program.name for program in programs]
    return WEBASSEMBLY.module(code, list(entries), symbols, pages)


def _object_code(
    entries: Mapping[str, Entry],
    programs: Sequence[Program],
    cache: Cache | None,
    progress: Progress | None,
) -> bytes:
    """Return entries and programs as one object file, from the cache if it is there."""
    plain = {name: entry_of(*entry) for name, entry in entries.items()}
    key = ''
    if cache is not None:
        key = _key(plain, programs)
        stored = cache.load(key, _BLOB)
        if stored is not None:
            return stored
    if progress is not None:
        progress('compiling for WebAssembly')
    from symcontact_ros.kernels.compiler.module import Module  # not needed if the code is cached

    module = Module()
    for name, (function, types) in plain.items():
        module.entry(function, types, name)
    tapes = tape_ir.ir_text(programs)
    called = sorted(set(_CALLED.findall(tapes)))
    elementary = '\n'.join(library.definitions(module, called))
    code = WEBASSEMBLY.joined_code([(module.text() + elementary + '\n', True), (tapes, False)])
    if cache is not None:
        known = {path for entry in plain.values() for path in sources_of(*entry)}
        missing = module.sources - known - _library_sources()
        if missing:  # an edit of these would not be noticed
            raise KernelError(f'no key is made of {", ".join(sorted(missing))}')
        cache.store(key, _BLOB, code)
    return code


def _key(plain: Mapping[str, tuple[Any, Any]], programs: Sequence[Program]) -> str:
    """Return a key of everything that the code depends on."""
    digest = hashlib.sha256(WEBASSEMBLY.fingerprint().encode())
    for name, (function, types) in plain.items():
        digest.update(f'{name} {key_of(function, types)}\n'.encode())  # has the compiler, too
    digest.update(repr(programs).encode())
    return digest.hexdigest()


def _library_sources() -> set[str]:
    """Return the files of the elementary functions: they are part of the compiler's key."""
    return {str(path) for path in Path(library.__file__).parents[1].rglob('*.py')}
