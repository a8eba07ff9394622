r"""
Interface of a contact law, and the damping and friction that laws share.

.. math:: F_N = (F_e(\rho)\,(1 - c v_N))_+, \quad F_T = -\mu F_N \tanh(v_T / 2 v_s)

The second is regularised friction; that which sticks is in `contact.sticking`.

:math:`\rho` is the depth, :math:`v_N` the normal velocity of B relative to A, negative while
approaching, :math:`v_T` the slip. Two corrections of the paper's eq. 18: a contact never pulls,
though the printed force turns negative once v_N > 1 / c; and 2 / (1 + exp(-x)) - 1 is written
tanh(x / 2), which cannot overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from symcontact_ros.contact.constants import stiffness_for
from symcontact_ros.contact.material import Constant, Material, MaterialRecord
from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.kernels.elementary import log, tanh
from symcontact_ros.kernels.tape import Program

SLIGHT = 1e-3  # c v below which the restitution is taken from a series


class Elastic(NamedTuple):
    """Elastic force at a depth."""

    force: float  # derivative of the stored energy with respect to depth [N], >= 0
    slope: float  # derivative of that force with respect to depth [N/m]


@dataclass(frozen=True)
class Damping:
    """
    Kernels of the normal force at a velocity. `contact.evaluation` cuts the force off at 0.

    Both take a material, `Elastic`, the depth [m] and the normal velocity [m/s].
    """

    force: Callable[[MaterialRecord, Elastic, float, float], float]  # [N]
    # Derivatives of the force with respect to depth [N/m] and normal velocity [N s/m], where it
    # is positive. Explicit steps do not use them; an implicit step does.
    gradient: Callable[[MaterialRecord, Elastic, float, float], tuple[float, float]]


@dataclass(frozen=True)
class Friction:
    """
    Kernels of the friction force against the slip.

    ``force`` takes a material, depth [m], normal velocity [m/s], normal force [N] and slip [m/s]
    and returns the force [N], >= 0. ``rate`` takes all but the slip and returns force per slip
    [N s/m] as the slip goes to 0: the stiffest that friction gets.
    """

    force: Callable[[MaterialRecord, float, float, float, float], float]
    rate: Callable[[MaterialRecord, float, float, float], float]


def proportional_force(
    material: MaterialRecord, elastic: Elastic, rho: float, v_n: float
) -> float:
    """Return F_e (1 - c v_N) [N]."""
    return elastic.force * (1.0 - material.damping * v_n)


def proportional_gradient(
    material: MaterialRecord, elastic: Elastic, rho: float, v_n: float
) -> tuple[float, float]:
    """Return the derivatives of that force [N/m, N s/m]."""
    return elastic.slope * (1.0 - material.damping * v_n), -material.damping * elastic.force


def proportional_restitution(x: float) -> float:
    """Return the restitution e at x = c v: x - ln(1 + x) = -e x - ln(1 - e x)."""
    if x < SLIGHT:
        return 1.0 - x * (2.0 / 3.0 - x * (4.0 / 9.0))
    target = x - log(1.0 + x)
    low, high = 0.0, 1.0  # of e x, as -e x - ln(1 - e x) grows with it
    for _ in range(60):
        middle = 0.5 * (low + high)
        if -middle - log(1.0 - middle) < target:
            low = middle
        else:
            high = middle
    return low / x


def smooth_friction(
    material: MaterialRecord, rho: float, v_n: float, force: float, slip: float
) -> float:
    """Return mu F_N tanh(v_T / 2 vs) [N]."""
    return material.friction * force * tanh(slip * material.half_inverse_slip)


def smooth_friction_rate(material: MaterialRecord, rho: float, v_n: float, force: float) -> float:
    """Return mu F_N / 2 vs [N s/m]."""
    return material.friction * force * material.half_inverse_slip


PROPORTIONAL_DAMPING = Damping(proportional_force, proportional_gradient)
SMOOTH_COULOMB = Friction(smooth_friction, smooth_friction_rate)


@dataclass(frozen=True)
class Law:
    """
    A contact law: a row of `contact.laws.LAWS`.

    Fields are data and kernels; methods run as plain Python, outside of steps, all but `stored`.
    The methods here are right for an elastic force k rho^n: a law with another force is a subclass
    that overrides `stored`, `energy` and `rest_stiffness`. Stored energy, ``elastic.force`` and
    ``elastic.slope`` are a potential and its first two derivatives with respect to depth.
    """

    name: str  # in model files
    stiffness_unit: str
    exponent: float  # n
    elastic: Callable[[MaterialRecord, float], Elastic]  # kernel of the force at a depth [m]
    damping: Damping = PROPORTIONAL_DAMPING
    friction: Friction = SMOOTH_COULOMB
    constants: tuple[Constant, ...] = ()  # keys of its own; kernels read them in `material.own`
    has_formulas: bool = False  # whether a material gives it formulas instead of its name
    # Numbers stored per contact point from step to step, beside the anchor of friction. No step
    # provides this memory yet: simulations refuse a law with state.
    state_slots: int = 0

    def stored(self, material: MaterialRecord, rho: float) -> float:
        """Return the energy stored at a depth [J]; a kernel."""
        return self.elastic(material, rho).force * rho / (self.exponent + 1.0)

    def energy(self, material: Material, values: Values, rho: float) -> float:
        """Return the energy stored at a depth [J]: the integral of the elastic force."""
        n = self.exponent
        return float(evaluate(material.stiffness, values) * rho ** (n + 1.0) / (n + 1.0))

    def rest_stiffness(self, rest_depth: float, weight: float) -> float:
        """Return the stiffness at which a weight [N] rests at a depth [m]."""
        return stiffness_for(rest_depth, weight, self.exponent)

    def faults(self, material: Material, values: Values) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield faults of a material: path of the key below the material, and the reason."""
        yield from ()

    def rises(self, material: Material, values: Values, h: float) -> str:
        """
        Return where the normal force rises with the normal velocity within h [s]; '': nowhere.

        Implicit steps need a force that falls: else it has no convex potential.
        """
        return ''

    def own_names(self, material: Material) -> tuple[str, ...]:
        """Return the names of the numbers in `MaterialRecord.own`, in order."""
        return tuple(constant.name for constant in self.constants)

    def own_values(self, material: Material, values: Values) -> tuple[float, ...]:
        """Return these numbers."""
        return tuple(evaluate(material.own[name], values) for name in self.own_names(material))

    def program_of(self, material: Material) -> Program:
        """Return the program at `MaterialRecord.program`, for a law with formulas."""
        raise NotImplementedError(f'{self.name} has no formulas')
