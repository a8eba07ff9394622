"""
Limits of what is read from files and built of them; `docs/models.md` lists them.

Each is far beyond what models are known to need, and near enough that what exceeds it is refused
before it has taken the memory or the patience of its user.
"""

from __future__ import annotations

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
