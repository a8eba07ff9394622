"""
Compiler of a small typed subset of Python, and of straight-line programs, to machine code.

Independent of mechanics. `memory` and `records` define the data of kernels, `language` the
functions that they may call, `compiler` translates syntax trees to LLVM IR, `tape` has
straight-line programs, `targets` generate machine code for both, `kernel` and `functions` make it
callable, and `cache` stores it. Documentation: docs/kernels.md.
"""
