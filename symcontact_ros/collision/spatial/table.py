"""Table of the shape pairs in space."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import OnePoint, Pair
from symcontact_ros.collision.spatial import closed_forms, ellipsoids
from symcontact_ros.collision.spatial.convex_gap import WORK as CONVEX_WORK
from symcontact_ros.collision.spatial.convex_pairs import (
    BOX_ON_HALF_SPACE,
    CAPSULE_ON_HALF_SPACE,
    CONVEX,
    ON_HALF_SPACE,
    SMOOTH,
    WITH_CAPSULE,
)
from symcontact_ros.collision.spatial.polytope_pairs import BOXES, HULLS, Trial
from symcontact_ros.kernels.records import layout_of
from symcontact_ros.kernels.vectors.spatial import Frame, in_space, Vector
from symcontact_ros.shapes.records import SpatialSolid

__all__ = ['PAIRS', 'WORK', 'in_space']

WORK = max(CONVEX_WORK, layout_of(Trial).slots)  # slots of memory that a kernel may need


ELLIPSOIDS = ellipsoids.Ellipsoids()

PAIRS: dict[tuple[str, str], Pair[SpatialSolid, Frame, Vector]] = {
    ('sphere', 'sphere'): OnePoint(closed_forms.sphere_sphere, in_space),
    ('sphere', 'capsule'): OnePoint(closed_forms.sphere_capsule, in_space),
    ('cylinder', 'sphere'): OnePoint(closed_forms.cylinder_sphere, in_space),
    ('sphere', 'half_space'): OnePoint(closed_forms.sphere_half_space, in_space),
    ('sphere', 'convex_hull'): SMOOTH,
    ('box', 'sphere'): OnePoint(closed_forms.box_sphere, in_space),
    ('box', 'box'): BOXES,
    ('box', 'convex_hull'): HULLS,
    ('box', 'capsule'): WITH_CAPSULE,
    ('box', 'cylinder'): CONVEX,
    ('box', 'half_space'): BOX_ON_HALF_SPACE,
    ('capsule', 'capsule'): OnePoint(closed_forms.capsule_capsule, in_space),
    ('capsule', 'cylinder'): WITH_CAPSULE,
    ('capsule', 'half_space'): CAPSULE_ON_HALF_SPACE,
    ('cylinder', 'cylinder'): CONVEX,
    ('cylinder', 'half_space'): ON_HALF_SPACE,
    ('convex_hull', 'convex_hull'): HULLS,
    ('convex_hull', 'capsule'): WITH_CAPSULE,
    ('convex_hull', 'cylinder'): CONVEX,
    ('convex_hull', 'half_space'): ON_HALF_SPACE,
    ('ellipsoid', 'sphere'): SMOOTH,
    ('ellipsoid', 'half_space'): OnePoint(ellipsoids.ellipsoid_half_space, in_space),
    ('ellipsoid', 'box'): ELLIPSOIDS,
    ('ellipsoid', 'capsule'): ELLIPSOIDS,
    ('ellipsoid', 'cylinder'): ELLIPSOIDS,
    ('ellipsoid', 'convex_hull'): ELLIPSOIDS,
    ('ellipsoid', 'ellipsoid'): ELLIPSOIDS,
}
