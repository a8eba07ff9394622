"""What we ask of Fast DDS, the default middleware of Jazzy; see config/fastdds.xml."""

from __future__ import annotations

import os
from pathlib import Path

from symcontact_ros.model.library import share

# Fast DDS 3 reads the second only, and its files are written differently: ours is for the first.
VARIABLES = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE')
BESIDE = 'DEFAULT_FASTRTPS_PROFILES.xml'  # read from the working folder


def use_profiles() -> None:
    """Name our file, before rclpy starts, where the user has none; others do not read it."""
    if not any(os.environ.get(name) for name in VARIABLES) and not Path(BESIDE).exists():
        os.environ[VARIABLES[0]] = str(share() / 'config' / 'fastdds.xml')
