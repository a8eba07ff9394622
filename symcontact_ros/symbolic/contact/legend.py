"""Legend of the live symbols of a model: name, value, unit, meaning."""

from __future__ import annotations

from symcontact_ros.model.model import Model
from symcontact_ros.symbolic.naming import names_of


def legend(model: Model) -> list[str]:
    """Return a line per live symbol: ``m = 1 kg, mass of the ball``."""
    live = names_of(model).live
    lines = []
    for name, symbol in model.symbols.items():
        unit = f' {symbol.unit}' if symbol.unit else ''
        said = symbol.description or name
        lines.append(f'{live[name]} = {symbol.value:.12g}{unit}, {said}')
    return lines
