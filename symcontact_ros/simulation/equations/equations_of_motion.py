"""Equations of motion of a model, in symbols and in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.errors import not_one_of, OptionError
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.model.model import check_model, Model
from symcontact_ros.model.progress import Progress, report_progress
from symcontact_ros.simulation.equations.dynamics import Dynamics, Wrenches
from symcontact_ros.simulation.equations.jacobians import Jacobians
from symcontact_ros.simulation.equations.passive_efforts import PassiveEfforts
from symcontact_ros.types import finite_numbers, Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.equations.linearization import Linearization
    from symcontact_ros.symbolic.forms import SymbolicForms


@dataclass(frozen=True)
class Evaluation:
    """The equations at one state: M udot + bias = effort + passive + J^T wrenches."""

    mass_matrix: Vector  # M, nu x nu
    bias: Vector  # Coriolis, centrifugal and gravity; without joint damping, springs, contact
    qdot: Vector
    udot: Vector  # under efforts, wrenches, and damping and springs of joints
    passive: Vector  # of joints: -damping u - stiffness (q - rest_position), zeros of others


def equations_of_motion(
    model: Model, method: str = 'recursive', progress: Progress = report_progress
) -> EquationsOfMotion:
    """
    Return the equations of motion of a model.

    Parameters
    ----------
    model
        The model.
    method
        'recursive': the equations that run. 'kane': the same by SymPy's KanesMethod, as a
        reference; slow beyond four coupled degrees of freedom.
    progress
        Called with progress messages.

    """
    check_model(model)
    if method not in ('recursive', 'kane'):
        raise OptionError(not_one_of('method', ('recursive', 'kane'), method))
    return EquationsOfMotion(model, method, progress)


class EquationsOfMotion:
    """
    M(q) udot = forcing(q, u, effort, wrenches), symbolically and in numbers.

    Forcing, ``udot`` and ``linearize`` have the damping and springs of joints; ``bias``,
    ``inverse_dynamics`` and ``gravity_effort`` have not. Nothing has dry friction, stops, servos
    and contacts. Damping and stiffness that are 0 in the model are left out of what is printed;
    numbers are those of the live symbols now.

    Symbolic: ``mass_matrix``, ``forcing``, ``qdot``, ``latex()``, ``source()``, ``linearize()``;
    the symbols are ``q``, ``u``, ``effort``, ``wrench_symbols`` and ``symbols`` (the live ones).
    In numbers: ``evaluate``, ``inverse_dynamics``, ``gravity_effort``, ``passive_effort``,
    ``jacobian``.
    """

    def __init__(self, model: Model, method: str, progress: Progress) -> None:
        self.model = model
        self.method = method
        self.dynamics = Dynamics(model, cache=Cache(), progress=progress)
        # Of the present values of the live symbols.
        self._jacobians: Jacobians | None = None
        self._passive: PassiveEfforts | None = None
        singles = [body.joint.kind.is_single for body in model.moving]
        speeds = [body.joint.kind.speeds for body in model.moving]
        first = accumulate(speeds, initial=0)
        self.joint_speeds = [f for f, single in zip(first, singles, strict=False) if single]

    # Symbols ------------------------------------------------------------------------------------

    @cached_property
    def forms(self) -> SymbolicForms:
        """The equations in SymPy, derived at the first use."""
        from symcontact_ros.symbolic.forms import forms_of

        return forms_of(self.model, self.method)

    def __getattr__(self, name: str) -> Any:
        if name in _SYMBOLIC:
            return getattr(self.forms, name)
        raise AttributeError(f'{type(self).__name__!r} has no attribute {name!r}')

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_SYMBOLIC]

    def __repr__(self) -> str:
        return f'<EquationsOfMotion {self.model.summary()}, {self.method}>'

    def linearize(self, op_point: dict[str, ArrayLike] | None = None) -> Linearization:
        """
        Return A, B of d/dt x = A x + B effort about an operating point, contact-free.

        Damping and springs of joints are in A; dry friction, stops and servos are not.
        ``op_point`` holds 'q', 'u' and 'effort'; default: the initial configuration at rest, with
        the efforts that hold it against gravity and springs. The state x is (tangent of q,
        u): A is 2 nu x 2 nu.
        """
        from symcontact_ros.simulation.equations.linearization import linearize

        return linearize(self, op_point or {})

    # Numbers ------------------------------------------------------------------------------------

    def evaluate(
        self,
        q: ArrayLike,
        u: ArrayLike,
        effort: ArrayLike | None = None,
        wrenches: Wrenches | None = None,
    ) -> Evaluation:
        """
        Return the equations at a state; damping and springs of joints act, too.

        Parameters
        ----------
        q, u
            Coordinates and speeds.
        effort
            One number per ``model.joint_names`` [N m or N].
        wrenches
            body -> (force [N], torque [N m]), world axes, about the body's centre of mass.

        """
        q, u = self._state(q, u)
        passive = self.passive.efforts(q, u)
        forces = self.generalised(effort) + passive
        qdot, udot = self.dynamics.rates(q, u, forces, _checked(wrenches))
        mass_matrix, bias = self.dynamics.inertia(q, u)
        return Evaluation(mass_matrix, bias, qdot, udot, passive)

    def inverse_dynamics(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, wrenches: Wrenches | None = None
    ) -> Vector:
        """
        Return the generalised force of every speed that gives udot under wrenches.

        It is M udot + bias - J^T wrenches, as Pinocchio's rnea. What damping and springs of joints
        give of it need not come from actuators: subtract ``passive_effort(q, u)``.
        """
        q, u = self._state(q, u)
        udot = finite_numbers('udot', udot, self.dynamics.speed_count)
        return self.dynamics.inverse(q, u, udot, _checked(wrenches))

    def reactions(
        self, q: ArrayLike, u: ArrayLike, udot: ArrayLike, wrenches: Wrenches | None = None
    ) -> dict[str, tuple[Vector, Vector]]:
        """
        Return body -> (force, torque) that its joint carries.

        They act on the body, about its origin, in body axes.
        """
        q, u = self._state(q, u)
        udot = finite_numbers('udot', udot, self.dynamics.speed_count)
        carried = self.dynamics.reactions(q, u, udot, _checked(wrenches))
        return {name: (wrench[:3], wrench[3:]) for name, wrench in carried.items()}

    def gravity_effort(self, q: ArrayLike) -> Vector:
        """
        Return the generalised force of every speed that holds the model against gravity.

        Springs of joints are not in it: subtract ``passive_effort(q)`` for what is left to hold.
        """
        return self.dynamics.gravity(finite_numbers('q', q, self.dynamics.coordinate_count))

    def passive_effort(self, q: ArrayLike, u: ArrayLike | None = None) -> Vector:
        """
        Return the generalised force of damping and springs of joints on every speed.

        It is -damping u - stiffness (q - rest_position) of a joint with one degree of freedom,
        with that of the joints that mimic it, and 0 for others. Without u: at rest.
        """
        u = np.zeros(self.dynamics.speed_count) if u is None else u
        return self.passive.efforts(*self._state(q, u))

    @property
    def passive(self) -> PassiveEfforts:
        """Damping and springs of joints, by the present values of the live symbols."""
        if self._passive is None or self._passive.values is not self.dynamics.values:
            self._passive = PassiveEfforts(self.model, self.dynamics.values)
        return self._passive

    def energy(self, q: ArrayLike, u: ArrayLike) -> tuple[float, float]:
        """
        Return kinetic and potential energy [J]; the latter is 0 at the world's origin.

        It is that of gravity, without the springs of joints.
        """
        return self.dynamics.energy(*self._state(q, u))

    def jacobian(self, frame: str, q: ArrayLike | None = None) -> Any:
        """
        Return the Jacobian of a body's origin or of a site: velocity = J u.

        Six rows, linear [m/s] then angular [rad/s], in world axes, as an array of its own.
        Without q: in symbols.
        """
        if q is None:
            return self.forms.jacobian(frame)
        q = finite_numbers('q', q, self.dynamics.coordinate_count)
        if self._jacobians is None or self._jacobians.values is not self.dynamics.values:
            self._jacobians = Jacobians(self.dynamics)
        return self._jacobians.of_frame(frame, q)

    def generalised(self, effort: ArrayLike | None) -> Vector:
        """Return efforts of the joints as generalised forces, one per speed."""
        forces = np.zeros(self.dynamics.speed_count)
        if effort is not None:
            forces[self.joint_speeds] = finite_numbers('effort', effort, len(self.joint_speeds))
        return forces

    def _state(self, q: ArrayLike, u: ArrayLike) -> tuple[Vector, Vector]:
        q = finite_numbers('q', q, self.dynamics.coordinate_count)
        return q, finite_numbers('u', u, self.dynamics.speed_count)


def _checked(wrenches: Wrenches | None) -> Wrenches:
    """Return wrenches as arrays; OptionError where one is not a force and a torque."""
    checked = {}
    for body, wrench in (wrenches or {}).items():
        try:
            force, torque = wrench
        except (TypeError, ValueError):
            reason = f'the wrench on {body} must be (force, torque), got {wrench!r:.60}'
            raise OptionError(reason) from None
        checked[body] = (
            finite_numbers(f'the force on {body}', force, 3),
            finite_numbers(f'the torque on {body}', torque, 3),
        )
    return checked


_SYMBOLIC: Sequence[str] = (
    'q',
    'u',
    'effort',
    'wrench_symbols',
    'symbols',
    'mass_matrix',
    'forcing',
    'qdot',
    'assignments',
    'reduced_mass_matrix',
    'reduced_forcing',
    'reduced_qdot',
    'latex',
    'text',
    'source',
    '_repr_latex_',
)
