"""Every pair of shapes that can meet in the plane."""

from __future__ import annotations

from symcontact_ros.collision.pairs import Pair, single
from symcontact_ros.collision.planar import closed_forms, flat
from symcontact_ros.collision.planar.vectors import Vector

WORK = 64  # numbers of memory that a kernel may need


def in_space(point: Vector) -> tuple[float, float, float]:
    """Return a point of the plane as one in space."""
    return point[0], point[1], 0.0


POLYGONS = Pair(flat.polygons_gap, flat.polygons_look, flat.polygons_contacts, shares=2.0)
ON_HALF_SPACE = Pair(
    flat.half_space_gap, flat.half_space_look, flat.half_space_contacts, shares=2.0
)

PAIRS: dict[tuple[str, str], Pair] = {
    ('circle', 'circle'): single(closed_forms.circle_circle, in_space),
    ('circle', 'capsule'): single(closed_forms.circle_capsule, in_space),
    ('circle', 'half_space'): single(closed_forms.circle_half_space, in_space),
    ('rectangle', 'circle'): single(closed_forms.rectangle_circle, in_space),
    ('polygon', 'circle'): single(closed_forms.polygon_circle, in_space),
    ('rectangle', 'rectangle'): POLYGONS,
    ('rectangle', 'polygon'): POLYGONS,
    ('rectangle', 'capsule'): POLYGONS,
    ('rectangle', 'half_space'): ON_HALF_SPACE,
    ('polygon', 'polygon'): POLYGONS,
    ('polygon', 'capsule'): POLYGONS,
    ('polygon', 'half_space'): ON_HALF_SPACE,
    ('capsule', 'capsule'): POLYGONS,
    ('capsule', 'half_space'): ON_HALF_SPACE,
}
