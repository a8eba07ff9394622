"""
Code generation for WebAssembly: LLVM IR compiled by llvmlite, and made a module of its own.

There is no linker: an object file of LLVM is a module already, but for what `wasm_format` adds.
Addresses are 32 bits wide there; those in memory keep their 64-bit slots, and are cut when used.
The address of a program is its index in the table of functions, from 1 on.
"""

from __future__ import annotations

from collections.abc import Sequence
import functools
from types import ModuleType
from typing import Any

from symcontact_ros.kernels.targets import native, wasm_format
from symcontact_ros.kernels.targets.native import NATIVE

TRIPLE = 'wasm32-unknown-unknown'
CPU = 'generic'
FEATURES = '+bulk-memory,+nontrapping-fptoint,+sign-ext'  # all browsers since 2020 have them
_LEVEL = 2  # of code generation


class WebAssembly:
    """A browser, or any other host of WebAssembly."""

    def is_available(self) -> bool:
        """Return whether llvmlite is installed, and its shared library loads."""
        return NATIVE.is_available()

    def fingerprint(self) -> str:
        """Return versions of llvmlite and LLVM, and the kind of machine."""
        import llvmlite

        version = '.'.join(map(str, native.binding().llvm_version_info))
        return f'llvmlite {llvmlite.__version__}\nLLVM {version}\n{TRIPLE} {CPU} {FEATURES}'

    def object_code(self, ir: str, optimized: bool = False) -> bytes:
        """Return LLVM IR as an object file."""
        return self.joined_code([(ir, optimized)])

    def joined_code(self, parts: Sequence[tuple[str, bool]]) -> bytes:
        """Return several modules of LLVM IR as one object file, each optimized or as it is."""
        llvm = _llvm()
        machine = llvm.Target.from_triple(TRIPLE).create_target_machine(
            cpu=CPU, features=FEATURES, opt=_LEVEL
        )
        modules = [self._parsed(llvm, machine, ir, optimized) for ir, optimized in parts]
        first, *others = modules
        for other in others:
            first.link_in(other)
        first.verify()
        return bytes(machine.emit_object(first))

    @staticmethod
    def _parsed(llvm: ModuleType, machine: Any, ir: str, optimized: bool) -> Any:
        module = llvm.parse_assembly(ir)
        module.triple, module.data_layout = TRIPLE, str(machine.target_data)
        module.verify()
        if optimized:
            native.run_passes(llvm, machine, module, unrolling=False)  # it would be larger
        return module

    def link(self, object_code: bytes) -> Any:
        """Refuse: nothing here runs WebAssembly; `module` makes what a browser takes."""
        raise NotImplementedError('WebAssembly runs in a browser, not here')

    def module(
        self, object_code: bytes, exports: Sequence[str], programs: Sequence[str], pages: int
    ) -> bytes:
        """
        Return an object file as a module that imports nothing.

        Parameters
        ----------
        object_code
            Of `object_code` or `joined_code`.
        exports
            Functions that the host can call, under their names; its memory is ``memory``.
        programs
            Functions that the code calls by their address: 1 for the first, and so on.
        pages
            How much memory there is at first, in pages of 64 KiB, the stack included.
        """
        return wasm_format.linked(object_code, exports, programs, pages)


WEBASSEMBLY = WebAssembly()


@functools.cache
def _llvm() -> ModuleType:
    """Return llvmlite's binding, with all targets ready."""
    llvm = native.binding()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm
