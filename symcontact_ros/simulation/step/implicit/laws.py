r"""
Forces of an implicit stage, as functions of the velocities at its end.

A stage of length h has depths :math:`\rho = \rho_0 - h v_N`, anchors
:math:`s = s_0 + h v_T` and joint positions :math:`q = q_0 + h u`. Every force falls with its
velocity: it is minus the derivative of a convex function of it, which Newton's method minimises.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import (
    damped_force,
    elastic_force,
    force_gradient,
    friction_per_slip,
    friction_rate,
    has_smooth_friction,
)
from symcontact_ros.contact.material import MaterialRecord
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.step.articulated import DRY_PRESLIDING, DRY_SLIP_SPEED
from symcontact_ros.simulation.world.solver_records import ContactRow
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Joint

STILL = 1e-12  # [m/s] below this slip has no direction
ROUNDING = 1e-2  # of a position, next to what the solver takes for rounding of forces

Quartet = tuple[float, float, float, float]


class Force(NamedTuple):
    """A force, and by how much it falls per unit of velocity."""

    force: float  # [N or N m]
    slope: float  # minus its derivative, >= 0


NO_FORCE = Force(0.0, 0.0)


def normal_at(material: MaterialRecord, share: float, depth: float, h: float, v_n: float) -> Force:
    """Return the normal force at a normal velocity at the end of a stage."""
    rho = depth - h * v_n
    if rho <= 0.0:
        return NO_FORCE
    elastic = elastic_force(material, rho)
    force = damped_force(material, elastic, rho, v_n)
    if force <= 0.0:
        return NO_FORCE
    by_depth, by_velocity = force_gradient(material, elastic, rho, v_n)
    return Force(share * force, share * max(0.0, h * by_depth - by_velocity))


class Friction(NamedTuple):
    """
    Friction of a contact: minus ``ratio`` times (first, second, spin).

    That vector is ``gain`` times the slip plus a constant.
    """

    first: float
    second: float
    spin: float
    size: float  # of that vector
    ratio: float  # force per length of that vector
    slope: float  # derivative of the force by that length
    gain: float

    def along(self, direction: Quartet) -> tuple[float, float]:
        """Return minus the force along a change of velocity, and the derivative of that."""
        _, x, y, z = direction
        inner = self.first * x + self.second * y + self.spin * z
        square = x * x + y * y + z * z
        curvature = self.ratio * square
        if self.size > 0.0:
            part = inner / self.size
            curvature += (self.slope - self.ratio) * part * part
        return self.ratio * inner, self.gain * curvature


NO_FRICTION = Friction(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def friction_at(
    material: MaterialRecord, row: ContactRow, h: float, velocity: Quartet
) -> Friction:
    """Return the friction of a contact at a velocity, under a constant normal force."""
    cap = row.friction * row.normal_force
    if cap <= 0.0:
        return NO_FRICTION
    _, x, y, z = velocity
    if not material.sticks:
        return regularised(material, row, x, y, z)
    delta = material.presliding
    gain = h + delta / material.slip_speed
    s = row.stretch
    first, second, spin = s[0] + gain * x, s[1] + gain * y, s[2] + gain * z
    size = math.sqrt(first * first + second * second + spin * spin)
    if size <= delta:
        return Friction(first, second, spin, size, cap / delta, cap / delta, gain)
    return Friction(first, second, spin, size, cap / size, 0.0, gain)


@separate
def regularised(
    material: MaterialRecord, row: ContactRow, x: float, y: float, z: float
) -> Friction:
    """Return the friction of a law without an anchor."""
    size = math.sqrt(x * x + y * y + z * z)
    force = row.normal_force / row.share
    if size < STILL:
        rate = row.share * friction_rate(material, row.depth, 0.0, force)
        return Friction(x, y, z, size, rate, rate, 1.0)
    ratio = row.share * friction_per_slip(material, row.depth, 0.0, force, size)
    slope = ratio  # of a law of its own: no more than this, where friction grows ever slower
    if has_smooth_friction(material):
        part = ratio * size / (material.friction * row.normal_force)
        slope = material.friction * row.normal_force * material.half_inverse_slip
        slope *= 1.0 - part * part
    return Friction(x, y, z, size, ratio, slope, 1.0)


# Joints -----------------------------------------------------------------------------------------


def joint_at(world: World[S, F, V], joint: Joint, h: float, u: float) -> Force:
    """Return all that acts on a joint at a speed at the end of a stage."""
    q = joint.base + h * u
    effort, hardness = actuator_at(world, joint, q, u, h)
    force = effort - joint.stiffness * (q - joint.rest) - joint.damping * u
    slope = hardness + joint.stiffness * h + joint.damping
    if joint.friction > 0.0:
        gain = h + DRY_PRESLIDING / DRY_SLIP_SPEED
        z = (joint.base_stretch + gain * u) / DRY_PRESLIDING
        force -= joint.friction * min(max(z, -1.0), 1.0)
        if abs(z) < 1.0:
            slope += joint.friction * gain / DRY_PRESLIDING
    if q < joint.lower or q > joint.upper:
        stop = stop_at(joint, h, q)
        force += stop
        if stop != 0.0:
            slope += joint.limit_stiffness * h + joint.limit_damping
    return Force(force, slope)


def joint_size(world: World[S, F, V], joint: Joint, h: float, u: float) -> float:
    """
    Return how large the forces on a joint are that `joint_at` adds up, and their rounding.

    At rest they cancel: next to their sum, no residual would be small.
    """
    q = joint.base + h * u
    effort, _ = actuator_at(world, joint, q, u, h)
    size = abs(effort) + joint.stiffness * abs(q - joint.rest) + joint.damping * abs(u)
    size += joint.friction
    stiffness = joint.kp + joint.stiffness
    if q < joint.lower or q > joint.upper:
        size += abs(stop_at(joint, h, q))
        stiffness += joint.limit_stiffness + joint.limit_damping / h
    return size + ROUNDING * stiffness * (abs(q) + h * abs(u))


def actuator_at(
    world: World[S, F, V], joint: Joint, q: float, u: float, h: float
) -> tuple[float, float]:
    """Return the effort of the actuator of a joint, within its limit, and how hard it is."""
    wanted = joint.applied + joint.kp * (joint.target - q) + joint.kd * (joint.target_speed - u)
    if joint.compensates:
        wanted += world.groups[joint.group].weights[joint.index]
    if wanted > joint.effort_limit:
        return joint.effort_limit, 0.0
    if wanted < -joint.effort_limit:
        return -joint.effort_limit, 0.0
    return wanted, joint.kp * h + joint.kd


def stop_at(joint: Joint, h: float, q: float) -> float:
    """
    Return the force of the stop that a joint is beyond at the end of a stage; it never pulls.

    Its damping goes with the growth of the depth, not with the speed: a drag that sets in with a
    jump where the stop is met would have no convex function.
    """
    lower, upper, base = joint.lower, joint.upper, joint.base
    before = max(0.0, lower - base) if q < lower else max(0.0, base - upper)
    depth = lower - q if q < lower else q - upper
    force = joint.limit_stiffness * depth + joint.limit_damping * (depth - before) / h
    if force <= 0.0:
        return 0.0
    return force if q < lower else -force
