"""Kinds of files of models, by the endings of their names, in letters of either case."""

from __future__ import annotations

from pathlib import Path

YAML = ('.yaml', '.yml')
XACRO = '.xacro'
URDF = ('.urdf', XACRO)
ENDINGS = f'{YAML[0]}, {URDF[0]} or {XACRO}'  # as messages name them


def is_yaml(path: Path) -> bool:
    """Return whether a file is a model file."""
    return path.suffix.lower() in YAML


def is_xacro(path: Path) -> bool:
    """Return whether a file is a program that writes a URDF."""
    return path.suffix.lower() == XACRO


def is_urdf(path: Path) -> bool:
    """Return whether a file is a URDF, or writes one."""
    return path.suffix.lower() in URDF
