"""Record of a query of two shapes: distance, closest points, contacts."""

from __future__ import annotations

from collections.abc import Callable

from symcontact_ros.collision.contact_points import ContactPoint, MOST, OwnNormals
from symcontact_ros.collision.shape_pair import ANY, CORNER, F, NO_PROGRAM, Pair, S, V, WarmStart
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record, Rows
from symcontact_ros.kernels.vectors.spatial import opposite
from symcontact_ros.shapes.records import Triple


class ContactRecord(Record):
    """One contact point of two shapes; A < B by the names of their bodies, if they have some."""

    pair: int  # row of the pair of bodies in the model, if there is one
    distance: float  # signed, along the normal of the contacts [m]
    point: Triple  # midway between the two surfaces [m]
    normal: Triple  # unit, from A to B
    share: float  # part of the stiffness of the pair that it carries
    feature: int  # which vertices and faces meet there: the same as long as they do
    force: Triple  # on B [N]; zeros where no law is known
    torque: Triple  # on B about the normal, beside the moment of the force [N m]
    anchored: float  # energy in the anchor of friction [J]


class ProximityRecord(Record):
    """Two shapes, apart or in overlap, in the world; a vector of the plane has z = 0."""

    shape_a: int  # numbers of the shapes, if they have some
    shape_b: int
    bodies: int  # row of the pair of bodies in the model, if there is one
    material: int  # number of that of the pair, if it has one
    distance: float  # [m]; negative in overlap: minus the minimum translation
    normal: Triple  # unit, from A to B
    point_a: Triple  # on the boundary of A [m]
    point_b: Triple  # on the boundary of B [m]
    status: int  # see `shape_pair`
    contact_normal: Triple  # unit, from A to B; zeros when apart
    count: int  # of contacts; 0 when apart
    contacts: Rows[ContactRecord] = embedded(MOST)


def write_proximity(
    record: ProximityRecord,
    pair: Pair[S, F, V],
    in_space: Callable[[V], Triple],
    a: S,
    frame_a: F,
    b: S,
    frame_b: F,
    points: Rows[ContactPoint],
    warm: WarmStart,
    work: Floats,
) -> None:
    """
    Write the whole result of a query of two shapes; their numbers are left as they are.

    Parameters
    ----------
    in_space
        Gives three numbers of a vector of the pair.
    points
        Room for MOST contact points, which stay there.
    warm, work
        Memory to be used; there is no warm start.
    """
    distance, normal, point_a, point_b, status = pair.gap(a, frame_a, b, frame_b, work)
    record.distance = distance
    record.normal = in_space(normal)
    record.point_a = in_space(point_a)
    record.point_b = in_space(point_b)
    record.status = status
    record.contact_normal = (0.0, 0.0, 0.0)
    record.count = 0
    if distance < 0.0:
        warm.program = NO_PROGRAM
        _, feature, _ = pair.query(a, frame_a, b, frame_b, CORNER, ANY, warm, work)
        count, direction = pair.contacts(a, frame_a, b, frame_b, feature, points, warm, work)
        record.contact_normal = in_space(direction)
        record.count = count
        for number in range(count):
            contact = record.contacts[number]
            write_contact(contact, points[number], record.contact_normal, pair.shares)
            if pair.has_normals:  # known while compiling
                contact.normal = OwnNormals.at(work).rows[number].normal


def write_contact(
    contact: ContactRecord, point: ContactPoint, normal: Triple, shares: float
) -> None:
    """Write a contact point of a pair with so many shares, without a force."""
    contact.normal = normal
    contact.distance = point.distance
    contact.point = point.point
    contact.share = point.shares / shares
    contact.feature = point.feature
    contact.force = (0.0, 0.0, 0.0)
    contact.torque = (0.0, 0.0, 0.0)
    contact.anchored = 0.0


def copy_contact(source: ContactRecord, target: ContactRecord) -> None:
    """Write all of a contact into another one."""
    target.pair = source.pair
    target.distance = source.distance
    target.point = source.point
    target.normal = source.normal
    target.share = source.share
    target.feature = source.feature
    target.force = source.force
    target.torque = source.torque
    target.anchored = source.anchored


def keep_touching(record: ProximityRecord) -> None:
    """Leave only the contacts that are in overlap."""
    count = 0
    for i in range(record.count):
        if record.contacts[i].distance < 0.0:
            if count < i:
                copy_contact(record.contacts[i], record.contacts[count])
            count += 1
    record.count = count


def keep_deepest(record: ProximityRecord) -> None:
    """Leave only the deepest contact, with all of the stiffness."""
    only = 0
    for i in range(1, record.count):
        if record.contacts[i].distance < record.contacts[only].distance:
            only = i
    if record.count > 0:
        copy_contact(record.contacts[only], record.contacts[0])
        record.contacts[0].share = 1.0
        record.count = 1


def reverse(record: ProximityRecord) -> None:
    """Let A and B change places."""
    shape, point = record.shape_a, record.point_a
    record.shape_a = record.shape_b
    record.shape_b = shape
    record.point_a = record.point_b
    record.point_b = point
    record.normal = opposite(record.normal)
    record.contact_normal = opposite(record.contact_normal)
    for i in range(record.count):
        contact = record.contacts[i]
        contact.normal = opposite(contact.normal)
        contact.force = opposite(contact.force)
        contact.torque = opposite(contact.torque)
