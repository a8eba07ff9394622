"""
Kernels that write what follows from live symbols, in a browser: see `world.filling`.

A tape gives everything that is a formula (`live.cells`); what needs a choice is decided here.
Results are those of Python, bit for bit.
"""

from __future__ import annotations

import math
from typing import Any

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import bits_of, call
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.model.welds import LIGHT
from symcontact_ros.simulation.bodies.body import FIXED
from symcontact_ros.simulation.world.filling import LEAST_MOMENT, SKIN, SLOW
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import ENDLESS, Joint
from symcontact_ros.web.engine.records import Engine, REFUSED, ServoValues

SLOW_SQUARED = SLOW**2
ISOTROPIC = 1e-14  # of the largest: principal values that differ by less are equal


def fill(memory: Ints, world: World[S, F, V], engine: Engine) -> None:
    """Write everything that depends on live symbols."""
    call(engine.prologue, engine.symbols, engine.cells)
    for i in range(len(engine.cells)):
        memory[engine.targets[i]] = bits_of(engine.cells[i])
    check_cells(engine)
    for i in range(len(world.shapes)):
        world.shapes[i].is_centred = is_centred(world, i)
    write_bodies(world, engine)
    for i in range(len(engine.groups)):
        group = engine.groups[i]
        call(group.prologue, group.numbers, world.groups[i].constants)
        check_finite(engine, world.groups[i].constants)
    for i in range(len(engine.servos)):
        servo = engine.servos[i]
        write_actuator(world.joints[servo.joint], servo)
    world.skin = SKIN * middle_reach(world, engine.reaches)


def check_cells(engine: Engine) -> None:
    """Refuse numbers that are not what they must be."""
    for i in range(len(engine.limits)):
        limit = engine.limits[i]
        x = limit.number
        if not (x > limit.above and x >= limit.minimum and x >= limit.at_least):
            engine.status = REFUSED
            engine.fault = i


def check_finite(engine: Engine, numbers: Floats) -> None:
    """Refuse numbers that are not finite."""
    for i in range(len(numbers)):
        if not abs(numbers[i]) < math.inf:
            engine.status = REFUSED
            engine.fault = -1


def is_centred(world: World[S, F, V], shape: int) -> bool:
    """Return whether the frame of a shape is that of its body, at the centre of mass."""
    frame: Any = world.shapes[shape].frame
    if world.space.IS_PLANAR:
        (c, s), origin = frame
        return bool(c == 1.0 and s == 0.0 and origin[0] == 0.0 and origin[1] == 0.0)
    x, y, z, centre = frame
    turned: bool = x[0] != 1.0 or y[1] != 1.0 or z[2] != 1.0
    turned = turned or x[1] != 0.0 or x[2] != 0.0 or y[0] != 0.0 or y[2] != 0.0
    turned = turned or z[0] != 0.0 or z[1] != 0.0
    return not turned and centre[0] == 0.0 and centre[1] == 0.0 and centre[2] == 0.0


def write_bodies(world: World[S, F, V], engine: Engine) -> None:
    """Write masses and reaches of all bodies."""
    moving = 0.0
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        body.weighty = weighty(engine, i)
        body.reach = 0.0
        if body.kind != FIXED:
            mass = engine.bodies[i].mass
            moving += mass
            body.inverse_mass = 1.0 / mass if mass > 0.0 else 0.0
            write_inertia(world, engine, i)
    for i in range(len(world.shapes)):
        shape = world.shapes[i]
        owner = world.bodies[shape.body]
        owner.reach = max(owner.reach, shape.reach)
    world.guard.least = 0.5 * moving * SLOW_SQUARED


def weighty(engine: Engine, number: int) -> int:
    """Return the body that stands for the mass of a body in a contact: see `welds.weighty`."""
    heaviest = engine.bodies[number].weld
    for i in range(len(engine.bodies)):
        other = engine.bodies[i]
        is_one = other.weld == engine.bodies[number].weld
        if is_one and other.mass > engine.bodies[heaviest].mass:
            heaviest = i
    light = LIGHT * engine.bodies[heaviest].mass
    return number if engine.bodies[number].mass > light else heaviest


def write_inertia(world: World[S, F, V], engine: Engine, number: int) -> None:
    """Write the inverse of an inertia; of products of inertia nothing is live."""
    body: Any = world.bodies[number]
    xx, yy, zz, xy, xz, yz = engine.bodies[number].moments
    if world.space.IS_PLANAR:
        body.inverse_inertia = 1.0 / zz if zz > 0.0 else 0.0
    elif xy == 0.0 and xz == 0.0 and yz == 0.0:
        least, most = min(xx, yy, zz), max(xx, yy, zz)
        if least > LEAST_MOMENT * most:
            inverse = body.inertia
            inverse.xx = 1.0 / xx
            inverse.yy = 1.0 / yy
            inverse.zz = 1.0 / zz
            smallest = min(inverse.xx, inverse.yy, inverse.zz)
            largest = max(inverse.xx, inverse.yy, inverse.zz)
            inverse.largest = largest
            inverse.is_isotropic = largest - smallest <= ISOTROPIC * largest


def write_actuator(joint: Joint, servo: ServoValues) -> None:
    """Write gains and effort limit of a joint, as it is now: see `world.servos`."""
    joint.effort_limit = servo.effort_limit
    joint.kp = servo.kp if joint.holds else 0.0
    joint.kd = servo.kd if joint.follows else 0.0
    joint.compensates = joint.follows and servo.compensates
    if joint.follows:
        joint.effort_limit = min(joint.effort_limit, servo.max_effort)


def middle_reach(world: World[S, F, V], sorted_reaches: Floats) -> float:
    """Return the median of the reaches of the shapes that end [m]; 1 where there is none."""
    count = 0
    for i in range(len(world.shapes)):
        reach = world.shapes[i].reach
        if 0.0 < reach < ENDLESS:
            at = count
            while at > 0 and sorted_reaches[at - 1] > reach:
                sorted_reaches[at] = sorted_reaches[at - 1]
                at -= 1
            sorted_reaches[at] = reach
            count += 1
    if count == 0:
        return 1.0
    middle = count // 2
    if count % 2 == 1:
        return sorted_reaches[middle]
    return 0.5 * (sorted_reaches[middle - 1] + sorted_reaches[middle])
