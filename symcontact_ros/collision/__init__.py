"""
Collision detection: signed distance, closest points and contact manifold of every shape pair.

`planar` and `spatial` have modules of the same names for the same methods.
"""
