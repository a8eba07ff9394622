"""
Description: a model as nested plain data, before it is checked; common to all file formats.

The keys are those of the model file. Values are dictionaries, lists, numbers, booleans and texts;
a text where a number is wanted is a formula.
"""

from __future__ import annotations

from dataclasses import dataclass, field
import re
from typing import Any

from symcontact_ros.errors import Fault
from symcontact_ros.model.parts import Limit


@dataclass
class Description:
    """Contents of a file, with the line of every key."""

    source: str  # the file, as the user named it
    data: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)  # `bodies.ball.shapes[0]` -> 1-based line
    sources: dict[str, str] = field(default_factory=dict)  # paths that come from another file
    faults: list[Fault] = field(default_factory=list)  # found so far
    warnings: list[str] = field(default_factory=list)  # what was left out or is doubtful
    notes: list[str] = field(default_factory=list)  # what a user may want to know
    limits: list[Limit] = field(default_factory=list)  # of formulas, found while reading

    def fault(self, path: str, reason: str) -> None:
        """Add a fault of the value at a path, at its line or that of the mapping around it."""
        self.faults.append(self._at(path, reason))

    def add_warning(self, path: str, text: str) -> None:
        """Add a warning of the value at a path, at its line."""
        self.warnings.append(str(self._at(path, text)))

    def add_note(self, path: str, text: str) -> None:
        """Add what a user may want to know of the value at a path, though nothing is missing."""
        self.notes.append(str(self._at(path, text)))

    def line(self, path: str) -> int | None:
        """Return the line of a path, or of the nearest path around it."""
        return self.lines.get(self._known(path))

    def _at(self, path: str, text: str) -> Fault:
        known = self._known(path)
        source = self.sources.get(known, self.source)
        return Fault(source, self.lines.get(known), path, text)

    def _known(self, path: str) -> str:
        while path and path not in self.lines:
            shorter = re.sub(r'(\.[^.\[]+|\[\d+\])\Z|\A[^.\[]+\Z', '', path)
            path = shorter if shorter != path else ''
        return path
