"""``symcontact view``: a page that shows a running simulation, in any browser."""

from __future__ import annotations

import argparse

from symcontact_ros.view.executable import run as run_view


def run(options: argparse.Namespace) -> int:
    """Serve the page until stopped."""
    return run_view(options, options.ros_arguments)
