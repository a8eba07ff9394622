"""
Description: a model as nested plain data, before it is checked; common to all file formats.

The keys are those of the model file. Values are dictionaries, lists, numbers, booleans and texts;
a text where a number is wanted is a formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
import re
from typing import Any

from symcontact_ros.errors import Fault
from symcontact_ros.model.parts import Limit
from symcontact_ros.placements import AT_ORIGIN, Placement


@dataclass(frozen=True)
class Permissions:
    """Rights that the user gives to the file of a model, and that the file cannot take."""

    include_paths: tuple[Path, ...] = ()  # folders in which it may include files, beside its own
    allow_xacro: bool = False  # whether it may include xacro files, which are programs
    meshes: str = 'hull'  # what meshes of robots become: see `urdf.mesh_modes`


@dataclass(frozen=True)
class RobotFile:
    """A URDF that bodies of a model come from."""

    name: str  # of the robot in the model
    path: Path
    prefix: str  # of its names in the model
    names: Mapping[str, str]  # name in the URDF -> ours without prefix, where they differ
    bodies: tuple[str, ...]  # in the model
    freed: tuple[str, ...] = ()  # joints, by their names in the URDF, that are free here only
    # Of its root link `world`, in formulas of the model; None: the root is another link.
    world_pose: Placement | None = None
    expanded: bytes | None = field(default=None, repr=False)  # of a xacro file: the URDF

    @property
    def topic(self) -> str:
        """Its name in topics, where there are several robots."""
        return self.prefix.rstrip('_') or self.name

    @property
    def is_moved(self) -> bool:
        """Whether its root link `world` is not the origin of the world."""
        return self.world_pose not in (None, AT_ORIGIN)

    @property
    def world_frame(self) -> str:
        """The frame that its root link `world` has in a world where it has been moved."""
        return f'{self.name}_world'


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
    permissions: Permissions = Permissions()
    is_incomplete: bool = False  # whether something of it could not be read
    robots: list[RobotFile] = field(default_factory=list)  # the URDF files in it
    # Of a URDF: its names -> ours, where they differ, and its fixed joints that are free here.
    names: dict[str, str] = field(default_factory=dict)
    freed: list[str] = field(default_factory=list)

    def fault(self, path: str, reason: str) -> None:
        """Add a fault of the value at a path, at its line or that of the mapping around it."""
        self.faults.append(self._at(path, reason))

    def add_warning(self, path: str, text: str) -> None:
        """Add a warning of the value at a path, at its line."""
        self.warnings.append(str(self._at(path, text)))

    def add_note(self, path: str, text: str) -> None:
        """Add what a user may want to know of the value at a path, though nothing is missing."""
        self.notes.append(str(self._at(path, text)))

    def source_of(self, path: str) -> str:
        """Return the file that the value at a path comes from."""
        return self.sources.get(self._known(path), self.source)

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
