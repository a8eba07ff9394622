"""The hashes in constraints.txt: what differs from them is not installed."""

import hashlib
from importlib.metadata import version
import os
import subprocess
import sys
import sysconfig
import zipfile

from helpers.places import ROOT, script
import pytest

pytest.importorskip('pip', reason='sets packages up')
bootstrap = script('tools/bootstrap.py')
refresh = script('tools/refresh_constraints.py')

SETUP = "from setuptools import setup; setup(name='demo_root', install_requires=['demo_outer'])"
PINS = {
    p.name: p for p in refresh.read(bootstrap.CONSTRAINTS.read_text()) if not isinstance(p, str)
}


def wheel(folder, name, code='', version='1.0', needs=''):
    """Write a wheel of one module into a folder; return its hash."""
    path = folder / f'{name}-{version}-py3-none-any.whl'
    about = f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n'
    about += f'Requires-Dist: {needs}\n' if needs else ''
    kind = 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
    with zipfile.ZipFile(path, 'w') as file:
        file.writestr(f'{name}.py', code)
        file.writestr(f'{name}-{version}.dist-info/METADATA', about)
        file.writestr(f'{name}-{version}.dist-info/WHEEL', kind)
        file.writestr(f'{name}-{version}.dist-info/RECORD', '')
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def parcels(tmp_path, monkeypatch):
    """Return a folder with the only packages that pip can get: `demo_outer` needs `demo_inner`."""
    folder = tmp_path / 'parcels'
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith('PIP_')]:
        monkeypatch.delenv(name)
    monkeypatch.setenv('PIP_CONFIG_FILE', os.devnull)
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(folder))
    monkeypatch.setenv('PIP_DISABLE_PIP_VERSION_CHECK', '1')
    hashes = {
        'demo_outer': wheel(folder, 'demo_outer', needs='demo_inner'),
        'demo_inner': wheel(folder, 'demo_inner'),
    }
    lines = [f'{name}==1.0 \\\n    --hash=sha256:{one}' for name, one in hashes.items()]
    monkeypatch.setattr(bootstrap, 'CONSTRAINTS', tmp_path / 'constraints.txt')
    bootstrap.CONSTRAINTS.write_text('\n'.join(lines) + '\n')
    return folder


@pytest.fixture
def venv(tmp_path):
    """Return an empty environment that has the pip of this one."""
    folder = tmp_path / 'venv'
    subprocess.run([sys.executable, '-m', 'venv', '--without-pip', folder], check=True)
    (packages,) = folder.glob('lib/*/site-packages')
    (packages / 'ours.pth').write_text(sysconfig.get_path('purelib') + '\n')
    return folder


def installed(venv):
    return {path.stem for path in venv.glob('lib/*/site-packages/demo_*.py')}


def test_a_pinned_package_is_installed_by_any_pip(parcels, venv):
    bootstrap.install_pinned(venv, ['demo_inner'])
    assert installed(venv) == {'demo_inner'}


def test_a_tampered_pinned_package_is_not_installed(parcels, venv):
    wheel(parcels, 'demo_inner', 'tampered = True')
    with pytest.raises(bootstrap.SetupError, match=r'what was downloaded as demo_inner==1\.0'):
        bootstrap.install_pinned(venv, ['demo_inner'])
    assert installed(venv) == set()


@pytest.fixture
def package(parcels, venv, tmp_path, monkeypatch):
    """Return a function that sets up a package that needs `demo_outer`."""
    if version('pip') != PINS['pip'].version:
        pytest.skip('needs the pip of constraints.txt; `make test` brings it')
    root = tmp_path / 'root'
    root.mkdir()
    (root / 'setup.py').write_text(SETUP)
    monkeypatch.setattr(bootstrap, 'ROOT', root)
    monkeypatch.setattr(bootstrap, 'install_pinned', lambda *_: None)  # tested above
    return lambda: bootstrap.install_packages(venv, [], None)


def test_packages_with_their_hashes_are_installed(package, venv):
    package()
    assert installed(venv) == {'demo_outer', 'demo_inner'}
    code = 'from importlib.metadata import version; print(version("demo_root"))'
    subprocess.run([venv / 'bin' / 'python', '-c', code], check=True, capture_output=True)


def test_a_tampered_dependency_is_not_installed_and_told_in_one_line(package, parcels, venv):
    wheel(parcels, 'demo_inner', 'tampered = True')
    with pytest.raises(bootstrap.SetupError) as error:
        package()
    told = str(error.value)
    assert told.startswith('what was downloaded as demo_inner==1.0 is not the file')
    assert 'refresh_constraints.py' in told and '\n' not in told
    assert installed(venv) == set()


@pytest.mark.parametrize('kept', ['demo_inner==1.0', None], ids=['no hash', 'no version'])
def test_a_dependency_without_a_hash_is_not_installed(package, venv, kept):
    lines = bootstrap.CONSTRAINTS.read_text().splitlines()
    bootstrap.CONSTRAINTS.write_text('\n'.join(lines[:2] + ([kept] if kept else [])) + '\n')
    with pytest.raises(bootstrap.SetupError, match='demo_inner has no version or no hash'):
        package()
    assert installed(venv) == set()


def test_every_package_in_the_file_has_hashes_and_what_builds_is_in_it():
    assert [pin.name for pin in PINS.values() if not pin.hashes] == []
    assert {'pip', 'setuptools', 'numpy'} <= set(PINS)


def test_the_file_is_read_and_written_without_loss():
    text = bootstrap.CONSTRAINTS.read_text()
    assert '\n'.join(map(str, refresh.read(text))) + '\n' == text


@pytest.fixture
def index(parcels, tmp_path, monkeypatch):
    """Return a function that makes a package index of the folder; the first is pip's."""

    def make(place='index', **lies):
        for path in parcels.glob('*.whl'):
            name = path.name.split('-')[0]
            page = tmp_path / place / name.replace('_', '-') / 'index.html'
            page.parent.mkdir(parents=True, exist_ok=True)
            digest = lies.get(name, hashlib.sha256(path.read_bytes()).hexdigest())
            with page.open('a') as file:
                file.write(f'<a href="{path.as_uri()}#sha256={digest}">{path.name}</a>\n')
        return (tmp_path / place).as_uri()

    monkeypatch.delenv('PIP_NO_INDEX')
    monkeypatch.delenv('PIP_FIND_LINKS')
    monkeypatch.setenv('PIP_INDEX_URL', make())
    return make


def refreshed(path, *words):
    """Run the tool on a file; return its exit code and what it said."""
    command = [sys.executable, ROOT / 'tools' / 'refresh_constraints.py', '--file', path, *words]
    result = subprocess.run(command, capture_output=True, text=True)
    assert 'Traceback' not in result.stderr, result.stderr
    return result.returncode, result.stdout + result.stderr


def test_a_line_added_by_hand_gets_its_hashes(parcels, index, tmp_path):
    path = tmp_path / 'mine.txt'
    other = '0' * 64
    path.write_text(
        f'# why\ndemo_inner==1.0 ; python_version > "3.0"\nfoo==2 --hash=sha256:{other}\n'
    )
    code, said = refreshed(path)
    assert code == 1 and 'line 3' in said  # one hash, one line: as it writes them
    path.write_text(
        f'# why\ndemo_inner==1.0 ; python_version > "3.0"\nfoo==2 \\\n    --hash=sha256:{other}\n'
    )
    digest = hashlib.sha256((parcels / 'demo_inner-1.0-py3-none-any.whl').read_bytes()).hexdigest()
    assert refreshed(path) == (0, 'demo_inner==1.0: 1 hashes new, 0 gone\n')
    assert path.read_text() == (
        f'# why\ndemo_inner==1.0 ; python_version > "3.0" \\\n    --hash=sha256:{digest}\n'
        f'foo==2 \\\n    --hash=sha256:{other}\n'
    )
    assert refreshed(path) == (0, ''), 'what has hashes keeps them'
    path.write_text(path.read_text().replace(digest, other))
    assert refreshed(path, 'demo_inner') == (0, 'demo_inner==1.0: 1 hashes new, 1 gone\n')


def test_indexes_that_disagree_are_told(index, tmp_path, monkeypatch):
    monkeypatch.setenv('PIP_EXTRA_INDEX_URL', index('another', demo_inner='f' * 64))
    path = tmp_path / 'mine.txt'
    path.write_text('demo_inner==1.0\n')
    code, said = refreshed(path)
    assert code == 1 and 'two indexes have different files' in said
    assert path.read_text() == 'demo_inner==1.0\n'


@pytest.mark.parametrize('line', ['demo_inner==3.0', 'demo_inner>=1', 'demo_nowhere==1.0'])
def test_a_line_that_no_file_fits_is_told(index, tmp_path, line):
    path = tmp_path / 'mine.txt'
    path.write_text(f'{line}\n')
    code, said = refreshed(path)
    assert code == 1 and said.count('refresh_constraints: ') == 1


@pytest.mark.parametrize(
    ('file', 'marker', 'wanted'),
    [
        ('demo-1.0.tar.gz', '', True),
        ('demo-1.1.tar.gz', '', False),
        ('demo-1.0-py3-none-any.whl', '', True),
        ('demo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl', '', True),
        ('demo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl', 'python_version < "3.11"', False),
        ('demo-1.0-cp310-cp310-manylinux_2_28_aarch64.whl', 'python_version < "3.11"', True),
        ('demo-1.0-cp38-abi3-macosx_11_0_arm64.whl', '', True),
        ('demo-1.0-cp313-cp313t-manylinux_2_28_x86_64.whl', '', False),
        ('demo-1.0-cp39-cp39-manylinux_2_28_x86_64.whl', '', False),
        ('demo-1.0-cp311-cp311-win_amd64.whl', '', False),
        ('demo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl', '', False),
        ('demo-1.0.exe', '', False),
    ],
)
def test_hashes_are_of_files_that_our_pythons_install(file, marker, wanted):
    assert refresh.is_wanted(file, refresh.Pin('demo', '1.0', marker)) is wanted
