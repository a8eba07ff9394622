"""
The paper, reproduced: writes docs/paper.md, its pictures and docs/paper.json; `make paper`.

Runs and pictures take seconds and come out the same every time. Table I is measured: it takes
minutes, changes with the machine, and is kept in docs/paper.json.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from paper_figures import draw_formulas, draw_scenario, draw_table, SCENARIO_PICTURES
from paper_page import page
from paper_table import measured, ROOT, store, stored, whole_times
import pictures

PAGE = ROOT / 'docs' / 'paper.md'
IMAGES = ROOT / 'docs' / 'images'
MINUTES = 4  # of all of it, on an idle machine


def draw(folder: Path) -> None:
    """Draw every picture of the page."""
    for picture, name in SCENARIO_PICTURES.items():
        draw_scenario(name, folder / picture)
    draw_formulas(folder / 'paper_formulas.png')
    draw_table(whole_times(stored()), folder / 'paper_table.png')
    pictures.note([*SCENARIO_PICTURES, 'paper_formulas.png', 'paper_table.png'])


def main() -> None:
    """Measure, draw and write; or draw and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--fast', action='store_true', help='Table I from docs/paper.json')
    parser.add_argument('--page', action='store_true', help='the text alone, as with --fast')
    options = parser.parse_args()
    if not (options.fast or options.page):
        store(measured())
    if not options.page:
        draw(IMAGES)
    PAGE.write_text(page(stored(), MINUTES), encoding='utf-8')
    print(PAGE)


if __name__ == '__main__':
    main()
