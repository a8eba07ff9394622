"""Progress reports for a person who waits."""

from __future__ import annotations

from collections.abc import Callable
import sys

Progress = Callable[[str], None]


def report_progress(text: str) -> None:
    """Print progress, at a terminal or in a notebook."""
    if sys.stderr.isatty() or 'ipykernel' in sys.modules:
        print(f'symcontact: {text} ...', file=sys.stderr, flush=True)
