"""
All that can be told of an instant as arrays: for those who look many times a second.

`Simulation.snapshot` and the like make objects with names. Here bodies, pairs and joints are rows,
in the order of the model, and one look costs about a tenth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
import itertools
import math
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.compiled.kernels import available, Kernel
from symcontact_ros.memory import memory_of
from symcontact_ros.model.expressions import evaluate_all
from symcontact_ros.simulation import summaries
from symcontact_ros.simulation.loop import layout, survey
from symcontact_ros.simulation.observation import FEW_PAIRS
from symcontact_ros.simulation.rotations import quaternions
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation

Indices = NDArray[np.int64]
_NUMBERS = ('int', 'memory')
_ARGUMENTS = (*(_NUMBERS * 4), 'memory', 'memory', 'memory')  # of `summaries.summarise`


@dataclass(frozen=True)
class Contacts:
    """Points of contact; A < B by name. SI units, world axes."""

    pair: Indices  # (m,) row of the pair
    body_a: Indices  # (m,) row of the body
    body_b: Indices
    point: Vector  # (m, 3) [m]
    normal: Vector  # (m, 3), from A to B
    distance: Vector  # (m,) [m], negative
    force: Vector  # (m, 3) [N], on B; A receives the opposite


@dataclass(frozen=True)
class Nearness:
    """Pairs of shapes that are near, with their closest points; A < B by the names of bodies."""

    pair: Indices  # (k,) row of the pair of bodies
    body_a: Indices
    body_b: Indices
    point_a: Vector  # (k, 3) [m]
    point_b: Vector  # (k, 3) [m]
    normal: Vector  # (k, 3), from A to B
    distance: Vector  # (k,) [m], negative in overlap


@dataclass(frozen=True)
class Instant:
    """Bodies, pairs and joints as rows in the order of the model. SI units, world axes."""

    position: Vector  # (n, 3) of body origins [m]
    quaternion: Vector  # (n, 4) x, y, z, w; w >= 0
    rotation: Vector  # (n, 3, 3), body components to world components
    com: Vector  # (n, 3) centres of mass [m]; of fixed bodies: their origins
    velocity: Vector  # (n, 3) of the centres of mass [m/s]
    rate: Vector  # (n, 3) angular velocity [rad/s]
    force: Vector  # (n, 3) of all contacts on the body [N]
    torque: Vector  # (n, 3) of them about its centre of mass [N m]
    pair_point: Vector  # (p, 3) force-weighted mean of the contact points; apart: midway [m]
    pair_force: Vector  # (p, 3) on B, the second by name [N]; A receives the opposite
    pair_torque: Vector  # (p, 3) on B about `pair_point` [N m]
    joint_position: Vector  # (j,) [rad or m]
    joint_velocity: Vector  # (j,) [rad/s or m/s]
    joint_effort: Vector  # (j,) what its actuator does: effort and servo [N m or N]
    contacts: Contacts


class Observer:
    """
    Looks at a simulation: ``instant = observer.look()``.

    Call `refresh` when live symbols or options have changed.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        model = self._model = simulation.model
        names = list(model.body_names)
        shapes = [names[body] for body, _ in simulation._tables.placed]
        self._body_of_shape = np.array([names.index(name) for name in shapes], dtype=np.int64)
        pairs = {pair: row for row, pair in enumerate(model.pairs)}
        self._bodies_of_pair = np.array(
            [(names.index(a), names.index(b)) for a, b in pairs], dtype=np.int64
        ).reshape(-1, 2)
        known = np.zeros((len(shapes), len(shapes), summaries.KNOWN))
        for (i, one), (j, other) in itertools.product(enumerate(shapes), repeat=2):
            a, b = min(one, other), max(one, other)
            known[i, j] = pairs.get((a, b), -1), 1.0 if one == a else -1.0
        self._known = known
        self._pair_bodies = self._bodies_of_pair.astype(float)
        self._sums = np.zeros((len(pairs), summaries.SUM))
        self._nets = np.zeros((len(names), summaries.NET))
        self._rows = np.zeros((0, summaries.ROW))
        self._summarise = _compiled(simulation)
        self._arguments: list[Any] = []
        self._make_room(16)
        joints = simulation._arrays['joints'].reshape(-1, layout.JOINT)
        self._joint_q = joints[:, layout.JOINT_Q].astype(np.int64)
        self._joint_u = joints[:, layout.JOINT_U].astype(np.int64)
        self.refresh()

    def refresh(self) -> None:
        """Take the live symbols and the options of the simulation as they are now."""
        simulation, model = self._simulation, self._model
        values = simulation.parameters
        fixed = model.grounded
        self._com = np.array(
            [
                (0.0, 0.0, 0.0) if body.name in fixed else evaluate_all(body.com, values)
                for body in model.bodies
            ]
        ).reshape(-1, 3)
        simulation._survey.spent = math.inf  # compiled at once: many looks will follow

    def look(self) -> Instant:
        """Return all about now."""
        simulation = self._simulation
        few = len(self._bodies_of_pair) <= FEW_PAIRS
        near = simulation._survey(1e300 if few else simulation.proximity_range)
        rotation, com, velocity, rate = self._motions()
        contacts = self._sum_up(near, com)
        state = simulation._arrays['state']
        q, u = state[self._joint_q], state[self._joint_u]
        sums, nets = self._sums.copy(), self._nets.copy()
        return Instant(
            com - np.einsum('nij,nj->ni', rotation, self._com),
            quaternions(rotation),
            rotation,
            com,
            velocity,
            rate,
            nets[:, :3],
            nets[:, 3:],
            sums[:, summaries.SUM_POINT : summaries.SUM_POINT + 3],
            sums[:, summaries.SUM_FORCE : summaries.SUM_FORCE + 3],
            sums[:, summaries.SUM_TORQUE : summaries.SUM_TORQUE + 3],
            q,
            u,
            self._efforts(q, u),
            contacts,
        )

    def _sum_up(self, records: Vector, com: Vector) -> Contacts:
        """Sum contacts up by pair and by body; return all of them."""
        count = int(records[:, survey.PAIR_COUNT].sum())
        if count > len(self._rows):
            self._make_room(2 * count)
        self._com_now[:] = com
        self._summarise(len(records), self._block(records), *self._arguments)
        rows = self._rows[:count].copy()
        whole = rows[:, : summaries.ROW_POINT].astype(np.int64)
        return Contacts(
            whole[:, summaries.ROW_PAIR],
            whole[:, summaries.ROW_A],
            whole[:, summaries.ROW_B],
            rows[:, summaries.ROW_POINT : summaries.ROW_POINT + 3],
            rows[:, summaries.ROW_NORMAL : summaries.ROW_NORMAL + 3],
            rows[:, summaries.ROW_DISTANCE],
            rows[:, summaries.ROW_FORCE : summaries.ROW_FORCE + 3],
        )

    def places(self) -> tuple[Vector, Vector, Vector]:
        """Return attitude, centre of mass and origin of all bodies, and nothing else."""
        self._simulation._survey(0.0)  # writes where they are
        rotation, com, _, _ = self._motions()
        return rotation, com, com - np.einsum('nij,nj->ni', rotation, self._com)

    def nearness(self) -> Nearness:
        """Return the pairs of shapes whose boxes are nearer than ``proximity_range``."""
        records = self._simulation._survey(self._simulation.proximity_range)
        one = records[:, survey.PAIR_A].astype(np.int64)
        other = records[:, survey.PAIR_B].astype(np.int64)
        known = self._known[one, other]
        pair = known[:, summaries.KNOWN_PAIR].astype(np.int64)
        sign = known[:, summaries.KNOWN_SIGN :]
        first = records[:, survey.PAIR_POINT_A : survey.PAIR_POINT_A + 3]
        second = records[:, survey.PAIR_POINT_B : survey.PAIR_POINT_B + 3]
        bodies = self._bodies_of_pair[pair]
        return Nearness(
            pair,
            bodies[:, 0],
            bodies[:, 1],
            np.where(sign > 0.0, first, second),
            np.where(sign > 0.0, second, first),
            sign * records[:, survey.PAIR_NORMAL : survey.PAIR_NORMAL + 3],
            records[:, survey.PAIR_DISTANCE],
        )

    def _make_room(self, contacts: int) -> None:
        """Make room for contacts; what the kernel is given is looked up here, once."""
        self._rows = np.zeros((contacts, summaries.ROW))
        self._com_now = np.zeros((len(self._nets), 3))
        self._arguments = [
            len(self._known),
            self._block(self._known),
            len(self._sums),
            self._block(self._pair_bodies),
            len(self._nets),
            *map(self._block, (self._com_now, self._sums, self._nets, self._rows)),
        ]

    @staticmethod
    def _block(array: Vector) -> Any:
        """Return an array as kernels take it: its address, or memory for plain Python."""
        return array.ctypes.data if available() else memory_of(array)

    def _motions(self) -> tuple[Vector, Vector, Vector, Vector]:
        """Return attitude, centre of mass, its velocity and the rate of turn of all bodies."""
        simulation = self._simulation
        if not simulation._tables.pairs:  # then no survey has written them
            found = list(simulation._bodies().values())
            twists = np.array([body.twist for body in found])
            rotation = np.array([body.rotation for body in found]).reshape(-1, 3, 3)
            return rotation, np.array([body.com for body in found]), twists[:, :3], twists[:, 3:]
        rows = simulation._arrays['motions'].reshape(len(self._com), -1)
        return _planar_motions(rows) if self._model.dimension == 2 else _spatial_motions(rows)

    def _efforts(self, q: Vector, u: Vector) -> Vector:
        if not len(q):
            return q
        rows = self._simulation._arrays['joints'].reshape(-1, layout.JOINT)
        servo = rows[:, layout.JOINT_KP] * (rows[:, layout.JOINT_TARGET] - q)
        drag = rows[:, layout.JOINT_KD] * (rows[:, layout.JOINT_TARGET_SPEED] - u)
        total: Vector = rows[:, layout.JOINT_APPLIED] + servo + drag
        return total


def _planar_motions(rows: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return attitude, centre of mass, its velocity and the rate of turn; see `loop.planar`."""
    count = len(rows)
    rotation = np.zeros((count, 3, 3))
    rotation[:, 0, 0] = rotation[:, 1, 1] = rows[:, 0]
    rotation[:, 1, 0] = rows[:, 1]
    rotation[:, 0, 1] = -rows[:, 1]
    rotation[:, 2, 2] = 1.0
    com, velocity, rate = np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3))
    com[:, :2] = rows[:, 2:4]
    velocity[:, :2] = rows[:, 4:6]
    rate[:, 2] = rows[:, 6]
    return rotation, com, velocity, rate


def _spatial_motions(rows: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return the same in space; see `loop.spatial`."""
    rotation = rows[:, :9].reshape(-1, 3, 3).transpose(0, 2, 1).copy()
    return rotation, rows[:, 9:12].copy(), rows[:, 12:15].copy(), rows[:, 15:18].copy()


def _compiled(simulation: Simulation) -> Callable[..., None]:
    """Return `summaries.summarise` as machine code, or as it stands where that cannot be had."""
    if not available():
        return summaries.summarise
    kernel = Kernel(summaries.summarise, _ARGUMENTS, simulation._cache)

    def call(*arguments: Any) -> None:
        kernel.function(*arguments)  # the kernel is kept: it owns the code

    return call
