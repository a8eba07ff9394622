"""Reports of a state with names: poses, contacts, snapshots, sensors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.shape_pair import FALLBACKS, UNPROVEN
from symcontact_ros.expressions import evaluate
from symcontact_ros.simulation.equations.jacobians import InstantJacobians
from symcontact_ros.simulation.observing.body_motions import BodyMotions
from symcontact_ros.simulation.observing.ground_reactions import GroundReactions
from symcontact_ros.simulation.observing.inspection import Inspection
from symcontact_ros.simulation.observing.momentum import Momentum, momentum_of
from symcontact_ros.simulation.observing.motion_arrays import MotionArrays
from symcontact_ros.simulation.observing.observer import EVERYTHING, Observer
from symcontact_ros.simulation.observing.pair_records import PairRecord
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.types import (
    Contact,
    GroundReaction,
    PairState,
    Pose,
    Reading,
    Snapshot,
    Twist,
    Vector,
    Wrench,
)

if TYPE_CHECKING:
    from symcontact_ros.simulation.observing.sensors import BodiesInMotion


class Reports:
    """
    Reports of the present state of a model.

    Attributes
    ----------
    motions
        Where every body is and how it moves.
    """

    def __init__(self, live: LiveModel, inspection: Inspection) -> None:
        self._live = live
        self.inspection = inspection
        self.motions = BodyMotions(live)
        self._model = live.model
        self._pairs = live.memory.layout.body_pairs
        self._row_of_pair = {pair: row for row, pair in enumerate(self._pairs)}

    @cached_property
    def arrays(self) -> MotionArrays:
        """Poses and twists as arrays."""
        return MotionArrays(self._live.memory, self._live.cache)

    @cached_property
    def _plates(self) -> GroundReactions:
        return GroundReactions(self._model)

    @cached_property
    def _observer(self) -> Observer:
        return Observer(self.inspection, often=False)

    def counters(self) -> dict[str, float]:
        """Return the counters; see `Simulation.counters`."""
        world = self._live.memory.world
        solver = world.solver
        reasons = {f'fallbacks_{why}': world.statuses[status] for status, why in FALLBACKS.items()}
        return {
            'substeps': world.substeps,
            'exceeded_steps': world.exceeded,
            'largest_need': world.largest_need,
            'saturated_steps': world.saturated,
            'overspeed_steps': world.overspeed,
            'queries': world.queries,
            'broad_phases': world.rebuilds,
            'unproven': world.statuses[UNPROVEN],
            'fallbacks': sum(reasons.values()),
            **reasons,
            'newton_steps': solver.solves,
            'newton_iterations': solver.iterations,
            'newton_largest': solver.most_iterations,
            'not_converged': solver.unconverged,
            'unresolved_substeps': solver.given_up,
        }

    def joint_counters(self) -> dict[str, dict[str, int]]:
        """Return the counters of joints that were at a limit; see `Simulation.joint_counters`."""
        rows = self._live.memory.image['joints']
        numbers = zip(rows['saturated'].tolist(), rows['overspeed'].tolist(), strict=True)
        return {
            name: {'saturated_steps': saturated, 'overspeed_steps': overspeed}
            for name, (saturated, overspeed) in zip(self._model.joint_names, numbers, strict=True)
            if saturated or overspeed
        }

    def servo_gains(self) -> dict[str, tuple[float, float]]:
        """Return kp and kd of every servo, by joint."""
        gains, values = self._live.memory.layout.gains, self._live.values
        return {
            joint: (evaluate(kp, values), evaluate(kd, values))
            for joint, (kp, kd) in gains.items()
        }

    def alerts(self, max_substeps: int) -> dict[str, str]:
        """Return all reasons to warn so far, with the text of each."""
        found = {}
        world = self._live.memory.world
        if world.exceeded:
            found['substeps'] = (
                f'contacts or joints need {np.ceil(world.largest_need):g} substeps, max_substeps '
                f'allows {max_substeps}: make step_size smaller'
            )
        if unconverged := world.solver.unconverged:
            found['newton'] = (
                f'{unconverged} implicit steps did not converge: friction or stops are far too '
                'stiff for what they move; make step_size smaller, or the stiffness lower'
            )
        guard = world.guard
        if guard.is_doubtful:
            found['residual'] = (
                f'the energy balance is open by {guard.residual:.3g} J, '
                f'{abs(guard.residual) / guard.throughput:.2g} of the energy throughput: results '
                'are inaccurate; make step_size smaller, or max_substeps larger'
            )
        joints = {body.joint.name: body.joint for body in self._model.bodies}
        for name, counters in self.joint_counters().items():
            if counters['overspeed_steps']:
                limit = evaluate(joints[name].velocity_limit, self._live.values)
                unit = joints[name].kind.unit
                found[name] = f'joint {name} is faster than its limit of {limit:g} {unit}/s'
        return found

    def snapshot(self, time: float) -> Snapshot:
        """Return everything about this instant, with its time [s]."""
        instant = self._observer.observe()
        names = self._model.body_names
        by_pair: dict[tuple[str, str], list[PairRecord]] = {}
        for record in self._pair_records(self.inspection.last()):
            by_pair.setdefault((record.body_a, record.body_b), []).append(record)
        return Snapshot(
            time,
            {name: Pose(row[:3], row[3:]) for name, row in zip(names, instant.pose, strict=True)},
            dict(zip(names, instant.com.copy(), strict=True)),
            _twists(names, np.concatenate([instant.velocity, instant.rate], axis=1)),
            tuple(
                PairState(
                    *pair,
                    tuple(record.proximity() for record in by_pair[pair]),
                    tuple(contact for record in by_pair[pair] for contact in record.contacts()),
                    instant.pair_point[row].copy(),
                    Wrench(instant.pair_wrench[row, :3], instant.pair_wrench[row, 3:]),
                )
                for row, pair in enumerate(self._pairs)
                if pair in by_pair
            ),
        )

    def records(self, margin: float) -> list[PairRecord]:
        """Return a record of every pair of shapes that is nearer than a margin [m]."""
        return self._pair_records(self.inspection.records(min(margin, EVERYTHING)))

    def _pair_records(self, records: NDArray[Any]) -> list[PairRecord]:
        if not len(records):
            return []
        live = self._live
        jacobians = InstantJacobians(live.memory.state.copy(), live.values, live.jacobians)
        return [PairRecord(record, self._pairs, jacobians) for record in records]

    def poses(self) -> dict[str, Pose]:
        """Return the pose of every body's origin and of every site, by name."""
        arrays = self.arrays
        return {
            name: Pose(row[:3], row[3:])
            for name, row in zip(arrays.names, arrays.poses(), strict=True)
        }

    def twists(self) -> dict[str, Twist]:
        """Return the velocity of every body's centre of mass by name."""
        return _twists(self.arrays.names, self.arrays.body_twists())

    def contacts(self) -> list[Contact]:
        """Return the points of contact with their forces on body B."""
        return [contact for record in self.records(0.0) for contact in record.contacts()]

    def contact_wrench(self, body: str, other: str | None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        self._model.body(body)
        row = self._live.memory.layout.index[body]
        if other is None:
            wrench = self._observer.wrench_on(row)
            return Wrench(wrench[:3], wrench[3:])
        self._model.body(other)
        pair = self._row_of_pair.get((min(body, other), max(body, other)))
        wrench = np.zeros(6) if pair is None else self._observer.wrench_between(pair, row)
        return Wrench(wrench[:3], wrench[3:])

    def ground_reaction(self, body: str | Sequence[str], ground: str | None) -> GroundReaction:
        """Return force, centre of pressure and free moment on a foot by the ground."""
        return self._plates.of(self._observer.observe(0.0).contacts, body, ground)

    def sensors(
        self, contacts: Iterable[Contact] | None, seed: int, step: int
    ) -> dict[str, Reading]:
        """Return the readings of all sensors; their noise is that of a seed and a step."""
        if not self._model.sensors:
            return {}
        from symcontact_ros.simulation.observing import sensors  # 3 ms that few models need

        readings: dict[str, Reading] = {}
        if self._plates.sensors:
            instant = self._observer.observe(0.0)
            for sensor in self._plates.sensors:
                noise = sensors.noise_of(seed, sensor.name, step)
                readings[sensor.name] = self._plates.read(sensor, instant, noise)
        if len(readings) < len(self._model.sensors):
            now = self._in_motion(contacts)
            for sensor in self._model.sensors:
                if sensor.name not in readings:
                    readings[sensor.name] = now.read(sensor, seed, step)
        return {sensor.name: readings[sensor.name] for sensor in self._model.sensors}

    def _in_motion(self, contacts: Iterable[Contact] | None) -> BodiesInMotion:
        """Return the bodies as they move now, under these contacts or those that are found."""
        from symcontact_ros.simulation.observing import sensors

        live = self._live
        bodies = self.motions.now()
        found = self.contacts() if contacts is None else contacts
        loads = sensors.loads_of(live.memory, bodies, found)
        q, u = live.coordinates()
        udot = sensors.rates_of(live, q, u, loads)
        return sensors.BodiesInMotion(self._model, live.values, bodies, u, udot, loads)

    def momentum(self) -> Momentum:
        """Return linear and angular momentum of all that moves, about the world origin."""
        return momentum_of(self._live.memory, self.motions.now())


def _twists(names: Sequence[str], rows: Vector) -> dict[str, Twist]:
    """Return twists by name; there may be more names than bodies: sites follow."""
    return {name: Twist(row[:3], row[3:]) for name, row in zip(names, rows, strict=False)}
