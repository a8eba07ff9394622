"""
Shapes as kernels see them: blocks of numbers.

Every block starts alike. A shape is a *core* (a point, a segment, a polygon, a box, ...) grown by
a *radius*: the distance of two shapes is that of their cores minus both radii, apart and in
overlap alike.

A planar block goes on with vertices and edges, counter-clockwise; a spatial one of a box or a hull
with a *mesh*: vertices, planes of the faces, loops of vertices around each face (counter-clockwise
seen from outside), and edges.
"""

from __future__ import annotations

# Kinds of cores.
POINT, SEGMENT, BOX, CYLINDER, HULL, HALF_SPACE = range(6)

# The head of every block.
CORE = 0  # what kind it is
RADIUS = 1  # of the rounding [m]
REACH = 2  # from the centre to the farthest point, radius included [m]
SIZE = 3  # 3 numbers: half extents; of a cylinder: radius, radius, half length; of a segment: 0,
#           0, half length (in the plane: half length, 0, 0); of a half-space: its unit normal
CENTRE = 6  # 3 numbers: of the core, in the frame of the shape
OFFSET = 9  # of a half-space along its normal
INNER = 10  # radius of a ball around the centre that is inside, radius included [m]
# For convex programs of minimum distance: where the block of the shrunk shape starts, counted from
# this one (0: it is this one), and the radius that the shrunk shape still has [m].
SHRUNK = 11
STAR = 12
BODY = 13  # where the rest starts

# Planar: counts, then vertices (x, y), then edges (first vertex, second vertex, normal x, y).
# A segment has four edges: two sides and two ends of no length.
VERTEX_COUNT = BODY
EDGE_COUNT = BODY + 1
EDGES_START = BODY + 2
VERTICES = BODY + 3
EDGE = 4  # numbers of an edge

# Spatial: counts and starts, then vertices (x, y, z), planes (normal, offset), loops, edges (two
# vertices, two faces). LOOPS holds, for each face and one more, where its vertices start.
FACE_COUNT = BODY + 1
MESH_EDGE_COUNT = BODY + 2
PLANES_START = BODY + 3
LOOPS_START = BODY + 4
MESH_EDGES_START = BODY + 5
MESH_VERTICES = BODY + 6
