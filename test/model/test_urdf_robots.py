"""Real robots: those of the PyPI package example-robot-data, where it is installed."""

import functools
from pathlib import Path
import sys

import numpy as np
import pytest

from symcontact_ros.model.urdf.geometry import rotation
from symcontact_ros.model.urdf.loader import read_urdf
from symcontact_ros.model.urdf.mesh_hulls import MeshReader

pytest.importorskip('lxml', reason='the urdf extra is not installed')

ROBOTS = sorted(
    robot
    for folder in map(Path, sys.path)
    for robot in folder.glob('cmeel.prefix/share/example-robot-data/robots/*/*/*.urdf')
    if robot.name != 'ur3.urdf'  # an empty file
)
if not ROBOTS:
    pytest.skip('example-robot-data is not installed', allow_module_level=True)


@pytest.fixture(params=ROBOTS, ids=lambda path: path.stem)
def robot(request):
    return request.param


@pytest.fixture(scope='module', autouse=True)
def hulls_made_once():
    """Many robots are variants of one, with the same meshes."""
    with MeshReader() as reader, pytest.MonkeyPatch.context() as patch:
        once = functools.cache(reader.hull_of)
        patch.setattr(MeshReader, 'hull_of', lambda _, path, scale: once(path, tuple(scale)))
        yield


def described(path):
    """Return the description of a robot."""
    description = read_urdf(path, meshes=False)
    assert [str(fault) for fault in description.faults] == []
    return description


def test_its_meshes_are_found(robot):
    description = read_urdf(robot)
    assert description.faults == []
    lost = [w for w in description.warnings if 'not found' in w or 'outside' in w]
    assert lost == []


def test_it_is_the_robot_that_pinocchio_reads(robot):
    """Mass, joints, and at a random position the composite inertia of everything."""
    pinocchio = pytest.importorskip('pinocchio', reason='pinocchio is not installed')
    model = pinocchio.buildModelFromUrdf(str(robot))
    description = described(robot)
    read = description.data['bodies']
    expected = sum(inertia.mass for inertia in model.inertias)
    assert sum(body['mass'] for body in read.values()) == pytest.approx(expected, rel=1e-12)
    urdf_names = {ours: theirs for theirs, ours in description.names.items()}
    moving = [body['joint'] for body in read.values() if body['joint']['type'] != 'fixed']
    names = {urdf_names.get(joint['name'], joint['name']) for joint in moving}
    assert names == set(model.names) - {'universe'}

    random = np.random.default_rng(1)
    q, position = pinocchio.neutral(model), {}
    for joint in moving:
        entry = model.joints[model.getJointId(urdf_names.get(joint['name'], joint['name']))]
        if joint['type'] == 'free':
            continue  # stays at its origin
        position[joint['name']] = value = random.uniform(-1.0, 1.0)
        both = [np.cos(value), np.sin(value)]  # Pinocchio's coordinates of a continuous joint
        q[entry.idx_q : entry.idx_q + entry.nq] = [value] if entry.nq == 1 else both
    data = model.createData()
    pinocchio.ccrba(model, data, q, np.zeros(model.nv))
    total = sum(
        (i.act(inertia) for i, inertia in zip(data.oMi, model.inertias, strict=True)),
        start=pinocchio.Inertia.Zero(),
    )
    mass, com, inertia = composite(read, position)
    assert com == pytest.approx(total.lever, abs=1e-9)
    assert inertia == pytest.approx(total.inertia, rel=1e-9, abs=1e-9)
    assert mass == pytest.approx(expected)


def composite(bodies, position):
    """Return mass, centre and inertia about it of all bodies at joint positions."""
    frames = {'world': (np.eye(3), np.zeros(3))}
    parts = []
    for name, body in bodies.items():
        joint = body['joint']
        turn, place = frames[joint.get('parent', 'world')]
        if 'origin' in joint:
            place = place + turn @ joint['origin']['xyz']
            turn = turn @ rotation(joint['origin']['rpy'])
        if joint['type'] == 'revolute':
            turn = turn @ about(joint['axis'], position[joint['name']])
        elif joint['type'] == 'prismatic':
            place = place + turn @ joint['axis'] * position[joint['name']]
        frames[name] = turn, place
        if 'inertia' in body:
            xx, yy, zz, xy, xz, yz = list(body['inertia'].values())[:6]
            local = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            parts.append((body['mass'], place + turn @ body['com'], turn @ local @ turn.T))
    mass = sum(m for m, _, _ in parts)
    com = sum(m * centre for m, centre, _ in parts) / mass
    arms = [(m, centre - com, local) for m, centre, local in parts]
    inertia = sum(
        local + m * (arm @ arm * np.eye(3) - np.outer(arm, arm)) for m, arm, local in arms
    )
    return mass, com, inertia


def about(axis, angle):
    """Return the rotation about a unit axis (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
