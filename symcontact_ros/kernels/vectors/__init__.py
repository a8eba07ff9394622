"""Vectors, frames and small functions of numbers: kernels that geometry is written with."""
