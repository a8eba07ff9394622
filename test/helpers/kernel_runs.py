"""Files of random kernels: imported, run plain and compiled on random memory."""

import contextlib
import ctypes
import hashlib
import importlib.util
import itertools
import mmap
import os
from pathlib import Path
import resource
import signal
import sys
import tempfile
import time
import warnings

from helpers.kernel_world import EXTRA, FLOATS, INTS, ROWS
import numpy as np

from symcontact_ros.kernels.compiler import sources
from symcontact_ros.kernels.compiler.module import Module
from symcontact_ros.kernels.compiler.values import argument_type, FAULT
from symcontact_ros.kernels.errors import KernelFault
from symcontact_ros.kernels.memory import Floats, floats_of, Ints, ints_of
from symcontact_ros.kernels.records import BlockKind, Image, layout_of, Rows, TupleKind
from symcontact_ros.kernels.targets import native

_CALL = ctypes.CFUNCTYPE(
    None, *[ctypes.c_void_p, ctypes.c_int64] * 2, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
)
_REALS = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e-310, 1e9, np.inf, -np.inf, np.nan, 3.0])
_WHOLES = np.array([0, 1, -1, 2, 3, -7, 64, 255, 10**6, -(2**39), 2**39])
ROOM = 8 * 2**30  # [byte] that a process of programs may take
_numbers = itertools.count()


class Memory:
    """What one program works on: where its parts are, and which numbers it starts with."""

    def __init__(self, shelf, item):
        self.shelf = Image(shelf, {'extra': EXTRA}).memory
        self.starts = np.cumsum([0, FLOATS, INTS, len(self.shelf)]).tolist()
        kinds = [float] * FLOATS + [int] * INTS + _kinds(shelf) + [float] * EXTRA
        kinds += _kinds(item) * ROWS
        self.size = len(kinds)
        self.kinds = np.array([(None, float, int, bool).index(kind) for kind in kinds])

    def filled(self, count, seed):
        """Return random memory for some programs, one in each row."""
        digest = hashlib.sha256(seed.encode()).digest()
        generator = np.random.default_rng(int.from_bytes(digest, 'little'))
        shape = (count, self.size)
        rare = generator.random(shape) < 0.3
        reals = np.where(rare, generator.choice(_REALS, shape), generator.normal(0.0, 3.0, shape))
        wholes = np.where(
            rare, generator.choice(_WHOLES, shape), generator.integers(-100, 100, shape)
        )
        made = np.where(self.kinds == 1, reals.view(np.int64), wholes)
        made = np.where(self.kinds == 3, wholes & 1, made)
        fixed = np.zeros(self.size, np.int64)
        start = self.starts[2]
        fixed[start : start + len(self.shelf)] = self.shelf.view(np.int64)
        return np.where(self.kinds == 0, fixed, made).view(np.float64)


def _kinds(kind):
    """Return what each slot holds; None: where a block is."""
    if isinstance(kind, TupleKind):
        return [inner for part in kind.parts for inner in _kinds(part)]
    if isinstance(kind, BlockKind):
        return [None, None] if kind.length is None else _kinds(kind.member) * kind.length
    if kind in (float, int, bool):
        return [kind]
    return [inner for field in layout_of(kind).fields.values() for inner in _kinds(field.kind)]


class World:
    """A file with programs, imported."""

    def __init__(self, text):
        self._folder = tempfile.TemporaryDirectory(prefix='kernels_')
        self._name = f'random_kernels_{next(_numbers)}'
        path = Path(self._folder.name, f'{self._name}.py')
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(self._name, path)
        self.module = importlib.util.module_from_spec(spec)
        sys.modules[self._name] = self.module  # where type hints are looked for
        try:
            exec(compile(text, str(path), 'exec'), self.module.__dict__)
        except BaseException:
            self.close()
            raise
        item = self.module.Item
        self.memory = Memory(self.module.Shelf, item)
        self.types = tuple(map(argument_type, (Floats, Ints, self.module.Shelf, Rows[item])))

    def close(self):
        sys.modules.pop(self._name, None)
        self._folder.cleanup()
        for cached in (sources.text_of, sources._definition, sources._definitions):
            cached.cache_clear()

    def plain(self, names, memory):
        """Run programs as they are, each on a row of memory."""
        for name, arguments in zip(names, self.arguments(memory), strict=True):
            getattr(self.module, name)(*arguments)

    def arguments(self, memory):
        """Yield what plain Python takes for each row of memory."""
        floats = floats_of(memory)
        ints = ints_of(floats)
        shelf, item = self.module.Shelf, self.module.Item
        for number in range(len(memory)):
            f, n, s, r = (number * self.memory.size + start for start in self.memory.starts)
            rows = Rows(item, floats, ints, r, ROWS)
            yield floats[f : f + FLOATS], ints[n : n + INTS], shelf.at(floats, s), rows

    def compiled(self, names, optimized=False, debug=False):
        """Return what runs programs compiled, each on a row of memory."""
        module = Module(debug)
        for name in names:
            module.entry(getattr(self.module, name), self.types, name)
        return Machine(self, module, names, optimized)


class Machine:
    """Compiled programs."""

    def __init__(self, world, module, names, optimized):
        ir = module.text()
        code = native.NATIVE.object_code(ir, True) if optimized else _unoptimized(ir)
        self._library = native.NATIVE.link(code)
        self._functions = [_CALL(self._library.address(name)) for name in names]
        self._memory = world.memory
        self._sites = module.sites
        self._fault = None
        if module.sites:
            self._fault = (ctypes.c_int64 * 3).from_address(self._library.address(FAULT))

    def __call__(self, memory):
        """Run all programs, in a process that they may crash."""
        size = memory.size

        def work(shared):
            inner = shared[2 : 2 + size].view(np.float64).reshape(memory.shape)
            for number in range(len(memory)):
                shared[0] = number
                try:
                    self.run(number, inner)
                except KernelFault:
                    shared[1] = self.site
                    return
            shared[0] = len(memory)

        shared = apart(work, np.concatenate([[-1, 0], memory.reshape(-1).view(np.int64)]))
        if shared[1]:
            raise KernelFault(': '.join(self._sites[shared[1] - 1]))
        if shared[0] < len(memory):
            raise Crash(f'program {shared[0]} crashes, or does not end')
        memory[:] = shared[2:].view(np.float64).reshape(memory.shape)

    def run(self, number, memory):
        """Run a program on its row."""
        start = memory.ctypes.data + 8 * number * self._memory.size
        f, n, s, r = (start + 8 * part for part in self._memory.starts)
        self._functions[number](f, FLOATS, n, INTS, s, r, ROWS)
        if self._fault is not None and self._fault[0]:
            self.site, self._fault[0] = self._fault[0], 0
            raise KernelFault(': '.join(self._sites[self.site - 1]))


class Crash(Exception):  # noqa: N818
    """A program ended the process that it ran in, or did not end."""


def apart(work, numbers, seconds=10.0):
    """
    Let something work on a copy of ints in a process of its own; return what it made of them.

    It has ``seconds``, and `ROOM` bytes.
    """
    room = mmap.mmap(-1, max(8 * len(numbers), 8))
    shared = np.frombuffer(room, np.int64)
    shared[: len(numbers)] = numbers
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # other threads need not live on in it
        child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            work(shared)
        os._exit(0)
    until = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.0005)
    return shared.copy()


def _unoptimized(ir):
    """Return object code of LLVM IR as quickly as it can be had."""
    llvm = native.binding()
    machine = native._target_machine(llvm, 0)
    module = llvm.parse_assembly(ir)
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    module.verify()
    return bytes(machine.emit_object(module))


def differing(one, other):
    """Return which rows of memory differ; any nan is like any other."""
    same = one.view(np.int64) == other.view(np.int64)
    if not same.all():
        same |= np.isnan(one) & np.isnan(other)
    return np.flatnonzero(~same.all(axis=1)).tolist()
