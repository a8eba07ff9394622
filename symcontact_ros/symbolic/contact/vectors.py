"""Vectors of SymPy expressions, without names for their parts."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import Any

import sympy as sm

from symcontact_ros.symbolic.naming import number
from symcontact_ros.symbolic.recorder import Vector, ZERO


def axis(index: int, sign: int = 1) -> Vector:
    """Return a unit vector along a coordinate axis, or against it."""
    return [sm.Integer(sign) if i == index else ZERO for i in range(3)]


def difference(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    """Return a - b."""
    return [x - y for x, y in zip(a, b, strict=True)]


def dot(a: Sequence[sm.Expr], b: Sequence[sm.Expr]) -> sm.Expr:
    """Return the scalar product."""
    return sum((x * y for x, y in zip(a, b, strict=True)), start=ZERO)


def cross(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    """Return the vector product."""
    return [a[i] * b[j] - a[j] * b[i] for i, j in ((1, 2), (2, 0), (0, 1))]


def unit(vector: Vector) -> Vector:
    """Return a vector of numbers or formulas with length 1."""
    if any(component.free_symbols for component in vector):
        length = sm.sqrt(dot(vector, vector))
        return [component / length for component in vector]
    numbers = [float(component) for component in vector]
    scale = math.hypot(*numbers)
    return [number(component / scale) for component in numbers]
