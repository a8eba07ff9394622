"""Log handler: messages of the package go to the logger of the node."""

from __future__ import annotations

import logging
from typing import Any

from symcontact_ros.errors import one_line

LEVELS = {logging.WARNING: 'warning', logging.ERROR: 'error', logging.CRITICAL: 'fatal'}


class RosHandler(logging.Handler):
    """Handler that passes records of Python's logging to a logger of rclpy."""

    def __init__(self, logger: Any) -> None:
        super().__init__(logging.INFO)
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Log one record."""
        getattr(self._logger, LEVELS.get(record.levelno, 'info'))(one_line(record.getMessage()))


_handlers: list[RosHandler] = []  # of the nodes of this process; the newest is used
_package = logging.getLogger('symcontact_ros')
_propagated: list[bool] = []  # whether it did before the first of them; empty without nodes


def log_to(logger: Any) -> RosHandler:
    """
    Send all log messages of the package to a logger of rclpy, until `stop_logging`.

    Handlers that the process has on the logger of the package stay, and get them too.
    """
    handler = RosHandler(logger)
    if _handlers:
        _package.removeHandler(_handlers[-1])
    else:
        _propagated.append(_package.propagate)
    _handlers.append(handler)
    _package.addHandler(handler)
    _package.propagate = False
    return handler


def stop_logging(handler: RosHandler) -> None:
    """Send log messages to the node that did so before, or where they went without nodes."""
    if handler not in _handlers:
        return
    _handlers.remove(handler)
    _package.removeHandler(handler)
    if _handlers:
        _package.addHandler(_handlers[-1])  # once, however often it is added
    else:
        _package.propagate = _propagated.pop()
