"""Kernels: plain Python functions that become machine code, and the language they are in."""
