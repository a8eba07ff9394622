"""Figures of `docs/contact.md`, drawn from the trials of `contact_study.py`."""

from pathlib import Path
from typing import Any

from contact_limits import landing
from contact_trials import bounce, creep, CREEPING, exact_restitution
import numpy as np

from symcontact_ros.cli.figure_style import COLOURS, GREY, write_figure

BLUE, ORANGE, GREEN, PINK, YELLOW, SKY = COLOURS[:6]
NAMES = {'Panda, table': 'Panda,\ntable', 'UR5, table': 'UR5,\ntable', 'Panda, box': 'Panda,\nbox'}


def write_figures(folder: Path, results: dict[str, Any] | None) -> None:
    """Write all figures; that of robots only where their results are given."""
    write_figure(folder / 'contact_friction.png', (9.0, 3.4), draw_friction)
    write_figure(folder / 'contact_creep.png', (7.0, 3.6), draw_creep)
    write_figure(folder / 'contact_restitution.png', (7.0, 3.6), draw_restitution)
    found = landing('implicit', duration=0.4), landing('auto', duration=0.4)
    if all(found):
        size = (9.0, 4.0)
        write_figure(folder / 'contact_ledger.png', size, lambda f: draw_ledger(f, *found))
    if results:
        path = folder / 'contact_robots.png'
        write_figure(path, (9.0, 3.8), lambda figure: draw_robots(figure, results))


def draw_friction(figure: Any) -> None:
    """Friction over the way of a contact that is pushed to and fro, and over steady slip."""
    left, right = figure.subplots(1, 2, sharey=True)
    way = np.concatenate([np.linspace(0, 2.5, 251), np.linspace(2.5, -0.5, 301)])
    way = np.concatenate([way, np.linspace(-0.5, 1.0, 151)])
    stretch, forces = 0.0, []
    for change in np.diff(way, prepend=0.0):
        stretch = min(max(stretch + change, -1.0), 1.0)
        forces.append(stretch)
    left.plot(way, forces, color=BLUE)
    left.plot([0.0], [0.0], color=BLUE, marker='o', ms=4)
    for label, at, place in (
        ('sticks: a spring $\\mu F_N / \\delta$', (0.45, 0.45), (-0.75, 0.72)),
        ('slides', (1.75, 1.0), (1.6, 1.13)),
        ('turns back: sticks', (1.5, 0.0), (1.75, -0.35)),
        ('slides back', (0.0, -1.0), (-0.2, -1.22)),
        ('sticks', (0.25, -0.25), (-0.45, -0.05)),
    ):
        arrow = {'arrowstyle': '-', 'color': GREY, 'lw': 0.8}
        left.annotate(label, at, place, fontsize=8, arrowprops=arrow)
    left.set(xlabel='way of B relative to A / $\\delta$', xlim=(-0.85, 2.85))
    left.set_ylabel('friction against the motion / $\\mu F_N$')
    left.set_title('slow motion: the anchor')
    slip = np.linspace(-4, 4, 801)
    right.plot(slip, np.clip(slip, -1, 1), color=BLUE, label='sticking, anchor at 0')
    shifted = np.clip(0.7 + slip, -1, 1)
    right.plot(slip, shifted, color=SKY, ls='-.', label='sticking, anchor at 0.7 $\\delta$')
    right.plot(slip, np.tanh(slip / 2), color=ORANGE, ls='--', label='regularised')
    right.set(xlabel='slip / vs', ylim=(-1.35, 1.35))
    right.set_title('one instant: the slip')
    right.legend(loc='lower right')


def draw_creep(figure: Any) -> None:
    """How far a box creeps on a slope that it is put on."""
    axes = figure.subplots()
    looks = {
        'rk4': {'ls': '-', 'lw': 4.0, 'alpha': 0.35},
        'implicit': {'ls': '-', 'lw': 1.4},
        'implicit2': {'ls': ':', 'lw': 2.4, 'color': 'black'},
    }
    for friction, integrator in CREEPING:
        times, ways = creep(friction, integrator, settling=0.0)
        colour = ORANGE if friction.startswith('regularised') else BLUE
        look = {'color': colour, **looks[integrator]}
        axes.plot(times, 1e3 * ways, label=f'{friction}, {integrator}', **look)
    axes.set(xscale='log', yscale='log', ylim=(1e-3, 1e4), xlabel='time [s]')
    axes.set_ylabel('way down the slope [mm]')
    axes.set_title('A box put on a slope of 15 degrees, mu 0.6, presliding 0.1 mm')
    axes.text(1.0, 0.03, 'sticks, and stays', fontsize=8)
    axes.legend(loc='upper left')


def draw_restitution(figure: Any) -> None:
    """Restitution over the duration of a contact, in steps."""
    axes = figure.subplots()
    ratios = np.geomspace(0.1, 100.0, 25)
    for integrator, colour, style, mark in (
        ('rk4', BLUE, '-', 'o'),
        ('implicit2', GREEN, '--', 's'),
        ('implicit', ORANGE, '-.', '^'),
    ):
        found = [bounce(integrator, float(ratio))[0] for ratio in ratios]
        axes.plot(ratios, found, color=colour, ls=style, marker=mark, ms=3.5, label=integrator)
    exact = exact_restitution()
    axes.axhline(exact, color='black', lw=0.8, zorder=0)
    axes.text(30.0, exact + 0.02, f'by the law: {exact:.3f}', fontsize=8)
    axes.set(xscale='log', ylim=(0.0, 1.0), ylabel='restitution at 1 m/s')
    axes.set(xlabel='duration of the contact / step')
    axes.set_title('A ball on a wall, linear law, c = 0.3 s/m')
    axes.legend(loc='lower right')


def draw_ledger(figure: Any, first: Any, second: Any) -> None:
    """The ledger of a quadruped that lands, with two integrators."""
    panels = figure.subplots(1, 2, sharey=True)
    for axes, (times, e), name in zip(panels, (first, second), ('implicit', 'auto'), strict=True):
        lowest = min(e['potential'].min(), 0.0)
        layers = {
            'potential (from its lowest)': e['potential'] - lowest,
            'kinetic': e['kinetic'],
            'elastic': e['elastic'],
            'taken by servos (- work in)': -e['work_in'],
            'dissipated': e['dissipated'],
            'integration': e['integration'],
        }
        colours = (SKY, BLUE, GREEN, '#DDDDDD', YELLOW, ORANGE)
        axes.stackplot(times, *layers.values(), labels=layers, colors=colours, lw=0)
        start = e['potential'][0] - lowest + e['kinetic'][0] + e['elastic'][0]
        axes.axhline(start, color='black', lw=1.0, ls='--', label='energy at the start')
        residual = 1e3 * np.abs(e['residual']).max()
        axes.set_title(f'{name}: residual at most {residual:.1f} mJ')
        axes.set(xlabel='time [s]', xlim=(0.0, times[-1]), ylim=(0.0, 1.12 * start))
    panels[0].set_ylabel('energy [J]')
    handles, labels = panels[1].get_legend_handles_labels()
    panels[1].legend(handles[::-1], labels[::-1], loc='upper left', bbox_to_anchor=(1.0, 1.0))


def draw_robots(figure: Any, results: dict[str, Any]) -> None:
    """Time per step of robots at rest and in the first half second, beside MuJoCo."""
    panels = figure.subplots(1, 2, sharey=True)
    robots = results['robots']
    places = np.arange(len(robots))
    for axes, phase, title in zip(
        panels, ('first 0.5 s', 'at rest'), ('first 0.5 s: settling', 'at rest'), strict=True
    ):
        for shift, method, colour, hatch in (
            (-0.2, 'ours', BLUE, ''),
            (0.2, 'MuJoCo', YELLOW, '///'),
        ):
            times = [found[method]['us per step'][phase][0] for found in robots.values()]
            bars = axes.bar(
                places + shift, times, 0.38, color=colour, hatch=hatch, edgecolor='white',
                label={'ours': 'symcontact, implicit'}.get(method, 'MuJoCo, defaults'),
            )  # fmt: skip
            axes.bar_label(bars, fmt='%.1f', fontsize=6.5, padding=1)
        axes.set_xticks(places, [NAMES.get(name, name) for name in robots], fontsize=7.5)
        axes.grid(False, axis='x')
        axes.set_title(title)
    panels[0].set_ylabel('us per step of 1 ms')
    panels[1].legend(loc='upper right')
