"""
Linearisation about an operating point, exact: the program is run on numbers with derivatives.

Every value carries its gradient along (forward differentiation), so that no step size enters and
nothing new is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
import math
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.errors import no_such, OptionError, shown_value
from symcontact_ros.kernels.tape import operands, Program
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.model import Model
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.equations.equations_of_motion import EquationsOfMotion


@dataclass(frozen=True)
class Linearization:
    """
    d/dt x = A x + B effort, for small deviations x from an operating point.

    The first nu entries of x are the tangent of q: deviations of q, where a quaternion counts as
    the small rotation of the body in its own axes (and a free body's position likewise in its own
    axes); the last nu are those of u. Damping and springs of joints are included; dry friction,
    stops, servos and contacts are not.
    """

    A: Vector  # 2 nu x 2 nu
    B: Vector  # 2 nu x number of joints
    states: list[str]
    inputs: list[str]
    q: Vector  # the operating point
    u: Vector
    effort: Vector
    _equations: EquationsOfMotion = field(repr=False)

    @cached_property
    def symbolic(self) -> tuple[Any, Any]:
        """A and B as SymPy matrices in the live symbols; for models that can be written out."""
        from symcontact_ros.symbolic.linearization import symbolic_matrices

        forms = self._equations.forms
        point = (self.q.tolist(), self.u.tolist(), self.effort.tolist())
        return symbolic_matrices(forms, *point)


def linearize(equations: EquationsOfMotion, op_point: Mapping[str, ArrayLike]) -> Linearization:
    """Return the linearisation; see ``EquationsOfMotion.linearize``."""
    for name in op_point:
        if name not in ('q', 'u', 'effort'):
            raise no_such('entry of op_point', name, ('q', 'u', 'effort'))
    model = equations.model
    count = model.speed_count
    q = _vector('q', op_point.get('q', initial_state(model, model.parameters)[0]))
    u = _vector('u', op_point.get('u', np.zeros(count)))
    holding = (equations.gravity_effort(q) - equations.passive_effort(q))[equations.joint_speeds]
    effort = _vector('effort', op_point.get('effort', holding))
    passive = equations.evaluate(q, u, effort).passive  # checks sizes and numbers
    forces = equations.generalised(effort) + passive

    A, B = np.zeros((2 * count, 2 * count)), np.zeros((2 * count, len(effort)))
    A[:count] = _tangent_rates(model, u)
    tangent = _tangent_basis(model, q)
    for i, group in enumerate(equations.dynamics.groups):
        program = equations.dynamics.functions[i].program('motion', 'dynamics')
        own_q, own_u = list(group.q), list(group.u)
        n = len(own_u)
        # Gradients are by tangent of q, u and effort, in this order.
        by_q = np.zeros((len(own_q), 3 * n))
        by_q[:, :n] = tangent[np.ix_(own_q, own_u)]
        blocks = {
            'q': (q[own_q], by_q),
            'u': (u[own_u], np.eye(n, 3 * n, n)),
            'effort': (forces[own_u], _slopes_of_forces(equations, own_u)),
            'constants': (np.array(equations.dynamics.constants(i, 'motion')), None),
        }
        gradient = _gradients(program, blocks, 'udot', 3 * n)
        below = [count + k for k in own_u]
        A[np.ix_(below, own_u)] = gradient[:, :n]
        A[np.ix_(below, below)] = gradient[:, n : 2 * n]
        for column, speed in enumerate(equations.joint_speeds):
            if speed in own_u:
                B[below, column] = gradient[:, 2 * n + own_u.index(speed)]
    names = _state_names(model)
    states = [*names, *(f'd/dt {name}' for name in names)]
    return Linearization(A, B, states, list(model.joint_names), q, u, effort, equations)


def _slopes_of_forces(equations: EquationsOfMotion, own_u: list[int]) -> Vector:
    """
    Return how the forces of a group change with the tangent of q, u and effort.

    Damping and springs act as efforts; the tangent of a coordinate that has them is itself.
    """
    by_q, by_u = equations.passive.slopes()
    return np.hstack([np.diag(by_q[own_u]), np.diag(by_u[own_u]), np.eye(len(own_u))])


def _gradients(
    program: Program, blocks: dict[str, tuple[Vector, Vector | None]], result: str, width: int
) -> Vector:
    """Run a program on values with gradients; return those of a result."""
    flat = np.zeros(width)
    values: list[float] = []
    gradients: list[Vector] = []
    for instruction in program.instructions:
        if instruction[0] == 'input':
            block, index = str(instruction[1]), int(instruction[2])
            numbers, slopes = blocks.get(block, (None, None))
            values.append(0.0 if numbers is None else float(numbers[index]))
            gradients.append(flat if slopes is None else slopes[index])
        elif instruction[0] == 'constant':
            values.append(float(instruction[1]))
            gradients.append(flat)
        else:
            arguments = operands(instruction)
            operation = _DIFFERENTIATED[str(instruction[0])]
            value, slopes_of = operation(*(values[k] for k in arguments))
            values.append(value)
            gradients.append(
                sum((s * gradients[k] for s, k in zip(slopes_of, arguments, strict=True)), flat)
            )
    return np.array([gradients[k] for k in program.results[result]])


# The value of an operation and its derivatives by each argument.
_DIFFERENTIATED: dict[str, Callable[..., tuple[float, tuple[float, ...]]]] = {
    'add': lambda x, y: (x + y, (1.0, 1.0)),
    'sub': lambda x, y: (x - y, (1.0, -1.0)),
    'mul': lambda x, y: (x * y, (y, x)),
    'div': lambda x, y: (x / y, (1.0 / y, -x / (y * y))),
    'neg': lambda x: (-x, (-1.0,)),
    'sin': lambda x: (math.sin(x), (math.cos(x),)),
    'cos': lambda x: (math.cos(x), (-math.sin(x),)),
}


def _tangent_basis(model: Model, q: Vector) -> Vector:
    """Return how q changes with its tangent: nq x nu."""
    basis = np.zeros((model.coordinate_count, model.speed_count))
    i = j = 0
    for body in model.moving:
        kind = body.joint.kind
        rows, columns = slice(i, i + kind.coordinates), slice(j, j + kind.speeds)
        basis[rows, columns] = kind.tangent_basis(q[rows])
        i, j = rows.stop, columns.stop
    return basis


def _tangent_rates(model: Model, u: Vector) -> Vector:
    """Return how the tangent of q changes: with u, and for bodies that turn, with itself."""
    count = model.speed_count
    rates = np.hstack([np.zeros((count, count)), np.eye(count)])
    j = 0
    for body in model.moving:
        own = slice(j, j + body.joint.kind.speeds)
        rates[own, own] = body.joint.kind.tangent_rates(u[own])
        j = own.stop
    return rates


def _state_names(model: Model) -> list[str]:
    names = []
    for body in model.moving:
        kind = body.joint.kind
        owner = body.joint.name if kind.is_single else body.name
        names += [owner + part for part in kind.tangent_names]
    return names


def _vector(name: str, values: ArrayLike) -> Vector:
    """Return numbers as an array; OptionError for those that no float can be."""
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f'{name}: numbers are needed, got {shown_value(values)}') from error
