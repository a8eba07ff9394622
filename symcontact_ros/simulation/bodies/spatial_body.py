"""Bodies in space, with six degrees of freedom."""

from __future__ import annotations

from symcontact_ros.collision.bounds import spatial_box
from symcontact_ros.collision.broad_phase import Box, HalfSpacePlane
from symcontact_ros.collision.spatial.closed_forms import surface
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import layout_of, Record
from symcontact_ros.kernels.vectors.spatial import (
    along,
    cross,
    dot,
    Frame,
    in_space,
    minus,
    norm,
    placed,
    times,
    turned,
    Vector,
)
from symcontact_ros.shapes.records import SpatialSolid, Triple
from symcontact_ros.simulation.bodies.attitudes import (
    axes_of,
    InverseInertia,
    Quaternion,
    quaternion_rate,
    rate_in_body,
    rate_in_world,
    turn,
    turned_evenly,
    unit,
)
from symcontact_ros.simulation.bodies.body import (
    Body,
    BodyMotion,
    LinkCentre,
    LinkFrame,
    LinkLoad,
    LinkTwist,
    Matrix,
    Moments,
)
from symcontact_ros.simulation.bodies.runge_kutta import advance_number, Weights

__all__ = ['SpatialBody', 'along', 'dot', 'in_space', 'minus', 'norm', 'times']

Solid = SpatialSolid


class SpatialState(Record):
    """
    State of a floating body, world axes.

    Keeping the angular momentum instead of the rate of turn keeps it exactly where nothing turns
    the body.
    """

    centre: Vector  # of mass [m]
    attitude: Quaternion  # x, y, z, w
    velocity: Vector  # of the centre of mass [m/s]
    momentum: Vector  # angular, about the centre of mass [kg m^2/s]


_LAYOUT = layout_of(SpatialState)
STATE = _LAYOUT.slots
IS_PLANAR = False
# Where they are in the state.
ATTITUDE = _LAYOUT.fields['attitude'].offset
VELOCITY = _LAYOUT.fields['velocity'].offset
MOMENTUM = _LAYOUT.fields['momentum'].offset


class SpatialBody(Body[Frame, Vector]):
    """A body in space."""

    inertia: InverseInertia
    rate: Vector  # of turn [rad/s]
    rate_in_body: Vector  # the same in body axes, of floating bodies [rad/s]
    torque: Vector  # that acts on it in this stage, about the centre of mass [N m]
    applied_torque: Vector  # held from step to step [N m]

    @property
    def centre(self) -> Triple:
        """Its centre of mass [m]."""
        return self.frame[3]

    def write_speeds(self, speeds: Floats, start: int) -> None:
        """Write velocity and rate of turn to numbers from a start on."""
        velocity, rate = self.velocity, self.rate
        for i in range(3):
            speeds[start + i] = velocity[i]
            speeds[start + 3 + i] = rate[i]

    @property
    def applied(self) -> tuple[Triple, Triple]:
        """Force [N] and torque [N m] that are applied from outside, as three numbers each."""
        return self.applied_force, self.applied_torque

    def world_inertia(self, moments: Moments) -> Matrix:
        """Return an inertia that is given in its axes in those of the world [kg m^2]."""
        x, y, z, _ = self.frame
        xx, yy, zz, xy, xz, yz = moments
        a = along(along(times(xx, x), xy, y), xz, z)  # columns of axes times inertia
        b = along(along(times(xy, x), yy, y), yz, z)
        c = along(along(times(xz, x), yz, y), zz, z)
        return (
            a[0] * x[0] + b[0] * y[0] + c[0] * z[0],
            a[0] * x[1] + b[0] * y[1] + c[0] * z[1],
            a[0] * x[2] + b[0] * y[2] + c[0] * z[2],
            a[1] * x[0] + b[1] * y[0] + c[1] * z[0],
            a[1] * x[1] + b[1] * y[1] + c[1] * z[1],
            a[1] * x[2] + b[1] * y[2] + c[1] * z[2],
            a[2] * x[0] + b[2] * y[0] + c[2] * z[0],
            a[2] * x[1] + b[2] * y[1] + c[2] * z[1],
            a[2] * x[2] + b[2] * y[2] + c[2] * z[2],
        )

    def move_floating(self, stage: Floats) -> None:
        """Write the motion of a floating body, from its state."""
        state = SpatialState.at(stage, self.state)
        q = state.attitude
        x, y, z = axes_of(q)
        w = rate_in_body(self.inertia, q, state.momentum)
        self.frame = (x, y, z, state.centre)
        self.velocity = state.velocity
        self.rate = turned((x, y, z, x), w)
        self.rate_in_body = w

    def move_articulated(self, frame: LinkFrame, centre: LinkCentre, twist: LinkTwist) -> None:
        """Write the motion of a body of a group, from the results of its functions."""
        xx, yx, zx, xy, yy, zy, xz, yz, zz = frame.rotation  # rows of a matrix; axes are columns
        self.frame = ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz), centre.position)
        self.velocity = twist.linear
        self.rate = twist.angular

    def write_motion(self, motion: BodyMotion) -> None:
        """Write attitude, centre of mass, its velocity and the rate of turn."""
        x, y, z, centre = self.frame
        motion.rotation = (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])
        motion.com = centre
        motion.velocity = self.velocity
        motion.rate = self.rate

    def velocity_at(self, point: Vector) -> Vector:
        """Return the velocity of the point of the body that is at a place of the world [m/s]."""
        arm = minus(point, self.frame[3])
        return along(self.velocity, 1.0, cross(self.rate, arm))

    def speed_bound(self) -> float:
        """Return a bound of the speeds of all points of the body [m/s]."""
        velocity, rate = self.velocity, self.rate
        speed = abs(velocity[0]) + abs(velocity[1]) + abs(velocity[2])
        return speed + self.reach * (abs(rate[0]) + abs(rate[1]) + abs(rate[2]))

    def begin_load(self) -> float:
        """Start the load of a stage with the applied load; return its power [W]."""
        force, torque = self.applied_force, self.applied_torque
        self.force = force
        self.torque = torque
        return dot(force, self.velocity) + dot(torque, self.rate)

    def clear_load(self) -> None:
        """Take the load away."""
        self.force = (0.0, 0.0, 0.0)
        self.torque = (0.0, 0.0, 0.0)

    def push(self, point: Vector, force: Vector, way: float) -> None:
        """Add a force at a point [N], times 1 or -1, to the load of the body."""
        torque = cross(minus(point, self.frame[3]), force)
        self.force = along(self.force, way, force)
        self.torque = along(self.torque, way, torque)

    def turning(self) -> Triple:
        """Return the rate of turn [rad/s]."""
        return self.rate

    def twist_by(self, torque: Triple, way: float) -> None:
        """Add a torque [N m], times 1 or -1, to the load of the body."""
        self.torque = along(self.torque, way, torque)

    def spin_mobility(self) -> float:
        """Return the rate of turn that a unit angular impulse gives, at most [1/(kg m^2)]."""
        return self.inertia.largest

    def mobility(self, point: Vector, direction: Vector) -> float:
        """Return the velocity along a direction that a unit impulse there gives [1/kg]."""
        arm = cross(minus(point, self.frame[3]), direction)
        return self.inverse_mass + dot(arm, arm) * self.inertia.largest

    def slip_mobility(self, point: Vector, normal: Vector) -> float:
        """Return the same across a normal, at most [1/kg]."""
        arm = minus(point, self.frame[3])
        return self.inverse_mass + dot(arm, arm) * self.inertia.largest

    def load_carrier(self, carrier: LinkCentre, load: LinkLoad) -> None:
        """Add the load of the body to that of the link that carries it."""
        force = self.force
        arm = minus(self.frame[3], carrier.position)
        torque = along(self.torque, 1.0, cross(arm, force))
        load.force = along(load.force, 1.0, force)
        load.torque = along(load.torque, 1.0, torque)

    def _acceleration(self, force: Vector, gravity: Triple) -> Vector:
        """Return the acceleration of the centre of mass of a floating body [m/s^2]."""
        return along(gravity, self.inverse_mass, force)

    def fly(self, stage: Floats, gravity: Triple, h: float) -> float:
        """Move a floating body that nothing touches by h [s]; return the work of its load [J]."""
        state = SpatialState.at(stage, self.state)
        force = self.applied_force
        a = self._acceleration(force, gravity)
        velocity, momentum, q = state.velocity, state.momentum, state.attitude
        change = times(h, self.applied_torque)
        way = along(times(h, velocity), 0.5 * h * h, a)
        state.centre = along(state.centre, 1.0, way)
        state.velocity = along(velocity, h, a)
        after = turn(q, self.inertia, momentum, change, h)
        state.attitude = after
        end = along(momentum, 1.0, change)
        state.momentum = end
        work = dot(force, way)
        if change[0] != 0.0 or change[1] != 0.0 or change[2] != 0.0:
            work += 0.5 * dot(change, rate_in_world(self.inertia, q, momentum))
            work += 0.5 * dot(change, rate_in_world(self.inertia, after, end))
        return work

    def energy(self, stage: Floats, gravity: Triple) -> tuple[float, float]:
        """Return kinetic energy and that of gravity, of a floating body [J]."""
        state = SpatialState.at(stage, self.state)
        velocity, momentum = state.velocity, state.momentum
        mass = 1.0 / self.inverse_mass
        rate = rate_in_world(self.inertia, state.attitude, momentum)
        kinetic = 0.5 * (mass * dot(velocity, velocity) + dot(momentum, rate))
        return kinetic, -mass * dot(gravity, state.centre)

    def advance(
        self, state: Floats, stage: Floats, sums: Floats, gravity: Triple, weights: Weights
    ) -> None:
        """Make the next stage of Runge and Kutta for a floating body."""
        own = SpatialState.at(stage, self.state)
        velocity, torque = own.velocity, self.torque
        acceleration = self._acceleration(self.force, gravity)
        spin = quaternion_rate(own.attitude, self.rate_in_body)
        for i in range(3):
            at = self.state + i
            advance_number(state, stage, sums, at, velocity[i], weights)
            advance_number(state, stage, sums, at + VELOCITY, acceleration[i], weights)
            advance_number(state, stage, sums, at + MOMENTUM, torque[i], weights)
        for i in range(4):
            advance_number(state, stage, sums, self.state + ATTITUDE + i, spin[i], weights)

    def kick(self, stage: Floats, gravity: Triple, h: float) -> None:
        """Change the velocities of a floating body as its load does in a time h [s]."""
        state = SpatialState.at(stage, self.state)
        state.velocity = along(state.velocity, h, self._acceleration(self.force, gravity))
        state.momentum = along(state.momentum, h, self.torque)

    def drift(self, stage: Floats, h: float) -> None:
        """Move a floating body at its velocity and angular momentum for a time h [s]."""
        state = SpatialState.at(stage, self.state)
        state.centre = along(state.centre, h, state.velocity)
        still = (0.0, 0.0, 0.0)
        state.attitude = turn(state.attitude, self.inertia, state.momentum, still, h)

    def place_from(
        self, base: Floats, stage: Floats, speeds: Floats, start: int, h: float
    ) -> None:
        """Write where a floating body is, h [s] from a base at velocities from a start on."""
        old, new = SpatialState.at(base, self.state), SpatialState.at(stage, self.state)
        velocity = (speeds[start], speeds[start + 1], speeds[start + 2])
        rate = (speeds[start + 3], speeds[start + 4], speeds[start + 5])
        new.centre = along(old.centre, h, velocity)
        new.attitude = turned_evenly(old.attitude, rate, h)

    def extrapolate(self, base: Floats, stage: Floats, factor: float) -> None:
        """Write momenta of a floating body: those of a base and a factor times their change."""
        for i in range(self.state + VELOCITY, self.state + STATE):
            stage[i] = base[i] + factor * (stage[i] - base[i])

    def accept(self, state: Floats, stage: Floats) -> float:
        """Take the stage of a floating body as its state; return how far it moved, at most [m]."""
        old, new = SpatialState.at(state, self.state), SpatialState.at(stage, self.state)
        new.attitude = unit(new.attitude)
        x, y, z = minus(new.centre, old.centre)
        way = abs(x) + abs(y) + abs(z)
        p, q = old.attitude, new.attitude
        turned_by = abs(q[0] - p[0]) + abs(q[1] - p[1]) + abs(q[2] - p[2]) + abs(q[3] - p[3])
        for i in range(STATE):
            state[self.state + i] = stage[self.state + i]
        # An angle is 2 to 2.2 times the change of a quaternion.
        return way + 2.5 * self.reach * turned_by

    def step_bound(self, stage: Floats, h: float) -> float:
        """Return how far a point of a floating body moves in a time h [s] at most [m]."""
        state = SpatialState.at(stage, self.state)
        v, momentum = state.velocity, state.momentum
        spin = abs(momentum[0]) + abs(momentum[1]) + abs(momentum[2])
        spin = self.inertia.largest * spin
        return h * (abs(v[0]) + abs(v[1]) + abs(v[2]) + self.reach * spin)


def from_space(point: Triple) -> Vector:
    """Return a point in space as it is."""
    return point


def composed(body: Frame, shape: Frame) -> Frame:
    """Return where a frame that is fixed in a body is in the world."""
    x, y, z, origin = shape
    return turned(body, x), turned(body, y), turned(body, z), placed(body, origin)


def write_box(solid: SpatialSolid, frame: Frame, box: Box) -> None:
    """Write the box around a shape."""
    spatial_box(solid, frame, box)


def write_plane(solid: SpatialSolid, frame: Frame, plane: HalfSpacePlane) -> None:
    """Write where a half-space is now."""
    normal, offset = surface(solid, frame)
    plane.normal = normal
    plane.offset = offset
