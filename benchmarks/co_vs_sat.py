"""Comparison of convex optimisation (CO) and separating axes (SAT): time, steps, accuracy."""

import argparse
import json
import logging
from pathlib import Path
import re
import sys
import time
from typing import Any

from co_study import tables
from co_study.accuracy import accuracy
from co_study.claims import claims
from co_study.steps import steps
from co_study.times import queries
from co_study.verdicts import choice

from symcontact_ros.bench.machine import machine, pin_to_core, versions

PACKAGES = ('ecos', 'cvxpy', 'coal')
PAGE = 'co_vs_sat.md'
BEGIN, END = '<!-- measured: {} -->', '<!-- end -->'
SIZES: dict[str, dict[str, Any]] = {
    'queries': {'poses': 500, 'passes': 40},
    'steps': {'repeats': 4},
    'accuracy': {'count': 1000, 'few': 8},
}
PARTS = {'queries': queries, 'steps': steps, 'accuracy': accuracy}


def study(sizes: dict[str, dict[str, Any]], parts: list[str]) -> dict[str, Any]:
    """Return all measurements."""
    found: dict[str, Any] = {}
    for part in parts:
        start = time.perf_counter()
        print(f'  {part} ...', file=sys.stderr, end='', flush=True)
        found[part] = PARTS[part](**sizes[part])
        print(f' {time.perf_counter() - start:.0f} s', file=sys.stderr)
    return found


def blocks(data: dict[str, Any]) -> dict[str, str]:
    """Return the text between the markers of the page, for the parts that were measured."""
    found = {'machine': data['about']}
    if 'queries' in data:
        found['edges'] = tables.by_size(data['queries']['edges'], 'edges')
        found['faces'] = tables.by_size(data['queries']['faces'], 'faces')
        found['pairs'] = tables.pairs(data)
        found['crossovers'] = tables.crossovers(data)
        found['warm'] = tables.warm(data)
        found['deep'] = tables.deep(data)
    if 'steps' in data:
        found['steps'] = tables.whole_runs(data)
        found['contact'] = tables.contact_steps(data)
    if 'accuracy' in data:
        names = ('growth', 'apart', 'at_rest', 'margins', 'stars', 'squared')
        found.update({name: getattr(tables, name)(data) for name in names})
    if all(part in data for part in PARTS):
        found['choice'] = choice(data)
        found['claims'] = claims(data)
    return found


def filled(page: str, measured: dict[str, str]) -> str:
    """Return a page with its measured parts replaced."""
    for name, text in measured.items():
        begin = BEGIN.format(name)
        pattern = re.compile(f'{re.escape(begin)}\n.*?{re.escape(END)}', re.S)
        replacement = f'{begin}\n{text}\n{END}'
        page, count = pattern.subn(lambda _, new=replacement: new, page)
        if count != 1:
            raise SystemExit(f'the page must have the marker {begin} once, has it {count} times')
    return page


def write(folder: Path, data: dict[str, Any]) -> None:
    """Insert tables and pictures into the page."""
    from co_study.plots import drawn

    page = folder / PAGE
    text = filled(page.read_text(encoding='utf-8'), blocks(data))
    page.write_text(text, encoding='utf-8')
    for path in drawn(data, folder / 'images'):
        print(path, f'{path.stat().st_size / 1000:.0f} kB')


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--only', choices=PARTS, nargs='+', default=list(PARTS))
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    parser.add_argument('--read', type=Path, metavar='FILE', help='results of an earlier run')
    parser.add_argument(
        '--write',
        type=Path,
        metavar='FOLDER',
        help=f'folder of {PAGE}, into which tables and pictures are written: docs',
    )
    return parser.parse_args()


def main() -> None:
    options = parsed()
    logging.disable(logging.WARNING)
    if options.read:
        data = json.loads(options.read.read_text(encoding='utf-8'))
    else:
        core = pin_to_core(options.core)
        installed = ', '.join(f'{name} {v}' for name, v in versions(PACKAGES).items())
        about = f'{machine(core)}. {installed}.'
        data = {'about': about, **study(SIZES, options.only)}
    for name, text in blocks(data).items():
        print(f'\n## {name}\n{text}')
    if options.json:
        options.json.write_text(json.dumps(data, indent=1) + '\n', encoding='utf-8')
    if options.write:
        missing = [part for part in PARTS if part not in data]
        if missing:
            raise SystemExit(f'--write needs all parts; not measured: {", ".join(missing)}')
        write(options.write, data)


if __name__ == '__main__':
    main()
