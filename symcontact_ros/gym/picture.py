"""Pictures of a world, as arrays of colours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.cli.figure_style import GREY, require_matplotlib
from symcontact_ros.cli.outlines import outline_of, rotation
from symcontact_ros.cli.plane_panel import GROUND
from symcontact_ros.cli.space_view import SpaceView
from symcontact_ros.errors import OptionError, shown
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

SIZE, DPI = (4.8, 3.6), 100  # [in], dots per inch
ASPECT = SIZE[1] / SIZE[0]
MARGIN = 0.35  # around the bodies, over the size of what they take up
LEAST = 1.2  # [m] of the width in the plane
NEAREST = 0.3  # [m] to all sides in space
COLOURS = ('#2A78B8', '#E07B28', '#3A9A4B', '#B8433F', '#7F63B0', '#7C5A4A')
PICTURES = 'rgb_array'  # the render mode
Placed = tuple[Vector, Vector]  # position [m] and rotation matrix of a body
Values = dict[str, float]  # of live symbols


def picture_of(model: Model, render_mode: str | None) -> Picture | None:
    """Return what draws a model in a render mode; OptionError for one that there is not."""
    if render_mode not in (None, PICTURES):
        raise OptionError(f'render_mode: {PICTURES!r} or None needed, got {shown(render_mode)}')
    return Picture(model) if render_mode else None


class Picture:
    """What worlds of a model look like; the view follows the bodies as they go."""

    def __init__(self, model: Model) -> None:
        require_matplotlib(f'render_mode={PICTURES!r}')
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._model = model
        self._moving = [name for name in model.body_names if name not in model.grounded]
        self._colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(self._moving)}
        self._figure = Figure(figsize=SIZE, dpi=DPI)
        self._canvas = FigureCanvasAgg(self._figure)
        self._size: Vector | None = None  # [m] that bodies take up at the first picture

    def draw(self, simulation: Simulation) -> NDArray[np.uint8]:
        """Return the picture of a world, (height, width, 3): red, green, blue."""
        self._figure.clear()
        axes = self._figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        poses = {
            name: (np.array(pose.position), matrix(tuple(pose.quaternion)))
            for name, pose in simulation.poses().items()
        }
        draw = self._draw_plane if self._model.dimension == 2 else self._draw_space
        draw(axes, poses, simulation.parameters)
        text = f't = {simulation.time:.2f} s'
        self._figure.text(0.98, 0.97, text, ha='right', va='top', fontsize=9)
        self._canvas.draw()  # type: ignore[no-untyped-call]
        dots = np.asarray(self._canvas.buffer_rgba())  # type: ignore[no-untyped-call]
        return dots[:, :, :3].copy()

    def _extent(self, poses: dict[str, Placed], values: Values) -> tuple[Vector, Vector]:
        """Return middle and size of what is shown; the size is that of the first picture."""
        points = []
        for name in self._moving:
            position, turn = poses[name]
            com = np.array(evaluate_all(self._model.body(name).com, values))
            points += [position, position + turn @ com]
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        if self._size is None:
            self._size = high - low
        return 0.5 * (low + high), self._size

    def _draw_plane(self, axes: Any, poses: dict[str, Placed], values: Values) -> None:
        from matplotlib.patches import Polygon

        model = self._model
        middle, size = self._extent(poses, values)
        width = max(LEAST, (1.0 + 2.0 * MARGIN) * max(size[0], size[1] / ASPECT))
        axes.set_xlim(middle[0] - 0.5 * width, middle[0] + 0.5 * width)
        axes.set_ylim(middle[1] - 0.5 * ASPECT * width, middle[1] + 0.5 * ASPECT * width)
        step = 10.0 ** math.floor(math.log10(width))  # marks that show how fast it goes
        for x in np.arange(math.floor((middle[0] - width) / step), (middle[0] + width) / step):
            axes.axvline(x * step, color='#E6E6E6', lw=0.8, zorder=0)
        for body in model.bodies:
            position, turn = poses[body.name]
            angle = math.atan2(turn[1, 0], turn[0, 0])
            still = body.name in model.grounded
            colour = GREY if still else self._colours[body.name]
            for placed in body.shapes:
                points = position[:2] + outline_of(placed, values) @ rotation(angle).T
                fill = GROUND if still else (colour, 0.4)
                patch = Polygon(points, fc=fill, ec=colour, lw=1.0, zorder=2 - still)
                axes.add_patch(patch)
            if not body.shapes and not still:  # a stick from its parent over its joint
                com = position + turn @ np.array(evaluate_all(body.com, values))
                ends = [poses[body.joint.parent][0]] if body.joint.parent in self._colours else []
                stick = np.array([*ends, position, com])[:, :2]
                mark = ('o', 6) if np.ptp(stick, axis=0).any() else ('s', 16)  # a cart, say
                line = {'lw': 3.0, 'marker': mark[0], 'markersize': mark[1]}
                axes.plot(*stick.T, color=colour, zorder=3, **line)

    def _draw_space(self, axes: Any, poses: dict[str, Placed], values: Values) -> None:
        model = self._model
        middle, size = self._extent(poses, values)
        view = SpaceView(model, values, self._colours)
        reach = max(NEAREST, 0.5 * (1.0 + MARGIN) * float(np.max(size)))
        view.look_at(_Seen(middle, reach, self._moving[:1]))
        still = {name: poses[name] for name in model.grounded}
        view.draw_grounds(axes, still)
        view.draw(axes, {**still, **{name: poses[name] for name in self._moving}})
        for name in self._moving:  # links without shapes are sticks
            parent = model.body(name).joint.parent
            if not model.body(name).shapes and parent in self._colours:
                stick = view.project(np.array([poses[parent][0], poses[name][0]]))
                axes.plot(*stick.T, color=self._colours[name], lw=4.0, zorder=4)
        view.finish(axes, ASPECT)


class _Seen:
    """What a view looks at: a cube about the bodies."""

    def __init__(self, middle: Vector, reach: float, moving: list[str]) -> None:
        self.moving = moving
        self.still: dict[str, Placed] = {}
        self._corners = np.array([middle - reach, middle + reach])

    def path(self, body: str) -> Vector:
        """Return the corners of the cube [m]."""
        del body
        return self._corners
