"""Meshes of URDF files: where they may lie, and the hulls that they become."""

import os
from pathlib import Path
import subprocess
import sys

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from symcontact_ros.model.urdf import mesh_files
from symcontact_ros.model.urdf.loader import read_urdf
from symcontact_ros.model.urdf.mesh_files import find_mesh, MeshRefusedError
from symcontact_ros.model.urdf.mesh_hulls import MeshReader
from symcontact_ros.model.urdf.mesh_reading import MAXIMUM_VERTICES

pytest.importorskip('lxml', reason='the urdf extra is not installed')
trimesh = pytest.importorskip('trimesh', reason='the urdf extra is not installed')

ROBOT = """\
<robot name="r">
<link name="base">
<collision>
<origin xyz="0 0 1"/>
<geometry>
<mesh filename="{}" scale="{}"/>
</geometry>
</collision>
</link>
</robot>
"""
MANIFEST = '<package format="3"><name>{}</name></package>'
PLACE = 'bodies.base.shapes[0]'


@pytest.fixture(autouse=True)
def no_installed_packages(monkeypatch):
    """The packages of whoever runs the tests are not theirs."""
    monkeypatch.delenv('AMENT_PREFIX_PATH', raising=False)
    monkeypatch.delenv('ROS_PACKAGE_PATH', raising=False)


@pytest.fixture
def package(tmp_path):
    """Return the folder of a package with a box of 1 x 2 x 3 m as a mesh, and a secret beside."""
    folder = tmp_path / 'source' / 'gripper'
    for name in ('urdf', 'meshes'):
        (folder / name).mkdir(parents=True)
    (folder / 'package.xml').write_text(MANIFEST.format('gripper'))
    trimesh.creation.box((1.0, 2.0, 3.0)).export(folder / 'meshes' / 'box.stl')
    trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / 'source' / 'secret.stl')
    return folder


def read(folder, reference, scale='1 1 1', **options):
    path = folder / 'robot.urdf'
    path.write_text(ROBOT.format(reference, scale))
    return read_urdf(path, **options)


def only_shape(description):
    assert description.faults == []
    [shape] = description.data['bodies']['base']['shapes']
    return shape


def extents(description):
    return np.ptp(only_shape(description)['vertices'], axis=0)


# Where they may lie


@pytest.mark.parametrize(
    'reference',
    [
        'package://gripper/meshes/box.stl',
        'package:///gripper/meshes/box.stl',
        '../meshes/box.stl',
        'file://../meshes/box.stl',
        'file://{package}/meshes/box.stl',
        '{package}/meshes/box.stl',
    ],
)
def test_a_mesh_of_the_own_package_is_found(reference, package):
    description = read(package / 'urdf', reference.format(package=package))
    assert description.warnings == []
    shape = only_shape(description)
    assert shape['type'] == 'convex_hull'
    assert shape['pose'] == {'position': [0.0, 0.0, 1.0], 'rpy': [0.0, 0.0, 0.0]}
    expected = {(x, y, z) for x in (-0.5, 0.5) for y in (-1.0, 1.0) for z in (-1.5, 1.5)}
    assert set(map(tuple, shape['vertices'])) == expected
    assert description.lines[f'{PLACE}.vertices'] == 6


def test_a_mesh_beside_the_urdf_needs_no_package(package, tmp_path):
    assert extents(read(tmp_path, 'source/secret.stl')) == pytest.approx([1.0, 1.0, 1.0])


@pytest.mark.parametrize('symbolic_links', [False, True], ids=['copied', 'linked'])
def test_a_mesh_of_an_installed_package_is_found(symbolic_links, package, tmp_path, monkeypatch):
    """`colcon build --symlink-install` makes the installed files links to the sources."""
    share = tmp_path / 'install' / 'share'
    marker = share / 'ament_index' / 'resource_index' / 'packages' / 'gripper'
    for folder in (marker.parent, share / 'gripper' / 'meshes', tmp_path / 'elsewhere'):
        folder.mkdir(parents=True)
    for name in ('package.xml', 'meshes/box.stl'):
        if symbolic_links:
            (share / 'gripper' / name).symlink_to(package / name)
        else:
            (share / 'gripper' / name).write_bytes((package / name).read_bytes())
    reference = 'package://gripper/meshes/box.stl'
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nowhere{os.pathsep}{tmp_path / "install"}')
    [warning] = read(tmp_path / 'elsewhere', reference).warnings
    assert "no package 'gripper' in AMENT_PREFIX_PATH" in warning  # the index does not know it
    marker.touch()
    assert only_shape(read(tmp_path / 'elsewhere', reference))
    absolute = f'file://{share}/gripper/meshes/box.stl'  # what file://$(find gripper) becomes
    assert only_shape(read(tmp_path / 'elsewhere', absolute))


def test_ros_package_path_is_searched(package, tmp_path, monkeypatch):
    for entry in (package, package.parent):
        monkeypatch.setenv('ROS_PACKAGE_PATH', str(entry))
        assert only_shape(read(tmp_path, 'package://gripper/meshes/box.stl'))


def test_a_package_below_a_folder_of_the_path_is_found(package, tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_PACKAGE_PATH', str(tmp_path))
    (tmp_path / 'other').mkdir()
    found = read(tmp_path / 'other', 'package://gripper/meshes/box.stl')
    assert extents(found) == pytest.approx([1, 2, 3])


def test_a_package_beside_that_of_the_urdf_is_found(package):
    other = package.parent / 'arm' / 'urdf'
    other.mkdir(parents=True)
    found = read(other, 'package://gripper/meshes/box.stl')
    assert extents(found) == pytest.approx([1, 2, 3])


def test_a_copy_of_a_package_may_have_another_name(package):
    found = read(package / 'urdf', 'package://gripper_description/meshes/box.stl')
    assert extents(found) == pytest.approx([1, 2, 3])


def test_models_are_found_as_gazebo_finds_them(package, tmp_path, monkeypatch):
    (tmp_path / 'other').mkdir()
    reference = 'model://gripper/meshes/box.stl'
    assert "no package 'gripper'" in read(tmp_path / 'other', reference).warnings[0]
    monkeypatch.setenv('GZ_SIM_RESOURCE_PATH', f'{tmp_path}/none:{package.parent}')
    assert extents(read(tmp_path / 'other', reference)) == pytest.approx([1, 2, 3])


def test_meshes_above_a_urdf_without_package_are_found(package):
    (package / 'package.xml').unlink()
    assert extents(read(package / 'urdf', '../meshes/box.stl')) == pytest.approx([1, 2, 3])
    [fault] = read(package / 'urdf', '../../secret.stl').faults
    assert 'outside the package' in fault.reason


@pytest.mark.parametrize(
    'reference',
    [
        '../../secret.stl',
        'package://gripper/../secret.stl',
        'package://gripper/meshes/../../secret.stl',
        'package://gripper/{package}/../secret.stl',
        'package://../secret.stl',
        'package://./secret.stl',
        'package://',
        'file://{package}/../secret.stl',
        'file://../../secret.stl',
        '{package}/../secret.stl',
        '/etc/passwd',
        'file:///etc/passwd',
        'link.stl',
        'package://gripper/urdf/link.stl',
        '../../none.stl',
    ],
)
def test_a_way_out_of_the_package_is_a_fault(reference, package):
    (package / 'urdf' / 'link.stl').symlink_to(package.parent / 'secret.stl')
    description = read(package / 'urdf', reference.format(package=package))
    assert description.data['bodies']['base']['shapes'] == []
    [fault] = description.faults
    assert (fault.line, fault.key) == (6, f'{PLACE}.vertices')
    assert fault.reason.startswith('<mesh filename="')
    assert 'outside the package' in fault.reason or 'names no package' in fault.reason


def test_a_link_into_another_package_is_a_way_out_too(package):
    (package.parent / 'package.xml').write_text(MANIFEST.format('other'))
    link = package / 'meshes' / 'link.stl'
    link.symlink_to(package.parent / 'secret.stl')
    with pytest.raises(MeshRefusedError, match='outside the package'):
        find_mesh('package://gripper/meshes/link.stl', package)
    loop = package / 'meshes' / 'loop.stl'
    loop.symlink_to(loop)
    assert 'left out' in read(package, 'meshes/loop.stl').warnings[0]


def test_what_is_no_regular_file_or_too_large_is_a_fault(package, monkeypatch):
    os.mkfifo(package / 'meshes' / 'pipe.stl')
    for name in ('pipe.stl', ''):
        [fault] = read(package, f'meshes/{name}').faults
        assert 'is not a regular file' in fault.reason
    monkeypatch.setattr(mesh_files, 'MESH_BYTES', 100)
    [fault] = read(package, 'meshes/box.stl').faults
    assert 'is larger than' in fault.reason


# What is left out


@pytest.mark.parametrize(
    ('reference', 'reason'),
    [
        ('meshes/none.stl', 'is not found: there is no'),
        ('meshes/box.stl/none.stl', 'cannot be read'),
        ('meshes/' + 'n' * 300, 'cannot be read'),
        ('package://unknown/box.stl', "is not found: no package 'unknown'"),
        ('http://example.org/box.stl', 'http:// is neither package:// nor'),
        ('package.xml', 'has an unknown format'),
        ('meshes/damaged.stl', 'has no points'),
        ('meshes/damaged.obj', 'cannot be read'),
        ('meshes/damaged.dae', 'cannot be read'),
        ('meshes/empty.stl', 'has no points'),
        ('meshes/flat.stl', 'has no convex hull with a volume'),
    ],
)
def test_what_cannot_be_read_is_left_out_with_a_warning(reference, reason, package):
    for kind in ('stl', 'obj', 'dae'):
        (package / 'meshes' / f'damaged.{kind}').write_bytes(b'f 1 2 3\nv nothing\n\xff')
    (package / 'meshes' / 'empty.stl').touch()
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 2, 3]])
    flat.export(package / 'meshes' / 'flat.stl')
    description = read(package, reference)
    assert description.faults == []
    assert description.data['bodies']['base']['shapes'] == []
    [warning] = description.warnings
    assert warning.startswith(f'{package}/robot.urdf:6: {PLACE}: left out: <mesh filename=')
    assert reason in warning


def test_a_mesh_beyond_all_numbers_is_left_out(package):
    corners = '0 0 0\n1e250 0 0\n0 1e250 0\n0 0 1e250\n'
    faces = '3 0 1 2\n3 0 1 3\n3 0 2 3\n3 1 2 3\n'
    (package / 'huge.off').write_text(f'OFF\n4 4 0\n{corners}{faces}')
    description = read(package, 'huge.off', '1e99 1 1')
    assert description.faults == []
    assert len(description.warnings) == 1
    assert description.data['bodies']['base']['shapes'] == []


def test_without_trimesh_there_is_one_warning(package, monkeypatch):
    monkeypatch.setitem(sys.modules, 'trimesh', None)
    path = package / 'robot.urdf'
    link = ROBOT.format('meshes/box.stl', '1 1 1').splitlines()[1:-1]
    second = '\n'.join(link).replace('base', 'second')
    joint = '<joint name="j" type="fixed"><parent link="base"/><child link="second"/></joint>'
    path.write_text('\n'.join(['<robot name="r">', *link, second, joint, '</robot>']))
    description = read_urdf(path)
    assert description.faults == []
    assert description.warnings == [
        f'{path}:6: bodies: meshes are left out: trimesh is not installed'
    ]


def test_meshes_can_be_skipped(package):
    description = read(package, 'meshes/none.stl', meshes=False)
    assert (description.faults, description.warnings) == ([], [])
    assert description.data['bodies']['base']['shapes'] == []


# The hulls


def test_scale_acts_on_each_axis(package):
    assert extents(read(package, 'meshes/box.stl', '2 1 -0.001')) == pytest.approx([2, 2, 0.003])
    [warning] = read(package, 'meshes/box.stl', '1 0 1').warnings
    assert warning.endswith('left out: <mesh scale="1 0 1"> makes it flat')
    [fault] = read(package, 'meshes/box.stl', '1 1').faults
    assert 'needs 3 numbers' in fault.reason


@pytest.mark.parametrize('kind', ['stl', 'obj', 'ply', 'off', 'glb'])
def test_formats(kind, package):
    mesh = trimesh.creation.icosahedron()
    mesh.export(package / f'ball.{kind}')
    vertices = only_shape(read(package, f'ball.{kind}'))['vertices']
    assert len(vertices) == 12
    # STL and GLB keep numbers of 32 bits, and OBJ and PLY 8 digits
    assert np.linalg.norm(vertices, axis=1) == pytest.approx(np.ones(12), abs=1e-6)


def test_collada_is_in_metres_whatever_its_unit(package):
    pytest.importorskip('collada', reason='pycollada is not installed')
    path = package / 'box.dae'
    trimesh.creation.box((100.0, 200.0, 300.0)).export(path)
    text = path.read_text()
    assert extents(read(package, 'box.dae')) == pytest.approx([100, 200, 300])
    path.write_text(text.replace('</modified>', '</modified><unit name="cm" meter="0.01"/>', 1))
    assert extents(read(package, 'box.dae')) == pytest.approx([1, 2, 3])


def sphere_with_a_dent():
    mesh = trimesh.creation.icosphere(subdivisions=4, radius=0.5)
    mesh.vertices[0] *= 0.1
    return mesh


def flat_cone():
    """Return a slanted disc with an apex that rises 1 % of its radius: nearly no volume."""
    angle = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    rim = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    points = np.concatenate([rim, [[0.0, 0.0, 0.01]]])
    tilt = trimesh.transformations.euler_matrix(0.3, 0.4, 0.5)[:3, :3]
    return trimesh.Trimesh(points @ tilt.T, ConvexHull(points).simplices)


@pytest.mark.parametrize('make', [sphere_with_a_dent, flat_cone])
def test_a_hull_of_many_vertices_is_simplified_from_inside(make, package):
    mesh = make()
    mesh.export(package / 'round.stl')
    description = read(package, 'round.stl')
    kept = np.array(only_shape(description)['vertices'])
    full = ConvexHull(mesh.vertices)
    small = ConvexHull(kept)
    assert len(kept) == MAXIMUM_VERTICES == len(small.vertices)
    # inside: every kept vertex is one of the mesh (STL rounds to 32 bits)
    assert np.max(full.equations[:, :3] @ kept.T + full.equations[:, 3:]) < 1e-6
    # 64 points on a sphere hold 89 % of its volume at best
    assert 0.85 * full.volume < small.volume < full.volume
    [note] = description.notes
    assert f'{PLACE}.vertices: the hull of 1 mesh has been simplified to 64 vertices' in note


def test_inner_points_and_points_on_faces_are_no_vertices(package):
    mesh = trimesh.creation.box((1.0, 1.0, 1.0)).subdivide().subdivide().subdivide()
    assert len(mesh.vertices) > MAXIMUM_VERTICES
    mesh.export(package / 'fine.stl')
    description = read(package, 'fine.stl')
    assert description.warnings == []
    assert len(only_shape(description)['vertices']) <= MAXIMUM_VERTICES
    assert extents(description) == pytest.approx([1.0, 1.0, 1.0])


def test_a_changed_file_is_read_again(package):
    path = Path(package / 'meshes' / 'box.stl')
    with MeshReader() as reader:
        assert len(reader.hull_of(path, (1, 1, 1)).vertices) == 8
        assert len(reader.hull_of(path, (2, 2, 2)).vertices) == 8
        trimesh.creation.icosahedron().export(path)
        assert len(reader.hull_of(path, (1, 1, 1)).vertices) == 12


def test_a_hull_is_stored_with_its_facets_and_needs_no_import_and_no_process_then(
    package, tmp_path
):
    path = Path(package / 'meshes' / 'box.stl')
    script = (
        'import sys\n'
        'import resource\n'
        'from pathlib import Path\n'
        'from symcontact_ros.model.urdf.mesh_hulls import MeshReader\n'
        'from symcontact_ros.shapes.convexity import hull_facets\n'
        'with MeshReader() as reader:\n'
        '    vertices = reader.hull_of(Path(sys.argv[1]), (1.0, 2.0, 3.0)).vertices\n'
        'print(hull_facets(tuple(map(tuple, vertices.tolist()))))\n'
        "print('trimesh' in sys.modules, 'scipy.spatial' in sys.modules)\n"
        'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 0)\n'
    )
    environment = {**os.environ, 'SYMCONTACT_CACHE_DIR': str(tmp_path / 'cache')}
    cold, warm = (
        subprocess.run(
            [sys.executable, '-c', script, path],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        for _ in range(2)
    )
    assert cold[1] == warm[1] == 'False False'
    assert (cold[2], warm[2]) == ('True', 'False')  # whether a child was started
    assert warm[0] == cold[0]
    assert len(list((tmp_path / 'cache').glob('*/result'))) == 1
