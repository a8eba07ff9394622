"""Results of the benchmark as a table, as JSON and as a diagram."""

from __future__ import annotations

from dataclasses import asdict
import json
from pathlib import Path
from typing import Any

from symcontact_ros.bench.table_one import Result, Row
from symcontact_ros.optional_packages import missing

FORMAT_VERSION = 1
HEADER = (
    'method',
    'loop',
    'us per step: mean',
    'min',
    'whole s: mean',
    'min',
    'x ours',
    'difference',
)
# Colours of the diagram: this package stands out, related methods have similar hues.
COLOURS = {
    'ours': '#d1495b',
    'Symbolic SAT': '#30638e',
    'Numeric SAT': '#7fa7c9',
    'Symbolic CO': '#1b3a57',
    'MuJoCo': '#edae49',
    'PyBullet': '#66a182',
    'pymunk': '#8d6a9f',
}


def text(result: Result) -> str:
    """Return the table with its explanations."""
    cells = {name: [_cells(row) for row in rows] for name, rows in result.scenarios.items()}
    lines = [row for rows in cells.values() for row in rows]
    widths = [max(len(row[i]) for row in (HEADER, *lines)) for i in range(len(HEADER))]
    shown = [', '.join(f'{name} {version}' for name, version in result.versions.items())]
    shown += [result.machine]
    shown += [
        f'{result.runs} runs of {result.steps} steps of {1e3 * result.step_size:g} ms each, '
        'alternating',
        '',
        _line(HEADER, widths),
    ]
    shown.append('-' * len(shown[-1]))
    for name, rows in cells.items():
        shown += [name, *(_line(row, widths) for row in rows)]
    return '\n'.join([*shown, '', *_notes(result)])


def _cells(row: Row) -> tuple[str, ...]:
    times = [digits(row.step_us.mean), digits(row.step_us.minimum)]
    whole = row.whole_s
    times += ['', ''] if whole is None else [digits(whole.mean), digits(whole.minimum)]
    apart = '' if row.difference is None else f'{row.difference.largest:.1e}'
    return (f'  {row.method}', row.loop, *times, digits(row.ratio), apart)


def digits(value: float) -> str:
    """Return a number with three digits, without an exponent."""
    if value >= 100.0:
        return f'{value:.0f}'
    return f'{value:.3g}' if value >= 1.0 else f'{value:.4f}' if value < 0.1 else f'{value:.3f}'


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    parts = [
        cell.ljust(width) if i < 2 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return '  '.join(parts).rstrip()


def _notes(result: Result) -> list[str]:
    notes = [
        'CPU time of one process on one core, after a warm-up; --json also has wall-clock times',
        'whole: derivation, compilation or loading, and all steps, imports not counted;',
        '       ours loads its code from the cache, "new": derives and compiles it each time',
        'x ours: minimum of us per step, relative to our compiled loop',
        'difference: largest deviation from our trajectory [m or rad]; same law, same step size',
    ]
    if any(row.method == 'Symbolic CO' for rows in result.scenarios.values() for row in rows):
        notes += [
            'Symbolic CO: one run of at most 500 steps; it rounds the corners of two flat solids,',
            '       so that their trajectory differs',
        ]
    if any(row.method.startswith('MuJoCo') for rows in result.scenarios.values() for row in rows):
        notes.append('Other simulators have different contact laws: compare costs only.')
    for name, count in result.exceeded.items():
        if count:
            notes.append(
                f'{name}: {count} of {result.steps} steps exceed our accuracy limits; '
                'substeps are off here'
            )
    notes += [f'not installed, not measured: {p} (pip install {p})' for p in result.missing]
    return notes


def data(result: Result) -> dict[str, Any]:
    """Return everything as plain data for JSON."""
    return {'format_version': FORMAT_VERSION, **asdict(result)}


def write_json(result: Result, path: Path) -> None:
    """Write everything as JSON."""
    path.write_text(json.dumps(data(result), indent=1) + '\n', encoding='utf-8')


def need_matplotlib() -> None:
    """Complain before anything is measured if there can be no diagram."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise missing('--plot', 'matplotlib') from error


def write_plot(result: Result, path: Path) -> None:
    """Draw the time per step of each method and scenario as bars, on a log scale."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    scenarios = {
        name: [row for row in rows if not row.method.endswith(', new')]
        for name, rows in result.scenarios.items()
    }
    heights = [len(rows) + 1.2 for rows in scenarios.values()]
    figure = Figure(figsize=(9.0, 1.3 + 0.235 * sum(heights)), layout='constrained')
    FigureCanvasAgg(figure)
    axes = figure.subplots(
        len(scenarios), 1, sharex=True, squeeze=False, height_ratios=heights
    ).ravel()
    for panel, (name, rows) in zip(axes, scenarios.items(), strict=True):
        _draw(panel, name, sorted(rows, key=lambda row: row.step_us.minimum))
    largest = max(row.step_us.minimum for rows in scenarios.values() for row in rows)
    smallest = min(row.step_us.minimum for rows in scenarios.values() for row in rows)
    axes[0].set_xlim(smallest / 3.0, largest * 30.0)
    axes[-1].set_xlabel('time per step [µs], minimum of the runs, log scale')
    figure.suptitle(
        f'One step of {1e3 * result.step_size:g} ms: {result.runs} runs of {result.steps} steps, '
        'one core',
        fontsize=12,
        fontweight='bold',
    )
    figure.savefig(path, dpi=150)


def _draw(panel: Any, name: str, rows: list[Row]) -> None:
    """Draw the bars of a scenario, the quickest on top."""
    places = range(len(rows))
    values = [row.step_us.minimum for row in rows]
    panel.barh(places, values, color=[_colour(row) for row in rows], height=0.74)
    for place, row in zip(places, rows, strict=True):
        label = f' {digits(row.step_us.minimum)} µs'
        times = '' if row.ratio == 1.0 else f'  ({digits(row.ratio)} x ours)'
        panel.text(row.step_us.minimum, place, label + times, va='center', fontsize=8)
    panel.set_xscale('log')
    panel.set_yticks(places, [_label(row) for row in rows], fontsize=8)
    panel.invert_yaxis()
    panel.set_title(name.replace('_', ' '), loc='left', fontsize=10, fontweight='bold', pad=3)
    panel.grid(axis='x', color='0.9', linewidth=0.8)
    panel.set_axisbelow(True)
    panel.tick_params(axis='y', length=0)
    for side in ('top', 'right', 'left'):
        panel.spines[side].set_visible(False)


def _label(row: Row) -> str:
    own = row.method.startswith('ours') or row.loop == 'compiled'
    return row.method if own else f'{row.method}, Python loop'


def _colour(row: Row) -> str:
    return next((c for word, c in COLOURS.items() if row.method.startswith(word)), '0.5')
