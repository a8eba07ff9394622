"""Every pair of shapes that can meet in the plane."""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision import pairs
from symcontact_ros.collision.pairs import OnePoint
from symcontact_ros.collision.planar import closed_forms
from symcontact_ros.collision.planar.clipping import EdgePoints
from symcontact_ros.collision.planar.differences import Simplex
from symcontact_ros.collision.planar.flat import OnHalfPlane, Polygons
from symcontact_ros.kernels.records import layout_of
from symcontact_ros.kernels.vectors.planar import Frame, in_space, Vector
from symcontact_ros.shapes.records import PlanarSolid

__all__ = ['PAIRS', 'WORK', 'in_space']

Pair: TypeAlias = pairs.Pair[PlanarSolid, Frame, Vector]

WORK = max(layout_of(Simplex).slots, layout_of(EdgePoints).slots)  # floats that a kernel may need

POLYGONS = Polygons()
ON_HALF_PLANE = OnHalfPlane()

PAIRS: dict[tuple[str, str], Pair] = {
    ('circle', 'circle'): OnePoint(closed_forms.circle_circle, in_space),
    ('circle', 'capsule'): OnePoint(closed_forms.circle_capsule, in_space),
    ('circle', 'half_space'): OnePoint(closed_forms.circle_half_space, in_space),
    ('rectangle', 'circle'): OnePoint(closed_forms.rectangle_circle, in_space),
    ('polygon', 'circle'): OnePoint(closed_forms.polygon_circle, in_space),
    ('rectangle', 'rectangle'): POLYGONS,
    ('rectangle', 'polygon'): POLYGONS,
    ('rectangle', 'capsule'): POLYGONS,
    ('rectangle', 'half_space'): ON_HALF_PLANE,
    ('polygon', 'polygon'): POLYGONS,
    ('polygon', 'capsule'): POLYGONS,
    ('polygon', 'half_space'): ON_HALF_PLANE,
    ('capsule', 'capsule'): POLYGONS,
    ('capsule', 'half_space'): ON_HALF_PLANE,
}
