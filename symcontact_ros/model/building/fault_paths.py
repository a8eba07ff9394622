"""Paths and order of the faults of a model file."""

from __future__ import annotations

from collections.abc import Sequence
import re

from symcontact_ros.errors import Fault, LONGEST


def joined(path: str, key: str) -> str:
    """Return the path of a key; characters that a path or a terminal would misread become `?`."""
    # Names of live symbols, such as `joint.damping`, have dots of their own.
    misread = r'[^ -~]|[\[\]]' if path == 'parameters' else r'[^ -~]|[.\[\]]'
    word = re.sub(misread, '?', key[:LONGEST]) or '?'
    return f'{path}.{word}' if path else word


def by_line(faults: Sequence[Fault]) -> list[Fault]:
    """Return faults in the order of the file."""
    return sorted(faults, key=lambda fault: fault.line or 0)
