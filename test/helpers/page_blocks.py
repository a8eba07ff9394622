"""
Blocks of code in a page of docs/, and what becomes of them when a reader follows the page.

A block whose first line is a comment with a name, such as `# crate.yaml`, is a file. Other blocks
of Python are run in one scope, those of bash line by line, and a block of text that follows says
what comes out: lines of it, in their order, in which `...` stands for anything.
"""

import contextlib
import io
import logging
import re
import shlex
import subprocess
import sys
from typing import NamedTuple

from symcontact_ros.cli.main import main

FENCE = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)
FILE = re.compile(r'(?:#|<!--) (\S+\.\w+)(?: -->)?\n')
EXIT = re.compile(r'# exit code (\d)')
LONG = 100.0  # [s wall] that a block may take on a loaded machine


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str


def blocks_of(text):
    """Return the fenced blocks of a page, in their order."""
    return [Block(*found) for found in FENCE.findall(text)]


class Reader:
    """A reader of a page: does what it says, in a folder."""

    def __init__(self, folder, environment):
        self._folder = folder
        self._environment = environment
        self._scope = {'__name__': 'page'}
        self.output = ''  # of the last block

    def follow(self, block):
        """Do what a block says; AssertionError where something else happens."""
        if (name := FILE.match(block.text)) and block.language != 'text':
            (self._folder / name[1]).write_text(block.text, encoding='utf-8')
        elif block.language == 'python':
            with _heard() as heard:
                exec(compile(block.text, 'page', 'exec'), self._scope)
            self.output = heard.getvalue()
        elif block.language == 'bash':
            self.output = self._shell(block.text)
        elif block.language == 'text':
            check_output(block.text, self.output)
        else:
            raise AssertionError(f'a block in {block.language} that nobody runs:\n{block.text}')

    def _shell(self, text):
        if '&\n' in text:
            return self._run(text, 0)
        return ''.join(self._line(line) for line in text.replace('\\\n', ' ').splitlines())

    def _line(self, line):
        wanted = int(found[1]) if (found := EXIT.search(line)) else 0
        words = shlex.split(line, comments=True)
        if not words:
            return ''
        if words[0] != 'symcontact' or words[1] == 'node':
            return self._run(line, wanted)
        with _heard() as heard:
            code = main(words[1:])
        assert code == wanted, f'{line}: exit code {code}\n{heard.getvalue()}'
        return heard.getvalue()

    def _run(self, text, wanted):
        """Run lines of a shell in a process of its own."""
        python = shlex.quote(sys.executable)
        known = (
            f'symcontact() {{ {python} -m symcontact_ros "$@"; }}\npython() {{ {python} "$@"; }}\n'
        )
        done = subprocess.run(
            ['bash', '-e', '-c', known + text],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONG,
        )
        assert done.returncode == wanted, f'{text}: exit code {done.returncode}\n{done.stdout}'
        return done.stdout


def check_output(wanted, found):
    """Check that lines are in an output, in their order; `...` stands for anything."""
    lines = iter(found.splitlines())
    for line in filter(None, map(str.strip, wanted.splitlines())):
        pattern = re.escape(line).replace(r'\.\.\.', '.*')
        is_there = any(re.fullmatch(pattern, other.strip()) for other in lines)
        assert is_there, f'the output has no line {line!r} (in this place):\n{found}'


@contextlib.contextmanager
def _heard():
    """Yield all that is printed and logged."""
    heard = io.StringIO()
    handler = logging.StreamHandler(heard)
    logger = logging.getLogger('symcontact_ros')
    logger.addHandler(handler)
    try:
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            yield heard
    finally:
        logger.removeHandler(handler)
