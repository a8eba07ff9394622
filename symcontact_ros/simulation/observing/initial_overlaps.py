"""Bodies that overlap at the start: told, or refused."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from symcontact_ros.errors import OptionError

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation

DEEP = 0.05  # of the reach of the smaller shape
_log = logging.getLogger(__name__)


def check_start(simulation: Simulation) -> None:
    """Warn of pairs that overlap much at the start; OptionError where the model refuses any."""
    model = simulation.model
    reaches: dict[str, float] = {}
    own = simulation._image['shapes']['reach'].tolist()
    for (body, _), reach in zip(simulation._tables.placed, own, strict=True):
        name = model.bodies[body].name
        reaches[name] = min(reaches.get(name, reach), reach)
    refuse = model.initial_overlap == 'refuse'
    told = []
    for record in simulation.records(0.0):
        found = record.proximity()
        least = 0.0 if refuse else DEEP * min(reaches[found.body_a], reaches[found.body_b])
        if found.penetration > least:
            told.append(f'{found.body_a} is {found.penetration:.3g} m deep in {found.body_b}')
    if told and refuse:
        raise OptionError(f'{model.name}: bodies overlap at the start: {"; ".join(told)}')
    for text in told:
        _log.warning('at the start %s', text)
