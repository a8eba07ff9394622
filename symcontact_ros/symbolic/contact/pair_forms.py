"""
Contact points of pairs of shapes in SymPy, valid wherever the shapes are.

Each form takes two shapes in the world and returns the points that the kernels of `collision`
find: with conditions where the nearest features change. Pairs that are missing here need a search
that is not written as a formula: clipping of faces in space, GJK, roots of polynomials.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sm

from symcontact_ros.symbolic.contact.rectangle_form import rectangles
from symcontact_ros.symbolic.contact.solids import PairForm, Solid, Spot
from symcontact_ros.symbolic.contact.steps import AXES, choose, clamped, sign, Steps
from symcontact_ros.symbolic.contact.vectors import unit
from symcontact_ros.symbolic.recorder import negative, ONE, Vector, ZERO


def balls(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contact of two discs or balls; concentric ones part along +x."""
    way = s.vector('w', s.difference(b.centre, a.centre))
    d = s.length('d', way)
    fallback = [ONE, ZERO, ZERO]
    normal = [choose(sm.Gt(d, 0), w / d, e) for w, e in zip(way, fallback, strict=True)]
    normal = s.vector(s.normal, [ZERO if w == 0 else n for w, n in zip(way, normal, strict=True)])
    phi = s.call('phi', d - a.radius - b.radius)
    return PairForm(normal, [Spot(phi, s.along(a.centre, a.radius + phi / 2, normal))])


def ball_on_plane(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contact of a disc or ball and a half-space."""
    outward, offset = _plane(s, b)
    phi = s.call('phi', s.r.dot(outward, a.centre) - offset - a.radius)
    point = s.along(a.centre, -a.radius - phi / 2, outward)
    return PairForm(negative(outward), [Spot(phi, point)])


def ball_capsule(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contact of a disc or ball and a capsule; a centre on its axis parts across."""
    offset = s.difference(a.centre, b.centre)
    ahead = s.let('t', s.r.dot(b.long_axis, offset))
    nearest = s.let('c', clamped(ahead, b.number(b.shape.half_length)))
    way = s.vector('w', s.along(offset, -nearest, b.long_axis))
    d = s.length('d', way)
    across = b.axis(1) if b.dimension == 2 else b.axis(0)
    pairs = zip(way, across, strict=True)
    outward = [choose(sm.Gt(d, 0), w / d, e) if (w, e) != (0, 0) else ZERO for w, e in pairs]
    normal = s.vector(s.normal, negative(outward))
    phi = s.call('phi', d - a.radius - b.radius)
    return PairForm(normal, [Spot(phi, s.along(a.centre, a.radius + phi / 2, normal))])


def block_ball(s: Steps, a: Solid, b: Solid) -> PairForm:
    """
    Return the contact of a rectangle or box and a disc or ball.

    p is its centre in the axes of the block, c the point of the block that is nearest to p, beyond
    how far p lies outside of each pair of faces. A centre inside leaves by the nearest face.
    """
    half = a.half_extents
    p = s.vector('p', s.r.rotate_back(a.frame.rotation, s.difference(b.centre, a.centre)))
    p = p[: len(half)]
    c = s.vector('c', [clamped(x, h) for x, h in zip(p, half, strict=True)])
    out = [s.r.name(x - y) for x, y in zip(p, c, strict=True)]
    d = s.length('d', out)
    beyond = s.vector('b', [sm.Abs(x) - h for x, h in zip(p, half, strict=True)])
    is_outside = sm.Gt(d, 0)
    local = []
    for i, (axis, nearest) in enumerate(zip(AXES, _first_largest(beyond), strict=False)):
        side = s.let(f'g_{axis}', sign(p[i]))
        branches = (out[i] / d, is_outside), (side, nearest), (ZERO, True)
        local.append(s.let(f'l_{axis}', sm.Piecewise(*branches)))
    local += [ZERO] * (3 - len(local))
    normal = s.vector(s.normal, s.r.rotate(a.frame.rotation, local))
    phi = s.call('phi', choose(is_outside, d, sm.Max(*beyond)) - b.radius)
    return PairForm(normal, [Spot(phi, s.along(b.centre, -b.radius - phi / 2, normal))])


def capsule_on_plane(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contacts of a capsule and a half-space: of both of its ends."""
    outward, offset = _plane(s, b)
    half = a.number(a.shape.half_length)
    ends = [s.along(a.centre, length, a.long_axis) for length in (-half, half)]
    return _on_plane(s, ends, outward, offset, a.radius)


def block_on_plane(s: Steps, a: Solid, b: Solid) -> PairForm:
    """
    Return the contacts of a rectangle or box and a half-space: corners of the side that faces it.

    l is the normal of the plane in the axes of the block: its largest component says which side.
    """
    outward, offset = _plane(s, b)
    half = a.half_extents
    count = len(half)
    l = s.vector('l', s.r.rotate_back(a.frame.rotation, outward)[:count])  # noqa: E741
    facing = _faces(l)
    corners = []
    for signs in _corner_signs(count):
        local = []
        for i in range(count):
            # On its own axis the side lies against the normal; on the others at + or - half.
            places = [signs[(i - axis) % count - 1] * half[i] for axis in range(count)]
            places[i] = -sign(l[i], at_zero=-1) * half[i]
            value = places[-1]
            for axis in range(count - 2, -1, -1):
                value = choose(facing[axis], places[axis], value)
            local.append(s.r.name(value))
        local += [ZERO] * (3 - count)
        corners.append(a.frame.placed(s.r, local))
    return _on_plane(s, corners, outward, offset, ZERO)


def ellipsoid_on_plane(s: Steps, a: Solid, b: Solid) -> PairForm:
    """Return the contact of an ellipse or ellipsoid and a half-space: of its lowest point."""
    outward, offset = _plane(s, b)
    radii = [a.number(radius) for radius in a.shape.radii]
    l = s.r.rotate_back(a.frame.rotation, outward)[: len(radii)]  # noqa: E741
    reach = s.length('d', [r * x for r, x in zip(radii, l, strict=True)])
    local = [s.r.name(-r * r * x / reach) for r, x in zip(radii, l, strict=True)]
    lowest = a.frame.placed(s.r, [*local, ZERO, ZERO][:3])
    form = _on_plane(s, [lowest], outward, offset, ZERO)
    return form._replace(shares=1)


def _plane(s: Steps, b: Solid) -> tuple[Vector, sm.Expr]:
    """Return the outward normal of a half-space in the world, and its offset along it."""
    own = unit([*(b.number(x) for x in b.shape.normal), ZERO][:3])
    outward = s.r.rotate(b.frame.rotation, own)
    return outward, s.r.name(b.number(b.shape.offset) + s.r.dot(outward, b.centre))


def _on_plane(
    s: Steps, points: Sequence[Vector], outward: Vector, offset: sm.Expr, radius: sm.Expr
) -> PairForm:
    """Return the contacts of some points with a radius and a plane; their indices count them."""
    spots, index = [], s.index
    for number, point in enumerate(points, 1):
        s.index = f'{index}{chr(96 + number)}' if len(points) > 1 else index
        phi = s.call('phi', s.r.dot(outward, point) - offset - radius)
        spots.append(Spot(phi, s.along(point, -radius - phi / 2, outward)))
    s.index = index
    return PairForm(negative(outward), spots, len(points))


def _corner_signs(count: int) -> list[tuple[int, ...]]:
    """Return the signs of the corners of a side along the axes that follow its own."""
    return [(1,), (-1,)] if count == 2 else [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def _faces(l: Vector) -> list[sm.Basic]:  # noqa: E741
    """Return, per axis, whether the side across it faces a direction; ask in order."""
    x, y, *rest = (sm.Abs(component) for component in l)
    if not rest:
        return [sm.Gt(x, y), sm.true]
    (z,) = rest
    return [sm.And(sm.Ge(x, y), sm.Ge(x, z)), sm.Ge(y, z), sm.true]


def _first_largest(values: Vector) -> list[sm.Basic]:
    """Return, per value, whether it is the largest; of equal ones the first."""
    if len(values) == 2:
        x, y = values
        return [sm.Ge(x, y), sm.Lt(x, y)]
    x, y, z = values
    return [
        sm.And(sm.Ge(x, y), sm.Ge(x, z)),
        sm.And(sm.Gt(y, x), sm.Ge(y, z)),
        sm.And(sm.Gt(z, x), sm.Gt(z, y)),
    ]


Form = Callable[[Steps, Solid, Solid], PairForm]

FORMS: dict[tuple[str, str], Form] = {
    ('circle', 'circle'): balls,
    ('circle', 'half_space'): ball_on_plane,
    ('circle', 'capsule'): ball_capsule,
    ('rectangle', 'circle'): block_ball,
    ('rectangle', 'rectangle'): rectangles,
    ('rectangle', 'half_space'): block_on_plane,
    ('capsule', 'half_space'): capsule_on_plane,
    ('ellipse', 'half_space'): ellipsoid_on_plane,
    ('sphere', 'sphere'): balls,
    ('sphere', 'half_space'): ball_on_plane,
    ('sphere', 'capsule'): ball_capsule,
    ('box', 'sphere'): block_ball,
    ('box', 'half_space'): block_on_plane,
    ('ellipsoid', 'half_space'): ellipsoid_on_plane,
}


def has_form(kinds: tuple[str, ...]) -> bool:
    """Return whether two kinds of shapes have formulas."""
    return kinds in FORMS or kinds[::-1] in FORMS


def pair_form(s: Steps, a: Solid, b: Solid) -> PairForm | None:
    """Return the contacts of two shapes, or None if they have no formulas."""
    kinds = (a.shape.kind, b.shape.kind)
    if kinds in FORMS:
        s.normal = 'n'
        return FORMS[kinds](s, a, b)
    if kinds[::-1] in FORMS:
        s.normal = 'm'  # opposed to the normal from A to B
        form = FORMS[kinds[::-1]](s, b, a)
        return form._replace(normal=negative(form.normal))
    return None
