"""Bodies that overlap at the start: reported, or refused."""

from __future__ import annotations

from collections.abc import Iterable
import logging

from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.observing.pair_records import PairRecord
from symcontact_ros.simulation.world.world_memory import WorldMemory

DEEP = 0.05  # of the reach of the smaller shape
_log = logging.getLogger(__name__)


def check_overlaps(memory: WorldMemory, records: Iterable[PairRecord]) -> None:
    """Warn of pairs that overlap much at the start; OptionError where the model refuses any."""
    layout = memory.layout
    model = layout.model
    reaches: dict[str, float] = {}
    own = memory.image['shapes']['reach'].tolist()
    for (body, _), reach in zip(layout.placed, own, strict=True):
        name = model.bodies[body].name
        reaches[name] = min(reaches.get(name, reach), reach)
    refuse = model.initial_overlap == 'refuse'
    overlaps = []
    for record in records:
        found = record.proximity()
        least = 0.0 if refuse else DEEP * min(reaches[found.body_a], reaches[found.body_b])
        if found.penetration > least:
            overlaps.append(f'{found.body_a} is {found.penetration:.3g} m deep in {found.body_b}')
    if overlaps and refuse:
        raise OptionError(f'{model.name}: bodies overlap at the start: {"; ".join(overlaps)}')
    for text in overlaps:
        _log.warning('at the start %s', text)
