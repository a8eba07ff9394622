"""Faults of input, gathered and told all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing wrong with an input: where it stands and what is needed instead."""

    source: str  # the file, or what stands for it
    line: int | None  # 1-based; None where a line means nothing
    key: str  # dotted path, e.g. `bodies.ball.mass`; empty for the whole file
    reason: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f'{self.source}:{self.line}'
        return ': '.join(part for part in (place, self.key, self.reason) if part)


class SymcontactError(Exception):
    """Base of every error that is the user's to mend; its text is the message to show."""


class ModelError(SymcontactError, ValueError):
    """A model that cannot be simulated; ``faults`` lists everything wrong with it."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__('\n'.join(map(str, self.faults)))


class OptionError(SymcontactError, ValueError):
    """A setting of the simulation or of the node with a value it cannot have."""


class DivergenceError(SymcontactError, ArithmeticError):
    """The state became NaN or infinite in a step; the state is that before the step."""


class MissingPackageError(SymcontactError, ImportError):
    """Something optional is asked for and not installed; the text says how to get it."""
