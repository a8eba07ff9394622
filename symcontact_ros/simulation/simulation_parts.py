"""Parts of a simulation."""

from __future__ import annotations

from collections.abc import Sequence
import copy

from symcontact_ros.collision.detection import AnyPair, Detection
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.model.model import Model
from symcontact_ros.model.progress import Progress
from symcontact_ros.simulation.changes import Changes
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
from symcontact_ros.simulation.observing.inspection import Inspection
from symcontact_ros.simulation.observing.reports import Reports
from symcontact_ros.simulation.step.compiled_steps import CompiledSteps
from symcontact_ros.simulation.world.applied_loads import AppliedLoads
from symcontact_ros.simulation.world.live_model import LiveModel


class Parts:
    """
    Parts of a simulation; each depends only on those before it.

    Attributes
    ----------
    live
        The model with its live symbols and its state, in the memory of its world.
    loads
        Wrenches, efforts and targets from outside.
    compiled_steps
        The step, compiled for the model and its integrator.
    inspection
        Pairs of shapes that are near, their distances and contacts.
    energy
        The energy balance.
    changes
        Changes of state, live symbols and detection from outside.
    reports
        Poses, contacts, snapshots and sensors, with names.
    """

    def __init__(
        self,
        model: Model,
        detection: Detection,
        integrator: str,
        step_size: float,
        proximity_range: float,
        progress: Progress,
        kernels: Sequence[AnyPair] | None = None,
    ) -> None:
        cache = Cache()
        self.live = LiveModel(model, detection, step_size, cache, progress, kernels)
        self.compiled_steps = CompiledSteps(self.live.memory, integrator, cache, progress)
        self.inspection = Inspection(self.live.memory, cache, proximity_range)
        self.energy = EnergyBalance(self.live, self.inspection)
        self.join()

    def join(self) -> None:
        """Make the parts that have no state of their own."""
        self.loads = AppliedLoads(self.live.memory)
        self.changes = Changes(self.live, self.energy)
        self.reports = Reports(self.live, self.inspection)

    def __copy__(self) -> Parts:
        """Return parts in the same state with memory of their own; compiled code is shared."""
        other = Parts.__new__(Parts)
        other.live = copy.copy(self.live)
        other.live.detach()
        other.compiled_steps = copy.copy(self.compiled_steps)
        other.compiled_steps.follow(other.live.memory)
        other.inspection = copy.copy(self.inspection)
        other.inspection.follow(other.live.memory)
        other.energy = copy.copy(self.energy)
        other.energy.follow(other.live, other.inspection)
        other.join()
        return other
