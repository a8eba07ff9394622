"""Kinetic energy of a world, and what gravity stores."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.step.articulated import run_energy
from symcontact_ros.simulation.world.world import World


def motion_energy(world: World[S, F, V]) -> tuple[float, float]:
    """Return the kinetic energy of all bodies in this stage, and that of gravity [J]."""
    kinetic, potential = 0.0, 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING:
            moving, lifted = body.energy(world.stage, world.gravity)
            kinetic += moving
            potential += lifted
    for i in range(len(world.groups)):
        moving, lifted = run_energy(world, world.groups[i])
        kinetic += moving
        potential += lifted
    return kinetic, potential
