"""Collision detection by convex optimisation: programs, solvers, and fallbacks."""
