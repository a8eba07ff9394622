"""Figures of docs/paper.md: the five scenarios, the printed formulas, and Table I."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from paper_physics import C, momenta, ours, printed, R, run, ScenarioRun
from paper_table import COLUMNS, TABLE_ONE, Whole

from symcontact_ros.bench.scenes import SCENARIOS
from symcontact_ros.cli.figure_style import COLOURS, FORMATS, write_figure
from symcontact_ros.cli.plane_panel import PlanePanel
from symcontact_ros.cli.run_panels import ENERGIES, Panels
from symcontact_ros.cli.space_panel import SpacePanel
from symcontact_ros.contact.laws import law_named

FORMAT = replace(FORMATS['page'], dpi=220)
BLUE, ORANGE, GREEN, GREY = '#0072B2', '#D55E00', '#009E73', '#7F7F7F'
SCENARIO_PICTURES = {f'paper_{name}.png': name for name in SCENARIOS}
NORMALS = 7  # drawn around a corner


def draw_scenario(name: str, path: Path) -> None:
    """Draw motion, poses, energy, and the first contact of a scenario."""
    write_figure(path, (FORMAT.width, 5.0), _Scenario(run(name, drawn=True)).draw, FORMAT)


class _Scenario:
    """Panels of a scenario: (a) motion, (b) energy, (c, d) poses, (e, f) the first contact."""

    def __init__(self, made: ScenarioRun) -> None:
        self._made = made
        simulation, recording = made.simulation, made.recording
        panels = Panels(simulation, recording, made.monitor, FORMAT.room)
        self._panels, self._bodies, self._colours = panels, panels.bodies, panels.colours
        self._planar = simulation.model.dimension == 2
        wide = 0.55 * FORMAT.width - 0.6
        self._scene = (
            PlanePanel(simulation, recording, self._bodies, self._colours, wide)
            if self._planar
            else SpacePanel(simulation, recording, self._colours, wide)
        )

    def draw(self, figure: Any) -> None:
        """Fill the figure."""
        left, right = figure.subfigures(1, 2, width_ratios=(0.55, 0.45), wspace=0.02)
        scene, energy = left.subplots(2, 1, height_ratios=(self._scene.height, 1.75))
        self._scene.draw(scene)
        scene.set_title(f'(a) {scene.get_title(loc="left").replace("Bodies", "bodies")}')
        self._energy(energy)
        poses, turns, force, loop = right.subplots(4, 1, height_ratios=(1.0, 1.0, 1.1, 1.1))
        self._poses(poses, turns)
        self._force(force)
        self._loop(loop)
        right.align_ylabels([poses, turns, force, loop])

    def _energy(self, axes: Any) -> None:
        times, terms = self._panels._energies()
        scale = max(float(np.abs(terms[name]).max()) for name in ENERGIES)
        for name, colour in ENERGIES.items():
            if np.abs(terms[name]).max() > 1e-9 * scale:
                axes.plot(times, terms[name], color=colour, label=name)
        total = sum(terms[name] for name in ('kinetic', 'potential', 'elastic'))
        axes.plot(times, total, color='black', label='mechanical')
        first, last = self._around()
        axes.set(title='(b) energy', xlabel='time [s]', ylabel='energy [J]', xlim=(first, last))
        above = {'loc': 'lower right', 'bbox_to_anchor': (1.0, 0.96), 'ncols': 5}
        axes.legend(**above, **TIGHT | {'handlelength': 1.2, 'columnspacing': 0.8})

    def _around(self) -> tuple[float, float]:
        """Return the time around the contacts [s], or all of it where they fill it."""
        spans = [(rows[0, 0], rows[-1, 0]) for rows in self._made.intervals()]
        first, last = spans[0][0], spans[-1][1]
        end = self._made.simulation.time
        margin = 0.5 * (last - first)
        return (0.0, end) if last - first > 0.4 * end else (first - margin, last + margin)

    def _poses(self, poses: Any, turns: Any) -> None:
        table = self._made.recording
        times = table['time']
        styles = {'x': '-', 'y': '--'} if self._planar else {'x': '-', 'y': '--', 'z': ':'}
        for body, dash in zip(self._bodies, ('-', (0, (4, 2))), strict=False):
            for axis, style in styles.items():
                look = {'color': self._colours[body], 'ls': style}
                poses.plot(times, table[f'{body}.{axis}'], **look)
            if self._planar:
                turned = table[f'{body}.angle']
            else:
                turned = np.linalg.norm([table[f'{body}.w{axis}'] for axis in 'xyz'], axis=0)
            turns.plot(times, turned, color=self._colours[body], ls=dash, label=body)
        poses.set(title='(c) positions', ylabel='[m]', xlim=(times[0], times[-1]))
        poses.tick_params(labelbottom=False)
        kind = 'angles' if self._planar else 'angular speeds'
        turns.set(title=f'(d) {kind}', ylabel='[rad]' if self._planar else '[rad/s]')
        turns.set(xlabel='time [s]', xlim=(times[0], times[-1]))
        place: dict[str, Any] = {'loc': 'lower right', 'bbox_to_anchor': (1.0, 0.96)}
        for axis, style in styles.items():
            poses.plot([], [], color='black', ls=style, label=axis)
        poses.legend(ncols=3, **place, **TIGHT)
        turns.legend(ncols=2, **place, **TIGHT)

    def _force(self, axes: Any) -> None:
        rows = next(self._made.intervals())
        times = 1e3 * (rows[:, 0] - rows[0, 0])
        axes.plot(times, rows[:, 1], color=BLUE, label='normal $F_N$')
        axes.plot(times, rows[:, 2], color=ORANGE, ls='--', label='friction $F_T$')
        axes.fill_between(times, rows[:, 1], color=BLUE, alpha=0.12, lw=0)
        axes.axhline(0.0, color=GREY, lw=0.6)
        axes.set(title='(e) first contact', ylabel='force [N]', xlim=(0.0, times[-1]))
        axes.set(xlabel=f'time after {rows[0, 0]:.3f} s [ms]')
        axes.legend(loc='lower right', bbox_to_anchor=(1.0, 0.96), ncols=2, **TIGHT)

    def _loop(self, axes: Any) -> None:
        """Draw the normal force over the depth: the area within is what is dissipated."""
        rows = next(self._made.intervals())
        model = self._made.simulation.model
        material = model.material(*model.pairs[0])
        exponent = law_named(material.law).exponent
        depth = np.linspace(0.0, rows[:, 3].max(), 100)
        elastic = model.number(material.stiffness) * depth**exponent
        turn = int(np.argmax(rows[:, 3]))
        axes.fill(1e3 * rows[:, 3], rows[:, 1], color=BLUE, alpha=0.12, lw=0)
        axes.plot(1e3 * rows[: turn + 1, 3], rows[: turn + 1, 1], color=BLUE, label='in')
        axes.plot(1e3 * rows[turn:, 3], rows[turn:, 1], color=BLUE, ls='-.', label='out')
        share = self._share(rows)
        label = r'$k\rho^3$' if share == 1.0 else rf'$k\rho^3 / {1 / share:.0f}$, one corner'
        axes.plot(1e3 * depth, share * elastic, color='black', lw=0.7, ls=':', label=label)
        axes.set(title='(f) law', xlabel=r'depth $\rho$ [mm]', ylabel='$F_N$ [N]')
        axes.set(xlim=(0.0, None), ylim=(0.0, None))
        axes.legend(loc='upper left', **TIGHT)

    def _share(self, rows: np.ndarray) -> float:
        """Return the part of the stiffness that acts: flat bodies touch with one corner."""
        shapes = [
            shape.shape.kind
            for body in self._made.simulation.model.bodies
            for shape in body.shapes
        ]
        return 0.5 if shapes.count('rectangle') == 2 else 1.0


TIGHT: dict[str, Any] = {'handlelength': 1.6, 'columnspacing': 1.0, 'borderpad': 0.2}


# The printed formulas ----------------------------------------------------------------------------


def draw_formulas(path: Path) -> None:
    """Draw where the printed formulas fail."""
    write_figure(path, (FORMAT.width, 4.4), _formulas, FORMAT)


def _formulas(figure: Any) -> None:
    grid = figure.add_gridspec(2, 2, width_ratios=(1.25, 1.0))
    _regions(figure, figure.add_subplot(grid[0, 0]))
    _corner(figure.add_subplot(grid[0, 1]))
    _repulsion(figure.add_subplot(grid[1, 0]))
    _couple(figure.add_subplot(grid[1, 1]))


def _regions(figure: Any, axes: Any) -> None:
    """Draw the error of the printed distance over the place of the centre."""
    from matplotlib.patches import FancyBboxPatch, Rectangle, Wedge

    reach = C + 0.55
    x, y = (np.linspace(-side, side, count) for side, count in zip(reach, (512, 210), strict=True))
    q = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
    error = (printed(q).phi - ours(q).distance).reshape(len(y), len(x))
    shown = np.ma.masked_less(error, 1e-12)
    mesh = axes.pcolormesh(x, y, shown, cmap='YlOrRd', vmin=0.0, shading='auto', rasterized=True)
    axes.add_patch(Rectangle(-C, *(2 * C), fill=False, lw=1.0, zorder=3))
    rounding = f'round,pad=0,rounding_size={R}'
    touching = FancyBboxPatch(-C - R, *(2 * (C + R)), boxstyle=rounding, fill=False, ls='--')
    axes.add_patch(touching)
    for turn, place in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        ends = 90.0 * turn, 90.0 * (turn + 1)
        axes.add_patch(Wedge(C * place, R, *ends, fc=BLUE, alpha=0.3, lw=0))
    axes.set_aspect('equal')
    axes.grid(visible=False)
    axes.set(xlabel='$q_1$ [m]', ylabel='$q_2$ [m]', title=r'(a) error of $\varphi$, eq. 11')
    axes.text(0.0, C[1] + 0.5 * R, 'right', ha='center', va='center')
    axes.text(C[0] + 0.04, C[1] + R + 0.08, 'normal wrong', ha='right', color=BLUE)
    bar = figure.colorbar(mesh, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label('[m]')


def _corner(axes: Any) -> None:
    """Draw printed and exact normals of contacts at a corner."""
    angles = np.radians(np.linspace(4.0, 86.0, NORMALS))
    way = np.stack([np.cos(angles), np.sin(angles)], -1)
    q = C + 0.7 * R * way
    wrong, right = printed(q).n, ours(q).normal[:, :2]
    unit = wrong / np.linalg.norm(wrong, axis=1)[:, None]
    axes.fill_between([C[0] - 0.25, C[0]], [C[1] - 0.2] * 2, [C[1]] * 2, color='#D9D4CC', lw=0)
    settings = {'angles': 'xy', 'scale_units': 'xy', 'scale': 1.0, 'width': 0.008}
    axes.quiver(*q.T, *(0.12 * unit).T, color=ORANGE, label='printed, made a unit', **settings)
    axes.quiver(*q.T, *(0.12 * right).T, color=BLUE, label='exact', **settings)
    axes.plot(*q.T, 'k.', ms=3)
    axes.set(xlim=(C[0] - 0.25, C[0] + 0.42), ylim=(C[1] - 0.2, C[1] + 0.36))
    axes.set_aspect('equal')
    axes.set(xlabel='$q_1$ [m]', ylabel='$q_2$ [m]', title='(b) normals at a corner, eq. 13')
    axes.legend(loc='lower right', **TIGHT)


def _repulsion(axes: Any) -> None:
    """Draw the depth as the centre goes from first touch to the middle."""
    height = np.linspace(C[1] + R, 1e-9, 400)
    q = np.stack([0.3 + 0 * height, height], -1)
    below = C[1] - height
    axes.plot(below, -ours(q).distance, color=BLUE, label='exact')
    axes.plot(below, printed(q).rho, color=ORANGE, ls='--', label='printed')
    axes.axvline(0.0, color=GREY, lw=0.6)
    axes.text(0.01, 0.72, 'centre inside', ha='left')
    axes.text(-0.01, 0.72, 'outside', ha='right')
    axes.set(xlabel='centre below the edge [m]', ylabel=r'$\rho$ [m]')
    axes.set(title='(c) depth, eqs. 11 and 12', xlim=(below[0], below[-1]), ylim=(0.0, None))
    axes.legend(loc='center left', **TIGHT)


def _couple(axes: Any) -> None:
    """Draw the angular momentum of two discs that nothing else acts on."""
    for words, colour, style in (('two points', ORANGE, '--'), ('one point', BLUE, '-')):
        times, values = momenta()[words]
        near = (times > 0.28) & (times < 0.36)
        change = 100.0 * (values / values[0] - 1.0)
        axes.plot(times[near], change[near], color=colour, ls=style, label=words)
    axes.set(xlabel='time [s]', ylabel='change of $L$ [%]')
    axes.set(title='(d) angular momentum, eqs. 9, 10, 18')
    axes.legend(loc='upper left', **TIGHT)


# Table I -----------------------------------------------------------------------------------------


def draw_table(whole: Whole, path: Path) -> None:
    """Draw Table I as printed, and the same measured."""
    write_figure(path, (FORMAT.width, 3.1), lambda figure: _table(figure, whole), FORMAT)


def _table(figure: Any, whole: Whole) -> None:
    left, right = figure.subplots(1, 2, sharex=True, sharey=True)
    names = list(TABLE_ONE)
    looks = dict(zip(COLUMNS, (('o', BLUE), ('s', COLOURS[5]), ('^', ORANGE)), strict=True))
    for column, (mark, colour) in looks.items():
        look = {'marker': mark, 'color': colour, 'ls': 'none', 'ms': 5, 'label': column}
        places = range(len(names))
        left.plot([TABLE_ONE[name][column] for name in names], places, **look)
        right.plot([whole[name][column] for name in names], places, **look)
    more = {'ours, derived anew': ('D', GREY), 'ours': ('P', GREEN), 'ours, CO': ('x', 'black')}
    for column, (mark, colour) in more.items():
        values = [whole[name][column] for name in names]
        look = {'marker': mark, 'color': colour, 'ls': 'none', 'ms': 5, 'label': column}
        right.plot(values, range(len(names)), **look)
    left.set_yticks(range(len(names)), [name.replace('_', ' ') for name in names])
    left.invert_yaxis()
    for axes, words in ((left, '(a) as printed'), (right, '(b) measured here')):
        axes.set(xscale='log', xlabel='time of a simulation [s]', title=words)
    figure.legend(*right.get_legend_handles_labels(), loc='outside lower center', ncols=6, **TIGHT)
