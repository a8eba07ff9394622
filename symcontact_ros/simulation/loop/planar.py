"""
What is particular to the plane: bodies with three degrees of freedom.

State of a loose body: x, y of the centre of mass [m], angle [rad], their rates.
"""

from __future__ import annotations

from symcontact_ros.collision.bounds import planar_box
from symcontact_ros.collision.broad_phase import PLANE
from symcontact_ros.collision.planar.closed_forms import surface
from symcontact_ros.collision.planar.vectors import (
    along,
    dot,
    Frame,
    frame_at,
    minus,
    norm,
    opposite,
    placed,
    Vector,
)
from symcontact_ros.collision.rows import POINT
from symcontact_ros.kernels.transitional import Memory, shift
from symcontact_ros.simulation.loop.functions import cos_sin
from symcontact_ros.simulation.loop.layout import (
    INERTIA,
    INVERSE_MASS,
    REACH,
    SHAPE,
    SHAPE_BLOCK,
    SHAPE_BODY,
    SHAPE_FRAME,
)
from symcontact_ros.simulation.loop.stages import advance_number, Weights

__all__ = ['Frame', 'along', 'dot', 'frame_at', 'minus', 'norm', 'opposite', 'placed']

STATE = 6  # numbers of the state of a loose body
BODY = 8  # numbers of the constants of a body
INVERSE_INERTIA = INERTIA  # [1/(kg m^2)]
MOTION = 7  # numbers: cosine, sine, centre of mass x, y, its velocity x, y, rate of turn
LOAD = 3  # numbers: force x, y [N], torque about the centre of mass [N m]


def times(factor: float, a: Vector) -> Vector:
    """Return factor a."""
    return factor * a[0], factor * a[1]


def composed(body: Frame, shape: Frame) -> Frame:
    """Return where a frame that is fixed in a body is in the world."""
    (c, s), _ = body
    (d, e), origin = shape
    return (c * d - s * e, s * d + c * e), placed(body, origin)


def row_point(rows: Memory, start: int) -> Vector:
    """Return the point of a row of contact points."""
    return rows[start + POINT], rows[start + POINT + 1]


def loose_motion(
    state: Memory, at: int, bodies: Memory, body: int, motions: Memory, to: int
) -> None:
    """Write the motion of a loose body."""
    cosine, sine = cos_sin(state[at + 2])
    motions[to] = cosine
    motions[to + 1] = sine
    motions[to + 2] = state[at]
    motions[to + 3] = state[at + 1]
    motions[to + 4] = state[at + 3]
    motions[to + 5] = state[at + 4]
    motions[to + 6] = state[at + 5]


def linked_motion(frame: Memory, com: Memory, twist: Memory, motions: Memory, to: int) -> None:
    """Write the motion of a body of a group, from what its functions say of it."""
    motions[to] = frame[0]
    motions[to + 1] = frame[3]
    motions[to + 2] = com[0]
    motions[to + 3] = com[1]
    motions[to + 4] = twist[0]
    motions[to + 5] = twist[1]
    motions[to + 6] = twist[5]


def frame_of(motions: Memory, at: int) -> Frame:
    """Return the frame at the centre of mass of a body."""
    return frame_at(motions, at)


def velocity_at(motions: Memory, at: int, point: Vector) -> Vector:
    """Return the velocity of the point of a body that is at a place of the world."""
    turn = motions[at + 6]
    return (
        motions[at + 4] - turn * (point[1] - motions[at + 3]),
        motions[at + 5] + turn * (point[0] - motions[at + 2]),
    )


def speed_bound(motions: Memory, at: int, reach: float) -> float:
    """Return what no point of a body is faster than [m/s]."""
    return float(abs(motions[at + 4]) + abs(motions[at + 5]) + reach * abs(motions[at + 6]))


def push(
    loads: Memory, load: int, motions: Memory, at: int, point: Vector, force: Vector, way: float
) -> None:
    """Add a force at a point, or its opposite, to the load of a body."""
    fx, fy = way * force[0], way * force[1]
    loads[load] += fx
    loads[load + 1] += fy
    arm_x, arm_y = point[0] - motions[at + 2], point[1] - motions[at + 3]
    loads[load + 2] += arm_x * fy - arm_y * fx


def mobility(
    bodies: Memory, body: int, motions: Memory, at: int, point: Vector, direction: Vector
) -> float:
    """Return the velocity along a direction that a unit impulse there gives a body [1/kg]."""
    arm = (point[0] - motions[at + 2]) * direction[1] - (point[1] - motions[at + 3]) * direction[0]
    return float(bodies[body + INVERSE_MASS] + arm * arm * bodies[body + INVERSE_INERTIA])


def slip_mobility(
    bodies: Memory, body: int, motions: Memory, at: int, point: Vector, normal: Vector
) -> float:
    """Return the same across a normal, at most."""
    return mobility(bodies, body, motions, at, point, (-normal[1], normal[0]))


def group_load(
    loads: Memory, load: int, motions: Memory, at: int, carrier: Vector, out: Memory, to: int
) -> None:
    """Add the load of a body to the six numbers of the link that carries it."""
    fx, fy = loads[load], loads[load + 1]
    out[to] += fx
    out[to + 1] += fy
    arm_x, arm_y = motions[at + 2] - carrier[0], motions[at + 3] - carrier[1]
    out[to + 5] += loads[load + 2] + arm_x * fy - arm_y * fx


def group_point(coms: Memory, at: int) -> Vector:
    """Return the centre of mass of a link."""
    return coms[at], coms[at + 1]


def load_power(loads: Memory, load: int, motions: Memory, at: int) -> float:
    """Return the power of a load [W]."""
    force = loads[load] * motions[at + 4] + loads[load + 1] * motions[at + 5]
    return float(force + loads[load + 2] * motions[at + 6])


def accelerations(
    bodies: Memory, body: int, loads: Memory, load: int, gravity: Memory
) -> tuple[float, float, float]:
    """Return the accelerations of a loose body."""
    lightness = bodies[body + INVERSE_MASS]
    return (
        loads[load] * lightness + gravity[0],
        loads[load + 1] * lightness + gravity[1],
        loads[load + 2] * bodies[body + INVERSE_INERTIA],
    )


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
    ax, ay, turn = accelerations(bodies, body, loads, load, gravity)
    dx = h * (state[at + 3] + 0.5 * h * ax)
    dy = h * (state[at + 4] + 0.5 * h * ay)
    angle = h * (state[at + 5] + 0.5 * h * turn)
    state[at] += dx
    state[at + 1] += dy
    state[at + 2] += angle
    state[at + 3] += h * ax
    state[at + 4] += h * ay
    state[at + 5] += h * turn
    return float(loads[load] * dx + loads[load + 1] * dy + loads[load + 2] * angle)


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
    ax, ay, turn = accelerations(bodies, body, loads, load, gravity)
    vx, vy, rate = stage[at + 3], stage[at + 4], stage[at + 5]
    advance_number(state, stage, sums, at, vx, weights)
    advance_number(state, stage, sums, at + 1, vy, weights)
    advance_number(state, stage, sums, at + 2, rate, weights)
    advance_number(state, stage, sums, at + 3, ax, weights)
    advance_number(state, stage, sums, at + 4, ay, weights)
    advance_number(state, stage, sums, at + 5, turn, weights)


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
    ax, ay, turn = accelerations(bodies, body, loads, load, gravity)
    stage[at + 3] += h * ax
    stage[at + 4] += h * ay
    stage[at + 5] += h * turn


def drift(stage: Memory, at: int, bodies: Memory, body: int, h: float) -> None:
    """Move a loose body at constant velocities for a time h."""
    stage[at] += h * stage[at + 3]
    stage[at + 1] += h * stage[at + 4]
    stage[at + 2] += h * stage[at + 5]


def settle(state: Memory, at: int) -> None:
    """Make a state proper after a step: nothing to do in the plane."""


def step_bound(bodies: Memory, body: int, stage: Memory, at: int, h: float) -> float:
    """Return how far a point of a loose body moves in a time h at its velocities, at most."""
    speed = abs(stage[at + 3]) + abs(stage[at + 4])
    return float(h * (speed + bodies[body + REACH] * abs(stage[at + 5])))


def displacement(state: Memory, stage: Memory, at: int, reach: float) -> float:
    """Return how far a point of a loose body is from where it was, at most [m]."""
    way = abs(stage[at] - state[at]) + abs(stage[at + 1] - state[at + 1])
    return float(way + reach * abs(stage[at + 2] - state[at + 2]))


def write_box(block: Memory, frame: Frame, box: Memory) -> None:
    """Write the box around a shape."""
    planar_box(block, frame, box)


def write_plane(
    planes: Memory, plane: int, shapes: Memory, blocks: Memory, motions: Memory
) -> None:
    """Write where a half-plane is now."""
    row = SHAPE * int(planes[PLANE * plane])
    body = frame_of(motions, MOTION * int(shapes[row + SHAPE_BODY]))
    frame = composed(body, frame_at(shapes, row + SHAPE_FRAME))
    normal, offset = surface(shift(blocks, int(shapes[row + SHAPE_BLOCK])), frame)
    planes[PLANE * plane + 1] = normal[0]
    planes[PLANE * plane + 2] = normal[1]
    planes[PLANE * plane + 3] = 0.0
    planes[PLANE * plane + 4] = offset


def write_vector(memory: Memory, start: int, a: Vector) -> None:
    """Write a vector as three numbers."""
    memory[start] = a[0]
    memory[start + 1] = a[1]
    memory[start + 2] = 0.0
