"""Kernels that evaluate the law of a material."""

from __future__ import annotations

from symcontact_ros.contact import laws
from symcontact_ros.contact.base import (
    Elastic,
    proportional_force,
    proportional_gradient,
    proportional_restitution,
    smooth_friction,
    smooth_friction_rate,
)
from symcontact_ros.contact.material import MaterialRecord

NO_FORCE = Elastic(0.0, 0.0)
NO_SLIP = 1e-12  # [m/s] below this slip has no direction

# Loops over the table are unrolled. What most laws share is written once, after the loop.


def elastic_force(material: MaterialRecord, rho: float) -> Elastic:
    """Return the elastic force at a depth [m]."""
    for number, law in enumerate(laws.LAWS):
        if material.law == number:
            return law.elastic(material, rho)
    return NO_FORCE


def normal_force(material: MaterialRecord, elastic: Elastic, rho: float, v_n: float) -> float:
    """
    Return the normal force [N], which never pulls.

    ``v_n`` is the normal velocity of B relative to A [m/s], negative while approaching.
    """
    force = damped_force(material, elastic, rho, v_n)
    return force if force > 0.0 else 0.0


def damped_force(material: MaterialRecord, elastic: Elastic, rho: float, v_n: float) -> float:
    """Return the normal force as the law gives it [N]."""
    for number, law in enumerate(laws.LAWS):
        if law.damping.force is not proportional_force and material.law == number:
            return law.damping.force(material, elastic, rho, v_n)
    return proportional_force(material, elastic, rho, v_n)


def force_gradient(
    material: MaterialRecord, elastic: Elastic, rho: float, v_n: float
) -> tuple[float, float]:
    """Return the derivatives of `damped_force` by depth [N/m] and normal velocity [N s/m]."""
    for number, law in enumerate(laws.LAWS):
        if law.damping.gradient is not proportional_gradient and material.law == number:
            return law.damping.gradient(material, elastic, rho, v_n)
    return proportional_gradient(material, elastic, rho, v_n)


def stored_energy(material: MaterialRecord, rho: float) -> float:
    """Return the energy that the elastic force stores at a depth [J]."""
    for number, law in enumerate(laws.LAWS):
        if material.law == number:
            return law.stored(material, rho)
    return 0.0


def has_smooth_friction(material: MaterialRecord) -> bool:
    """Return whether the friction of a material is the regularised one of most laws."""
    for number, law in enumerate(laws.LAWS):
        if law.friction.force is not smooth_friction and material.law == number:
            return False
    return True


def friction_per_slip(
    material: MaterialRecord, rho: float, v_n: float, force: float, slip: float
) -> float:
    """Return the friction force per slip [N s/m] at a normal force [N] and a slip [m/s]."""
    if slip < NO_SLIP:
        return 0.0
    for number, law in enumerate(laws.LAWS):
        if law.friction.force is not smooth_friction and material.law == number:
            return law.friction.force(material, rho, v_n, force, slip) / slip
    return smooth_friction(material, rho, v_n, force, slip) / slip


def friction_rate(material: MaterialRecord, rho: float, v_n: float, force: float) -> float:
    """Return the friction force per slip [N s/m] as the slip goes to 0."""
    for number, law in enumerate(laws.LAWS):
        if law.friction.rate is not smooth_friction_rate and material.law == number:
            return law.friction.rate(material, rho, v_n, force)
    return smooth_friction_rate(material, rho, v_n, force)


def restitution(material: MaterialRecord, speed: float) -> float:
    """Return the restitution of the law at a speed of approach [m/s]; 0 of formulas."""
    for number, law in enumerate(laws.LAWS):
        if law.damping.force is not proportional_force and material.law == number:
            return 0.0
    return proportional_restitution(material.damping * speed)
