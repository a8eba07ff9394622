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


def start(words, environment, **changes):
    """Start a command with variables changed, or without those that are None."""
    given = {k: v for k, v in {**environment, **changes}.items() if v is not None}
    return subprocess.Popen(
        words, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def told_by(process):
    """Return what a process says, which must end well."""
    _, told = process.communicate(timeout=LONG)
    assert process.returncode == 0, told
    assert 'Traceback' not in told
    assert 'rcutils' not in told
    return told


def test_a_node_without_a_home_does_without_log_files(ros_environment):
    node = start(NODE, ros_environment, HOME=None, ROS_LOG_DIR=None, ROS_HOME=None)
    assert told_by(node).count('no log file') == 1


def test_an_unprivileged_user_with_a_read_only_home_can_work(
    unprivileged, locked, ros_environment
):
    variables = ('ROS_LOG_DIR', 'ROS_HOME', 'XDG_CACHE_HOME', 'SYMCONTACT_CACHE_DIR')
    changes = {**dict.fromkeys(variables), 'HOME': str(locked)}
    commands = {
        (): [*SYMCONTACT, 'check', 'bouncing_circle'],
        ('cache',): [*SYMCONTACT, 'simulate', 'bouncing_circle', '--duration', '0.05'],
        ('cache', 'no log file'): NODE,
    }
    started = [
        start([*unprivileged, *words], ros_environment, **changes) for words in commands.values()
    ]
    said = [told_by(process) for process in started]
    for parts, told in zip(commands, said, strict=True):
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
