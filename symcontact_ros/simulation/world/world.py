"""The memory that the kernels of the loop share; `tables` fills it."""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from symcontact_ros.collision.broad_phase import Box, HalfSpacePlane
from symcontact_ros.collision.contact_points import ContactPoint, MOST
from symcontact_ros.collision.pairs import F, NOTES, S, V, WarmStart
from symcontact_ros.collision.planar.vectors import Frame as PlanarFrame
from symcontact_ros.collision.planar.vectors import Vector as PlanarVector
from symcontact_ros.collision.solids import PlanarSolid, SpatialSolid, Triple
from symcontact_ros.collision.spatial.vectors import Frame as SpatialFrame
from symcontact_ros.collision.spatial.vectors import Vector as SpatialVector
from symcontact_ros.contact.material import MaterialRecord
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, layout_of, Record, Rows, Static
from symcontact_ros.simulation.bodies.body import Body, LinkCentre, LinkFrame, LinkLoad, LinkTwist
from symcontact_ros.simulation.bodies.planar_body import PlanarBody
from symcontact_ros.simulation.bodies.space import Space
from symcontact_ros.simulation.bodies.spatial_body import SpatialBody
from symcontact_ros.simulation.world.pair_kernels import Pairs

KINDS = 16  # the most kinds of shapes in a model


class Shape(Record, Generic[F]):
    """A shape of a body."""

    body: int
    kind: int  # among those of the model
    solid: int  # where it starts in `World.solids`
    reach: float  # from the centre of mass of the body to its farthest point [m]
    is_centred: bool  # whether its frame is that of the body, shifted to the centre of mass
    frame: F  # in the body, from the centre of mass


class PlanarShape(Shape[PlanarFrame]):
    """A shape in the plane."""


class SpatialShape(Shape[SpatialFrame]):
    """A shape in space."""


class KindPair(Record):
    """How shapes of two kinds meet."""

    slot: int  # of their kernels
    is_swapped: bool  # whether the kernels take the second one first


class NearPair(Record):
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
    """What is remembered of a pair of shapes, by its number."""

    clear_until: float  # travel of both bodies until which they cannot touch [m]; negative: none
    feature: int  # found last


class Group(Record):
    """Bodies on joints, and the blocks that their functions take and give."""

    state: int  # where it starts: q, then u
    q_count: int
    u_count: int
    kinematics: int  # address: q, u, zeros, effort, loads, constants -> frames, centres, twists
    dynamics: int  # address: the same -> rates of q, rates of u
    constants: Floats
    zeros: Floats  # accelerations, which these functions do not depend on
    effort: Floats  # of its speeds [N m or N]
    loads: Rows[LinkLoad]  # on the links with a joint
    frames: Rows[LinkFrame]
    centres: Rows[LinkCentre]
    twists: Rows[LinkTwist]
    rates: Floats  # of q, then of u

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
    kp: float
    kd: float
    target: float
    target_speed: float
    mobility: float  # speed that a unit impulse gives it, by the inertia at the start
    holds: bool  # whether its servo has a target position
    follows: bool  # whether its servo has a target position or speed


class Ledger(Record):
    """Energies that are integrated along with the state [J]."""

    lost_in_contact: float
    lost_in_friction: float
    stored_in_contact: float
    lost_in_joints: float
    work_in: float


LEDGER = layout_of(Ledger).slots


class World(Record, Generic[S, F, V]):
    """Everything that a step reads and writes."""

    # What is known while compiling.
    space: Static[Space[S, F, V]]
    pairs: Static[Pairs[S, F, V]]

    # Options.
    step_size: float  # [s]
    gravity: Triple  # [m/s^2]
    most_parts: int  # of a step
    skin: float  # how far boxes may move before the broad phase runs again [m]
    is_single: bool  # whether the deepest contact point has all of the stiffness, as in the paper
    spring_limit: float  # of angular frequency times the length of a part
    rate_limit: float  # of the rate of friction times the length of a part
    keeps_warm_starts: bool  # whether each pair has its own

    # What is counted.
    made: int  # steps, in the last call
    substeps: int  # parts of steps beyond the first
    exceeded: int  # steps that needed more parts than allowed
    largest_need: float  # of parts
    looks: int  # at pairs of shapes
    rebuilds: int  # of the broad phase
    notes: Ints = embedded(NOTES)  # how many looks had each of the notes of `collision.pairs`

    # What is kept for a moment.
    near_count: int
    candidate_count: int
    drift: float  # how much nearer two boxes may have come since the broad phase [m]
    skin_now: float  # how much nearer they may come before it runs again [m]
    joint_loss: float  # [W]
    power_in: float  # [W]
    is_guarded: bool  # whether this stage decides on the parts of the step
    points: Rows[ContactPoint] = embedded(MOST)

    # The state of all loose bodies, then of all groups; its ledger follows. The stage is where
    # everything is now; between steps both are equal.
    state: Floats
    stage: Floats
    sums: Floats  # of rates, or a stage to go back to

    bodies: Rows[Body[F, V]]
    shapes: Rows[Shape[F]]  # half-spaces come last
    solids: Floats  # shapes as the detector sees them, one after the other
    boxes: Rows[Box]  # of the shapes that have one
    order: Ints  # of these along x
    planes: Rows[HalfSpacePlane]
    allowed: Ints  # whether a pair of shapes may meet, by its number
    found: Ints  # pairs as the broad phase gives them
    near: Rows[NearPair]
    candidates: Ints  # near pairs that may touch in this step
    shape_pairs: Rows[ShapePair]
    pair_memory: Rows[PairMemory]
    warm_starts: Rows[WarmStart]  # first that of no pair, then those of every pair
    kinds: Rows[KindPair]  # of two kinds of shapes
    materials: Rows[MaterialRecord]
    shares: Floats  # what one share of the pairs of a slot is
    law_constants: Floats  # of all materials: `MaterialRecord.own` lies in it
    groups: Rows[Group]
    scratch: Floats  # blocks of the groups
    joints: Rows[Joint]
    quaternions: Ints  # where those of groups are in the state
    work: Floats  # of the detector

    @property
    def ledger(self) -> Ledger:
        """The energies behind the state."""
        return Ledger.at(self.state, len(self.stage))

    def warm_start(self, pair: int) -> WarmStart:
        """Return what the detector keeps of a pair."""
        return self.warm_starts[pair + 1 if self.keeps_warm_starts else 0]

    def solid(self, shape: int) -> S:
        """Return a shape as the detector sees it."""
        return self.space.Solid.at(self.solids, self.shapes[shape].solid)

    def frame_of(self, number: int) -> F:
        """Return where a shape is, by the motion of its body in this stage."""
        shape = self.shapes[number]
        frame = self.bodies[shape.body].frame
        if shape.is_centred:
            return frame
        return self.space.composed(frame, shape.frame)


class PlanarWorld(World[PlanarSolid, PlanarFrame, PlanarVector]):
    """A world in the plane."""

    bodies: Rows[PlanarBody]
    shapes: Rows[PlanarShape]


class SpatialWorld(World[SpatialSolid, SpatialFrame, SpatialVector]):
    """A world in space."""

    bodies: Rows[SpatialBody]
    shapes: Rows[SpatialShape]


AnyWorld: TypeAlias = World[Any, Any, Any]  # of either dimension
