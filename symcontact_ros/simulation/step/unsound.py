"""Error message of a run that a guard has stopped."""

from __future__ import annotations

from collections.abc import Sequence
import math

import numpy as np

from symcontact_ros.simulation.step.stiff_joints import stiff_joint
from symcontact_ros.simulation.world.guard_records import DEEP, UNSOLVED, UNSTABLE
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.types import Proximity

SOFTER = 'make step_size smaller, the stiffness lower, or max_substeps larger'
HARDER = 'make the stiffness higher, the loads lighter, or step_size smaller'
KEPT = 'the state is kept'


def unsound_message(live: LiveModel, time: float, proximities: Sequence[Proximity]) -> str:
    """Return what a guard has found at a time [s], and what to change."""
    guard = live.memory.world.guard
    at = f'at {time:.6g} s'
    if guard.reason == DEEP:
        a, b = _bodies_of(live, guard.pair)
        ratio = guard.depth / guard.thickness
        # Seen within the step or at its end: the state that is kept may be less deep again.
        return (
            f'{a} - {b}: {guard.depth:.3g} m deep in the step to {time:.6g} s, {ratio:.3g} of the '
            f'thinner body, more than max_depth_ratio {guard.max_depth_ratio:g}; {KEPT}: '
            f'{HARDER}, start them apart, or `exclude` the pair'
        )
    where = _where(live, proximities)
    if guard.reason == UNSTABLE:
        world = live.memory.world
        return (
            f'{where}: {guard.unstable_steps} steps in a row {at} were too long to be stable, '
            f'more than max_exceeded_steps {guard.max_unstable}: up to {world.largest_need:.3g} '
            f'substeps are needed, max_substeps is {world.max_substeps}; {KEPT}: {SOFTER}'
        )
    if guard.reason == UNSOLVED:
        return (
            f'{where}: the implicit step {at} has found no velocities; {KEPT}: make the loads or '
            'the stiffness lower, or step_size smaller'
        )
    if not math.isfinite(guard.residual) or not math.isfinite(guard.seen):
        return (
            f'{where}: the energies {at} are too large for a number, more than max_residual '
            f'{guard.max_residual:g} allows; {KEPT}: {SOFTER}'
        )
    part = abs(guard.residual) / guard.seen
    return (
        f'{where}: the energy balance is open by {guard.residual:.3g} J {at}, {part:.3g} of the '
        f'energy throughput, more than max_residual {guard.max_residual:g}; {KEPT}: {SOFTER}'
    )


def _bodies_of(live: LiveModel, pair: int) -> tuple[str, str]:
    row = int(live.memory.image['shape_pairs']['bodies'][pair])
    return live.memory.layout.body_pairs[row]


def _where(live: LiveModel, proximities: Sequence[Proximity]) -> str:
    """Return a stiff joint, one beyond its stop, the deepest pair, or the fastest body."""
    if stiff := stiff_joint(live):
        return stiff
    rows = live.memory.image['joints']
    q = live.memory.state[rows['q']]
    beyond = np.maximum(rows['lower'] - q, q - rows['upper'])
    stops = np.maximum(beyond, 0.0) ** 2 * rows['limit_stiffness']
    deepest = min(proximities, key=lambda p: p.distance, default=None)
    if len(stops) and stops.max() > 0.0:
        worst = int(stops.argmax())
        name = live.model.joint_names[worst]
        text = f'joint {name!r}, {beyond[worst]:.3g} beyond its stop'
        if deepest is None or deepest.distance >= 0.0:
            return text
        return f'{text}, or {_pair(deepest)}'
    if deepest is not None and deepest.distance < 0.0:
        return _pair(deepest)
    with np.errstate(over='ignore'):
        fastest = int(np.argmax(np.abs(live.memory.state)))
    return f'body {live.memory.layout.owner(fastest)!r}'


def _pair(deepest: Proximity) -> str:
    return f'{deepest.body_a} - {deepest.body_b}, {deepest.penetration:.3g} m deep'
