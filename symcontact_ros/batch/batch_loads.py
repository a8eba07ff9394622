"""Loads of the worlds of a batch, as arrays that a user writes into."""

from __future__ import annotations

import numpy as np

from symcontact_ros.batch.variants import Variants, Worlds
from symcontact_ros.batch.world_rows import WorldRows
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import evaluate
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector


class BatchLoads:
    """
    Efforts, targets and wrenches of all worlds; `write` hands them to the rows.

    Attributes
    ----------
    effort, target, wrench
        See `Batch`.
    """

    def __init__(
        self, template: Simulation, rows: WorldRows, variants: Variants, count: int
    ) -> None:
        self._template, self._rows, self._variants = template, rows, variants
        model = template.model
        joints, bodies = len(model.joint_names), len(model.bodies)
        self.effort: Vector = np.zeros((count, joints))
        self.target: Vector = np.full((count, joints), np.nan)
        self.wrench: Vector = np.zeros((count, bodies, 6))
        self._servos = {body.joint.name for body in model.bodies if body.joint.servo is not None}
        self._leaders = self._leader_columns()
        self._written: tuple[Vector, Vector, Vector] = (np.zeros(0), np.zeros(0), np.zeros(0))

    def _leader_columns(self) -> list[tuple[int, int, str]]:
        """Return column, column of its leader, and name, of every joint that mimics another."""
        names = {name: i for i, name in enumerate(self._template.model.joint_names)}
        followers = self._template.model.followers
        return [
            (names[name], names[mimic.joint], name)
            for name, mimic in followers.items()
            if name in names
        ]

    def restart(self, worlds: Worlds) -> None:
        """Clear the loads of worlds that are at their start; servos hold what their model says."""
        self.effort[worlds] = 0.0
        self.wrench[worlds] = 0.0
        holds = self._rows.column('joints', 'holds').view(np.int64)[worlds]
        target = self._rows.column('joints', 'target')[worlds]
        self.target[worlds] = np.where(holds, target, np.nan)
        if len(self._written[0]) == len(self.effort):
            for now, written in zip(self._arrays, self._written, strict=True):
                written[worlds] = now[worlds]

    @property
    def _arrays(self) -> tuple[Vector, Vector, Vector]:
        return self.effort, self.target, self.wrench

    def write(self) -> None:
        """Hand all that has changed to the rows; OptionError where it cannot act."""
        first = len(self._written[0]) != len(self.effort)
        writers = (self._write_efforts, self._write_targets, self._write_wrenches)
        for now, before, write in zip(self._arrays, self._written, writers, strict=True):
            if first or not np.array_equal(now, before, equal_nan=True):
                write()
        self._written = tuple(array.copy() for array in self._arrays)  # type: ignore[assignment]

    def _write_efforts(self) -> None:
        effort = self.effort
        if not np.isfinite(effort).all():
            raise OptionError('effort: finite numbers are needed')
        if self._leaders:
            effort = effort.copy()
            for column, leader, name in self._leaders:
                mimic = self._template.model.followers[name]
                factors = [evaluate(mimic.multiplier, own) for own in self._variants.values]
                effort[:, leader] += np.array(factors)[self._variants.of_world] * effort[:, column]
                effort[:, column] = 0.0
        self._rows.column('joints', 'applied')[:] = effort

    def _write_targets(self) -> None:
        names = self._template.model.joint_names
        wanted = ~np.isnan(self.target)
        if np.isinf(self.target).any():
            raise OptionError('target: finite numbers are needed, or NaN for none')
        for column in np.flatnonzero(wanted.any(axis=0)):
            if names[column] not in self._servos:
                hint = '`servo: auto` or `servo: {kp: .., kd: ..}`'
                raise OptionError(f'target: joint {names[column]} has no servo: give it {hint}')
        holds = self._rows.column('joints', 'holds').view(np.int64) != 0
        changed = np.flatnonzero((holds != wanted).any(axis=1))
        for world in changed:  # gains come and go with the target
            self._switch(int(world), wanted[world], holds[world])
        target = self._rows.column('joints', 'target')
        target[:] = np.where(wanted, self.target, target)

    def _switch(self, world: int, wanted: Vector, holds: Vector) -> None:
        """Switch the servos of a world on and off."""
        self._variants.load(self._rows.rows[world], int(self._variants.of_world[world]))
        for column in np.flatnonzero(wanted != holds):
            name = self._template.model.joint_names[column]
            position = float(self.target[world, column]) if wanted[column] else None
            self._template.parts.loads.set_target(name, position, None)
        self._rows.rows[world] = self._rows.stored()

    def _write_wrenches(self) -> None:
        if not np.isfinite(self.wrench).all():
            raise OptionError('wrench: finite numbers are needed')
        if self._template.model.dimension == 3:
            parts = [('applied_force', i, i) for i in range(3)]
            parts += [('applied_torque', i, 3 + i) for i in range(3)]
        else:
            if self.wrench[:, :, [2, 3, 4]].any():
                raise OptionError(
                    'wrench: a planar model takes forces in x, y and torques about z'
                )
            parts = [('applied_force', 0, 0), ('applied_force', 1, 1), ('applied_torque', 0, 5)]
        for field, part, column in parts:
            self._rows.column('bodies', field, part)[:] = self.wrench[:, :, column]
