"""
What machine code is made for.

A target takes LLVM IR and gives object code, and may be able to run it. This machine is the only
one so far; all that is particular to it is in `native`.
"""

from __future__ import annotations

from typing import Protocol


class Library(Protocol):
    """Machine code that can be run. Its addresses are good for as long as this object lives."""

    def address(self, name: str) -> int:
        """Return where a symbol is; KeyError if there is none."""


class Target(Protocol):
    """A kind of machine."""

    def is_available(self) -> bool:
        """Return whether code can be made for it here."""

    def fingerprint(self) -> str:
        """Return all that object code depends on besides the IR: the compiler and the machine."""

    def object_code(self, ir: str, optimized: bool = False) -> bytes:
        """Return LLVM IR compiled; LLVM's own passes run if it is to be optimized."""

    def link(self, object_code: bytes) -> Library:
        """
        Return object code as functions that can be called.

        This runs code: the bytes must come from `object_code` of the same target, directly or
        through a `Cache`.
        """
