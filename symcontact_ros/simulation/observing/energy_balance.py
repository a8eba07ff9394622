"""Energy balance of a run: energies of now and of the start, and changes from outside."""

from __future__ import annotations

import numpy as np

from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.simulation.observing.energy import (
    anchor_energy,
    contact_energy,
    Energy,
    JointSprings,
)
from symcontact_ros.simulation.observing.inspection import Inspection
from symcontact_ros.simulation.observing.mechanical_kernel import (
    ENERGIES,
    mechanical_of,
    OF_CONTACTS,
    write_mechanical,
)
from symcontact_ros.simulation.step.articulated import DRY_PRESLIDING
from symcontact_ros.simulation.world.live_model import LiveModel


class EnergyBalance:
    """
    Energy balance of a run, from the state and its ledger.

    The energy at the start is found when it is first needed.
    """

    def __init__(self, live: LiveModel, inspection: Inspection) -> None:
        self._live = live
        self._inspection = inspection
        self._springs = JointSprings(live.model)
        self._origin: object = None  # what the memory was at the start, where it is kept
        self._known: tuple[object, tuple[float, float]] | None = None  # such a one, its energies
        self._start: tuple[float, float] | None = None
        self.restart()

    def follow(self, live: LiveModel, inspection: Inspection) -> None:
        """Take another model in the same state."""
        self._live = live
        self._inspection = inspection

    def restart(self, at_start: bool = True) -> None:
        """
        Take the present state as the start; one that was the start before has its energy.

        ``at_start`` says whether it is that of the model.
        """
        memory = self._live.memory
        self._first = memory.state.copy()
        self._origin = memory.start if at_start else None
        origin, energies = self._known or (None, None)
        self._start = energies if origin is self._origin is not None else None

    @property
    def start(self) -> tuple[float, float]:
        """Mechanical energy, and the part of it that is stored in contacts, at the start [J]."""
        if self._start is None:
            memory = self._live.memory
            now = memory.whole_state.copy()
            stored = {name: memory.image[name].copy() for name in ('stage', 'bodies')}
            memory.state[:] = self._first
            memory.carried[:] = 0.0  # nothing was held then
            memory.image['stage'][:] = self._first
            energies = self._terms()
            self._start = sum(energies), energies[3]
            if self._origin is not None:
                self._known = self._origin, self._start
            memory.whole_state[:] = now
            for name, array in stored.items():
                memory.image[name][:] = array
        return self._start

    @start.setter
    def start(self, energies: tuple[float, float]) -> None:
        self._start = energies

    def energy(self) -> Energy:
        """Return the energy ledger [J]."""
        start, contact_start = self.start
        kinetic, potential, joints, contact = self._terms()
        ledger = self._live.memory.world.ledger
        lost = [ledger.lost_in_contact, ledger.lost_in_friction, ledger.lost_in_joints]
        elastic, dissipated = joints + contact, float(np.sum(lost))
        if self._live.memory.layout.sticks:
            # Of the work of friction, that which its anchors have now can come back.
            anchored = anchor_energy(self._inspection.last())
            elastic, dissipated = elastic + anchored, dissipated - anchored
        return Energy(
            kinetic,
            potential,
            elastic,
            dissipated,
            ledger.work_in,
            contact - contact_start - ledger.stored_in_contact,
            ledger.integration,
            start,
        )

    def mechanical(self) -> tuple[float, float]:
        """Return mechanical energy, and the part of it that is stored in contacts, now [J]."""
        _ = self.start  # that of the state as it was, before it is changed
        energies = self._terms()
        return sum(energies), energies[3]

    def add_change(self, before: tuple[float, float]) -> None:
        """
        Count a change of the state from outside as work.

        Parameters
        ----------
        before
            `mechanical` before the change. ValueError: there is no finite energy after it.
        """
        self.book(before, self.mechanical())

    def of_memory(self) -> tuple[float, float]:
        """Return the same as `mechanical`, by kernels alone: with the same bits everywhere."""
        self._inspection.write(0.0)
        energies = np.zeros(ENERGIES)
        out = floats_of(energies)
        write_mechanical(self._live.memory.world, self._inspection.out.record, out)
        return mechanical_of(out), float(energies[OF_CONTACTS])

    def book(self, before: tuple[float, float], after: tuple[float, float]) -> None:
        """Count the difference of two energies as work; ValueError: it is not finite."""
        if not np.isfinite(after).all():
            raise ValueError('the energy would not be finite')
        ledger = self._live.memory.world.ledger
        ledger.work_in += after[0] - before[0]
        ledger.stored_in_contact += after[1] - before[1]

    def _terms(self) -> tuple[float, float, float, float]:
        """Return kinetic energy, that of gravity, of joints, and of contacts [J]."""
        live = self._live
        q, u = live.coordinates()
        kinetic, potential = live.dynamics.energy(q, u)
        materials = [material for _, material in live.memory.layout.materials]
        contact = contact_energy(materials, live.values, self._inspection.records(0.0))
        springs = self._springs.energy(live.values, q)
        return kinetic, potential, springs + self._dry_friction(), contact

    def _dry_friction(self) -> float:
        """Return the energy of the anchors of dry friction in joints, of implicit steps [J]."""
        joints = self._live.memory.image['joints']
        stretch = self._live.memory.carried[-len(joints) :] if len(joints) else np.zeros(0)
        return float(np.sum(0.5 * joints['friction'] * stretch**2 / DRY_PRESLIDING))
