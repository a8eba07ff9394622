"""Elementary functions without a call of the C library: faster, and the same anywhere."""

from __future__ import annotations

import math

FAR = 1e5  # [rad] beyond this an angle is reduced by the C library


def tanh(x: float) -> float:
    """Return the hyperbolic tangent; error below 2 units in the last place (Cephes)."""
    size = abs(x)
    if size < 0.625:
        z = x * x
        top = (-9.64399179425052238628e-1 * z - 9.92877231001918586564e1) * z
        top = top - 1.61468768441708447952e3
        bottom = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z
        bottom = bottom + 4.84406305325125486048e3
        return x + x * z * top / bottom
    value = 1.0
    if size < 20.0:
        value = 1.0 - 2.0 / (math.exp(2.0 * size) + 1.0)
    return value if x > 0.0 else -value


def cos_sin(x: float) -> tuple[float, float]:
    """Return cosine and sine; reduction after Cody and Waite, polynomials of fdlibm."""
    if abs(x) > FAR:
        return math.cos(x), math.sin(x)
    turns = math.floor(x * 0.6366197723675814 + 0.5)
    r = x - turns * 1.57079625129699707031
    r = r - turns * 7.54978941586159635335e-8
    r = r - turns * 5.39030285815811905290e-15
    z = r * r
    s = z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)
    s = z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6 + s))
    s = z * (-1.66666666666666324348e-1 + z * (8.33333333332248946124e-3 + s))
    sine = r + r * s
    c = z * (2.08757232129817482790e-9 - z * 1.13596475577881948265e-11)
    c = z * (2.48015872894767294178e-5 + z * (-2.75573143513906633035e-7 + c))
    c = z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + c))
    cosine = 1.0 - (0.5 * z - z * c)
    quarter = int(turns) % 4
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    if quarter == 3:
        return sine, -cosine
    return cosine, sine
