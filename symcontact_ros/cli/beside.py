"""Processes beside the node: the page, controllers; they end with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import subprocess
import sys

PATIENCE = 3.0  # [s wall] for a process to end when told to


def view_command(options: argparse.Namespace) -> list[str]:
    """Return the command that serves the page, by the options of `view`."""
    command = [sys.executable, '-m', 'symcontact_ros', 'view', '--node', options.node]
    command += ['--host', options.host, '--port', str(options.port)]
    command += [word for switch in options.switch for word in ('--switch', switch)]
    return command + ['--open'] * options.open


@contextmanager
def running_beside(commands: Sequence[list[str]]) -> Iterator[None]:
    """Run processes while the block runs."""
    processes = [subprocess.Popen(command) for command in commands]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
