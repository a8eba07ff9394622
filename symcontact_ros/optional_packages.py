"""Packages that only some commands need, and how a user gets each of them."""

from __future__ import annotations

from typing import NamedTuple

from symcontact_ros.errors import MissingPackageError

BY_PIP_KEY = 'PIP_BREAK_SYSTEM_PACKAGES=1 rosdep install symcontact_ros'


class Source(NamedTuple):
    """Where a package comes from."""

    system: str  # command for a machine with ROS 2 and apt; empty: there is none
    extra: str  # of pip


SOURCES = {
    'coacd': Source('', 'meshes'),
    'cvxpy': Source(BY_PIP_KEY, 'co'),
    'distributed': Source('', 'sweep'),
    'ecos': Source('', 'co'),
    'example-robot-data': Source('', 'gym'),
    'ffmpeg': Source('sudo apt install ffmpeg', 'video'),
    'gymnasium': Source('', 'gym'),
    'lxml': Source('sudo apt install python3-lxml', 'urdf'),
    'lz4': Source('', 'record'),
    'matplotlib': Source('sudo apt install python3-matplotlib', 'record'),
    'pyarrow': Source('', 'sweep'),
    'pycollada': Source('sudo apt install python3-collada', 'urdf'),
    'tornado': Source('sudo apt install python3-tornado', 'view'),
    'trimesh': Source(BY_PIP_KEY, 'urdf'),
    'xacro': Source('sudo apt install ros-$ROS_DISTRO-xacro', 'urdf'),
    'zstandard': Source('', 'record'),
}


def way_to(package: str) -> str:
    """Return how to install a package: that of the system where there is one, then pip."""
    system, extra = SOURCES[package]
    return ', or '.join(way for way in (system, f"pip install 'symcontact_ros[{extra}]'") if way)


def missing(need: str, package: str) -> MissingPackageError:
    """Return the error of a package that is not installed; ``need`` is what needs it."""
    return MissingPackageError(
        f'{need} needs {package}, which is not installed: {way_to(package)}'
    )
