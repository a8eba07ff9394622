"""Collision detection in space."""
