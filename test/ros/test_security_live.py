"""What others on the network can ask of a running node, and what they cannot."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.laboratory import laboratory, node_command
from rcl_interfaces.srv import ListParameters

# Parameters that name files or folders, or decide which of them are read.
FILES = (
    *('model', 'world', 'include_paths', 'xacro_arguments'),
    *('cache_dir', 'checkpoint_file', 'record_file'),
)


def test_nobody_on_the_network_names_files(domain, ros_environment, tmp_path):
    with laboratory(domain, ros_environment, node_command('bouncing_circle')) as lab:
        for name in (*FILES, 'allow_xacro'):
            before = lab.get(name)
            kind = type(before)
            value = {bool: True, str: str(tmp_path / 'new')}.get(kind, [str(tmp_path)])
            assert 'read-only' in lab.set(**{name: value}), name
            assert lab.get(name) == before
        every = lab.ask(ListParameters, 'list_parameters', depth=0).result.names
        named = {n for n in every if n.endswith(('file', 'dir', 'path', 'paths', 'folder'))}
        assert named <= {*FILES}, 'a new parameter of files must be read-only, and listed here'
    assert list(tmp_path.glob('new*')) == []
