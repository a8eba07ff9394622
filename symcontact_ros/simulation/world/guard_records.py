"""Record of the guards against results that are finite but wrong: limits, and what was found."""

from __future__ import annotations

from symcontact_ros.kernels.records import Record

# Why a run was stopped: it was not; a contact is too deep; steps are too long for the integrator;
# the energy balance is open; an implicit step has found no velocities.
SOUND, DEEP, UNSTABLE, OPEN, UNSOLVED = range(5)


class Guard(Record):
    """Guards of a world."""

    max_depth_ratio: float  # of the depth of a contact to how thick the thinner body is; inf: any
    max_unstable: int  # steps in a row
    max_residual: float  # of the energy throughput; inf: any
    usual_residual: float  # the same where nothing else is asked for
    stability: float  # largest rate times length of a substep with which the integrator is stable
    least: float  # throughput that counts as none [J]

    reason: int  # why the run was stopped
    pair: int  # of shapes, whose contact is too deep
    depth: float  # of that contact [m]
    thickness: float  # of the thinner one of its bodies [m]
    room: float  # how much deeper the contacts of this step could be, at least; inf: no limit [m]
    is_unstable: bool  # whether this step is longer than the integrator is stable with
    unstable_steps: int  # in a row
    unchecked: int  # steps since the last look at the energy, of those in every hundredth step
    is_news: bool  # whether anything but free flight, whose energy is exact, was made since a look
    has_start: bool  # whether the energy at the start is known
    start: float  # energy and ledger at the start [J]
    is_doubtful: bool  # whether the balance was open by a tenth of what is allowed
    residual: float  # at the last look [J]
    seen: float  # energy throughput at the last look [J]
    throughput: (
        float  # the same at the last one in a hundred steps, which later ones go on from [J]
    )
