"""Interfaces of what shapes are given; for type checking, never imported when run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from symcontact_ros.expressions import Scalar, Values
from symcontact_ros.placements import Triple

Expression: TypeAlias = Any  # of SymPy
Column: TypeAlias = list[Any]  # three expressions
Feature: TypeAlias = Any  # a feature in symbols: `symbolic.contact.feature_kinds.Feature`


class Section(Protocol):
    """A section of a model file, read key by key: ``model.building.reader.Section``."""

    @property
    def values(self) -> Values:
        """Values of the live symbols."""

    def number(
        self, key: str, default: Scalar | None = None, above: float = ..., minimum: float = ...
    ) -> Scalar:
        """Return a number or formula > above and >= minimum; a fault is gathered otherwise."""

    def numbers(
        self, key: str, count: int, default: Sequence[Scalar] | None = ...
    ) -> tuple[Scalar, ...]:
        """Return a list of count numbers or formulas; the default where the key is absent."""

    def triple(self, key: str, default: Triple = ...) -> Triple:
        """Return a list of three numbers or formulas; the default where the key is absent."""

    def points(self, key: str, count: int) -> tuple[tuple[Scalar, ...], ...]:
        """Return a list of points of count numbers each."""

    def one_of(self, key: str, other: str) -> None:
        """Add a fault if two keys with the same meaning are given."""

    def fault(self, key: str, reason: str) -> None:
        """Add a fault of the value of a key."""

    def __contains__(self, key: str) -> bool:
        """Return whether a key is given."""


class FeatureMaker(Protocol):
    """Features in SymPy: ``symbolic.contact.shape_features.FeatureMaker``."""

    @property
    def values(self) -> Values:
        """Values of the live symbols."""

    @property
    def zero(self) -> Expression:
        """The number 0."""

    def scalar(self, scalar: Scalar) -> Expression:
        """Return a number or formula of a shape."""

    def number(self, value: float, /) -> Expression:
        """Return a number."""

    def vector(self, scalars: Sequence[Scalar]) -> Column:
        """Return three components; the third of a planar vector is zero."""

    def origin(self) -> Column:
        """Return three zeros."""

    def axis(self, index: int, length: Expression = ..., /) -> Column:
        """Return a vector along an axis."""

    def difference(self, a: Column, b: Column, /) -> Column:
        """Return a - b."""

    def dot(self, a: Column, b: Column, /) -> Expression:
        """Return the scalar product."""

    def cross(self, a: Column, b: Column, /) -> Column:
        """Return the vector product."""

    def unit(self, vector: Column, /) -> Column:
        """Return a vector of length 1 in the same direction."""

    def point(self, name: str, place: Column, margin: Expression = ...) -> Feature:
        """Return a point with a margin around it [m]."""

    def line(self, name: str, point: Column, way: Column, margin: Expression = ...) -> Feature:
        """Return a line through a point along a unit vector, with a margin around it [m]."""

    def plane(self, name: str, outward: Column, offset: Expression) -> Feature:
        """Return a plane with a unit normal and an offset along it [m]."""

    def rim(self, name: str, centre: Column, axis: Column, radius: Expression) -> Feature:
        """Return a circle with a radius [m] about a unit axis."""

    def ellipsoid(self, name: str, centre: Column, semi_axes: Sequence[Column]) -> Feature:
        """Return an ellipsoid with vectors from its centre to its vertices [m], or an ellipse."""
