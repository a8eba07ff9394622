"""
Limits of what is read from files and built of them; `docs/models.md` lists them.

Each is far beyond what models are known to need, and near enough that what exceeds it is refused
before it has taken the memory or the patience of its user.
"""

from __future__ import annotations

import math

# Of a URDF, and of what xacro makes of one.
XML_BYTES = 16 * 2**20
XACRO_SECONDS = 60.0
XACRO_MEMORY = 2**30  # bytes

# Of one mesh, as it is in its file and after decompression.
MESH_BYTES = 100 * 2**20
MESH_INSTANCES = 20_000  # of nodes of a COLLADA file, those in each other multiplied
MESH_POINTS = 20_000_000
MESH_SECONDS = 60.0
MESH_MEMORY = 2 * 2**30  # bytes
DECOMPOSITION_SECONDS = 600.0  # of one mesh, into convex pieces
PIECES = 64  # of one mesh

# Of a surface: points of a height field, triangles of a mesh that is taken as it is.
HEIGHTS = 4_000_000
TRIANGLES = 500_000
SURFACE_BYTES = 64 * 2**20  # of what a mesh is read to

# Of a model.
BODIES = 4000  # links of a URDF, too; those that fixed joints join are several
PAIRS = 1_000_000  # of shapes that may touch, and of bodies in `exclude` or `self_collision`
FREEDOMS = 128  # degrees of freedom of one tree of joints, whose equations are derived together


def seconds_to_derive(freedoms: int) -> float:
    """Return about how long the equations of a tree take to be derived and compiled [s]."""
    return 64.0 * math.pow(
        freedoms / 100.0, 3.4
    )  # measured from 10 to 100 revolute joints in a row


def seconds_for_pairs(pairs: int) -> float:
    """Return about how long the constants of pairs take to be chosen [s]."""
    return 5e-6 * pairs
