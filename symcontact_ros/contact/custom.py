"""
The law ``custom``: formulas of the normal force and of friction, given by the model file.

Formulas name the depth ``rho`` [m], the normal velocity ``v_n`` [m/s], the constants of the
material (k, c, mu, vs) and parameters; that of friction also the slip ``v_t`` [m/s] and the normal
force ``f_n`` [N]. They become a program that kernels call.
"""

from __future__ import annotations

from collections.abc import Iterator
import math

from symcontact_ros.contact.base import Damping, Elastic, Friction, Law
from symcontact_ros.contact.material import Material, MaterialRecord
from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.kernels.language import call, separate
from symcontact_ros.kernels.tape import Builder, Program

VARIABLES = ('rho', 'v_n', 'v_t')
CONSTANTS = {'k': 'stiffness', 'c': 'damping', 'mu': 'friction', 'vs': 'slip_speed'}
# What formulas may name beside parameters, with values to try them with.
TRIAL = {'k': 1.0, 'c': 0.1, 'mu': 0.3, 'vs': 0.05, 'rho': 1e-3, 'v_n': -0.1, 'v_t': 0.1}
TRIAL |= {'f_n': 1.0}
OF_FRICTION = ('v_t', 'f_n')  # that the normal force, which comes first, cannot depend on
POINTS = 200  # of Simpson's rule for the stored energy
SLOW = 1e-6  # [m/s] slip at which the rate of friction is taken
# Where the normal force must fall with the velocity, for implicit steps [m, m/s].
DEPTHS = (1e-5, 1e-4, 1e-3, 1e-2)
SPEEDS = tuple(-2.0 + 0.125 * i for i in range(33))
SMALL = 1e-6  # relative change of depth, and change of velocity [m/s], of difference quotients


# Kernels ----------------------------------------------------------------------------------------


def forces(material: MaterialRecord, rho: float, v_n: float, slip: float) -> tuple[float, float]:
    """Return normal and tangent force as the formulas give them [N]."""
    material.input[0] = rho
    material.input[1] = v_n
    material.input[2] = slip
    call(material.program, material.input, material.own, material.output)
    return material.output[0], material.output[1]


@separate
def elastic(material: MaterialRecord, rho: float) -> Elastic:
    """Return the force at rest, and its difference quotient."""
    step = SMALL * rho
    force, _ = forces(material, rho, 0.0, 0.0)
    beyond, _ = forces(material, rho + step, 0.0, 0.0)
    return Elastic(max(0.0, force), max(0.0, (beyond - force) / step))


@separate
def stored(material: MaterialRecord, rho: float) -> float:
    """Return the energy stored at a depth [J], by Simpson's rule."""
    step, total = rho / float(POINTS), 0.0
    for i in range(POINTS + 1):
        force, _ = forces(material, float(i) * step, 0.0, 0.0)
        weight = 1.0 if i in (0, POINTS) else 2.0 if i % 2 == 0 else 4.0
        total += weight * max(0.0, force)
    return total * step / 3.0


@separate
def normal(material: MaterialRecord, elastic: Elastic, rho: float, v_n: float) -> float:
    """Return the normal force [N]."""
    force, _ = forces(material, rho, v_n, 0.0)
    return force


@separate
def normal_gradient(
    material: MaterialRecord, elastic: Elastic, rho: float, v_n: float
) -> tuple[float, float]:
    """Return the difference quotients of the normal force by depth and by velocity."""
    step = SMALL * rho
    force, _ = forces(material, rho, v_n, 0.0)
    deeper, _ = forces(material, rho + step, v_n, 0.0)
    faster, _ = forces(material, rho, v_n + SMALL, 0.0)
    return (deeper - force) / step, (faster - force) / SMALL


@separate
def tangent(material: MaterialRecord, rho: float, v_n: float, force: float, slip: float) -> float:
    """Return the friction force [N], which never drives."""
    _, found = forces(material, rho, v_n, slip)
    return max(0.0, found)


def tangent_rate(material: MaterialRecord, rho: float, v_n: float, force: float) -> float:
    """Return the friction force per slip at a small slip [N s/m]."""
    return tangent(material, rho, v_n, force, SLOW) / SLOW


# The row ----------------------------------------------------------------------------------------


class FormulaLaw(Law):
    """A law whose forces are formulas of the material."""

    def stored(self, material: MaterialRecord, rho: float) -> float:
        """Return the energy stored at a depth [J], by Simpson's rule; a kernel."""
        return stored(material, rho)

    def energy(self, material: Material, values: Values, rho: float) -> float:
        """Return the energy stored at a depth [J], by Simpson's rule."""
        known = {**_known(material, values), 'v_n': 0.0, 'v_t': 0.0, 'f_n': 0.0}
        step = rho / POINTS
        weights = [1.0, *([4.0, 2.0] * (POINTS // 2))[:-1], 1.0]
        normals = [
            evaluate(material.normal or 0.0, {**known, 'rho': i * step}) for i in range(POINTS + 1)
        ]
        return step / 3.0 * sum(w * max(0.0, f) for w, f in zip(weights, normals, strict=True))

    def faults(self, material: Material, values: Values) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield what no contact does: act without overlap, pull at rest, drive the slip."""
        values = {**values, **TRIAL}
        normal, tangent = material.normal or 0.0, material.tangent or 0.0
        if any(isinstance(force, float) and math.isnan(force) for force in (normal, tangent)):
            return  # these faults are known
        for v_n in (-1.0, 0.0, 1.0):
            if abs(_tried(normal, {**values, 'rho': 0.0, 'v_n': v_n})) > 1e-12:
                reason = 'must be 0 where rho = 0: there is no force without overlap'
                yield ('law', 'normal'), reason
                break
        for rho in (1e-6, 1e-3, 1e-1):
            if not _tried(normal, {**values, 'rho': rho, 'v_n': 0.0}) >= 0.0:
                reason = f'pulls at rest: it is negative or no number at rho = {rho:g}'
                yield ('law', 'normal'), reason
                break
        if not _tried(tangent, {**values, 'v_t': 0.1}) >= 0.0:
            reason = 'must not be negative: it is the force against the slip v_t > 0'
            yield ('law', 'tangent'), reason

    def rises(self, material: Material, values: Values, h: float) -> str:
        """Return where the normal force rises with the normal velocity, at some depths."""
        known = {**_known(material, values), 'v_t': 0.0, 'f_n': 0.0}
        for depth in DEPTHS:
            before = math.inf
            for v_n in SPEEDS:
                rho = depth - h * v_n
                at = {**known, 'rho': rho, 'v_n': v_n}
                force = max(0.0, _tried(material.normal or 0.0, at)) if rho > 0.0 else 0.0
                if not force <= before * (1.0 + SMALL):
                    return f'it rises with v_n at rho = {rho:.3g} m, v_n = {v_n:g} m/s'
                before = force
        return ''

    def own_names(self, material: Material) -> tuple[str, ...]:
        """Return the constants that the formulas name, in order."""
        formulas = [f for f in (material.normal, material.tangent) if isinstance(f, Formula)]
        found = {name for formula in formulas for name in formula.names()}
        return tuple(sorted(found - {*VARIABLES, 'f_n'}))

    def own_values(self, material: Material, values: Values) -> tuple[float, ...]:
        """Return the values of these constants."""
        known = _known(material, values)
        return tuple(known[name] for name in self.own_names(material))

    def program_of(self, material: Material) -> Program:
        """Return the formulas as a program: variables and constants in, both forces out."""
        names = self.own_names(material)
        builder = Builder({'variables': len(VARIABLES), 'constants': len(names)})
        places = {name: builder.emit('input', 'variables', i) for i, name in enumerate(VARIABLES)}
        places |= {name: builder.emit('input', 'constants', i) for i, name in enumerate(names)}
        normal = _emitted(builder, material.normal or 0.0, places)
        none = builder.emit('constant', 0.0)
        places['f_n'] = builder.emit('max', normal, none)
        tangent = _emitted(builder, material.tangent or 0.0, places)
        return builder.program('law', {'forces': (normal, tangent)})


# k of the formulas may mean anything; one that is not given is chosen as that of elastic_plastic.
CUSTOM = FormulaLaw(
    'custom',
    'N/m^n',
    3.0,
    elastic,
    Damping(normal, normal_gradient),
    Friction(tangent, tangent_rate),
    has_formulas=True,
)


def _known(material: Material, values: Values) -> dict[str, float]:
    """Return what constants in formulas mean."""
    own = {name: evaluate(getattr(material, key), values) for name, key in CONSTANTS.items()}
    return {**values, **own}


def _tried(formula: Scalar, values: Values) -> float:
    try:
        return evaluate(formula, values)
    except (ArithmeticError, ValueError):
        return math.nan


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
