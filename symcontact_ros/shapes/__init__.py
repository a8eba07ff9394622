"""
Shapes: one module for each kind, which holds all that the package knows of it.

`base` has the interface of a shape, `cores` that of its kernels, `table` the list of all shapes.
"""
