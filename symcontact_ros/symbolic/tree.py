"""Tree of the moving links of a structure, in symbols: poses, velocities, Jacobians."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sm

from symcontact_ros.model.structure import Structure
from symcontact_ros.symbolic.links import LinkBuilder, SymbolicLink
from symcontact_ros.symbolic.recorder import identity, Matrix, negative, Recorder, Vector, zeros
from symcontact_ros.symbolic.reduction import JointInputs, Reduction


@dataclass
class Inputs:
    """The symbols of a group's equations, block by block."""

    q: list[sm.Symbol]
    u: list[sm.Symbol]
    udot: list[sm.Symbol]  # given accelerations, for inverse dynamics
    effort: list[sm.Symbol]  # a generalised force per speed
    wrench: list[sm.Symbol]  # per moving link Fx Fy Fz Tx Ty Tz; world axes, about the com
    slots: list[sm.Symbol]
    gravity: list[sm.Symbol]  # world axes


@dataclass
class Attachment:
    """Pose of a link of the structure on the moving link that carries it (-1: the world)."""

    link: int
    rotation: Matrix
    position: Vector
    com: Vector  # centre of mass in the link's own frame


class Tree:
    """The moving links of a structure with all that is fixed to them, and their motion."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self.recorder = Recorder()
        self.inputs = _inputs(structure)
        self.attachments: list[Attachment] = []  # one per link of the structure
        self.links: list[SymbolicLink] = []  # those that move, with all that is fixed to them
        self.reduction = Reduction(self.recorder, len(self.inputs.u))
        self.builder = LinkBuilder(self.recorder, self.inputs.slots)
        self._assemble()
        for link in self.links:
            self._velocity(link)

    def qdot(self) -> Vector:
        """Return the rates of the coordinates."""
        return [rate for link in self.links if not link.follows for rate in link.motion.qdot]

    @cached_property
    def frames(self) -> list[tuple[Matrix, Vector]]:
        """Rotation and position in the world of every link of the structure."""
        r = self.recorder
        frames = []
        for attachment in self.attachments:
            if attachment.link < 0:
                frames.append((attachment.rotation, attachment.position))
                continue
            carrier = self.links[attachment.link]
            position = r.add(carrier.origin, r.rotate(carrier.attitude, attachment.position))
            frames.append((r.multiply(carrier.attitude, attachment.rotation), position))
        return frames

    def coms(self) -> list[Vector]:
        """Return the centre of mass, in the world, of every link of the structure."""
        return [
            self.recorder.add(position, self.recorder.rotate(rotation, attachment.com))
            for (rotation, position), attachment in zip(self.frames, self.attachments, strict=True)
        ]

    def twists(self) -> list[tuple[Vector, Vector]]:
        """Return velocity of the com and angular velocity, world axes, of every link."""
        r = self.recorder
        twists = []
        for attachment in self.attachments:
            if attachment.link < 0:
                twists.append((zeros(), zeros()))
                continue
            link = self.links[attachment.link]
            arm = r.add(attachment.position, r.rotate(attachment.rotation, attachment.com))
            velocity = r.add(link.linear, r.cross(link.angular, arm))
            twists.append(
                (r.rotate(link.attitude, velocity), r.rotate(link.attitude, link.angular))
            )
        return twists

    def jacobian(self, index: int, point: Vector) -> list[Vector]:
        """
        Return the Jacobian of a point of a link of the structure: a row per speed.

        ``point`` is in the link's frame; a row is (linear, angular), world axes.
        """
        r = self.recorder
        attachment = self.attachments[index]
        rotation, origin = self.frames[index]
        place = r.add(origin, r.rotate(rotation, point))
        rows: list[Vector] = [zeros() + zeros() for _ in self.reduction.places]
        at = attachment.link
        while at >= 0:
            link = self.links[at]
            arm = r.add(place, negative(link.origin))
            for k, (linear, turn) in enumerate(self.columns(link)):
                rows[link.first_speed + k] = r.add(linear, r.cross(turn, arm)) + turn
            at = link.parent
        return self.reduction.rows(rows)

    def columns(self, link: SymbolicLink) -> list[tuple[Vector, Vector]]:
        """Return velocity of a link's origin and turn per unit of each speed, world axes."""
        attitude, columns = link.attitude, link.motion.columns
        if link.motion.steady is not None:  # shorter: free of the joint's own angle
            parent = self.links[link.parent].attitude if link.parent >= 0 else identity()
            attitude, columns = self.recorder.multiply(parent, link.base), link.motion.steady
        rotate = self.recorder.rotate
        return [(rotate(attitude, linear), rotate(attitude, turn)) for linear, turn in columns]

    def combined(self, link: SymbolicLink, part: int, rates: Vector | None = None) -> Vector:
        """Return the columns of a joint times its speeds: part 0 linear, 1 angular."""
        factors = link.u if rates is None else rates
        columns = [column[part] for column in link.motion.columns]
        return [
            self.recorder.dot([column[axis] for column in columns], factors) for axis in range(3)
        ]

    def _assemble(self) -> None:
        """Build the moving links; links fixed to one become part of it."""
        motions = JointInputs(self.structure, self.inputs.q, self.inputs.u, self.builder)
        for index, link in enumerate(self.structure.links):
            rotation = self.builder.fixed_rotation(link)
            position = self.builder.entries(link.position)
            carrier = -1
            if link.parent >= 0:
                carrier, rotation, position = self._on_carrier(link.parent, rotation, position)
            inertia = self.builder.inertia(link)
            com = self.builder.entries(link.com)
            if link.kind.is_fixed:
                self.attachments.append(Attachment(carrier, rotation, position, com))
                if carrier >= 0:
                    moved = self.builder.moved(inertia, rotation, position)
                    whole = self.builder.sum(self.links[carrier].inertia, moved)
                    self.links[carrier].inertia = whole
                continue
            q, u = motions.q(index), motions.u(index)
            motion = self.builder.joint(link, q, u)
            r = self.recorder
            self.attachments.append(Attachment(len(self.links), identity(), zeros(), com))
            self.links.append(
                SymbolicLink(
                    carrier,
                    rotation,
                    r.multiply(rotation, motion.rotation),
                    r.add(position, r.rotate(rotation, motion.position)),
                    motion,
                    u,
                    len(self.reduction.places),
                    inertia,
                    com,
                    self.builder.entry(link.armature),
                    link.leader >= 0,
                )
            )
            self.reduction.places += motions.places(index)

    def _on_carrier(
        self, parent: int, rotation: Matrix, position: Vector
    ) -> tuple[int, Matrix, Vector]:
        """Return the moving link that carries a parent, and a pose in the parent as one in it."""
        r = self.recorder
        on = self.attachments[parent]
        place = r.add(on.position, r.rotate(on.rotation, position))
        return on.link, r.multiply(on.rotation, rotation), place

    def _velocity(self, link: SymbolicLink) -> None:
        """Set pose in the world, and velocity in body axes, of a link."""
        r = self.recorder
        link.joint_linear = self.combined(link, 0)
        link.joint_angular = self.combined(link, 1)
        if link.parent < 0:
            link.attitude, link.origin = link.rotation, link.position
            link.linear, link.angular = link.joint_linear, link.joint_angular
            return
        parent = self.links[link.parent]
        link.attitude = r.multiply(parent.attitude, link.rotation)
        link.origin = r.add(parent.origin, r.rotate(parent.attitude, link.position))
        carried = r.add(parent.linear, r.cross(parent.angular, link.position))
        link.linear = r.add(r.rotate_back(link.rotation, carried), link.joint_linear)
        link.angular = r.add(r.rotate_back(link.rotation, parent.angular), link.joint_angular)


def _inputs(structure: Structure) -> Inputs:
    def symbols(letter: str, count: int) -> list[sm.Symbol]:
        return [sm.Symbol(f'{letter}{i}', real=True) for i in range(count)]

    q = sum(link.coordinates for link in structure.links)
    u = sum(link.speeds for link in structure.links)
    moving = sum(not link.kind.is_fixed for link in structure.links)
    return Inputs(
        symbols('q', q),
        symbols('u', u),
        symbols('a', u),
        symbols('e', u),
        symbols('w', 6 * moving),
        symbols('p', structure.slots),
        symbols('g', 3),
    )
