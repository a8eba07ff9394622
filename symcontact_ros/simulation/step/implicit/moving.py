"""Motion of bodies and groups in implicit steps, and their anchors of friction."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import along, times
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.step.anchors import (
    begin_list,
    copy_anchor,
    cut_anchor,
    listed_anchor,
    take_list,
    turned_stretch,
)
from symcontact_ros.simulation.step.articulated import count_limits, move_groups
from symcontact_ros.simulation.step.candidates import refresh
from symcontact_ros.simulation.step.implicit.booking import accept_energies, stretched
from symcontact_ros.simulation.step.motion import accept_bodies, accept_groups
from symcontact_ros.simulation.world.solver_records import ContactRow
from symcontact_ros.simulation.world.world import World


@separate
def kick_bodies(world: World[S, F, V], h: float) -> None:
    """Change the velocities of the floating bodies that take part as their loads do in h [s]."""
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


def push(world: World[S, F, V], row: ContactRow) -> None:
    """Add the force of a contact to the loads of its bodies."""
    space, force = world.space, row.force
    total = along(along(times(force[0], row.normal), force[1], row.tangent), force[2], row.across)
    point, pushed = space.from_space(row.point), space.from_space(total)
    torque = times(force[3] * row.radius, row.normal)
    for number, way in ((row.body_a, -1.0), (row.body_b, 1.0)):
        body = world.bodies[number]
        if body.kind == FLOATING:
            body.push(point, pushed, way)
            body.twist_by(torque, way)


def write_group_speeds(world: World[S, F, V]) -> None:
    """Write the velocities of the solver to the stage, of all groups."""
    solver = world.solver
    for number in range(len(world.groups)):
        group = world.groups[number]
        start = solver.blocks[group.block].start
        for i in range(group.u_count):
            world.stage[group.state + group.q_count + i] = solver.speeds[start + i]


@separate
def move_all(world: World[S, F, V]) -> None:
    """Write the motions of all that takes part, from the stage."""
    if len(world.groups) > 0:
        move_groups(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            refresh(world, body)


@separate
def accept_stage(world: World[S, F, V], h: float) -> None:
    """Take the stage as the state of all that takes part, after h [s]."""
    accept_energies(world)
    if len(world.groups) > 0:
        count_limits(world)
        accept_groups(world)
    move_all(world)
    accept_bodies(world, True, h)
    world.is_moved = True


# Anchors ----------------------------------------------------------------------------------------


@separate
def write_anchors(world: World[S, F, V], h: float, factor: float, duration: float) -> None:
    """
    Write the anchors of the contacts that touch, carried with their bodies.

    Their stretch has changed by a factor times what it does in a stage of h [s]: 1 at the end of a
    step. They turn with their bodies for a duration [s].
    """
    solver = world.solver
    begin_list(world)
    for i in range(solver.row_count):
        row = solver.rows[i]
        material = world.materials[row.material]
        if not material.sticks or row.force[0] <= 0.0:
            continue
        anchor = listed_anchor(world, row.pair, row.feature)
        x, y, z = stretched(row, h, material.presliding)
        s = row.stretch
        x, y, z = (
            s[0] + factor * (x - s[0]),
            s[1] + factor * (y - s[1]),
            s[2] + factor * (z - s[2]),
        )
        stretch = along(times(x, row.tangent), y, row.across)
        a, b = world.bodies[row.body_a], world.bodies[row.body_b]
        anchor.stretch = turned_stretch(stretch, a.turning(), b.turning(), duration)
        anchor.twist = z
        anchor.normal_force = row.force[0]
        anchor.body_a = row.body_a
        anchor.body_b = row.body_b
        anchor.material = row.material
        anchor.radius = row.radius
        anchor.point = row.point
        anchor.normal = row.normal
        if factor == 1.0:
            cut_anchor(anchor, material.presliding)
    take_list(world)


def keep_anchors(world: World[S, F, V]) -> None:
    """Store the anchors, to go back to them."""
    solver = world.solver
    solver.kept_anchors = world.anchor_count
    for i in range(world.anchor_count):
        copy_anchor(world.anchors[i], solver.anchors[i])


def restore_anchors(world: World[S, F, V]) -> None:
    """Go back to the anchors that were stored."""
    solver = world.solver
    world.new_anchor_count = solver.kept_anchors
    for i in range(solver.kept_anchors):
        copy_anchor(solver.anchors[i], world.new_anchors[i])
    take_list(world)
