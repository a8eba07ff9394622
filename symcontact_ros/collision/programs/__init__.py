"""Collision detection by convex optimisation: programs, solvers, and what they fall back on."""
