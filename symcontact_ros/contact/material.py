"""Constants of a contact law: as formulas of a model, and as memory of kernels."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
import math

from symcontact_ros.expressions import Scalar
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import embedded, Record


@dataclass(frozen=True)
class Constant:
    """A constant that a law has beside stiffness, damping, friction and slip speed."""

    name: str  # key in a model file
    unit: str
    default: float | None = None  # None: it must be given
    above: float = -math.inf  # it must be greater
    minimum: float = -math.inf  # it must not be less


@dataclass(frozen=True)
class Material:
    """A contact law and its constants, which may be formulas of the live symbols."""

    law: str  # name of a row of `contact.laws.LAWS`
    stiffness: Scalar  # k; `Law.stiffness_unit`
    damping: Scalar  # c [s/m]
    friction: Scalar  # mu [-]
    # vs [m/s]. Friction that sticks: while the anchor is not stretched, it has its full strength
    # at this speed of slip; regularised: 46 % of it.
    slip_speed: Scalar
    normal: Scalar | None = None  # formulas of a custom law
    tangent: Scalar | None = None
    # Of friction that sticks: delta [m], the stretch of an anchor at which the contact slides.
    # None: friction is regularised, and has none of the following.
    presliding: Scalar | None = None
    torsional_radius: Scalar = 0.0  # r_p [m], of the torque of friction about the normal
    static_friction: Scalar | None = None  # mu_s [-] while sticking; None: mu
    own: dict[str, Scalar] = field(default_factory=dict)  # values of `Law.constants`, by name
    chosen: str = ''  # what was chosen for the user, and from what

    def scaled(self, ratio: float) -> Material:
        """Return the material with another stiffness: times a ratio."""
        return replace(self, stiffness=ratio * self.stiffness)


class MaterialRecord(Record):
    """A material as kernels read it."""

    law: int  # index of its row in `contact.laws.LAWS`
    stiffness: float  # k
    damping: float  # c [s/m]
    friction: float  # mu [-]
    half_inverse_slip: float  # 1 / (2 vs) [s/m]
    sticks: bool  # whether friction has anchors; False: it is regularised
    presliding: float  # delta [m]; 0: it does not stick
    slip_speed: float  # vs [m/s]
    torsional_radius: float  # r_p [m]
    static_friction: float  # mu_s [-]; mu where none is given
    own: Floats  # `Law.constants` in their order; of a custom law, the constants in its formulas
    program: int  # address of the formulas of a custom law
    input: Floats = embedded(3)  # of that program: depth [m], normal velocity, slip [m/s]
    output: Floats = embedded(2)  # of that program: normal and tangent force [N]
