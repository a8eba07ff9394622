"""The integrator `implicit`: order 1, one stage a step."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import along, times
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.step.anchors import (
    begin_list,
    cut_anchor,
    lacks_room,
    listed_anchor,
    take_list,
    turned_stretch,
)
from symcontact_ros.simulation.step.articulated import count_limits, move_groups
from symcontact_ros.simulation.step.candidates import find_active_pairs, NO_ROOM, refresh
from symcontact_ros.simulation.step.implicit.booking import book_stage, stretched
from symcontact_ros.simulation.step.implicit.contact_rows import gather_contacts
from symcontact_ros.simulation.step.implicit.islands import find_islands
from symcontact_ros.simulation.step.implicit.masses import run_velocity
from symcontact_ros.simulation.step.implicit.stage import begin_stage, solve_stage
from symcontact_ros.simulation.step.motion import accept_bodies, accept_groups, fly_untouched
from symcontact_ros.simulation.world.solver_records import ContactRow
from symcontact_ros.simulation.world.world import World


def implicit(world: World[S, F, V]) -> bool:
    """Make a step of Euler's method with forces at its end: order 1, keeps angular momentum."""
    h = world.step_size
    if len(world.groups) > 0 and not world.is_moved:
        move_groups(world)
    active = find_active_pairs(world)
    if active == NO_ROOM or lacks_room(world, active):
        return False
    if not gather_contacts(world, active) or not find_islands(world):
        return False
    fly_untouched(world, h)
    begin_stage(world, h)
    solve_stage(world, h)
    book_stage(world, h)
    move_bodies(world, h)
    move_speeds(world, h)
    if len(world.groups) > 0:
        count_limits(world)
        accept_groups(world)
        move_groups(world)
        world.is_moved = True
    accept_bodies(world, True, h)
    accept_bodies(world, False, h)
    if world.sticks:
        write_anchors(world, h)
    return True


@separate
def move_bodies(world: World[S, F, V], h: float) -> None:
    """Move the floating bodies that take part, by the forces on them."""
    solver = world.solver
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            body.begin_load()
    for i in range(solver.row_count):
        push(world, solver.rows[i])
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            body.kick(world.stage, world.gravity, h)
            body.drift(world.stage, h)


def push(world: World[S, F, V], row: ContactRow) -> None:
    """Add the force of a contact to the loads of its bodies."""
    space, force = world.space, row.force
    total = along(along(times(force[0], row.normal), force[1], row.tangent), force[2], row.across)
    point, pushed = space.from_space(row.point), space.from_space(total)
    normal = space.from_space(row.normal)
    torque = force[3] * world.materials[row.material].torsional_radius
    for number, way in ((row.body_a, -1.0), (row.body_b, 1.0)):
        body = world.bodies[number]
        if body.kind == FLOATING:
            body.push(point, pushed, way)
            body.twist(normal, way * torque)


def move_speeds(world: World[S, F, V], h: float) -> None:
    """Move the groups at their new speeds."""
    solver = world.solver
    for number in range(len(world.groups)):
        group = world.groups[number]
        start = solver.blocks[group.block].start
        for i in range(group.u_count):
            world.stage[group.state + group.q_count + i] = solver.speeds[start + i]
        run_velocity(world, group)
        for i in range(group.q_count):
            world.stage[group.state + i] += h * group.rates[i]


@separate
def write_anchors(world: World[S, F, V], h: float) -> None:
    """Write the anchors of the contacts that touch, carried with their bodies."""
    solver = world.solver
    begin_list(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            refresh(world, body)
    for i in range(solver.row_count):
        row = solver.rows[i]
        material = world.materials[row.material]
        if not material.sticks or row.force[0] <= 0.0:
            continue
        anchor = listed_anchor(world, row.pair, row.feature)
        x, y, z = stretched(row, h, material.presliding)
        stretch = along(times(x, row.tangent), y, row.across)
        a, b = world.bodies[row.body_a], world.bodies[row.body_b]
        anchor.stretch = turned_stretch(stretch, a.turning, b.turning, h)
        anchor.twist = z
        anchor.normal_force = row.force[0]
        anchor.body_a = row.body_a
        anchor.body_b = row.body_b
        anchor.material = row.material
        anchor.point = row.point
        anchor.normal = row.normal
        cut_anchor(anchor, material.presliding)
    take_list(world)
