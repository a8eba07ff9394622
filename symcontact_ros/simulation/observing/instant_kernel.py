"""
Kernel of an instant: motions of bodies, forces of contacts on bodies and pairs, joints.

A < B by the names of the bodies; forces act on B, and A receives the opposite at the same point.
"""

from __future__ import annotations

from symcontact_ros.collision.proximity_record import (
    ContactRecord,
    copy_contact,
    ProximityRecord,
)
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.kernels.vectors.spatial import along, cross, minus, norm, times
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.motion_kernel import Centre, write_bodies
from symcontact_ros.simulation.step.articulated import actuator_effort, weigh_groups
from symcontact_ros.simulation.world.world import World

FAR = 1e300  # [m]


class PairSum(Record):
    """Sum of the contacts of two bodies."""

    body_a: int
    body_b: int
    point: Triple  # force-weighted mean of the contact points; apart: midway between [m]
    force: Triple  # on B [N]
    torque: Triple  # on B, about the point [N m]
    weight: float  # sum of the sizes of all forces [N]
    weighted: Triple  # sum of the points, each times the size of its force [N m]
    nearest: float  # least distance of their shapes [m]


class InstantRecord(Record):
    """All about an instant."""

    contact_count: int
    centres: Rows[Centre]  # given
    bodies: Rows[BodyMotion]
    pairs: Rows[PairSum]  # whose bodies are given
    contacts: Rows[ContactRecord]
    joints: Floats  # all positions, then all velocities, then the efforts of all actuators


def write_instant(world: World[S, F, V], inspection: InspectionRecord, out: InstantRecord) -> None:
    """Write all about now, with the pairs that an inspection found."""
    write_bodies(world, out.centres, out.bodies)
    write_joints(world, out.joints)
    for i in range(len(out.pairs)):
        pair = out.pairs[i]
        begin_sum(pair, out.bodies[pair.body_a].com, out.bodies[pair.body_b].com)
    out.contact_count = 0
    for i in range(inspection.count):
        record = inspection.records[i]
        take_record(record, out.pairs[record.bodies], out)
    for i in range(len(out.pairs)):
        finish_point(out.pairs[i])
    for i in range(out.contact_count):
        contact = out.contacts[i]
        add_force(contact, out.pairs[contact.pair], out)


def write_joints(world: World[S, F, V], out: Floats) -> None:
    """Write positions, velocities, and the efforts of actuators: commands and servos."""
    count = len(world.joints)
    weigh_groups(world)
    for i in range(count):
        joint = world.joints[i]
        q, u = world.state[joint.q], world.state[joint.u]
        out[i] = q
        out[count + i] = u
        out[2 * count + i] = actuator_effort(world, joint, q, u)


def begin_sum(pair: PairSum, com_a: Triple, com_b: Triple) -> None:
    """Begin a sum; where nothing is known of a pair, it is between its centres of mass."""
    pair.point = between(com_a, com_b)
    pair.force = (0.0, 0.0, 0.0)
    pair.torque = (0.0, 0.0, 0.0)
    pair.weight = 0.0
    pair.weighted = (0.0, 0.0, 0.0)
    pair.nearest = FAR


def between(a: Triple, b: Triple) -> Triple:
    """Return the point midway between two."""
    return 0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.5 * (a[2] + b[2])


def take_record(record: ProximityRecord, pair: PairSum, out: InstantRecord) -> None:
    """Take the middle of the closest points, if none were closer before, and the contacts."""
    if record.distance < pair.nearest:
        pair.nearest = record.distance
        pair.point = between(record.point_a, record.point_b)
    for k in range(record.count):
        found, contact = record.contacts[k], out.contacts[out.contact_count]
        copy_contact(found, contact)
        weight = norm(found.force)
        pair.weight += weight
        pair.weighted = along(pair.weighted, weight, found.point)
        out.contact_count += 1


def finish_point(pair: PairSum) -> None:
    """Take the weighted mean of the points, if anything has a weight."""
    if pair.weight > 0.0:
        x, y, z = pair.weighted
        pair.point = (x / pair.weight, y / pair.weight, z / pair.weight)


def add_force(contact: ContactRecord, pair: PairSum, out: InstantRecord) -> None:
    """Add the force of a contact, and its torque, to its pair and to both bodies."""
    force, torque = contact.force, contact.torque
    pair.force = along(pair.force, 1.0, force)
    pair.torque = along(pair.torque, 1.0, cross(minus(contact.point, pair.point), force))
    load(out.bodies[pair.body_a], contact.point, times(-1.0, force))
    load(out.bodies[pair.body_b], contact.point, force)
    if torque[0] != 0.0 or torque[1] != 0.0 or torque[2] != 0.0:
        pair.torque = along(pair.torque, 1.0, torque)
        for body, way in ((out.bodies[pair.body_a], -1.0), (out.bodies[pair.body_b], 1.0)):
            body.torque = along(body.torque, way, torque)


def load(body: BodyMotion, point: Triple, force: Triple) -> None:
    """Add a force at a point to the contact load of a body."""
    body.force = along(body.force, 1.0, force)
    body.torque = along(body.torque, 1.0, cross(minus(point, body.com), force))
