"""Poses and motions of the bodies of a model, in the symbols of the model."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sm

from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import WORLD as WORLD_NAME
from symcontact_ros.model.structure import Group, groups_of
from symcontact_ros.symbolic.contact.frames import Frame, frame_of, WORLD
from symcontact_ros.symbolic.expansion import needed
from symcontact_ros.symbolic.naming import expression, names_of
from symcontact_ros.symbolic.recorder import negative, Recorder, Vector
from symcontact_ros.symbolic.tree import Tree

SpeedOfJoint = tuple[int, int]


@dataclass(frozen=True)
class JointSpeed:
    """Velocities per unit of one speed of all bodies that a joint carries, world axes."""

    linear: Vector  # velocity of the joint's body at ``origin``
    turn: Vector  # angular velocity
    origin: Vector


@dataclass(frozen=True)
class Motion:
    """The frame of a body, and the speeds that move it."""

    frame: Frame
    # By index in u, and number of the joint: followers of a joint move with its speed.
    speeds: dict[SpeedOfJoint, JointSpeed] = field(default_factory=dict)


class Motions:
    """Frames and motions of the bodies of a model; names stand in ``recorder.assignments``."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names = names_of(model)
        self.recorder = Recorder()
        self._groups = groups_of(model)
        self._known: dict[str, Motion] = {}

    def __getitem__(self, body: str) -> Motion:
        """Return the motion of a body."""
        if body not in self._known:
            if body in self.model.grounded:
                self._known[body] = Motion(self._standing(body))
            else:
                (group,) = (g for g in self._groups if body in g.bodies)
                self._known |= self._moving(group)
        return self._known[body]

    def relative_velocity(
        self, bodies: tuple[str, str], places: tuple[Vector, Vector]
    ) -> dict[int, Vector]:
        """
        Return, per speed that counts, the velocity of B at its place minus that of A at its own.

        The places may differ along a normal: its component along the normal is the same.
        """
        r = self.recorder
        of_a, of_b = (self[body].speeds for body in bodies)
        relative: dict[int, Vector] = {}
        for key in sorted(of_a.keys() ^ of_b.keys()):  # joints common to both cancel
            speed, place = (of_b, places[1]) if key in of_b else (of_a, places[0])
            arm = r.add(place, negative(speed[key].origin))
            velocity = r.add(speed[key].linear, r.cross(speed[key].turn, arm))
            velocity = velocity if key in of_b else negative(velocity)
            index = key[0]
            relative[index] = r.add(relative[index], velocity) if index in relative else velocity
        return relative

    def _standing(self, body: str) -> Frame:
        """Return the frame of a body that never moves."""
        joint = self.model.body(body).joint
        outer = WORLD if joint.parent == WORLD_NAME else self._standing(joint.parent)
        return frame_of(joint.origin, self.names.live).within(self.recorder, outer)

    def _moving(self, group: Group) -> dict[str, Motion]:
        """Return the motions of the bodies of a group, as the equations of motion have them."""
        tree = Tree(group.structure)
        columns = [
            [
                (at, tree.recorder.scale(factor, linear), tree.recorder.scale(factor, turn))
                for (linear, turn), (at, factor) in zip(
                    tree.columns(link), tree.reduction.places[link.first_speed :], strict=False
                )
            ]
            for link in tree.links
        ]
        frames = tree.frames
        wanted = [x for own in columns for _, linear, turn in own for x in (*linear, *turn)]
        wanted += [x for rotation, place in frames for row in (*rotation, place) for x in row]
        wanted += [x for link in tree.links for x in link.origin]
        meaning = self._meaning(tree, group, wanted)

        def in_model(vector: Vector) -> Vector:
            return [self.recorder.name(component.xreplace(meaning)) for component in vector]

        speeds = [
            {
                (group.u[at], joint): JointSpeed(
                    in_model(linear), in_model(turn), in_model(link.origin)
                )
                for at, linear, turn in own
            }
            for joint, (link, own) in enumerate(zip(tree.links, columns, strict=True))
        ]
        motions = {}
        for name, attachment, (rotation, position) in zip(
            group.bodies, tree.attachments, frames, strict=True
        ):
            frame = Frame([in_model(row) for row in rotation], in_model(position))
            moved_by: dict[SpeedOfJoint, JointSpeed] = {}
            at = attachment.link
            while at >= 0:
                moved_by |= speeds[at]
                at = tree.links[at].parent
            motions[name] = Motion(frame, moved_by)
        return motions

    def _meaning(
        self, tree: Tree, group: Group, wanted: list[sm.Expr]
    ) -> dict[sm.Symbol, sm.Expr]:
        """Return the symbols and names of a group's tree as expressions of the model."""
        inputs, names = tree.inputs, self.names
        meaning: dict[sm.Symbol, sm.Expr] = {}
        meaning |= {s: names.q[i] for s, i in zip(inputs.q, group.q, strict=True)}
        for symbol, scalar in zip(inputs.slots, group.slots, strict=True):
            meaning[symbol] = expression(scalar, names.live)
        for symbol, value in needed(tree.recorder.assignments, wanted):
            meaning[symbol] = self.recorder.name(value.xreplace(meaning))
        return meaning
