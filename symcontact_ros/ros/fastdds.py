"""Settings of Fast DDS, the default middleware: config/fastdds2.xml, with reasons."""

from __future__ import annotations

from importlib import metadata
import os
from pathlib import Path

from symcontact_ros.model.installed_files import share

VARIABLES = {2: 'FASTRTPS_DEFAULT_PROFILES_FILE', 3: 'FASTDDS_DEFAULT_PROFILES_FILE'}
BESIDE = 'DEFAULT_FASTRTPS_PROFILES.xml'  # read from the working folder
JAZZY = 7  # major version of the rclpy of Jazzy; later ones have Fast DDS 3


def use_profiles() -> None:
    """Select our file, before rclpy starts, unless the user has one."""
    if any(os.environ.get(name) for name in VARIABLES.values()) or Path(BESIDE).exists():
        return
    version = 2 if int(metadata.version('rclpy').split('.')[0]) <= JAZZY else 3
    os.environ[VARIABLES[version]] = str(share() / 'config' / f'fastdds{version}.xml')
