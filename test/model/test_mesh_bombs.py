"""Meshes that are small on disk and huge in memory, or lie about their size."""

import struct
import zipfile

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model import limited_child
from symcontact_ros.model.limited_task import LimitReachedError, Limits, TaskFailedError
from symcontact_ros.model.urdf import mesh_hulls, mesh_reading
from symcontact_ros.model.urdf.loader import read_urdf

pytest.importorskip('lxml', reason='the urdf extra is not installed')
trimesh = pytest.importorskip('trimesh', reason='the urdf extra is not installed')
pytest.importorskip('collada', reason='pycollada is not installed')

LINK = (
    '<link name="l{0}"><collision><geometry><mesh filename="{1}"/></geometry></collision></link>'
    '<joint name="j{0}" type="fixed"><parent link="base"/><child link="l{0}"/></joint>\n'
)
COLLADA = """\
<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><created>2020-01-01T00:00:00</created><modified>2020-01-01T00:00:00</modified></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array>
<technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 2 0 1 3 0 2 3 1 2 3</p></triangles>
</mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="s"><node><instance_node url="#{top}"/></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
"""


def nested(levels):
    """Return nodes in each other, ten of each in the next."""
    nodes = ['<node id="n0"><instance_geometry url="#g"/></node>']
    for level in range(levels):
        inner = f'<instance_node url="#n{level}"/>' * 10
        nodes.append(f'<node id="n{level + 1}">{inner}</node>')
    return COLLADA.format(nodes='\n'.join(nodes), top=f'n{levels}')


def packed(path, text):
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr('model.dae', text)


@pytest.fixture
def read(tmp_path):
    """Return the reader of a robot with the meshes of some files."""

    def read(*names):
        path = tmp_path / 'robot.urdf'
        links = ''.join(LINK.format(i, name) for i, name in enumerate(names))
        path.write_text(f'<robot name="r">\n<link name="base"/>\n{links}</robot>')
        return read_urdf(path)

    return read


def test_zipped_collada_is_read_unless_it_becomes_too_large(read, tmp_path):
    packed(tmp_path / 'small.dae', nested(1))
    packed(tmp_path / 'bomb.dae', nested(1) + ' ' * (110 * 2**20))
    assert (tmp_path / 'bomb.dae').stat().st_size < 2**20
    description = read('small.dae', 'bomb.dae')
    [fault] = description.faults
    assert (fault.line, fault.key) == (4, 'bodies.l1.shapes[0].vertices')
    assert '<mesh filename="bomb.dae"> is 110 MiB when unpacked, and may be 100' in fault.reason
    assert fault.reason.endswith("simplify it, or load the model with meshes='none'")
    assert len(description.data['bodies']['l0']['shapes'][0]['vertices']) == 4
    model = sc.load_model(tmp_path / 'robot.urdf', meshes='none')  # the way out
    assert 'l1' in model.body_names


def answer(kind, raw):
    """Return what the child would answer."""
    return mesh_reading.answer(mesh_reading.REQUEST.pack(1, 1, 1, kind) + raw)


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-16'])
def test_nodes_in_each_other_are_counted_before_they_are_made(encoding):
    text = nested(9).replace('"1.0"?>', f'"1.0" encoding="{encoding}"?>', 1)
    with pytest.raises(
        LimitReachedError, match=r'has 1\.11e\+09 nodes in all, and may have 20000'
    ):
        answer(b'dae', text.encode(encoding))


def test_a_node_in_itself_is_told():
    nodes = '<node id="a"><instance_node url="#b"/></node><node id="b"><instance_node url="#a"/>'
    text = COLLADA.format(nodes=f'{nodes}</node>', top='a')
    with pytest.raises(TaskFailedError, match="cannot be read: node 'a' is in itself"):
        answer(b'dae', text.encode())


def test_headers_that_lie_take_no_memory():
    head = b'ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n'
    axes = b''.join(b'property float %c\n' % axis for axis in b'xyz')
    files = {
        b'stl': bytes(80) + struct.pack('<I', 4 * 10**9) + bytes(500),
        b'off': b'OFF\n4000000000 4000000000 0\n' + b'0 0 0\n' * 100,
        b'ply': head + axes + b'end_header\n' + bytes(1000),
    }
    for kind, raw in files.items():
        with pytest.raises(TaskFailedError, match=r'has no points|cannot be read|no convex hull'):
            answer(kind, raw)


def test_memory_is_limited_and_the_mesh_is_named(read, tmp_path, monkeypatch):
    monkeypatch.setattr(mesh_hulls, 'LIMITS', Limits(60.0, 50 * 2**20, 2**16))
    facets = np.zeros(400_000, dtype=[('corners', '<f4', 12), ('more', '<u2')])
    facets['corners'] = np.random.default_rng(1).random((len(facets), 12))
    for name in ('large.stl', 'next.stl'):
        head = bytes(80) + struct.pack('<I', len(facets))
        (tmp_path / name).write_bytes(head + facets.tobytes())
    description = read('large.stl', 'next.stl')
    [fault] = description.faults
    assert '<mesh filename="large.stl"> needs more than 50 MiB of memory' in fault.reason
    [warning] = description.warnings  # the file is refused: the next one is not tried any more
    assert '<mesh filename="next.stl"> is not read after one that reached a limit' in warning


def test_time_is_limited_and_the_mesh_is_named(read, tmp_path, monkeypatch):
    monkeypatch.setattr(mesh_hulls, 'LIMITS', Limits(0.05, 2**30, 2**16))  # less than an import
    (tmp_path / 'nodes.dae').write_text(nested(1))
    [fault] = read('nodes.dae').faults
    assert '<mesh filename="nodes.dae"> took longer than 0.05 s: simplify' in fault.reason


def test_a_reader_that_crashes_leaves_the_mesh_out(read, tmp_path, monkeypatch):
    (tmp_path / 'modules').mkdir()
    (tmp_path / 'modules' / 'trimesh.py').write_text('import os\nos.abort()')
    monkeypatch.syspath_prepend(str(tmp_path / 'modules'))
    (tmp_path / 'crash.dae').write_text(nested(1))
    description = read('crash.dae')
    assert description.faults == []
    [warning] = description.warnings
    assert 'cannot be read: the process that reads it ended by signal 6' in warning
    assert 'it may take 60 s and 2 GiB' in warning


def test_one_process_reads_all_meshes_of_a_file(read, tmp_path, monkeypatch):
    started = []
    popen = limited_child.subprocess.Popen

    def counting(*arguments, **options):
        started.append(arguments)
        return popen(*arguments, **options)

    monkeypatch.setattr(limited_child.subprocess, 'Popen', counting)
    for size in (1, 2, 3):
        trimesh.creation.box((size, 1.37, 1)).export(tmp_path / f'{size}.stl')
    names = [f'{size}.stl' for size in (1, 2, 3)]
    assert read(*names).warnings == []
    assert len(started) == 1
    assert read(*names).warnings == []  # from the cache
    assert len(started) == 1
