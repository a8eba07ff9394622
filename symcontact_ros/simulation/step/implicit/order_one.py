"""The integrator `implicit`: order 1, one stage a step."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.step.anchors import lacks_room
from symcontact_ros.simulation.step.articulated import move_groups, run_velocity
from symcontact_ros.simulation.step.candidates import find_active_pairs, NO_ROOM
from symcontact_ros.simulation.step.division import refuses
from symcontact_ros.simulation.step.implicit.booking import book_stage
from symcontact_ros.simulation.step.implicit.contact_rows import gather_contacts
from symcontact_ros.simulation.step.implicit.islands import find_islands
from symcontact_ros.simulation.step.implicit.moving import (
    accept_stage,
    kick_bodies,
    write_anchors,
    write_group_speeds,
)
from symcontact_ros.simulation.step.implicit.stage import begin_stage, solve_stage, write_starts
from symcontact_ros.simulation.step.motion import accept_bodies, fly_untouched
from symcontact_ros.simulation.world.world import World


def implicit(world: World[S, F, V]) -> bool:
    """Make a step of Euler's method with forces at its end: order 1, keeps angular momentum."""
    h = world.step_size
    active = begin_implicit(world)
    if active == NO_ROOM:
        return False
    one_stage(world, active, h)
    end_implicit(world, h)
    return True


def begin_implicit(world: World[S, F, V]) -> int:
    """Find active pairs and islands; return how many pairs, or NO_ROOM."""
    if len(world.groups) > 0 and not world.is_moved:
        move_groups(world)
    active = find_active_pairs(world)
    if active == NO_ROOM or (world.sticks and lacks_room(world, active)):
        return NO_ROOM
    if refuses(world, world.step_size):
        return NO_ROOM
    active = world.active_count
    return active if find_islands(world, active) else NO_ROOM


def one_stage(world: World[S, F, V], active: int, h: float) -> None:
    """Advance all that takes part by h [s], from a state whose motions are known."""
    gather_contacts(world, active)
    write_starts(world)
    finish_stage(world, h)


@separate
def finish_stage(world: World[S, F, V], h: float) -> None:
    """Advance all that takes part by h [s]; its contacts and velocities are written."""
    begin_joints(world)
    begin_stage(world, world.stage, h)
    solve_stage(world, h, True)
    book_stage(world, h, h, 0.5)
    kick_bodies(world, h)
    write_group_speeds(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            body.drift(world.stage, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        run_velocity(world, group)
        for i in range(group.q_count):
            world.stage[group.state + i] += h * group.rates[i]
    accept_stage(world, h)
    if world.sticks:
        write_anchors(world, h, 1.0, h)


def begin_joints(world: World[S, F, V]) -> None:
    """Let the dry friction of joints start from where it is."""
    for i in range(len(world.joints)):
        joint = world.joints[i]
        stretch = world.dry_stretches[i]
        joint.start_stretch = stretch
        joint.base_stretch = stretch
        joint.end_stretch = stretch


def end_implicit(world: World[S, F, V], h: float) -> None:
    """Move the bodies that took no part by h [s]."""
    fly_untouched(world, h)
    accept_bodies(world, False, h)
