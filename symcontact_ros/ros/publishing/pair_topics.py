"""
Pairs of bodies with wrench topics of their own: likely ones, and those that somebody listens to.

A model may have thousands of pairs, and a publisher costs a third of a millisecond to make. So
``max_pair_topics`` are advertised unasked, and the others as soon as the graph shows that somebody
subscribes to their topic with its type, for as long as that is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property

from rclpy.node import Node

from symcontact_ros.errors import counted, one_line, shown
from symcontact_ros.model.likely_pairs import likely_first
from symcontact_ros.model.model import Model
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.publishing.topics import OVERRIDES
from symcontact_ros.simulation.world.start_overlaps import body_pairs

TYPE = 'geometry_msgs/msg/WrenchStamped'
WORD = 'contact_wrench'
AT_ONCE = 50  # pairs that come or go in one look: steps wait for it
MOST = 3  # topics in a warning


def wrench_topic(body: str, other: str) -> str:
    """Return the topic of the wrench on a body by another one."""
    return f'~/bodies/{body}/{WORD}/{other}'


def advertised_pairs(model: Model, most: int, globs: tuple[str, ...]) -> frozenset[int]:
    """Return the rows of the pairs with topics unasked: likely ones, and those that match."""
    pairs = body_pairs(model).pairs
    wanted = [glob for glob in globs if glob]
    named = (
        i for i, (a, b) in enumerate(pairs) if any(fnmatchcase(f'{a}/{b}', g) for g in wanted)
    )
    return frozenset([*likely_first(model, pairs)[:most], *named])


class PairTopics:
    """
    The pairs of a model that have topics now.

    Parameters
    ----------
    node
        Whose topics they are.
    model
        Whose pairs they are.
    settings
        Limits of what is advertised unasked.

    Attributes
    ----------
    rows
        Of these pairs, in their order.

    """

    def __init__(self, node: Node, model: Model, settings: SimulationParameters) -> None:
        self._node, self._model = node, model
        self._start = f'{node.get_fully_qualified_name().rstrip("/")}/bodies/'
        self._pairs = body_pairs(model).pairs
        self._numbers = {pair: row for row, pair in enumerate(self._pairs)}
        self.rows: list[int] = []
        self._limits: tuple[int, tuple[str, ...]] | None = None
        self.configure(settings)
        self.rows = sorted(self._advertised | self._asked())

    def configure(self, settings: SimulationParameters) -> None:
        """Advertise other pairs, from the next look on."""
        limits = settings.max_pair_topics, settings.pair_topics
        if limits != self._limits:
            self._limits = limits
            self._advertised = advertised_pairs(self._model, *limits)

    def look(self) -> bool:
        """Look at the graph; return whether other pairs have topics now."""
        before = set(self.rows)
        if before == self._advertised and len(before) == len(self._pairs):
            return False
        wanted = self._advertised | self._asked()
        come, gone = sorted(wanted - before)[:AT_ONCE], sorted(before - wanted)[:AT_ONCE]
        self.rows = sorted(before.union(come).difference(gone))
        return bool(come or gone)

    def is_override(self, parameter: str) -> bool:
        """Return whether a parameter is the quality of service of a topic that may come."""
        topic, _, policy = parameter.removeprefix(OVERRIDES).partition('.')
        return policy.startswith('publisher.') and self._row(topic) is not None

    def _asked(self) -> frozenset[int]:
        """Return the pairs that somebody listens to, of those that are not advertised anyway."""
        if len(self._advertised) == len(self._pairs):
            return frozenset()
        with_topics = frozenset(self.rows)
        found = set()
        for name, kinds in self._node.get_topic_names_and_types():
            if TYPE in kinds and (row := self._row(name)) is not None:
                if row in self._advertised or row in found:
                    continue
                # It costs much less than to ask who, and with what type.
                kept = row in with_topics and self._node.count_subscribers(name)
                if kept or (row not in with_topics and TYPE in self._wanted_types(name)):
                    found.add(row)
        return frozenset(found)

    def _row(self, name: str) -> int | None:
        """Return the pair whose wrench has a topic; None: no topic of a pair is named so."""
        if name.startswith(self._start):
            pair = self._pair(name)
            return None if pair is None else self._numbers.get(pair)
        return None if name.startswith(self._start[: -len('bodies/')]) else self._renamed.get(name)

    def _pair(self, name: str) -> tuple[str, str] | None:
        """Return two bodies, a < b, that the name of a topic of this node has."""
        body, _, rest = name[len(self._start) :].partition('/')
        word, _, other = rest.partition('/')
        if word != WORD or not other:
            return None
        return (body, other) if body < other else (other, body)

    @cached_property
    def _renamed(self) -> dict[str, int]:
        """Pairs whose topics are remapped, by their names; made once somebody may ask for one."""
        found = {}
        for row, (a, b) in enumerate(self._pairs):
            for body, other in ((a, b), (b, a)):
                name = self._node.resolve_topic_name(wrench_topic(body, other))
                if not name.startswith(self._start):
                    found[name] = row
        return found

    def _wanted_types(self, name: str) -> set[str]:
        """Return the types with which a topic is subscribed to."""
        return {info.topic_type for info in self._node.get_subscriptions_info_by_topic(name)}

    # What nobody will answer --------------------------------------------------------------------

    def unanswered(self) -> str:
        """Return a line on subscriptions to wrenches of pairs that will hear nothing, or ''."""
        reasons = list(self._unanswered())
        if not reasons:
            return ''
        more = f' and {len(reasons) - MOST} more' if len(reasons) > MOST else ''
        return f'{counted(len(reasons), "subscription")} will hear nothing: ' + (
            '; '.join(reasons[:MOST]) + more
        )

    def _unanswered(self) -> Iterator[str]:
        for name, kinds in sorted(self._node.get_topic_names_and_types()):
            pair = self._pair(name) if name.startswith(self._start) else None
            if pair is None:
                continue
            why = self._why_not(pair)
            if why and self._node.count_subscribers(name):
                yield f'{one_line(name)}: {why}'
            elif not why and kinds != [TYPE] and self._wanted_types(name) - {TYPE}:
                yield f'{one_line(name)}: its type is {TYPE}'

    def _why_not(self, pair: tuple[str, str]) -> str:
        """Return why a pair has no wrench, or nothing."""
        if pair in self._numbers:
            return ''
        for name in pair:
            if name not in self._model.body_names:
                return f'there is no body {shown(name)}'
        return 'these bodies never touch'
