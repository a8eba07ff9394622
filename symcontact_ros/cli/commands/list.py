"""``symcontact list``: the shipped models, by topic, and what to see in each."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from typing import Any

from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.model.words import TOPICS
from symcontact_ros.model.yaml_loader import read_yaml

OTHERS = 'Others'  # models without a topic
NARROWEST = 40  # columns that a description gets, however narrow the terminal


def run(options: argparse.Namespace) -> int:
    """Print name and description of every shipped model: a line each, wrapped on a terminal."""
    models = {name: read_yaml(path).data for name, path in shipped_models().items()}
    width = max(map(len, models))
    groups = {title: _of_topic(models, topic) for topic, title in TOPICS.items()}
    groups[OTHERS] = {n: about for n, about in models.items() if about.get('topic') not in TOPICS}
    shown = {title: members for title, members in groups.items() if members}
    for number, (title, members) in enumerate(shown.items()):
        print('\n' * (number > 0) + f'# {title}')
        for name, about in members.items():
            print(_line(f'{name:{width}}  ', ' '.join(about.get('description', '').split())))
    return 0


def _of_topic(models: dict[str, dict[str, Any]], topic: str) -> dict[str, dict[str, Any]]:
    return {name: about for name, about in models.items() if about.get('topic') == topic}


def _line(start: str, text: str) -> str:
    """Return a name and its description; lines of a terminal are not broken within words."""
    if not text or not sys.stdout.isatty():
        return (start + text).rstrip()
    columns = max(shutil.get_terminal_size().columns, len(start) + NARROWEST)
    indented = ' ' * len(start)
    return textwrap.fill(
        text, columns, initial_indent=start, subsequent_indent=indented, break_on_hyphens=False
    )
