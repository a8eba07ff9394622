"""Contact points of an implicit step, with the Jacobians of their relative velocities."""

from __future__ import annotations

from symcontact_ros.collision.contact_points import ContactPoint, deepest
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import cross, dot, minus, norm, perpendicular, times
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import ARTICULATED, Body, FLOATING, LinkFrame
from symcontact_ros.simulation.step.anchors import find_anchor, NO_ANCHOR, projected_stretch
from symcontact_ros.simulation.step.forces import normal_at_point, write_points
from symcontact_ros.simulation.step.guards import watch_depth
from symcontact_ros.simulation.step.implicit.elimination import shift_between
from symcontact_ros.simulation.step.implicit.islands import block_of, order_rows
from symcontact_ros.simulation.step.sticking import lone_radius
from symcontact_ros.simulation.world.solver_records import ContactRow, NO_BLOCK
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import CandidatePair


@separate
def gather_contacts(world: World[S, F, V], active: int) -> None:
    """Write the contact points that may touch in this step, by the motions of this moment."""
    solver = world.solver
    solver.row_count = 0
    solver.column_count = 0
    if active > 0:
        turn_columns(world)
    for i in range(active):
        gather_pair(world, world.candidates[world.active_pairs[i]])
    order_rows(solver)


def gather_pair(world: World[S, F, V], pair: CandidatePair) -> None:
    """Write the contact points of a pair."""
    a = world.bodies[world.shapes[pair.shape_a].body]
    b = world.bodies[world.shapes[pair.shape_b].body]
    count, normal = write_points(world, pair)
    only = deepest(world.points, count) if world.is_single else 0
    margin = a.reachable - a.travelled + b.reachable - b.travelled
    for i in range(count):
        contact = world.points[i]
        if (world.is_single and i != only) or contact.distance > margin:
            continue
        watch_depth(world, pair, -contact.distance)
        share = 1.0 if world.is_single else contact.shares * world.shares[pair.slot]
        add_contact(world, pair, contact, normal_at_point(world, pair, i, normal), share)


def add_contact(
    world: World[S, F, V],
    pair: CandidatePair,
    contact: ContactPoint,
    normal: V,
    share: float,
) -> None:
    """Write one contact point."""
    solver = world.solver
    number, column = solver.row_count, solver.column_count
    body_a, body_b = world.shapes[pair.shape_a].body, world.shapes[pair.shape_b].body
    a, b = world.bodies[body_a], world.bodies[body_b]
    row = solver.rows[number]
    row.pair = pair.number
    row.feature = contact.feature
    row.body_a = body_a
    row.body_b = body_b
    row.material = pair.material
    row.share = share
    row.point = contact.point
    row.depth = -contact.distance
    write_axes(row, world.space.in_space(normal), world.space.IS_PLANAR)
    row.radius = lone_radius(world, pair)
    take_anchor(world, row)
    row.first_column = column
    row.column_count = 0
    block_a, block_b = block_of(world, a), block_of(world, b)
    row.block = block_b if block_b != NO_BLOCK else block_a
    row.shift = shift_between(solver, block_a, block_b)
    add_body(world, row, a, -1.0)
    row.split = row.column_count
    add_body(world, row, b, 1.0)
    for k in range(column, column + row.column_count):
        solver.column_of[solver.columns[k].velocity] = -1
    solver.column_count = column + row.column_count
    if row.block != NO_BLOCK:
        solver.row_count = number + 1


def write_axes(row: ContactRow, normal: Triple, is_planar: bool) -> None:
    """Write the normal and two tangents."""
    row.normal = normal
    if is_planar:
        row.tangent = (-normal[1], normal[0], 0.0)
        row.across = (0.0, 0.0, 0.0)
        return
    some = perpendicular(normal)
    tangent = times(1.0 / norm(some), some)
    row.tangent = tangent
    row.across = cross(normal, tangent)


def take_anchor(world: World[S, F, V], row: ContactRow) -> None:
    """Write the stretch of friction at the start, its coefficient, and the last normal force."""
    material = world.materials[row.material]
    row.stretch = (0.0, 0.0, 0.0)
    row.friction = material.friction
    row.normal_force = -1.0
    if not material.sticks:
        return
    row.friction = material.static_friction
    found = find_anchor(world, row.pair, row.feature)
    if found == NO_ANCHOR:
        return
    anchor = world.anchors[found]
    s = projected_stretch(anchor.stretch, row.normal)
    twist = anchor.twist if row.radius > 0.0 else 0.0
    row.stretch = (dot(s, row.tangent), dot(s, row.across), twist)
    row.normal_force = anchor.normal_force
    if anchor.slides:
        row.friction = material.friction


# Jacobians --------------------------------------------------------------------------------------


@separate
def add_body(world: World[S, F, V], row: ContactRow, body: Body[F, V], way: float) -> None:
    """Add what the velocities that move a body do at a contact, times 1 or -1."""
    if body.kind == FLOATING:
        add_floating(world, row, body, way)
    elif body.kind == ARTICULATED:
        add_articulated(world, row, body, way)


def add_floating(world: World[S, F, V], row: ContactRow, body: Body[F, V], way: float) -> None:
    """Add the columns of a floating body: its velocity, then its rate of turn, world axes."""
    number = body.state // world.space.STATE
    start = world.solver.blocks[number].start
    arm = minus(row.point, body.centre)
    n, t, u = row.normal, row.tangent, row.across
    by_n, by_t, by_u = cross(arm, n), cross(arm, t), cross(arm, u)
    if world.space.IS_PLANAR:
        for i in (0, 1):
            add_column(world, row, start + i, way * n[i], way * t[i], 0.0, 0.0)
        add_column(world, row, start + 2, way * by_n[2], way * by_t[2], 0.0, 0.0)
        return
    for i in (0, 1, 2):
        add_column(world, row, start + i, way * n[i], way * t[i], way * u[i], 0.0)
    for i in (0, 1, 2):
        spin = way * row.radius * n[i]
        add_column(world, row, start + 3 + i, way * by_n[i], way * by_t[i], way * by_u[i], spin)


def add_articulated(world: World[S, F, V], row: ContactRow, body: Body[F, V], way: float) -> None:
    """Add the columns of all joints that move a body."""
    solver = world.solver
    group = world.groups[body.group]
    block = solver.blocks[group.block]
    chain = solver.chains[group.first_chain + body.link]
    for k in range(chain.first, chain.first + chain.count):
        column = solver.joint_columns[solver.chain_columns[k]]
        angular = column.world_angular
        arm = minus(row.point, group.frames[column.origin].position)
        turned = cross(angular, arm)
        linear = column.world_linear
        moved = (
            way * (linear[0] + turned[0]),
            way * (linear[1] + turned[1]),
            way * (linear[2] + turned[2]),
        )
        add_column(
            world,
            row,
            block.start + column.speed,
            dot(row.normal, moved),
            dot(row.tangent, moved),
            dot(row.across, moved),
            way * row.radius * dot(row.normal, angular),
        )


def add_column(
    world: World[S, F, V],
    row: ContactRow,
    velocity: int,
    normal: float,
    first: float,
    second: float,
    spin: float,
) -> None:
    """Add to the column of a velocity."""
    solver = world.solver
    at = solver.column_of[velocity]
    if at < 0:
        at = row.first_column + row.column_count
        row.column_count += 1
        solver.column_of[velocity] = at
        column = solver.columns[at]
        column.velocity = velocity
        column.normal = normal
        column.first = first
        column.second = second
        column.spin = spin
        return
    column = solver.columns[at]
    column.normal += normal
    column.first += first
    column.second += second
    column.spin += spin


def turn_columns(world: World[S, F, V]) -> None:
    """Write the columns of all joints in world axes, by the frames of their links."""
    solver = world.solver
    for i in range(len(world.groups)):
        group = world.groups[i]
        for k in range(group.first_column, group.first_column + group.column_count):
            column = solver.joint_columns[k]
            if column.axes < 0:
                column.world_linear = column.linear
                column.world_angular = column.angular
            else:
                frame = group.frames[column.axes]
                column.world_linear = in_world(frame, column.linear)
                column.world_angular = in_world(frame, column.angular)


def in_world(frame: LinkFrame, a: Triple) -> Triple:
    """Return the components in the world of a vector in the axes of a link."""
    m = frame.rotation
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )
