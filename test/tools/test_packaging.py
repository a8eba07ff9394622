"""What the package says of itself: the same in every file, complete, and enough to build it."""

from pathlib import Path
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
import zipfile

from helpers.places import ROOT
import pytest

import symcontact_ros
from symcontact_ros.optional_packages import SOURCES, way_to

PACKAGE = ET.parse(ROOT / 'package.xml').getroot()
SETUP = (ROOT / 'setup.py').read_text(encoding='utf-8')


def keys():
    """Return the rosdep keys of what runs need."""
    return {entry.text for entry in PACKAGE.findall('exec_depend')}


def test_version_address_and_authors_are_the_same_in_every_file():
    assert PACKAGE.findtext('version') == symcontact_ros.__version__
    assert f"version='{symcontact_ros.__version__}'" in SETUP
    for text in (PACKAGE.findtext('url'), PACKAGE.findtext('author')):
        assert f"'{text}'" in SETUP


@pytest.mark.parametrize('package', SOURCES)
def test_hints_name_packages_that_rosdep_would_install_and_extras_that_have_them(package):
    apt = re.match(r'sudo apt install (?:ros-\$ROS_DISTRO-)?(\S+)', SOURCES[package].system)
    if apt and package != 'ffmpeg':  # too large to come with every installation
        assert apt[1] in keys()
    elif 'rosdep' in SOURCES[package].system:
        [key] = [key for key in keys() if package in key]
        assert key.endswith('-pip')
    [extra] = re.findall(rf"'{SOURCES[package].extra}': \[(.*?)\]", SETUP, re.S)
    assert f"{package}'" in extra
    assert way_to(package).endswith(f"pip install 'symcontact_ros[{SOURCES[package].extra}]'")


def test_what_is_built_has_all_that_is_needed_to_run_and_to_test(tmp_path):
    build = pytest.importorskip('build', reason='builds wheels; `make test` brings it')
    assert build
    tracked = subprocess.run(
        ['git', 'ls-files'], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip('not a git checkout')
    sources = tmp_path / 'sources'  # others build in ours
    for name in tracked.stdout.splitlines():
        if (ROOT / name).is_file():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, sources / name)
    command = [sys.executable, '-m', 'build', '--no-isolation', '--outdir', str(tmp_path)]
    subprocess.run([*command, str(sources)], check=True, capture_output=True)
    [archive] = tmp_path.glob('*.tar.gz')
    with tarfile.open(archive) as files:
        packed = {str(Path(*Path(name).parts[1:])) for name in files.getnames()}
    hidden = ('.ci/', '.github/', '.git')
    wanted = {name for name in tracked.stdout.splitlines() if not name.startswith(hidden)}
    assert wanted <= packed, 'MANIFEST.in lacks some'
    [wheel] = tmp_path.glob('*.whl')
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
    for part in ('config/models/', 'config/worlds/', 'launch/', 'config/rviz/'):
        expected = {Path(n).name for n in wanted if n.startswith(part) and Path(n).suffix}
        there = {Path(n).name for n in names if f'share/symcontact_ros/{part}' in n}
        assert expected <= there, part
    inside = {n for n in wanted if n.startswith('symcontact_ros/')}
    assert any('gym/models/' in name for name in inside)
    assert inside <= set(names), 'package_data of setup.py lacks some'
