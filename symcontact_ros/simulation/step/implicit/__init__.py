"""Implicit steps: the minimum of a convex function of the new velocities."""
