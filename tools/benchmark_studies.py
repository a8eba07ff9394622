"""
Studies of docs/benchmarks.md: scripts of `benchmarks`, and their numbers as rows of one kind.

A row has a case, a measure, a method and a number with its unit; `x` is a number of bodies,
links, worlds or threads where a study has several. Methods of this package begin with `ours`;
all others are peers, which were measured in turns with ours in the same process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
import json
import os
from pathlib import Path
import platform
import re
import subprocess
import sys
import tempfile
import time
from typing import Any

from symcontact_ros.bench.machine import versions
from symcontact_ros.kernels.memory import MODE

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / 'benchmarks'
STORED = SCRIPTS / 'results.json'
LONGEST = 600.0  # [s] of a study
Row = dict[str, Any]
Results = dict[str, dict[str, Any]]  # by study


@dataclass(frozen=True)
class Study:
    """A script of `benchmarks`, how it is called, and what becomes of its JSON."""

    script: str
    full: str  # its arguments
    quick: str  # its arguments for a look
    rows: Callable[[Any], Iterator[Row]]
    packages: tuple[str, ...] = ('mujoco',)  # peers and data, by their names for `pip install`
    cores: int = 1  # on which it runs

    @property
    def path(self) -> Path:
        """The script."""
        return SCRIPTS / self.script


def row(case: str, measure: str, method: str, value: float, unit: str, **more: Any) -> Row:
    """Return a row; further facts are `median` and `x`."""
    return {'case': case, 'measure': measure, 'method': method, 'value': value, 'unit': unit} | {
        key: fact for key, fact in more.items() if fact is not None
    }


def sampled(case: str, measure: str, method: str, own: dict[str, float], unit: str) -> Row:
    """Return a row of the least and the median of several runs."""
    return row(case, measure, method, own['minimum'], unit, median=own['median'])


# From the JSON of each script --------------------------------------------------------------------


def _contact(data: Any) -> Iterator[Row]:
    for name, measures in data['scenarios'].items():
        for measure, methods in measures.items():
            for method, own in methods.items():
                yield sampled(name, measure, method, own, 'ns')


def _articulated(data: Any) -> Iterator[Row]:
    for name, methods in data['cases'].items():
        for method, own in methods.items():
            yield sampled(name, 'step', method, own['us'], 'us')


def _robots(data: Any) -> Iterator[Row]:
    for name, methods in data['robots'].items():
        for method, own in methods.items():
            method = 'ours, implicit' if method == 'ours' else method
            for phase, (least, median) in own['us per step'].items():
                yield row(name, phase, method, least, 'us', median=median)


def _boxes(data: Any) -> Iterator[Row]:
    for name, methods in data['boxes'].items():
        layout, _, count = name.partition(' ')
        for method, own in methods.items():
            peer = method == 'MuJoCo'
            more = {'x': int(count), 'median': own['mean']}
            title = method if peer else f'ours, {method}'
            yield row(f'{layout} of {count} boxes', 'step', title, own['minimum'], 'ms', **more)


def _heaps(data: Any) -> Iterator[Row]:
    units = {'step': (1e3, 'ms'), 'plan': (1e6, 'us'), 'assemble': (1e6, 'us')}
    for count, methods in data['heaps'].items():
        case, x = f'heap of {count} balls', int(count)
        for method, own in methods.items():
            title = f'ours, {method}'
            for measure, (factor, unit) in units.items():
                yield row(case, measure, title, factor * own[measure], unit, x=x)
            solve = 1e6 * (own['solve'] - own['assemble'])
            yield row(case, 'factor and solution', title, solve, 'us', x=x)
            yield row(case, 'numbers of the factor', title, own['numbers'], '', x=x)
            yield row(case, 'iterations', title, own['per step'], '', x=x)


def _chains(data: Any) -> Iterator[Row]:
    for count, methods in data['chains'].items():
        case, x = f'chain of {count} links', int(count)
        for method, own in methods.items():
            yield sampled(case, 'step', method, own['us'], 'us') | {'x': x}
            if 'load s' in own:
                yield row(case, 'derive and compile', method, own['load s'], 's', x=x)


def _worlds(data: Any) -> Iterator[Row]:
    for own in data.get('models', ()):
        case = f'{own["model"]}, {own["integrator"]}, {own["worlds"]:,} worlds'
        rate, threads = 1e-6 * own['rate'], own['threads']
        yield row(case, threads_of(threads), 'ours', rate, 'million steps/s', x=threads)
    for own in data.get('robots', ()):
        for method, rate in own['rates'].items():
            title = method.replace('MuJoCo', 'mujoco.rollout')
            measure, x = threads_of(own['threads']), own['threads']
            case = f'{own["robot"]}, implicit, 64 worlds'
            yield row(case, measure, title, 1e-3 * rate, 'thousand steps/s', x=x)
    for own in data.get('scaling', ()):
        measure, x = threads_of(own['threads']), own['worlds']
        yield row('rectangle_circle, rk4', measure, 'ours', 1e-6 * own['rate'],
                  'million steps/s', x=x)  # fmt: skip


def threads_of(count: int) -> str:
    """Return the words for a number of threads."""
    return '1 thread' if count == 1 else f'{count} threads'


def _startup(data: Any) -> Iterator[Row]:
    for model, kinds in data.items():
        case = Path(model).stem
        for kind, measure in (('first', 'first start'), ('later', 'later start')):
            for method, key in (('ours', kind), ('MuJoCo', 'MuJoCo')):
                if key in kinds:
                    yield row(case, measure, method, min(wall for wall, _ in kinds[key]), 's')


def _control_loop(data: Any) -> Iterator[Row]:
    for method, parts in data['calls'].items():
        for part, own in parts.items():
            yield sampled('cart_pole', part, method, own, 'us')


NODE = {
    'tf': '/tf, /clock, joint_states',
    'best effort': 'and 50 wrench topics, best effort',
    'reliable': 'and 50 wrench topics, reliable',
    'flood': '10,000 commands a second',
    'cart_pole 200': 'cart-pole at 1 kHz, 200 ticks a second',
    'cart_pole 1000': 'cart-pole at 1 kHz, 1,000 ticks a second',
}


def _node(data: Any) -> Iterator[Row]:
    for key, case in NODE.items():
        own = data[key]
        yield row(case, 'processor', 'ours', 100.0 * own['cpu'], '% of a core')
        factor = abs(own['real_time_factor'] - 1.0)
        yield row(case, 'real-time factor off by', 'ours', factor, '')
    for key in (key for key in data if key.startswith(('first wrench', 'last wrench'))):
        for measure, value in data[key].items():
            yield row(f'latency of the {key}', measure, 'ours', value, 'ms')


def _equations(data: Any) -> Iterator[Row]:
    for name, own in data['models'].items():
        us = {'minimum': 1e6 * own['python']['minimum'], 'median': 1e6 * own['python']['median']}
        yield sampled(name, 'accelerations from Python', 'ours', us, 'us')
        if 'aba' in own:
            least, median = (1e6 * own['aba'][key] for key in ('minimum', 'median'))
            yield row(name, 'accelerations from Python', 'Pinocchio, aba', least, 'us',
                      median=median)  # fmt: skip
        yield sampled(name, 'right-hand side', 'ours', own['right-hand side'], 'ns')
        yield sampled(name, 'derive and compile', 'ours', own['derive + compile'], 's')
        yield sampled(name, 'from the cache', 'ours', own['cache hit'], 'ms')


def _collision(data: Any) -> Iterator[Row]:
    peers = {'coal collide + patch': 'coal', 'fcl collide': 'fcl'}
    for query in data['queries']:
        for key, method in {'ours': 'ours', **peers}.items():
            if key in query:
                yield sampled(query['title'], query['regime'], method, query[key], 'us')


def _gymnasium(data: Any) -> Iterator[Row]:
    """Take rows as they are: ``{'rows': [{'case': ..., and what else `row` takes}, ...]}``."""
    for own in data['rows']:
        yield row(**own)


STUDIES = {
    'contact': Study('contact_speed.py', '', '--scenarios sphere_cuboid --runs 3', _contact),
    'articulated': Study('articulated.py', '', '--cases cart_pole --repeats 3', _articulated),
    'robots': Study(
        'robots.py', '', '--robots Go2 --repeats 1', _robots, ('mujoco', 'example-robot-data')
    ),
    'boxes': Study(
        'boxes.py',
        '--counts 10 30 100 300 1000',
        '--counts 10 100 --warm-up 200 --repeats 2',
        _boxes,
    ),
    'heaps': Study(
        'heaps.py',
        '--counts 8 16 27 64 216 --repeats 3',
        '--counts 8 --warm-up 100 --repeats 1',
        _heaps,
        (),
    ),
    'links': Study('chains.py', '', '--counts 2 8 --repeats 2', _chains),
    'worlds': Study(
        'batch.py',
        '--repeats 3',
        '--repeats 1 --worlds 100',
        _worlds,
        ('mujoco', 'example-robot-data'),
        cores=2,
    ),
    'startup': Study('startup.py', '', 'cart_pole --runs 1', _startup, cores=2),
    'python': Study('control_loop.py', '', '--repeats 2 --warm-up 0.1', _control_loop),
    'node': Study('node.py', '--seconds 6', '--seconds 3 --repeats 1', _node, ('rclpy',), cores=2),
    'equations': Study(
        'equations.py',
        '--models panda talos --no-kane',
        '--models panda --repeats 1 --no-kane',
        _equations,
        ('pin', 'example-robot-data'),
    ),
    'collision': Study(
        'collision.py',
        '--only queries --repeats 5',
        '--only queries --repeats 1',
        _collision,
        ('coal', 'python-fcl'),
    ),
    'gymnasium': Study(
        'gymnasium_speed.py',
        '',
        '--quick',
        _gymnasium,
        ('gymnasium', 'mujoco', 'example-robot-data'),
        cores=2,
    ),
}


# Running -----------------------------------------------------------------------------------------


def measured(name: str, quick: bool = False, say: Callable[[str], None] = print) -> dict[str, Any]:
    """
    Return the rows of a study, with what is to be known of the machine, or why there are none.

    The script runs in a process of its own, which is bound to the last core (or cores) and begins
    with an empty cache of compiled code.
    """
    study = STUDIES[name]
    about = facts(study.cores, study.packages) | {'quick': quick}
    if not study.path.exists():
        there = f'there is no benchmarks/{study.script} yet'
        return about | {'load': [about['load']] * 2, 'seconds': 0.0, 'rows': [], 'failed': there}
    say(f'{name}: benchmarks/{study.script} ...')
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='symcontact_benchmark_') as folder:
        file = Path(folder, 'numbers.json')
        arguments = (study.quick if quick else study.full).split()
        said = _run([str(study.path), *arguments, '--json', str(file)], study, Path(folder))
        if not (said or file.exists()):
            said = f'it wrote no numbers; missing packages: {", ".join(about["missing"])}'
        rows = []
        if not said:
            try:
                rows = list(study.rows(json.loads(file.read_text(encoding='utf-8'))))
            except (KeyError, TypeError) as error:
                said = f'its numbers are not those that were expected: {error}'
    about |= {'seconds': round(time.monotonic() - begin, 1), 'rows': rows}
    about['load'] = [about['load'], load()]
    return about | ({'failed': said} if said else {})


def _run(words: Sequence[str], study: Study, folder: Path) -> str:
    """Run a script; return why it failed: '' if it did not."""
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get('PYTHONPATH')) if part)
    environment = {**os.environ, 'PYTHONPATH': path, 'SYMCONTACT_CACHE_DIR': str(folder / 'cache')}
    environment.pop(MODE, None)  # scripts choose the mode of compilation
    usable = last_cores(study.cores)
    try:
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            preexec_fn=(lambda: os.sched_setaffinity(0, usable)) if usable else None,
        )
    except subprocess.TimeoutExpired:
        return f'stopped after {LONGEST:.0f} s'
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return lines[-1] if lines else f'ended with code {done.returncode}'
    return ''


def last_cores(count: int) -> set[int]:
    """Return the last cores of those that may be used; none where they cannot be chosen."""
    if not hasattr(os, 'sched_getaffinity'):
        return set()  # not Linux
    return set(sorted(os.sched_getaffinity(0))[-count:])


def facts(cores: int, packages: Sequence[str]) -> dict[str, Any]:
    """Return processor, cores, load and versions: nothing that tells where or when."""
    names = []
    if (information := Path('/proc/cpuinfo')).exists():
        names = re.findall(r'model name\s*: (.*)', information.read_text(encoding='utf-8'))
    found = versions(packages)
    missing = [package for package in packages if package not in found]
    return {
        'cpu': names[0] if names else platform.processor() or platform.machine(),
        'cores': os.cpu_count(),
        'pinned': cores,
        'load': load(),
        'versions': found,
        'missing': missing,
    }


def load() -> float:
    """Return the mean number of processes that wanted a core in the last minute."""
    return round(os.getloadavg()[0], 2)


def stored(file: Path = STORED) -> Results:
    """Return what was measured; nothing of studies that never ran."""
    if not file.exists():
        return {}
    found: Results = json.loads(file.read_text(encoding='utf-8'))
    return found


def store(results: Results, file: Path = STORED) -> None:
    """Keep what was measured, in the order of the studies, numbers with five digits."""
    ordered = {name: _rounded(results[name]) for name in STUDIES if name in results}
    parts = []
    for name, own in ordered.items():
        rows = ',\n  '.join(json.dumps(line) for line in own['rows'])
        rest = json.dumps({key: fact for key, fact in own.items() if key != 'rows'})
        parts.append(f' "{name}": {rest[:-1]}, "rows": [\n  {rows}\n ]}}')
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{\n' + ',\n'.join(parts) + '\n}\n', encoding='utf-8')


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(own) for key, own in value.items()}
    if isinstance(value, list):
        return [_rounded(own) for own in value]
    return float(f'{value:.5g}') if isinstance(value, float) else value
