"""What can be wrong with a kernel."""

from __future__ import annotations


class KernelError(TypeError):
    """A kernel uses something that the language does not have; the text says where."""


class KernelFault(RuntimeError):  # noqa: N818
    """A kernel compiled for debugging left its memory, or read what nobody wrote."""
