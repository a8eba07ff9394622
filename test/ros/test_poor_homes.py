"""Users without a home, without a place for logs or a cache, without rights."""

import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.processes import LONG

from symcontact_ros.ros.log_folder import log_arguments, log_folder, WITHOUT_FILES

SYMCONTACT = [
    sys.executable,
    '-c',
    'import sys; from symcontact_ros.cli.main import main; sys.exit(main())',
]
NODE = [*SYMCONTACT, 'node', 'bouncing_circle', '--duration', '0.05']
# Root may write everywhere: it becomes nobody, who may read the interpreter wherever that is.
RIGHT = '+dac_read_search'
NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
NOBODY += [f'--inh-caps={RIGHT}', f'--ambient-caps={RIGHT}']


@pytest.fixture
def unprivileged():
    """Return the words before a command that is run without rights to write anywhere."""
    if os.geteuid() != 0:
        return []
    if shutil.which('setpriv') is None or subprocess.run([*NOBODY, 'true']).returncode:
        pytest.skip('root cannot become nobody here')
    return NOBODY


@pytest.fixture
def locked(tmp_path):
    """Return a folder in which nothing can be written."""
    folder = tmp_path / 'locked'
    folder.mkdir(mode=0o555)
    tmp_path.chmod(0o755)
    return folder


def run(words, environment, **changes):
    """Run a command with variables changed, or without those that are None."""
    given = {k: v for k, v in {**environment, **changes}.items() if v is not None}
    result = subprocess.run(words, env=given, capture_output=True, text=True, timeout=LONG)
    assert result.returncode == 0, result.stderr
    assert 'Traceback' not in result.stderr
    assert 'rcutils' not in result.stderr
    return result.stderr


def test_a_node_without_a_home_does_without_log_files(ros_environment):
    told = run(NODE, ros_environment, HOME=None, ROS_LOG_DIR=None, ROS_HOME=None)
    assert told.count('no log file') == 1


@pytest.mark.parametrize(
    ('words', 'parts'),
    [
        ([*SYMCONTACT, 'check', 'bouncing_circle'], []),
        ([*SYMCONTACT, 'simulate', 'bouncing_circle', '--duration', '0.05'], ['cache']),
        (NODE, ['cache', 'no log file']),
    ],
    ids=['check', 'simulate', 'node'],
)
def test_an_unprivileged_user_with_a_read_only_home_can_work(
    words, parts, unprivileged, locked, ros_environment
):
    told = run(
        [*unprivileged, *words],
        ros_environment,
        HOME=str(locked),
        ROS_LOG_DIR=None,
        ROS_HOME=None,
        XDG_CACHE_HOME=None,
        SYMCONTACT_CACHE_DIR=None,
    )
    for part in parts:
        assert sum(part in line for line in told.splitlines()) == 1, told


def test_the_folder_of_logs_is_that_of_rcl(tmp_path, capsys):
    assert log_folder({}) is None
    assert log_folder({'HOME': '/h'}) == '/h/.ros/log'
    assert log_folder({'HOME': '/h', 'ROS_HOME': '/r'}) == '/r/log'
    assert log_folder({'HOME': '/h', 'ROS_HOME': '/r', 'ROS_LOG_DIR': '~/l'}) == '/h/l'
    assert log_arguments({'ROS_LOG_DIR': str(tmp_path / 'new')}) == []
    assert capsys.readouterr().err == ''
    (tmp_path / 'a\nfile').write_text('')
    assert log_arguments({'ROS_LOG_DIR': str(tmp_path / 'a\nfile')}) == list(WITHOUT_FILES)
    assert capsys.readouterr().err.count('\n') == 1
