"""Groups of bodies on joints: where they are, and what their joints and loads do."""

from __future__ import annotations

from typing import Any

from symcontact_ros.kernels.transitional import Memory, run, separate, shift
from symcontact_ros.simulation.loop.functions import tanh
from symcontact_ros.simulation.loop.layout import (
    CARRIER,
    CARRIER_LOAD,
    GROUP,
    GROUP_COMS,
    GROUP_CONSTANTS,
    GROUP_DYNAMICS,
    GROUP_EFFORT,
    GROUP_FRAMES,
    GROUP_KINEMATICS,
    GROUP_LOAD_COUNT,
    GROUP_LOADS,
    GROUP_Q,
    GROUP_RATES,
    GROUP_STATE,
    GROUP_TWISTS,
    GROUP_ZEROS,
    JOINT,
    JOINT_APPLIED,
    JOINT_DAMPING,
    JOINT_EFFORT,
    JOINT_FRICTION,
    JOINT_KD,
    JOINT_KP,
    JOINT_LIMIT_DAMPING,
    JOINT_LIMIT_STIFFNESS,
    JOINT_LOWER,
    JOINT_MOBILITY,
    JOINT_Q,
    JOINT_REST,
    JOINT_SLIP,
    JOINT_STIFFNESS,
    JOINT_TARGET,
    JOINT_TARGET_SPEED,
    JOINT_U,
    JOINT_UPPER,
    KIND,
    LINK,
    LINKED,
    STATE,
)
from symcontact_ros.simulation.loop.world import World

space: Any = None  # stands for `planar` or `spatial`


@separate
def place_groups(world: World) -> None:
    """Write the motions of all bodies of groups, from the stage."""
    for group in range(world.group_count):
        run_group(world, group, GROUP_KINEMATICS)
    for body in range(world.body_count):
        row = space.BODY * body
        if int(world.bodies[row + KIND]) == LINKED:
            group = GROUP * int(world.bodies[row + STATE])
            link = int(world.bodies[row + LINK])
            space.linked_motion(
                block(world, group, GROUP_FRAMES, 12 * link),
                block(world, group, GROUP_COMS, 3 * link),
                block(world, group, GROUP_TWISTS, 6 * link),
                world.motions,
                space.MOTION * body,
            )


def block(world: World, group: int, which: int, further: int) -> Memory:
    """Return a block of a group."""
    return shift(world.scratch, int(world.groups[group + which]) + further)


def run_group(world: World, number: int, function: int) -> None:
    """Run one of the functions of a group on the stage."""
    group = GROUP * number
    q = shift(world.stage, int(world.groups[group + GROUP_STATE]))
    u = shift(q, int(world.groups[group + GROUP_Q]))
    zeros = block(world, group, GROUP_ZEROS, 0)
    effort = block(world, group, GROUP_EFFORT, 0)
    loads = block(world, group, GROUP_LOADS, 0)
    constants = block(world, group, GROUP_CONSTANTS, 0)
    entry = int(world.groups[group + function])
    if function == GROUP_KINEMATICS:
        run(
            world.table,
            entry,
            q,
            u,
            zeros,
            effort,
            loads,
            constants,
            block(world, group, GROUP_FRAMES, 0),
            block(world, group, GROUP_COMS, 0),
            block(world, group, GROUP_TWISTS, 0),
        )
    else:
        rates = block(world, group, GROUP_RATES, 0)
        after = shift(rates, int(world.groups[group + GROUP_Q]))
        run(world.table, entry, q, u, zeros, effort, loads, constants, rates, after)


@separate
def accelerate_groups(world: World) -> None:
    """Write the rates of all groups, under the loads on their bodies and the efforts of joints."""
    for group in range(world.group_count):
        for i in range(int(world.groups[GROUP * group + GROUP_LOAD_COUNT])):
            block(world, GROUP * group, GROUP_LOADS, i)[0] = 0.0
    for body in range(world.body_count):
        row = space.BODY * body
        carrier = int(world.bodies[row + CARRIER])
        if int(world.bodies[row + KIND]) == LINKED and carrier >= 0:
            group = GROUP * int(world.bodies[row + STATE])
            centre = space.group_point(block(world, group, GROUP_COMS, 3 * carrier), 0)
            space.group_load(
                world.loads,
                space.LOAD * body,
                world.motions,
                space.MOTION * body,
                centre,
                block(world, group, GROUP_LOADS, 6 * int(world.bodies[row + CARRIER_LOAD])),
                0,
            )
    for group in range(world.group_count):
        run_group(world, group, GROUP_DYNAMICS)


@separate
def apply_joints(world: World) -> tuple[float, float, float, float]:
    """
    Write the efforts of all joints.

    Returns
    -------
    The power lost and the power put in [W]; the square of the largest angular frequency of a joint
    [1/s^2] and its largest rate of decay [1/s], both by the inertia at the start.
    """
    lost, put_in, stiffness, rate = 0.0, 0.0, 0.0, 0.0
    for number in range(world.joint_count):
        joint = shift(world.joints, JOINT * number)
        q, u = world.stage[int(joint[JOINT_Q])], world.stage[int(joint[JOINT_U])]
        stop, drag = limit_force(joint, q, u)
        friction = joint[JOINT_FRICTION] * tanh(u * (0.5 / JOINT_SLIP))
        loss = joint[JOINT_DAMPING] * u + friction + drag
        actuated = joint[JOINT_APPLIED]
        actuated += joint[JOINT_KP] * (joint[JOINT_TARGET] - q)
        actuated += joint[JOINT_KD] * (joint[JOINT_TARGET_SPEED] - u)
        spring = -joint[JOINT_STIFFNESS] * (q - joint[JOINT_REST])
        world.scratch[int(joint[JOINT_EFFORT])] = actuated + spring + stop - loss
        lost += loss * u
        put_in += actuated * u
        spring_rate = joint[JOINT_STIFFNESS] + joint[JOINT_KP]
        drag_rate = joint[JOINT_DAMPING] + joint[JOINT_KD]
        drag_rate += joint[JOINT_FRICTION] * (0.5 / JOINT_SLIP)
        if stop != 0.0:
            spring_rate += joint[JOINT_LIMIT_STIFFNESS]
            drag_rate += joint[JOINT_LIMIT_DAMPING]
        stiffness = max(stiffness, spring_rate * joint[JOINT_MOBILITY])
        rate = max(rate, drag_rate * joint[JOINT_MOBILITY])
    return lost, put_in, stiffness, rate


def limit_force(joint: Memory, q: float, u: float) -> tuple[float, float]:
    """Return the elastic force of the stop that a joint is at, and the drag of it; none pulls."""
    beyond = 0.0
    if q < joint[JOINT_LOWER]:
        beyond = joint[JOINT_LOWER] - q
    elif q > joint[JOINT_UPPER]:
        beyond = joint[JOINT_UPPER] - q
    if beyond == 0.0:
        return 0.0, 0.0
    force = joint[JOINT_LIMIT_STIFFNESS] * beyond
    drag = joint[JOINT_LIMIT_DAMPING] * u
    # Together they never pull the joint back to the stop.
    if (force - drag) * beyond < 0.0:
        drag = force
    return force, drag
