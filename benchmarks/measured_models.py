"""Models that are measured: shipped ones, generated ones, and robots of example-robot-data."""

from dataclasses import dataclass
from importlib import util
from pathlib import Path
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np

FREE_BODIES = 200


@dataclass(frozen=True)
class Case:
    """A model to measure: shipped, generated here, or a file of example-robot-data."""

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
    """Return the argument of `load`: the source, or a copy of a URDF; None if it is missing."""
    if not case.source.endswith('.urdf'):
        return case.source
    robots = robots_folder()
    if robots is None:
        return None
    tree = ElementTree.parse(robots / case.source)
    for joint in tree.iter('joint'):
        for mimic in joint.findall('mimic'):  # rejected by our loader
            joint.remove(mimic)
        if joint.get('name') in case.locked:
            joint.set('type', 'fixed')
    copy = folder / f'{re.sub("[^a-z0-9]+", "_", case.title.lower())}.urdf'
    tree.write(copy)
    return str(copy)


def load(source: str, base: str) -> Any:
    """Return the model of a prepared source; the equations do not depend on meshes."""
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
