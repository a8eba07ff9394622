"""Memory that the kernels of a step share: state, bodies, shapes, pairs, materials, joints."""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from symcontact_ros.collision.broad_phase import Box, HalfSpacePlane
from symcontact_ros.collision.contact_points import ContactPoint, MOST
from symcontact_ros.collision.shape_pair import F, S, STATUSES, V, WarmStart
from symcontact_ros.contact.material import MaterialRecord
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import embedded, Record, Rows, Static
from symcontact_ros.kernels.vectors.planar import Frame as PlanarFrame
from symcontact_ros.kernels.vectors.planar import Vector as PlanarVector
from symcontact_ros.kernels.vectors.spatial import Frame as SpatialFrame
from symcontact_ros.kernels.vectors.spatial import Vector as SpatialVector
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid, Triple
from symcontact_ros.simulation.bodies.body import Body
from symcontact_ros.simulation.bodies.planar_body import PlanarBody
from symcontact_ros.simulation.bodies.space import Space
from symcontact_ros.simulation.bodies.spatial_body import SpatialBody
from symcontact_ros.simulation.world.guard_records import Guard
from symcontact_ros.simulation.world.pair_kernels import Pairs
from symcontact_ros.simulation.world.solver_records import Solver
from symcontact_ros.simulation.world.world_records import (
    Anchor,
    CandidatePair,
    Group,
    Joint,
    KindPair,
    LEDGER,
    Ledger,
    PairMemory,
    PlanarShape,
    Shape,
    ShapePair,
    SpatialShape,
)


class World(Record, Generic[S, F, V]):
    """Everything that a step reads and writes."""

    # Known while compiling.
    space: Static[Space[S, F, V]]
    pairs: Static[Pairs[S, F, V]]
    sticks: Static[bool]  # whether a material has friction that sticks
    touches: Static[bool]  # whether two of its shapes may meet
    floats: Static[bool]  # whether a body floats

    # Options.
    step_size: float  # [s]
    gravity: Triple  # [m/s^2]
    max_substeps: int  # of a step
    skin: float  # how far boxes may move before the broad phase runs again [m]
    is_single: bool  # whether the deepest contact point has all of the stiffness, as in the paper
    spring_limit: float  # of angular frequency times the length of a substep
    rate_limit: float  # of the rate of friction times the length of a substep
    is_implicit: bool  # whether groups have functions for implicit steps, or for explicit ones
    keeps_warm_starts: bool  # whether each pair has its own

    guard: Guard  # against results that are finite but wrong

    # Counters.
    made: int  # steps, in the last call
    goes_on: bool  # whether more steps follow in the same run, so that its end is not now
    substeps: int  # beyond the first of each step
    stops: int  # by guards, and by numbers that are not finite
    exceeded: int  # steps that needed more substeps than allowed
    largest_need: float  # of substeps
    saturated: int  # steps with an actuator at its limit
    overspeed: int  # steps with a joint above the limit of its speed
    alerts: int  # reasons to warn: exceeded steps, an open balance, overspeed of each joint
    queries: int  # of pairs of shapes
    rebuilds: int  # of the broad phase
    statuses: Ints = embedded(STATUSES)  # queries that had each status of `collision.shape_pair`

    # Intermediate results.
    candidate_count: int  # pairs that the broad phase found
    active_count: int  # candidates that may touch in this step
    drift: float  # how much nearer two boxes may have come since the broad phase [m]
    skin_now: float  # how much nearer they may come before it runs again [m]
    joint_loss: float  # [W]
    power_in: float  # [W]
    is_guarded: bool  # whether this stage decides on the substeps
    anchor_count: int
    new_anchor_count: int
    anchor_lead: float  # time for which anchors go on at their rates in the coming stage [s]
    anchors_are_listed: bool  # whether those of this substep are; if not, the next stage does it
    is_pushed: bool  # whether wrenches from outside act on bodies, in explicit steps
    is_moved: bool  # whether motions of the bodies of groups are those of the state
    # Of a step that is made in parts, because bodies are fast: `step.division`.
    is_fast: bool  # whether a pair may move by as much in this step as the thinner shape is thick
    is_deep: bool  # whether a contact was deeper than half of the thinner shape
    is_refused: bool  # whether the last step was not made, because it has to be divided
    part: float  # of the step, that can be made at once [s]; 0: bodies must be stopped first
    rest: float  # of the step, that is still to be made [s]; 0 between steps
    whole: float  # length of the step [s]
    parts: int  # so far
    points: Rows[ContactPoint] = embedded(MOST)

    # The state of all floating bodies, then of all groups; its ledger follows, and what implicit
    # steps carry on. The stage is where everything is now; between steps both are equal.
    state: Floats
    stage: Floats
    sums: Floats  # of rates, or a stage to go back to

    bodies: Rows[Body[F, V]]
    shapes: Rows[Shape[F]]  # half-spaces come last
    solids: Floats  # shapes as the detector needs them, one after the other
    boxes: Rows[Box]  # of the shapes that have one
    order: Ints  # of these along x
    planes: Rows[HalfSpacePlane]
    allowed: Ints  # whether a pair of shapes may meet, by its number
    found: Ints  # pairs as the broad phase gives them
    candidates: Rows[CandidatePair]
    active_pairs: Ints  # numbers of the candidates that may touch in this step
    shape_pairs: Rows[ShapePair]
    pair_memory: Rows[PairMemory]
    anchors: Rows[Anchor]  # of the points that touch, in the order of the active pairs
    new_anchors: Rows[Anchor]  # the same, while the list is written anew
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
    solvers: Rows[Solver]  # one, for implicit steps
    solver_memory: Floats  # its blocks

    @property
    def ledger(self) -> Ledger:
        """The energies behind the state."""
        return Ledger.at(self.state, len(self.stage))

    @property
    def accelerations(self) -> Floats:
        """Those of all velocities in the last implicit step, behind the ledger."""
        start = len(self.stage) + LEDGER
        return self.state[start : len(self.state) - len(self.joints)]

    @property
    def dry_stretches(self) -> Floats:
        """Of the anchors of dry friction in joints, in implicit steps, behind these."""
        return self.state[len(self.state) - len(self.joints) :]

    @property
    def has_loads(self) -> bool:
        """Whether anything but joints and gravity may act on groups, in explicit steps."""
        return self.touches or self.is_pushed

    @property
    def solver(self) -> Solver:
        """The memory of implicit steps."""
        return self.solvers[0]

    def warm_start(self, pair: int) -> WarmStart:
        """Return the warm start of a pair."""
        return self.warm_starts[pair + 1 if self.keeps_warm_starts else 0]

    def solid(self, shape: int) -> S:
        """Return a shape as the detector needs it."""
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
