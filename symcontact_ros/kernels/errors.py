"""Errors of kernels."""

from __future__ import annotations


class KernelError(TypeError):
    """Use of a feature that the language does not have; the message has file and line."""


class KernelFault(RuntimeError):  # noqa: N818
    """Access out of range, or to uninitialised memory, of a kernel compiled for debugging."""
