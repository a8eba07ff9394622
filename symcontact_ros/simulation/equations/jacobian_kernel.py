"""Kernel of a Jacobian: the columns of the joints that carry a point."""

from __future__ import annotations

from symcontact_ros.kernels.language import call
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.kernels.vectors.spatial import along, cross, minus, Vector

FRAME = 12  # numbers of a link's frame: nine of its rotation, row by row, and its origin


class Column(Record):
    """What a joint adds to the column of a speed: velocities per unit of it."""

    speed: int  # of the model
    link: int  # whose axes they are in; -1: those of the world
    origin: int  # the link whose origin moves like this
    linear: tuple[float, float, float]  # [m/s]
    angular: tuple[float, float, float]  # [rad/s]


class JacobianRecord(Record):
    """A point of a link, the kinematics of the link's group, and the Jacobian."""

    kinematics: int  # address of the function whose blocks follow
    q: Floats
    u: Floats
    udot: Floats
    effort: Floats
    wrench: Floats
    constants: Floats
    frames: Floats
    coms: Floats
    twists: Floats
    link: int  # that the point moves with
    point: tuple[float, float, float]  # [m]
    is_in_world: bool  # whether the point is given in the world, not in the frame of the link
    columns: Rows[Column]
    speeds: int  # of the model
    jacobian: Floats  # 6 x speeds, row by row: linear, then angular


def write_jacobian(out: JacobianRecord) -> None:
    """Write the Jacobian of a point at the coordinates of a record, world axes."""
    call(
        out.kinematics,
        out.q,
        out.u,
        out.udot,
        out.effort,
        out.wrench,
        out.constants,
        out.frames,
        out.coms,
        out.twists,
    )
    point = out.point
    if not out.is_in_world:
        point = along(origin_of(out.frames, out.link), 1.0, rotated(out.frames, out.link, point))
    for i in range(len(out.jacobian)):
        out.jacobian[i] = 0.0
    for k in range(len(out.columns)):
        column = out.columns[k]
        linear, angular = column.linear, column.angular
        if column.link >= 0:
            linear = rotated(out.frames, column.link, linear)
            angular = rotated(out.frames, column.link, angular)
        arm = minus(point, origin_of(out.frames, column.origin))
        linear = along(linear, 1.0, cross(angular, arm))
        for i, number in enumerate(linear):
            out.jacobian[i * out.speeds + column.speed] += number
        for i, number in enumerate(angular):
            out.jacobian[(3 + i) * out.speeds + column.speed] += number


def origin_of(frames: Floats, link: int) -> Vector:
    """Return the origin of a link in the world [m]."""
    at = FRAME * link + 9
    return frames[at], frames[at + 1], frames[at + 2]


def rotated(frames: Floats, link: int, a: Vector) -> Vector:
    """Return the components in the world of a vector in the axes of a link."""
    m = frames[FRAME * link :]
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )
