"""
Models that two versions of the package are compared with by `bits.py` and `speed.py`.

Only public names of the package are used, so that these tools run unchanged with any version of
it. The models are data: contents of model files, written to a folder and loaded from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
import itertools
import json
import os
from pathlib import Path
import platform
import re
import shutil
import sys
from typing import Any
from xml.etree import ElementTree

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
DETECTORS = ('sat', 'co')
INTEGRATORS = ('rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2')
STEP_SIZE = 1e-3  # [s]
STEPS = 2000


def nothing(_: Any) -> None:
    """Leave a simulation or a folder as it is."""


@dataclass(frozen=True)
class Case:
    """
    A model and the options of its run.

    Attributes
    ----------
    model
        The content of a model file, or the name of a shipped model.
    steps
        Number of steps.
    options
        Options of the simulation, except detector and integrator.
    detectors, integrators
        Detectors and integrators of the runs.
    files
        Writes the files that the model includes to its folder.
    start
        Sets state and loads of a new simulation.
    midway
        Makes changes after half of the steps.
    kinds
        Types of shapes of which every pair is to come into contact, also with the floor; the names
        of the bodies end in their types.
    """

    model: Mapping[str, Any] | str
    steps: int = STEPS
    options: Mapping[str, Any] = field(default_factory=dict)
    detectors: tuple[str, ...] = DETECTORS
    integrators: tuple[str, ...] = INTEGRATORS
    files: Callable[[Path], None] = nothing
    start: Callable[[Any], None] = nothing
    midway: Callable[[Any], None] = nothing
    kinds: tuple[str, ...] = ()


class MissingError(Exception):
    """A requested item, or a requirement of a case, is missing."""


# The package under test --------------------------------------------------------------------------


def use_tree(tree: Path | None) -> Path:
    """
    Select the checkout for ``import symcontact_ros``; return it.

    It is the given one, else the first in PYTHONPATH, else the one of this file.
    """
    entries = map(Path, filter(None, os.environ.get('PYTHONPATH', '').split(os.pathsep)))
    known = (entry for entry in entries if (entry / 'symcontact_ros').is_dir())
    chosen = checkout(tree or next(known, ROOT))
    sys.path.insert(0, str(chosen))
    import symcontact_ros

    found = Path(symcontact_ros.__file__).resolve().parents[1]
    if found != chosen:
        raise MissingError(f'symcontact_ros was imported from {found} instead of {chosen}')
    return chosen


def checkout(folder: Path) -> Path:
    """Return the path of a checkout; MissingError if it is none."""
    if not (folder / 'symcontact_ros' / '__init__.py').is_file():
        raise MissingError(f'{folder} is no checkout: it has no package symcontact_ros')
    return folder.resolve()


def about() -> dict[str, str]:
    """Return the environment that bits and times depend on: CPU and versions."""
    cpu = platform.processor() or platform.machine()
    information = Path('/proc/cpuinfo')
    if information.exists():
        names = re.findall(r'model name\s*: (.*)', information.read_text())
        cpu = names[0] if names else cpu
    found = {'cpu': cpu, 'libc': ' '.join(platform.libc_ver()), 'python': sys.version.split()[0]}
    for package in ('numpy', 'scipy', 'sympy', 'llvmlite', 'trimesh', 'example-robot-data'):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = 'not installed'
    return found


def all_cases(tree: Path) -> dict[str, Case]:
    """Return the shipped models of a checkout and the cases of this file, by name."""
    names = sorted(path.stem for path in (tree / 'config' / 'models').glob('*.yaml'))
    return {**{name: Case(name) for name in names}, **OWN}


def simulation(name: str, case: Case, folder: Path, detector: str, integrator: str) -> Any:
    """Return a new simulation of a case; its files are written to a folder."""
    import symcontact_ros as sc

    source: str | Path
    if isinstance(case.model, str):
        source = case.model
    else:
        source = folder / name / 'model.yaml'
        if not source.exists():
            source.parent.mkdir(parents=True)
            case.files(source.parent)
            source.write_text(json.dumps(case.model), encoding='utf-8')
    made = sc.Simulation(
        sc.load_model(source), detector, integrator, STEP_SIZE, **dict(case.options)
    )
    case.start(made)
    return made


# Heaps: every type of shape on every other one, and on the floor ---------------------------------

HULL = [
    *([0.12, 0.0, -0.08], [-0.1, 0.1, -0.08], [-0.08, -0.1, -0.1], [0.08, 0.08, 0.06]),
    *([-0.12, 0.02, 0.08], [0.06, -0.12, 0.08], [0.0, 0.02, 0.12]),
]
PENTAGON = [[0.14, 0.0], [0.04, 0.12], [-0.1, 0.06], [-0.1, -0.08], [0.04, -0.1]]
FLOOR = 'half_space'
# The lengths are multiples of 2 cm: poses on a lattice then make them touch exactly.
SHAPES: dict[int, dict[str, dict[str, Any]]] = {
    2: {
        'circle': {'radius': 0.1},
        'rectangle': {'half_extents': [0.12, 0.08]},
        'polygon': {'vertices': PENTAGON},
        'capsule': {'radius': 0.06, 'half_length': 0.08},
        FLOOR: {'normal': [0.0, 1.0, 0.0], 'offset': 0.0},
        'ellipse': {'radii': [0.14, 0.06]},
    },
    3: {
        'sphere': {'radius': 0.1},
        'box': {'half_extents': [0.12, 0.08, 0.1]},
        'capsule': {'radius': 0.06, 'half_length': 0.08},
        'cylinder': {'radius': 0.08, 'half_length': 0.1},
        'convex_hull': {'vertices': HULL},
        FLOOR: {'normal': [0.0, 0.0, 1.0], 'offset': 0.0},
        'ellipsoid': {'radii': [0.14, 0.1, 0.06]},
    },
}
# Of heaps, in which every two kinds meet: those of the first heaps, and of heaps with ellipsoids.
HEAPED = {
    2: ('circle', 'rectangle', 'polygon', 'capsule'),
    3: ('sphere', 'box', 'capsule', 'cylinder', 'convex_hull'),
}
EGGS = {2: ('ellipse', 'rectangle', 'capsule'), 3: ('ellipsoid', 'box', 'cylinder')}
CONSTANTS = {'damping': 0.3, 'friction': 0.4, 'slip_speed': 0.02}
MATERIALS = {
    'default': {'law': 'hunt_crossley', 'stiffness': 1e6, **CONSTANTS},
    'springy': {'law': 'linear', 'stiffness': 2e4, **CONSTANTS},
    'hard': {'law': 'elastic_plastic', 'stiffness': 1e9, **CONSTANTS},
}


def described(kind: str, dimension: int, **keys: Any) -> dict[str, Any]:
    """Return a shape as in a model file."""
    return {'type': kind, **SHAPES[dimension][kind], **keys}


def placed(dimension: int, column: int, level: int) -> dict[str, Any]:
    """Return the initial position of a body of a heap: in a column that drifts to the middle."""
    height, shift = 0.16 + 0.3 * level, 0.03 * level
    if dimension == 2:
        x = 0.4 * (column - 4.5)
        return {
            'position': [x + shift, height, 0.0],
            'velocity': [-0.4 * x, 0.0, 0.0],
            'angle': 0.7 * column + level,
            'angular_velocity': 1.0 - level,
        }
    x, y = 0.4 * (column % 4 - 1.5), 0.4 * (column // 4 - 1.5)
    return {
        'position': [x + shift, y + 0.5 * shift, height],
        'velocity': [-0.4 * x, -0.4 * y, 0.0],
        'rpy': [0.7 * column, 0.3 * level, 0.2 * column + level],
        'angular_velocity': [1.0 - level, 0.5, 0.2 * column],
    }


def heap(dimension: int, kinds: tuple[str, ...], name: str = 'heap') -> dict[str, Any]:
    """Return the content of a model file: columns of two bodies, a dumbbell, and the floor."""
    bodies: dict[str, Any] = {
        'floor_half_space': {'fixed': True, 'shapes': [described(FLOOR, dimension)]}
    }
    columns = list(itertools.combinations_with_replacement(kinds, 2))
    for column, both in enumerate(columns):
        for level, kind in enumerate(both):
            bodies[f'body{column:02}{level}_{kind}'] = {
                'mass': 1.0 + 0.1 * column,
                'shapes': [described(kind, dimension)],
                'initial': placed(dimension, column, level),
            }
    ends = [
        described(kinds[i], dimension, pose={'position': [0.2 * i - 0.1, 0, 0]}) for i in (0, 1)
    ]
    bodies['dumbbell'] = {'mass': 2.0, 'shapes': ends, 'initial': placed(dimension, 5, 2)}
    floor = [name for name in bodies if name.startswith('body')]
    pairs = [
        {'bodies': ['floor_half_space', name], 'material': ('springy', 'hard')[i % 2]}
        for i, name in enumerate(floor)
        if i % 3
    ]
    return {
        'format_version': 1,
        'name': f'{name}{dimension}d',
        'dimension': dimension,
        'materials': {**MATERIALS, 'pairs': pairs},
        'bodies': bodies,
    }


# A law of a model file ---------------------------------------------------------------------------


def thrown(dimension: int) -> dict[str, Any]:
    """Return two bodies thrown on the floor, with a formula as contact law."""
    law = {
        'normal': 'stiff * rho * sqrt(rho) * (1 - c * v_n) + k * rho**2',
        'tangent': 'mu * f_n * tanh(v_t / (2 * vs)) * (0.7 + 0.3 * exp(-v_t / vs))',
    }
    up = np.eye(3)[dimension - 1]
    spin = 4.0 if dimension == 2 else [4.0, -3.0, 2.0]
    bodies: dict[str, Any] = {'floor': {'fixed': True, 'shapes': [described(FLOOR, dimension)]}}
    for i, kind in enumerate(list(SHAPES[dimension])[:2]):
        bodies[kind] = {
            'mass': 1.0,
            'shapes': [described(kind, dimension)],
            'initial': {
                'position': ((0.2 + 0.3 * i) * up).tolist(),
                'velocity': [0.5, 0.0, 0.0],
                'angular_velocity': spin,
            },
        }
    return {
        'format_version': 1,
        'name': f'law{dimension}d',
        'dimension': dimension,
        'parameters': {'stiff': 2e5},
        'materials': {'default': {**CONSTANTS, 'law': law, 'stiffness': 1e5}},
        'bodies': bodies,
    }


# Joints of every type with all joint forces ------------------------------------------------------

BULK = {'ixx': 0.01, 'iyy': 0.012, 'izz': 0.015}
JOINTS: dict[int, dict[str, Any]] = {
    2: {
        'format_version': 1,
        'name': 'joints2d',
        'dimension': 2,
        'parameters': {'l': 0.4, 'grip': 0.2},
        'materials': MATERIALS,
        'bodies': {
            'floor': {'fixed': True, 'shapes': [described(FLOOR, 2)]},
            'cart': {
                'mass': 2.0,
                'inertia': {'izz': 0.0},
                'joint': {
                    'type': 'prismatic',
                    'axis': [1, 0, 0],
                    'origin': {'xyz': [0, 0.6, 0], 'rpy': [0, 0, 0.1]},
                    'damping': 0.5,
                    'friction': 'grip',
                    'armature': 0.1,
                    'limits': {'lower': -0.1, 'upper': 0.1, 'stiffness': 2e3, 'damping': 20},
                },
                'initial': {'velocity': 0.8},
            },
            'upper': {
                'mass': 1.0,
                'com': ['l / 2', 0, 0],
                'inertia': {'izz': 0.02},
                'joint': {'type': 'revolute', 'parent': 'cart', 'servo': {'kp': 8, 'kd': 0.5}},
            },
            'lower': {
                'mass': 0.5,
                'shapes': [described('capsule', 2, pose={'position': ['l / 2', 0, 0]})],
                'joint': {
                    'type': 'revolute',
                    'parent': 'upper',
                    'origin': {'xyz': ['l', 0, 0]},
                    'stiffness': 1.5,
                    'rest_position': -0.5,
                    'damping': 0.02,
                },
                'initial': {'position': 0.4, 'velocity': 2.0},
                'sites': {'tip': {'position': ['l', 0, 0]}},
            },
            'block': {
                'mass': 1.5,
                'shapes': [described('rectangle', 2)],
                'joint': {'type': 'planar', 'origin': {'rpy': [0, 0, 0.5]}},
                'initial': {'position': [0.4, 0.15, 0], 'angular_velocity': 3.0},
            },
        },
        'sensors': [{'type': 'imu', 'site': 'tip'}, {'type': 'force_torque', 'joint': 'lower'}],
    },
    3: {
        'format_version': 1,
        'name': 'joints3d',
        'dimension': 3,
        'parameters': {'l': 0.4, 'grip': 0.2},
        'materials': MATERIALS,
        'bodies': {
            'floor': {'fixed': True, 'shapes': [described(FLOOR, 3)]},
            'cart': {
                'mass': 2.0,
                'inertia': BULK,
                'joint': {
                    'type': 'prismatic',
                    'axis': [1, 0, 0.2],
                    'origin': {'xyz': [0, 0, 0.7], 'rpy': [0.3, 0.2, 0.1]},
                    'damping': 0.5,
                    'friction': 'grip',
                    'armature': 0.1,
                    'limits': {'lower': -0.1, 'upper': 0.1, 'stiffness': 2e3, 'damping': 20},
                },
                'initial': {'velocity': 0.8},
            },
            'upper': {
                'mass': 1.0,
                'com': ['l / 2', 0, 0],
                'inertia': {**BULK, 'ixy': 0.001},
                'joint': {
                    'type': 'revolute',
                    'parent': 'cart',
                    'axis': [0, 0.6, 0.8],
                    'servo': {'kp': 8, 'kd': 0.5},
                },
            },
            'lower': {
                'mass': 0.5,
                'shapes': [described('capsule', 3, pose={'position': [0, 0, '-l / 2']})],
                'joint': {'type': 'spherical', 'parent': 'upper', 'origin': {'xyz': ['l', 0, 0]}},
                'initial': {'rpy': [0.2, 0.1, 0], 'angular_velocity': [1, 2, 3]},
                'sites': {'tip': {'position': [0, 0, '-l']}},
            },
            'base': {
                'mass': 3.0,
                'shapes': [described('box', 3)],
                'initial': {'position': [0.5, 0, 0.12], 'angular_velocity': [0, 1, 2]},
            },
            'mast': {
                'mass': 0.3,
                'shapes': [described('sphere', 3)],
                'joint': {'type': 'fixed', 'parent': 'base', 'origin': {'xyz': [0, 0, 0.25]}},
            },
            'wheel': {
                'mass': 0.4,
                'inertia': BULK,
                'joint': {
                    'type': 'revolute',
                    'parent': 'mast',
                    'axis': [0, 0, 1],
                    'stiffness': 0.5,
                    'rest_position': 1.0,
                    'damping': 0.01,
                },
                'initial': {'velocity': 5.0},
            },
        },
        'sensors': [{'type': 'imu', 'site': 'tip'}, {'type': 'force_torque', 'joint': 'mast'}],
    },
}


def load_joints(simulation: Any) -> None:
    """Apply an effort, a target and a wrench with a lever."""
    simulation.set_effort('cart', 3.0)
    simulation.set_target('upper', -0.6)
    body = 'block' if simulation.model.dimension == 2 else 'base'
    simulation.set_wrench(body, force=[1.0, 0.5, 0.0], point=[0.4, 0.3, 0.0])


def change_joints(simulation: Any) -> None:
    """Change live symbols, loads and an option."""
    simulation.set_parameters({'l': 0.45, 'grip': 0.5})
    simulation.set_effort('cart', -2.0)
    simulation.set_target('upper', 0.2, 0.1)
    simulation.clear_wrenches()
    simulation.configure(max_substeps=16)


# A robot on a table ------------------------------------------------------------------------------

ROBOTS = Path('cmeel.prefix', 'share', 'example-robot-data', 'robots')
LINKS = [*(f'panda_link{i}' for i in range(2, 8)), 'panda_hand']
FINGERS = ['panda_leftfinger', 'panda_rightfinger']
POSTURE = [0.05, 0.5, 0.03, -1.9, 0.02, 2.4, 0.785]  # [rad]: the hand over the parcel
PANDA = {
    'format_version': 1,
    'name': 'panda',
    'dimension': 3,
    'include': [{'urdf': 'panda.urdf'}],
    'materials': MATERIALS,
    'bodies': {
        'table': {
            'fixed': True,
            'shapes': [
                {
                    'type': 'box',
                    'half_extents': [0.4, 0.5, 0.1],
                    'pose': {'position': [0.6, 0.0, -0.1]},
                }
            ],
        },
        'parcel': {
            'mass': 0.5,
            'shapes': [{'type': 'box', 'half_extents': [0.06, 0.08, 0.05]}],
            'initial': {'position': [0.66, 0.03, 0.051]},
        },
    },
    'collide': [
        ['parcel', 'table'],
        *([link, other] for link in (*LINKS, *FINGERS) for other in ('parcel', 'table')),
        *([LINKS[i], LINKS[j]] for i in range(4) for j in range(i + 3, 6)),
    ],
    'sensors': [{'type': 'force_torque', 'joint': 'panda_joint7'}],
}


def write_panda(folder: Path) -> None:
    """Copy the Panda of example-robot-data, its fingers locked: mimic joints are refused."""
    found = (Path(place) / ROBOTS / 'panda_description' for place in sys.path)
    source = next((place for place in found if place.is_dir()), None)
    if source is None:
        raise MissingError(
            'example-robot-data is not installed (`make setup-dev` or `pip install '
            "example-robot-data` installs it), or use --skip 'panda*'"
        )
    tree = ElementTree.parse(source / 'urdf' / 'panda.urdf')
    for joint in tree.iter('joint'):
        for mimic in joint.findall('mimic'):
            joint.remove(mimic)
        if 'finger' in joint.get('name', ''):
            joint.set('type', 'fixed')
        for dynamics in joint.findall('dynamics'):
            dynamics.attrib.update(damping='4.0', friction='0.2')
    for mesh in tree.iterfind('.//collision/geometry/mesh'):
        name = Path(mesh.get('filename', '')).name
        shutil.copy(source / 'meshes' / 'collision' / name, folder / name)
        mesh.set('filename', name)
    tree.write(folder / 'panda.urdf')


def pose_panda(simulation: Any) -> None:
    """Put the hand over the parcel and hold the arm up, not quite."""
    q = simulation.q
    q[-len(POSTURE) :] = POSTURE
    simulation.set_state(q=q)
    for joint, effort in (('panda_joint2', -35.0), ('panda_joint4', 18.0), ('panda_joint6', 1.0)):
        simulation.set_effort(joint, effort)


# All of them -------------------------------------------------------------------------------------

SINGLE = {'manifold': 'single'}
GROWTH = {'co': {'program': 'growth'}}
SHRUNK = {'co': {'program': 'min_distance', 'core_radius': 0.02, 'margin': 0.01}}
EXACT: dict[str, Any] = {'detectors': ('sat',)}
CONVEX: dict[str, Any] = {'detectors': ('co',), 'integrators': ('rk4',)}
OWN = {
    'docking': Case('docking_probe_drogue', steps=8200),  # until they have met
    # Of large models the integrator that they name, since every other one is compiled for minutes.
    'box_pile': Case('box_pile', steps=600, integrators=('implicit',)),  # until most lie on others
    'panda_table': Case('panda_table', integrators=('implicit',)),
    'space_manipulator': Case('space_manipulator', integrators=('rk4',)),
    'walker_2d': Case('walker_2d', integrators=('implicit2',)),
    'panda': Case(PANDA, files=write_panda, start=pose_panda),
    'heap2d': Case(heap(2, HEAPED[2]), kinds=(*HEAPED[2], FLOOR)),
    'heap3d': Case(heap(3, HEAPED[3]), kinds=(*HEAPED[3], FLOOR), steps=1000),
    'single2d': Case(heap(2, HEAPED[2]), options=SINGLE),
    'single3d': Case(heap(3, HEAPED[3]), options=SINGLE, steps=1000),
    'law2d': Case(thrown(2)),
    'law3d': Case(thrown(3), **EXACT),
    'joints2d': Case(JOINTS[2], start=load_joints, midway=change_joints, **EXACT),
    'joints3d': Case(JOINTS[3], start=load_joints, midway=change_joints, **EXACT),
    'growth2d': Case('rectangle_rectangle', options=GROWTH, **CONVEX),
    'growth3d': Case('sphere_cuboid', options=GROWTH, **CONVEX),
    'shrunk2d': Case('rectangle_rectangle', options=SHRUNK, **CONVEX),
    'shrunk3d': Case('sphere_cuboid', options=SHRUNK, **CONVEX),
    'eggs2d': Case(heap(2, EGGS[2], 'eggs'), kinds=(*EGGS[2], FLOOR)),
    'eggs3d': Case(heap(3, EGGS[3], 'eggs'), kinds=(*EGGS[3], FLOOR), steps=1000),
}
