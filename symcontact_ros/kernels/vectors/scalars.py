"""Functions of single numbers that kernels of both dimensions use."""

from __future__ import annotations

# Below this length a vector has no direction: squares of its components lose digits or vanish.
SHORTEST = 1e-146


def sign(x: float) -> float:
    """Return 1 for zero and above, -1 below: never 0."""
    return 1.0 if x >= 0.0 else -1.0


def clamped(x: float, limit: float) -> float:
    """Return the number nearest to x in [-limit, limit]."""
    if x > limit:
        return limit
    if x < -limit:
        return -limit
    return x
