"""Motions of all bodies and poses of all sites as arrays, in one compiled call."""

from __future__ import annotations

from typing import Any

import numpy as np

from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.on_demand import KernelOnDemand
from symcontact_ros.kernels.records import Image, layout_of
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.motion_kernel import (
    MotionRecord,
    SitePose,
    write_motions,
)
from symcontact_ros.simulation.world.compiling import is_available, world_type_without_pairs
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector

POSE = slice(0, 7)  # of a body or a site: position and quaternion come first
CENTRE, VELOCITY = (layout_of(BodyMotion).fields[name].offset for name in ('com', 'velocity'))
TWIST = slice(VELOCITY, VELOCITY + 6)  # the velocity of the centre of mass, the rate of turn


class MotionArrays:
    """
    Motions of the present state of a world, world axes; bodies and sites in the model's order.

    Every call returns an array of its own.
    """

    def __init__(self, memory: WorldMemory, cache: Cache) -> None:
        self._memory = memory
        model = self._model = memory.layout.model
        self._type = world_type_without_pairs(memory)
        self._kernel = KernelOnDemand(
            write_motions, [self._type, MotionRecord], cache, is_available()
        )
        sites = [name for body in model.bodies for name in body.sites]
        self.names = (*model.body_names, *sites)
        bodies = len(model.bodies)
        counts = {'centres': bodies, 'bodies': bodies, 'sites': len(sites)}
        out = self._out = Image(MotionRecord, counts)
        self._bodies = out['bodies'].view(float).reshape(bodies, layout_of(BodyMotion).slots)
        self._sites = out['sites'].view(float).reshape(len(sites), layout_of(SitePose).slots)
        self._values: Values | None = None  # with which the given part was written
        self._image: object = None
        self._addresses = (0, 0)

    def poses(self) -> Vector:
        """Return positions and quaternions x, y, z, w of bodies, then of sites, (n, 7)."""
        self._write()
        return np.concatenate([self._bodies[:, POSE], self._sites[:, POSE]])

    def body_poses(self) -> Vector:
        """Return the positions of body origins and quaternions x, y, z, w, (n, 7)."""
        self._write()
        return self._bodies[:, POSE].copy()

    def body_twists(self) -> Vector:
        """Return the velocities of centres of mass and the rates of turn, (n, 6)."""
        self._write()
        return self._bodies[:, TWIST].copy()

    def centre(self, row: int) -> Vector:
        """Return the centre of mass of a body [m]; of a fixed one: its origin."""
        self._write()
        return self._bodies[row, CENTRE : CENTRE + 3].copy()

    def _write(self) -> None:
        memory = self._memory
        if memory.values is not self._values:
            self._values = memory.values
            write_centres(self._out['centres'], self._model, memory.values)
            self._write_sites(memory.values)
        if memory.image is not self._image:  # finding addresses takes a while
            self._image = memory.image
            self._addresses = memory.image.memory.ctypes.data, self._out.memory.ctypes.data
        self._kernel.run(self._addresses, self._plain)

    def _write_sites(self, values: Values) -> None:
        """Write where the sites are on their bodies."""
        placed = [(i, p) for i, body in enumerate(self._model.bodies) for p in body.sites.values()]
        for site, (body, placement) in zip(self._out['sites'], placed, strict=True):
            site['body'] = body
            site['offset'] = evaluate_all(placement.position, values)
            site['turn'] = matrix(placement.rotation.evaluated(values)).ravel()

    def _plain(self) -> tuple[Any, ...]:
        """Return the arguments of the kernel in plain Python."""
        return self._type.at(floats_of(self._memory.image.memory)), self._out.record


def write_centres(rows: Any, model: Model, values: Values) -> None:
    """Write the centres of mass in the frames of their bodies; those of fixed ones stay zero."""
    grounded = model.grounded
    for row, body in zip(rows, model.bodies, strict=True):
        if body.name not in grounded:
            row['position'] = evaluate_all(body.com, values)
