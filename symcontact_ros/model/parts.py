"""Parts of a model: constant once built; numbers may be formulas of live symbols."""

from __future__ import annotations

from dataclasses import dataclass, field
import math

from symcontact_ros.expressions import evaluate, Formula, Scalar, Values
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.initial import AT_REST, Initial
from symcontact_ros.joints.table import JOINT_TYPES
from symcontact_ros.placements import AT_ORIGIN, Placement, Triple, ZERO
from symcontact_ros.shapes.base import Shape

WORLD = 'world'
NOT_GIVEN = math.nan  # a constant of a stop that `joint_stops` chooses


def is_given(scalar: Scalar) -> bool:
    """Return whether a model gives a constant; a formula is always given."""
    return isinstance(scalar, Formula) or not math.isnan(scalar)


@dataclass(frozen=True)
class LiveSymbol:
    """A physical constant that may change while the model is simulated."""

    value: float
    minimum: float = -math.inf
    maximum: float = math.inf
    unit: str = ''
    description: str = ''
    latex: str = ''


@dataclass(frozen=True)
class Limit:
    """Limit of a number of the model, whatever the values of its live symbols."""

    path: str  # `bodies.ball.mass`
    scalar: Scalar
    above: float = -math.inf  # it must be greater
    minimum: float = -math.inf  # it must not be less
    at_least: Scalar = -math.inf  # nor less than this number of the model,
    other: str = ''  # which has this name

    def broken(self, values: Values) -> str:
        """Return how the limit is violated, '' if it is not; NaN violates none."""
        number = evaluate(self.scalar, values)
        if number <= self.above:
            return f'must be > {self.above:g}, got {number:g}'
        if number < (least := evaluate(self.at_least, values)):
            return f'must be >= {self.other}, which is {least:g}, got {number:g}'
        return f'must be >= {self.minimum:g}, got {number:g}' if number < self.minimum else ''


@dataclass(frozen=True)
class PlacedShape:
    """A shape fastened to a body."""

    shape: Shape
    placement: Placement = AT_ORIGIN  # of the shape's frame in the body frame


@dataclass(frozen=True)
class Limits:
    """Soft stops of a joint; units of q: rad or m."""

    lower: Scalar
    upper: Scalar
    stiffness: Scalar  # [N m/rad or N/m] beyond a stop
    damping: Scalar  # [N m s/rad or N s/m] beyond a stop
    is_chosen: bool = False  # whether `joint_stops` chose one of them


@dataclass(frozen=True)
class Servo:
    """Gains with which a joint follows positions and velocities, and its target at the start."""

    kp: Scalar = 0.0  # [N m/rad or N/m]
    kd: Scalar = 0.0  # [N m s/rad or N s/m]
    max_effort: Scalar = math.inf  # [N m or N]
    target: Scalar | None = None  # position held from the start [rad or m]; None: none
    holds_start: bool = False  # whether it holds the position in which the joint starts
    gravity_compensation: bool = False  # whether the effort that gravity needs is added
    is_auto: bool = False  # whether its gains follow from inertia and step: `servo_gains`

    @property
    def holds(self) -> bool:
        """Whether it has a target from the start."""
        return self.holds_start or self.target is not None


@dataclass(frozen=True)
class Mimic:
    """
    Bond of a joint without coordinates of its own: q = multiplier * q_leader + offset.

    Its damping, spring, dry friction and all its limits are counted among the leader's.
    """

    joint: str  # the leader, which follows no other joint
    multiplier: Scalar = 1.0  # [unit of q / unit of q_leader]; may be negative, or 0: at rest
    offset: Scalar = 0.0  # [rad or m]


@dataclass(frozen=True)
class Joint:
    """Joint of a body to its parent, in whose frame the body's frame is ``origin`` at q = 0."""

    name: str
    type: str = 'fixed'  # a key of joints.table.JOINT_TYPES
    parent: str = WORLD
    axis: Triple = (0.0, 0.0, 1.0)  # in the body frame; unit; where the type has one
    origin: Placement = AT_ORIGIN
    damping: Scalar = 0.0  # [N m s/rad or N s/m]
    stiffness: Scalar = 0.0  # [N m/rad or N/m], of a spring at rest at rest_position
    rest_position: Scalar = 0.0  # [rad or m]
    friction: Scalar = 0.0  # dry, [N m or N]
    armature: Scalar = 0.0  # rotor inertia seen by the joint [kg m^2 or kg]
    limits: Limits | None = None
    effort_limit: Scalar = math.inf  # of its actuator [N m or N]
    velocity_limit: Scalar = math.inf  # that is warned of [rad/s or m/s]
    servo: Servo | None = None
    constants: tuple[Scalar, ...] = ()  # the numbers of the type's own keys
    mimic: Mimic | None = None  # of a follower
    has_open_armature: bool = False  # whether `joint_armatures` adds one where it is needed

    @property
    def coordinates(self) -> int:
        """Number of coordinates of its own: none of a follower."""
        return 0 if self.mimic else self.kind.coordinates

    @property
    def speeds(self) -> int:
        """Number of speeds of its own: none of a follower."""
        return 0 if self.mimic else self.kind.speeds

    @property
    def is_driven(self) -> bool:
        """Whether it has one degree of freedom of its own, and with it an effort."""
        return self.speeds == 1

    @property
    def kind(self) -> JointType:
        """The type as an object: the motion that it allows."""
        return JOINT_TYPES[self.type]


@dataclass(frozen=True)
class Body:
    """A rigid body."""

    name: str
    joint: Joint
    mass: Scalar = 0.0  # [kg]
    com: Triple = ZERO  # centre of mass in the body frame [m]
    # ixx, iyy, izz, ixy, ixz, iyz about the centre of mass, body axes [kg m^2]
    inertia: tuple[Scalar, ...] = (0.0,) * 6
    shapes: tuple[PlacedShape, ...] = ()
    sites: dict[str, Placement] = field(default_factory=dict)
    initial: Initial = AT_REST
    robot: str = ''  # that it belongs to; '': the articulated tree that it is part of


@dataclass(frozen=True)
class Sensor:
    """An imu on a site, force and torque in a joint, or what the ground does to a body."""

    name: str
    type: str  # imu | force_torque | ground_reaction
    place: str  # site, joint or body
    # Standard deviation of each component: acceleration [m/s^2] and angular_velocity [rad/s] of an
    # imu, force [N] and torque [N m] of the others.
    noise: dict[str, float] = field(default_factory=dict)
