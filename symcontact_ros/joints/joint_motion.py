"""Motion of a joint: data that joint types exchange with the derivations and the simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symcontact_ros.types import Vector

Expression = Any  # of SymPy, which carries no types and is imported only where it is used
Column = list[Expression]  # three components
Rows = list[list[Expression]]  # of a 3 x 3 matrix


class JointSymbols(NamedTuple):
    """A joint in SymPy: its coordinates and speeds, and the numbers that describe it."""

    axis: list[Expression]  # unit, in the body frame; zeros where the type has no axis
    constants: list[Expression]  # the numbers of the type's own keys
    q: list[Expression]
    u: list[Expression]


class JointMotion(NamedTuple):
    """
    Motion of a body in its joint frame, in symbols.

    ``rotation`` and ``position`` are the pose of the body frame in the joint frame, which is the
    ``origin`` of the joint in the parent. ``columns`` are the velocities (linear, angular) of the
    body origin relative to the joint frame per unit of each speed, in body axes; ``drift`` is
    their rate of change in body axes times the speeds, zero where the columns are constant.
    ``steady`` are the columns in axes of the joint frame, where they are constant there.
    """

    rotation: Rows
    position: Column
    columns: list[tuple[Column, Column]]
    drift: tuple[Column, Column]
    qdot: Column
    steady: list[tuple[Column, Column]] | None = None


class ReferenceMotion(NamedTuple):
    """The same for the reference derivation by Kane's method, as plain SymPy matrices."""

    rotation: Expression  # 3 x 3: of the body frame in the joint frame
    position: Expression  # of the body origin, joint axes
    velocity: Expression  # of the body origin in the joint frame, joint axes
    rates: Expression  # angular velocity in the joint frame, body axes
    qdot: list[Expression]


class JointNumbers(NamedTuple):
    """A joint at an instant, in numbers."""

    axis: Vector  # unit, in the body frame
    constants: tuple[float, ...]  # the numbers of the type's own keys
    attitude: Vector  # 3 x 3: body components to world components
    frame: Callable[[], Vector]  # the same of the joint frame


def zeros() -> Column:
    """Return the null vector in SymPy."""
    import sympy as sm

    return [sm.S.Zero] * 3


def identity() -> Rows:
    """Return the unit matrix in SymPy."""
    import sympy as sm

    return [[sm.S.One if i == j else sm.S.Zero for j in range(3)] for i in range(3)]
