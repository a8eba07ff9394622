"""
Loads that are applied from outside, in a browser: see `world.applied_loads`.

`clear_wrenches`, `set_wrench`, `push`, `set_effort`, `set_target` and `release` are entries.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.vectors.spatial import cross, minus, plus
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.world.world import World
from symcontact_ros.web.engine.records import Engine, HAS_TARGET, OFF, ServoValues
from symcontact_ros.web.engine.reports import find_motions
from symcontact_ros.web.engine.symbols import write_actuator


def clear_loads(world: World[S, F, V], engine: Engine) -> None:
    """Take everything away; servos with a target of the model take it, where the state is."""
    remove_wrenches(world)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        joint.applied = 0.0
        joint.kp = 0.0
        joint.kd = 0.0
        joint.target = 0.0
        joint.target_speed = 0.0
        joint.holds = False
        joint.follows = False
        joint.compensates = False
    for i in range(len(engine.servos)):
        servo = engine.servos[i]
        here = world.state[world.joints[servo.joint].q]
        position = servo.target if servo.start == HAS_TARGET else here
        follow(world, servo, servo.start != OFF, position, False, 0.0)


def clear_wrenches(world: World[S, F, V]) -> None:
    """Take all wrenches away."""
    remove_wrenches(world)


def remove_wrenches(world: World[S, F, V]) -> None:
    """Take all wrenches away."""
    for i in range(len(world.bodies)):
        write_wrench(world, i, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def write_wrench(world: World[S, F, V], number: int, force: Triple, torque: Triple) -> None:
    """Write the load that is applied to a body."""
    body: Any = world.bodies[number]
    body.applied_force = world.space.from_space(force)
    if world.space.IS_PLANAR:
        body.applied_torque = torque[2]
    else:
        body.applied_torque = torque


def set_wrench(
    number: int,
    fx: float,
    fy: float,
    fz: float,
    tx: float,
    ty: float,
    tz: float,
    world: World[S, F, V],
) -> None:
    """Apply a force at the centre of mass of a body [N] and a torque [N m], until changed."""
    write_wrench(world, number, (fx, fy, fz), (tx, ty, tz))


def push(
    number: int,
    fx: float,
    fy: float,
    fz: float,
    tx: float,
    ty: float,
    tz: float,
    px: float,
    py: float,
    pz: float,
    world: World[S, F, V],
    motions: MotionRecord,
) -> None:
    """Apply the same, the force at a point of the world with the lever that it has now."""
    find_motions(world, motions)
    arm = minus((px, py, pz), motions.bodies[number].com)
    torque = plus((tx, ty, tz), cross(arm, (fx, fy, fz)))
    write_wrench(world, number, (fx, fy, fz), torque)


def set_effort(number: int, value: float, world: World[S, F, V], engine: Engine) -> None:
    """Apply a torque or a force to a joint; to a follower, what it is at its leader."""
    place = engine.efforts[number]
    world.joints[place.joint].applied = place.factor * value


def set_target(
    number: int,
    holds: int,
    position: float,
    moves: int,
    velocity: float,
    world: World[S, F, V],
    engine: Engine,
) -> None:
    """Let a servo follow a position and a velocity, as far as these are given."""
    follow(world, engine.servos[number], holds != 0, position, moves != 0, velocity)


def release(number: int, world: World[S, F, V], engine: Engine) -> None:
    """End the command of a servo: one that the model holds stays, others are let go."""
    servo = engine.servos[number]
    joint = world.joints[servo.joint]
    joint.applied = 0.0
    position = joint.target if joint.holds else world.state[joint.q]
    follow(world, servo, servo.start != OFF, position, False, 0.0)


def follow(
    world: World[S, F, V],
    servo: ServoValues,
    holds: bool,
    position: float,
    moves: bool,
    velocity: float,
) -> None:
    """Let a servo follow a position and a velocity; neither: let go."""
    joint = world.joints[servo.joint]
    joint.holds = holds
    joint.follows = holds or moves
    write_actuator(joint, servo)
    joint.target = position if holds else 0.0
    joint.target_speed = velocity if moves else 0.0
