"""
Hashes of the pinned packages in constraints.txt, as the package index lists them.

To add a package, or another version: write its line, ``name==version`` with a marker if it needs
one, and run this tool with `.venv/bin/python`. Lines without hashes get theirs; of packages that
are named on the command line, or with ``--all`` of every package, they are looked up again. A
changed hash of the same version is told: files of a release may be added, and never change.

The index, its certificates and its credentials are those that pip is configured for.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
import re
import sys
from typing import Any, NamedTuple

CONSTRAINTS = Path(__file__).resolve().parents[1] / 'constraints.txt'
PYTHONS = ('3.10', '3.11', '3.12', '3.13')
PLATFORMS = re.compile(r'any|(many)?linux.*_(x86_64|aarch64)|macosx_.*_(x86_64|arm64|universal2)')
_PIN = re.compile(r'(?P<name>[\w.-]+)==(?P<version>[^\s;\\]+)\s*(;\s*(?P<marker>.*?))?\s*\\?')
_HASH = re.compile(r'\s+--hash=sha256:([0-9a-f]{64})\s*\\?')


class RefreshError(Exception):
    """One line that says what is wrong with the file or the index."""


class Pin(NamedTuple):
    """A package at one version, perhaps for some Pythons only, and the hashes of its files."""

    name: str
    version: str
    marker: str = ''
    hashes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return its lines in the file."""
        first = f'{self.name}=={self.version}' + (f' ; {self.marker}' if self.marker else '')
        return ' \\\n    '.join([first, *(f'--hash=sha256:{one}' for one in self.hashes)])


def main() -> int:
    """Write the hashes and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('names', nargs='*', help='packages to look up again')
    parser.add_argument('--all', action='store_true', help='look all of them up again')
    parser.add_argument('--file', type=Path, default=CONSTRAINTS, help='default: constraints.txt')
    options = parser.parse_args()
    try:
        refresh(options.file, set(options.names), options.all)
    except RefreshError as error:
        print(f'refresh_constraints: {error}', file=sys.stderr)
        return 1
    return 0


def refresh(path: Path, names: set[str], everything: bool = False) -> None:
    """Look up the hashes that are wanted, and write the file anew."""
    items = list(read(path.read_text(encoding='utf-8')))
    pins = [item for item in items if isinstance(item, Pin)]
    if unknown := names - {pin.name for pin in pins}:
        raise RefreshError(f'{path.name} has no {", ".join(sorted(unknown))}: add a line for it')
    wanted = [pin for pin in pins if everything or not pin.hashes or pin.name in names]
    with package_index() as files_of, ThreadPoolExecutor(8) as pool:
        found = dict(zip(wanted, pool.map(lambda pin: hashed(pin, files_of), wanted), strict=True))
    for before, after in found.items():
        if before.hashes != after.hashes:
            new, gone = (
                set(after.hashes) - set(before.hashes),
                set(before.hashes) - set(after.hashes),
            )
            print(f'{after.name}=={after.version}: {len(new)} hashes new, {len(gone)} gone')
    path.write_text(
        '\n'.join(str(found.get(item, item)) for item in items) + '\n', encoding='utf-8'
    )


def read(text: str) -> Iterator[Pin | str]:
    """Yield the pins of a file, and its comments and empty lines as they are."""
    pin: Pin | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if pin is not None and (hashed_line := _HASH.fullmatch(line)):
            pin = pin._replace(hashes=(*pin.hashes, hashed_line[1]))
            continue
        if pin is not None:
            yield pin
            pin = None
        if not line.strip() or line.startswith('#'):
            yield line
        elif found := _PIN.fullmatch(line):
            pin = Pin(found['name'], found['version'], found['marker'] or '')
        else:
            raise RefreshError(f'line {number}: {line!r} is not `name==version ; marker`')
    if pin is not None:
        yield pin


def hashed(pin: Pin, files_of: Any) -> Pin:
    """Return a pin with the hashes of all files that its Pythons may install."""
    hash_of: dict[str, str] = {}
    for file, digest in files_of(pin.name):
        if not is_wanted(file, pin):
            continue
        if digest is None:
            raise RefreshError(f'the index has no SHA-256 of {file}')
        if hash_of.setdefault(file, digest) != digest:
            raise RefreshError(f'two indexes have different files under the name {file}')
    if not hash_of:
        raise RefreshError(f'no index has files of {pin.name}=={pin.version}')
    return pin._replace(hashes=tuple(sorted(set(hash_of.values()))))


def is_wanted(file: str, pin: Pin) -> bool:
    """Return whether a file is of this version, and a source or a wheel for our Pythons."""
    from pip._vendor.packaging.markers import Marker
    from pip._vendor.packaging.utils import (
        InvalidSdistFilename,
        InvalidWheelFilename,
        parse_sdist_filename,
        parse_wheel_filename,
    )
    from pip._vendor.packaging.version import InvalidVersion, Version

    try:
        if not file.endswith('.whl'):
            return parse_sdist_filename(file)[1] == Version(pin.version)
        _, version, _, tags = parse_wheel_filename(file)
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return False  # an installer of another system, or a name of old times
    marker = Marker(pin.marker) if pin.marker else None
    pythons = [p for p in PYTHONS if marker is None or marker.evaluate({'python_version': p})]
    return version == Version(pin.version) and any(_fits(tag, pythons) for tag in tags)


def _fits(tag: Any, pythons: Iterable[str]) -> bool:
    """Return whether a tag of a wheel is one of our Pythons and platforms."""
    if not PLATFORMS.fullmatch(tag.platform):
        return False
    if tag.abi == 'none':
        return tag.interpreter.startswith('py3') or _is_one(tag.interpreter, pythons)
    if tag.abi == 'abi3':
        return tag.interpreter.startswith('cp3')
    return tag.abi == tag.interpreter and _is_one(tag.interpreter, pythons)


def _is_one(interpreter: str, pythons: Iterable[str]) -> bool:
    return interpreter in {f'cp{python.replace(".", "")}' for python in pythons}


@contextmanager
def package_index() -> Iterator[Any]:
    """
    Give a function: package -> pairs of file name and SHA-256, of all indexes that pip would ask.

    pip has no command for this; what is used of its inside is the same from 23.2 to 26.3.
    """
    from pip._internal.commands.download import DownloadCommand
    from pip._internal.index.collector import parse_links

    command = DownloadCommand('download', '')
    options, _ = command.parse_args([])
    with command.main_context():
        session = command.get_default_session(options)
        finder = command._build_package_finder(options=options, session=session)
        collector = finder._link_collector

        def files_of(name: str) -> list[tuple[str, str | None]]:
            links: list[Any] = []

            def read_page(page: Any) -> list[Any]:
                response = collector.fetch_response(page)
                links.extend(parse_links(response) if response is not None else ())
                return []

            sources = collector.collect_sources(name, read_page)
            for source in sources.index_urls:
                if source is not None:
                    list(source.page_candidates())
            return [
                (link.filename, link.hash if link.hash_name == 'sha256' else None)
                for link in links
            ]

        yield files_of


if __name__ == '__main__':
    sys.exit(main())
