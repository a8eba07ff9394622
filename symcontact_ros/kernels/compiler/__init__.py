"""
Kernels become LLVM IR: a small typed part of Python, read from its syntax tree.

Known are floats, ints, bools, tuples of them to any depth, memory (`memory`, `records`), and
*statics*: values that are known while compiling and have no memory (modules, functions, classes,
instances of frozen classes). There are assignments, ``if``, ``while``, ``for`` over a ``range`` or
a tuple, ``return``; arithmetic, comparisons, conditional expressions; calls of other kernels, of
methods of records, named tuples and statics, of some builtins, of ``math.sqrt`` and
``math.floor``, and of what `language` has. A name has one type throughout a function, and a value
wherever it is read. Anything else is a `KernelError` with file and line. docs/kernels.md has the
whole grammar, and what differs from Python.

A function is compiled once for each set of types of its arguments, statics included. Tuples exist
only here: a variable is as many memory cells as its tuple has numbers, which LLVM makes registers
of, and a function takes and returns them one by one.
"""
