r"""
Friction that sticks: a force against the stretch of an elastic anchor and against the slip.

.. math:: F_T = -\mu F_N \, \mathrm{sat}(s / \delta + v_T / v_s), \quad
   \mathrm{sat}(z) = z / \max(1, |z|)

:math:`s` is the stretch of the anchor, motion of B relative to A, never longer than the presliding
:math:`\delta`; :math:`v_T` the slip. Where bodies touch in one point, both have a component
about the normal: the torsional radius :math:`r_p` times angle and spin. Its force times the radius
is a torque, so that force and torque have one cap between them. While the anchor is not fully
stretched, :math:`\mu` is the static one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.contact.material import MaterialRecord

Triple = tuple[float, float, float]


class Tangent(NamedTuple):
    """Stretch [m] or slip [m/s] of B relative to A."""

    across: Triple  # in the tangent plane, world axes
    about: float  # about the normal from A to B, times the torsional radius

    @property
    def square(self) -> float:
        """Square of its length."""
        x, y, z = self.across
        return x * x + y * y + z * z + self.about * self.about


NO_STRETCH = Tangent((0.0, 0.0, 0.0), 0.0)


class Grip(NamedTuple):
    """Friction on B, and its power."""

    force: Triple  # [N]
    torque: float  # about the normal from A to B [N m]
    power: float  # that it takes from the bodies [W]
    energy: float  # in the anchor: mu F_N s^2 / 2 delta [J]


def friction_cap(material: MaterialRecord, force: float, slides: bool) -> float:
    """Return the most that friction can be at a normal force, both in N."""
    return force * (material.friction if slides else material.static_friction)


def sticking_friction(
    material: MaterialRecord, force: float, slides: bool, stretch: Tangent, slip: Tangent
) -> Grip:
    """Return the friction of a contact point at a normal force [N]."""
    per_stretch, per_slip = 1.0 / material.presliding, 1.0 / material.slip_speed
    v = slip.across
    x = per_stretch * stretch.across[0] + per_slip * v[0]
    y = per_stretch * stretch.across[1] + per_slip * v[1]
    z = per_stretch * stretch.across[2] + per_slip * v[2]
    turn = per_stretch * stretch.about + per_slip * slip.about
    size = math.sqrt(x * x + y * y + z * z + turn * turn)
    cap = friction_cap(material, force, slides)
    factor = cap / max(1.0, size)
    power = factor * (x * v[0] + y * v[1] + z * v[2] + turn * slip.about)
    torque = -factor * turn * material.torsional_radius
    energy = 0.5 * per_stretch * cap * stretch.square
    return Grip((-factor * x, -factor * y, -factor * z), torque, power, energy)
