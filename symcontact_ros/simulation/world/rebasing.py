"""
States of floating bodies after a change of live symbols: kernels.

Origin, attitude and velocities of a body stay; its centre of mass and its momenta follow from its
new mass properties. A body whose mass properties did not change keeps its state bit for bit.
"""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.elementary import cos_sin
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.kernels.vectors.spatial import along, cross, minus, turned
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.attitudes import axes_of, rate_in_body
from symcontact_ros.simulation.bodies.body import Moments
from symcontact_ros.simulation.bodies.planar_body import PlanarState
from symcontact_ros.simulation.bodies.spatial_body import SpatialState
from symcontact_ros.simulation.world.world import World


class FloatingBody(Record):
    """A floating body, before and after a change; the first one of the solver is the first."""

    body: int  # its row
    com: Triple  # centre of mass in its own frame [m]
    com_before: Triple
    moments_before: Moments
    rate: Triple  # of turn, body axes [rad/s]; in the plane about z


def note_motions(world: World[S, F, V], floating: Rows[FloatingBody]) -> None:
    """Note mass properties and rates of turn, before a change."""
    for i in range(len(floating)):
        row = floating[i]
        row.com_before = row.com
        row.moments_before = world.solver.blocks[i].moments
        row.rate = own_rate(world, world.bodies[row.body])


def own_rate(world: World[S, F, V], body: Any) -> Triple:
    """Return the rate of turn of a floating body, body axes [rad/s]."""
    if world.space.IS_PLANAR:
        return 0.0, 0.0, PlanarState.at(world.state, body.state).rate
    state = SpatialState.at(world.state, body.state)
    return rate_in_body(body.inertia, state.attitude, state.momentum)


def rebase(world: World[S, F, V], floating: Rows[FloatingBody]) -> None:
    """Write the state, after a change; stage and all else are as before."""
    for i in range(len(floating)):
        row = floating[i]
        shift = minus(row.com, row.com_before)
        if shift[0] != 0.0 or shift[1] != 0.0 or shift[2] != 0.0:
            shift_centre(world, world.bodies[row.body].state, shift, row.rate)
        moments = world.solver.blocks[i].moments
        if not world.space.IS_PLANAR and differ(moments, row.moments_before):
            take_moments(world, world.bodies[row.body].state, moments, row.rate)


def shift_centre(world: World[S, F, V], start: int, shift: Triple, rate: Triple) -> None:
    """Move the centre of mass in the body by a shift, body axes [m]."""
    if world.space.IS_PLANAR:
        state = PlanarState.at(world.state, start)
        cosine, sine = cos_sin(state.angle)
        x, y = cosine * shift[0] - sine * shift[1], sine * shift[0] + cosine * shift[1]
        centre, velocity = state.centre, state.velocity
        state.centre = (centre[0] + x, centre[1] + y)
        state.velocity = (velocity[0] - rate[2] * y, velocity[1] + rate[2] * x)
    else:
        free = SpatialState.at(world.state, start)
        x_axis, y_axis, z_axis = axes_of(free.attitude)
        frame = (x_axis, y_axis, z_axis, x_axis)
        free.centre = along(free.centre, 1.0, turned(frame, shift))
        free.velocity = along(free.velocity, 1.0, turned(frame, cross(rate, shift)))


def take_moments(world: World[S, F, V], start: int, moments: Moments, rate: Triple) -> None:
    """Write the angular momentum that a rate of turn has with an inertia."""
    state = SpatialState.at(world.state, start)
    x, y, z = axes_of(state.attitude)
    xx, yy, zz, xy, xz, yz = moments
    own = (
        xx * rate[0] + xy * rate[1] + xz * rate[2],
        xy * rate[0] + yy * rate[1] + yz * rate[2],
        xz * rate[0] + yz * rate[1] + zz * rate[2],
    )
    state.momentum = turned((x, y, z, x), own)


def differ(a: Moments, b: Moments) -> bool:
    """Return whether two inertias differ."""
    return (
        a[0] != b[0]
        or a[1] != b[1]
        or a[2] != b[2]
        or a[3] != b[3]
        or a[4] != b[4]
        or a[5] != b[5]
    )
