"""A pair of features of two bodies: its distance, normal and Jacobian in symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from numpy.typing import ArrayLike
import sympy as sm

from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.symbolic.contact import printing
from symcontact_ros.symbolic.contact.distances import meeting
from symcontact_ros.symbolic.contact.evaluation import Evaluator
from symcontact_ros.symbolic.contact.feature_kinds import Feature
from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.expansion import Assignments, expanded, needed
from symcontact_ros.types import finite_numbers, Vector


@dataclass(frozen=True)
class FeatureValues:
    """A pair of features in numbers; NaN where there is no direction from one to the other."""

    distance: float  # [m]
    normal: Vector  # (3,), from A to B
    jacobian: Vector  # (nu,): d/dt distance = jacobian @ u
    point: Vector  # (3,) [m], midway between both surfaces
    velocity_jacobian: Vector  # (3, nu): velocity of B relative to A at the point


@dataclass(frozen=True)
class _Reduced:
    assignments: Assignments
    distance: sm.Matrix
    normal: sm.Matrix
    jacobian: sm.Matrix
    point: sm.Matrix
    velocity_jacobian: sm.Matrix


class ContactFeature:
    """
    Two features, one of body A and one of body B, A < B by name, in SymPy; SI units.

    The formulas are those of the features without bounds: of the plane of a face, of the line of
    an edge. They are the distance of the bodies where these features are nearest. Their symbols
    are those of `equations_of_motion`: ``q``, the coordinates, ``u``, the speeds, and ``symbols``,
    the live symbols by name.

    Attributes
    ----------
    kind
        Which features: ``'vertex-face'`` is a vertex of A and a face of B.
    body_a, body_b
        Names of the bodies.
    feature_a, feature_b
        Which of their features: ``'vertex 3'``; numbers as in the shape, from 0.
    """

    def __init__(
        self, motions: Motions, bodies: tuple[str, str], features: tuple[Feature, Feature]
    ) -> None:
        self._motions = motions
        self._features = features  # in the frames of their bodies
        self.body_a, self.body_b = bodies
        self.feature_a, self.feature_b = (feature.name for feature in features)
        self.kind = '-'.join(feature.kind for feature in features)
        self.q = motions.names.q
        self.u = motions.names.u
        self.symbols = motions.names.live

    def __repr__(self) -> str:
        return f'<{self.body_a} {self.feature_a} - {self.body_b} {self.feature_b}>'

    # Written out --------------------------------------------------------------------------------

    @cached_property
    def distance(self) -> sm.Expr:
        """Signed distance phi [m]: negative in overlap."""
        return self._written_out('distance')[0]

    @cached_property
    def normal(self) -> sm.Matrix:
        """Unit vector from A to B, 3 x 1, world axes: the gradient of phi where B moves."""
        return self._written_out('normal')

    @cached_property
    def jacobian(self) -> sm.Matrix:
        """
        J of d/dt phi = J u, 1 x nu.

        It is taken with respect to the speeds u, not to the coordinates q: a free body has six
        columns, for velocity of its origin and rates about its axes, both in body axes.
        """
        return self._written_out('jacobian')

    @cached_property
    def point(self) -> sm.Matrix:
        """Point at which a contact force acts, 3 x 1 [m]: midway between both surfaces."""
        return self._written_out('point')

    @cached_property
    def velocity_jacobian(self) -> sm.Matrix:
        """Velocity of B relative to A at `point`, world axes, per unit of each speed: 3 x nu."""
        return self._written_out('velocity_jacobian')

    # In terms of named steps --------------------------------------------------------------------

    @property
    def assignments(self) -> Assignments:
        """Names and what they stand for, in order, as ``sympy.cse`` gives them."""
        return self._reduced.assignments

    @property
    def reduced_distance(self) -> sm.Expr:
        """Signed distance in terms of the names of ``assignments``."""
        return self._reduced.distance[0]

    @property
    def reduced_normal(self) -> sm.Matrix:
        """The normal in terms of the names of ``assignments``."""
        return self._reduced.normal

    @property
    def reduced_jacobian(self) -> sm.Matrix:
        """The Jacobian of the distance in terms of the names of ``assignments``."""
        return self._reduced.jacobian

    @property
    def reduced_point(self) -> sm.Matrix:
        """The point of contact in terms of the names of ``assignments``."""
        return self._reduced.point

    @property
    def reduced_velocity_jacobian(self) -> sm.Matrix:
        """The Jacobian of the relative velocity in terms of the names of ``assignments``."""
        return self._reduced.velocity_jacobian

    # Numbers ------------------------------------------------------------------------------------

    def evaluate(
        self, q: ArrayLike, parameters: Mapping[str, float] | None = None
    ) -> FeatureValues:
        """
        Return all of it in numbers.

        Parameters
        ----------
        q
            Coordinates; quaternions of unit length.
        parameters
            Live symbols that differ from those of the model.

        """
        live = live_values(self._motions, parameters or {})
        values = symbol_values(self._motions, q, live)
        numbers = Evaluator(values, self.assignments)
        reduced = self._reduced
        return FeatureValues(
            numbers(self.reduced_distance),
            numbers.array(reduced.normal),
            numbers.array(reduced.jacobian),
            numbers.array(reduced.point),
            numbers.array(reduced.velocity_jacobian).reshape(3, -1),
        )

    # What people see ----------------------------------------------------------------------------

    def latex(self) -> str:
        """Return distance, normal and Jacobian in LaTeX; columns of the latter that are not 0."""
        return printing.latex(self, self._motions.names.latex)

    def text(self) -> str:
        """Return distance, normal and Jacobian as plain text, one entry a line."""
        return printing.text(self)

    def _repr_latex_(self) -> str:
        return f'$\\displaystyle {self.latex()}$'

    # How it is done -----------------------------------------------------------------------------

    @cached_property
    def _reduced(self) -> _Reduced:
        motions, r = self._motions, self._motions.recorder
        bodies = (self.body_a, self.body_b)
        one, other = (
            feature.placed(r, motions[body].frame)
            for feature, body in zip(self._features, bodies, strict=True)
        )
        found = meeting(r, one, other)
        jacobian, velocity = sm.zeros(1, len(self.u)), sm.zeros(3, len(self.u))
        for speed, relative in motions.relative_velocity(bodies, found.places).items():
            jacobian[speed] = r.dot(found.normal, relative)
        middle = (found.point, found.point)
        for speed, relative in motions.relative_velocity(bodies, middle).items():
            velocity[:, speed] = sm.Matrix(relative)
        matrices = [sm.Matrix([found.distance]), sm.Matrix(found.normal), jacobian]
        matrices += [sm.Matrix(found.point), velocity]
        taken = [*self.q, *self.u, *self.symbols.values()]
        return _Reduced(*_renamed(needed(r.assignments, matrices), matrices, taken))

    def _written_out(self, what: str) -> sm.Matrix:
        return expanded(
            getattr(self._reduced, what),
            self.assignments,
            what,
            f'`assignments` with `reduced_{what}`, or `evaluate`',
            printing.readable,
        )


def live_values(motions: Motions, parameters: Mapping[str, float]) -> dict[str, float]:
    """Return the values of the live symbols; OptionError where some are none of the model's."""
    known = motions.names.live
    unknown = [name for name in parameters if name not in known]
    if unknown:
        raise OptionError('; '.join(str(no_such('live symbol', n, known)) for n in unknown))
    return {**motions.model.parameters, **{n: float(value) for n, value in parameters.items()}}


def symbol_values(motions: Motions, q: ArrayLike, live: Values) -> dict[sm.Symbol, float]:
    """Return the values of all symbols; OptionError where q does not fit the model."""
    names = motions.names
    numbers = finite_numbers('q', q, len(names.q))
    values = dict(zip(names.q, numbers.tolist(), strict=True))
    return values | {symbol: live[name] for name, symbol in names.live.items()}


def _renamed(
    assignments: Assignments, matrices: list[sm.Matrix], taken: list[sm.Symbol]
) -> tuple[Assignments, sm.Matrix, sm.Matrix, sm.Matrix, sm.Matrix, sm.Matrix]:
    """Return assignments and matrices with names that count from 0, past those that are taken."""
    new = sm.numbered_symbols('z_', exclude=taken, real=True)
    names = {symbol: next(new) for symbol, _ in assignments}
    renamed = [(names[symbol], value.xreplace(names)) for symbol, value in assignments]
    distance, normal, jacobian, point, velocity = (m.xreplace(names) for m in matrices)
    return renamed, distance, normal, jacobian, point, velocity
