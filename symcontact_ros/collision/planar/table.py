"""Table of the shape pairs in the plane."""

from __future__ import annotations

from typing import TypeAlias

from symcontact_ros.collision import shape_pair
from symcontact_ros.collision.planar import closed_forms, ellipses
from symcontact_ros.collision.planar.clipping import EdgePoints
from symcontact_ros.collision.planar.differences import Simplex
from symcontact_ros.collision.planar.polygon_pairs import OnHalfPlane, Polygons
from symcontact_ros.collision.shape_pair import OnePoint
from symcontact_ros.kernels.records import layout_of
from symcontact_ros.kernels.vectors.planar import Frame, in_space, Vector
from symcontact_ros.shapes.records import PlanarSolid

__all__ = ['PAIRS', 'WORK', 'in_space']

Pair: TypeAlias = shape_pair.Pair[PlanarSolid, Frame, Vector]

# Floats that a kernel may need.
WORK = max(layout_of(memory).slots for memory in (Simplex, EdgePoints, ellipses.Circle))

POLYGONS = Polygons()
ON_HALF_PLANE = OnHalfPlane()
ELLIPSES = ellipses.Ellipses()

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
    ('ellipse', 'circle'): OnePoint(ellipses.ellipse_circle, in_space),
    ('ellipse', 'half_space'): OnePoint(ellipses.ellipse_half_space, in_space),
    ('ellipse', 'rectangle'): ELLIPSES,
    ('ellipse', 'polygon'): ELLIPSES,
    ('ellipse', 'capsule'): ELLIPSES,
    ('ellipse', 'ellipse'): ELLIPSES,
}
