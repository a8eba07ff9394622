"""Table I of the paper as printed, and its measurement on this machine: docs/paper.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from symcontact_ros.bench.report import data
from symcontact_ros.bench.scenes import SCENARIOS
from symcontact_ros.bench.table_one import measure

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / 'docs' / 'paper.json'
COLUMNS = ('Symbolic SAT', 'Numeric SAT', 'Symbolic CO')
# Seconds of one simulation, Table I of the paper; an average of ten on an i7-9750H.
PRINTED = (
    (0.45, 0.53, 0.82),
    (1.04, 0.93, 0.36),
    (1.85, 1.40, 1.72),
    (2.44, 2.54, 2.05),
    (4.01, 6.83, 3.09),
)
TABLE_ONE = {
    name: dict(zip(COLUMNS, row, strict=True))
    for name, row in zip(SCENARIOS, PRINTED, strict=True)
}
# Our columns, by the titles of `symcontact bench`.
OURS = {
    'ours, derived anew': 'ours, rk4, new',
    'ours': 'ours, rk4',
    'ours, CO': 'ours, rk4, co',
}
RUNS, STEPS = 10, 2000  # as many runs as in the paper; 2 s
Stored = dict[str, Any]
Whole = dict[str, dict[str, float]]  # [s], by scenario and column


def measured(runs: int = RUNS, steps: int = STEPS) -> Stored:
    """Measure every method on every scenario, on one core."""
    say = lambda text: print(text, flush=True)  # noqa: E731
    return data(measure(SCENARIOS, runs, steps, peers=True, convex_steps=steps, say=say))


def store(result: Stored) -> None:
    """Keep a measurement for the page."""
    STORED.write_text(json.dumps(result, indent=1) + '\n', encoding='utf-8')


def stored() -> Stored:
    """Return the measurement of the page."""
    found: Stored = json.loads(STORED.read_text(encoding='utf-8'))
    return found


def rows_of(result: Stored, name: str) -> dict[str, Stored]:
    """Return the rows of a scenario by method."""
    return {row['method']: row for row in result['scenarios'][name]}


def whole_times(result: Stored) -> Whole:
    """Return the mean time of a simulation, derivation and steps [s]."""
    titles = {**{column: column for column in COLUMNS}, **OURS}
    return {
        name: {
            column: rows_of(result, name)[title]['whole_s']['mean']
            for column, title in titles.items()
        }
        for name in SCENARIOS
    }
