"""
Friction of a material in a description: one that sticks, or the regularised one of the paper.

A material with ``slip_speed`` and without ``presliding`` is regularised, and so is a law that has
friction of its own. All others stick.
"""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.contact.base import Law, SMOOTH_COULOMB
from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.model.building.live_symbols import SMALLEST
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Limit

DEFAULT_FRICTION = 0.3
DEFAULT_PRESLIDING = 1e-4  # [m]
STICKING_SLIP_SPEED = 0.01  # [m/s], of friction that sticks
REGULARISED_SLIP_SPEED = 0.05  # [m/s], of a law with friction of its own
OF_STICKING = ('presliding', 'torsional_radius', 'static_friction')


class Constant(NamedTuple):
    """A constant of friction."""

    scalar: Scalar
    unit: str
    least: float  # value of the live symbol


def read_friction(section: Section, law: Law) -> dict[str, Constant]:
    """Return the constants of the friction of a material, by key."""
    friction = section.number('friction', DEFAULT_FRICTION, minimum=0.0)
    found = {'friction': Constant(friction, '', 0.0)}
    has_own = law.friction is not SMOOTH_COULOMB
    sticks = not has_own and ('presliding' in section or 'slip_speed' not in section)
    default = STICKING_SLIP_SPEED if sticks else REGULARISED_SLIP_SPEED
    slip_speed = section.number('slip_speed', default, above=0.0)
    found['slip_speed'] = Constant(slip_speed, 'm/s', SMALLEST)
    if sticks:
        return found | _sticking(section, friction)
    for key in OF_STICKING:
        if key in section:
            section.take(key)
            section.fault(key, _refusal(key, law, has_own))
    return found


def _sticking(section: Section, friction: Scalar) -> dict[str, Constant]:
    """Return the constants that friction has because it sticks."""
    presliding = section.number('presliding', DEFAULT_PRESLIDING, above=0.0)
    radius = section.number('torsional_radius', 0.0, minimum=0.0)
    found = {
        'presliding': Constant(presliding, 'm', SMALLEST),
        'torsional_radius': Constant(radius, 'm', 0.0),
    }
    if 'static_friction' in section:
        static = section.number('static_friction', minimum=0.0)
        found['static_friction'] = Constant(static, '', 0.0)
    return found


def limit_static_friction(section: Section, static: Scalar, friction: Scalar) -> None:
    """Report a static friction below friction; a change of live symbols is checked as well."""
    limit = Limit(section.at('static_friction'), static, at_least=friction, other='friction')
    if reason := limit.broken(section.values):
        section.fault('static_friction', reason)
    if isinstance(static, Formula) or isinstance(friction, Formula):
        section.description.limits.append(limit)


def _refusal(key: str, law: Law, has_own: bool) -> str:
    if has_own:
        name = 'a law of formulas' if law.has_formulas else f'law {law.name}'
        return f'{name} has friction of its own, which does not stick: leave {key} out'
    return f'friction with slip_speed alone does not stick: give presliding beside {key}'
