"""Surfaces for tests: terrain, and a table with a hole."""

import itertools

import numpy as np

import symcontact_ros as sc

HERE = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))


def table(hole=0.3, width=1.0, thickness=0.1):
    """Vertices and triangles of a square table with a square hole; half lengths, top at 0 [m]."""
    lines = [-width, -hole, hole, width]
    places, triangles = {}, []

    def at(x, y, z):
        return places.setdefault((round(x, 9), round(y, 9), round(z, 9)), len(places))

    def face(*corners):
        a, b, c, d = (at(*corner) for corner in corners)
        triangles.extend([(a, b, c), (a, c, d)])

    for i in range(3):
        for j in range(3):
            if (i, j) != (1, 1):
                x, y = lines[i : i + 2], lines[j : j + 2]
                around = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
                face(*((*p, 0.0) for p in around))
                face(*((*p, -thickness) for p in around[::-1]))
    for turn in range(4):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turn]
        for radius, ends in ((width, lines), (hole, [hole, -hole])):
            for first, second in itertools.pairwise(ends):
                p, q = ((c * t + s * radius, s * t - c * radius) for t in (first, second))
                face((*p, -thickness), (*q, -thickness), (*q, 0.0), (*p, 0.0))
    return np.array(list(places)), np.array(triangles)


def rough(seed=1, height=0.05, count=9, spacing=0.2):
    """A height field of random heights [m]."""
    heights = height * np.random.default_rng(seed).standard_normal((count, count))
    return sc.HeightField(heights, (spacing, spacing))


def as_mesh(field):
    """Return the triangles of a height field as a mesh."""
    corners = field.triangle_corners()
    vertices, places = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return sc.TriangleMesh(vertices, places.reshape(-1, 3))
