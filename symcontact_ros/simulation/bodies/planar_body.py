"""Bodies in the plane, with three degrees of freedom."""

from __future__ import annotations

from symcontact_ros.collision.bounds import planar_box
from symcontact_ros.collision.broad_phase import Box, HalfSpacePlane
from symcontact_ros.collision.planar.closed_forms import surface
from symcontact_ros.kernels.elementary import cos_sin
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import layout_of, Record
from symcontact_ros.kernels.vectors.planar import (
    along,
    dot,
    Frame,
    in_space,
    minus,
    norm,
    placed,
    Vector,
)
from symcontact_ros.shapes.records import PlanarSolid, Triple
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

__all__ = ['PlanarBody', 'along', 'dot', 'in_space', 'minus', 'norm']

Solid = PlanarSolid


class PlanarState(Record):
    """State of a floating body."""

    centre: Vector  # of mass [m]
    angle: float  # [rad]
    velocity: Vector  # of the centre of mass [m/s]
    rate: float  # [rad/s]


STATE = layout_of(PlanarState).slots
IS_PLANAR = True


class PlanarBody(Body[Frame, Vector]):
    """A body in the plane."""

    inverse_inertia: float  # [1/(kg m^2)], about the centre of mass
    rate: float  # of turn [rad/s]
    torque: float  # that acts on it in this stage, about the centre of mass [N m]
    applied_torque: float  # held from step to step [N m]

    @property
    def centre(self) -> Triple:
        """Its centre of mass, as three numbers [m]."""
        return in_space(self.frame[1])

    def write_speeds(self, speeds: Floats, start: int) -> None:
        """Write velocity and rate of turn to numbers from a start on."""
        velocity = self.velocity
        speeds[start] = velocity[0]
        speeds[start + 1] = velocity[1]
        speeds[start + 2] = self.rate

    @property
    def applied(self) -> tuple[Triple, Triple]:
        """Force [N] and torque [N m] that are applied from outside, as three numbers each."""
        return in_space(self.applied_force), (0.0, 0.0, self.applied_torque)

    def world_inertia(self, moments: Moments) -> Matrix:
        """Return an inertia about z, which is the same in the world [kg m^2]."""
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, moments[2]

    def move_floating(self, stage: Floats) -> None:
        """Write the motion of a floating body, from its state."""
        state = PlanarState.at(stage, self.state)
        self.frame = (cos_sin(state.angle), state.centre)
        self.velocity = state.velocity
        self.rate = state.rate

    def move_articulated(self, frame: LinkFrame, centre: LinkCentre, twist: LinkTwist) -> None:
        """Write the motion of a body of a group, from the results of its functions."""
        rotation, position = frame.rotation, centre.position
        self.frame = ((rotation[0], rotation[3]), (position[0], position[1]))
        self.velocity = (twist.linear[0], twist.linear[1])
        self.rate = twist.angular[2]

    def write_motion(self, motion: BodyMotion) -> None:
        """Write attitude, centre of mass, its velocity and the rate of turn."""
        (cosine, sine), centre = self.frame
        motion.rotation = (cosine, 0.0 - sine, 0.0, sine, cosine, 0.0, 0.0, 0.0, 1.0)
        motion.com = in_space(centre)
        motion.velocity = in_space(self.velocity)
        motion.rate = (0.0, 0.0, self.rate)

    def velocity_at(self, point: Vector) -> Vector:
        """Return the velocity of the point of the body that is at a place of the world [m/s]."""
        _, centre = self.frame
        velocity, rate = self.velocity, self.rate
        return (
            velocity[0] - rate * (point[1] - centre[1]),
            velocity[1] + rate * (point[0] - centre[0]),
        )

    def speed_bound(self) -> float:
        """Return a bound of the speeds of all points of the body [m/s]."""
        return abs(self.velocity[0]) + abs(self.velocity[1]) + self.reach * abs(self.rate)

    def begin_load(self) -> float:
        """Start the load of a stage with the applied load; return its power [W]."""
        force, torque = self.applied_force, self.applied_torque
        self.force = force
        self.torque = torque
        return dot(force, self.velocity) + torque * self.rate

    def clear_load(self) -> None:
        """Take the load away."""
        self.force = (0.0, 0.0)
        self.torque = 0.0

    def push(self, point: Vector, force: Vector, way: float) -> None:
        """Add a force at a point [N], times 1 or -1, to the load of the body."""
        fx, fy = way * force[0], way * force[1]
        total = self.force
        self.force = (total[0] + fx, total[1] + fy)
        self.torque += self._moment(point, (fx, fy))

    def _moment(self, point: Vector, force: Vector) -> float:
        """Return the moment of a force at a point about the centre of mass [N m]."""
        arm = minus(point, self.frame[1])
        return arm[0] * force[1] - arm[1] * force[0]

    def turning(self) -> Triple:
        """Return the rate of turn [rad/s]."""
        return 0.0, 0.0, self.rate

    def twist_by(self, torque: Triple, way: float) -> None:
        """Add a torque [N m], times 1 or -1, to the load of the body."""
        self.torque += way * torque[2]

    def spin_mobility(self) -> float:
        """Return the rate of turn that a unit angular impulse gives [1/(kg m^2)]."""
        return self.inverse_inertia

    def mobility(self, point: Vector, direction: Vector) -> float:
        """Return the velocity along a direction that a unit impulse there gives [1/kg]."""
        arm = self._moment(point, direction)
        return self.inverse_mass + arm * arm * self.inverse_inertia

    def slip_mobility(self, point: Vector, normal: Vector) -> float:
        """Return the same across a normal [1/kg]."""
        return self.mobility(point, (-normal[1], normal[0]))

    def load_carrier(self, carrier: LinkCentre, load: LinkLoad) -> None:
        """Add the load of the body to that of the link that carries it."""
        fx, fy = self.force
        force, torque, about = load.force, load.torque, carrier.position
        load.force = (force[0] + fx, force[1] + fy, force[2])
        _, centre = self.frame
        arm_x, arm_y = centre[0] - about[0], centre[1] - about[1]
        more = self.torque + arm_x * fy - arm_y * fx
        load.torque = (torque[0], torque[1], torque[2] + more)

    def _accelerations(
        self, force: Vector, torque: float, gravity: Triple
    ) -> tuple[float, float, float]:
        """Return the accelerations of a floating body under a load [m/s^2, rad/s^2]."""
        return (
            force[0] * self.inverse_mass + gravity[0],
            force[1] * self.inverse_mass + gravity[1],
            torque * self.inverse_inertia,
        )

    def fly(self, stage: Floats, gravity: Triple, h: float) -> float:
        """Move a floating body that nothing touches by h [s]; return the work of its load [J]."""
        state = PlanarState.at(stage, self.state)
        force, torque = self.applied_force, self.applied_torque
        ax, ay, turn = self._accelerations(force, torque, gravity)
        centre, velocity, rate = state.centre, state.velocity, state.rate
        dx = h * (velocity[0] + 0.5 * h * ax)
        dy = h * (velocity[1] + 0.5 * h * ay)
        angle = h * (rate + 0.5 * h * turn)
        state.centre = (centre[0] + dx, centre[1] + dy)
        state.angle += angle
        state.velocity = (velocity[0] + h * ax, velocity[1] + h * ay)
        state.rate = rate + h * turn
        return force[0] * dx + force[1] * dy + torque * angle

    def energy(self, stage: Floats, gravity: Triple) -> tuple[float, float]:
        """Return kinetic energy and that of gravity, of a floating body [J]."""
        state = PlanarState.at(stage, self.state)
        centre, velocity = state.centre, state.velocity
        mass = 1.0 / self.inverse_mass
        kinetic = 0.5 * mass * dot(velocity, velocity)
        if self.inverse_inertia > 0.0:
            kinetic += 0.5 * state.rate * state.rate / self.inverse_inertia
        return kinetic, -mass * (gravity[0] * centre[0] + gravity[1] * centre[1])

    def advance(
        self, state: Floats, stage: Floats, sums: Floats, gravity: Triple, weights: Weights
    ) -> None:
        """Make the next stage of Runge and Kutta for a floating body."""
        ax, ay, turn = self._accelerations(self.force, self.torque, gravity)
        own = PlanarState.at(stage, self.state)
        velocity, rate = own.velocity, own.rate
        rates = (velocity[0], velocity[1], rate, ax, ay, turn)
        for i, one in enumerate(rates):
            advance_number(state, stage, sums, self.state + i, one, weights)

    def kick(self, stage: Floats, gravity: Triple, h: float) -> None:
        """Change the velocities of a floating body as its load does in a time h [s]."""
        ax, ay, turn = self._accelerations(self.force, self.torque, gravity)
        state = PlanarState.at(stage, self.state)
        velocity = state.velocity
        state.velocity = (velocity[0] + h * ax, velocity[1] + h * ay)
        state.rate += h * turn

    def drift(self, stage: Floats, h: float) -> None:
        """Move a floating body at its velocities for a time h [s]."""
        state = PlanarState.at(stage, self.state)
        state.centre = along(state.centre, h, state.velocity)
        state.angle += h * state.rate

    def place_from(
        self, base: Floats, stage: Floats, speeds: Floats, start: int, h: float
    ) -> None:
        """Write where a floating body is, h [s] from a base at velocities from a start on."""
        for i in range(3):
            stage[self.state + i] = base[self.state + i] + h * speeds[start + i]

    def extrapolate(self, base: Floats, stage: Floats, factor: float) -> None:
        """Write velocities of a floating body: those of a base and a factor times their change."""
        for i in range(self.state + 3, self.state + STATE):
            stage[i] = base[i] + factor * (stage[i] - base[i])

    def accept(self, state: Floats, stage: Floats) -> float:
        """Take the stage of a floating body as its state; return how far it moved, at most [m]."""
        old, new = PlanarState.at(state, self.state), PlanarState.at(stage, self.state)
        centre, before = new.centre, old.centre
        way = abs(centre[0] - before[0]) + abs(centre[1] - before[1])
        way = way + self.reach * abs(new.angle - old.angle)
        for i in range(STATE):
            state[self.state + i] = stage[self.state + i]
        return way

    def step_bound(self, stage: Floats, h: float) -> float:
        """Return how far a point of a floating body moves in a time h [s] at most [m]."""
        state = PlanarState.at(stage, self.state)
        speed = abs(state.velocity[0]) + abs(state.velocity[1])
        return h * (speed + self.reach * abs(state.rate))


def times(factor: float, a: Vector) -> Vector:
    """Return factor a."""
    return factor * a[0], factor * a[1]


def from_space(point: Triple) -> Vector:
    """Return a point in space as one of the plane."""
    return point[0], point[1]


def composed(body: Frame, shape: Frame) -> Frame:
    """Return where a frame that is fixed in a body is in the world."""
    (c, s), _ = body
    (d, e), origin = shape
    return (c * d - s * e, s * d + c * e), placed(body, origin)


def write_box(solid: PlanarSolid, frame: Frame, box: Box) -> None:
    """Write the box around a shape."""
    planar_box(solid, frame, box)


def write_plane(solid: PlanarSolid, frame: Frame, plane: HalfSpacePlane) -> None:
    """Write where a half-plane is now."""
    normal, offset = surface(solid, frame)
    plane.normal = in_space(normal)
    plane.offset = offset
