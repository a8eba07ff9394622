"""Collision detection: closest points and signed distance of every pair of shapes."""
