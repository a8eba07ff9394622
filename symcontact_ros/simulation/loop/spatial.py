"""
What is particular to space: bodies with six degrees of freedom.

State of a loose body: centre of mass [m], attitude (quaternion x, y, z, w), velocity of the centre
of mass [m/s], angular momentum about it, all in world axes. Keeping the angular momentum instead
of the rate of turn keeps it exactly where nothing turns the body.
"""

from __future__ import annotations

from symcontact_ros.collision.bounds import spatial_box
from symcontact_ros.collision.broad_phase import PLANE
from symcontact_ros.collision.rows import POINT
from symcontact_ros.collision.spatial.closed_forms import surface
from symcontact_ros.collision.spatial.vectors import (
    along,
    cross,
    dot,
    Frame,
    frame_at,
    keep,
    minus,
    norm,
    opposite,
    placed,
    times,
    turned,
    Vector,
    vector_at,
)
from symcontact_ros.kernels.transitional import Memory, shift
from symcontact_ros.simulation.loop.attitudes import (
    axes_of,
    LARGEST,
    Quaternion,
    quaternion_rate,
    rate_in_body,
    rate_in_world,
    turn,
    unit,
)
from symcontact_ros.simulation.loop.layout import (
    INVERSE_MASS,
    REACH,
    SHAPE,
    SHAPE_BLOCK,
    SHAPE_BODY,
    SHAPE_FRAME,
)
from symcontact_ros.simulation.loop.stages import advance_number, Weights

__all__ = ['Frame', 'along', 'dot', 'frame_at', 'minus', 'norm', 'opposite', 'placed', 'times']

STATE = 13  # numbers of the state of a loose body
QUATERNION, VELOCITY, MOMENTUM = 3, 7, 10  # where they are in it
BODY = 15  # numbers of the constants of a body
MOTION = 21  # numbers: axes, centre of mass, its velocity, rate of turn; world axes; and the
#              rate of turn in body axes, of loose bodies
LOAD = 6  # numbers: force [N], torque about the centre of mass [N m]


def composed(body: Frame, shape: Frame) -> Frame:
    """Return where a frame that is fixed in a body is in the world."""
    x, y, z, origin = shape
    return turned(body, x), turned(body, y), turned(body, z), placed(body, origin)


def row_point(rows: Memory, start: int) -> Vector:
    """Return the point of a row of contact points."""
    return vector_at(rows, start + POINT)


def quaternion_at(state: Memory, at: int) -> Quaternion:
    """Return the attitude in a state."""
    return state[at + 3], state[at + 4], state[at + 5], state[at + 6]


def keep_quaternion(state: Memory, at: int, q: Quaternion) -> None:
    """Write an attitude into a state."""
    state[at + 3] = q[0]
    state[at + 4] = q[1]
    state[at + 5] = q[2]
    state[at + 6] = q[3]


def loose_motion(
    state: Memory, at: int, bodies: Memory, body: int, motions: Memory, to: int
) -> None:
    """Write the motion of a loose body."""
    q = quaternion_at(state, at)
    x, y, z = axes_of(q)
    w = rate_in_body(bodies, body, q, vector_at(state, at + MOMENTUM))
    keep(motions, to, x)
    keep(motions, to + 3, y)
    keep(motions, to + 6, z)
    keep(motions, to + 9, vector_at(state, at))
    keep(motions, to + 12, vector_at(state, at + VELOCITY))
    keep(motions, to + 15, turned((x, y, z, x), w))
    keep(motions, to + 18, w)


def linked_motion(frame: Memory, com: Memory, twist: Memory, motions: Memory, to: int) -> None:
    """Write the motion of a body of a group, from what its functions say of it."""
    for row in range(3):  # a matrix row by row becomes axes
        for column in range(3):
            motions[to + 3 * column + row] = frame[3 * row + column]
    keep(motions, to + 9, vector_at(com, 0))
    keep(motions, to + 12, vector_at(twist, 0))
    keep(motions, to + 15, vector_at(twist, 3))


def frame_of(motions: Memory, at: int) -> Frame:
    """Return the frame at the centre of mass of a body."""
    return frame_at(motions, at)


def velocity_at(motions: Memory, at: int, point: Vector) -> Vector:
    """Return the velocity of the point of a body that is at a place of the world."""
    arm = minus(point, vector_at(motions, at + 9))
    return along(vector_at(motions, at + 12), 1.0, cross(vector_at(motions, at + 15), arm))


def speed_bound(motions: Memory, at: int, reach: float) -> float:
    """Return what no point of a body is faster than [m/s]."""
    spin = 0.0
    speed = 0.0
    for i in range(3):
        speed += abs(motions[at + 12 + i])
        spin += abs(motions[at + 15 + i])
    return speed + reach * spin


def push(
    loads: Memory, load: int, motions: Memory, at: int, point: Vector, force: Vector, way: float
) -> None:
    """Add a force at a point, or its opposite, to the load of a body."""
    torque = cross(minus(point, vector_at(motions, at + 9)), force)
    keep(loads, load, along(vector_at(loads, load), way, force))
    keep(loads, load + 3, along(vector_at(loads, load + 3), way, torque))


def mobility(
    bodies: Memory, body: int, motions: Memory, at: int, point: Vector, direction: Vector
) -> float:
    """Return the velocity along a direction that a unit impulse there gives, at most [1/kg]."""
    arm = cross(minus(point, vector_at(motions, at + 9)), direction)
    return float(bodies[body + INVERSE_MASS] + dot(arm, arm) * bodies[body + LARGEST])


def slip_mobility(
    bodies: Memory, body: int, motions: Memory, at: int, point: Vector, normal: Vector
) -> float:
    """Return the same across a normal, at most."""
    arm = minus(point, vector_at(motions, at + 9))
    return float(bodies[body + INVERSE_MASS] + dot(arm, arm) * bodies[body + LARGEST])


def group_load(
    loads: Memory, load: int, motions: Memory, at: int, carrier: Vector, out: Memory, to: int
) -> None:
    """Add the load of a body to the six numbers of the link that carries it."""
    force = vector_at(loads, load)
    arm = minus(vector_at(motions, at + 9), carrier)
    torque = along(vector_at(loads, load + 3), 1.0, cross(arm, force))
    keep(out, to, along(vector_at(out, to), 1.0, force))
    keep(out, to + 3, along(vector_at(out, to + 3), 1.0, torque))


def group_point(coms: Memory, at: int) -> Vector:
    """Return the centre of mass of a link."""
    return vector_at(coms, at)


def load_power(loads: Memory, load: int, motions: Memory, at: int) -> float:
    """Return the power of a load [W]."""
    force = dot(vector_at(loads, load), vector_at(motions, at + 12))
    return force + dot(vector_at(loads, load + 3), vector_at(motions, at + 15))


def acceleration(bodies: Memory, body: int, loads: Memory, load: int, gravity: Memory) -> Vector:
    """Return the acceleration of the centre of mass of a loose body."""
    return along(vector_at(gravity, 0), bodies[body + INVERSE_MASS], vector_at(loads, load))


def fly(
    state: Memory,
    at: int,
    bodies: Memory,
    body: int,
    loads: Memory,
    load: int,
    gravity: Memory,
    h: float,
) -> float:
    """Advance a body that nothing touches under a constant load; return its work [J]."""
    a = acceleration(bodies, body, loads, load, gravity)
    velocity, momentum = vector_at(state, at + VELOCITY), vector_at(state, at + MOMENTUM)
    change = times(h, vector_at(loads, load + 3))
    q = quaternion_at(state, at)
    way = along(times(h, velocity), 0.5 * h * h, a)
    keep(state, at, along(vector_at(state, at), 1.0, way))
    keep(state, at + VELOCITY, along(velocity, h, a))
    after = turn(q, bodies, body, momentum, change, h)
    keep_quaternion(state, at, after)
    keep(state, at + MOMENTUM, along(momentum, 1.0, change))
    work = dot(vector_at(loads, load), way)
    if change[0] != 0.0 or change[1] != 0.0 or change[2] != 0.0:
        work += 0.5 * dot(change, rate_in_world(bodies, body, q, momentum))
        end = along(momentum, 1.0, change)
        work += 0.5 * dot(change, rate_in_world(bodies, body, after, end))
    return work


def advance(
    state: Memory,
    stage: Memory,
    sums: Memory,
    at: int,
    bodies: Memory,
    body: int,
    motions: Memory,
    motion: int,
    loads: Memory,
    load: int,
    gravity: Memory,
    weights: Weights,
) -> None:
    """Make the next stage of Runge and Kutta for a loose body."""
    a = acceleration(bodies, body, loads, load, gravity)
    velocity = vector_at(stage, at + VELOCITY)
    q = quaternion_at(stage, at)
    spin = quaternion_rate(q, vector_at(motions, motion + 18))
    for i in range(3):
        advance_number(state, stage, sums, at + i, velocity[i], weights)
        advance_number(state, stage, sums, at + VELOCITY + i, a[i], weights)
        advance_number(state, stage, sums, at + MOMENTUM + i, loads[load + 3 + i], weights)
    for i in range(4):
        advance_number(state, stage, sums, at + QUATERNION + i, spin[i], weights)


def kick(
    stage: Memory,
    at: int,
    bodies: Memory,
    body: int,
    loads: Memory,
    load: int,
    gravity: Memory,
    h: float,
) -> None:
    """Change the velocities of a loose body as its load does in a time h."""
    a = acceleration(bodies, body, loads, load, gravity)
    keep(stage, at + VELOCITY, along(vector_at(stage, at + VELOCITY), h, a))
    torque = vector_at(loads, load + 3)
    keep(stage, at + MOMENTUM, along(vector_at(stage, at + MOMENTUM), h, torque))


def drift(stage: Memory, at: int, bodies: Memory, body: int, h: float) -> None:
    """Move a loose body at constant velocity and angular momentum for a time h."""
    keep(stage, at, along(vector_at(stage, at), h, vector_at(stage, at + VELOCITY)))
    momentum = vector_at(stage, at + MOMENTUM)
    q = quaternion_at(stage, at)
    keep_quaternion(stage, at, turn(q, bodies, body, momentum, (0.0, 0.0, 0.0), h))


def settle(state: Memory, at: int) -> None:
    """Make the attitude a unit quaternion again after a step."""
    keep_quaternion(state, at, unit(quaternion_at(state, at)))


def step_bound(bodies: Memory, body: int, stage: Memory, at: int, h: float) -> float:
    """Return how far a point of a loose body moves in a time h at its velocities, at most."""
    v, momentum = vector_at(stage, at + VELOCITY), vector_at(stage, at + MOMENTUM)
    spin = bodies[body + LARGEST] * (abs(momentum[0]) + abs(momentum[1]) + abs(momentum[2]))
    return float(h * (abs(v[0]) + abs(v[1]) + abs(v[2]) + bodies[body + REACH] * spin))


def displacement(state: Memory, stage: Memory, at: int, reach: float) -> float:
    """Return how far a point of a loose body is from where it was, at most [m]."""
    way = 0.0
    for i in range(3):
        way += abs(stage[at + i] - state[at + i])
    turned_by = 0.0
    for i in range(4):
        turned_by += abs(stage[at + QUATERNION + i] - state[at + QUATERNION + i])
    return way + 2.5 * reach * turned_by  # an angle is 2 to 2.2 times the change of a quaternion


def write_box(block: Memory, frame: Frame, box: Memory) -> None:
    """Write the box around a shape."""
    spatial_box(block, frame, box)


def write_plane(
    planes: Memory, plane: int, shapes: Memory, blocks: Memory, motions: Memory
) -> None:
    """Write where a half-space is now."""
    row = SHAPE * int(planes[PLANE * plane])
    body = frame_of(motions, MOTION * int(shapes[row + SHAPE_BODY]))
    frame = composed(body, frame_at(shapes, row + SHAPE_FRAME))
    normal, offset = surface(shift(blocks, int(shapes[row + SHAPE_BLOCK])), frame)
    keep(planes, PLANE * plane + 1, normal)
    planes[PLANE * plane + 4] = offset


def write_vector(memory: Memory, start: int, a: Vector) -> None:
    """Write a vector as three numbers."""
    keep(memory, start, a)
