"""Log handler: messages of the package go to the logger of the node."""

from __future__ import annotations

import logging
from typing import Any

LEVELS = {logging.WARNING: 'warning', logging.ERROR: 'error', logging.CRITICAL: 'fatal'}


class RosHandler(logging.Handler):
    """Handler that passes records of Python's logging to a logger of rclpy."""

    def __init__(self, logger: Any) -> None:
        super().__init__(logging.INFO)
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        getattr(self._logger, LEVELS.get(record.levelno, 'info'))(record.getMessage())


def log_to(logger: Any) -> None:
    """Send all log messages of the package to a logger of rclpy."""
    own = logging.getLogger('symcontact_ros')
    own.handlers = [RosHandler(logger)]
    own.propagate = False
