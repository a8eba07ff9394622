"""What a simulation tells of itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection, detection_of
from symcontact_ros.collision.pairs import FALLBACKS, UNPROVEN
from symcontact_ros.expressions import Values
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.records import Image
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.equations.dynamics import Dynamics, Kinematics
from symcontact_ros.simulation.equations.initial_state import ground_pose
from symcontact_ros.simulation.equations.jacobians import InstantJacobians
from symcontact_ros.simulation.equations.templates import Progress
from symcontact_ros.simulation.observing.cross_check import CrossCheck
from symcontact_ros.simulation.observing.energy import (
    contact_energy,
    Energy,
    joint_energy,
    Momentum,
)
from symcontact_ros.simulation.observing.observer import EVERYTHING, FEW_PAIRS, Observer
from symcontact_ros.simulation.observing.sensors import BodiesInMotion, loads_of, rates_of
from symcontact_ros.simulation.observing.snapshots import PairRecord, placed_on, pose_of
from symcontact_ros.simulation.step.stepper import Survey
from symcontact_ros.simulation.world.coordinates import Coordinates
from symcontact_ros.simulation.world.filling import Tables
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.types import (
    Contact,
    PairState,
    Pose,
    Proximity,
    Reading,
    Snapshot,
    Twist,
    Vector,
    vector,
    Wrench,
)


class Observed:
    """
    A model in some state, and all that can be told of it.

    Nothing here changes what the next step does.
    """

    proximity_range: float  # [m]

    def __init__(self, model: Model, detection: Detection, step_size: float) -> None:
        self.model = model
        self._detection = detection
        self.step_size = step_size
        self.steps = 0  # since the start
        self.seed = 0  # of the noise of sensors

    def _build(self, cache: Cache, progress: Progress) -> None:
        self._dynamics = Dynamics(self.model, cache=cache, progress=progress)
        self._tables = Tables(self.model, self._dynamics, self._detection)
        self._coordinates = Coordinates(self.model, self._tables)
        self._values = dict(self.model.parameters)
        self._cache = cache
        self._pairs = self.model.pairs  # of bodies; found anew each time it is asked for
        self._survey = Survey(self._tables, cache)
        self._ground: dict[str, Kinematics] = {}
        self._ground_values: dict[str, float] | None = None  # what they were found with
        self._first: Vector = np.zeros(self._tables.state_size)  # the state at the start
        self._start: tuple[float, float] | None = None  # mechanical and contact energy then

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step_size

    @property
    def q(self) -> Vector:
        """Coordinates, joint by joint: see the README for their order."""
        return self._coordinates.coordinates(self._state, self._values)[0]

    @property
    def u(self) -> Vector:
        """Speeds, joint by joint."""
        return self._coordinates.coordinates(self._state, self._values)[1]

    @property
    def _state(self) -> Vector:
        return self._whole[: self._tables.state_size]

    @property
    def _whole(self) -> Vector:
        """The state with its ledger."""
        return self._image['state']

    @property
    def _image(self) -> Image[AnyWorld]:
        """The memory of the loop."""
        return self._tables.image

    @property
    def parameters(self) -> dict[str, float]:
        """The live symbols and their values now."""
        return dict(self._values)

    @property
    def counters(self) -> dict[str, float]:
        """
        What was counted since the start, or the last `reset`.

        ``substeps``: parts that steps were cut into, beyond the first; ``exceeded_steps``: steps
        that needed more than ``max_substeps``, of which ``largest_need`` is the most;
        ``looks``: pairs of shapes that were measured; ``broad_phases``; ``unproven``: looks at a
        depth that may not be the least one; ``fallbacks``: looks that the exact method answered
        instead of a convex program, and these by reason.
        """
        world = self._tables.world
        reasons = {f'fallbacks_{why}': world.notes[note] for note, why in FALLBACKS.items()}
        return {
            'substeps': world.substeps,
            'exceeded_steps': world.exceeded,
            'largest_need': world.largest_need,
            'looks': world.looks,
            'broad_phases': world.rebuilds,
            'unproven': world.notes[UNPROVEN],
            'fallbacks': sum(reasons.values()),
            **reasons,
        }

    @cached_property
    def _observer(self) -> Observer:
        """Looks on behalf of those who ask now and then."""
        return Observer(self, often=False)

    def snapshot(self) -> Snapshot:
        """Return everything about this instant."""
        bodies = self._bodies()
        margin = EVERYTHING if len(self._pairs) <= FEW_PAIRS else self.proximity_range
        instant = self._observer.look(margin)
        by_pair: dict[tuple[str, str], list[PairRecord]] = {}
        for record in self._told(self._survey.last()):
            by_pair.setdefault((record.body_a, record.body_b), []).append(record)
        return Snapshot(
            self.time,
            {name: pose_of(body) for name, body in bodies.items()},
            {name: vector(body.com) for name, body in bodies.items()},
            {name: Twist(vector(b.twist[:3]), vector(b.twist[3:])) for name, b in bodies.items()},
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
        return self._told(self._survey(min(margin, EVERYTHING)))

    def _told(self, records: NDArray[Any]) -> list[PairRecord]:
        if not len(records):
            return []
        jacobians = InstantJacobians(self.model, self._values, self._state.copy(), self._motions)
        return [PairRecord(record, self._pairs, jacobians) for record in records]

    def _motions(self, state: Vector, values: Values) -> dict[str, Kinematics]:
        """Return how the bodies of moving trees lie and move in a state, maybe a past one."""
        q, u = self._coordinates.coordinates(state, values)
        if values is self._values:
            return self._dynamics.kinematics(q, u)
        self._dynamics.set_values(values)
        try:
            return self._dynamics.kinematics(q, u)
        finally:
            self._dynamics.set_values(self._values)

    def poses(self) -> dict[str, Pose]:
        """Return the pose of every body's origin and of every site, by name."""
        poses = {name: pose_of(body) for name, body in self._bodies().items()}
        for body in self.model.bodies:
            for site, placement in body.sites.items():
                poses[site] = placed_on(poses[body.name], placement, self._values)
        return poses

    def twists(self) -> dict[str, Twist]:
        """Return the velocity of every body's centre of mass by name."""
        return {
            name: Twist(vector(body.twist[:3]), vector(body.twist[3:]))
            for name, body in self._bodies().items()
        }

    def contacts(self) -> list[Contact]:
        """Return the points of contact with their forces on body B."""
        return [contact for record in self.records(0.0) for contact in record.contacts()]

    def proximities(self) -> list[Proximity]:
        """Return closest points and signed distance of every pair of shapes that is near."""
        return [record.proximity() for record in self.records(self.proximity_range)]

    def cross_check(self, detector: str, co: Mapping[str, object] | None = None) -> CrossCheck:
        """Return another detector, which can be asked about the states of this simulation."""
        detection = detection_of(self.model.dimension, detector, co)
        tables = Tables(self.model, self._dynamics, detection)
        return CrossCheck(self, tables)

    def contact_wrench(self, body: str, other: str | None = None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        self.model.body(body)
        if other is not None:
            self.model.body(other)
        instant = self._observer.look(0.0)
        row = self._tables.index[body]
        if other is None:
            return Wrench(instant.wrench[row, :3], instant.wrench[row, 3:])
        pair = (min(body, other), max(body, other))
        if pair not in self._pairs:
            return Wrench(np.zeros(3), np.zeros(3))
        between = self._pairs.index(pair)
        wrench = instant.pair_wrench[between] * (1.0 if body == pair[1] else -1.0)
        arm = instant.pair_point[between] - instant.com[row]
        return Wrench(wrench[:3], wrench[3:] + np.cross(arm, wrench[:3]))

    def sensors(self, contacts: Iterable[Contact] | None = None) -> dict[str, Reading]:
        """
        Return what the sensors of the model measure now, by name.

        Their noise is that of this ``seed`` and this step: looking twice gives the same.

        Parameters
        ----------
        contacts
            Those of a snapshot of now, where there is one; omitted: they are found.
        """
        if not self.model.sensors:
            return {}
        bodies = self._bodies()
        loads = loads_of(
            self.model, self._tables, bodies, self.contacts() if contacts is None else contacts
        )
        q, u = self._coordinates.coordinates(self._state, self._values)
        udot = rates_of(self._dynamics, self._tables, q, u, loads)
        now = BodiesInMotion(self.model, self._values, bodies, u, udot, loads)
        return {s.name: now.read(s, self.seed, self.steps) for s in self.model.sensors}

    def energy(self) -> Energy:
        """Return the energy ledger [J]."""
        start, contact_start = self._started()
        kinetic, potential, joints, contact = self._energies()
        ledger = self._tables.world.ledger
        lost = [ledger.lost_in_contact, ledger.lost_in_friction, ledger.lost_in_joints]
        return Energy(
            kinetic,
            potential,
            joints + contact,
            float(np.sum(lost)),
            ledger.work_in,
            contact - contact_start - ledger.stored_in_contact,
            start,
        )

    def _energies(self) -> tuple[float, float, float, float]:
        """Return kinetic energy, that of gravity, of joints, and of contacts [J]."""
        q, u = self._coordinates.coordinates(self._state, self._values)
        kinetic, potential = self._dynamics.energy(q, u)
        contact = contact_energy(self.model, self._values, self._survey(0.0))
        return kinetic, potential, joint_energy(self.model, self._values, q), contact

    def _mechanical(self) -> tuple[float, float]:
        """Return mechanical energy and the part of contacts, now."""
        self._started()
        energies = self._energies()
        return sum(energies), energies[3]

    def _started(self) -> tuple[float, float]:
        """Return mechanical energy and the part of contacts at the start; found when asked for."""
        if self._start is None:
            now = self._state.copy()
            saved = {name: self._image[name].copy() for name in ('stage', 'bodies')}
            self._state[:] = self._first
            self._image['stage'][:] = self._first
            energies = self._energies()
            self._start = sum(energies), energies[3]
            self._state[:] = now
            for name, array in saved.items():
                self._image[name][:] = array
        return self._start

    def _standing(self, name: str) -> Kinematics:
        """Return where a body is that never moves."""
        rotation, position = ground_pose(self.model, self.model.body(name), self._values)
        place = tuple(position.tolist())
        return Kinematics(tuple(rotation.ravel().tolist()), place, place, (0.0,) * 6)

    def momentum(self) -> Momentum:
        """Return linear and angular momentum of all that moves, about the world origin."""
        return self._coordinates.momentum(self._state, self._bodies(), self._values)

    def _bodies(self) -> dict[str, Kinematics]:
        """Return where every body is and how it moves, fixed ones included."""
        found = self._dynamics.kinematics(
            *self._coordinates.coordinates(self._state, self._values)
        )
        if self._values is not self._ground_values:
            self._ground = {name: self._standing(name) for name in self.model.grounded}
            self._ground_values = self._values
        found = {**self._ground, **found}
        return {name: found[name] for name in self.model.body_names}
