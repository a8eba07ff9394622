"""Parts of a model: constant once built; numbers may be formulas of live symbols."""

from __future__ import annotations

from dataclasses import dataclass, field
import math

from symcontact_ros.expressions import evaluate, evaluate_all, Scalar, Values
from symcontact_ros.model.shapes import Shape, Triple

WORLD = 'world'
ZERO: Triple = (0.0, 0.0, 0.0)

# How many coordinates and speeds a joint has.
COORDINATES = {'fixed': 0, 'revolute': 1, 'prismatic': 1, 'planar': 3, 'spherical': 4, 'free': 7}
SPEEDS = {'fixed': 0, 'revolute': 1, 'prismatic': 1, 'planar': 3, 'spherical': 3, 'free': 6}


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

    def broken(self, values: Values) -> str:
        """Return how the limit is violated, '' if it is not; NaN violates none."""
        number = evaluate(self.scalar, values)
        if number <= self.above:
            return f'must be > {self.above:g}, got {number:g}'
        return f'must be >= {self.minimum:g}, got {number:g}' if number < self.minimum else ''


@dataclass(frozen=True)
class Rotation:
    """An attitude: roll, pitch, yaw about fixed axes [rad], or a quaternion x, y, z, w."""

    rpy: Triple = ZERO
    quaternion: tuple[Scalar, Scalar, Scalar, Scalar] | None = None  # wins over rpy

    def evaluated(self, values: Values) -> tuple[float, float, float, float]:
        """Return the unit quaternion x, y, z, w."""
        if self.quaternion is not None:
            numbers = evaluate_all(self.quaternion, values)
            length = math.hypot(*numbers)
            x, y, z, w = (number / length for number in numbers)
            return x, y, z, w
        halves = [0.5 * angle for angle in evaluate_all(self.rpy, values)]
        (cr, cp, cy), (sr, sp, sy) = map(math.cos, halves), map(math.sin, halves)
        return (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )


@dataclass(frozen=True)
class Placement:
    """Where a frame lies in another one."""

    position: Triple = ZERO  # [m]
    rotation: Rotation = Rotation()


@dataclass(frozen=True)
class PlacedShape:
    """A shape fastened to a body."""

    shape: Shape
    placement: Placement = Placement()  # of the shape's frame in the body frame


@dataclass(frozen=True)
class Limits:
    """Soft stops of a joint; units of q: rad or m."""

    lower: Scalar
    upper: Scalar
    stiffness: Scalar  # [N m/rad or N/m] beyond a stop
    damping: Scalar  # [N m s/rad or N s/m] beyond a stop


@dataclass(frozen=True)
class Servo:
    """Gains with which a joint follows commanded positions and velocities."""

    kp: Scalar  # [N m/rad or N/m]
    kd: Scalar  # [N m s/rad or N s/m]


@dataclass(frozen=True)
class Joint:
    """How a body hangs on its parent: at q = 0 its frame is ``origin`` in the parent's frame."""

    name: str
    type: str = 'fixed'  # a key of SPEEDS
    parent: str = WORLD
    axis: Triple = (0.0, 0.0, 1.0)  # of revolute and prismatic, in the body frame; unit
    origin: Placement = Placement()
    damping: Scalar = 0.0  # [N m s/rad or N s/m]
    stiffness: Scalar = 0.0  # [N m/rad or N/m], of a spring at rest at rest_position
    rest_position: Scalar = 0.0  # [rad or m]
    friction: Scalar = 0.0  # dry, [N m or N]
    armature: Scalar = 0.0  # rotor inertia seen by the joint [kg m^2 or kg]
    limits: Limits | None = None
    servo: Servo | None = None


@dataclass(frozen=True)
class Initial:
    """How a body starts; which fields count depends on its joint."""

    position: tuple[Scalar, ...] = ()  # of the origin [m]; of 1-DOF joints: (q,)
    rotation: Rotation = Rotation()
    velocity: tuple[Scalar, ...] = ()  # of the origin, world axes [m/s]; 1-DOF joints: (u,)
    angular_velocity: Triple = ZERO  # world axes [rad/s]


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
    initial: Initial = Initial()


@dataclass(frozen=True)
class Sensor:
    """Something that measures: an imu on a site, or the force and torque in a joint."""

    name: str
    type: str  # imu | force_torque
    place: str  # site or joint
    # Standard deviation of each component: acceleration [m/s^2] and angular_velocity [rad/s] of an
    # imu, force [N] and torque [N m] of a force_torque sensor.
    noise: dict[str, float] = field(default_factory=dict)
