"""
Tutorials of `docs/tutorials`, done as a reader would: `python tools/tutorials.py PAGE ...`.

Every file is written and every command is given, from the first to the last, in a folder of its
own, and what the page says that one sees must be seen. `tutorial_blocks.py` has the conventions of
a page. `--pictures FOLDER` keeps the pictures that the page shows, as `tutorial_NAME.png`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import contextlib
import os
from pathlib import Path
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from urllib.request import urlopen

from tutorial_blocks import Expect, Interrupt, missing, PICTURE, Run, Save, Step, steps

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / 'docs' / 'tutorials'
INDEX = PAGES / 'index.md'
PATIENCE = 100.0  # [s] of wall time for what must come, on a loaded machine
ADDRESS = re.compile(r'http://127\.0\.0\.1:\d+/\S*')
PROGRAMS = {'symcontact': '-m symcontact_ros', 'python': ''}  # what `make setup` puts in .venv/bin


class TutorialError(Exception):
    """A step that does not do what its page says."""


class Terminal:
    """A process that was started by a command, in a group of its own as a shell would have it."""

    def __init__(self, commands: tuple[str, ...], folder: Path, environment: Mapping[str, str]):
        self._file = tempfile.TemporaryFile('w+')  # noqa: SIM115
        words = '\n'.join(commands) if len(commands) > 1 else f'exec {commands[0]}'
        self._process = subprocess.Popen(
            ['bash', '-e', '-c', words],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=self._file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def output(self) -> str:
        """What it has printed so far."""
        self._file.flush()
        return os.pread(self._file.fileno(), 1 << 24, 0).decode(errors='replace')

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing more to come."""
        return self._process.poll() is not None

    def wait(self) -> int:
        """Return its exit code, when it has ended by itself."""
        return self._process.wait(timeout=PATIENCE)

    def interrupt(self) -> int:
        """Press Ctrl-C; return the exit code."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if not self.has_ended:
                os.killpg(self._process.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                return self._process.wait(timeout=2.0)  # rclpy misses a signal now and then
        raise TutorialError(f'Ctrl-C has not ended it:\n{self.output}')

    def close(self) -> None:
        """End it if it is still there."""
        if not self.has_ended:
            with contextlib.suppress(TutorialError):
                self.interrupt()
        if not self.has_ended:
            self._process.kill()
            self._process.wait()
        self._file.close()


class Reader:
    """Somebody who does what a page says, in a folder."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        programs = folder / '.programs'
        programs.mkdir()
        for name, words in PROGRAMS.items():
            (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
            (programs / name).chmod(0o755)
        self._environment = {**environment, 'PATH': f'{programs}:{environment["PATH"]}'}
        self._environment['MPLBACKEND'] = 'agg'
        self._terminals: dict[str, Terminal] = {}
        self._last = ''

    def read(self, page: str) -> None:
        """Take all steps of a page; TutorialError at the first that fails."""
        try:
            for step in steps(page):
                self._take(step)
            self._look_at_pictures(page)
        finally:
            for terminal in self._terminals.values():
                terminal.close()

    def _take(self, step: Step) -> None:
        if isinstance(step, Save):
            (self.folder / step.name).write_text(step.text, encoding='utf-8')
        elif isinstance(step, Run):
            self._run(step)
        elif isinstance(step, Interrupt):
            code = self._terminals[step.terminal].interrupt()
            if code not in (0, -signal.SIGINT):
                output = self._terminals[step.terminal].output
                raise TutorialError(f'exit code {code} after Ctrl-C:\n{output}')
        else:
            self._expect(step)

    def _run(self, step: Run) -> None:
        commands = tuple(behind_make(command) for command in step.commands)
        used = self._terminals.get(step.terminal)
        if used is not None:
            if not used.has_ended:
                raise TutorialError(f'{commands}: something still runs in that terminal')
            used.close()
        terminal = Terminal(commands, self.folder, self._environment)
        self._terminals[step.terminal] = terminal
        self._last = step.terminal
        if not step.stays and terminal.wait() != 0:
            raise TutorialError(f'{commands} failed:\n{terminal.output}')

    def _expect(self, step: Expect) -> None:
        """Wait for what the page shows; open a page whose address it shows."""
        terminal = self._terminals[step.terminal or self._last]
        end = time.monotonic() + PATIENCE
        while True:
            is_last = terminal.has_ended or time.monotonic() > end
            line = missing(step.lines, terminal.output)
            if not line:
                break
            if is_last:
                raise TutorialError(f'not seen: {line!r} in\n{terminal.output}')
            time.sleep(0.05)
        if any('http://' in line for line in step.lines):
            (address,) = ADDRESS.findall(terminal.output)
            if b'<html' not in urlopen(address, timeout=PATIENCE).read():
                raise TutorialError(f'{address} shows no page')

    def _look_at_pictures(self, page: str) -> None:
        for name in PICTURE.findall(page):
            file = self.folder / name
            if not file.exists() or not file.read_bytes().startswith(b'\x89PNG'):
                raise TutorialError(f'the page shows {name}, and no command has made it')


def behind_make(command: str) -> str:
    """Return the command that a target of the Makefile stands for; others as they are."""
    if not command.startswith('make '):
        return command
    result = subprocess.run(
        ['make', '-n', *command.split()[1:]], cwd=ROOT, capture_output=True, text=True
    )
    found = [line for line in result.stdout.splitlines() if 'bin/symcontact' in line]
    if result.returncode or len(found) != 1:
        raise TutorialError(f'{command}: {result.stdout}{result.stderr}')
    return re.sub(r'\S*bin/symcontact', 'symcontact', found[0])


def read(page: Path, folder: Path, environment: Mapping[str, str]) -> Reader:
    """Do a tutorial in a folder; TutorialError where it is wrong."""
    reader = Reader(folder, environment)
    reader.read(page.read_text(encoding='utf-8'))
    return reader


def keep(picture: Path, path: Path) -> None:
    """Write a picture in 256 colours, which makes it small."""
    from PIL import Image

    Image.open(picture).convert('RGB').quantize(256).save(path, optimize=True)


def main() -> None:
    """Do the tutorials, and keep their pictures where that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('pages', nargs='*', type=Path, help='default: all')
    parser.add_argument('--pictures', type=Path, metavar='FOLDER', help='for tutorial_NAME.png')
    options = parser.parse_args()
    for page in options.pages or sorted(set(PAGES.glob('*.md')) - {INDEX}):
        began, before = time.monotonic(), _used()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            read(page, folder, {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', **os.environ})
            for picture in PICTURE.findall(page.read_text(encoding='utf-8')):
                if options.pictures:
                    keep(folder / picture, options.pictures / f'tutorial_{picture}')
        wall = time.monotonic() - began
        print(f'{page.name}: {wall:.0f} s, {_used() - before:.0f} s of processor time')


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == '__main__':
    main()
