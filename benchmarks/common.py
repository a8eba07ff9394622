"""What benchmarks share: models, Pinocchio's view of them, fresh processes, tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata, util
import json
import os
from pathlib import Path
import platform
import re
import statistics
import subprocess
import sys
import time
from typing import Any
from xml.etree import ElementTree

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 300.0  # of a measurement in a process of its own [s]
FREE_BODIES = 200


# Models -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A model to be measured: a shipped one, one built here, or a file of example-robot-data."""

    title: str
    source: str
    base: str = 'fixed'
    locked: tuple[str, ...] = ()  # joints of a URDF that are made fixed


def robots_folder() -> Path | None:
    """Return the folder of example-robot-data, next to Pinocchio in any prefix."""
    found = util.find_spec('pinocchio')
    for folder in Path(found.origin).resolve().parents if found and found.origin else ():
        robots = folder / 'share' / 'example-robot-data' / 'robots'
        if robots.is_dir():
            return robots
    return None


def prepared(case: Case, folder: Path) -> str | None:
    """Return what `load` takes: the source, or a copy of a URDF; None if it is not there."""
    if not case.source.endswith('.urdf'):
        return case.source
    robots = robots_folder()
    if robots is None:
        return None
    tree = ElementTree.parse(robots / case.source)
    for joint in tree.iter('joint'):
        for mimic in joint.findall('mimic'):  # our loader refuses them: a joint of its own
            joint.remove(mimic)
        if joint.get('name') in case.locked:
            joint.set('type', 'fixed')
    copy = folder / f'{re.sub("[^a-z0-9]+", "_", case.title.lower())}.urdf'
    tree.write(copy)
    return str(copy)


def load(source: str, base: str) -> Any:
    """Return the model of a prepared source; meshes have no part in the equations."""
    import symcontact_ros as sc

    if source == 'free_bodies':
        model = sc.Model('free_bodies', dimension=3)
        inertia = {'ixx': 0.2, 'iyy': 0.3, 'izz': 0.4}
        body = {'mass': 2.0, 'inertia': inertia, 'joint': {'type': 'free'}}
        model.set(bodies={f'body{i}': body for i in range(FREE_BODIES)})
        return model
    return sc.load_model(source, base=base, meshes=False)


def random_state(model: Any, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, u and a generalised force for every speed."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.0, 1.0, model.coordinate_count)
    start = 0
    for body in model.bodies:
        kind = body.joint.kind
        if kind.quaternion_at is not None:
            own = slice(start + kind.quaternion_at, start + kind.quaternion_at + 4)
            q[own] /= np.linalg.norm(q[own])
        start += kind.coordinates
    return q, rng.uniform(-1.0, 1.0, model.speed_count), rng.uniform(-1, 1, model.speed_count)


# Pinocchio --------------------------------------------------------------------------------------


class Pinocchio:
    """A model in Pinocchio: of the same URDF, or built body by body."""

    def __init__(self, model: Any, source: str, base: str) -> None:
        import pinocchio as pin

        self._pin = pin
        if source.endswith('.urdf'):
            floating = [pin.JointModelFreeFlyer()] if base == 'free' else []
            self.model = pin.buildModelFromUrdf(source, *floating)
        else:
            self.model = self._built(model)
        self.data = self.model.createData()
        ids = {_our_name(name): index for index, name in enumerate(self.model.names)}
        # The free joint of a base has a name of its own there, and is the first.
        self._joints = [self.model.joints[ids.get(body.joint.name, 1)] for body in model.moving]
        assert sorted({joint.id for joint in self._joints}) == [*range(1, self.model.njoints)]

    def _built(self, model: Any) -> Any:
        pin = self._pin
        theirs = pin.Model()
        theirs.gravity.linear = np.array([model.number(g) for g in model.gravity])
        ids = {'world': 0}
        for body in model.bodies:
            joint = body.joint
            axis = np.array([model.number(x) for x in joint.axis])
            kinds: dict[str, Callable[[], Any]] = {
                'revolute': lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
                'prismatic': lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
                'free': pin.JointModelFreeFlyer,
            }
            turn = joint.origin.rotation.evaluated(model.parameters)
            assert turn == (0.0, 0.0, 0.0, 1.0), 'joints that are turned are not built here'
            place = np.array([model.number(x) for x in joint.origin.position])
            placement = pin.SE3(np.eye(3), place)
            index = theirs.addJoint(ids[joint.parent], kinds[joint.type](), placement, joint.name)
            ids[body.name] = index
            xx, yy, zz, xy, xz, yz = (model.number(x) for x in body.inertia)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            com = np.array([model.number(x) for x in body.com])
            inertia = pin.Inertia(model.number(body.mass), com, tensor)
            theirs.appendBodyToJoint(index, inertia, pin.SE3.Identity())
        return theirs

    def speeds(self, ours: np.ndarray) -> np.ndarray:
        """Return speeds or forces in Pinocchio's order."""
        theirs = np.empty(self.model.nv)
        start = 0
        for joint in self._joints:
            theirs[joint.idx_v : joint.idx_v + joint.nv] = ours[start : start + joint.nv]
            start += joint.nv
        return theirs

    def coordinates(self, ours: np.ndarray) -> np.ndarray:
        """Return coordinates in Pinocchio's order; joints without limits are (cos, sin)."""
        theirs = np.empty(self.model.nq)
        start = 0
        for joint in self._joints:
            count = 1 if joint.nv == 1 else joint.nq
            own = ours[start : start + count]
            if joint.nq > count:
                own = [np.cos(own[0]), np.sin(own[0])]
            theirs[joint.idx_q : joint.idx_q + joint.nq] = own
            start += count
        return theirs


def _our_name(name: str) -> str:
    """Return a name of a URDF as our loader maps it."""
    return re.sub('_+', '_', re.sub('[^A-Za-z0-9]', '_', name)).strip('_')


# Measuring --------------------------------------------------------------------------------------


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
    """Time ``run(n)``, n rounds of something, often; n makes one measurement last 10 ms."""
    n = 1
    while (spent := _seconds(run, n)) < 0.01:
        n = max(2 * n, int(0.012 * n / max(spent, 1e-9)) if spent > 1e-4 else 0)
    return [_seconds(run, n) / n for _ in range(repeats)]


def _seconds(run: Callable[[int], object], n: int) -> float:
    start = time.perf_counter()
    run(n)
    return time.perf_counter() - start


def in_fresh_process(script: Path, arguments: Sequence[str], cache: Path) -> dict[str, Any]:
    """Return what a script prints (one line of JSON), run by itself with a cache of its own."""
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


def pin_to_core(core: int | None) -> int:
    """Keep this process and those it starts on one core; return which."""
    chosen = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {chosen})
    return chosen


# Telling ----------------------------------------------------------------------------------------


def versions(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of the installed ones among packages."""
    found = {'python': platform.python_version()}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = 'not installed'
    return found


def machine(core: int) -> str:
    """Return CPU, core and load of this machine."""
    model = platform.processor() or platform.machine()
    information = Path('/proc/cpuinfo')
    if information.exists():
        names = re.findall(r'model name\s*: (.*)', information.read_text())
        model = names[0] if names else model
    load = os.getloadavg()[0]
    return f'{model}, {os.cpu_count()} cores, all on core {core}; load {load:.1f} at the start'


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
