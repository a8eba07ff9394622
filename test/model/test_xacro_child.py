"""xacro files, which are programs: who runs them, and that they end."""

import os
import subprocess
import sys
import time

from helpers.model_faults import faults
import pytest

import symcontact_ros as sc
from symcontact_ros.model.including.robot_files import description_text
from symcontact_ros.model.limited_task import Limits
from symcontact_ros.model.urdf import xacro_expansion
from symcontact_ros.model.urdf.loader import read_urdf

pytest.importorskip('lxml', reason='the urdf extra is not installed')
pytest.importorskip('xacro', reason='the urdf extra is not installed')

ROBOT = """\
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="base">{}</link>
</robot>
"""
# xacro looks for forbidden names in an expression, and not in a function in it.
CODE = "(lambda f: f.__globals__['__builtins__']['__import__']('os').{})(xacro.load_yaml)"
INCLUDING = 'dimension: 3\ninclude: [{xacro: robot.xacro}]\n'


@pytest.fixture
def robot(tmp_path):
    """Return the writer of a xacro file with an expression in it."""

    def write(expression):
        path = tmp_path / 'robot.xacro'
        path.write_text(
            ROBOT.format(f'<xacro:property name="x" value="${{{expression}}}"/>${{x}}')
        )
        return path

    return write


@pytest.fixture
def marking(robot, tmp_path):
    """Return a xacro file that runs a shell command, and what this makes."""
    marker = tmp_path / 'MARKER'
    return robot(CODE.format(f"system('mkdir {marker}')")), marker


def check(*words):
    command = [sys.executable, '-m', 'symcontact_ros', 'check', *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_an_included_xacro_is_not_run_unless_it_is_allowed(marking, write_model):
    _, marker = marking
    model = write_model(INCLUDING)
    [told] = faults(model)
    assert 'a xacro file is a program: it is included only with allow_xacro' in told
    result = check(model)
    assert (result.returncode, result.stderr.count('a xacro file is a program')) == (2, 1)
    assert not marker.exists()
    sc.load_model(model, allow_xacro=True)
    assert marker.exists()  # it is a program indeed


def test_a_xacro_that_the_user_names_is_run_and_check_says_so(marking):
    path, marker = marking
    result = check(path)
    assert result.returncode == 0, result.stderr
    assert f'note: {path}: was run: a xacro file is a program' in result.stdout
    assert marker.exists()


def test_the_description_of_a_robot_does_not_run_its_file_again(marking):
    path, marker = marking
    model = sc.load_model(path)
    marker.rmdir()
    assert '<link name="base"' in description_text(model.contents.robots[0])
    assert not marker.exists()


def test_a_xacro_has_a_process_of_its_own_and_leaves_none(robot, tmp_path):
    path = robot(CODE.format('getpid()'))
    text = read_urdf(path).expanded.text.decode()
    assert str(os.getpid()) not in text
    folder = tmp_path / 'pids'
    folder.mkdir()
    read_urdf(robot(CODE.format(f"system('cd {folder}; sleep 600 &amp; mkdir $!')")))
    [pid] = (int(entry.name) for entry in folder.iterdir())
    while os.path.exists(f'/proc/{pid}/exe'):
        time.sleep(0.01)


@pytest.mark.parametrize(
    ('expression', 'seconds', 'reason'),
    [
        ('python.sum(python.range(10**12))', 0.7, 'took longer than 0.7 s'),
        (CODE.format("system('sleep 600')"), 0.7, 'took longer than 0.7 s'),
        ('len([0] * 10**9)', 60.0, 'needs more than 200 MiB of memory'),
        ("'x' * 2000000", 60.0, 'became more than 1 MiB'),
    ],
)
def test_a_xacro_that_does_not_end_is_a_fault_with_a_way_out(
    expression, seconds, reason, robot, monkeypatch
):
    limits = Limits(seconds, memory=200 * 2**20, answer=2**20)
    monkeypatch.setattr(xacro_expansion, 'LIMITS', limits)
    [fault] = read_urdf(robot(expression)).faults
    assert fault.reason.startswith(f'xacro was ended, since it {reason}: look for')
    assert 'load the URDF' in fault.reason


def test_a_xacro_that_ends_its_process_is_a_fault(robot):
    [fault] = read_urdf(robot(CODE.format('_exit(7)'))).faults
    assert 'xacro cannot expand it: the process that reads it ended with code 7' in fault.reason


def test_a_xacro_cannot_fill_the_disk(robot, tmp_path):
    path = tmp_path / 'full'
    read_urdf(robot(CODE.format(f"system('head -c 1000000 /dev/zero > {path}')")))
    assert path.stat().st_size == 0


def test_what_xacro_says_is_a_warning_on_one_line(robot):
    warnings = read_urdf(robot("xacro.warning('careful\\x1b[31m')")).warnings
    [said] = [line for line in warnings if 'careful' in line]
    assert 'robot.xacro: xacro says: ' in said
    assert said.isprintable()
