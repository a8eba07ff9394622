"""Live symbols of a model during building."""

from __future__ import annotations

import math

from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.model.parts import LiveSymbol

SMALLEST = 1e-12  # of a constant that must be > 0


class Symbols:
    """
    The table of live symbols and their values.

    Entries of ``parameters:`` are live, and so is every mass, component of gravity, joint damping
    and stiffness, gain of a servo, and contact constant that is given as a plain number: it
    becomes a symbol such as ``ball.mass``. One that is given as a formula changes with the symbols
    in it.
    """

    def __init__(self, overrides: dict[str, float]) -> None:
        self.overrides = overrides
        self.table: dict[str, LiveSymbol] = {}
        self.values: dict[str, float] = {}  # what formulas are evaluated with

    def add(self, name: str, symbol: LiveSymbol) -> None:
        """Enter a symbol; an override replaces its value."""
        value = float(self.overrides.get(name, symbol.value))
        self.table[name] = LiveSymbol(
            value, symbol.minimum, symbol.maximum, symbol.unit, symbol.description, symbol.latex
        )
        self.values[name] = value

    def live(
        self,
        name: str,
        scalar: Scalar,
        unit: str,
        description: str,
        minimum: float = -math.inf,
    ) -> Scalar:
        """Return a plain number as a live symbol of that name; a formula as it is."""
        if isinstance(scalar, Formula) or math.isnan(scalar):
            return scalar
        self.add(name, LiveSymbol(scalar, minimum, math.inf, unit, description))
        return Formula.symbol(name)
