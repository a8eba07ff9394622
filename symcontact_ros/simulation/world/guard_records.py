"""Record of the guards against finite nonsense: their limits, and what they have found."""

from __future__ import annotations

from symcontact_ros.kernels.records import Record

# Why a run was stopped: it was not; a contact is too deep; steps are too long for the integrator;
# the energy balance is open.
SOUND, DEEP, UNSTABLE, OPEN = range(4)


class Guard(Record):
    """Guards of a world."""

    max_depth_ratio: float  # of the depth of a contact to the smaller shape; inf: any
    max_unstable: int  # steps in a row
    max_residual: float  # of the energy throughput; inf: any
    stability: float  # largest rate times length of a substep with which the integrator is stable
    least: float  # throughput that counts as none [J]

    reason: int  # why the run was stopped
    pair: int  # of shapes, whose contact is too deep
    depth: float  # of that contact [m]
    extent: float  # smallest extent of the smaller shape [m]
    is_unstable: bool  # whether this step is longer than the integrator is stable with
    unstable_steps: int  # in a row
    unchecked: int  # steps since the last look at the energy
    has_start: bool  # whether the energy at the start is known
    start: float  # energy and ledger at the start [J]
    is_doubtful: bool  # whether the balance was open by a tenth of what is allowed
    residual: float  # at the last look [J]
    throughput: float  # the largest so far [J]
