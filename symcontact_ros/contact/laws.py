r"""
Contact laws: how a depth becomes a force.

.. math:: F_N = k \rho^n (1 - c v_N)_+, \quad F_T = -\mu F_N \tanh(v_T / 2 v_s)

``elastic_plastic`` (the paper's eq. 18) has n = 3, ``hunt_crossley`` 1.5, ``linear`` 1; a model
file may give formulas of its own. Two repairs of eq. 18: a contact never pulls, though the printed
force turns negative once v_N > 1 / c; and 2 / (1 + exp(-x)) - 1 is written tanh(x / 2), which
cannot overflow. The kernels are in `simulation.step.forces`.
"""

from __future__ import annotations

from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.kernels.tape import Builder, Program
from symcontact_ros.model.materials import EXPONENTS
from symcontact_ros.model.parts import Material

LAWS = (*EXPONENTS, 'custom')  # in the order of their numbers in the loop
VARIABLES = ('rho', 'v_n', 'v_t')  # depth [m], normal velocity, slip [m/s]
CONSTANTS = {'k': 'stiffness', 'c': 'damping', 'mu': 'friction', 'vs': 'slip_speed'}
POINTS = 200  # of the rule that integrates a law of a model file


def law_names(material: Material) -> tuple[str, ...]:
    """Return the constants that the formulas of a custom law name, in order."""
    formulas = [f for f in (material.normal, material.tangent) if isinstance(f, Formula)]
    names = {name for formula in formulas for name in formula.names()}
    return tuple(sorted(names - {*VARIABLES, 'f_n'}))


def law_constants(material: Material, values: Values) -> tuple[float, ...]:
    """Return the values of these constants."""
    own = {name: evaluate(getattr(material, key), values) for name, key in CONSTANTS.items()}
    known = {**values, **own}
    return tuple(known[name] for name in law_names(material))


def law_program(material: Material) -> Program:
    """Return a custom law as a program: variables and constants in, normal and tangent out."""
    names = law_names(material)
    builder = Builder({'variables': len(VARIABLES), 'constants': len(names)})
    places = {name: builder.emit('input', 'variables', i) for i, name in enumerate(VARIABLES)}
    places |= {name: builder.emit('input', 'constants', i) for i, name in enumerate(names)}
    normal = _emitted(builder, material.normal or 0.0, places)
    none = builder.emit('constant', 0.0)
    places['f_n'] = builder.emit('max', normal, none)
    tangent = _emitted(builder, material.tangent or 0.0, places)
    return builder.program('law', {'forces': (normal, tangent)})


def _emitted(builder: Builder, scalar: Scalar | str, places: dict[str, int]) -> int:
    if not isinstance(scalar, Formula):
        return builder.emit('constant', float(scalar))
    if scalar.operation == 'name':
        return places[str(scalar.arguments[0])]
    if scalar.operation == 'number':
        return builder.emit('constant', float(scalar.arguments[0]))  # type: ignore[arg-type]
    if scalar.operation == 'pow' and (exponent := _number(scalar.arguments[1])) is not None:
        return builder.power(_emitted(builder, scalar.arguments[0], places), exponent)
    operands = [_emitted(builder, argument, places) for argument in scalar.arguments]
    return builder.emit(scalar.operation, *operands)


def _number(scalar: Scalar | str) -> float | None:
    """Return what is known to be a number, or nothing."""
    if isinstance(scalar, Formula):
        return float(scalar.arguments[0]) if scalar.operation == 'number' else None  # type: ignore[arg-type]
    return float(scalar)


def elastic_energy(material: Material, values: Values, rho: float) -> float:
    """Return the energy that a contact of full stiffness stores at a depth [J]."""
    if material.law != 'custom':
        n = EXPONENTS[material.law]
        return float(evaluate(material.stiffness, values) * rho ** (n + 1.0) / (n + 1.0))
    own = {name: evaluate(getattr(material, key), values) for name, key in CONSTANTS.items()}
    known = {**values, **own, 'v_n': 0.0, 'v_t': 0.0, 'f_n': 0.0}
    step = rho / POINTS
    weights = [1.0, *([4.0, 2.0] * (POINTS // 2))[:-1], 1.0]  # Simpson's
    forces = [
        evaluate(material.normal or 0.0, {**known, 'rho': i * step}) for i in range(POINTS + 1)
    ]
    return step / 3.0 * sum(w * max(0.0, f) for w, f in zip(weights, forces, strict=True))
