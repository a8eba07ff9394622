"""URDF files in a model, and their texts as others see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from symcontact_ros.model.description import Description, RobotFile
from symcontact_ros.model.parts import WORLD


def robot_file(part: Description, path: Path, arguments: Mapping[str, str]) -> RobotFile:
    """Return what a description of a URDF remembers of its file."""
    bodies = part.data['bodies']
    is_world = any(body['joint'].get('parent') == WORLD for body in bodies.values())
    return RobotFile(
        str(part.data['name']),
        path,
        dict(arguments),
        '',
        dict(getattr(part, 'names', {})),
        tuple(bodies),
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0) if is_world else None,
    )


def renamed(robot: RobotFile, prefix: str) -> RobotFile:
    """Return the robot under a prefix."""
    return replace(
        robot,
        name=prefix + robot.name,
        prefix=prefix + robot.prefix,
        bodies=tuple(prefix + name for name in robot.bodies),
    )
