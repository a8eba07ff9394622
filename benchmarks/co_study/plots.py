"""Figures of the page: small, and readable without colours."""

import io
from pathlib import Path
from typing import Any

from co_study.accuracy import LIMIT
from co_study.tables import Data

# Marker, line style and grey distinguish methods in print, colour on a screen.
STYLES: dict[str, dict[str, Any]] = {
    'CVXPY': {'color': '#b8860b', 'marker': 'v', 'linestyle': ':'},
    'ECOS': {'color': '#cc6677', 'marker': '^', 'linestyle': ':'},
    'SAT, textbook': {'color': '#777777', 'marker': 'x', 'linestyle': '-.'},
    'SAT': {'color': '#000000', 'marker': 's', 'linestyle': '-'},
    'coal': {'color': '#999933', 'marker': '+', 'linestyle': (0, (1, 3))},
    'GJK, EPA': {'color': '#117733', 'marker': 'D', 'linestyle': '--'},
    'CO program, cold': {'color': '#3b6fb6', 'marker': 'o', 'linestyle': '-', 'mfc': 'white'},
    'CO program, warm': {'color': '#1b3f8b', 'marker': 'o', 'linestyle': '-'},
}
NAMES = {
    'SAT, textbook': 'SAT as printed',
    'SAT': 'SAT, early out',
    'ECOS': 'CO by ECOS',
    'CVXPY': 'CO by CVXPY',
    'coal': 'coal, called from Python',
    'CO program, cold': 'CO builtin, cold',
    'CO program, warm': 'CO builtin, warm',
}


def drawn(data: Data, folder: Path) -> list[Path]:
    """Write all figures to a folder; return their paths."""
    import matplotlib

    matplotlib.use('Agg')
    import matplotlib.pyplot as plt

    plt.rcParams.update({'font.size': 9, 'axes.spines.top': False, 'axes.spines.right': False})
    folder.mkdir(parents=True, exist_ok=True)
    queries = data['queries']
    pictures = {
        'co_edges.png': _sizes(plt, queries['edges'], 'edges of each polygon'),
        'co_faces.png': _sizes(plt, queries['faces'], 'faces of each hull'),
        'co_steps.png': _steps(plt, data['steps']['contact']),
        'co_accuracy.png': _accuracy(plt, data['accuracy']),
    }
    for name, figure in pictures.items():
        _save(figure, folder / name)
        plt.close(figure)
    return [folder / name for name in pictures]


def _save(figure: Any, path: Path) -> None:
    """Write a figure with a reduced palette: a third of the size."""
    from PIL import Image

    whole = io.BytesIO()
    figure.savefig(whole, dpi=110)
    Image.open(whole).convert('RGB').quantize(48).save(path, optimize=True)


def _sizes(plt: Any, cells: list[Data], what: str) -> Any:
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), sharey=True)
    for axis, regime in zip(axes, ('overlap', 'apart'), strict=True):
        own = [cell for cell in cells if cell['regime'] == regime]
        for method, style in STYLES.items():
            there = [cell for cell in own if method in cell['times']]
            if there:
                sizes = [cell['size'] for cell in there]
                spent = [cell['times'][method] for cell in there]
                axis.loglog(sizes, spent, label=NAMES.get(method, method), ms=4.5, lw=1.3, **style)
        ticks = [cell['size'] for cell in own]
        axis.set_xticks(ticks, [str(tick) for tick in ticks], minor=False)
        axis.minorticks_off()
        axis.grid(axis='y', color='#dddddd', lw=0.6)
        axis.set_xlabel(what)
        axis.set_title({'overlap': 'in overlap', 'apart': 'apart by 1 to 100 mm'}[regime])
    axes[0].set_ylabel('time per query [us]')
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc='lower center', ncols=4, frameon=False, fontsize=8)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    return figure


def _steps(plt: Any, found: Data) -> Any:
    figure, axis = plt.subplots(figsize=(8.4, 3.4))
    names = list(next(iter(found.values())))
    styles = [('#222222', ''), ('#3b6fb6', '//'), ('#e3a5ae', '..'), ('#f1dfae', 'xx')]
    width = 0.8 / len(names)
    for i, (name, (colour, hatch)) in enumerate(zip(names, styles, strict=False)):
        places = [place + (i - (len(names) - 1) / 2) * width for place in range(len(found))]
        heights = [own[name] for own in found.values()]
        axis.bar(places, heights, width, label=name, color=colour, hatch=hatch, ec='white', lw=0.4)
    axis.set_yscale('log')
    axis.set_ylabel('time per step in contact [us]')
    axis.set_xticks(
        range(len(found)), [title.replace('_', '\n').replace(', ', '\n') for title in found]
    )
    axis.grid(axis='y', color='#dddddd', lw=0.6)
    axis.set_axisbelow(True)
    axis.legend(ncols=len(names), frameon=False, loc='upper left', fontsize=8)
    axis.set_ylim(top=axis.get_ylim()[1] * 5)
    figure.tight_layout()
    return figure


def _accuracy(plt: Any, found: Data) -> Any:
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(9.4, 3.5))
    chosen = {
        'box - box': ('boxes', 's', '#000000'),
        'hull 20 - hull 20': ('hulls', 'D', '#3b6fb6'),
        'cylinder - cylinder': ('cylinders', 'o', '#999999'),
    }
    for title, (name, marker, colour) in chosen.items():
        own = [row for row in found['growth'] if row['pair'] == title]
        depth = [100 * (row['from'] * row['to']) ** 0.5 for row in own]
        for key, line, face in (('max', '-', colour), ('p95', ':', 'white')):
            values = [row[key] for row in own]
            label = f'{name}, {"greatest" if key == "max" else "95 %"}'
            left.semilogx(
                depth, values, line, marker=marker, ms=4, mfc=face, color=colour, label=label
            )
    left.axvline(100 * LIMIT, color='#777777', lw=0.8, ls='--', label='used up to here')
    left.set(xlabel='depth [% of the width]', ylabel='depth by growth / least depth')
    left.set(title='growth', ylim=(0.98, 1.75))
    left.legend(frameon=False, fontsize=7, loc='upper left', ncols=2, columnspacing=1)
    b = [1e3 * row['b'] for row in found['margins']]
    for key, line in (('max', '-s'), ('median', '--o')):
        errors = [1e3 * row[key] for row in found['margins']]
        middle.loglog(b, errors, line, ms=4, color='black', mfc='white', label=key)
    middle.set(xlabel='b: sides moved inwards by [mm]', ylabel='contact too shallow by [mm]')
    middle.set(title='smaller boxes')
    middle.legend(frameon=False, fontsize=8)
    lines = {'CVXPY, square': '-s', 'CVXPY, length': '--o', 'ECOS, length': ':^'}
    for name, line in lines.items():
        own = [row for row in found['squared'] if row.get(name)]
        gaps, errors = [row['gap'] for row in own], [row[name] for row in own]
        if own:
            right.loglog(gaps, errors, line, ms=4, color='black', mfc='white', label=name)
    right.set(xlabel='gap [m]', ylabel='error of the distance [m]')
    right.set(title='square or length')
    right.legend(frameon=False, fontsize=8)
    for axis in (left, middle, right):
        axis.grid(color='#e4e4e4', lw=0.6)
    figure.tight_layout()
    return figure
