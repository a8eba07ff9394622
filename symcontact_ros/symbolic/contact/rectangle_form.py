"""
Contact points of two rectangles in SymPy: separating axes, and the incident edge cut to length.

The edge that separates best is the reference, of two as good (parallel ones) that of the first
rectangle. The edge of the other rectangle that faces it is cut to its length: both ends of what is
left are contact points. One that lies apart has no force.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import sympy as sm

from symcontact_ros.collision.planar.clipping import UPRIGHT
from symcontact_ros.collision.planar.separating_axes import TIE
from symcontact_ros.symbolic.contact.solids import PairForm, Solid, Spot
from symcontact_ros.symbolic.contact.steps import choose, sign, Steps
from symcontact_ros.symbolic.recorder import MINUS, ONE, Vector, ZERO

Pick = Callable[[Sequence[sm.Expr], Sequence[sm.Expr]], Vector]


class _Side(NamedTuple):
    """The edge of a rectangle that separates best."""

    separation: sm.Expr  # [m]
    normal: Vector  # outward
    across: sm.Expr  # half extent of the rectangle across the edge [m],
    along: sm.Expr  # and along it


def rectangles(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contacts of two rectangles."""
    way = s.difference(b.centre, a.centre)
    side_a, side_b = _side(s, 'a', a, b, way), _side(s, 'b', b, a, [-w for w in way])
    reach = sum((sm.sqrt(x**2 + y**2) for x, y in (a.half_extents, b.half_extents)), start=ZERO)
    tie = s.r.name(sm.Float(TIE) * reach)
    is_b = sm.Gt(s.call('g', side_b.separation - side_a.separation - tie), 0)

    def pick(first: Sequence[sm.Expr], second: Sequence[sm.Expr]) -> Vector:
        return [choose(is_b, y, x) for x, y in zip(first, second, strict=True)]

    m = s.vector('m', pick(side_a.normal, side_b.normal))
    across, half = (
        s.let(name, value)
        for name, value in zip(('h_m', 'h_t'), pick(side_a[2:], side_b[2:]), strict=True)
    )
    centre = s.vector('o', pick(a.centre, b.centre))
    near, far, span = _incident(s, a, b, m, pick)
    parts = _cut(s, s.difference(near, centre), s.difference(far, centre), m, (half, span))
    index, spots = s.index, []
    for part, letter in zip(parts, 'ab', strict=True):
        s.index = f'{index}{letter}'
        place = s.vector('e', s.along(near, part, s.difference(far, near)))
        phi = s.call('phi', s.r.dot(m, s.difference(place, centre)) - across)
        spots.append(Spot(phi, s.along(place, -phi / 2, m)))
    s.index = index
    return PairForm(s.vector(s.normal, [choose(is_b, -x, x) for x in m]), spots, 2)


def _side(s: Steps, name: str, own: Solid, other: Solid, way: Vector) -> _Side:
    """Return the edge of a rectangle that separates it best from another one."""
    x, y = own.half_extents
    p = s.vector(f'p_{name}', s.r.rotate_back(own.frame.rotation, way)[:2])
    beyond = []
    for i, half in enumerate((x, y)):
        turns = [sm.Abs(s.r.dot(own.axis(i), other.axis(j))) for j in range(2)]
        reach = sum((t * h for t, h in zip(turns, other.half_extents, strict=True)), start=ZERO)
        beyond.append(s.let(f's_{name}_{"xy"[i]}', sm.Abs(p[i]) - half - reach))
    is_x = sm.Gt(*beyond)
    along = s.let(f'm_{name}_i', choose(is_x, sign(p[0]), ZERO))
    beside = s.let(f'm_{name}_j', choose(is_x, ZERO, sign(p[1], at_zero=-1)))
    normal = s.r.add(s.r.scale(along, own.axis(0)), s.r.scale(beside, own.axis(1)))
    return _Side(sm.Max(*beyond), normal, choose(is_x, x, y), choose(is_x, y, x))


def _incident(
    s: Steps, a: Solid, b: Solid, m: Vector, pick: Pick
) -> tuple[Vector, Vector, sm.Expr]:
    """Return both ends of the edge that faces the reference, and its length; it is the other's."""
    hx, hy = (
        s.let(f'h_{n}', h) for n, h in zip('ij', pick(b.half_extents, a.half_extents), strict=True)
    )
    centre = s.vector('c', pick(b.centre, a.centre))
    axes = [s.vector(name, pick(b.axis(i), a.axis(i))) for i, name in enumerate('ij')]
    x, y = (s.let(f'l_{name}', s.r.dot(m, axis)) for name, axis in zip('xy', axes, strict=True))
    is_x = sm.Gt(sm.Abs(x), sm.Abs(y))
    ends = []
    for name, turn in (('near', MINUS), ('far', ONE)):
        along_x = choose(is_x, -sign(x, at_zero=-1) * hx, turn * hx)
        along_y = choose(is_x, turn * hy, -sign(y, at_zero=-1) * hy)
        along = s.let(f'{name}_i', along_x), s.let(f'{name}_j', along_y)
        place = s.along(s.along(centre, along[0], axes[0]), along[1], axes[1])
        ends.append(s.vector(name, place))
    return ends[0], ends[1], s.let('span', choose(is_x, 2 * hy, 2 * hx))


def _cut(
    s: Steps, near: Vector, far: Vector, m: Vector, lengths: tuple[sm.Expr, sm.Expr]
) -> tuple[sm.Expr, sm.Expr]:
    """Return which part of the way from near to far lies beside the reference edge."""
    half, span = lengths
    tangent = [-m[1], m[0], ZERO]
    start = s.let('t', s.r.dot(tangent, near))
    way = s.let('w', s.r.dot(tangent, far) - start)
    is_upright = sm.Le(sm.Abs(way), sm.Float(UPRIGHT) * span)
    ends = (-half - start) / way, (half - start) / way
    low = choose(is_upright, ZERO, sm.Max(0, sm.Min(1, *ends)))
    high = choose(is_upright, ONE, sm.Min(1, sm.Max(0, *ends)))
    return s.let('low', low), s.let('high', high)
