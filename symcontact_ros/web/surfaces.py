"""Surfaces as pages draw them."""

from __future__ import annotations

from typing import Any

import numpy as np


def drawn_surface(shape: Any) -> dict[str, Any]:
    """Return the vertices and faces that a page draws of a surface; nothing of other shapes."""
    if shape.is_convex:
        return {}
    corners = np.round(shape.drawn_corners().reshape(-1, 3), 6)
    vertices, faces = np.unique(corners, axis=0, return_inverse=True)
    return {'vertices': vertices.tolist(), 'faces': faces.reshape(-1, 3).tolist()}
