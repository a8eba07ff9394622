"""Height fields and triangle meshes of model files: lists, images, functions, files, faults."""

import struct
import zlib

from helpers.surfaces import table
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model import png_files
from symcontact_ros.model.building import surfaces

FILE = """
format_version: 1
name: ground
dimension: {dimension}
parameters: {{A: 0.5}}
bodies:
  ground: {{fixed: true, shapes: [{shape}]}}
"""
SQUARE = 'vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]'


def loaded(folder, shape, dimension=3):
    path = folder / 'ground.yaml'
    path.write_text(FILE.format(shape=shape, dimension=dimension))
    return sc.load_model(path)


def shape_of(folder, shape):
    (placed,) = loaded(folder, shape).bodies[0].shapes
    return placed.shape


def png(levels, depth=8, kind=0, filters=None):
    """A PNG file of whole numbers, each row filtered as told."""
    step = depth // 8
    rows = np.asarray(levels).astype(f'>u{step}')
    body, before = b'', bytes(rows.shape[1] * step)
    for number, row in enumerate(rows):
        raw = row.tobytes()
        name = (filters or [0] * len(rows))[number]
        line = []
        for i, byte in enumerate(raw):
            left = raw[i - step] if i >= step else 0
            corner = before[i - step] if i >= step else 0
            guess = left + before[i] - corner
            paeth = min((left, before[i], corner), key=lambda x, guess=guess: abs(guess - x))
            taken = (0, left, before[i], (left + before[i]) // 2, paeth)[name]
            line.append((byte - taken) & 255)
        body += bytes([name, *line])
        before = raw
    head = struct.pack('>IIBBBBB', rows.shape[1], len(rows), depth, kind, 0, 0, 0)
    chunks = ((b'IHDR', head), (b'IDAT', zlib.compress(body)), (b'IEND', b''))
    return png_files.SIGNATURE + b''.join(
        struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
        for name, data in chunks
    )


# Height fields ----------------------------------------------------------------------------------


def test_heights_are_rows_along_x_centred_on_the_shape(tmp_path):
    text = '{type: height_field, heights: [[0, 1, 2], [3, 4, 5]], size: [4, 1]}'
    shape = shape_of(tmp_path, text)
    assert shape.spacing == (2.0, 1.0)
    assert shape.origin == (-2.0, -0.5)
    corners = shape.triangle_corners().reshape(-1, 3)
    assert {tuple(c) for c in corners.tolist()} >= {(-2.0, -0.5, 0.0), (2.0, 0.5, 5.0)}


def test_a_function_has_its_values_at_the_points_and_may_name_parameters(tmp_path):
    text = (
        '{type: height_field, function: A*x + y**2, size: [2, 4], points: [3, 5], origin: [1, 0]}'
    )
    shape = shape_of(tmp_path, text)
    x, y = np.meshgrid([1.0, 2.0, 3.0], np.arange(5.0))
    assert np.allclose(shape.heights.array, 0.5 * x + y**2)
    assert shape.spacing == (1.0, 1.0)


@pytest.mark.parametrize('depth', [8, 16])
def test_an_image_has_its_first_row_at_the_greatest_y(tmp_path, depth):
    most = 2**depth - 1
    (tmp_path / 'hill.png').write_bytes(png([[0, most // 3], [most, 0]], depth))
    text = '{type: height_field, file: hill.png, range: [1, 4], spacing: [1, 1]}'
    heights = shape_of(tmp_path, text).heights.array
    assert np.allclose(heights, [[4.0, 1.0], [1.0, 2.0]], atol=3.0 / most)


@pytest.mark.parametrize('depth', [8, 16])
def test_rows_of_an_image_are_read_with_any_filter(depth):
    levels = np.random.default_rng(0).integers(0, 2**depth, (10, 7))
    found = png_files.grey_image(png(levels, depth, filters=[0, 1, 2, 3, 4] * 2), 70)
    assert np.allclose(found * (2**depth - 1), levels)


def test_a_model_with_an_image_is_written_with_its_heights(tmp_path):
    (tmp_path / 'hill.png').write_bytes(png(np.arange(9).reshape(3, 3)))
    model = loaded(tmp_path, '{type: height_field, file: hill.png, size: [1, 1]}')
    (tmp_path / 'hill.png').unlink()
    model.to_yaml(tmp_path / 'copy.yaml')
    assert sc.load_model(tmp_path / 'copy.yaml').bodies == model.bodies


def test_many_heights_are_written_packed_and_read_again(tmp_path):
    text = '{type: height_field, function: sin(x) * y, size: [9, 9], points: [200, 150]}'
    model = loaded(tmp_path, text)
    written = model.to_yaml(tmp_path / 'copy.yaml')
    assert 'packed:150x200:' in written
    assert sc.load_model(tmp_path / 'copy.yaml').bodies == model.bodies


@pytest.mark.parametrize(
    ('shape', 'where', 'reason'),
    [
        ('type: height_field, size: [1, 1]', '', 'one of heights, file and function is needed'),
        ('type: height_field, heights: [[0, 0], [0]], size: [1, 1]', 'heights', 'of one length'),
        ('type: height_field, heights: [[0, nan], [0, 0]], size: [1, 1]', '', 'must be finite'),
        ('type: height_field, heights: [[0, a], [0, 0]], size: [1, 1]', 'heights', 'only numbers'),
        ('type: height_field, heights: [[0, 1]], size: [1, 1]', '', 'two rows of two numbers'),
        ('type: height_field, heights: 3, size: [1, 1]', 'heights', 'list of lists'),
        ('type: height_field, heights: [[0, 0], [0, 0]]', '', 'size'),
        ('type: height_field, heights: [[0, 0], [0, 0]], size: [0, 1]', 'size', 'must be > 0'),
        ('type: height_field, function: x + q, size: [1, 1]', 'function', "unknown name 'q'"),
        ('type: height_field, function: 1/x, size: [2, 2]', 'function', 'has no value'),
        ('type: height_field, function: __import__(x), size: [1, 1]', 'function', 'not allowed'),
        ('type: height_field, function: x, size: [1, 1], points: [1, 5]', 'points', '2 or more'),
        (
            'type: height_field, function: x, size: [1, 1], points: [9000, 9000]',
            'points',
            'may be',
        ),
        ('type: height_field, file: none.png, size: [1, 1]', 'file', 'is not found'),
        ('type: height_field, file: ../../etc/passwd, size: [1, 1]', 'file', 'leads to'),
        (
            'type: height_field, heights: "packed:9999x9999:AA", size: [1, 1]',
            'heights',
            'may have',
        ),
        ('type: height_field, heights: "packed:2x2:AA==", size: [1, 1]', 'heights', 'packed:'),
        (f'type: mesh, {SQUARE}, triangles: [[0, 1, 1]]', '', 'no area'),
        (f'type: mesh, {SQUARE}, triangles: [[0, 1, 7]]', '', 'not there'),
        (f'type: mesh, {SQUARE}, triangles: [[0, 1, 0.5]]', 'triangles', 'whole numbers'),
        (f'type: mesh, {SQUARE}', 'triangles', 'list of lists'),
        ('type: mesh, file: none.stl', 'file', 'is not found'),
    ],
)
def test_what_makes_no_surface_is_a_fault_with_its_place(tmp_path, shape, where, reason):
    with pytest.raises(sc.ModelError) as caught:
        loaded(tmp_path, '{' + shape + '}')
    fault = next(f for f in caught.value.faults if reason in f.reason)
    assert fault.key == f'bodies.ground.shapes[0]{"." if where else ""}{where}'
    assert fault.line is not None


def test_all_faults_of_a_surface_are_told_at_once(tmp_path):
    with pytest.raises(sc.ModelError) as caught:
        loaded(tmp_path, '{type: height_field, heights: [[0], []], spacing: [0, 1], colour: red}')
    text = str(caught.value)
    assert all(word in text for word in ('heights', 'spacing', 'colour'))


def test_surfaces_are_for_space_and_for_bodies_that_are_fixed(tmp_path):
    shape = '{type: height_field, heights: [[0, 0], [0, 0]], size: [1, 1]}'
    with pytest.raises(sc.ModelError, match='height_field is for spatial models') as caught:
        loaded(tmp_path, shape, dimension=2)
    assert len(caught.value.faults) == 1
    model = sc.Model('moving', dimension=3)
    inertia = {'ixx': 1.0, 'iyy': 1.0, 'izz': 1.0}
    hill = {'shapes': [sc.HeightField(np.zeros((2, 2)))], 'joint': {'type': 'free'}}
    with pytest.raises(sc.ModelError, match=r'its body must be fixed.*decompose'):
        model.add_body('hill', mass=1.0, inertia=inertia, **hill)


@pytest.mark.parametrize(
    ('raw', 'reason'),
    [
        (b'GIF89a', 'is no PNG file'),
        (png([[1, 2]], kind=2), 'must be grey'),
        (png(np.zeros((9, 9))), 'may have 80'),
        (png(np.zeros((2, 2)))[:-30], 'cut off|damaged'),
        (png([[1, 2]], filters=[0]).replace(b'IDAT', b'IDOT'), 'damaged'),
    ],
)
def test_what_is_no_grey_image_is_refused_before_it_is_unpacked(raw, reason):
    with pytest.raises(ValueError, match=reason):
        png_files.grey_image(raw, 80)


# Mesh files -------------------------------------------------------------------------------------


def stl(path, vertices, triangles):
    """Write a binary STL, which has each corner anew in every triangle."""
    rows = np.zeros(
        len(triangles), dtype=[('normal', '<f4', 3), ('at', '<f4', (3, 3)), ('x', '<u2')]
    )
    rows['at'] = vertices[triangles]
    path.write_bytes(b'\0' * 80 + struct.pack('<I', len(rows)) + rows.tobytes())


def test_a_mesh_file_becomes_a_closed_surface_without_triangles_that_have_no_area(tmp_path):
    pytest.importorskip('trimesh')
    vertices, triangles = table()
    flat = np.concatenate([triangles, [[0, 1, 0]]])
    stl(tmp_path / 'table.stl', vertices, flat)
    model = loaded(tmp_path, '{type: mesh, file: table.stl, scale: [2, 2, -1]}')
    shape = model.bodies[0].shapes[0].shape
    assert len(shape.vertices.array) == len(vertices)  # corners at one place are joined
    assert len(shape.triangles.array) == len(triangles)
    assert any('1 triangles without area are left out' in warning for warning in model.warnings)
    a, b, c = np.moveaxis(shape.triangle_corners(), 1, 0)
    volume = np.einsum('ij,ij->i', a, np.cross(b, c)).sum() / 6.0
    assert volume == pytest.approx(4.0 * 0.1 * (4.0 - 0.36), rel=1e-6)  # outside is outside
    assert surfaces.TRIANGLES >= 100_000


def test_meshes_of_a_robot_are_hulls_pieces_or_surfaces(tmp_path):
    pytest.importorskip('trimesh')
    stl(tmp_path / 'table.stl', *table())
    (tmp_path / 'robot.urdf').write_text(
        '<robot name="r"><link name="base"><collision><geometry>'
        '<mesh filename="table.stl"/></geometry></collision></link></robot>'
    )

    def kinds(**options):
        model = sc.load_model(tmp_path / 'robot.urdf', **options)
        return [placed.shape.kind for placed in model.bodies[0].shapes]

    assert kinds() == kinds(meshes='hull') == ['convex_hull']
    assert kinds(meshes='exact') == ['mesh']
    assert kinds(meshes='none') == kinds(meshes=False) == []
    with pytest.raises(sc.OptionError, match='hull, decompose, exact'):
        kinds(meshes='exakt')
    (tmp_path / 'world.yaml').write_text(
        'format_version: 1\nname: w\ndimension: 3\ninclude: [{urdf: robot.urdf, meshes: exact}]\n'
    )
    included = sc.load_model(tmp_path / 'world.yaml')
    assert [placed.shape.kind for placed in included.bodies[0].shapes] == ['mesh']


def test_a_mesh_is_decomposed_into_pieces_that_leave_its_hole_free(tmp_path):
    pytest.importorskip('coacd')
    stl(tmp_path / 'table.stl', *table())
    (tmp_path / 'robot.urdf').write_text(
        '<robot name="r"><link name="base"><collision><geometry>'
        '<mesh filename="table.stl"/></geometry></collision></link></robot>'
    )
    model = sc.load_model(tmp_path / 'robot.urdf', meshes='decompose')
    pieces = [placed.shape for placed in model.bodies[0].shapes]
    assert len(pieces) >= 4
    here = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    middle = sc.Pose(np.array([0.0, 0.0, -0.05]), here.quaternion)
    assert min(sc.proximity(sc.Sphere(0.2), middle, p, here).distance for p in pieces) > 0.05
    edge = sc.Pose(np.array([0.65, 0.0, -0.05]), here.quaternion)
    assert min(sc.proximity(sc.Sphere(0.01), edge, p, here).distance for p in pieces) < 0.0


def test_a_mesh_of_a_link_that_moves_is_not_taken_as_it_is(tmp_path):
    stl(tmp_path / 'table.stl', *table())
    (tmp_path / 'robot.urdf').write_text(
        '<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry>'
        '<mesh filename="table.stl"/></geometry></collision></link><joint name="j" '
        'type="continuous"><parent link="base"/><child link="arm"/></joint></robot>'
    )
    with pytest.raises(sc.ModelError, match=r"this link can move. Load .* meshes='decompose'"):
        sc.load_model(tmp_path / 'robot.urdf', meshes='exact')
