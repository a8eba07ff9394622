"""Options of ``load_model`` that can be judged without the model, as they are used after that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from symcontact_ros.errors import not_one_of, shown
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.description import Permissions
from symcontact_ros.model.file_kinds import is_xacro, is_yaml, XACRO
from symcontact_ros.model.including.include import BASES
from symcontact_ros.model.urdf.mesh_modes import mesh_mode, MESHES
from symcontact_ros.types import Pose


class CheckedOptions:
    """
    Options with what is wrong with them; a wrong one has its default.

    Attributes
    ----------
    faults
        What is wrong with them, a line each.
    """

    def __init__(self, file: Path) -> None:
        self.faults: list[str] = []
        self._file = file

    def base(self, base: object) -> str:
        """Return how the root of a URDF is joined to the world."""
        if not isinstance(base, str) or base not in BASES:
            self.faults.append(not_one_of('base', BASES, base))
        elif base != BASES[0] and is_yaml(self._file):
            self.faults.append(
                f'base {base!r} is for URDF files: a model file has the joints of its bodies'
            )
        else:
            return base
        return BASES[0]

    def permissions(
        self, include_paths: object, allow_xacro: object, meshes: object
    ) -> Permissions:
        """Return what the file may do."""
        if not isinstance(allow_xacro, bool):
            self.faults.append(f'allow_xacro must be True or False, got {shown(allow_xacro)}')
        if isinstance(meshes, str) and meshes not in MESHES:
            self.faults.append(not_one_of('meshes', MESHES, meshes))
        return Permissions(
            tuple(self._folders(include_paths)),
            allow_xacro is True,
            mesh_mode(meshes if meshes in MESHES else bool(meshes)),
        )

    def _folders(self, given: object) -> list[Path]:
        # A text is a sequence too: its characters, of which `/` is the folder of everything.
        entries = [given] if isinstance(given, str | Path) else given
        if not isinstance(entries, Iterable):
            self.faults.append(f'include_paths must be a list of folders, got {shown(given)}')
            return []
        found = []
        for entry in entries:
            if not isinstance(entry, str | Path) or not str(entry):
                self.faults.append(f'include_paths must have folders, got {shown(entry)}')
            elif not _is_folder(Path(entry)):
                self.faults.append(f'include_paths: no folder {shown(entry)}')
            else:
                found.append(Path(entry))
        return found

    def arguments(self, given: object) -> dict[str, str]:
        """Return the arguments of a xacro file."""
        if not given:
            return {}
        if not isinstance(given, Mapping):
            self.faults.append(f'arguments must be a mapping, got {shown(given)}')
        elif not is_xacro(self._file):
            self.faults.append(f'arguments are for {XACRO} files, and this is {self._file.name}')
        else:
            return {str(name): str(value) for name, value in given.items()}
        return {}

    def pose(self, pose: object) -> Mapping[str, Any] | None:
        """Return where the model is, as the model file has it."""
        if pose is None or isinstance(pose, Mapping):
            return pose
        if isinstance(pose, Pose):
            return {'position': plain(pose.position), 'quaternion': plain(pose.quaternion)}
        numbers = plain(pose)
        if isinstance(numbers, list) and len(numbers) in (3, 6):
            return {'position': numbers[:3], 'rpy': numbers[3:] or [0.0, 0.0, 0.0]}
        self.faults.append(
            'pose must be x, y, z, or x, y, z, roll, pitch, yaw, or a mapping or Pose of '
            f'both, got {shown(pose)}'
        )
        return None

    def world(self, world: object) -> str | Path | None:
        """Return the name or the file of what surrounds the model."""
        if world is None or isinstance(world, str | Path):
            return world
        self.faults.append(
            f'world must be a name such as `floor` or a model file, got {shown(world)}'
        )
        return None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except ValueError:  # a NUL in its name
        return False
