"""Legend of the live symbols of a model, and what acts beside its printed equations."""

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


def left_out(model: Model) -> list[str]:
    """Return a line that names what is simulated beside the equations; none where nothing is."""
    found = []
    for joint in (body.joint for body in model.bodies):
        parts = {
            'stops': joint.limits is not None,
            'dry friction': joint.friction != 0.0,
            'servo': joint.servo is not None,
        }
        found += [f'{part} of joint {joint.name}' for part, is_there in parts.items() if is_there]
    more = f' and {len(found) - 6} more' if len(found) > 6 else ''
    return [f'not in these equations: {", ".join(found[:6])}{more}'] if found else []
