"""
Equations of motion of a tree, derived recursively in SymPy symbols.

Velocities and forces are those of the body origins, in body axes: Featherstone's spatial vectors
written out as (linear, angular). A pass outwards gives velocities and accelerations, one inwards
forces (Newton-Euler), one inwards composite inertias (the mass matrix), and a sparse solve that is
unrolled gives the accelerations. Every number gets a name: see ``Recorder``.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sm

from symcontact_ros.model.structure import Structure
from symcontact_ros.symbolic.links import Inertia, SymbolicLink
from symcontact_ros.symbolic.recorder import (
    Matrix,
    minus,
    negative,
    ONE,
    product,
    Recorder,
    total,
    Vector,
    ZERO,
)
from symcontact_ros.symbolic.tree import Tree


@dataclass
class Force:
    """A wrench about the origin of a frame, in its axes."""

    force: Vector
    torque: Vector


class Derivation:
    """The dynamics of a tree; results refer to names in ``recorder.assignments``."""

    def __init__(self, structure: Structure) -> None:
        self.tree = Tree(structure)
        self.recorder = self.tree.recorder
        self.inputs = self.tree.inputs
        self._links = self.tree.links

    def bias(self) -> Vector:
        """Return Coriolis, centrifugal and gravity forces: effort at udot = 0 without wrenches."""
        return self._generalised(self._forces(accelerated=False, loaded=False))

    def gravity(self) -> Vector:
        """Return the efforts that hold the tree at rest: each joint carries the weights on it."""
        r = self.recorder
        down: list[Vector] = []  # gravity in the axes of each link
        for link in self._links:
            above = down[link.parent] if link.parent >= 0 else self.inputs.gravity
            down.append(r.rotate_back(link.rotation, above))
        masses = [link.inertia.mass for link in self._links]
        firsts = [link.inertia.first for link in self._links]
        forces: list[Force] = []
        for index in range(len(self._links) - 1, -1, -1):
            link, parent = self._links[index], self._links[index].parent
            mass, first, up = masses[index], firsts[index], negative(down[index])
            forces.insert(0, Force(r.scale(mass, up), r.cross(first, up)))
            if parent >= 0:  # as `LinkBuilder.moved` and `sum`, without the second moments
                masses[parent] = r.name(masses[parent] + mass)
                moved = r.add(r.rotate(link.rotation, first), r.scale(mass, link.position))
                firsts[parent] = r.add(firsts[parent], moved)
        return self._generalised(forces)

    def inverse(self) -> tuple[Vector, list[Force]]:
        """Return efforts for given accelerations and wrenches, and the force in every joint."""
        forces = self._forces(accelerated=True, loaded=True)
        return self._generalised(forces, accelerated=True), forces

    def mass_matrix(self) -> Matrix:
        """Return the mass matrix, by composite inertias."""
        count = len(self.tree.reduction.places)
        matrix = [[ZERO] * count for _ in range(count)]
        composite = [link.inertia for link in self._links]
        for i in range(len(self._links) - 1, -1, -1):
            link = self._links[i]
            for k, column in enumerate(link.motion.columns):
                self._fill_row(
                    matrix, link.first_speed + k, link, self._momentum(composite[i], *column)
                )
            if link.parent >= 0:
                moved = self.tree.builder.moved(composite[i], link.rotation, link.position)
                composite[link.parent] = self.tree.builder.sum(composite[link.parent], moved)
        return self.tree.reduction.square(matrix)

    def forcing(self) -> Vector:
        """Return effort + J^T wrenches - bias: what the mass matrix times udot is equal to."""
        loaded = self._generalised(self._forces(accelerated=False, loaded=True))
        return [
            self.recorder.name(total([effort, minus(force)]))
            for effort, force in zip(self.inputs.effort, loaded, strict=True)
        ]

    def udot(self) -> Vector:
        """Return the accelerations under efforts and wrenches, the solve unrolled."""
        return solve(self.recorder, self.mass_matrix(), self.forcing())

    def energies(self) -> tuple[sm.Expr, sm.Expr]:
        """Return kinetic and potential energy; the latter is zero at the world's origin."""
        r = self.recorder
        kinetic, potential = ZERO, ZERO
        for link in self._links:
            momentum = self._momentum(link.inertia, link.linear, link.angular)
            kinetic += r.dot(link.linear, momentum.force) + r.dot(link.angular, momentum.torque)
            if link.armature != 0:
                kinetic += link.armature * link.u[0] ** 2
            weight = r.add(
                r.scale(link.inertia.mass, link.origin),
                r.rotate(link.attitude, link.inertia.first),
            )
            potential -= r.dot(self.inputs.gravity, weight)
        return r.name(kinetic / 2), r.name(potential)

    def _forces(self, accelerated: bool, loaded: bool) -> list[Force]:
        """Return the wrench that each joint must carry, by Newton and Euler."""
        r = self.recorder
        linear: list[Vector] = []
        angular: list[Vector] = []
        forces: list[Force] = []
        for index, link in enumerate(self._links):
            a, alpha = self._acceleration(link, linear, angular, accelerated)
            linear.append(a)
            angular.append(alpha)
            momentum = self._momentum(link.inertia, link.linear, link.angular)
            rate = self._momentum(link.inertia, a, alpha)
            force = r.add(rate.force, r.cross(link.angular, momentum.force))
            torque = r.add(
                rate.torque,
                r.cross(link.angular, momentum.torque),
                r.cross(link.linear, momentum.force),
            )
            if loaded:
                applied = self._applied(index, link)
                force = r.add(force, negative(applied.force))
                torque = r.add(torque, negative(applied.torque))
            forces.append(Force(force, torque))
        for index in range(len(self._links) - 1, -1, -1):
            link = self._links[index]
            if link.parent >= 0:
                moved = self._to_parent(link, forces[index])
                parent = forces[link.parent]
                forces[link.parent] = Force(
                    r.add(parent.force, moved.force), r.add(parent.torque, moved.torque)
                )
        return forces

    def _acceleration(
        self, link: SymbolicLink, linear: list[Vector], angular: list[Vector], accelerated: bool
    ) -> tuple[Vector, Vector]:
        """Return the acceleration of a link, gravity as one of the world upwards."""
        r = self.recorder
        drift_linear, drift_angular = link.motion.drift
        if link.parent < 0:
            # The velocity is the joint's own: its product with itself vanishes.
            a = r.add(r.rotate_back(link.rotation, negative(self.inputs.gravity)), drift_linear)
            alpha = drift_angular
        else:
            a_parent, alpha_parent = linear[link.parent], angular[link.parent]
            carried = r.add(a_parent, r.cross(alpha_parent, link.position))
            a = r.add(
                r.rotate_back(link.rotation, carried),
                drift_linear,
                r.cross(link.angular, link.joint_linear),
                r.cross(link.linear, link.joint_angular),
            )
            alpha = r.add(
                r.rotate_back(link.rotation, alpha_parent),
                drift_angular,
                r.cross(link.angular, link.joint_angular),
            )
        if accelerated:
            given = self._given_rates(link)
            a = r.add(a, self.tree.combined(link, 0, given))
            alpha = r.add(alpha, self.tree.combined(link, 1, given))
        return a, alpha

    def _applied(self, index: int, link: SymbolicLink) -> Force:
        """Return the wrench input of a link about its origin, in body axes."""
        r = self.recorder
        inputs = self.inputs.wrench[6 * index : 6 * index + 6]
        force = r.rotate_back(link.attitude, inputs[:3])
        torque = r.add(r.rotate_back(link.attitude, inputs[3:]), r.cross(link.com, force))
        return Force(force, torque)

    def _momentum(self, inertia: Inertia, linear: Vector, angular: Vector) -> Force:
        """Return inertia times a velocity: momentum, or for an acceleration its rate."""
        r = self.recorder
        return Force(
            r.add(r.scale(inertia.mass, linear), r.cross(angular, inertia.first)),
            r.add(r.rotate(inertia.second, angular), r.cross(inertia.first, linear)),
        )

    def _to_parent(self, link: SymbolicLink, wrench: Force) -> Force:
        r = self.recorder
        force = r.rotate(link.rotation, wrench.force)
        torque = r.add(r.rotate(link.rotation, wrench.torque), r.cross(link.position, force))
        return Force(force, torque)

    def _along(self, column: tuple[Vector, Vector], wrench: Force) -> sm.Expr:
        """Return the power of a wrench at a unit of a speed."""
        linear, angular = column
        return self.recorder.dot(linear + angular, wrench.force + wrench.torque)

    def _generalised(self, forces: list[Force], accelerated: bool = False) -> Vector:
        efforts = []
        for link, force in zip(self._links, forces, strict=True):
            for k, column in enumerate(link.motion.columns):
                effort = self._along(column, force)
                if accelerated and link.armature != 0:
                    rate = self._given_rates(link)[k]
                    effort = self.recorder.name(effort + link.armature * rate)
                efforts.append(effort)
        return self.tree.reduction.vector(efforts)

    def _given_rates(self, link: SymbolicLink) -> Vector:
        """Return the given accelerations of the speeds of a link."""
        return self.tree.reduction.spread(self.inputs.udot, link.first_speed, len(link.u))

    def _fill_row(self, matrix: Matrix, row: int, link: SymbolicLink, momentum: Force) -> None:
        """Project the momentum of a unit of one speed onto this joint and all below it."""
        at: SymbolicLink | None = link
        while at is not None:
            for k, column in enumerate(at.motion.columns):
                col = at.first_speed + k
                if col > row:
                    continue
                entry = self._along(column, momentum)
                if col == row:
                    entry = self.recorder.name(entry + at.armature)
                matrix[row][col] = matrix[col][row] = entry
            momentum = self._to_parent(at, momentum)
            at = self._links[at.parent] if at.parent >= 0 else None


def solve(recorder: Recorder, matrix: Matrix, right: Vector) -> Vector:
    """Return M^-1 right by L^T D L, leaves first, so that branches stay sparse."""
    name = recorder.name
    count = len(right)
    lower = [row[:] for row in matrix]
    inverse = [ZERO] * count
    for k in range(count - 1, -1, -1):
        inverse[k] = name(ONE / lower[k][k])
        active = [i for i in range(k) if lower[k][i] != 0]
        scaled = {i: name(product(lower[k][i], inverse[k])) for i in active}
        for i in active:
            for j in active:
                if j <= i:
                    taken = minus(product(scaled[i], lower[k][j]))
                    lower[i][j] = name(total([lower[i][j], taken]))
        for i in active:
            lower[k][i] = scaled[i]
    x = list(right)
    for i in range(count - 1, -1, -1):
        for j in range(i):
            if lower[i][j] != 0:
                x[j] = name(total([x[j], minus(product(lower[i][j], x[i]))]))
    x = [name(product(value, scale)) for value, scale in zip(x, inverse, strict=True)]
    for i in range(count):
        x[i] = name(total([x[i], *(minus(product(lower[i][j], x[j])) for j in range(i))]))
    return x
