"""Kernel of the mechanical energy of a world, from its memory alone."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.contact.evaluation import stored_energy
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.step.articulated import joint_energy
from symcontact_ros.simulation.step.motion_energy import motion_energy
from symcontact_ros.simulation.world.world import World

KINETIC, POTENTIAL, OF_JOINTS, OF_CONTACTS, ANCHORED = range(5)
ENERGIES = 5


def write_mechanical(
    world: World[S, F, V], inspection: InspectionRecord, energies: Floats
) -> None:
    """
    Write the energies of now [J], with the contacts that an inspection found.

    Kinetic, of gravity, of springs, stops and dry friction in joints, of contacts, and that in
    the anchors of friction.
    """
    kinetic, potential = motion_energy(world)
    contacts, anchored = 0.0, 0.0
    for i in range(inspection.count):
        record = inspection.records[i]
        for k in range(record.count):
            contact = record.contacts[k]
            stored = stored_energy(world.materials[record.material], -contact.distance)
            contacts += contact.share * stored
            anchored += contact.anchored
    energies[KINETIC] = kinetic
    energies[POTENTIAL] = potential
    energies[OF_JOINTS] = joint_energy(world)
    energies[OF_CONTACTS] = contacts
    energies[ANCHORED] = anchored


def mechanical_of(energies: Floats) -> float:
    """Return the sum of kinetic energy and of what gravity, joints and contacts store [J]."""
    stored = energies[POTENTIAL] + energies[OF_JOINTS] + energies[OF_CONTACTS]
    return energies[KINETIC] + stored
