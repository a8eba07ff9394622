"""Folder of log files of ROS, without which rclpy does not start; the node does without files."""

from __future__ import annotations

from collections.abc import Mapping
import os
import sys

from symcontact_ros.errors import one_line

WITHOUT_FILES = ('--ros-args', '--disable-external-lib-logs', '--')


def log_arguments(environment: Mapping[str, str]) -> list[str]:
    """Return ROS arguments that turn log files off, with a word, where none can be written."""
    folder = log_folder(environment)
    if folder is not None and _is_usable(folder):
        return []
    where = 'without a home folder' if folder is None else f'to {one_line(folder)}'
    print(f'no log file: nothing can be written {where}; set ROS_LOG_DIR', file=sys.stderr)
    return list(WITHOUT_FILES)


def log_folder(environment: Mapping[str, str]) -> str | None:
    """Return the folder that rcl takes: of ROS_LOG_DIR, ROS_HOME or HOME; None without these."""
    folder = environment.get('ROS_LOG_DIR')
    if not folder:
        folder = os.path.join(environment.get('ROS_HOME') or os.path.join('~', '.ros'), 'log')
    if not folder.startswith('~'):
        return folder
    home = environment.get('HOME')
    return home + folder[1:] if home else None


def _is_usable(folder: str) -> bool:
    """Return whether files can be made in a folder, which is made if it is not there."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
