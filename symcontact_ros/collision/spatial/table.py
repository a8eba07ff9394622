"""Table of the shape pairs in space."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import OnePoint, Pair
from symcontact_ros.collision.spatial import closed_forms, ellipsoids
from symcontact_ros.collision.spatial.convex_pairs import (
    BOX_ON_HALF_SPACE,
    CAPSULE_ON_HALF_SPACE,
    CONVEX,
    ON_HALF_SPACE,
    SMOOTH,
    WITH_CAPSULE,
)
from symcontact_ros.collision.spatial.polytope_pairs import BOXES, HULLS
from symcontact_ros.collision.spatial.surface_pairs import OnSurface
from symcontact_ros.collision.spatial.surface_pairs import WORK as SURFACE_WORK
from symcontact_ros.collision.spatial.surface_triangles import (
    HeightFieldTriangles,
    MeshTriangles,
)
from symcontact_ros.kernels.vectors.spatial import Frame, in_space, Vector
from symcontact_ros.shapes.records import SpatialSolid

__all__ = ['PAIRS', 'WORK', 'in_space']

WORK = SURFACE_WORK  # slots of memory that a kernel may need: those of all others included


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


def _on_surfaces() -> dict[tuple[str, str], Pair[SpatialSolid, Frame, Vector]]:
    """Return the pairs of convex shapes and surfaces, made of those with planes and segments."""
    pairs: dict[tuple[str, str], Pair[SpatialSolid, Frame, Vector]] = {}
    for kind in ('sphere', 'capsule', 'box', 'cylinder', 'convex_hull', 'ellipsoid'):
        flat = PAIRS[kind, 'half_space']
        is_swapped = (kind, 'capsule') not in PAIRS
        edge = PAIRS[('capsule', kind) if is_swapped else (kind, 'capsule')]
        is_round = kind in ('sphere', 'capsule', 'ellipsoid')
        for surface, source in (('height_field', HeightFieldTriangles), ('mesh', MeshTriangles)):
            pairs[kind, surface] = OnSurface(
                source, flat, edge, flat.shares, is_swapped, is_round, kind == 'capsule'
            )
    return pairs


PAIRS |= _on_surfaces()
