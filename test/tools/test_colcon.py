"""The package as a ROS 2 user builds it: colcon, the share folder, the installed executable."""

import os
import shutil
import subprocess
import sys

from helpers.places import ROOT
import pytest

pytest.importorskip('colcon_core', reason='colcon is not installed; `make test` brings it')

LEFT_OUT = (
    '.git',
    '.nox',
    '.venv*',
    'build',
    'install',
    'log',
    '.*_cache',
    '.hypothesis',
    '*.egg-info',
)


@pytest.fixture(scope='module')
def workspace(tmp_path_factory):
    """Return a workspace in which ``colcon build`` has run on a copy of the sources."""
    folder = tmp_path_factory.mktemp('workspace')
    shutil.copytree(
        ROOT, folder / 'src' / 'symcontact_ros', ignore=shutil.ignore_patterns(*LEFT_OUT)
    )
    result = subprocess.run(
        [sys.executable, '-m', 'colcon', 'build'], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert '1 package finished' in result.stdout  # no other one below tools
    return folder


@pytest.fixture(scope='module')
def prefix(workspace):
    return workspace / 'install' / 'symcontact_ros'


def test_the_share_folder_holds_what_the_sources_hold(prefix):
    share = prefix / 'share' / 'symcontact_ros'
    assert (share / 'package.xml').is_file()
    for pattern in ('launch/*.py', 'config/*.*', 'config/models/*.yaml', 'urdf/*'):
        sources = {str(p.relative_to(ROOT)) for p in ROOT.glob(pattern)}
        installed = {str(p.relative_to(share)) for p in share.glob(pattern)}
        assert sources == installed
    assert (prefix / 'share/ament_index/resource_index/packages/symcontact_ros').is_file()


def test_the_installed_executable_finds_the_installed_models(prefix, workspace, ros_environment):
    site_packages = next((prefix / 'lib').glob('python*/site-packages'))
    environment = {**ros_environment, 'PYTHONPATH': str(site_packages)}
    folder = prefix / 'lib' / 'symcontact_ros'
    where = subprocess.run(
        [
            sys.executable,
            '-c',
            'from symcontact_ros.model.installed_files import share; print(share())',
        ],
        env=environment,
        cwd=workspace,
        capture_output=True,
        text=True,
    )
    assert where.stdout.strip() == str(prefix / 'share' / 'symcontact_ros'), where.stderr
    result = subprocess.run(
        [folder / 'symcontact', 'node', 'bouncing_circle', '--duration', '0.3'],
        env=environment,
        cwd=workspace,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert 'simulated 0.300 s' in result.stdout
    # It includes a URDF of the package: that of this installation.
    load = "import symcontact_ros as sc; print(sc.load_model('panda_table').notes)"
    told = subprocess.run(
        [sys.executable, '-c', load],
        env=environment,
        cwd=workspace,
        capture_output=True,
        text=True,
    )
    assert f'{prefix}/share/symcontact_ros/urdf/panda.urdf' in told.stdout, told.stderr
    assert os.access(folder / 'simulation_node', os.X_OK)


def test_the_installed_node_starts_and_refuses_a_wrong_model(prefix, workspace, ros_environment):
    site_packages = next((prefix / 'lib').glob('python*/site-packages'))
    result = subprocess.run(
        [prefix / 'lib/symcontact_ros/simulation_node', '--ros-args', '-p', 'model:=xyz'],
        env={**ros_environment, 'PYTHONPATH': str(site_packages)},
        cwd=workspace,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert 'there are: bouncing_circle' in result.stderr
