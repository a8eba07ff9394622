"""
Elementary functions with the same bits everywhere: kernels of sums, products, quotients and roots.

No C library is called, so results do not depend on its version. Largest errors found, in
ten million random arguments of each kind and in units in the last place (0.5 is the error of a
correctly rounded result):

=====  ====  =====  ====  =====  ====
sin    0.63  asin   0.70  exp    0.53
cos    0.62  acos   0.67  log    0.67
tan    0.72  atan   0.60  power  0.57
sinh   0.59  atan2  0.63
cosh   0.54
tanh   0.58
=====  ====  =====  ====  =====  ====

and 0.76 where `exp` or `power` are below the smallest normal float. Results that are exact floats
are exact: ``exp(0)``, ``power(2, n)``, ``power(x, 1)``, ``power(9, 0.5)``. Odd functions are odd
and even ones even, bit for bit, zeros included. Nothing raises: an undefined result is
nan, always with the same bits, and overflow is infinite.
"""

from __future__ import annotations

from symcontact_ros.kernels.elementary.angles import acos, asin, atan, atan2
from symcontact_ros.kernels.elementary.circular import cos, cos_sin, sin, tan
from symcontact_ros.kernels.elementary.exponentials import cosh, exp, sinh, tanh
from symcontact_ros.kernels.elementary.logarithms import log, power

__all__ = [
    'acos',
    'asin',
    'atan',
    'atan2',
    'cos',
    'cos_sin',
    'cosh',
    'exp',
    'log',
    'power',
    'sin',
    'sinh',
    'tan',
    'tanh',
]
