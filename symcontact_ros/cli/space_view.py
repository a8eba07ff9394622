"""
View of a spatial model: its bodies as shaded faces, seen by a parallel projection.

Faces are drawn from the farthest to the nearest. Half-spaces are a part of their surface, with a
grid.
"""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any, Protocol, TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.figure_style import GREY
from symcontact_ros.cli.piece_faces import faces_of
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.shapes.surface import Surface
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AZIMUTH, ELEVATION = math.radians(-58.0), math.radians(22.0)  # of the camera
LIGHT = np.array([0.35, -0.45, 0.82])
DARKEST = 0.55  # part of the colour of a face that no light falls on
GROUND, GRID = '#F1EEE8', '#D9D4CC'
Poses = Mapping[str, tuple[Vector, Vector]]  # position [m] and rotation matrix, by body


class Reached(Protocol):
    """Where bodies are while they are shown: see `RunPoses`."""

    moving: list[str]
    still: dict[str, tuple[Vector, Vector]]

    def path(self, body: str) -> Vector:
        """Return positions of a body that moves [m], (rows, 3)."""


class SpaceView:
    """
    Projection of the bodies of a model.

    Parameters
    ----------
    model, values
        What is shown, and its live symbols.
    colours
        Of bodies; others are grey.

    """

    def __init__(self, model: Model, values: dict[str, float], colours: Mapping[str, str]) -> None:
        self._colours = colours
        self._middle, self._radius = np.zeros(3), 1.0
        self._low, self._high = -np.ones(2), np.ones(2)  # on the picture
        self._faces: dict[str, list[Vector]] = {}
        self._wide: set[str] = set()  # bodies with a surface, which may be far larger than others
        self._planes: list[tuple[str, Vector, float]] = []  # body, normal and offset in its frame
        for body in model.bodies:
            self._faces[body.name] = []
            for placed in body.shapes:
                shape = placed.shape.evaluated(values)
                turn = matrix(placed.placement.rotation.evaluated(values))
                shift = np.array(evaluate_all(placed.placement.position, values))
                if isinstance(shape, HalfSpace):
                    normal = turn @ np.array(evaluate_all(shape.normal, values))
                    (offset,) = evaluate_all((shape.offset,), values)
                    self._planes.append((body.name, normal, offset + float(normal @ shift)))
                    continue
                if isinstance(shape, Surface):
                    self._wide.add(body.name)
                for piece in shape.marker_pieces(3):
                    faces = faces_of(piece)
                    self._faces[body.name] += [face @ turn.T + shift for face in faces]
        ca, sa, ce, se = *_both(AZIMUTH), *_both(ELEVATION)
        self._right = np.array([-sa, ca, 0.0])
        self._up = np.array([-se * ca, -se * sa, ce])
        self._towards = np.array([ce * ca, ce * sa, se])  # the camera

    def look_at(self, poses: Reached) -> None:
        """Choose what is shown: all that is reached in a run."""
        points = [np.zeros((0, 3))]
        for body in poses.moving:
            corners = np.concatenate([np.zeros((1, 3)), *self._faces[body]])
            reach = float(np.linalg.norm(corners, axis=1).max())
            points += [poses.path(body) - reach, poses.path(body) + reach]
        moving = np.concatenate(points)
        for body, (position, rotation) in poses.still.items():
            faces = [face @ rotation.T + position for face in self._faces[body]]
            if body in self._wide:
                faces = _near(faces, moving)
                self._faces[body] = [(face - position) @ rotation for face in faces]
            points += faces
        every = np.concatenate(points)
        low, high = every.min(axis=0), every.max(axis=0)
        self._middle = 0.5 * (low + high)
        self._radius = max(1e-3, 0.5 * float(np.linalg.norm(high - low)))
        drawn = self.project(every)
        self._low, self._high = drawn.min(axis=0), drawn.max(axis=0)

    def project(self, points: Vector) -> Vector:
        """Return where points [m], (n, 3), are on the picture [m], (n, 2)."""
        shifted = points - self._middle
        return np.stack([shifted @ self._right, shifted @ self._up], axis=1)

    def draw(self, axes: Axes, poses: Poses, strength: float = 1.0) -> None:
        """Draw the bodies at their poses; fainter ones have a strength below 1."""
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgb

        found: list[tuple[float, Vector, Any]] = []
        for name, (position, rotation) in poses.items():
            colour = np.array(to_rgb(self._colours.get(name, GREY)))
            for face in self._faces[name]:
                corners = face @ rotation.T + position
                normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
                length = math.sqrt(float(normal @ normal))
                if length == 0.0 or normal @ self._towards <= 0.0:
                    continue  # seen from behind
                light = max(0.0, float(normal @ LIGHT) / length)
                shade = np.clip((DARKEST + (1.05 - DARKEST) * light) * colour, 0.0, 1.0)
                depth = float((corners @ self._towards).mean())
                found.append((depth, self.project(corners), (*shade, strength)))
        found.sort(key=lambda item: item[0])
        shades = [item[2] for item in found]
        collection = PolyCollection(
            [item[1] for item in found],
            facecolors=shades,
            edgecolors=shades if strength == 1.0 else 'none',
            linewidths=0.3,
            antialiaseds=strength == 1.0,
        )
        collection.set_zorder(2.0 + strength)
        axes.add_collection(collection)

    def draw_grounds(self, axes: Axes, poses: Poses) -> None:
        """Draw the surfaces of half-spaces, with a grid of whole metres or parts of them."""
        from matplotlib.patches import Polygon

        for name, normal, offset in self._planes:
            position, rotation = poses[name]
            normal = rotation @ normal
            if normal @ self._towards <= 0.05:
                continue  # seen from behind, or from the side
            offset += float(normal @ position)
            centre = self._middle + (offset - float(normal @ self._middle)) * normal
            first = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
            first /= np.linalg.norm(first)
            second = np.cross(normal, first)
            size = nice(0.35 * self._radius)
            reach = size * max(3, math.ceil(1.1 * self._radius / size))
            corners = [centre + reach * (a * first + b * second) for a, b in SQUARE]
            outline = self.project(np.array(corners))
            axes.add_patch(Polygon(outline, fc=GROUND, ec='none', zorder=0.5))
            for step in np.arange(-reach, reach + 0.5 * size, size):
                for one, other in ((first, second), (second, first)):
                    ends = [centre + step * one + sign * reach * other for sign in (-1, 1)]
                    axes.plot(*self.project(np.array(ends)).T, color=GRID, lw=0.6, zorder=0.6)

    def finish(self, axes: Axes, aspect: float) -> None:
        """Set the limits, to a height over width, and draw the axes of the world and a scale."""
        size, middle = self._high - self._low, 0.5 * (self._low + self._high)
        width = 0.5 * max(float(size[0]), float(size[1]) / aspect) + 0.06 * self._radius
        # A strip below is for the axes of the world and the scale.
        low, high = middle[1] - 0.5 * size[1], middle[1] + 0.5 * size[1]
        spare = max(0.0, 2.0 * aspect * width - (high - low))
        if spare < 0.3 * aspect * width:
            width *= 1.0 + 0.15
        bottom = middle[1] - aspect * width - 0.1 * aspect * width
        axes.set_xlim(middle[0] - width, middle[0] + width)
        axes.set_ylim(bottom, bottom + 2.0 * aspect * width)
        axes.set_aspect('equal', adjustable='box', anchor='NW')
        axes.grid(visible=False)
        axes.set_axis_off()
        corner = np.array([middle[0] - width, bottom])
        _draw_triad(axes, corner, width, (self._right, self._up))


def _draw_triad(axes: Axes, corner: Vector, width: float, camera: tuple[Vector, Vector]) -> None:
    """Draw the axes of the world, and a length, above the lower edge."""
    size = 0.15 * width
    origin = corner + np.array([0.2 * width, 0.14 * width])
    for name, axis in zip('xyz', np.eye(3), strict=True):
        tip = size * np.array([axis @ camera[0], axis @ camera[1]])
        to, letter = origin + tip, origin + 1.35 * tip
        arrow = {'arrowstyle': '->', 'lw': 0.8, 'shrinkA': 0, 'shrinkB': 0}
        ends = (float(to[0]), float(to[1])), (float(origin[0]), float(origin[1]))
        axes.annotate('', *ends, arrowprops=arrow, zorder=6)
        axes.text(float(letter[0]), float(letter[1]), name, ha='center', va='center', zorder=6)
    length = nice(0.35 * width)
    x, y = float(corner[0]) + 1.9 * width - length, float(corner[1]) + 0.1 * width
    axes.plot([x, x + length], [y, y], 'k-', lw=1.5, zorder=6)
    axes.text(x + 0.5 * length, y + 0.03 * width, f'{length:g} m', ha='center', zorder=6)


SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def _both(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def nice(length: float) -> float:
    """Return the length of 1, 2 or 5 times a power of ten that is next to one [m]."""
    power = 10.0 ** math.floor(math.log10(max(length, 1e-12)))
    steps = [power * factor for factor in (1.0, 2.0, 5.0, 10.0)]
    return min(steps, key=lambda step: abs(math.log(step / max(length, 1e-12))))


def _near(faces: list[Vector], moving: Vector) -> list[Vector]:
    """Return the faces of a surface near what moves: within half of its extent, or 1 m."""
    if not len(moving):
        return faces
    low, high = moving.min(axis=0), moving.max(axis=0)
    margin = max(1.0, 0.5 * float((high - low).max()))
    return [
        face
        for face in faces
        if (face.max(axis=0) >= low - margin).all() and (face.min(axis=0) <= high + margin).all()
    ]
