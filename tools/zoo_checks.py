"""Finite nonsense: states that no robot of the zoo can have, whatever it does."""

from __future__ import annotations

from typing import Any

import numpy as np

UNWARNED = 0.2  # of the energy that an integrator may lose; it warns at 0.1, seen within 0.1 s
FAR = 100.0  # from its place at the start [m]
FAST = 1000.0  # of a body [m/s]

Facts = dict[str, Any]


class Nonsense(Exception):  # noqa: N818 - a finding, not an error
    """A finite state that cannot be; the text says what is wrong with it."""


def check_state(simulation: Any, start: dict[str, Any]) -> None:
    """Raise Nonsense for a state that is finite and cannot be."""
    energy = simulation.energy()
    at = f'at {simulation.time:g} s'
    says_so = 'residual' in simulation.parts.reports.alerts(simulation.max_substeps)
    allowed = simulation.parts.live.memory.world.guard.max_residual  # more of lower orders
    limit = allowed if says_so else UNWARNED * allowed
    if not abs(energy.residual) <= limit * energy.throughput + 1e-9:
        part = f'{energy.residual:.3g} J of {energy.throughput:.3g} J'
        raise Nonsense(f'energy balance is open by {part} {at}')
    for name, pose in simulation.poses().items():
        if not np.linalg.norm(np.array(pose.position) - start[name]) < FAR:
            raise Nonsense(f'{name} is at {np.round(pose.position, 1).tolist()} m {at}')
    for name, twist in simulation.twists().items():
        if not np.linalg.norm(twist.linear) < FAST:
            raise Nonsense(f'{name} has {np.linalg.norm(twist.linear):.3g} m/s {at}')
    reach = simulation.parts.live.memory.image['shapes']['reach']
    for record in simulation.records(0.0):
        found, size = record.proximity(), float(min(reach[list(record.shapes)]))
        if found.penetration > size:
            depth = f'{found.penetration:.3g} m deep in {found.body_b}, size {size:.3g} m'
            raise Nonsense(f'{found.body_a} is {depth} {at}')
