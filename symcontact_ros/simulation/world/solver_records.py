"""Records of the implicit step: blocks of velocities, contacts and Jacobians, the solver."""

from __future__ import annotations

from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import Record, Rows
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.bodies.body import Matrix, Moments
from symcontact_ros.simulation.world.world_records import Anchor, Ledger

NO_ISLAND = -1  # of a block that takes no part in this step
NO_BLOCK = -1  # of a body that never moves


class VelocityBlock(Record):
    """Velocities that one mass matrix joins: of a floating body, or of a group."""

    body: int  # row of the floating body; -1: it is a group
    group: int
    start: int  # of its velocities among those of the world
    count: int
    place: int  # where they start in the order of elimination of this step
    root: int  # block that stands for its island, while islands are found
    island: int  # in this step; NO_ISLAND: none
    number: int  # among the blocks of a large island
    panel: int  # of the factor of a large island
    mass: float  # of the floating body [kg]
    moments: Moments  # of its inertia about the centre of mass, body axes [kg m^2]
    inertia: Matrix  # the same in world axes, in this step [kg m^2]


class MassEntry(Record):
    """An entry of the mass matrix of a group that is not always zero, row >= column."""

    row: int  # velocity of the group
    column: int


class JointColumn(Record):
    """How a speed moves a link: velocities per unit of it."""

    speed: int  # of its group
    axes: int  # link whose axes `linear` and `angular` are in; -1: those of the world
    origin: int  # link whose origin moves like this
    linear: Triple  # [m/s]
    angular: Triple  # [rad/s]
    world_linear: Triple  # the same in world axes, in this step
    world_angular: Triple


class Chain(Record):
    """The joint columns that move a link, among `Solver.chain_columns`."""

    first: int
    count: int


class ContactColumn(Record):
    """Column of the Jacobian of a contact: relative velocities per unit of one velocity."""

    velocity: int  # of the world
    normal: float
    first: float  # along the first tangent
    second: float
    spin: float  # about the normal, times the torsional radius


class ContactRow(Record):
    """
    A contact point of the step.

    Quartets are along the normal, both tangents, and about the normal times the torsional radius.
    """

    pair: int  # number of the pair of shapes
    feature: int
    body_a: int
    body_b: int
    material: int
    share: float  # of the stiffness
    radius: float  # torsional [m]; 0 where the pair has other contacts
    point: Triple  # [m]
    normal: Triple  # from A to B
    tangent: Triple
    across: Triple  # normal x tangent
    depth: float  # at the start, negative apart [m]
    stretch: Triple  # of the anchor at the start: along both tangents, spin [m]
    friction: float  # mu, static or sliding
    normal_force: float  # that limits friction [N], with the share
    velocity: tuple[float, float, float, float]  # of B relative to A [m/s]
    direction: tuple[float, float, float, float]  # change of it in a full step of Newton
    force: tuple[float, float, float, float]  # on B [N]
    first_column: int
    column_count: int
    split: int  # how many columns are of A, before those of B
    block: int  # that it acts on: of B, or else of A
    shift: int  # of the entries of A and B in the factor: see `entry_at`


class Island(Record):
    """Blocks that contacts join in this step."""

    first_block: int  # in `Solver.block_order`
    block_count: int
    first_row: int  # in `Solver.row_order`
    row_count: int
    first_place: int  # of its velocities in the order of elimination
    place_count: int
    is_sparse: bool  # large: its factor consists of panels, without the zeros between them
    first_word: int  # of its sets of neighbours
    first_panel: int
    panel_count: int
    factor_size: int  # how many numbers its factor has


class Panel(Record):
    """
    Velocities of a large island that are eliminated together: rows of its factor of equal length.

    A row has the velocities that are coupled with the panel when it is eliminated, all of them at
    earlier places, and then those of the panel itself.
    """

    first_place: int
    width: int  # how many velocities
    length: int  # of a row
    start: int  # where the first row starts in the factor
    word: int  # where the set of its neighbours starts
    first_block: int  # in the order of elimination
    block_count: int
    first_member: int
    member_count: int


class Member(Record):
    """A block of velocities that a panel is coupled with; those of a panel by their places."""

    block: int
    shift: int  # of its entries in the rows of the panel: see `entry_at`


class Run(Record):
    """Neighbouring numbers of a row of a panel that are neighbours in another panel, too."""

    start: int  # in the row
    end: int
    shift: int  # of their place in the row of the other panel


class Solver(Record):
    """Memory of the implicit step."""

    # Counters.
    solves: int  # minimisations
    iterations: int  # of Newton's method in all of them
    most_iterations: int  # in one step of an island
    unconverged: int  # steps of islands that did not reach the tolerance
    given_up: int  # substeps that order 2 could not resolve
    corrections: int  # steps that were solved again with better Coriolis forces

    # What the step may need; more than there is room for: it has not been made.
    row_room: int
    column_room: int
    factor_room: int
    neighbour_room: int
    member_room: int

    sparse_from: int  # velocities of an island from which its factor is sparse
    row_count: int
    column_count: int
    island_count: int
    panel_count: int
    pending: Ledger  # of the stages so far, until they are accepted
    kept_anchors: int  # of the start of the substep

    blocks: Rows[VelocityBlock]
    block_order: Ints  # blocks, island by island
    islands: Rows[Island]
    elimination: Ints  # place of each velocity in its block, leaves first
    profile: Ints  # first place that a place of its block is coupled with by mass
    first: Ints  # first column of each row of the factor, by place
    row_at: Ints  # where each row starts in the factor, less its first column
    place: Ints  # of each velocity in the order of elimination of this step
    diagonal: Floats  # of the mass matrix, by velocity
    column_of: Ints  # column of a velocity in the contact being written, or -1

    # Large islands.
    degrees: Ints  # how many neighbours a block of an island has, while they are ordered
    sequence: Ints  # blocks in the order of elimination, island by island
    panels: Rows[Panel]  # in the order of elimination
    shifts: Ints  # of the blocks in the rows of a panel that is written to
    runs: Rows[Run]
    part: Floats  # a row that is to be subtracted

    mass_entries: Rows[MassEntry]
    joint_columns: Rows[JointColumn]
    chains: Rows[Chain]  # of the links of all groups
    chain_columns: Ints
    joint_order: Ints  # joints, group by group

    bias_speeds: Floats  # velocities at which Coriolis forces are taken
    first_start: Floats  # velocities at the start of the first stage
    first_speeds: Floats  # those at its end
    start: Floats  # velocities at the start of the stage
    speeds: Floats  # those that are sought
    applied: Floats  # loads from outside [N or N m]
    impulses: Floats  # M start + stage (applied - bias)
    start_products: Floats  # M start
    products: Floats  # M speeds
    gradient: Floats
    direction: Floats
    direction_products: Floats  # M direction
    solution: Floats  # in the order of elimination

    rows: Rows[ContactRow]
    row_order: Ints  # contacts, island by island
    columns: Rows[ContactColumn]
    anchors: Rows[Anchor]  # those at the start of a substep
    factor: Floats  # lower triangle, row by row, each from its first column; or panels
    neighbours: Ints  # sets of blocks: BITS in a number
    members: Rows[Member]  # of all panels
