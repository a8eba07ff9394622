"""
Prepare ``.venv``: ROS 2 from wheels (or a sourced distribution), interfaces, and this package.

Runs on a bare Python 3.10 to 3.13 with the standard library alone; ``make setup`` calls it. What
it has done is written to a stamp in ``.venv``, so that a second call only compares two strings. An
environment keeps the Python that it was made with, whichever one calls: it is made anew only where
another one is asked for by name.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import hashlib
import json
import os
from pathlib import Path
import re
import shutil
import subprocess
import sys
import time

ROOT = Path(__file__).resolve().parents[1]
# By its path: else `import` in the folder around a clone of this name would find the clone.
EDITABLE = ('--config-settings', 'editable_mode=compat', '-e')
INTERFACES = ROOT / 'tools' / 'interfaces'
CONSTRAINTS = ROOT / 'constraints.txt'
INTERFACE_SOURCES = ('.py', '.h', '.msg', '.srv', '.action')
# Whatever changes one of these asks for a new set-up.
INPUTS = (
    Path(__file__),
    CONSTRAINTS,
    ROOT / 'setup.py',
    *sorted(path for path in INTERFACES.rglob('*') if path.suffix in INTERFACE_SOURCES),
)
RUNTIME_EXTRAS = ('co', 'ros', 'urdf', 'record', 'view')
PYTHONS = ((3, 10), (3, 13))


class SetupError(Exception):
    """One line that says what is missing and the way out."""


def main() -> int:
    """Prepare the environment and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('venv', type=Path, help='folder of the virtual environment')
    parser.add_argument('--dev', action='store_true', help='also what the tests need')
    parser.add_argument(
        '--this-python', action='store_true', help='with the Python that runs this'
    )
    options = parser.parse_args()
    try:
        prepare(options.venv.absolute(), options.dev, options.this_python)
    except SetupError as error:
        print(f'setup: {error}', file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print('\nsetup: interrupted; the same command goes on where it stopped', file=sys.stderr)
        return 130
    return 0


def prepare(venv: Path, dev: bool, this_python: bool = False) -> None:
    """Make venv hold everything, unless its stamp says that it does."""
    distribution = ros_distribution()
    stamp = venv / 'symcontact_setup.txt'
    wanted = fingerprint(distribution)
    tiers = {'run', 'dev'} if dev else {'run'}
    found, *done = stamp.read_text().split() if stamp.is_file() else ['']
    is_kept = is_usable(venv, distribution, this_python)
    if is_kept and found == wanted and tiers <= set(done):
        return
    if distribution is None:
        check_compiler()
    began = time.monotonic()
    if not is_kept:
        check_python()
        create(venv, distribution)
    extras = [extra for extra in RUNTIME_EXTRAS if not (extra == 'ros' and distribution)]
    install_packages(venv, extras + (['dev'] if dev else []), distribution)
    if distribution is None:
        build_interfaces(venv)
    kept = done if is_kept and found == wanted else []
    stamp.write_text('\n'.join([wanted, *sorted(tiers.union(kept))]) + '\n')
    print(f'setup: {venv.name} is ready after {time.monotonic() - began:.0f} s')


def check_python() -> None:
    """Raise unless this interpreter is one that the ROS 2 wheels are built for."""
    low, high = PYTHONS
    if not low <= sys.version_info[:2] <= high:
        found = '.'.join(map(str, sys.version_info[:2]))
        raise SetupError(
            f'Python {found} found, 3.{low[1]} to 3.{high[1]} needed: install one and name it, '
            f'e.g. `make setup PYTHON=python3.11`'
        )


def check_compiler() -> None:
    """Raise unless a C++ compiler is there for tf2_msgs."""
    for compiler in ('gcc', 'g++'):
        if shutil.which(compiler) is None:
            raise SetupError(
                f'{compiler} not found; it builds tf2_msgs, the one ROS interface that has no '
                'wheel: install it (Debian, Ubuntu: `apt install g++`) or source a ROS 2 '
                'distribution, then run `make setup` again'
            )


def ros_distribution() -> str | None:
    """Return the name of the sourced ROS 2 distribution, which this interpreter must fit."""
    name = os.environ.get('ROS_DISTRO')
    if not name or not os.environ.get('AMENT_PREFIX_PATH'):
        return None
    probe = [sys.executable, '-c', 'import rclpy, tf2_msgs.msg']
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        raise SetupError(
            f'ROS 2 {name} is sourced, but {sys.executable} cannot import its rclpy and tf2_msgs: '
            'name the Python it was built for (`make setup PYTHON=/usr/bin/python3`), or use a '
            'shell without it to get ROS 2 from wheels'
        )
    return name


def fingerprint(distribution: str | None) -> str:
    """Return a hash of all that decides what the environment holds, its Python aside."""
    digest = hashlib.sha256(f'{distribution} {ROOT}'.encode())
    for path in INPUTS:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_usable(venv: Path, distribution: str | None, this_python: bool) -> bool:
    """Return whether a virtual environment works, and is of the kind that is asked for."""
    settings = venv / 'pyvenv.cfg'
    if not settings.is_file():
        return False
    if ('include-system-site-packages = true' in settings.read_text()) != bool(distribution):
        return False
    code = 'import json, pip, sys; print(json.dumps([sys.version_info[:2], sys.base_prefix]))'
    try:
        probe = subprocess.run(
            [venv / 'bin' / 'python', '-c', code], capture_output=True, text=True, check=False
        )
    except OSError:  # its Python is gone
        return False
    if probe.returncode != 0:
        return False
    version, prefix = json.loads(probe.stdout)
    if this_python:
        return version == list(sys.version_info[:2]) and prefix == sys.base_prefix
    return list(PYTHONS[0]) <= version <= list(PYTHONS[1])


def create(venv: Path, distribution: str | None) -> None:
    """Create the virtual environment."""
    source = f'on top of ROS 2 {distribution}' if distribution else 'for ROS 2 Jazzy from wheels'
    print(f'setup: creating {venv.name} with Python {sys.version.split()[0]}, {source}')
    # Not by the Python of an environment, which may be the one that is made anew.
    python = getattr(sys, '_base_executable', None) or sys.executable
    command = [python, '-m', 'venv', '--clear', str(venv)]
    if distribution:
        command.insert(-1, '--system-site-packages')
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SetupError(
            'Python cannot make a virtual environment (Debian, Ubuntu: `apt install '
            f'python3-venv`): {(result.stderr or result.stdout).strip().splitlines()[-1]}'
        )


def install_packages(venv: Path, extras: Sequence[str], distribution: str | None) -> None:
    """Install this package, editable, with its dependencies."""
    title = 'installing packages (a few minutes the first time)'
    if distribution:
        install_pinned(venv, ('setuptools',))
        # The distribution's messages are built for its own NumPy: keep that one.
        constraints = venv / 'constraints.txt'
        constraints.write_text(f'numpy=={numpy_version(venv)}\n')
        pip(venv, title, ['-c', str(constraints), *EDITABLE, f'{ROOT}[{",".join(extras)}]'])
        return
    # The pip that came with this Python may not know hashes of constraints. NumPy builds ecos,
    # where that has no wheel.
    install_pinned(venv, ('pip', 'setuptools', 'numpy'))
    wanted = venv / 'requirements.txt'
    wanted.write_text('\n'.join(requirements(venv, extras)) + '\n')
    # Sources are built by what is installed: for an isolated build pip checks no hashes.
    verified = ['--require-hashes', '--no-build-isolation', '-c', str(CONSTRAINTS)]
    pip(venv, title, [*verified, '-r', str(wanted)])
    pip(
        venv,
        'installing this package',
        ['--no-build-isolation', '--no-deps', *EDITABLE, str(ROOT)],
    )


def install_pinned(venv: Path, names: Sequence[str]) -> None:
    """Install single packages as constraints.txt has them, checked by any pip."""
    lines = CONSTRAINTS.read_text().replace('\\\n', ' ').splitlines()
    pinned = venv / 'pinned.txt'
    pinned.write_text('\n'.join(line for line in lines if line.partition('==')[0] in names) + '\n')
    options = ['--require-hashes', '--no-deps', '--only-binary', ':all:']
    pip(venv, 'preparing pip', [*options, '-r', str(pinned)])


def requirements(venv: Path, extras: Sequence[str]) -> list[str]:
    """Return what this package needs with these extras, from setup.py."""
    code = (
        'import json, setuptools; from distutils.core import run_setup; '
        'package = run_setup("setup.py", stop_after="init"); '
        'print(json.dumps([package.install_requires, package.extras_require]))'
    )
    result = subprocess.run(
        [venv / 'bin' / 'python', '-c', code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    core, optional = json.loads(result.stdout)
    return sorted({*core, *(need for extra in extras for need in optional[extra])})


def build_interfaces(venv: Path) -> None:
    """Build the interfaces that have no wheel with the generators among the wheels."""
    build = [str(venv / 'bin' / 'python'), str(INTERFACES / 'build.py')]
    run(venv, 'building messages, services and actions that have no wheel (half a minute)', build)


def numpy_version(venv: Path) -> str:
    """Return the version of the NumPy that the environment sees."""
    probe = [venv / 'bin' / 'python', '-c', 'import numpy; print(numpy.__version__)']
    return subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip()


def pip(venv: Path, title: str, arguments: Sequence[str]) -> None:
    """Run pip install with a line of progress; SetupError sums a failure up in one line."""
    python = str(venv / 'bin' / 'python')
    run(venv, title, [python, '-m', 'pip', 'install', '--retries', '2', *arguments])


def run(venv: Path, title: str, command: Sequence[str]) -> None:
    """Run a command with a line of progress; SetupError sums a failure up in one line."""
    log = venv / 'setup.log'
    said: list[str] = []
    began = shown = time.monotonic()
    live = sys.stdout.isatty()
    print(f'setup: {title}', flush=True)
    with log.open('a') as record:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            record.write(line)
            said.append(line.rstrip())
            now = time.monotonic()
            if live or now - shown > 15.0:
                shown = now
                print(_progress(line, now - began, live), end='' if live else '\n', flush=True)
    if live:
        print('\r' + ' ' * 78, end='\r')
    if process.wait() != 0:
        raise SetupError(_cause(said, log))


def _progress(line: str, seconds: float, live: bool) -> str:
    text = f'  {seconds:4.0f} s  {line.strip()}'
    return f'\r{text[:78]:<78}' if live else text[:100]


def _cause(said: Sequence[str], log: Path) -> str:
    """Return why pip failed, and the way out."""
    output = '\n'.join(said)
    offline = (
        'NewConnectionError',
        'NameResolutionError',
        'Temporary failure in name resolution',
        'Network is unreachable',
        'ConnectTimeoutError',
        'ProxyError',
    )
    if any(sign in output for sign in offline):
        return (
            'the package index cannot be reached: connect to the network (or set PIP_INDEX_URL '
            f'to a mirror) and run the same command again; details: {log}'
        )
    refresh = '`.venv/bin/python tools/refresh_constraints.py`'
    if altered := re.search(r'DO NOT MATCH THE HASHES.*\n\s+(\S+)', output):
        return (
            f'what was downloaded as {altered[1]} is not the file whose hash constraints.txt has, '
            'and was not installed: try again, or another index (PIP_INDEX_URL); if the change is '
            f'a good one, name the package to {refresh}; details: {log}'
        )
    if unknown := re.search(r'(?:Hashes are required|pinned with ==).*\n\s+([\w.-]+)', output):
        return (
            f'{unknown[1]} has no version or no hash in constraints.txt: add a line '
            f'`name==version` and run {refresh}; details: {log}'
        )
    errors = [line.strip() for line in said if 'error' in line.lower()]
    return f'it failed: {errors[-1] if errors else "no reason given"}; details: {log}'


if __name__ == '__main__':
    sys.exit(main())
