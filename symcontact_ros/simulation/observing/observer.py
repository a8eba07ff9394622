"""Observation of a simulation many times a second: a compiled call for all about an instant."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.expressions import Values
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.on_demand import KernelOnDemand
from symcontact_ros.kernels.records import Image
from symcontact_ros.simulation.observing.inspection import Inspection
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.instant import (
    BODY,
    COM,
    FORCE,
    Instant,
    PAIR,
    PAIR_POINT,
    ProximityArrays,
)
from symcontact_ros.simulation.observing.instant_kernel import (
    InstantRecord,
    write_instant,
)
from symcontact_ros.simulation.observing.motion_arrays import write_centres
from symcontact_ros.simulation.world.compiling import is_available, world_type_without_pairs
from symcontact_ros.simulation.world.exclusive import alone
from symcontact_ros.types import Vector

EVERYTHING = 1e300  # a margin that no pair exceeds
FEW_PAIRS = 64  # of bodies: up to here all of them are reported, however far apart


class Observer:
    """
    Observes a simulation and leaves it as it is: ``instant = observer.observe()``.

    Parameters
    ----------
    inspection
        Of the simulation; `Simulation.observer` gives it.
    often
        Whether so many calls will follow that it is best to compile at once.

    """

    def __init__(self, inspection: Inspection, often: bool = True) -> None:
        self._inspection = inspection
        if often:
            inspection.compile_now()
        memory = inspection.memory
        self._lock = memory.lock
        layout = memory.layout
        self._model = layout.model
        self._bodies_of_pair = np.array(
            [[layout.index[name] for name in pair] for pair in layout.body_pairs],
            dtype=np.int64,
        ).reshape(-1, 2)
        self._type = world_type_without_pairs(memory)
        self._kernel = KernelOnDemand(
            write_instant,
            [self._type, InspectionRecord, InstantRecord],
            inspection.cache,
            is_available(),
            math.inf if often else 0.0,
        )
        self._images: tuple[Image[Any], ...] = ()
        self._addresses: tuple[int, ...] = ()
        self._values: Values | None = None  # with which the centres of mass were found
        self._take(self._room_for(0))

    def _take(self, out: Image[InstantRecord]) -> None:
        """Take memory for what is observed."""
        self._out = out
        self._contact_count = out.field('contact_count')
        bodies, pairs = len(out['bodies']), len(out['pairs'])
        self._bodies = out['bodies'].view(float).reshape(bodies, BODY.slots)
        self._pairs = out['pairs'].view(float).reshape(pairs, PAIR.slots)

    @alone
    def observe(self, margin: float | None = None) -> Instant:
        """
        Return all about now.

        For pairs farther apart than a margin [m] the closest points are not computed, and
        `pair_point` is midway between the centres of mass; default: in small models for none.
        """
        if margin is None:
            few = len(self._bodies_of_pair) <= FEW_PAIRS
            margin = EVERYTHING if few else self._inspection.proximity_range
        self._write(margin)
        copy = self._out.copy_slots
        contacts = copy('contacts', int(self._contact_count[0]))
        return Instant(copy('bodies'), copy('pairs'), contacts, copy('joints'))

    @alone
    def wrench_on(self, body: int) -> Vector:
        """Return force and torque of all contacts on a body, about its centre of mass, (6,)."""
        self._write(0.0)
        return self._bodies[body, FORCE : FORCE + 6].copy()

    @alone
    def wrench_between(self, pair: int, body: int) -> Vector:
        """Return the same of the contacts of a pair, on one of its two bodies."""
        self._write(0.0)
        px, py, pz, fx, fy, fz, tx, ty, tz = self._pairs[
            pair, PAIR_POINT : PAIR_POINT + 9
        ].tolist()
        x, y, z = self._bodies[body, COM : COM + 3].tolist()
        x, y, z = px - x, py - y, pz - z
        wrench = [fx, fy, fz, tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx]
        return np.array(wrench) * (1.0 if body == self._bodies_of_pair[pair, 1] else -1.0)

    def _write(self, margin: float) -> None:
        inspection = self._inspection
        inspection.write(margin)
        if inspection.memory.values is not self._values:
            self._values = inspection.memory.values
            write_centres(self._out['centres'], self._model, self._values)
        most = MOST * len(inspection.out['records'])
        if len(self._out['contacts']) < most:
            centres = self._out['centres']
            self._take(self._room_for(most))
            self._out['centres'][:] = centres
        images = inspection.memory.image, inspection.out, self._out
        if images != self._images:  # finding addresses takes a while
            self._images = images
            self._addresses = tuple(image.memory.ctypes.data for image in images)
        self._kernel.run(self._addresses, self._plain)

    def _plain(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel in plain Python."""
        world, inspection, out = self._images
        return self._type.at(floats_of(world.memory)), inspection.record, out.record

    @alone
    def frames(self) -> tuple[Vector, Vector, Vector]:
        """Return attitude, centre of mass and origin of all bodies, and nothing else."""
        instant = self.observe(0.0)
        return instant.rotation, instant.com, instant.position

    @alone
    def proximities(self) -> ProximityArrays:
        """Return the pairs of shapes whose boxes are nearer than ``proximity_range``."""
        records = self._inspection.records(self._inspection.proximity_range)
        bodies = self._bodies_of_pair[records['bodies']]
        return ProximityArrays(
            records['bodies'],
            bodies[:, 0],
            bodies[:, 1],
            records['point_a'],
            records['point_b'],
            records['normal'],
            records['distance'],
        )

    def _room_for(self, contacts: int) -> Image[InstantRecord]:
        """Return memory for an instant with a number of contacts at most."""
        bodies = len(self._model.bodies)
        counts = {
            'centres': bodies,
            'bodies': bodies,
            'pairs': len(self._bodies_of_pair),
            'contacts': contacts,
            'joints': 3 * len(self._model.joint_names),
        }
        out: Image[InstantRecord] = Image(InstantRecord, counts)
        out['pairs']['body_a'], out['pairs']['body_b'] = self._bodies_of_pair.T
        return out
