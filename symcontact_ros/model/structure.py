"""
Structure of a model: all that decides the form of its equations, without their numbers.

A model falls into groups, one for each tree that stands or moves in the world; trees of which one
has a joint that mimics a joint of the other are one group. The structure of a group names its
joints and says of every number only whether it is 0, 1, -1 or something else; something else is a
*slot*, a number that may change without new equations. Groups of the same structure share their
equations: 200 free bodies are derived once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
import hashlib
import json

from symcontact_ros.expressions import evaluate_all, Formula, Scalar, Values
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.table import JOINT_TYPES
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, Mimic, WORLD
from symcontact_ros.placements import Rotation

VERSION = 4  # of the derivation: a change of the equations' form makes old cache entries stale
Entry = int | str  # 0, 1, -1, or 'p3' for slot 3


@dataclass(frozen=True)
class Link:
    """A body in a structure; vectors and matrices are flat tuples of entries."""

    parent: int  # index in the structure; -1: the world
    type: str  # of its joint
    axis: tuple[Entry, ...]  # in the body frame
    position: tuple[Entry, ...]  # of the joint, in the parent's frame
    rotation: tuple[Entry, ...]  # 9 of a matrix, row by row, or 3: roll, pitch, yaw
    mass: Entry
    com: tuple[Entry, ...]
    inertia: tuple[Entry, ...]  # xx, yy, zz, xy, xz, yz about the centre of mass
    armature: Entry
    constants: tuple[Entry, ...] = ()  # the numbers of the joint type's own keys
    leader: int = -1  # index of the link whose joint its joint follows; -1: none
    multiplier: Entry = 0  # q = multiplier * q_leader + offset
    offset: Entry = 0

    @property
    def kind(self) -> JointType:
        """The type of its joint."""
        return JOINT_TYPES[self.type]

    @property
    def coordinates(self) -> int:
        """Number of coordinates of its own: none of a follower."""
        return 0 if self.leader >= 0 else self.kind.coordinates

    @property
    def speeds(self) -> int:
        """Number of speeds of its own: none of a follower."""
        return 0 if self.leader >= 0 else self.kind.speeds


@dataclass(frozen=True)
class Structure:
    """The links of a group, parents first, and how many slots they have."""

    links: tuple[Link, ...]
    slots: int

    def key(self) -> str:
        """Return a hash that is equal for equal structures."""
        text = json.dumps([VERSION, self.slots, [vars(link) for link in self.links]])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Group:
    """Trees of a model that move by themselves: one, or several that mimic joints couple."""

    bodies: tuple[str, ...]  # one name per link, fixed ones included
    structure: Structure
    slots: tuple[Scalar, ...]
    q: tuple[int, ...]  # which coordinates of the model are its own
    u: tuple[int, ...]  # which speeds

    @property
    def moving_count(self) -> int:
        """How many links have a joint that moves."""
        return sum(not link.kind.is_fixed for link in self.structure.links)

    def numbers(self, gravity: tuple[Scalar, ...], values: Values) -> tuple[float, ...]:
        """Return the numbers in the slots, followed by gravity."""
        return evaluate_all((*self.slots, *gravity), values)


def groups_of(model: Model) -> tuple[Group, ...]:
    """Return the groups of a model, in the order of their first bodies."""
    still = model.grounded
    roots: dict[str, str] = {}  # moving body -> the first moving body below the ground
    for body in model.bodies:
        if body.name not in still:
            on_ground = body.joint.parent == WORLD or body.joint.parent in still
            roots[body.name] = body.name if on_ground else roots[body.joint.parent]
    _couple(model, roots)
    places = JointPlaces(model)
    members: dict[str, list[Body]] = {}
    for body in model.bodies:
        if body.name in roots:
            members.setdefault(roots[body.name], []).append(body)
    return tuple(_group(model, bodies, places) for bodies in members.values())


def _couple(model: Model, roots: dict[str, str]) -> None:
    """Give trees that mimic joints couple the same root."""
    owners = {body.joint.name: body.name for body in model.moving}
    for body in model.bodies:
        if body.joint.mimic is not None:
            kept, other = roots[body.name], roots[owners[body.joint.mimic.joint]]
            if kept != other:
                roots.update({name: kept for name, root in roots.items() if root == other})


def _group(model: Model, bodies: list[Body], places: JointPlaces) -> Group:
    ground = _ground(model, bodies)
    chain = [*ground, *bodies]
    slots: list[Scalar] = []
    index = {body.name: i for i, body in enumerate(chain)}
    joints = {body.joint.name: i for i, body in enumerate(chain) if body.joint.speeds}
    links = tuple(_link(body, index, joints, slots, massless=body in ground) for body in chain)
    q: list[int] = []
    u: list[int] = []
    for body in bodies:
        if body.joint.speeds:
            q += range(places.q[body.name].start, places.q[body.name].stop)
            u += range(places.u[body.name].start, places.u[body.name].stop)
    names = tuple(body.name for body in chain)
    return Group(names, Structure(links, len(slots)), tuple(slots), tuple(q), tuple(u))


def _ground(model: Model, bodies: list[Body]) -> list[Body]:
    """Return the bodies that never move on which bodies of a group stand, parents first."""
    names = {body.name for body in bodies}
    ground: dict[str, Body] = {}
    for body in bodies:
        below: list[Body] = []
        parent = body.joint.parent
        while parent != WORLD and parent not in names and parent not in ground:
            below.insert(0, model.body(parent))
            parent = below[0].joint.parent
        ground.update({fixed.name: fixed for fixed in below})
    return list(ground.values())


def _link(
    body: Body,
    index: dict[str, int],
    joints: dict[str, int],
    slots: list[Scalar],
    massless: bool,
) -> Link:
    def entry(scalar: Scalar) -> Entry:
        if not isinstance(scalar, Formula) and scalar in (0.0, 1.0, -1.0):
            return int(scalar)
        slots.append(scalar)
        return f'p{len(slots) - 1}'

    def entries(scalars: Iterable[Scalar]) -> tuple[Entry, ...]:
        return tuple(entry(scalar) for scalar in scalars)

    joint = body.joint
    weightless = massless or body.mass == 0.0
    mimic = joint.mimic or Mimic('', 0.0)
    return Link(
        index.get(joint.parent, -1),
        joint.type,
        entries(joint.axis if joint.kind.has_axis else (0.0, 0.0, 0.0)),
        entries(joint.origin.position),
        entries(rotation_entries(joint.origin.rotation)),
        0 if weightless else entry(body.mass),
        entries((0.0,) * 3 if massless else body.com),
        entries((0.0,) * 6 if massless else body.inertia),
        entry(joint.armature),
        entries(joint.constants),
        joints.get(mimic.joint, -1),
        entry(mimic.multiplier),
        entry(mimic.offset),
    )


def rotation_entries(rotation: Rotation) -> tuple[Scalar, ...]:
    """Return a rotation of numbers as a matrix, one of formulas as roll, pitch, yaw."""
    if rotation.quaternion is None and any(isinstance(a, Formula) for a in rotation.rpy):
        return rotation.rpy
    x, y, z, w = rotation.evaluated({})
    matrix = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - z * w),
        2 * (x * z + y * w),
        2 * (x * y + z * w),
        1 - 2 * (x * x + z * z),
        2 * (y * z - x * w),
        2 * (x * z - y * w),
        2 * (y * z + x * w),
        1 - 2 * (x * x + y * y),
    )
    # Right angles come out as 1e-17 instead of 0: they are structure, not numbers.
    return tuple(float(round(e)) if abs(e - round(e)) < 1e-12 else e for e in matrix)
