"""
Shapes as traced numbers: what `Shape.pack` writes, by field of its record.

Corners of polygons and hulls are chosen by their numbers, so that these shapes have no formulas
of this kind: `UntraceableError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symcontact_ros.web.live.tracing import larger, length, Number, smaller, Traced

# Field of the record, or of a member of one of its blocks: (block, index, field); its numbers.
Place = str | tuple[str, int, str]
Cells = dict[Place, Sequence[Number]]


class UntraceableError(ValueError):
    """Numbers that follow from live symbols in a way that only Python can compute."""


def circle(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a circle or a sphere."""
    (radius,) = scalars
    return {'radius': [radius], 'reach': [radius], 'inner': [radius]}


def rectangle(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a rectangle."""
    x, y = scalars
    cells: Cells = {
        'reach': [(x * x + y * y).sqrt()],
        'size': [x, y, 0.0],
        'inner': [smaller(x, y)],
    }
    for i, corner in enumerate([(-x, -y), (x, -y), (x, y), (-x, y)]):
        cells['vertices', i, 'position'] = corner
    return cells


def box(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a box."""
    x, y, z = scalars
    cells: Cells = {
        'reach': [(x * x + y * y + z * z).sqrt()],
        'size': [x, y, z],
        'inner': [smaller(x, y, z)],
    }
    for i in range(8):
        signs = [1.0 - 2.0 * (i >> k & 1) for k in range(3)]
        cells['vertices', i, 'position'] = [
            sign * half for sign, half in zip(signs, scalars, strict=True)
        ]
    for i in range(6):
        cells['planes', i, 'offset'] = [scalars[i // 2]]
    return cells


def planar_capsule(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a capsule in the plane."""
    radius, half = scalars
    return {
        'radius': [radius],
        'reach': [half + radius],
        'size': [half, 0.0, 0.0],
        'inner': [radius],
        ('vertices', 0, 'position'): [-half, 0.0],
        ('vertices', 1, 'position'): [half, 0.0],
    }


def spatial_capsule(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a capsule in space."""
    radius, half = scalars
    return {
        'radius': [radius],
        'reach': [half + radius],
        'size': [0.0, 0.0, half],
        'inner': [radius],
    }


def cylinder(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a cylinder."""
    radius, half = scalars
    return {
        'reach': [(radius * radius + half * half).sqrt()],
        'size': [radius, radius, half],
        'inner': [smaller(radius, half)],
    }


def ellipse(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of an ellipse or an ellipsoid."""
    size: list[Number] = [*scalars]
    if len(size) == 2:
        size.append(0.0)
    return {'reach': [larger(*scalars)], 'size': size, 'inner': [smaller(*scalars)]}


def half_space(scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a half-space."""
    *normal, offset = scalars
    cells: Cells = {'offset': [offset]}
    if not all(number.is_constant for number in normal):
        size = length(normal)
        cells['size'] = [number / size for number in normal]
    return cells


_PLANAR: Mapping[str, Callable[[Sequence[Traced]], Cells]] = {
    'circle': circle,
    'rectangle': rectangle,
    'capsule': planar_capsule,
    'ellipse': ellipse,
    'half_space': half_space,
}
_SPATIAL: Mapping[str, Callable[[Sequence[Traced]], Cells]] = {
    'sphere': circle,
    'box': box,
    'capsule': spatial_capsule,
    'cylinder': cylinder,
    'ellipsoid': ellipse,
    'half_space': half_space,
}


def shape_cells(kind: str, dimension: int, scalars: Sequence[Traced]) -> Cells:
    """Return the cells of a shape, whose numbers are given in the order of its fields."""
    known = _PLANAR if dimension == 2 else _SPATIAL
    if kind not in known:
        raise UntraceableError(f'the corners of a {kind} depend on it')
    return known[kind](scalars)


def shrunk_cells(kind: str, dimension: int, scalars: Sequence[Traced], margin: float) -> Cells:
    """Return the cells of a shape shrunk by a margin [m], for programs of minimum distance."""
    if kind in ('ellipse', 'ellipsoid'):  # these stay what they are
        return shape_cells(kind, dimension, scalars)
    cells = shape_cells(kind, dimension, [number - margin for number in scalars])
    cells['reach'] = [number + margin for number in cells['reach']]
    return cells
