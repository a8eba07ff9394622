"""Reports of all worlds of a batch: motions, contact forces, energies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.batch.batch_kernels import (
    BatchMemory,
    ENERGY_TERMS,
    inspect_worlds,
    move_worlds,
    PairForce,
)
from symcontact_ros.batch.variants import Variants
from symcontact_ros.batch.world_rows import WorldRows
from symcontact_ros.batch.world_steps import WorldSteps
from symcontact_ros.collision.shape_pair import UNPROVEN
from symcontact_ros.errors import no_such
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats, Ints
from symcontact_ros.kernels.records import dtype_of, Image, layout_of, Rows
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.inspection import FIRST_ROOM
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.mechanical_kernel import (
    ANCHORED,
    KINETIC,
    OF_CONTACTS,
    OF_JOINTS,
    POTENTIAL,
)
from symcontact_ros.simulation.observing.motion_arrays import POSE, TWIST, write_centres
from symcontact_ros.simulation.observing.motion_kernel import Centre
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.guards import DOUBTFUL
from symcontact_ros.simulation.world.compiling import world_type, world_type_without_pairs
from symcontact_ros.simulation.world.world_records import Ledger
from symcontact_ros.types import Vector

_LEDGER = layout_of(Ledger).fields


class BatchReports:
    """Reports of all worlds, each in compiled calls on all threads."""

    def __init__(
        self, template: Simulation, rows: WorldRows, variants: Variants, steps: WorldSteps
    ) -> None:
        self._template, self._rows, self._variants = template, rows, variants
        self._share_out = steps.share_out
        self._threads = steps.threads
        self._moving: Kernel | None = None
        self._inspecting: Kernel | None = None
        self._room = FIRST_ROOM
        self._centres = np.zeros(0, dtype_of(Centre))
        self._renewals = -1  # of the variants, whose centres those are

    # Counters -----------------------------------------------------------------------------------

    def counters(self) -> dict[str, NDArray[np.int64]]:
        """Return counters by name."""
        of_world = {'substeps': 'substeps', 'exceeded_steps': 'exceeded', 'queries': 'queries'}
        of_solver = {'not_converged': 'unconverged', 'unresolved_substeps': 'given_up'}
        found = {name: self._rows.field(field).copy() for name, field in of_world.items()}
        for name, field in of_solver.items():
            found[name] = self._rows.column('solvers', field)[:, 0].copy().view(np.int64)
        return found

    def is_good(self) -> NDArray[np.bool_]:
        """Return whether nothing is known against each world: what `trust_of` says, of all."""
        counters, guard = self.counters(), self._rows.guard
        doubts = self._rows.field('stops') + self._rows.field('statuses', UNPROVEN)
        for name in ('exceeded_steps', 'not_converged'):
            doubts = doubts + counters[name]
        with np.errstate(all='ignore'):
            allowed = DOUBTFUL * guard('usual_residual') * guard('seen')
            is_closed = np.abs(guard('residual')) <= allowed
        has_start = guard('has_start').copy().view(np.int64) != 0
        good: NDArray[np.bool_] = (doubts == 0) & (is_closed | ~has_start)
        return good

    # Motions ------------------------------------------------------------------------------------

    def body_poses(self) -> Vector:
        """Return positions of origins and quaternions, ``(n, bodies, 7)``."""
        return self._motions()[:, :, POSE].copy()

    def body_twists(self) -> Vector:
        """Return velocities of centres of mass and rates of turn, ``(n, bodies, 6)``."""
        return self._motions()[:, :, TWIST].copy()

    def _motions(self) -> Vector:
        live, rows = self._template.parts.live, self._rows
        if self._moving is None:
            kind = static(world_type_without_pairs(live.memory))
            own = [int, int, int, BatchMemory, Floats, Ints, Ints, Rows[Centre], Rows[BodyMotion]]
            self._moving = Kernel(move_worlds, [*own, kind], live.cache)
        kernel, bodies = self._moving, len(live.model.bodies)
        values = self._variants.values
        if self._renewals != self._variants.renewals:
            self._renewals = self._variants.renewals
            self._centres = np.zeros(bodies * len(values), dtype_of(Centre))
            for i, own_values in enumerate(values):
                part = self._centres[i * bodies : (i + 1) * bodies]
                write_centres(part, live.model, own_values)
        out = np.zeros(len(rows.rows) * bodies, dtype_of(BodyMotion))
        memory = rows.memory
        given = kernel.addressed(
            0, 0, 0, rows.record.memory, memory, memory.view(np.int64), self._variants.of_world,
            self._centres, out,
        )[3:]  # fmt: skip
        self._share_out(lambda first, last, own: kernel.function(first, last, own, *given))
        return out.view(float).reshape(len(rows.rows), bodies, -1)

    # Contacts and energies ----------------------------------------------------------------------

    def contact_force(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """Return the forces of pairs of bodies on the second one, ``(n, pairs, 3)`` [N]."""
        known = {pair: i for i, pair in enumerate(self._template.pairs)}
        wanted = np.full(max(1, len(known)), -1, np.int64)
        columns = []
        for a, b in pairs:
            first, second = sorted((a, b))
            if (first, second) not in known:
                names = [f'{one} - {other}' for one, other in known]
                raise no_such('pair that may touch', f'{first} - {second}', names)
            place = wanted[known[first, second]]
            if place < 0:
                place = wanted[known[first, second]] = int(wanted.max()) + 1
            columns.append((int(place), 1.0 if a == first else -1.0))
        forces, _ = self._inspect(wanted, int(wanted.max()) + 1)
        chosen = [forces[:, place] * sign for place, sign in columns]
        return np.stack(chosen, axis=1) if chosen else np.zeros((len(self._rows.rows), 0, 3))

    def energies(self) -> dict[str, Vector]:
        """Return energies of all worlds [J]."""
        known = max(1, len(self._template.pairs))
        _, terms = self._inspect(np.full(known, -1, np.int64), 0)
        start = self._template.parts.live.memory.layout.state_size
        ledger = self._rows.block('state')[:, start:]
        lost = sum(
            ledger[:, _LEDGER[name].offset]
            for name in ('lost_in_contact', 'lost_in_friction', 'lost_in_joints')
        )
        anchored = terms[:, ANCHORED]
        return {
            'kinetic': terms[:, KINETIC].copy(),
            'potential': terms[:, POTENTIAL].copy(),
            'elastic': terms[:, OF_JOINTS] + terms[:, OF_CONTACTS] + anchored,
            'dissipated': lost - anchored,
            'work_in': ledger[:, _LEDGER['work_in'].offset].copy(),
        }

    def _inspect(self, wanted: NDArray[np.int64], places: int) -> tuple[Vector, Vector]:
        """Return forces of the wanted pairs, ``(n, places, 3)``, and energies of all worlds."""
        live, rows = self._template.parts.live, self._rows
        if self._inspecting is None:
            own: list[Any] = [int, int, int, BatchMemory, Floats, Ints, InspectionRecord, Ints]
            own += [Rows[PairForce], Floats, Ints, static(world_type(live.memory))]
            self._inspecting = Kernel(inspect_worlds, own, live.cache)
        kernel, count, memory = self._inspecting, len(rows.rows), rows.memory
        forces = np.zeros(count * places, dtype_of(PairForce))
        energies, lacking = np.zeros(count * ENERGY_TERMS), np.zeros(count, np.int64)
        seen = self._records(self._room)

        def look(first: int, last: int, thread: int) -> None:
            given = kernel.addressed(
                first, last, thread, rows.record.memory, memory, memory.view(np.int64),
                seen[thread].memory, wanted, forces, energies, lacking,
            )  # fmt: skip
            kernel.function(*given)

        self._share_out(look)
        while lacking.any():
            self._room = 2 * int(lacking.max())
            seen[:] = self._records(self._room)
            self._share_out(look)
        shaped = forces.view(float).reshape(count, places, 3)
        return shaped, energies.reshape(count, ENERGY_TERMS)

    def _records(self, room: int) -> list[Image[InspectionRecord]]:
        """Return memory for the pairs that each thread finds in a world."""
        counts = dict.fromkeys(('found', 'candidates', 'records'), room)
        return [Image(InspectionRecord, counts) for _ in range(self._threads)]
