"""Progress reports for a person who waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
import sys

Progress = Callable[[str], None]
WAIT = 0.5  # [s]: what takes longer is told


def report_progress(text: str) -> None:
    """Print progress, at a terminal or in a notebook."""
    if sys.stderr.isatty() or 'ipykernel' in sys.modules:
        print(f'symcontact: {text} ...', file=sys.stderr, flush=True)


# Who is told while a model is loaded: by one who is asked once, far from those who know.
_listener: ContextVar[Progress] = ContextVar('listener', default=report_progress)


@contextmanager
def told_to(progress: Progress) -> Iterator[None]:
    """Tell progress of what is done inside to somebody."""
    before = _listener.set(progress)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(what: str, seconds: float = 1.0) -> None:
    """Say what is done now, and how long it takes [s], if that is worth saying."""
    if seconds >= WAIT:
        _listener.get()(with_time(what, seconds))


def with_time(what: str, seconds: float) -> str:
    """Return what is done, with the time that it takes [s] if one may wonder."""
    return what if seconds < 5.0 else f'{what}, {about(seconds)}'


def about(seconds: float) -> str:
    """Return a time [s] in words: `about 20 s`, `about 2 minutes`."""
    if seconds < 90.0:
        return f'about {5 * round(seconds / 5)} s'
    return f'about {seconds / 60:.0f} minutes'
