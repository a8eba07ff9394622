r"""
Friction that sticks: a force against the stretch of an elastic anchor and against the slip.

.. math:: F_T = -\mu F_N \, \mathrm{sat}(s / \delta + v_T / v_s), \quad
   \mathrm{sat}(z) = z / \max(1, |z|)

:math:`s` is the stretch of the anchor, motion of B relative to A, never longer than the presliding
:math:`\delta`; :math:`v_T` the slip. Where bodies touch in one point, both have a component about
the normal: the torsional radius :math:`r_p` times angle and spin. Its force times :math:`r_p` is a
torque, so that force and torque have one cap between them. While the anchor is not fully stretched,
:math:`\mu` is the static one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.contact.material import MaterialRecord

Triple = tuple[float, float, float]


class Grip(NamedTuple):
    """Friction on B, and its power."""

    force: Triple  # [N]
    torque: float  # about the normal from A to B [N m]
    power: float  # that it takes from the bodies [W]


def friction_cap(material: MaterialRecord, force: float, slides: bool) -> float:
    """Return the most that friction can be at a normal force, both in N."""
    return force * (material.friction if slides else material.static_friction)


def sticking_friction(
    material: MaterialRecord,
    force: float,
    slides: bool,
    stretch: Triple,
    twist: float,
    slip: Triple,
    spin: float,
) -> Grip:
    """
    Return the friction of a contact point.

    ``force`` is the normal force [N]; stretch and twist [m], slip and spin [m/s] are of B relative
    to A, twist and spin times the torsional radius.
    """
    per_stretch, per_slip = 1.0 / material.presliding, 1.0 / material.slip_speed
    x = per_stretch * stretch[0] + per_slip * slip[0]
    y = per_stretch * stretch[1] + per_slip * slip[1]
    z = per_stretch * stretch[2] + per_slip * slip[2]
    turn = per_stretch * twist + per_slip * spin
    size = math.sqrt(x * x + y * y + z * z + turn * turn)
    factor = friction_cap(material, force, slides) / max(1.0, size)
    power = factor * (x * slip[0] + y * slip[1] + z * slip[2] + turn * spin)
    torque = -factor * turn * material.torsional_radius
    return Grip((-factor * x, -factor * y, -factor * z), torque, power)


def anchor_energy(material: MaterialRecord, force: float, slides: bool, length: float) -> float:
    """Return the energy in an anchor of a length [m] at a normal force [N]: mu F_N s^2 / 2 delta."""
    return friction_cap(material, force, slides) * length * length / (2.0 * material.presliding)
