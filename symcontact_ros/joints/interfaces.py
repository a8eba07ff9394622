"""Interfaces of what joint types are given; for type checking, never imported when run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symcontact_ros.expressions import Scalar
from symcontact_ros.joints.joint_motion import Column, Expression, Rows
from symcontact_ros.placements import Triple


class Algebra(Protocol):
    """Operations that name every compound result once: ``symbolic.recorder.Recorder``."""

    def name(self, expression: Expression) -> Expression:
        """Return a symbol for an expression; numbers, symbols and their negatives stay."""

    def scale(self, factor: Expression, vector: Sequence[Expression]) -> Column:
        """Return a multiple of a vector."""

    def rotate(self, matrix: Rows, vector: Sequence[Expression]) -> Column:
        """Return matrix times vector."""

    def rotate_back(self, matrix: Rows, vector: Sequence[Expression]) -> Column:
        """Return the transpose of a matrix times a vector."""

    def multiply(self, a: Rows, b: Rows) -> Rows:
        """Return the product of two matrices."""


class Entry(Protocol):
    """A section of a model file, read key by key: ``model.building.reader.Section``."""

    def number(
        self, key: str, default: Scalar | None = None, above: float = ..., minimum: float = ...
    ) -> Scalar:
        """Return a number or formula > above and >= minimum; a fault is gathered otherwise."""

    def numbers(
        self, key: str, count: int, default: Sequence[Scalar] | None = ...
    ) -> tuple[Scalar, ...]:
        """Return a list of count numbers or formulas; the default where the key is absent."""

    def triple(self, key: str) -> Triple:
        """Return a list of three numbers or formulas, zeros where the key is absent."""

    def fault(self, key: str, reason: str) -> None:
        """Gather a fault of the value of a key."""
