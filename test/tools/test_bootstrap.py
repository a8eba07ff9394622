"""`make setup` where something is missing: one clear line with the way out."""

import os
import shutil
import subprocess
import sys
from venv import EnvBuilder

from helpers.places import ROOT, script
import pytest

bootstrap = script('tools/bootstrap.py')


@pytest.fixture
def bare(tmp_path):
    """Return a function that runs ``make setup`` with only these commands on the PATH."""

    def run(*commands, python=sys.executable, **environment):
        folder = tmp_path / 'bin'
        folder.mkdir()
        for command in ('make', 'sh', *commands):
            (folder / command).symlink_to(shutil.which(command))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(('ROS_', 'AMENT', 'PIP'))}
        return subprocess.run(
            [
                'make',
                '--no-print-directory',
                'setup',
                f'VENV={tmp_path / "venv"}',
                f'PYTHON={python}',
            ],
            cwd=ROOT,
            env={**clean, 'PATH': str(folder), 'SHELL': '/bin/sh', **environment},
            capture_output=True,
            text=True,
        )

    return run


def told(result):
    """Return the one line that setup said on stderr; make's own `***` line aside."""
    assert result.returncode != 0
    assert 'Traceback' not in result.stderr
    (line,) = [line for line in result.stderr.splitlines() if '***' not in line]
    return line


def test_no_python(bare):
    line = told(bare(python='no-such-python'))
    assert line.startswith('setup: no-such-python not found: install Python 3.10 to 3.13')


def test_no_compiler(bare):
    line = told(bare())
    assert line.startswith('setup: gcc not found')
    assert 'apt install g++' in line


def test_no_network(bare):
    unreachable = 'http://127.0.0.1:9/simple'  # the discard port: nobody answers
    line = told(bare('gcc', 'g++', PIP_INDEX_URL=unreachable, PIP_CONFIG_FILE=os.devnull))
    assert 'the package index cannot be reached' in line
    assert 'run the same command again' in line


def test_an_old_python_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(sys, 'version_info', (3, 9, 0))
    with pytest.raises(bootstrap.SetupError, match=r'Python 3\.9 found.*PYTHON=python3\.11'):
        bootstrap.check_python()


@pytest.fixture
def done(monkeypatch):
    """Return a list of what a set-up does: the environment is real, packages are only noted."""
    monkeypatch.delenv('ROS_DISTRO', raising=False)
    steps = []

    def create(venv, _):
        """Make an environment with a pip that is only there: a real one takes seconds."""
        steps.append('create')
        EnvBuilder(clear=True, symlinks=True).create(venv)
        (place,) = venv.glob('lib/python3*/site-packages')
        (place / 'pip.py').touch()

    monkeypatch.setattr(bootstrap, 'create', create)
    monkeypatch.setattr(bootstrap, 'install_packages', lambda *_: steps.append('packages'))
    monkeypatch.setattr(bootstrap, 'build_interfaces', lambda *_: steps.append('built'))
    return steps


def test_a_second_set_up_does_nothing_from_any_shell(done, monkeypatch, tmp_path):
    bootstrap.prepare(tmp_path, dev=False)
    assert done == ['create', 'packages', 'built']
    bootstrap.prepare(tmp_path, dev=False)
    assert len(done) == 3
    bootstrap.prepare(tmp_path, dev=True)
    assert done[3:] == ['packages', 'built'], 'the tests need more than a run'
    bootstrap.prepare(tmp_path, dev=False)
    inside = [tmp_path / 'bin' / 'python', ROOT / 'tools' / 'bootstrap.py', tmp_path, '--dev']
    result = subprocess.run(inside, capture_output=True, text=True)  # as after `activate`
    assert (result.returncode, result.stdout, result.stderr) == (0, '', '')
    with monkeypatch.context() as other:
        other.setattr(sys, 'version_info', (3, 14, 0))
        other.setattr(sys, 'base_prefix', '/another/python')
        bootstrap.prepare(tmp_path, dev=False)
    assert len(done) == 5


def test_an_environment_is_made_anew_where_another_python_is_named(done, monkeypatch, tmp_path):
    bootstrap.prepare(tmp_path, dev=True, this_python=True)
    bootstrap.prepare(tmp_path, dev=True, this_python=True)
    assert len(done) == 3
    with monkeypatch.context() as other:
        other.setattr(sys, 'base_prefix', '/another/python')
        bootstrap.prepare(tmp_path, dev=False, this_python=True)
    assert done[3:] == ['create', 'packages', 'built']
    assert 'dev' not in (tmp_path / 'symcontact_setup.txt').read_text().split()


def test_a_broken_environment_is_made_anew(done, tmp_path):
    bootstrap.prepare(tmp_path, dev=False)
    (tmp_path / 'bin' / 'python').unlink()
    bootstrap.prepare(tmp_path, dev=False)
    assert done[3:] == ['create', 'packages', 'built']


def test_a_sourced_distribution_is_used_and_nothing_is_built(monkeypatch, tmp_path):
    pytest.importorskip('rclpy', reason='this Python stands for the one of a distribution')
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    monkeypatch.setenv('AMENT_PREFIX_PATH', sys.prefix)
    installed = []
    monkeypatch.setattr(bootstrap, 'create', lambda venv, ros: installed.append(ros))
    monkeypatch.setattr(
        bootstrap, 'install_packages', lambda _, extras, ros: installed.append(extras)
    )
    monkeypatch.setattr(bootstrap, 'build_interfaces', lambda *_: pytest.fail('built'))
    bootstrap.prepare(tmp_path, dev=False)
    assert installed[0] == 'jazzy'
    assert 'ros' not in installed[1]


def test_a_distribution_for_another_python_is_told_with_the_way_out(monkeypatch):
    monkeypatch.setenv('ROS_DISTRO', 'jazzy')
    monkeypatch.setenv('AMENT_PREFIX_PATH', '/nowhere')
    monkeypatch.setattr(sys, 'executable', shutil.which('false'))
    with pytest.raises(bootstrap.SetupError, match=r'jazzy is sourced.*PYTHON=/usr/bin/python3'):
        bootstrap.ros_distribution()
