"""Numbers of URDF elements, with every fault at its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
import math
from typing import Any

from symcontact_ros.errors import Fault
from symcontact_ros.model.description import Description
from symcontact_ros.model.urdf.number_texts import LONGEST, read_number, read_numbers
from symcontact_ros.model.urdf.xacro_expansion import Expanded

Element = Any  # of lxml, which carries no types


@dataclass
class UrdfDescription(Description):
    """Contents of a URDF in the keys of the model file, and what was changed or left out."""

    hull_gaps: dict[str, float] = field(default_factory=dict)  # of simplified meshes, by path [m]
    expanded: Expanded | None = None  # what xacro made of the file

    def mark(self, path: str, element: Element) -> None:
        """Store the line of a path."""
        self.lines[path] = element.sourceline

    def refuse(self, element: Element, path: str, reason: str) -> None:
        """Add a fault at the line of an element."""
        self.faults.append(Fault(self.source, element.sourceline, path, reason))

    def warn(self, element: Element, path: str, text: str) -> None:
        """Add a warning."""
        self.warnings.append(str(Fault(self.source, element.sourceline, path, text)))

    def note(self, element: Element, path: str, text: str) -> None:
        """Add what a user may want to know of a file that lacks nothing."""
        self.notes.append(str(Fault(self.source, element.sourceline, path, text)))


def children(element: Element, tag: str) -> list[Element]:
    """Return the children of a tag in the namespace of their parent, in the order of the file."""
    namespace, closed, _ = element.tag.rpartition('}')
    return list(element.iterchildren(f'{namespace}{closed}{tag}'))


def child(element: Element, tag: str) -> Element | None:
    """Return the first child of a tag."""
    return next(iter(children(element, tag)), None)


def local_name(element: Element) -> str:
    """Return the tag without its namespace."""
    return str(element.tag).rpartition('}')[2]


def number(
    description: UrdfDescription,
    element: Element,
    attribute: str,
    path: str,
    *,
    default: float | None = None,
    minimum: float = -math.inf,
    infinite: bool = False,
) -> float:
    """Return a number >= minimum, finite unless it may be infinite; otherwise 0.0 and a fault."""
    description.mark(path, element)
    text = element.get(attribute)
    if text is None:
        if default is None:
            description.refuse(element, path, f'<{local_name(element)}> needs `{attribute}`')
        return default or 0.0
    try:
        value, doubt = read_number(text, infinite)
        if value < minimum:
            raise ValueError(f'must be >= {minimum:g}')
    except ValueError as error:
        reason = f'{shown(element, attribute)} {str(error).lstrip()}'
        description.refuse(element, path, reason)
        return 0.0
    if doubt:
        description.warn(element, path, f'{shown(element, attribute)} {doubt}')
    return value


def numbers(
    description: UrdfDescription,
    element: Element | None,
    attribute: str,
    path: str,
    *,
    default: Sequence[float] | None = (0.0, 0.0, 0.0),
    minimum: float = -math.inf,
) -> list[float]:
    """Return finite numbers >= minimum, as many as in the default: three; otherwise a fault."""
    fallback = list(default or (0.0, 0.0, 0.0))
    if element is None:
        return fallback
    description.mark(path, element)
    text = element.get(attribute)
    if text is None:
        if default is None:
            description.refuse(element, path, f'<{local_name(element)}> needs `{attribute}`')
        return fallback
    try:
        values, doubt = read_numbers(text, len(fallback))
        if min(values) < minimum:
            raise ValueError(f' must be >= {minimum:g}, all of them')
    except ValueError as error:
        description.refuse(element, path, f'{shown(element, attribute)}{error}')
        return fallback
    if doubt:
        description.warn(element, path, f'{shown(element, attribute)} {doubt}')
    return values


def shown(element: Element, attribute: str) -> str:
    """Return an element as a message shows it, with one attribute: ``<mass value="abc">``."""
    value = ' '.join(element.get(attribute, '').split())
    short = value if len(value) <= LONGEST else f'{value[:LONGEST]}...'
    return f'<{local_name(element)} {attribute}="{short}">'
