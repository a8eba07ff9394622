"""
Targets of code generation.

A target compiles LLVM IR to object code, and may be able to run it. The only target so far is this
machine: `native`.
"""

from __future__ import annotations

from typing import Protocol


class Library(Protocol):
    """Executable machine code. Its addresses are valid as long as this object exists."""

    def address(self, name: str) -> int:
        """Return the address of a symbol; KeyError if there is none."""


class Target(Protocol):
    """A machine for which code is generated."""

    def is_available(self) -> bool:
        """Return whether code can be generated for it here."""

    def fingerprint(self) -> str:
        """Return everything that object code depends on besides the IR: compiler and machine."""

    def object_code(self, ir: str, optimized: bool = False) -> bytes:
        """Return LLVM IR compiled; LLVM's own passes run if it is to be optimized."""

    def link(self, object_code: bytes) -> Library:
        """
        Return object code as functions that can be called.

        This runs code: the bytes must come from `object_code` of the same target, directly or
        through a `Cache`.
        """
