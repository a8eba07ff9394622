"""URDF files in a model, and their texts as others see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from symcontact_ros.model.description import RobotFile
from symcontact_ros.model.parts import WORLD
from symcontact_ros.model.urdf.elements import UrdfDescription
from symcontact_ros.placements import AT_ORIGIN


def robot_file(part: UrdfDescription, path: Path) -> RobotFile:
    """Return what a description of a URDF remembers of its file."""
    bodies = part.data['bodies']
    is_world = any(body['joint'].get('parent') == WORLD for body in bodies.values())
    return RobotFile(
        str(part.data['name']),
        path,
        '',
        dict(part.names),
        tuple(bodies),
        tuple(part.freed),
        AT_ORIGIN if is_world else None,
        None if part.expanded is None else part.expanded.text,
    )


def description_text(robot: RobotFile) -> str:
    """Return the text of ``robot_description``: the URDF, with the names of the model."""
    from symcontact_ros.model.urdf.file import robot_text  # lxml: only where it is used

    return robot_text(robot.path, _Names(robot), robot.expanded, robot.freed)


class _Names(Mapping[str, str]):
    """Name in the model of every name in a URDF; their number is not known."""

    def __init__(self, robot: RobotFile) -> None:
        self._robot = robot

    def __getitem__(self, name: str) -> str:
        if not isinstance(name, str):
            raise KeyError(name)
        if name == WORLD and name not in self._robot.names:  # the root link
            return self._robot.world_frame if self._robot.is_moved else WORLD
        return self._robot.prefix + self._robot.names.get(name, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._robot.names)

    def __len__(self) -> int:
        return len(self._robot.names)


def renamed(robot: RobotFile, prefix: str) -> RobotFile:
    """Return the robot under a prefix."""
    return replace(
        robot,
        name=prefix + robot.name,
        prefix=prefix + robot.prefix,
        bodies=tuple(prefix + name for name in robot.bodies),
    )
