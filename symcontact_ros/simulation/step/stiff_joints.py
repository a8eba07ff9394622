"""Joints whose damping or friction is too much for their inertia and the length of a step."""

from __future__ import annotations

import numpy as np

from symcontact_ros.simulation.step.articulated import SLIP
from symcontact_ros.simulation.world.live_model import LiveModel


def stiff_joint(live: LiveModel) -> str:
    """
    Return the joint that needs the most substeps for its losses, and the way out.

    Empty where all joints have enough substeps for theirs.
    """
    world = live.memory.world
    rows = live.memory.image['joints']
    drag = rows['damping'] + rows['kd'] + rows['friction'] * (0.5 / SLIP)
    needs = drag * rows['mobility'] * world.step_size / world.rate_limit
    if not len(needs) or not needs.max() > world.max_substeps:
        return ''
    worst = int(np.argmax(needs))
    row = rows[worst]
    losses = {'damping': row['damping'] + row['kd'], 'friction': row['friction']}
    named = ' and '.join(f'{name} {value:g}' for name, value in losses.items() if value > 0.0)
    return (
        f'joint {live.model.joint_names[worst]!r} needs {needs[worst]:.3g} substeps for {named} '
        f'on an inertia of {1.0 / row["mobility"]:.3g}: give it an armature'
    )
