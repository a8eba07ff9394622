"""Records that the world of a step is made of."""

from __future__ import annotations

from typing import Generic

from symcontact_ros.collision.shape_pair import F
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import layout_of, Record, Rows
from symcontact_ros.kernels.vectors.planar import Frame as PlanarFrame
from symcontact_ros.kernels.vectors.spatial import Frame as SpatialFrame
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import LinkCentre, LinkFrame, LinkLoad, LinkTwist

KINDS = 16  # the most kinds of shapes in a model
ALWAYS_QUERY = -1.0  # travel that is always exceeded
ENDLESS = 1e6  # [m], the reach of a body with a half-space


class Shape(Record, Generic[F]):
    """A shape of a body."""

    body: int
    kind: int  # among those of the model
    solid: int  # where it starts in `World.solids`
    reach: float  # from the centre of mass of the body to its farthest point [m]
    extent: float  # how thin it is [m]
    thickness: float  # how thick what moves with it is, at least its extent [m]
    is_centred: bool  # whether its frame is that of the body, shifted to the centre of mass
    frame: F  # in the body, from the centre of mass


class PlanarShape(Shape[PlanarFrame]):
    """A shape in the plane."""


class SpatialShape(Shape[SpatialFrame]):
    """A shape in space."""


class KindPair(Record):
    """Kernel slot and order of two kinds of shapes."""

    slot: int  # of their kernels
    is_swapped: bool  # whether the kernels take the second one first


class CandidatePair(Record):
    """A pair of shapes that the broad phase found."""

    shape_a: int  # in the order of the kernels of their pair
    shape_b: int
    number: int  # of the pair
    slot: int  # of its kernels
    material: int


class ShapePair(Record):
    """A pair of shapes, by its number: two shapes a < b."""

    material: int
    bodies: int  # row of the pair of their bodies in the model; -1: they never meet
    is_reversed: bool  # whether the body of a comes second by name


class PairMemory(Record):
    """Result of the last query of a pair of shapes, by its number."""

    clear_until: float  # travel of both bodies until which they cannot touch [m], or ALWAYS_QUERY
    feature: int  # found last
    anchor: int  # number of the first of its anchors
    anchor_count: int  # how many anchors it has; those of a pair are one after the other


class Anchor(Record):
    """
    Elastic anchor of a contact point whose friction sticks.

    A and B are the shapes in the order of the kernels of their pair. The first group of fields is
    part of the state; the others are written anew in every substep.
    """

    pair: int  # number of the pair of shapes
    feature: int  # of the contact point
    stretch: Triple  # motion of B relative to A in the tangent plane, world axes, this stage [m]
    twist: float  # the same about the normal: torsional radius times angle [m]
    normal_force: float  # at the last evaluation [N]
    slides: bool  # whether it was stretched to the presliding at the end of the last substep

    body_a: int
    body_b: int
    material: int
    radius: float  # torsional, if they touch in one point; else 0 [m]
    point: Triple  # of contact, at the last evaluation [m]
    normal: Triple  # unit, from A to B, at the last evaluation
    start: Triple  # stretch at the start of the substep [m]
    start_twist: float  # [m]
    rate: Triple  # of the stretch [m/s]; 0 where they do not touch
    rate_of_twist: float  # [m/s]
    sums: Triple  # of rates [m/s]
    sums_of_twist: float  # [m/s]


class Group(Record):
    """Bodies on joints, and the blocks that their functions take and give."""

    state: int  # where it starts: q, then u
    q_count: int
    u_count: int
    kinematics: int  # address: q, u, zeros, effort, loads, constants -> frames, centres, twists
    dynamics: int  # address: the same -> rates of q, rates of u
    velocity: int  # address: the same -> rates of q
    gravity: int  # address: the same -> weights
    compensates: bool  # whether servos of its joints add the efforts that gravity needs
    energy: int  # address: the same -> kinetic energy, that of gravity [J]
    constants: Floats
    zeros: Floats  # accelerations, which these functions do not depend on
    effort: Floats  # of its speeds [N m or N]
    loads: Rows[LinkLoad]  # on the links with a joint
    frames: Rows[LinkFrame]
    centres: Rows[LinkCentre]
    twists: Rows[LinkTwist]
    rates: Floats  # of q, then of u
    energies: Floats  # kinetic, of gravity [J]
    weights: Floats  # efforts that hold it at rest [N m or N]; empty if nothing compensates
    # Of the implicit step.
    inertia: int  # address: the same -> mass matrix, bias
    mass_matrix: Floats  # row by row
    bias: Floats  # Coriolis forces and weight
    block: int  # of its velocities in the solver
    first_entry: int  # of its mass matrix in the solver
    entry_count: int
    first_column: int  # of its joints in the solver
    column_count: int
    first_chain: int  # of its links in the solver
    first_joint: int  # in `Solver.joint_order`
    joint_count: int

    @property
    def size(self) -> int:
        """How many numbers its state has."""
        return self.q_count + self.u_count


class Joint(Record):
    """A joint with one degree of freedom: rad, N m, or m, N."""

    q: int  # where its position is in the state
    u: int  # where its speed is in the state
    group: int
    index: int  # of its effort in that of the group
    applied: float
    stiffness: float
    rest: float
    damping: float
    friction: float
    lower: float
    upper: float
    limit_stiffness: float
    limit_damping: float
    entry: float  # substeps of a step in which it meets a stop; 1: as many as of any other
    kp: float
    kd: float
    target: float
    target_speed: float
    effort_limit: float  # of its actuator: commands, servo and compensation together
    velocity_limit: float
    mobility: float  # speed that a unit impulse gives it, by the inertia at the start
    holds: bool  # whether its servo has a target position
    follows: bool  # whether its servo has a target position or speed
    compensates: bool  # whether its servo has a target and adds the effort that gravity needs
    base: float  # position from which an implicit stage starts
    start_stretch: float  # of the anchor of its dry friction, at the start of an implicit step
    base_stretch: float  # of the same, from which a stage starts
    end_stretch: float  # of the same, at its end
    force: float  # all that acts on it, in implicit steps
    is_saturated: bool  # whether its actuator is at the limit, in this stage
    saturated: int  # counter of steps with its actuator at the limit
    overspeed: int  # counter of steps above the limit of its speed


class Ledger(Record):
    """Energies that are integrated along with the state [J]."""

    lost_in_contact: float
    lost_in_friction: float
    stored_in_contact: float
    lost_in_joints: float
    work_in: float
    integration: float  # lost by the integrator itself, where it says so


LEDGER = layout_of(Ledger).slots
