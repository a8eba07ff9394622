"""
Benchmarks: runs the studies, draws their figures, writes docs/benchmarks.md; `make benchmarks`.

Numbers are kept in benchmarks/results.json; page and figures are made from them alone. A quick run
leaves all of that as it is, and writes to build/benchmarks.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from benchmark_claims import Comparison, comparisons, unmeasured
from benchmark_figures import draw, FIGURES
from benchmark_sections import Section, SECTIONS
from benchmark_studies import measured, Results, ROOT, Row, store, stored, STUDIES
import pictures

PAGE = ROOT / 'docs' / 'benchmarks.md'
IMAGES = ROOT / 'docs' / 'images'
LOOK = ROOT / 'build' / 'benchmarks'  # of quick runs
MINUTES = 11  # of all of it, on an idle machine
INTRODUCTION = """\
# Benchmarks

What is slower than a peer, or misses its target, comes first. Everything here is written by

    make benchmarks                      # about {minutes} minutes, on an idle machine
    make benchmarks ONLY=articulated     # one study again; the others stay as they are
    make benchmarks QUICK=1              # a look, into build/benchmarks
    .venv/bin/python tools/benchmarks_page.py --fast    # from benchmarks/results.json alone

Ours and its peers are measured in one process, in turns, bound to one core (two where worlds and
threads are measured). Numbers are the least of several runs; *median* where a table has it. Times
are of the processor, except starts and steps per second, which are of the clock. *times as fast*
is the time of the fastest peer over ours: below 1, ours is slower. How to run each script alone,
and what to beware of, is at the end of the page, or in `benchmarks/README.md`.
"""
FIRST = """\
## Slower than a peer, or missed

Of {compared} numbers with a peer or a target, {slower} are slower than a peer, and {missed} miss
their target; {lost} targets were not measured. First those that are slower, then those that miss
their target, by the factor that they are behind.
"""
LAST = """\
```{include} ../benchmarks/README.md
:heading-offset: 1
```
"""
CLAIM_COLUMNS = ('', 'target', 'measured', 'fastest peer', 'times as fast', 'verdict')


def page(results: Results, minutes: int = MINUTES) -> str:
    """Return the page as Markdown."""
    compared = comparisons(results)
    parts = [
        INTRODUCTION.format(minutes=minutes),
        *_behind(compared, results),
        '![How many times as fast as the fastest peer](images/benchmarks_overview.svg)\n',
    ]
    for section in SECTIONS:
        parts += _section(section, compared, results)
    parts += [*_machines(results), LAST]
    return '\n'.join(parts).rstrip('\n') + '\n'


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table; cells hold no bars."""
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ['---'] * len(lines[0]))
    return '\n'.join(f'| {" | ".join(cells)} |' for cells in lines) + '\n'


def _behind(compared: list[Comparison], results: Results) -> Iterator[str]:
    """Yield the first table, with a number for each reason, and the reasons."""
    behind = [one for one in compared if one.is_slower or one.is_missed]
    reasons = list(dict.fromkeys(one.why for one in behind))
    slower, missed = sum(o.is_slower for o in behind), sum(o.is_missed for o in behind)
    lost = unmeasured(results)
    yield FIRST.format(compared=len(compared), slower=slower, missed=missed, lost=len(lost))
    rows = [[*claim_cells(one), f'({reasons.index(one.why) + 1})'] for one in behind]
    rows += [
        [target.name, target.text, f'not measured: {reason}', '', '', 'not measured', '']
        for target, reason in lost
    ]
    yield table((*CLAIM_COLUMNS, 'why'), rows)
    yield '\n'.join(f'{i}. {reason}' for i, reason in enumerate(reasons, 1)) + '\n'


def claim_cells(one: Comparison) -> list[str]:
    """Return a comparison as a row: target, measured, peer, ratio, verdict."""
    ratio = one.times_as_fast
    return [
        one.name,
        one.target.text if one.target else '',
        number(one.row),
        f'{number(one.peer)}, {one.peer["method"]}' if one.peer else '',
        f'{ratio:.3g}' if ratio else '',
        f'**{one.verdict}**' if one.is_slower or one.is_missed else one.verdict,
    ]


def number(row: Row) -> str:
    """Return the number of a row with three digits and its unit."""
    return f'{digits(row["value"])} {row["unit"]}'.strip()


def digits(value: float) -> str:
    """Return a number with three digits, without an exponent."""
    if value >= 1000:
        return f'{float(f"{value:.3g}"):,.0f}'
    return f'{value:.3g}' if value >= 1e-4 or value == 0.0 else f'{value:.6f}'


# Sections ----------------------------------------------------------------------------------------


def _section(section: Section, compared: list[Comparison], results: Results) -> Iterator[str]:
    yield f'## {section.title}\n'
    yield section.words
    for picture, said in section.pictures.items():
        yield f'![{said}](images/{picture})\n'
    for study in section.studies:
        own = results.get(study, {})
        for reason in absent(study, own):
            yield f'*{reason}*\n'
        claims = [one for one in compared if one.study == study]
        if claims:
            yield table(CLAIM_COLUMNS, [claim_cells(one) for one in claims])
        shown = {id(one.row) for one in claims} | {id(one.peer) for one in claims}
        rest = [row for row in own.get('rows', []) if id(row) not in shown]
        yield from _rest(rest)
    if section.after:
        yield section.after


def absent(study: str, own: dict[str, object]) -> Iterator[str]:
    """Yield what of a study was not measured, and why."""
    if not own:
        yield f'Not measured yet: `make benchmarks ONLY={study}`.'
    elif 'failed' in own:
        yield f'Not measured: {own["failed"]}.'
    missing = own.get('missing')
    if isinstance(missing, list) and missing:
        yield f'Not installed, so that rows are missing: {", ".join(missing)}.'


def _rest(rows: list[Row]) -> Iterator[str]:
    """Yield what has neither target nor is the fastest peer: by case, a column per measure."""
    if not rows:
        return
    columns = list(dict.fromkeys((row['measure'], row['unit']) for row in rows))
    lines: dict[tuple[str, str], dict[tuple[str, str], str]] = {}
    for row in rows:
        case = f'{row["case"]}, {row["x"]:,} worlds' if row['case'] == SCALED else row['case']
        own = lines.setdefault((case, row['method']), {})
        own[row['measure'], row['unit']] = digits(row['value'])
    head = [f'{measure} [{unit}]' if unit else measure for measure, unit in columns]
    yield table(
        ('also measured', 'method', *head),
        [
            [case, who, *(own.get(key, '') for key in columns)]
            for (case, who), own in lines.items()
        ],
    )


SCALED = 'rectangle_circle, rk4'  # the case of many numbers of worlds


def _machines(results: Results) -> Iterator[str]:
    yield '## Machine\n'
    yield (
        'Load: processes that wanted a core in the minute before a study, and in its last minute, '
        'where it is one or two of them itself. Other work makes times longer, most of all those '
        'of the clock.\n'
    )
    rows, found = [], {}
    for name, own in results.items():
        found |= own['versions']
        before, after = own['load']
        bound = f'{own["pinned"]} of {own["cores"]}'
        took = f'{own["seconds"]:.0f}' + (' (quick)' if own['quick'] else '')
        rows.append([name, own['cpu'], bound, f'{before:.2f}', f'{after:.2f}', took])
    yield table(('study', 'processor', 'cores', 'load before', 'after', 'took [s]'), rows)
    yield ', '.join(f'{name} {version}' for name, version in found.items()) + '.\n'


# Running -----------------------------------------------------------------------------------------


def main() -> None:
    """Measure, draw and write; or draw and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--only', nargs='+', choices=STUDIES, metavar='STUDY', help='these alone')
    parser.add_argument('--quick', action='store_true', help='short, into build/benchmarks')
    parser.add_argument('--fast', action='store_true', help='measure nothing, draw and write')
    options = parser.parse_args()
    file = LOOK / 'results.json' if options.quick else None
    results = stored(file) if file else stored()
    for name in () if options.fast else options.only or STUDIES:
        results[name] = measured(name, options.quick)
        store(results, file) if file else store(results)  # what is measured is not lost
    results = stored(file) if file else stored()
    written, images = (LOOK / 'benchmarks.md', LOOK / 'images') if file else (PAGE, IMAGES)
    draw(results, images)
    if not file:
        pictures.note(FIGURES)
    written.write_text(page(results), encoding='utf-8')
    print(written)


if __name__ == '__main__':
    main()
