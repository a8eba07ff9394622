"""The equations of a whole model as numeric functions of its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import copy
from dataclasses import dataclass
import math

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.expressions import Values
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.functions import Backend
from symcontact_ros.model.model import Model
from symcontact_ros.model.progress import Progress, report_progress
from symcontact_ros.model.structure import Group, groups_of
from symcontact_ros.simulation.equations.structure_functions import FAMILY_OF, StructureFunctions
from symcontact_ros.types import Vector

Selection = slice | list[int]  # an index of numpy
Wrenches = Mapping[str, tuple[ArrayLike, ArrayLike]]  # body -> force, torque about its com


@dataclass(frozen=True)
class Place:
    """Location of a body in the results of a group's functions."""

    group: int
    index: int  # among the links of the structure
    carrier: int  # index of the body that moves with it and has a joint
    moving: int  # index of the carrier among the moving links; -1: it never moves


class Dynamics:
    """
    Kinematics and dynamics of a model.

    Coordinates, speeds and signs are those of the package: docs/models.md. A change of live
    symbols (``set_values``) runs the prologues and nothing else.
    """

    def __init__(
        self,
        model: Model,
        backend: Backend = 'auto',
        cache: Cache | None = None,
        progress: Progress = report_progress,
    ) -> None:
        self.model = model
        self.groups = groups_of(model)
        functions: dict[str, StructureFunctions] = {}
        for group in self.groups:
            key = group.structure.key()
            if key not in functions:
                functions[key] = StructureFunctions(group.structure, backend, cache, progress)
        self.functions = [functions[group.structure.key()] for group in self.groups]
        self.places = {
            name: _place(number, index, group)
            for number, group in enumerate(self.groups)
            for index, name in enumerate(group.bodies)
        }
        self._q = [selection(group.q) for group in self.groups]
        self._u = [selection(group.u) for group in self.groups]
        # Arguments of a call at rest, without effort and wrenches.
        self._idle = [((0.0,) * len(g.u), (0.0,) * (6 * g.moving_count)) for g in self.groups]
        self.coordinate_count = model.coordinate_count  # which a model counts in each access
        self.speed_count = model.speed_count
        self.set_values(model.parameters)

    def with_values(self, values: Values) -> Dynamics:
        """Return the same functions with values of the live symbols of their own."""
        other = copy.copy(self)
        other.set_values(values)
        return other

    def own_q(self, i: int) -> Selection:
        """Return which coordinates of the model are those of a group, as an index of numpy."""
        return self._q[i]

    def set_values(self, values: Values) -> None:
        """Take new values of the live symbols: the prologues run again, nothing else."""
        self.values = values
        self._numbers = [group.numbers(self.model.gravity, values) for group in self.groups]
        self._constants: dict[tuple[int, str], tuple[float, ...]] = {}

    def constants(self, i: int, family: str) -> tuple[float, ...]:
        """Return the constants of the functions of a family, by the live symbols."""
        if (i, family) not in self._constants:
            prologue = self.functions[i].function(family, 'prologue')
            (constants,) = prologue(self._numbers[i])
            if not all(map(math.isfinite, constants)):
                raise ValueError('a formula has no finite value')
            self._constants[i, family] = constants
        return self._constants[i, family]

    def rates(
        self, q: Vector, u: Vector, effort: Vector, wrenches: Wrenches
    ) -> tuple[Vector, Vector]:
        """Return qdot and udot under generalised forces (one per speed) and wrenches."""
        qdot, udot = np.empty(len(q)), np.empty(len(u))
        loads = self._loads(q, u, wrenches)
        for i, _ in enumerate(self.groups):
            qdot[self._q[i]], udot[self._u[i]] = self._call(
                i, 'dynamics', q, u, effort=effort, loads=loads
            )
        return qdot, udot

    def mobilities(self, q: Vector, u: Vector, speeds: Sequence[int]) -> list[float]:
        """Return how much a unit effort on each of some speeds adds to its own rate."""
        idle = np.zeros(len(u))
        _, still = self.rates(q, u, idle, {})
        found = []
        for speed in speeds:
            effort = idle.copy()
            effort[speed] = 1.0
            _, pushed = self.rates(q, u, effort, {})
            found.append(float(pushed[speed] - still[speed]))
        return found

    def inertia(self, q: Vector, u: Vector) -> tuple[Vector, Vector]:
        """Return the mass matrix and the bias: M udot + bias = effort + J^T wrenches."""
        count = len(u)
        matrix, bias = np.zeros((count, count)), np.empty(count)
        for i, _ in enumerate(self.groups):
            entries, part = self._call(i, 'inertia', q, u)
            own, size = self._u[i], len(part)
            rows = own if isinstance(own, slice) else np.array(own)[:, None]
            matrix[rows, own] = np.reshape(entries, (size, size))
            bias[own] = part
        return matrix, bias

    def gravity(self, q: Vector) -> Vector:
        """Return the generalised forces that hold the model at rest."""
        forces = np.empty(self.speed_count)
        for i, own in enumerate(self._u):
            (forces[own],) = self._call(i, 'gravity', q)
        return forces

    def inverse(self, q: Vector, u: Vector, udot: Vector, wrenches: Wrenches) -> Vector:
        """Return the generalised forces for given accelerations."""
        forces = np.empty(len(u))
        loads = self._loads(q, u, wrenches)
        for i, own in enumerate(self._u):
            forces[own] = self._call(i, 'inverse', q, u, udot=udot, loads=loads)[0]
        return forces

    def reactions(
        self, q: Vector, u: Vector, udot: Vector, wrenches: Wrenches
    ) -> dict[str, Vector]:
        """Return the wrench that the joint of every moving body carries."""
        reactions: dict[str, Vector] = {}
        loads = self._loads(q, u, wrenches)
        for i, group in enumerate(self.groups):
            flat = self._call(i, 'inverse', q, u, udot=udot, loads=loads)[1]
            moving = [
                n
                for n, link in zip(group.bodies, group.structure.links, strict=True)
                if not link.kind.is_fixed
            ]
            for k, name in enumerate(moving):
                reactions[name] = np.array(flat[6 * k : 6 * k + 6])
        return reactions

    def energy(self, q: Vector, u: Vector) -> tuple[float, float]:
        """Return kinetic and potential energy [J]."""
        parts = [self._call(i, 'energy', q, u) for i, _ in enumerate(self.groups)]
        return sum(k[0] for k, _ in parts), sum(p[0] for _, p in parts)

    def kinematics(self, q: Vector, u: Vector) -> dict[str, Kinematics]:
        """Return pose, centre of mass and twist of every body that belongs to a moving tree."""
        found = {}
        for i, group in enumerate(self.groups):
            frames, coms, twists = self._call(i, 'kinematics', q, u)
            for k, name in enumerate(group.bodies):
                frame = frames[12 * k : 12 * k + 12]
                found[name] = Kinematics(
                    frame[:9], frame[9:], coms[3 * k : 3 * k + 3], twists[6 * k : 6 * k + 6]
                )
        return found

    def _call(
        self,
        i: int,
        function: str,
        q: Vector,
        u: Vector | None = None,
        *,
        udot: Vector | None = None,
        effort: Vector | None = None,
        loads: list[list[float]] | None = None,
    ) -> tuple[tuple[float, ...], ...]:
        family = FAMILY_OF[function]
        own_q, own_u = self._q[i], self._u[i]
        idle, unloaded = self._idle[i]
        return self.functions[i].function(family, function)(
            q[own_q].tolist(),
            idle if u is None else u[own_u].tolist(),
            idle if udot is None else udot[own_u].tolist(),
            idle if effort is None else effort[own_u].tolist(),
            unloaded if loads is None else loads[i],
            self.constants(i, family),
        )

    def _loads(self, q: Vector, u: Vector, wrenches: Wrenches) -> list[list[float]] | None:
        """Return the wrench inputs of every group; a body without a joint loads its carrier."""
        if not wrenches:
            return None
        loads = [list(unloaded) for _, unloaded in self._idle]
        motions = None
        for name, (force, torque) in wrenches.items():
            self.model.body(name)
            place = self.places.get(name)
            if place is None or place.moving < 0:
                continue  # fixed to the world: nothing moves
            push, turn = np.asarray(force, float), np.asarray(torque, float)
            if place.index != place.carrier:
                motions = motions or self.kinematics(q, u)
                carrier = self.groups[place.group].bodies[place.carrier]
                arm = np.subtract(motions[name].com, motions[carrier].com)
                turn = turn + np.cross(arm, push)
            for k, component in enumerate((*push.tolist(), *turn.tolist())):
                loads[place.group][6 * place.moving + k] += component
        return loads


@dataclass(frozen=True)
class Kinematics:
    """Pose and twist of a body, world axes."""

    rotation: tuple[float, ...]  # 9 numbers, row by row; body components to world components
    position: tuple[float, ...]  # of the origin [m]
    com: tuple[float, ...]  # [m]
    twist: tuple[float, ...]  # of the com [m/s], and angular [rad/s]


def _place(number: int, index: int, group: Group) -> Place:
    links = group.structure.links
    carrier = index
    while carrier >= 0 and links[carrier].kind.is_fixed:
        carrier = links[carrier].parent
    moving = sum(not link.kind.is_fixed for link in links[:carrier]) if carrier >= 0 else -1
    return Place(number, index, carrier, moving)


def selection(indices: tuple[int, ...]) -> Selection:
    """Return indices as a slice where they are in a row: much cheaper."""
    if indices and indices == tuple(range(indices[0], indices[0] + len(indices))):
        return slice(indices[0], indices[0] + len(indices))
    return list(indices)
