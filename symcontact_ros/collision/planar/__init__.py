"""Collision detection in the plane."""
