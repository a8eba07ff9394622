"""Figure of the shapes of a model at its start, each in a colour."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.cli.figure_style import COLOURS, ENDINGS, require_matplotlib, write_figure
from symcontact_ros.cli.piece_faces import faces_of
from symcontact_ros.cli.space_view import AZIMUTH, DARKEST, ELEVATION, LIGHT
from symcontact_ros.errors import counted, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.types import Vector

SIZE = (8.0, 6.5)  # [in]
SHAPE_COLOURS = COLOURS[:8]
SURFACE = '#B8B0A2'


def check_ending(path: Path) -> None:
    """Raise OptionError where no figure can be written to a file, before anything is read."""
    if path.suffix not in ENDINGS:
        raise OptionError(f'--plot {path}: the name must end in {" or ".join(ENDINGS)}')
    if not path.absolute().parent.is_dir():
        raise OptionError(f'{path}: there is no such folder')
    require_matplotlib()


def save_shapes(model: Model, path: Path) -> None:
    """Write the figure."""
    write_figure(path, SIZE, lambda figure: _draw(model, figure))


def _draw(model: Model, figure: Any) -> None:
    axes = figure.add_subplot()
    axes.set_aspect('equal')
    axes.grid(visible=False)
    start = StartPose(model)
    placed = [shape for name in model.body_names for shape in start.shapes(name)]
    drawn = [entry for entry in placed if entry[0].is_bounded]
    text = f'{model.name}: {counted(len(placed), "shape")}'
    if len(placed) > len(drawn):
        text += f', of which {counted(len(placed) - len(drawn), "half-space")} are not shown'
    axes.set_title(text)
    if model.dimension == 2:
        for number, (shape, turn, shift) in enumerate(drawn):
            points = shape.outline() @ turn[:2, :2].T + shift[:2]
            colour = SHAPE_COLOURS[number % len(SHAPE_COLOURS)]
            axes.fill(*points.T, color=colour, alpha=0.8, linewidth=0.5)
        axes.set_xlabel('x [m]')
        axes.set_ylabel('y [m]')
        return
    _draw_space(axes, drawn)
    axes.axis('off')


def _draw_space(axes: Any, drawn: list[tuple[Any, Vector, Vector]]) -> None:
    """Draw shaded faces, from the farthest to the nearest."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    ca, sa, ce, se = (f(a) for a in (AZIMUTH, ELEVATION) for f in (np.cos, np.sin))
    view = np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]])
    found = []
    for number, (shape, turn, shift) in enumerate(drawn):
        name = SHAPE_COLOURS[number % len(SHAPE_COLOURS)] if shape.is_convex else SURFACE
        colour = np.array(to_rgb(name))
        for piece in shape.marker_pieces(3):
            for face in faces_of(piece):
                corners = face @ turn.T + shift
                normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
                length = float(np.linalg.norm(normal))
                if length == 0.0 or normal @ view[2] <= 0.0:
                    continue  # seen from behind
                light = max(0.0, float(normal @ LIGHT) / length)
                shade = np.clip((DARKEST + (1.05 - DARKEST) * light) * colour, 0.0, 1.0)
                found.append((float((corners @ view[2]).mean()), corners @ view[:2].T, shade))
    found.sort(key=lambda entry: entry[0])
    shades = [shade for _, _, shade in found]
    polygons = [polygon for _, polygon, _ in found]
    axes.add_collection(
        PolyCollection(polygons, facecolors=shades, edgecolors=shades, linewidths=0.3)
    )
    axes.autoscale_view()
