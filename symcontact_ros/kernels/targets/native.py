"""Code generation for this machine: LLVM IR compiled and linked by llvmlite."""

from __future__ import annotations

import contextlib
import functools
from importlib import util
from types import ModuleType
from typing import Any

# Level of code generation. The passes of LLVM are not run on straight-line programs, which have no
# duplicate or dead values: they would find nothing and take a quarter of the time; level 2 gives
# the same code in more time.
_LEVEL = 1
_OPTIMIZED = 2  # level of code for which the passes of LLVM are run
_QUICK = 0  # level of code that is needed at once


class NativeLibrary:
    """Machine code in memory."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """Return the address of a function or a global variable."""
        address = self._engine.get_function_address(name)
        address = address or self._engine.get_global_value_address(name)
        if not address:
            raise KeyError(name)
        return int(address)


class Native:
    """The CPU that runs this."""

    def is_available(self) -> bool:
        """Return whether llvmlite is installed, and its shared library loads."""
        return _is_available()

    def fingerprint(self) -> str:
        """Return versions of llvmlite and LLVM, and the CPU with its features."""
        return _fingerprint()

    def object_code(self, ir: str, optimized: bool = False) -> bytes:
        """Return LLVM IR as an object file for this machine."""
        llvm = binding()
        machine = _target_machine(llvm, _OPTIMIZED if optimized else _LEVEL)
        module = _parsed(llvm, machine, ir)
        if optimized:
            run_passes(llvm, machine, module)
        return bytes(machine.emit_object(module))

    def has_quick_code(self) -> bool:
        """Return whether there is `quick_code`."""
        return hasattr(binding(), 'create_pass_builder')

    def quick_code(self, ir: str) -> bytes:
        """
        Return an object file with the same results, made in a tenth of the time of an optimized.

        It takes two to three times as long to run.
        """
        llvm = binding()
        machine = _target_machine(llvm, _QUICK)
        module = _parsed(llvm, machine, ir)
        options = llvm.create_pipeline_tuning_options(speed_level=_QUICK)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return bytes(machine.emit_object(module))

    def provide(self, name: str, address: int) -> None:
        """Provide a symbol to code that is linked from now on; it must stay valid."""
        binding().add_symbol(name, address)

    def link(self, object_code: bytes) -> NativeLibrary:
        """Return an object file as functions that can be called."""
        llvm = binding()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(''), _target_machine(llvm))
        engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
        engine.finalize_object()
        return NativeLibrary(engine)


NATIVE = Native()


@functools.cache
def _is_available() -> bool:
    if util.find_spec('llvmlite') is None:
        return False
    try:
        import llvmlite.binding  # noqa: F401
    except (ImportError, OSError):  # OSError: installed, but its shared library does not load
        return False
    return True


@functools.cache
def _fingerprint() -> str:
    llvm = binding()
    import llvmlite

    version = '.'.join(map(str, llvm.llvm_version_info))
    return '\n'.join(
        (
            f'llvmlite {llvmlite.__version__}',
            f'LLVM {version}',
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
        )
    )


@functools.cache
def binding() -> ModuleType:
    """Return llvmlite's binding, ready for use; its import takes about 50 ms."""
    import llvmlite.binding as llvm

    with contextlib.suppress(RuntimeError):  # newer versions initialise themselves, and raise
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm  # type: ignore[no-any-return]


def _parsed(llvm: ModuleType, machine: Any, ir: str) -> Any:
    """Return IR as a module for a machine; RuntimeError if it is not valid."""
    module = llvm.parse_assembly(ir)
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    module.verify()
    return module


def run_passes(llvm: ModuleType, machine: Any, module: Any, unrolling: bool = True) -> None:
    """Run the usual passes of LLVM; none of them changes a result."""
    if hasattr(llvm, 'create_pass_builder'):
        options = llvm.create_pipeline_tuning_options(speed_level=_OPTIMIZED)
        if not unrolling:
            options.loop_unrolling = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return
    manager = llvm.create_module_pass_manager()  # of LLVM 14 and before
    legacy = llvm.create_pass_manager_builder()
    legacy.opt_level = _OPTIMIZED
    legacy.inlining_threshold = 225
    machine.add_analysis_passes(manager)
    legacy.populate(manager)
    manager.run(module)


def _target_machine(llvm: ModuleType, level: int = _LEVEL) -> Any:
    """Return the description of this CPU; `jit` lets code and C library be any distance apart."""
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )
