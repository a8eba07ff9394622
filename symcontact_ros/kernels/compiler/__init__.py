"""
Compiler of kernels, a small typed subset of Python, from syntax trees to LLVM IR.

Values are floats, ints, bools, tuples of them to any depth, memory (`memory`, `records`), and
*statics*: values that are known at compile time and have no memory (modules, functions, classes,
instances of frozen classes). There are assignments, ``if``, ``while``, ``for`` over a ``range`` or
a tuple, ``return``; arithmetic, comparisons, conditional expressions; calls of other kernels, of
methods of records, named tuples and statics, of some builtins, of ``math.sqrt`` and
``math.floor``, and of the functions in `language`. A name has one type throughout a function, and
a value wherever it is read. Anything else is a `KernelError` with file and line. docs/kernels.md
has the whole grammar, and the differences from Python.

A function is compiled once for each combination of argument types, statics included. Tuples exist
only at compile time: a variable has one memory cell for each number of its tuple, which LLVM turns
into registers, and a function takes and returns them individually.
"""
