"""
A small typed part of Python that becomes machine code, and straight-line programs that do.

Knows nothing of mechanics. `memory` and `records` are what kernels work on, `language` what they
may call beside each other, `compiler` turns their syntax trees into LLVM IR, `tape` holds
straight-line programs, `targets` make machine code of either, `kernel` and `functions` make it
callable, and `cache` keeps it. Page: docs/kernels.md.
"""
