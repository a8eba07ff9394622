"""Damping and springs of joints in the symbols of a model."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sm

from symcontact_ros.model.building.follower_loads import TINY
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Joint
from symcontact_ros.symbolic.naming import expression
from symcontact_ros.symbolic.recorder import ZERO

_TINY = sm.Float(TINY)


def passive_efforts(
    model: Model,
    q: Sequence[sm.Symbol],
    u: Sequence[sm.Symbol],
    live: dict[str, sm.Symbol],
) -> list[sm.Expr]:
    """
    Return -damping u - stiffness (q - rest_position) on every speed.

    A leader has that of its followers, too. Damping and stiffness that no file names are live
    symbols with the value 0; these are left out.

    Parameters
    ----------
    model
        The model.
    q, u
        Symbols of its coordinates and speeds.
    live
        Its live symbols in SymPy, by name.

    """
    names = (f'{b.joint.name}.{key}' for b in model.jointed for key in ('damping', 'stiffness'))
    absent = {
        live[name]: ZERO
        for name in names
        if name in model.symbols and model.symbols[name].value == 0.0
    }
    efforts: list[sm.Expr] = []
    coordinates, speeds = iter(q), iter(u)
    for body in model.moving:
        kind = body.joint.kind
        own_q = [next(coordinates) for _ in range(kind.coordinates)]
        own_u = [next(speeds) for _ in range(kind.speeds)]
        if kind.is_single:
            efforts.append(_effort(body.joint, own_q[0], own_u[0], live, absent))
        else:
            efforts += [ZERO] * kind.speeds
    return efforts


def _effort(
    joint: Joint,
    q: sm.Symbol,
    u: sm.Symbol,
    live: dict[str, sm.Symbol],
    absent: dict[sm.Symbol, sm.Expr],
) -> sm.Expr:
    damping, stiffness, rest = (
        expression(scalar, live).xreplace(absent)
        for scalar in (joint.damping, joint.stiffness, joint.rest_position)
    )
    if stiffness == 0:
        return -damping * u
    # The rest position of a leader is a quotient by its stiffness, which goes out again.
    return -damping * u - stiffness * q + stiffness * rest.xreplace({_TINY: ZERO})
