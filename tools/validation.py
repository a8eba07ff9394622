"""Run the physics validation and write what it reached to docs/validation.md."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
import sys
import time

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / 'test'))  # where the cases are

from validation import DETECTION, load_cases, Row  # noqa: E402

CASES = load_cases()
GROUPS = {
    'N': ('Normal law', 'F = k rho^n (1 - c v), never pulling; v is the speed of separation.'),
    'F': (
        'Friction',
        'F = mu F_N tanh(slip / 2 vs) against the slip: things creep, none sticks.',
    ),
    'M': ('Momentum, energy, multibody', 'Free bodies, chains, stacks, and what is published.'),
    'J': ('Joints', 'What acts in revolute and prismatic joints.'),
}
INTRODUCTION = """\
# Physics validation

Every line below is a run of the simulator that is compared with something known beforehand: a
closed form, a conserved quantity, or an independent integration. The cases are plain functions in
`test/validation`; `make test` asserts every one of them, and this page is written by

    make validation

Unless a line says otherwise: integrator `rk4`, steps of 1 ms, sub-steps on, double precision. An
error is absolute, in the unit in brackets, or a part of the expected value where it ends in `rel`.
A tolerance is as a rule 10 to 100 times what a plain RK4 reaches: it catches faults, not
rounding. Where a case has several numbers, the one nearest to its tolerance is shown.
"""


def main() -> int:
    """Run all cases, write the page, return how many rows failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--output', type=Path, default=ROOT / 'docs' / 'validation.md')
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)  # overlaps at the start are meant
    exact = run()
    DETECTION['detector'] = 'co'
    convex = run()
    arguments.output.write_text(page(exact, convex), encoding='utf-8')
    return min(
        1, sum(not row.good for rows in (*exact.values(), *convex.values()) for row in rows)
    )


def run() -> dict[str, list[Row]]:
    """Return the rows of all cases."""
    found: dict[str, list[Row]] = {}
    for number in sorted(CASES, key=_place):
        start = time.perf_counter()
        found[number] = CASES[number].rows
        bad = sum(not row.good for row in found[number])
        said = f'{bad} of {len(found[number])} FAILED' if bad else f'{len(found[number])} good'
        print(f'{number:4}{CASES[number].title}: {said} ({time.perf_counter() - start:.1f} s)')
        sys.stdout.flush()
    return found


def _place(number: str) -> tuple[int, int]:
    return list(GROUPS).index(number[0]), int(number[1:])


def page(found: dict[str, list[Row]], convex: dict[str, list[Row]]) -> str:
    """Return the page as Markdown, from what both detectors reached."""
    rows = [row for group in found.values() for row in group]
    failed = sum(not row.good for row in rows)
    total = f'{len(rows)} numbers in {len(found)} cases'
    parts = [
        INTRODUCTION,
        f'{total}: {f"{failed} failed" if failed else "all within tolerance"}.\n',
        _convex_sentence(convex),
    ]
    for letter, (title, words) in GROUPS.items():
        parts.append(f'\n## {title}\n{words}\n\n')
        parts.append(
            '| case | what | formula | numbers | nearest to its tolerance | tolerance | error |\n'
        )
        parts.append('|---|---|---|---|---|---|---|\n')
        parts += [_line(number, group) for number, group in found.items() if number[0] == letter]
    if failed:
        parts.append('\n## Failed\n')
        parts += [
            f'- {number}, {row}\n'
            for number, group in found.items()
            for row in group
            if not row.good
        ]
    return ''.join(parts)


def _convex_sentence(convex: dict[str, list[Row]]) -> str:
    rows = [row for group in convex.values() for row in group]
    bad = [number for number, group in convex.items() if not all(row.good for row in group)]
    said = f'failed: {", ".join(bad)}' if bad else 'all within the same tolerances'
    return f'With `detector: co` (convex programs): {len(rows)} numbers, {said}.\n'


def _line(number: str, rows: list[Row]) -> str:
    worst = max(rows, key=_nearness)
    kind = ' rel' if worst.relative else ''
    case = CASES[number]
    mark = '' if all(row.good for row in rows) else ' **failed**'
    cells = [
        number,
        case.title,
        case.formula,
        str(len(rows)),
        worst.what,
        f'{worst.tolerance:.2g}{kind}' if worst.tolerance else 'exact',
        f'{worst.error:.1e}{kind}{mark}' if worst.error else f'0{mark}',
    ]
    return '| ' + ' | '.join(cell.replace('|', '/') for cell in cells) + ' |\n'


def _nearness(row: Row) -> float:
    """Return how much of its tolerance a row has used."""
    if not row.good:
        return 1e300 + row.error
    return row.error / row.tolerance if row.tolerance else 0.0


if __name__ == '__main__':
    sys.exit(main())
