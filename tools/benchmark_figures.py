"""Figures of docs/benchmarks.md, drawn from the stored numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import io
from pathlib import Path
import re
from typing import Any

from benchmark_claims import Comparison, comparisons
from benchmark_studies import Results, Row
from explanation_figures import BLUE, GREEN, GREY, ORANGE, RED, STYLE, VIOLET
import matplotlib
from matplotlib.figure import Figure

WIDTH = 7.2  # [in]
LINE = 0.19  # [in]: height of a line of the overview
NAMES = {'ours': BLUE, 'ours, rk4': BLUE, 'ours, verlet': GREEN, 'MuJoCo': ORANGE}
HEAP = {'ours, profile': VIOLET, 'ours, sparse': BLUE}
Draw = Callable[[Figure, Results], None]


def rows_of(results: Results, study: str, **wanted: str) -> list[Row]:
    """Return the rows of a study with these facts."""
    rows = results.get(study, {}).get('rows', [])
    return [row for row in rows if all(row.get(key) == own for key, own in wanted.items())]


def draw_overview(figure: Figure, results: Results) -> None:
    """Draw how many times as fast as the fastest peer ours is: the slower ones, and all."""
    compared = [one for one in comparisons(results) if one.peer]
    slower = [one for one in compared if one.is_slower]
    studies = list(dict.fromkeys(one.study for one in compared))
    studies.sort(key=lambda study: min(ratio_of(o) for o in compared if o.study == study))
    heights = [max(1, len(slower)), max(1, len(studies))]
    figure.set_size_inches(WIDTH, 1.3 + LINE * sum(heights))
    named, every = figure.subplots(2, 1, height_ratios=heights, sharex=True)
    for place, one in enumerate(slower):
        ratio = ratio_of(one)
        named.plot([1.0, ratio], [place, place], color=RED, lw=2.2, solid_capstyle='round')
        named.plot(ratio, place, 'o', color=RED, ms=4.5)
        look = {'color': RED, 'fontsize': 7.0, 'ha': 'right', 'va': 'center'}
        named.annotate(f'{ratio:.2g}', (ratio, place), (-5, 0), textcoords='offset points', **look)
    names = [one.name.replace('`', '') for one in slower]
    named.set_yticks(range(len(slower)), names, fontsize=7.0)
    named.set_title('slower than the fastest peer', loc='left')
    for one in compared:
        colour = RED if one.is_slower else BLUE
        every.plot(ratio_of(one), studies.index(one.study), 'o', color=colour, ms=5, alpha=0.6)
    every.set_yticks(range(len(studies)), studies)
    every.set_title('all of each study', loc='left')
    for axes, height in zip((named, every), heights, strict=True):
        axes.axvline(1.0, color=GREY, lw=1.0)
        axes.set_ylim(height - 0.4, -0.6)
        axes.grid(False, axis='y')
    every.set_xscale('log')
    plain(every.xaxis)
    low, high = every.get_xlim()
    every.set_xlim(low / 1.5, high)
    every.set_xlabel('times as fast as the fastest peer (1: as fast)')


def ratio_of(one: Comparison) -> float:
    """Return how many times as fast as its peer a number is."""
    assert one.times_as_fast is not None, 'it has a peer'
    return one.times_as_fast


def plain(axis: Any) -> None:
    """Write the numbers of a logarithmic axis as they are spoken."""
    axis.set_major_formatter(lambda value, _: f'{value:,.10g}')
    axis.set_minor_formatter(lambda value, _: '')


def draw_bodies(figure: Figure, results: Results) -> None:
    """Draw time per box over the number of boxes, and time per step of heaps of balls."""
    figure.set_size_inches(WIDTH, 2.7)
    panels = figure.subplots(1, 3)
    panels[1].sharey(panels[0])
    for axes, layout in zip(panels, ('pile', 'layer'), strict=False):
        rows = [r for r in rows_of(results, 'boxes') if r['case'].startswith(layout)]
        curves(axes, rows, NAMES, lambda row: 1e3 * row['value'] / row['x'])
        axes.set(title=f'{layout} of boxes', xlabel='boxes', ylabel='us per box and step')
    curves(panels[2], rows_of(results, 'heaps', measure='step'), HEAP, lambda row: row['value'])
    panels[2].set(title='heap of balls, implicit', xlabel='balls', ylabel='ms per step')


def draw_links(figure: Figure, results: Results) -> None:
    """Draw time per step, and time to derive and compile, over the number of links."""
    figure.set_size_inches(WIDTH, 2.7)
    step, made = figure.subplots(1, 2)
    curves(step, rows_of(results, 'links', measure='step'), NAMES, lambda row: row['value'])
    step.set(title='a step, semi-implicit Euler', xlabel='links', ylabel='us per step')
    rows = rows_of(results, 'links', measure='derive and compile')
    curves(made, rows, NAMES, lambda row: row['value'])
    made.set(title='derive and compile, once', xlabel='links', ylabel='s')


def draw_worlds(figure: Figure, results: Results) -> None:
    """Draw steps per second over worlds, and what a second core adds."""
    figure.set_size_inches(WIDTH, 2.9)
    rate, cores = figure.subplots(1, 2)
    rows = rows_of(results, 'worlds', case='rectangle_circle, rk4')
    threads = list(dict.fromkeys(row['measure'] for row in rows))
    for measure, colour in zip(threads, (ORANGE, BLUE), strict=False):
        own = [row for row in rows if row['measure'] == measure]
        x, y = [row['x'] for row in own], [row['value'] for row in own]
        rate.plot(x, y, 'o-', ms=3.5, color=colour, label=measure)
    rate.set_xscale('log')
    plain(rate.xaxis)
    rate.set_ylim(bottom=0.0)
    rate.set(title='rectangle_circle, rk4', xlabel='worlds', ylabel='million steps/s')
    if rows:
        rate.legend()
    gains = dict(_gains(rows_of(results, 'worlds')))
    places = range(len(gains))
    cores.barh(places, list(gains.values()), color=BLUE, height=0.6)
    for place, gain in zip(places, gains.values(), strict=True):
        cores.text(gain, place, f' {gain:.2f}', va='center', fontsize=7.0)
    cores.set_yticks(places, list(gains), fontsize=7.0)
    cores.invert_yaxis()
    cores.axvline(1.0, color=GREY, lw=1.0)
    cores.grid(False, axis='y')
    cores.set(title='all threads over one', xlabel='times as many steps', xlim=(0.0, 2.3))


def _gains(rows: Iterable[Row]) -> Iterable[tuple[str, float]]:
    """Yield by how much more threads are faster than one, by case and method."""
    alone: dict[tuple[str, str], float] = {}
    for row in rows:
        key = row['case'], row['method']
        if row['case'] == 'rectangle_circle, rk4':
            continue  # the curve beside it
        if row['measure'] == '1 thread':
            alone[key] = row['value']
        elif key in alone:
            who = '' if row['method'] == 'ours' else f': {row["method"]}'
            name = re.sub(', (rk4|semi_implicit|implicit), .* worlds$', '', row['case'])
            yield f'{name}{who}', row['value'] / alone[key]


def curves(
    axes: Any, rows: list[Row], colours: dict[str, str], value: Callable[[Row], float]
) -> None:
    """Draw a curve for each method over `x`, both axes logarithmic."""
    for method, colour in colours.items():
        own = [row for row in rows if row['method'] == method]
        if own:
            x, y = [row['x'] for row in own], [value(row) for row in own]
            axes.plot(x, y, 'o-', ms=3.5, color=colour, label=method)
    axes.set(xscale='log', yscale='log')
    plain(axes.xaxis)
    plain(axes.yaxis)
    if rows:
        axes.legend(fontsize=7.5, handlelength=1.4)


FIGURES: dict[str, Draw] = {
    'benchmarks_overview.svg': draw_overview,
    'benchmarks_bodies.svg': draw_bodies,
    'benchmarks_links.svg': draw_links,
    'benchmarks_worlds.svg': draw_worlds,
}


def draw(results: Results, folder: Path) -> None:
    """Draw all of them: the same numbers give the same files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, fill in FIGURES.items():
        buffer = io.StringIO()
        with matplotlib.rc_context(STYLE):
            figure = Figure()
            fill(figure, results)
            figure.savefig(buffer, format='svg', transparent=True, metadata={'Date': None})
        lines = (line.rstrip() for line in buffer.getvalue().splitlines())
        (folder / name).write_text('\n'.join(lines) + '\n', encoding='utf-8')
