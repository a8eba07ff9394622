r"""
The integrator `implicit2`: order 2, for impacts.

Two stages of length :math:`\gamma h`, :math:`\gamma = 1 - 1/\sqrt 2` (SDIRK): the first from the
start, the second from where the velocities of the first lead in :math:`(1 - \gamma) h`. Substeps
keep the change of acceleration within a tolerance; what the shortest cannot resolve is left to
order 1, which never gains energy.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.step.articulated import run_velocity
from symcontact_ros.simulation.step.candidates import NO_ROOM
from symcontact_ros.simulation.step.implicit.booking import book_stage, clear_energies
from symcontact_ros.simulation.step.implicit.contact_rows import gather_contacts
from symcontact_ros.simulation.step.implicit.masses import multiply
from symcontact_ros.simulation.step.implicit.moving import (
    accept_stage,
    keep_anchors,
    kick_bodies,
    move_all,
    restore_anchors,
    write_anchors,
    write_group_speeds,
)
from symcontact_ros.simulation.step.implicit.newton import relative
from symcontact_ros.simulation.step.implicit.order_one import (
    begin_implicit,
    begin_joints,
    end_implicit,
    one_stage,
)
from symcontact_ros.simulation.step.implicit.stage import begin_stage, solve_stage, write_starts
from symcontact_ros.simulation.world.solver_records import NO_ISLAND, VelocityBlock
from symcontact_ros.simulation.world.world import World

GAMMA = 1.0 - math.sqrt(0.5)
REST = 1.0 - GAMMA
FACTOR = REST / GAMMA  # of a change in the first stage: that until the second one starts
TOLERANCE = 0.03  # change of velocity by the change of acceleration, relative to the velocity
SLOW = 0.1  # [m/s or rad/s]: smaller velocities count as this
GIVEN_UP = 3.0  # tolerances beyond which the shortest substep is of order 1
MOST_SUBSTEPS = 64
THROUGH = 0.5  # of the smaller shape, that a substep may move
SMOOTH = 0.04  # square of the relative change of velocity at which it may be extrapolated


def implicit2(world: World[S, F, V]) -> bool:
    """Make a step of order 2, in substeps where that is needed."""
    h = world.step_size
    active = begin_implicit(world)
    if active == NO_ROOM:
        return False
    resolve(world, active, h)
    end_implicit(world, h)
    return True


@separate
def resolve(world: World[S, F, V], active: int, h: float) -> None:
    """Advance all that takes part by h [s], in substeps of order 2."""
    solver = world.solver
    note_falling(world)
    done, shortest = 0.0, h / float(MOST_SUBSTEPS)
    longest = max(shortest, longest_substep(world, active, h))
    length = longest
    while done < h * (1.0 - 1e-9):
        length = min(length, longest, h - done)
        if world.sticks:
            keep_anchors(world)
        error = two_stages(world, active, length)
        if error > TOLERANCE and length > 1.0001 * shortest:
            go_back(world)
            length = max(shortest, length * max(0.1, 0.8 * math.sqrt(TOLERANCE / error)))
            continue
        if error > GIVEN_UP * TOLERANCE:
            go_back(world)
            solver.given_up += 1
            one_stage(world, active, length)
            note_rates(world, solver.start, length)
        else:
            note_rates(world, solver.start, GAMMA * length)
            accept_stage(world, length)
            if world.sticks:
                write_anchors(world, GAMMA * length, 1.0, GAMMA * length)
        done += length
        if done < h * (1.0 - 1e-9):
            world.substeps += 1
        growth = min(3.0, 0.8 * math.sqrt(TOLERANCE / max(error, 1e-300)))
        length = max(shortest, growth * length)


def longest_substep(world: World[S, F, V], active: int, h: float) -> float:
    """Return the time [s] in which no body goes through another one: its stages see both."""
    longest = h
    for i in range(active):
        pair = world.candidates[world.active_pairs[i]]
        a, b = world.shapes[pair.shape_a], world.shapes[pair.shape_b]
        speed = world.bodies[a.body].speed_bound() + world.bodies[b.body].speed_bound()
        thin = THROUGH * min(a.extent, b.extent)
        if speed * longest > thin:
            longest = thin / speed
    return longest


def go_back(world: World[S, F, V]) -> None:
    """Go back to the start of the substep."""
    for i in range(len(world.stage)):
        world.stage[i] = world.state[i]
    clear_energies(world.solver.pending)
    if world.sticks:
        restore_anchors(world)
    move_all(world)


def note_falling(world: World[S, F, V]) -> None:
    """Write the accelerations of bodies that take no part, for the step in which they will."""
    solver, gravity = world.solver, world.gravity
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            force, _ = world.bodies[block.body].applied
            for k in range(block.start, block.start + block.count):
                world.accelerations[k] = 0.0
            world.accelerations[block.start] = gravity[0] + force[0] / block.mass
            world.accelerations[block.start + 1] = gravity[1] + force[1] / block.mass
            if not world.space.IS_PLANAR:
                world.accelerations[block.start + 2] = gravity[2] + force[2] / block.mass


def note_rates(world: World[S, F, V], start: Floats, h: float) -> None:
    """Write the accelerations of the last stage, of h [s]."""
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island != NO_ISLAND:
            for k in range(block.start, block.start + block.count):
                world.accelerations[k] = (solver.speeds[k] - start[k]) / h


def two_stages(world: World[S, F, V], active: int, length: float) -> float:
    """Go to the end of a substep; return its error, relative to the velocities."""
    h = GAMMA * length
    begin_joints(world)
    first_stage(world, active, h)
    second_stage(world, active, h, REST * length)
    return error_of(world, h, REST * length)


def first_stage(world: World[S, F, V], active: int, h: float) -> None:
    """Solve the first stage; its velocities are `first_speeds` then."""
    solver = world.solver
    write_starts(world)
    for i in range(len(solver.start)):
        solver.first_start[i] = solver.start[i]
        solver.speeds[i] = solver.start[i]
    extrapolate_bias(world, solver.start, world.accelerations, h)
    place(world, world.state, h)
    move_all(world)
    gather_contacts(world, active)
    write_floating_starts(world)
    begin_stage(world, world.state, h)
    set_depths_back(world, solver.first_start, h)
    solve_stage(world, h, False)
    book_stage(world, h, FACTOR * h, -0.5)
    for i in range(len(solver.start)):
        solver.first_speeds[i] = solver.speeds[i]
    kick_bodies(world, h)
    write_group_speeds(world)
    if world.sticks:
        write_anchors(world, h, FACTOR, FACTOR * h)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        change = joint.end_stretch - joint.start_stretch
        joint.base_stretch = joint.start_stretch + FACTOR * change


def second_stage(world: World[S, F, V], active: int, h: float, rest: float) -> None:
    """Solve the second stage, and go to its end."""
    solver = world.solver
    place(world, world.state, rest)
    for i in range(len(world.stage)):
        world.sums[i] = world.stage[i]
    start_second(world)
    write_starts(world)
    for i in range(len(solver.start)):
        solver.gradient[i] = (solver.first_speeds[i] - solver.first_start[i]) / h
    extrapolate_bias(world, solver.first_speeds, solver.gradient, rest)
    place(world, world.sums, h)
    move_all(world)
    gather_contacts(world, active)
    write_floating_starts(world)
    begin_stage(world, world.sums, h)
    set_depths_back(world, solver.first_speeds, h)
    for i in range(len(solver.blocks)):
        if solver.blocks[i].island != NO_ISLAND:
            guess(world, solver.blocks[i])
    solve_stage(world, h, False)
    book_stage(world, h, h, 0.5)
    kick_bodies(world, h)
    write_group_speeds(world)
    place(world, world.sums, h)


def start_second(world: World[S, F, V]) -> None:
    """Write the velocities that the second stage starts from to the stage."""
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            body.extrapolate(world.state, world.stage, FACTOR)
    for number in range(len(world.groups)):
        group = world.groups[number]
        at = group.state + group.q_count
        for i in range(at, at + group.u_count):
            world.stage[i] = world.state[i] + FACTOR * (world.stage[i] - world.state[i])


@separate
def place(world: World[S, F, V], base: Floats, h: float) -> None:
    """Write where all that takes part is after h [s] at the velocities of the solver."""
    solver = world.solver
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING and body.is_active:
            start = solver.blocks[body.state // world.space.STATE].start
            body.place_from(base, world.stage, solver.speeds, start, h)
    for number in range(len(world.groups)):
        group = world.groups[number]
        run_velocity(world, group)
        for i in range(group.q_count):
            at = group.state + i
            world.stage[at] = base[at] + h * group.rates[i]


def write_floating_starts(world: World[S, F, V]) -> None:
    """Write the rates of turn that the momenta of floating bodies have where they are now."""
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.body >= 0 and block.island != NO_ISLAND:
            world.bodies[block.body].write_speeds(solver.start, block.start)


def set_depths_back(world: World[S, F, V], speeds: Floats, h: float) -> None:
    """Continue the depths of all contacts to the start of the stage, h [s] ago at velocities."""
    solver = world.solver
    for i in range(solver.row_count):
        row = solver.rows[i]
        row.depth += h * relative(solver, row, speeds)[0]


def guess(world: World[S, F, V], block: VelocityBlock) -> None:
    """Start to search at the velocities of the first stage."""
    solver = world.solver
    for k in range(block.start, block.start + block.count):
        solver.speeds[k] = solver.first_speeds[k]
    multiply(world, block, solver.speeds, solver.products)


@separate
def extrapolate_bias(world: World[S, F, V], speeds: Floats, rates: Floats, h: float) -> None:
    """
    Take Coriolis forces at velocities that are continued by h [s], where these change smoothly.

    After an impact the change would be far off, and the forces are quadratic in it.
    """
    solver = world.solver
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.body >= 0 or block.island == NO_ISLAND:
            continue
        change, size = 0.0, 0.0
        for k in range(block.start, block.start + block.count):
            step = h * rates[k]
            change += solver.diagonal[k] * step * step
            size += solver.diagonal[k] * speeds[k] * speeds[k]
        ahead = h if change <= SMOOTH * size else 0.0
        for k in range(block.start, block.start + block.count):
            solver.bias_speeds[k] = speeds[k] + ahead * rates[k]


def error_of(world: World[S, F, V], h: float, rest: float) -> float:
    """
    Return the largest change of velocity by a change of acceleration, relative to the velocity.

    From stage to stage and from the last step, each velocity by its own size: a norm of all would
    not see a light finger on a heavy arm.
    """
    solver = world.solver
    largest = 0.0
    for i in range(len(solver.blocks)):
        block = solver.blocks[i]
        if block.island == NO_ISLAND:
            continue
        for k in range(block.start, block.start + block.count):
            v0, v1, v2 = solver.first_start[k], solver.first_speeds[k], solver.speeds[k]
            size = SLOW + max(abs(v0), abs(v1), abs(v2))
            first, second = (v1 - v0) / h, (v2 - solver.start[k]) / h
            between = rest * abs(second - first)
            largest = max(largest, between / size, h * abs(first - world.accelerations[k]) / size)
    return largest
