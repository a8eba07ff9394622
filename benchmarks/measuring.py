"""Repeated timings, fresh processes and text tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import json
import os
from pathlib import Path
import statistics
import subprocess
import sys
import time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 300.0  # of a measurement in a fresh process [s]


@dataclass(frozen=True)
class Sample:
    """Minimum and median of repeated measurements."""

    minimum: float
    median: float

    @classmethod
    def of(cls, values: Sequence[float]) -> 'Sample':
        return cls(min(values), statistics.median(values))

    def scaled(self, factor: float) -> 'Sample':
        return Sample(self.minimum * factor, self.median * factor)

    def text(self) -> str:
        return f'{_digits(self.minimum)} / {_digits(self.median)}'


def _digits(value: float) -> str:
    """Return a number with three digits, without an exponent."""
    return f'{value:.0f}' if value >= 100 else f'{value:.3g}' if value >= 1 else f'{value:.3f}'


def seconds_per_call(run: Callable[[int], object], repeats: int = 25) -> list[float]:
    """Return seconds per round of ``run(n)``; n is chosen so that one measurement lasts 10 ms."""
    n = 1
    while (spent := _seconds(run, n)) < 0.01:
        n = max(2 * n, int(0.012 * n / max(spent, 1e-9)) if spent > 1e-4 else 0)
    return [_seconds(run, n) / n for _ in range(repeats)]


def _seconds(run: Callable[[int], object], n: int) -> float:
    start = time.perf_counter()
    run(n)
    return time.perf_counter() - start


def in_fresh_process(script: Path, arguments: Sequence[str], cache: Path) -> dict[str, Any]:
    """Run a script in a new process with its own cache; return its output, one line of JSON."""
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get('PYTHONPATH', '')) if p)
    environment = {**os.environ, 'PYTHONPATH': path, 'SYMCONTACT_CACHE_DIR': str(cache)}
    command = [sys.executable, str(script), *arguments]
    started = time.monotonic()  # one clock for all processes of a machine
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=TIMEOUT
        )
    except subprocess.TimeoutExpired:
        raise SystemExit(f'stopped after {TIMEOUT:.0f} s: {" ".join(command)}') from None
    if done.returncode:
        raise SystemExit(f'{" ".join(command)}\n{done.stderr}')
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    if 'until' in result:
        result['since_start'] = result['until'] - started
    return result


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an aligned table; the first column to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = [
        '  '.join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in (header, *rows)
    ]
    return '\n'.join([lines[0], '-' * len(lines[0]), *lines[1:]])
