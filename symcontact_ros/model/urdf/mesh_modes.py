"""Modes of reading the collision meshes of a URDF."""

from __future__ import annotations

HULL, DECOMPOSE, EXACT, NONE = 'hull', 'decompose', 'exact', 'none'
# Convex hulls; convex pieces; surfaces as they are, of links that cannot move; nothing.
MESHES = (HULL, DECOMPOSE, EXACT, NONE)


def mesh_mode(meshes: str | bool) -> str:
    """Return the mode of an option that may be True or False: hulls, or none."""
    if isinstance(meshes, str):
        return meshes
    return HULL if meshes else NONE
