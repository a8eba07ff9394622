"""Tables of the implicit step: velocities, order of elimination, columns of joints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import itertools
from typing import Any, NamedTuple, TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.joints.joint_motion import JointNumbers
from symcontact_ros.kernels.records import Image, layout_of, slots_of
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body
from symcontact_ros.model.structure import Group
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.world.solver_records import Solver
from symcontact_ros.simulation.world.world_records import Group as GroupRecord
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.world.layout import Layout

IN_BODY, IN_PARENT = range(2)  # axes of a column


class Room(NamedTuple):
    """Sizes of the blocks that grow with the contacts."""

    rows: int
    columns: int
    factor: int
    neighbours: int
    members: int


NO_ROOM = Room(0, 0, 0, 0, 0)
LARGE = 48  # velocities of an island from which the sparse factor is faster


class Column(NamedTuple):
    """A joint column of a group, without its numbers."""

    body: Body
    own: int  # which speed of the joint
    speed: int  # of the group
    side: int  # IN_BODY or IN_PARENT
    axes: int  # link of these axes; -1: the world
    origin: int


class GroupTables:
    """Tables of one group; links are numbered as in its structure."""

    def __init__(self, model: Model, group: Group, places: JointPlaces) -> None:
        self.count = len(group.u)
        links = {name: i for i, name in enumerate(group.bodies)}
        speeds = {speed: i for i, speed in enumerate(group.u)}
        self.columns: list[Column] = []
        self.chains: list[list[int]] = []
        own: dict[str, list[int]] = {}
        for name in group.bodies:
            body = model.body(name)
            chain = list(own.get(body.joint.parent, ()))
            if not body.joint.kind.is_fixed:
                first = places.u[name].start
                parent = links.get(body.joint.parent, -1)
                for column in _columns(body, links[name], parent, first, speeds):
                    chain.append(len(self.columns))
                    self.columns.append(column)
            own[name] = chain
            self.chains.append(chain)
        self.entries = self._coupled()
        self.elimination = self._elimination(model, group, places, speeds)
        self.profile = self._profile()

    def _coupled(self) -> list[tuple[int, int]]:
        """Return the pairs of speeds that move a common link: row >= column."""
        found = {(i, i) for i in range(self.count)}
        for chain in self.chains:
            moving = sorted({self.columns[number].speed for number in chain})
            found |= {(i, j) for i, j in itertools.product(moving, moving) if i >= j}
        return sorted(found)

    def _elimination(
        self, model: Model, group: Group, places: JointPlaces, speeds: dict[int, int]
    ) -> list[int]:
        """Return the place of every speed when leaves come first, branch by branch."""
        children: dict[str, list[str]] = {}
        roots = []
        for name in group.bodies:
            parent = model.body(name).joint.parent
            if parent in group.bodies:
                children.setdefault(parent, []).append(name)
            else:
                roots.append(name)
        order: list[int] = []
        waiting = [(name, False) for name in reversed(roots)]
        while waiting:
            name, is_done = waiting.pop()
            if not is_done:
                waiting.append((name, True))
                waiting += [(child, False) for child in reversed(children.get(name, ()))]
            elif model.body(name).joint.speeds:
                own = range(places.u[name].start, places.u[name].stop)
                order += [speeds[speed] for speed in reversed(own)]
        elimination = [0] * self.count
        for place, speed in enumerate(order):
            elimination[speed] = place
        return elimination

    def _profile(self) -> list[int]:
        """Return the first place that every place is coupled with."""
        first = list(range(self.count))
        for i, j in self.entries:
            low, high = sorted((self.elimination[i], self.elimination[j]))
            first[high] = min(first[high], low)
        return first


def _columns(
    body: Body, link: int, parent: int, first: int, speeds: dict[int, int]
) -> Iterator[Column]:
    """Yield the columns of a joint, in axes of its body and of its parent."""
    some = tuple(0.7 + 0.1 * i for i in range(len(body.joint.constants)))
    for side, axes in ((IN_BODY, link), (IN_PARENT, parent)):
        linear, angular = _numbers(body, side, np.eye(3), some)
        for i in range(body.joint.kind.speeds):
            if linear[:, i].any() or angular[:, i].any():
                yield Column(body, i, speeds[first + i], side, axes, link)


def _numbers(
    body: Body, side: int, turn: Vector, constants: tuple[float, ...]
) -> tuple[Vector, Vector]:
    """
    Return linear and angular columns of a joint in the axes of a side.

    Columns are linear in the axes of the body and of the joint frame: with one of the two at zero
    they are what is constant in the other.
    """
    none = np.zeros((3, 3))
    attitude, frame = (np.eye(3), none) if side == IN_BODY else (none, turn)
    axis = np.array(body.joint.axis, float)
    joint = JointNumbers(axis, constants, attitude, lambda: frame)
    linear, angular = body.joint.kind.columns(joint)
    return linear, angular


@dataclass
class _Places:
    """Where the tables of the next group begin."""

    entry: int = 0
    chain: int = 0
    link: int = 0  # among the columns of chains
    column: int = 0
    joint: int = 0


class SolverLayout:
    """Sizes and tables of the memory of the implicit step."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        model = layout.model
        places = JointPlaces(model)
        self.speeds = 3 if layout.is_planar else 6  # of a floating body
        groups = [layout.dynamics.groups[number] for number in layout.groups]
        self._groups = [GroupTables(model, group, places) for group in groups]
        floating = self.speeds * len(layout.floating)
        counts = [tables.count for tables in self._groups]
        self._starts = list(itertools.accumulate(counts, initial=floating))
        self.velocities = self._starts[-1]
        self._joints: list[list[int]] = [[] for _ in self._groups]  # of every group
        singles = [body for body in model.moving if body.joint.kind.is_single]
        for number, body in enumerate(singles):
            own, _ = layout.effort_place(places.u[body.name].start)
            self._joints[own].append(number)

    def counts(self, room: Room) -> dict[str, int]:
        """Return how many members each block of the solver has."""
        n, blocks = self.velocities, len(self._layout.floating) + len(self._groups)
        vectors = (
            *('elimination', 'profile', 'place', 'first', 'row_at', 'column_of', 'diagonal'),
            *('bias_speeds', 'first_start', 'first_speeds', 'start', 'speeds', 'applied'),
            *('impulses', 'start_products', 'products', 'gradient', 'direction'),
            *('direction_products', 'solution', 'part'),
        )
        return {
            **dict.fromkeys(vectors, n),
            **dict.fromkeys(('blocks', 'block_order', 'islands', 'degrees'), blocks),
            **dict.fromkeys(('sequence', 'panels', 'shifts', 'runs'), blocks),
            'mass_entries': sum(len(tables.entries) for tables in self._groups),
            'joint_columns': sum(len(tables.columns) for tables in self._groups),
            'chains': sum(len(tables.chains) for tables in self._groups),
            'chain_columns': sum(len(chain) for t in self._groups for chain in t.chains),
            'joint_order': len(self._layout.model.joint_names),
            'rows': room.rows,
            'row_order': room.rows,
            'columns': room.columns,
            'anchors': room.rows,
            'factor': room.factor,
            'neighbours': room.neighbours,
            'members': room.members,
        }

    def slots(self, room: Room) -> int:
        """Return how many numbers all blocks have."""
        return sum(count * _slots(name) for name, count in self.counts(room).items())

    def refer(self, image: Image[Any], room: Room) -> None:
        """Write where the blocks are."""
        start = 0
        for name, count in self.counts(room).items():
            image.refer('solvers', 0, name, target='solver_memory', start=start, count=count)
            start += count * _slots(name)

    def write(self, image: Image[Any]) -> None:
        """Write the tables that no live symbol changes."""
        solver = image.record.solver
        for i in range(self.velocities):
            solver.column_of[i] = -1
        for i, body in enumerate(self._layout.floating):
            block = solver.blocks[i]
            block.body, block.group = self._layout.index[body.name], -1
            block.start, block.count = self.speeds * i, self.speeds
            for k in range(self.speeds):
                solver.elimination[block.start + k] = k
                solver.profile[block.start + k] = min(k, 3)
        at = _Places()
        for own, tables in enumerate(self._groups):
            number = len(self._layout.floating) + own
            block = solver.blocks[number]
            block.body, block.group = -1, own
            block.start, block.count = self._starts[own], tables.count
            for k in range(tables.count):
                solver.elimination[block.start + k] = tables.elimination[k]
                solver.profile[block.start + k] = tables.profile[k]
            group = image.record.groups[own]
            group.block = number
            self._write_group(solver, group, tables, self._joints[own], at)

    @staticmethod
    def _write_group(
        solver: Solver, group: GroupRecord, tables: GroupTables, joints: list[int], at: _Places
    ) -> None:
        """Write mass entries, chains, columns and joints of a group, from some places on."""
        group.first_entry, group.entry_count = at.entry, len(tables.entries)
        for i, (row, column) in enumerate(tables.entries, at.entry):
            solver.mass_entries[i].row, solver.mass_entries[i].column = row, column
        group.first_chain = at.chain
        for i, chain in enumerate(tables.chains, at.chain):
            solver.chains[i].first, solver.chains[i].count = at.link, len(chain)
            for k in chain:
                solver.chain_columns[at.link] = at.column + k
                at.link += 1
        group.first_column, group.column_count = at.column, len(tables.columns)
        for i, own in enumerate(tables.columns, at.column):
            record = solver.joint_columns[i]
            record.speed, record.axes, record.origin = own.speed, own.axes, own.origin
        group.first_joint, group.joint_count = at.joint, len(joints)
        for i, joint in enumerate(joints, at.joint):
            solver.joint_order[i] = joint
        at.entry += len(tables.entries)
        at.chain += len(tables.chains)
        at.column += len(tables.columns)
        at.joint += len(joints)

    def write_values(self, image: Image[Any], values: Values) -> None:
        """Write what depends on live symbols: inertias and axes."""
        solver = image.record.solver
        for i, body in enumerate(self._layout.floating):
            block = solver.blocks[i]
            (block.mass,) = evaluate_all((body.mass,), values)
            block.moments = evaluate_all(body.inertia, values)
        number = 0
        for tables in self._groups:
            for column in tables.columns:
                joint = column.body.joint
                turn = matrix(joint.origin.rotation.evaluated(values))
                constants = evaluate_all(joint.constants, values)
                linear, angular = _numbers(column.body, column.side, turn, constants)
                factor = multiplier_of(column.body, values)
                record = solver.joint_columns[number]
                record.linear = tuple((factor * linear[:, column.own]).tolist())
                record.angular = tuple((factor * angular[:, column.own]).tolist())
                number += 1


def _slots(name: str) -> int:
    return slots_of(layout_of(Solver).fields[name].kind.member)
