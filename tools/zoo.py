"""
The zoo: every URDF of example-robot-data and pybullet_data; writes docs/zoo.md.

Each file is loaded, derived and run limp by `tools/zoo_worker.py` in a process of its own, with a
limit of time and memory, and given to MuJoCo's loader in another one. Further processes try
whether it holds its start with servos, stands on a floor, and lands when it is dropped limp.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import util
import json
import os
from pathlib import Path
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from zoo_page import page
from zoo_trials import GOOD, NOTHING, TRIALS, WEAK

ROOT = Path(__file__).resolve().parents[1]
WORKER = Path(__file__).with_name('zoo_worker.py')
TIME_LIMIT = 1800.0  # of a file [s]; the worker has a limit of processor time, which comes first
PARTS = ('limp', *TRIALS)
LEFT_OUT = 'random_urdfs'  # of pybullet_data: a thousand generated lumps


@dataclass
class Animal:
    """A file of the zoo, and what was found out about it."""

    package: str
    folder: Path  # of the package
    path: Path
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its path in the package."""
        return self.path.relative_to(self.folder).as_posix()


def animals() -> Iterator[Animal]:
    """Yield every URDF of the packages that are installed."""
    for package, folder in packages().items():
        for path in sorted(folder.rglob('*.urdf')):
            if LEFT_OUT not in path.parts:
                yield Animal(package, folder, path)


def packages() -> dict[str, Path]:
    """Return the folders of the packages that are installed, by name."""
    found = {}
    pinocchio = util.find_spec('pinocchio')  # example-robot-data is in the same prefix
    for folder in Path(pinocchio.origin).resolve().parents if pinocchio else ():  # type: ignore
        if (folder / 'share' / 'example-robot-data' / 'robots').is_dir():
            found['example-robot-data'] = folder / 'share' / 'example-robot-data' / 'robots'
            break
    data = util.find_spec('pybullet_data')
    if data is not None and data.origin is not None:
        found['pybullet_data'] = Path(data.origin).resolve().parent
    return found


def main() -> int:
    """Examine all files, write the page; return 1 where one is nonsense or an error of ours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--output', type=Path, default=ROOT / 'docs' / 'zoo.md')
    parser.add_argument('--only', default='', metavar='TEXT', help='files with it in their path')
    parser.add_argument('--parts', type=parts, default=PARTS, help=','.join(PARTS))
    parser.add_argument('--integrator', default='implicit', help='of all parts but limp')
    parser.add_argument('--jobs', type=int, default=2, help='files at the same time')
    parser.add_argument('--json', type=Path, help='write all facts to this file too')
    options = parser.parse_args()
    missing = {'example-robot-data', 'pybullet_data'} - set(packages())
    if missing:
        names = ', '.join(sorted(missing))
        print(f'zoo: not installed: {names}; make setup-dev, Python 3.10 or 3.11', file=sys.stderr)
        return 2
    found = [animal for animal in animals() if options.only in animal.name]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(options.jobs) as pool:
        jobs = [
            pool.submit(examine, animal, options.parts, options.integrator, cache)
            for animal in found
        ]
        for number, (animal, job) in enumerate(zip(found, jobs, strict=True), 1):
            job.result()
            print(f'{number:3}/{len(found)} {animal.name}: {said(animal)}'[:220], flush=True)
    seconds = time.monotonic() - began
    print(f'zoo: {seconds:.0f} s')
    if options.json:
        rows = [{'package': a.package, 'name': a.name, **a.facts} for a in found]
        options.json.write_text(json.dumps(rows, indent=1), encoding='utf-8')
    options.output.write_text(page(found, options.integrator, seconds), encoding='utf-8')
    return int(any(failed(animal) for animal in found))


def parts(text: str) -> tuple[str, ...]:
    """Return the parts that a text names, in their order."""
    wanted = {word.strip() for word in text.split(',')}
    if unknown := wanted - {*PARTS}:
        raise argparse.ArgumentTypeError(f'no part {", ".join(sorted(unknown))}; {PARTS}')
    return tuple(part for part in PARTS if part in wanted)


def failed(animal: Animal) -> bool:
    """Return whether a part of a file that loads did not end as it must."""
    facts = animal.facts
    tried = {part: facts[part]['verdict'] for part in TRIALS if part in facts}
    for part, verdict in tried.items():
        # Scenery without a mass cannot be free; a file that does not load cannot be held.
        excused = part == 'drop' or (part == 'hold' and 'freedom' not in facts)
        if verdict not in (GOOD[part], NOTHING, WEAK) and not (verdict == 'refused' and excused):
            return True
    return facts.get('verdict') in ('nonsense', 'error')


def said(animal: Animal) -> str:
    """Return the verdicts of a file in one line."""
    facts = animal.facts
    found = [facts, *(facts[part] for part in TRIALS if part in facts)]
    texts = (f'{one.get("verdict", "")} {one.get("reason", "")}'.strip() for one in found)
    return ' | '.join(text.splitlines()[0] for text in texts if text)


def examine(animal: Animal, wanted: tuple[str, ...], integrator: str, cache: str) -> None:
    """Find out about one file, with nothing compiled before the limp run."""
    facts = animal.facts
    with tempfile.TemporaryDirectory(dir=cache) as own:
        if 'limp' in wanted:
            facts.update(ask(animal, [], own), **ask(animal, ['--mujoco'], own))
        for part in TRIALS:
            if part in wanted and facts.get('verdict') != 'refused':
                options = ['--folder', str(animal.folder), '--part', part]
                facts[part] = ask(animal, [*options, '--integrator', integrator], own)
    animal.facts = _without(f'{animal.folder}/', facts)


def _without(folder: str, value: Any) -> Any:
    """Return facts whose texts do not have the place of the package."""
    if isinstance(value, dict):
        return {key: _without(folder, one) for key, one in value.items()}
    if isinstance(value, list):
        return [_without(folder, one) for one in value]
    return value.replace(folder, '') if isinstance(value, str) else value


def ask(animal: Animal, options: list[str], cache: str) -> dict[str, Any]:
    """Return what a worker says about a file; it ends when its time is over."""
    command = [sys.executable, str(WORKER), str(animal.path), *options]
    environment = {**os.environ, 'SYMCONTACT_CACHE_DIR': cache}
    path = (str(ROOT), environment.get('PYTHONPATH', ''))
    environment['PYTHONPATH'] = os.pathsep.join(filter(None, path))
    try:
        run = subprocess.run(
            command,
            env=environment,
            cwd=cache,
            capture_output=True,
            timeout=TIME_LIMIT,
            check=False,
        )
        output, failure = run.stdout, f'{_ended(run.returncode)}: {_last_line(run.stderr)}'
        failed = run.returncode != 0
    except subprocess.TimeoutExpired as error:
        output, failure, failed = error.stdout or b'', f'more than {TIME_LIMIT:g} s', True
    said = [line for line in output.decode().splitlines() if line.startswith('{')]
    facts: dict[str, Any] = json.loads(said[-1]) if said else {}
    if not failed:
        return facts
    if '--mujoco' in options:
        return {'mujoco': [failure] * 3}
    return {**facts, 'verdict': 'error', 'reason': f'{failure} ({facts.get("stage", "start")})'}


def _ended(code: int) -> str:
    if code >= 0:
        return f'ended with {code}'
    too_long = code in (-signal.SIGXCPU, -signal.SIGKILL)
    return 'took too much time' if too_long else f'ended by {signal.Signals(-code).name}'


def _last_line(text: bytes) -> str:
    return (text.decode(errors='replace').strip().splitlines() or [''])[-1]


if __name__ == '__main__':
    sys.exit(main())
