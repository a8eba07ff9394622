"""Bodies of a world: their record, common to the plane and to space."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic

from symcontact_ros.collision.shape_pair import F, V
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Record
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.runge_kutta import Weights

# Kinds of bodies: never moving; moving freely, as planar or free body; in a group of joints.
FIXED, FLOATING, ARTICULATED = range(3)

Matrix = tuple[float, float, float, float, float, float, float, float, float]  # row by row
# xx, yy, zz, xy, xz, yz of an inertia
Moments = tuple[float, float, float, float, float, float]


class LinkFrame(Record):
    """Pose of the frame of a link, as the functions of a group give it."""

    rotation: Matrix  # takes components in the link to those in the world
    position: Triple  # [m]


class LinkCentre(Record):
    """Centre of mass of a link."""

    position: Triple  # [m]


class LinkTwist(Record):
    """Twist of a link."""

    linear: Triple  # of its centre of mass [m/s]
    angular: Triple  # [rad/s]


class LinkLoad(Record):
    """Load on a link, about its centre of mass."""

    force: Triple  # [N]
    torque: Triple  # [N m]


class BodyMotion(Record):
    """Reported motion of a body, in the plane or in space: SI units, world axes."""

    position: Triple  # of its origin
    quaternion: tuple[float, float, float, float]  # x, y, z, w with w >= 0
    rotation: Matrix  # takes components in the body to those in the world
    com: Triple  # centre of mass; of a fixed body: its origin
    velocity: Triple  # of the centre of mass
    rate: Triple  # of turn
    force: Triple  # of all contacts
    torque: Triple  # of all contacts, about the centre of mass


class Body(Record, Generic[F, V]):
    """
    A body, world axes.

    Its motion is that of the stage that is being computed. The plane and space add its
    rotation and its torque.
    """

    kind: int  # FIXED, FLOATING or ARTICULATED
    state: int  # where its state starts, of a floating body
    group: int  # which one it is part of, if articulated
    link: int  # its number among the links of its group
    carrier: int  # the link with a joint that it is part of, among those of its group; -1: none
    carrier_load: int  # the number of that link among those with a joint
    weld: int  # the first body of those that fixed joints make one with it
    weighty: int  # the body that stands for its mass in a contact: itself, or one welded to it
    inverse_mass: float  # [1/kg], 0 if it never moves
    reach: float  # from its centre of mass to its farthest point [m]
    thickness: float  # extent of its thickest shape, of all that is one with it; of its weld [m]
    travelled: float  # how far any of its points has moved since the start, at most [m]
    reachable: float  # the same, at the end of the coming step [m]
    is_active: bool  # whether it may touch something in this step
    frame: F  # at its centre of mass
    velocity: V  # of its centre of mass [m/s]
    force: V  # that acts on it in this stage [N]
    applied_force: V  # held from step to step [N]

    @property
    def takes_part(self) -> bool:
        """Whether it goes through the stages of this step."""
        return self.kind == ARTICULATED or self.is_active

    @property
    @abstractmethod
    def centre(self) -> Triple:
        """Its centre of mass, as three numbers [m]."""

    @abstractmethod
    def write_speeds(self, speeds: Floats, start: int) -> None:
        """Write velocity and rate of turn to numbers from a start on."""

    @property
    @abstractmethod
    def applied(self) -> tuple[Triple, Triple]:
        """Force [N] and torque [N m] that are applied from outside, as three numbers each."""

    @abstractmethod
    def world_inertia(self, moments: Moments) -> Matrix:
        """Return an inertia that is given in its axes in those of the world [kg m^2]."""

    @abstractmethod
    def move_floating(self, stage: Floats) -> None:
        """Write the motion of a floating body, from its state."""

    @abstractmethod
    def move_articulated(self, frame: LinkFrame, centre: LinkCentre, twist: LinkTwist) -> None:
        """Write the motion of a body of a group, from the results of its functions."""

    @abstractmethod
    def write_motion(self, motion: BodyMotion) -> None:
        """Write attitude, centre of mass, its velocity and the rate of turn."""

    @abstractmethod
    def velocity_at(self, point: V) -> V:
        """Return the velocity of the point of the body that is at a place of the world [m/s]."""

    @abstractmethod
    def speed_bound(self) -> float:
        """Return a bound of the speeds of all points of the body [m/s]."""

    @abstractmethod
    def begin_load(self) -> float:
        """Start the load of a stage with the applied load; return its power [W]."""

    @abstractmethod
    def clear_load(self) -> None:
        """Take the load away."""

    @abstractmethod
    def push(self, point: V, force: V, way: float) -> None:
        """Add a force at a point [N], times 1 or -1, to the load of the body."""

    @abstractmethod
    def turning(self) -> Triple:
        """Return the rate of turn [rad/s]."""

    @abstractmethod
    def twist_by(self, torque: Triple, way: float) -> None:
        """Add a torque [N m], times 1 or -1, to the load of the body."""

    @abstractmethod
    def spin_mobility(self) -> float:
        """Return the rate of turn that a unit angular impulse gives, at most [1/(kg m^2)]."""

    @abstractmethod
    def mobility(self, point: V, direction: V) -> float:
        """Return the velocity along a direction that a unit impulse there gives [1/kg]."""

    @abstractmethod
    def slip_mobility(self, point: V, normal: V) -> float:
        """Return the same across a normal, at most [1/kg]."""

    @abstractmethod
    def load_carrier(self, carrier: LinkCentre, load: LinkLoad) -> None:
        """Add the load of the body to that of the link that carries it."""

    @abstractmethod
    def fly(self, stage: Floats, gravity: Triple, h: float) -> float:
        """Move a floating body that nothing touches by h [s]; return the work of its load [J]."""

    @abstractmethod
    def energy(self, stage: Floats, gravity: Triple) -> tuple[float, float]:
        """Return kinetic energy and that of gravity, of a floating body [J]."""

    @abstractmethod
    def advance(
        self, state: Floats, stage: Floats, sums: Floats, gravity: Triple, weights: Weights
    ) -> None:
        """Make the next stage of Runge and Kutta for a floating body."""

    @abstractmethod
    def kick(self, stage: Floats, gravity: Triple, h: float) -> None:
        """Change the velocities of a floating body as its load does in a time h [s]."""

    @abstractmethod
    def drift(self, stage: Floats, h: float) -> None:
        """Move a floating body at its velocities for a time h [s]."""

    @abstractmethod
    def place_from(
        self, base: Floats, stage: Floats, speeds: Floats, start: int, h: float
    ) -> None:
        """Write where a floating body is, h [s] from a base at velocities from a start on."""

    @abstractmethod
    def extrapolate(self, base: Floats, stage: Floats, factor: float) -> None:
        """Write momenta of a floating body: those of a base and a factor times their change."""

    @abstractmethod
    def accept(self, state: Floats, stage: Floats) -> float:
        """Take the stage of a floating body as its state; return how far it moved, at most [m]."""

    @abstractmethod
    def step_bound(self, stage: Floats, h: float) -> float:
        """Return how far a point of a floating body moves in a time h [s] at most [m]."""
