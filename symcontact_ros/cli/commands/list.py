"""``symcontact list``: the shipped models."""

from __future__ import annotations

import argparse

from symcontact_ros.model.installed_files import shipped_models


def run(options: argparse.Namespace) -> int:
    """Print name and first line of every shipped model."""
    models = shipped_models()
    width = max(map(len, models))
    for name, path in models.items():
        summary = path.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')
        print(f'{name:{width}}  {summary}')
    return 0
