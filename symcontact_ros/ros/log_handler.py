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


_handlers: list[RosHandler] = []  # of the nodes of this process; the newest is used


def log_to(logger: Any) -> RosHandler:
    """Send all log messages of the package to a logger of rclpy, until `stop_logging`."""
    handler = RosHandler(logger)
    _handlers.append(handler)
    _use_newest()
    return handler


def stop_logging(handler: RosHandler) -> None:
    """Send log messages to the node that did so before, if there is one."""
    if handler in _handlers:
        _handlers.remove(handler)
        _use_newest()


def _use_newest() -> None:
    own = logging.getLogger('symcontact_ros')
    own.handlers = list(_handlers[-1:])
    own.propagate = not _handlers
