"""Measured parts of the page, as Markdown."""

import ast
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import symcontact_ros

Data = dict[str, Any]
CLEARLY = 0.95  # a method counts as faster if its time is below this part of the other's
PACKAGE = Path(symcontact_ros.__file__).parent / 'collision'


def us(value: float | None) -> str:
    """Return a time [us] with about three digits."""
    if value is None:
        return '-'
    digits = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f'{value:,.{digits}f}'


def small(value: float) -> str:
    """Return an error."""
    return f'{value:.0e}'.replace('e-0', 'e-') if value else '0'


def percent(part: float) -> str:
    """Return a fraction in percent."""
    text = f'{100 * part:.1f}'.removesuffix('.0')
    return f'{text} %'


def times(factor: float) -> str:
    """Return a ratio."""
    return f'{factor:,.0f}' if factor >= 10 else f'{factor:.2f}'


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = ['| ' + ' | '.join(header) + ' |', '|' + '---|' * len(header)]
    return '\n'.join([*lines, *('| ' + ' | '.join(row) + ' |' for row in rows)])


# Times of queries -------------------------------------------------------------------------------

METHODS: dict[str, tuple[str, ...]] = {
    'SAT': ('SAT',),
    'SAT, textbook': ('SAT, textbook',),
    'GJK, EPA': ('GJK, EPA',),
    'CO program': ('CO program, cold', 'CO program, warm'),
    'exact detector': ('exact detector, cold', 'exact detector, warm'),
    'CO detector': ('CO detector, cold', 'CO detector, warm'),
    'ECOS': ('ECOS',),
    'CVXPY': ('CVXPY',),
    'coal': ('coal',),
}


def _times(cells: list[Data], first: str, name: Callable[[Data], str]) -> str:
    there = {method for cell in cells for method in cell['times']}
    columns = [c for c, methods in METHODS.items() if there & set(methods)]
    rows = []
    for cell in cells:
        own = cell['times']
        row = [' / '.join(us(own.get(m)) for m in METHODS[c]) for c in columns]
        rows.append([name(cell), *row])
    return table([first, *columns], rows)


def by_size(cells: list[Data], first: str) -> str:
    """Return the times over the number of edges or faces, one table per regime."""
    words = {
        'overlap': '**In overlap**, depth 0.1 to 1 % of the width',
        'apart': '**Apart**, by 1 to 100 mm',
        'far': '**Far apart**, by 0.1 to 0.5 m',
    }
    parts = []
    for regime, title in words.items():
        own = [cell for cell in cells if cell['regime'] == regime]
        parts.append(f'{title} [us]:\n\n' + _times(own, first, lambda cell: str(cell['size'])))
    return '\n\n'.join(parts)


def pairs(data: Data) -> str:
    """Return the times of pairs that are not two equal polytopes."""
    return _times(data['queries']['pairs'], 'pair', lambda c: f'{c["pair"]}, {c["regime"]}')


def crossover(cells: list[Data], regime: str, faster: str, slower: str) -> str:
    """Return the size from which, and for all larger ones, a method is clearly faster."""
    own = [cell['times'] for cell in cells if cell['regime'] == regime]
    sizes = [cell['size'] for cell in cells if cell['regime'] == regime]
    wins = [times.get(faster, 1e300) < CLEARLY * times.get(slower, 0.0) for times in own]
    if not wins[-1]:
        return 'never'
    first = len(wins) - 1 - wins[::-1].index(False) + 1 if False in wins else 0
    return 'always' if first == 0 else f'from {sizes[first]}'


def phrase(where: str, unit: str) -> str:
    """Return a crossover in words."""
    if where == 'always':
        return f'for any number of {unit}'
    return f'for no number of {unit} tried' if where == 'never' else f'{where} {unit} on'


def crossovers(data: Data) -> str:
    """Return where CO overtakes SAT."""
    against = (
        ('CO program, cold', 'SAT'),
        ('CO program, warm', 'SAT'),
        ('CO program, cold', 'GJK, EPA'),
        ('CO detector, cold', 'exact detector, cold'),
        ('CO detector, warm', 'exact detector, warm'),
        ('ECOS', 'SAT, textbook'),
        ('CVXPY', 'SAT, textbook'),
        ('CVXPY', 'SAT'),
    )
    rows = []
    for faster, slower in against:
        row = [f'{faster} < {slower}']
        for sweep in ('edges', 'faces'):
            for regime in ('overlap', 'apart', 'far'):
                cells = data['queries'][sweep]
                there = any(
                    {faster, slower} <= set(c['times']) for c in cells if c['regime'] == regime
                )
                row.append(crossover(cells, regime, faster, slower) if there else '-')
        rows.append(row)
    columns = [f'{d}, {r}' for d in ('edges', 'faces') for r in ('overlap', 'apart', 'far')]
    return table(['', *columns], rows)


# Steps ------------------------------------------------------------------------------------------


def whole_runs(data: Data) -> str:
    """Return times and fallbacks of whole runs."""
    rows = []
    for title, run in data['steps']['whole'].items():
        sat, co = run['us']['SAT'], run['us']['CO, builtin']
        counted = run['counters']['CO, builtin']
        queries = counted['queries']
        reasons = [
            f'{why}: {counted[f"fallbacks_{why}"]:.0f}'
            for why in ('too_deep', 'core_inside', 'not_optimal')
            if counted[f'fallbacks_{why}']
        ]
        helped = counted['fallbacks'] / queries if queries else 0.0
        rows.append(
            [
                title,
                us(sat),
                us(co),
                times(run['ratio']),
                f'{queries:,.0f}',
                percent(helped),
                ', '.join(reasons) or '-',
                small(run['difference']),
            ]
        )
    header = [
        '',
        'SAT [us]',
        'CO [us]',
        'CO / SAT',
        'queries',
        'fallbacks',
        'reason',
        'difference',
    ]
    return table(header, rows)


def contact_steps(data: Data) -> str:
    """Return times of steps in contact."""
    found = data['steps']['contact']
    names = list(next(iter(found.values())))
    rows = [
        [title, *(us(own[name]) for name in names), times(own[names[-1]] / own['SAT'])]
        for title, own in found.items()
    ]
    return table(['', *(f'{name} [us]' for name in names), f'{names[-1]} / SAT'], rows)


# Accuracy ---------------------------------------------------------------------------------------


def growth(data: Data) -> str:
    """Return the ratios of growth depth to exact depth."""
    found = data['accuracy']['growth']
    limits = list(dict.fromkeys((row['from'], row['to']) for row in found))
    rows = []
    for title in dict.fromkeys(row['pair'] for row in found):
        own = [row for row in found if row['pair'] == title]
        cells = [
            f'{percent(r["exact"])}; {r["median"]:.3f}, {r["p95"]:.3f}, {r["max"]:.2f}'
            for r in own
        ]
        rows.append([title, *cells])
    return table(['', *(f'{100 * a:g} to {100 * b:g} %' for a, b in limits)], rows)


def apart(data: Data) -> str:
    """Return errors of separated bodies."""
    rows = [
        [
            row['pair'],
            small(row['auto']),
            f'{row["median"]:.3f}' if 'median' in row else '-',
            f'{row["min"]:.2f}' if 'min' in row else '-',
        ]
        for row in data['accuracy']['apart']
    ]
    header = ['', '`auto`: largest error [m]', 'growth alone: median of phi_g / phi', 'smallest']
    return table(header, rows)


def at_rest(data: Data) -> str:
    """Return errors of bodies at rest."""
    rows = [
        [
            row['pair'],
            f'{row["ratio"]:.6f}',
            small(row['turned']),
            percent(row['same points']),
            small(row['depths']),
            percent(row['fallbacks']),
        ]
        for row in data['accuracy']['at rest']
    ]
    header = [
        '',
        'rho_CO / rho, largest',
        'error of the normal [degrees]',
        'equal number of points',
    ]
    return table([*header, 'difference of their depths [m]', 'fallbacks'], rows)


def margins(data: Data) -> str:
    """Return errors by b."""
    rows = [
        [
            f'{1e3 * row["b"]:g}',
            *(f'{1e3 * row[k]:.2f} ({row[k] / row["b"]:.2f} b)' for k in ('median', 'p95', 'max')),
            f'{row["rest median"]:.2f}' if 'rest median' in row else '-',
            percent(row['rest missed']) if 'rest missed' in row else '-',
            percent(row['rest fallbacks']),
        ]
        for row in data['accuracy']['margins']
    ]
    header = [
        'b [mm]',
        'depth too small by, median [mm]',
        '95 %',
        'largest',
        'at rest: rho_CO / rho',
    ]
    return table([*header, 'at rest: contact missed', 'at rest: cores overlap'], rows)


def stars(data: Data) -> str:
    """Return errors by R*."""
    rows = [
        [row['pair'], f'{row["R*"]:g} R', percent(row['usable']), small(row['error'])]
        for row in data['accuracy']['stars']
    ]
    return table(['', 'R*', 'overlaps with a solution', 'largest error of these [m]'], rows)


def squared(data: Data) -> str:
    """Return errors by objective."""
    found = data['accuracy']['squared']
    names = [name for name in found[0] if name != 'gap']
    rows = [[f'{row["gap"]:g}', *(small(row[name]) for name in names)] for row in found]
    return table(['gap [m]', *names], rows)


# Warm starts ------------------------------------------------------------------------------------


def warm(data: Data) -> str:
    """Return hit rates and speed-ups of warm starts."""
    queries = data['queries']
    cells = [cell for cell in queries['edges'] + queries['faces'] if cell['regime'] == 'overlap']
    cells = [cell for cell in cells if cell['size'] in (4, 20, 16, 100, 200)]
    cells += [cell for cell in queries['pairs'] if cell['regime'] == 'overlap']
    rows = []
    for cell in cells:
        own = cell['times']
        gain = own['CO program, cold'] / own['CO program, warm']
        row = [cell['pair'], percent(cell['hits']), times(gain), small(cell['warm against cold'])]
        rows.append(row)
    return table(['in overlap', 'hits', 'cold / warm', 'difference of results [m]'], rows)


def deep(data: Data) -> str:
    """Return the cost of a fallback."""
    rows = []
    for cell in data['queries']['deep']:
        own = cell['times']
        exact, co = own['exact detector, warm'], own['CO detector, warm']
        rows.append([cell['pair'], us(exact), us(co), times(co / exact)])
    return table(['depth 5 to 30 %', 'exact detector [us]', 'CO detector [us]', 'ratio'], rows)


def code_lines(*names: str) -> int:
    """Return the number of lines of code in files of the collision package."""
    trees = (ast.parse((PACKAGE / name).read_text(encoding='utf-8')) for name in names)
    return sum(len(_bare(tree).splitlines()) for tree in trees)


def shape_lines(is_counted: Callable[[ast.FunctionDef], bool], skipped: Sequence[str] = ()) -> int:
    """Return the number of lines of code of some functions in modules of shapes."""
    paths = [p for p in (PACKAGE.parent / 'shapes').glob('*.py') if p.stem not in skipped]
    nodes = (n for p in paths for n in ast.walk(ast.parse(p.read_text(encoding='utf-8'))))
    found = [n for n in nodes if isinstance(n, ast.FunctionDef) and is_counted(n)]
    return sum(len(_bare(node).splitlines()) for node in found)


def _bare(tree: ast.AST) -> str:
    """Return source code without comments and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
