"""Equations of a model in its own symbols: SymPy matrices, LaTeX, text, source code."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import sympy as sm

from symcontact_ros.errors import no_such
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.model import Model
from symcontact_ros.model.structure import Group, groups_of
from symcontact_ros.placements import AT_ORIGIN, Placement
from symcontact_ros.symbolic.derivation import Derivation
from symcontact_ros.symbolic.expansion import Assignments, expanded, needed
from symcontact_ros.symbolic.naming import expression, Names, names_of
from symcontact_ros.symbolic.passive_efforts import passive_efforts
from symcontact_ros.symbolic.recorder import ZERO

WAY_OUT = '`assignments` with `reduced_mass_matrix` and `reduced_forcing`, or `source()`'


def forms_of(model: Model, method: str) -> SymbolicForms:
    """Return the equations of a model, derived by a method: 'recursive' or 'kane'."""
    if method == 'kane':
        from symcontact_ros.symbolic.kane import KaneForms

        return KaneForms(model)
    return SymbolicForms(model)


class SymbolicForms:
    """The equations of a model in the symbols of ``Names``."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.names: Names = names_of(model)
        self.q = self.names.q
        self.u = self.names.u
        self.effort = self.names.effort
        self.symbols = self.names.live
        self.wrench_symbols = self.names.wrench

    # The equations ------------------------------------------------------------------------------

    @cached_property
    def mass_matrix(self) -> sm.Matrix:
        """M of M udot = forcing, written out."""
        return self._written_out(self.reduced_mass_matrix, 'mass_matrix')

    @cached_property
    def forcing(self) -> sm.Matrix:
        """
        Right-hand side of M udot = forcing, written out.

        Efforts, wrenches, gravity, velocity products, and of every joint -damping u - stiffness
        (q - rest_position), unless both are 0 in the model; no dry friction, stops, servos and
        contacts.
        """
        return self._written_out(self.reduced_forcing, 'forcing')

    @cached_property
    def qdot(self) -> sm.Matrix:
        """Rates of the coordinates, written out."""
        return self._written_out(self.reduced_qdot, 'qdot')

    @property
    def assignments(self) -> Assignments:
        """Names and what they stand for, in order, as ``sympy.cse`` gives them."""
        return self._reduced[0]

    @property
    def reduced_mass_matrix(self) -> sm.Matrix:
        """M in terms of the names of ``assignments``."""
        return self._reduced[1]

    @property
    def reduced_qdot(self) -> sm.Matrix:
        """Rates of the coordinates in terms of the names of ``assignments``."""
        return self._reduced[3]

    @property
    def reduced_forcing(self) -> sm.Matrix:
        """The right-hand side in terms of the names of ``assignments``."""
        return self._reduced[2]

    @property
    def followers(self) -> Assignments:
        """Positions of the joints that mimic another one, and what they are equal to."""
        places = JointPlaces(self.model)
        found = []
        for body in self.model.jointed:
            if (mimic := body.joint.mimic) is not None:
                leader = self.q[places.q[body.name].start]
                multiplier = expression(mimic.multiplier, self.symbols)
                value = multiplier * leader + expression(mimic.offset, self.symbols)
                found.append((self.names.followers[body.joint.name], value))
        return found

    def jacobian(self, frame: str) -> sm.Matrix:
        """Return the Jacobian of a body's origin or a site: 6 x nu, linear then angular, world."""
        body, placement = _frame(self.model, frame)
        jacobian = sm.zeros(6, len(self.u))
        for number, group in enumerate(groups_of(self.model)):
            if body in group.bodies:
                derivation, meaning = self._derived(number, group)
                point = [expression(x, self.symbols) for x in placement.position]
                rows = derivation.tree.jacobian(group.bodies.index(body), point)
                matrix = sm.zeros(6, len(self.u))
                for column, row in zip(group.u, rows, strict=True):
                    for i, entry in enumerate(row):
                        matrix[i, column] = entry.xreplace(meaning)
                named = _renamed(derivation, meaning, number)
                matrix = matrix.xreplace(named[1])
                jacobian = expanded(matrix, named[0], f'jacobian {frame}', 'a q: numbers')
        return jacobian

    # Assembly of groups -------------------------------------------------------------------------

    @cached_property
    def _reduced(self) -> tuple[Assignments, sm.Matrix, sm.Matrix, sm.Matrix]:
        count = len(self.u)
        matrix, forcing = sm.zeros(count, count), sm.zeros(count, 1)
        qdot = sm.zeros(len(self.q), 1)
        assignments: Assignments = []
        passive = self.passive_by_speed()
        for number, group in enumerate(groups_of(self.model)):
            derivation, meaning = self._derived(number, group)
            entries, right = derivation.mass_matrix(), derivation.forcing()
            rates = derivation.tree.qdot()
            own, renaming = _renamed(derivation, meaning, number)
            assignments += own
            both = {**meaning, **renaming}
            for i, row in zip(group.u, entries, strict=True):
                for j, entry in zip(group.u, row, strict=True):
                    matrix[i, j] = entry.xreplace(both)
            for i, entry in zip(group.u, right, strict=True):
                forcing[i] = entry.xreplace(both) + passive[i]
            for i, entry in zip(group.q, rates, strict=True):
                qdot[i] = entry.xreplace(both)
        return needed(assignments, [matrix, forcing, qdot]), matrix, forcing, qdot

    def _derived(self, number: int, group: Group) -> tuple[Derivation, dict[sm.Symbol, sm.Expr]]:
        """Return the derivation of a group, and what its input symbols mean in the model."""
        derivation = Derivation(group.structure)
        inputs = derivation.inputs
        meaning: dict[sm.Symbol, sm.Expr] = {}
        for symbols, indices, named in (
            (inputs.q, group.q, self.q),
            (inputs.u, group.u, self.u),
        ):
            meaning |= {s: named[i] for s, i in zip(symbols, indices, strict=True)}
        joints = self.effort_by_speed()
        meaning |= {s: joints[i] for s, i in zip(inputs.effort, group.u, strict=True)}
        links = zip(group.bodies, group.structure.links, strict=True)
        moving = [name for name, link in links if not link.kind.is_fixed]
        for k, body in enumerate(moving):
            force, torque = self.wrench_symbols[body]
            meaning |= dict(zip(inputs.wrench[6 * k : 6 * k + 6], [*force, *torque], strict=True))
        for symbol, scalar in zip(inputs.slots, group.slots, strict=True):
            meaning[symbol] = expression(scalar, self.symbols)
        for symbol, scalar in zip(inputs.gravity, self.model.gravity, strict=True):
            meaning[symbol] = expression(scalar, self.symbols)
        return derivation, meaning

    def effort_by_speed(self) -> list[sm.Expr]:
        """Return the effort on every speed: zero for joints with several degrees of freedom."""
        efforts: list[sm.Expr] = []
        left = iter(self.effort)
        for body in self.model.moving:
            kind = body.joint.kind
            efforts += [next(left)] if kind.is_single else [ZERO] * kind.speeds
        return efforts

    def passive_by_speed(self) -> list[sm.Expr]:
        """Return the effort of damping and springs of joints on every speed."""
        return passive_efforts(self.model, self.q, self.u, self.symbols)

    def _written_out(self, matrix: sm.Matrix, what: str) -> sm.Matrix:
        return expanded(matrix, self.assignments, what, WAY_OUT)

    def __repr__(self) -> str:
        return f'<SymbolicForms of {self.model.summary()}>'

    # Output -------------------------------------------------------------------------------------

    def latex(self, wrenches: bool = False) -> str:
        """Return the equations in LaTeX; with or without the wrenches on bodies."""
        from symcontact_ros.symbolic.printing import latex

        return latex(self, wrenches)

    def text(self, wrenches: bool = False) -> str:
        """Return the equations as plain text."""
        from symcontact_ros.symbolic.printing import text

        return text(self, wrenches)

    def source(self, language: str) -> str:
        """Return functions in 'python' or 'c' that compute the running model's numbers."""
        from symcontact_ros.symbolic.sources import source

        return source(self, language)

    def _repr_latex_(self) -> str:
        return f'$\\displaystyle {self.latex()}$'


def _frame(model: Model, frame: str) -> tuple[str, Placement]:
    for body in model.bodies:
        if body.name == frame:
            return body.name, AT_ORIGIN
        if frame in body.sites:
            return body.name, body.sites[frame]
    sites = (site for body in model.bodies for site in body.sites)
    raise no_such('body or site', frame, [*model.body_names, *sites])


def _renamed(
    derivation: Derivation, meaning: dict[sm.Symbol, Any], number: int
) -> tuple[Assignments, dict[sm.Symbol, sm.Symbol]]:
    """Return the assignments of a group in symbols of the model, and its names' new names."""
    renaming = {
        symbol: sm.Symbol(f'z_{number}_{k}' if number else f'z_{k}', real=True)
        for k, (symbol, _) in enumerate(derivation.recorder.assignments)
    }
    both = {**meaning, **renaming}
    own = [
        (renaming[symbol], value.xreplace(both))
        for symbol, value in derivation.recorder.assignments
    ]
    return own, renaming
