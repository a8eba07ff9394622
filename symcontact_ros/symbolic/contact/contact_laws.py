r"""
Contact laws in SymPy: what `contact.evaluation` and `contact.sticking` compute.

Normal force and friction are functions of the depth rho [m], the normal velocity v_n and the slip
[m/s] at a contact point, of the constants of its material, and of the part of the stiffness that
the point has.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sm

from symcontact_ros.contact.custom import CONSTANTS
from symcontact_ros.contact.evaluation import NO_SLIP
from symcontact_ros.contact.laws import law_named
from symcontact_ros.contact.material import Material
from symcontact_ros.expressions import Scalar
from symcontact_ros.symbolic.naming import expression, number
from symcontact_ros.symbolic.recorder import ZERO

Live = dict[str, sm.Symbol]


@dataclass(frozen=True)
class SymbolicLaw:
    """The law of a material in SymPy."""

    material: Material
    live: Live

    def constant(self, scalar: Scalar | None) -> sm.Expr:
        """Return a constant of the material."""
        return expression(0.0 if scalar is None else scalar, self.live)

    @property
    def sticks(self) -> bool:
        """Whether friction has anchors."""
        return self.material.presliding is not None

    def normal_force(self, rho: sm.Expr, v_n: sm.Expr, part: sm.Expr) -> sm.Expr:
        """Return the normal force of a part of the stiffness [N]: it never pulls."""
        if self.material.normal is not None:
            force = part * sm.Max(0, self._formula(self.material.normal, rho, v_n, ZERO))
            return where_touching(rho, force)
        k, c = self.constant(self.material.stiffness), self.constant(self.material.damping)
        exponent = number(law_named(self.material.law).exponent)
        return sm.Max(0, sm.Mul(part, k, rho**exponent, 1 - c * v_n))

    def friction(
        self, f_n: sm.Expr, rho: sm.Expr, v_n: sm.Expr, slip: sm.Expr, part: sm.Expr
    ) -> sm.Expr:
        """Return the force against a slip that is not 0 [N], of friction without anchors."""
        if self.material.normal is not None:
            formula = self.material.tangent or 0.0
            return where_touching(rho, part * sm.Max(0, self._formula(formula, rho, v_n, slip)))
        vs = self.constant(self.material.slip_speed)
        return self.constant(self.material.friction) * f_n * sm.tanh(slip / (2 * vs))

    def per_slip(self, friction: sm.Expr, slip: sm.Expr) -> sm.Expr:
        """Return friction per slip [N s/m]; none below a slip without a direction."""
        return sm.Piecewise((friction / slip, sm.Ge(slip, sm.Float(NO_SLIP))), (ZERO, True))

    def cap(self, f_n: sm.Expr, is_full: sm.Basic) -> sm.Expr:
        """Return the most that friction with anchors can be [N]; fully stretched: that of mu."""
        sliding, static = self.material.friction, self.material.static_friction
        if static is None or static == sliding:
            return self.constant(sliding) * f_n
        both = self.constant(sliding), self.constant(static)
        return sm.Piecewise((both[0] * f_n, is_full), (both[1] * f_n, True))

    def _formula(self, formula: Scalar, rho: sm.Expr, v_n: sm.Expr, slip: sm.Expr) -> sm.Expr:
        """Return a formula of the model file, as it is."""
        known = {**self.live}
        known |= {
            name: self.constant(getattr(self.material, key)) for name, key in CONSTANTS.items()
        }
        known |= {'rho': rho, 'v_n': v_n, 'v_t': slip}
        names = formula.names() if hasattr(formula, 'names') else ()
        if 'f_n' in names:
            known['f_n'] = sm.Max(0, self._formula(self.material.normal or 0.0, rho, v_n, slip))
        return expression(formula, known)


def where_touching(rho: sm.Expr, force: sm.Expr) -> sm.Expr:
    """Return a force that there is in overlap only, whatever its formula gives apart."""
    return sm.Piecewise((force, sm.Gt(rho, 0)), (ZERO, True))
