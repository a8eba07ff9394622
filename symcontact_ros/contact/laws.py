r"""
Table of the contact laws.

A law is a row: kernels, name, constants and checks (`Law`). Kernels know a law by the index of
its row. ``elastic_plastic`` is the paper's eq. 18, ``hunt_crossley`` has the exponent of Hertz,
and the formulas of ``custom`` are in the model file.

.. math:: F_N = (k \rho^n (1 - c v_N))_+

To add a law, write its kernel and its row here, or in a file of its own and its name here.
"""

from __future__ import annotations

import math

from symcontact_ros.contact.base import Elastic, Law
from symcontact_ros.contact.custom import CUSTOM
from symcontact_ros.contact.material import Material, MaterialRecord
from symcontact_ros.expressions import evaluate, Values


def elastic_plastic(material: MaterialRecord, rho: float) -> Elastic:
    """Return k rho^3 and its derivative."""
    k = material.stiffness
    return Elastic(k * rho * rho * rho, 3.0 * k * rho * rho)


def hunt_crossley(material: MaterialRecord, rho: float) -> Elastic:
    """Return k rho^1.5 and its derivative."""
    k, root = material.stiffness, math.sqrt(rho)
    return Elastic(k * rho * root, 1.5 * k * root)


def linear(material: MaterialRecord, rho: float) -> Elastic:
    """Return k rho and its derivative."""
    return Elastic(material.stiffness * rho, material.stiffness)


LAWS: tuple[Law, ...] = (
    Law('elastic_plastic', 'N/m^3', 3.0, elastic_plastic),
    Law('hunt_crossley', 'N/m^1.5', 1.5, hunt_crossley),
    Law('linear', 'N/m', 1.0, linear),
    CUSTOM,
)
DEFAULT = 'elastic_plastic'  # of a material that names no law


def law_named(name: str) -> Law:
    """Return the law of a name; KeyError if there is none."""
    return {law.name: law for law in LAWS}[name]


def names() -> tuple[str, ...]:
    """Return the names that a model file may give; formulas have none."""
    return tuple(law.name for law in LAWS if not law.has_formulas)


def write_material(record: MaterialRecord, material: Material, values: Values) -> None:
    """Write a material as numbers, all but the address of its formulas."""
    law = law_named(material.law)
    record.law = LAWS.index(law)
    record.stiffness = evaluate(material.stiffness, values)
    record.damping = evaluate(material.damping, values)
    record.friction = evaluate(material.friction, values)
    record.half_inverse_slip = 0.5 / evaluate(material.slip_speed, values)
    record.sticks = material.presliding is not None
    record.presliding = evaluate(material.presliding or 0.0, values)
    record.slip_speed = evaluate(material.slip_speed, values)
    record.torsional_radius = evaluate(material.torsional_radius, values)
    static = material.friction if material.static_friction is None else material.static_friction
    record.static_friction = evaluate(static, values)
    for i, constant in enumerate(law.own_values(material, values)):
        record.own[i] = constant
