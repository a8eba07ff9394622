"""Figure of a sweep: lines over a grid, maps of two long axes, dots and histograms of samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.cli.figure_style import COLOURS, FORMATS, GREY, write_figure
from symcontact_ros.sweeps.axes import Distribution, Grid
from symcontact_ros.sweeps.table import SweepTable

PANEL = 3.9, 2.3  # [in]
MOST_LINES = 6  # of a panel; a longer second axis makes a map
MOST_COLUMNS = 4  # of samples: parameters that are drawn
BINS = 40
BAND = 5.0, 50.0, 95.0  # [%] of samples below the lower edge, the line, the upper edge
HEAD = 0.55  # [in] above all panels


def write_sweep_plot(path: Path, table: SweepTable) -> None:
    """Draw all measures of a sweep into a .png, .pdf or .svg file, whole or not at all."""
    drawing = _Drawing(table)
    write_figure(path, drawing.size, drawing.draw, FORMATS['screen'])


class _Drawing:
    def __init__(self, table: SweepTable) -> None:
        self._table = table
        axes = table.points.axes
        grids = [name for name, axis in axes.items() if isinstance(axis, Grid)]
        lengths = {name: len(axes[name].values) for name in grids}  # type: ignore[union-attr]
        long = sorted((name for name in grids if lengths[name] > 1), key=lambda n: -lengths[n])
        sampled = [name for name, axis in axes.items() if isinstance(axis, Distribution)]
        self._x, self._second = (*long, None, None)[:2]
        self._is_map = self._second is not None and lengths[self._second] > MOST_LINES
        self._sampled = sampled[:MOST_COLUMNS] if not long else []
        if not long and not sampled:  # one point
            self._x = next(iter(axes))
        count = len(table.measures)
        columns = len(self._sampled) + 1 if self._sampled else min(count, 3 if count != 4 else 2)
        rows = count if self._sampled else -(-count // columns)
        self._shape = rows, columns
        wide, high = PANEL
        self.size = max(wide * columns, 5.0), high * rows + HEAD

    def draw(self, figure: Any) -> None:
        """Fill the figure."""
        rows, columns = self._shape
        all_axes = figure.subplots(rows, columns, squeeze=False)
        for row, measure in enumerate(self._table.measures):
            if self._sampled:
                for column, name in enumerate(self._sampled):
                    self._dots(all_axes[row, column], name, measure)
                self._histogram(all_axes[row, -1], measure)
            elif self._is_map:
                self._map(figure, all_axes.flat[row], measure)
            else:
                self._lines(all_axes.flat[row], measure)
        for spare in all_axes.flat[rows * columns if self._sampled else self._count :]:
            spare.set_axis_off()
        if self._second is not None and not self._is_map:
            all_axes.flat[0].legend(title=self._label(self._second), handlelength=1.2)
        self._headline(figure)

    @property
    def _count(self) -> int:
        return len(self._table.measures)

    def _headline(self, figure: Any) -> None:
        table = self._table
        name = table.words['model'].replace('_', r'\_')
        counts = ', '.join(f'{count} {word}' for word, count in table.counts.items() if count)
        points = table.points
        text = f'{len(table)} points: {counts}'
        if points.samples:
            text += f' · {points.samples} samples of seed {points.seed}'
            text += '' if self._sampled else ': median, and 5 % to 95 %'
        text += f' · symcontact_ros {table.words["symcontact_ros"]}'
        figure.suptitle(
            f'$\\bf{{{name}}}$\n{text}', x=0.01, ha='left', fontsize=9, linespacing=1.4
        )

    def _label(self, name: str) -> str:
        """Return a name with its unit; of a symbol its last word, where no other has it."""
        unit = self._table.units[name]
        word = name.rpartition('.')[2]
        words = [other.rpartition('.')[2] for other in self._table.parameters]
        if name in self._table.parameters and words.count(word) == 1:
            name = word
        return f'{name} [{unit}]' if unit not in ('', '-') else name

    def _lines(self, axes: Any, measure: str) -> None:
        """Draw a measure over the longest axis, a line for each value of the second one."""
        table, x = self._table, self._table[self._x or '']
        second = None if self._second is None else table[self._second]
        groups = [None] if second is None else np.unique(second).tolist()
        for colour, group in zip(COLOURS, groups, strict=False):
            own = np.full(len(table), True) if second is None else second == group
            places = np.unique(x[own])
            bands = np.array([_band(table[measure][own & (x == place)]) for place in places])
            axes.plot(
                places, bands[:, 1], color=colour, marker='o' if len(places) < 40 else '',
                markersize=2.5, label='' if group is None else f'{group:g}',
            )  # fmt: skip
            if (bands[:, 2] > bands[:, 0]).any():
                axes.fill_between(places, bands[:, 0], bands[:, 2], color=colour, alpha=0.2, lw=0)
        self._mark_failed(axes, x)
        self._scale(axes, self._x or '')
        axes.set_xlabel(self._label(self._x or ''))
        axes.set_ylabel(self._label(measure))

    def _map(self, figure: Any, axes: Any, measure: str) -> None:
        """Draw a measure over two long axes, in colours; white where there is no result."""
        table = self._table
        x, y = self._x or '', self._second or ''
        across, columns = np.unique(table[x], return_inverse=True)
        up, rows = np.unique(table[y], return_inverse=True)
        cells: list[list[list[float]]] = [[[] for _ in across] for _ in up]
        for row, column, value in zip(rows, columns, table[measure], strict=True):
            cells[row][column].append(value)
        values = np.array([[_band(np.array(cell))[1] for cell in line] for line in cells])
        mesh = axes.pcolormesh(across, up, values, shading='nearest', cmap='viridis')
        axes.grid(False)
        figure.colorbar(mesh, ax=axes, label=self._label(measure))
        self._scale(axes, x)
        axes.set_xlabel(self._label(x))
        axes.set_ylabel(self._label(y))

    def _dots(self, axes: Any, name: str, measure: str) -> None:
        """Draw a measure over a sampled parameter, a dot for each sample."""
        x = self._table[name]
        size = 8.0 if len(x) < 500 else 2.0
        axes.scatter(x, self._table[measure], s=size, color=COLOURS[0], alpha=0.5, linewidths=0)
        self._mark_failed(axes, x)
        if self._table.points.axes[name].kind == 'loguniform':  # type: ignore[union-attr]
            axes.set_xscale('log')
        axes.set_xlabel(self._label(name))
        axes.set_ylabel(self._label(measure))

    def _histogram(self, axes: Any, measure: str) -> None:
        """Draw how often values came, with median and the band of 90 %."""
        values = self._table[measure]
        values = values[np.isfinite(values)]
        if values.size:
            axes.hist(values, bins=min(BINS, 2 + values.size // 5), color=COLOURS[5], alpha=0.7)
            for part, value in zip(BAND, _band(values), strict=True):
                style = '-' if part == 50.0 else ':'
                axes.axvline(
                    value, color=COLOURS[1], linestyle=style, label=f'{part:g} %: {value:.3g}'
                )
            axes.legend(handlelength=1.2)
        axes.set_xlabel(self._label(measure))
        axes.set_ylabel('samples')

    def _mark_failed(self, axes: Any, x: Any) -> None:
        """Put a cross at the foot of the panel where a run has no results."""
        failed = np.unique(x[~self._table.is_good])
        if failed.size:
            foot = axes.get_xaxis_transform()
            axes.plot(failed, 0 * failed + 0.03, 'x', color=GREY, markersize=4, transform=foot)

    def _scale(self, axes: Any, name: str) -> None:
        """Use a logarithmic axis where values are spread over decades evenly."""
        values = np.unique(self._table[name])
        if values.size > 2 and values[0] > 0.0 and values[-1] / values[0] > 30.0:
            steps = np.diff(np.log(values))
            if steps.max() < 1.5 * steps.min():
                axes.set_xscale('log')


def _band(values: Any) -> Any:
    """Return lower edge, median and upper edge of values; NaN if there are none."""
    good = values[np.isfinite(values)]
    return np.percentile(good, BAND) if good.size else np.full(3, np.nan)
