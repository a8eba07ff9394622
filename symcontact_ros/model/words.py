"""Words of a model for people: what it is, what to see in it, and which topic it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from symcontact_ros.model.building.reader import Section

# The topics, in the order in which models are listed, and the headings there.
TOPICS = {
    'paper': 'The five scenarios of the paper',
    'classics': 'Classics of mechanics',
    'control': 'Control',
    'space': 'Space',
    'biomechanics': 'Biomechanics',
    'robots': 'Robots',
}
LONGEST = 400  # characters of a description


@dataclass(frozen=True)
class Words:
    """Words that change nothing of what is simulated; '' where a model has none."""

    description: str = ''
    topic: str = ''  # a key of TOPICS


def read_words(root: Section) -> Words:
    """Return the words of a model file; faults are collected."""
    topic = root.text('topic', choices=tuple(TOPICS)) if 'topic' in root else ''
    return Words(_description(root) if 'description' in root else '', topic)


def _description(root: Section) -> str:
    """Return the description on one line."""
    given = root.take('description')
    if not isinstance(given, str):
        root.fault('description', 'a text is needed')
        return ''
    text = ' '.join(given.split())
    if len(text) > LONGEST:
        root.fault('description', f'at most {LONGEST} characters, got {len(text)}')
    elif not text.isprintable():
        root.fault('description', 'has characters that cannot be printed')
    return text


def without_words(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a model file without its words: all that is simulated."""
    return {key: value for key, value in data.items() if key not in ('description', 'topic')}
