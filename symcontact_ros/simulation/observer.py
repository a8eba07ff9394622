"""Looks at a simulation many times a second: one compiled call each for what is near and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import itertools
import math
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.collision.rows import MOST
from symcontact_ros.kernels.kernel import available, Kernel
from symcontact_ros.kernels.transitional import memory_of
from symcontact_ros.model.expressions import evaluate_all
from symcontact_ros.simulation import motions, summaries
from symcontact_ros.simulation.instants import Instant, Nearness
from symcontact_ros.simulation.loop import spatial, survey
from symcontact_ros.simulation.observation import FEW_PAIRS
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation

EVERYTHING = 1e300  # a margin that no pair exceeds
_BODIES = ('int', 'int', 'memory', 'memory', 'memory')  # of `motions.write_bodies`
_JOINTS = ('int', 'memory', 'memory', 'memory')  # of `motions.write_joints`
_SUMMARY = (*(('int', 'memory') * 3), 'memory', 'memory', 'memory')  # of `summaries.summarise`


class Observer:
    """
    Looks at a simulation: ``instant = observer.look()``.

    Call `refresh` when live symbols or options have changed.

    Parameters
    ----------
    simulation
        Is looked at, and stays as it is.
    often
        Whether so many looks will follow that it is best to compile them at once.

    """

    def __init__(self, simulation: Simulation, often: bool = True) -> None:
        self._simulation = simulation
        self._often = often
        model = self._model = simulation.model
        names = list(model.body_names)
        shapes = [names[body] for body, _ in simulation._tables.placed]
        pairs = {pair: row for row, pair in enumerate(model.pairs)}
        self._bodies_of_pair = np.array(
            [(names.index(a), names.index(b)) for a, b in pairs], dtype=np.int64
        ).reshape(-1, 2)
        self._known = np.zeros((len(shapes), len(shapes), summaries.KNOWN))
        for (i, one), (j, other) in itertools.product(enumerate(shapes), repeat=2):
            a, b = min(one, other), max(one, other)
            self._known[i, j] = pairs.get((a, b), -1), 1.0 if one == a else -1.0
        self._pair_bodies = self._bodies_of_pair.astype(float)
        self._centres = np.zeros((len(names), 3))
        self._bodies = np.zeros((len(names), motions.BODY))
        self._sums = np.zeros((len(pairs), summaries.SUM))
        self._joints = np.zeros(3 * len(model.joint_names))
        self._contacts = np.zeros(0)
        cache = simulation._cache
        self._write_bodies = _compiled(motions.write_bodies, _BODIES, cache)
        self._write_joints = _compiled(motions.write_joints, _JOINTS, cache)
        self._summarise = _compiled(summaries.summarise, _SUMMARY, cache)
        self.refresh()

    def refresh(self) -> None:
        """Take the live symbols and the options of the simulation as they are now."""
        simulation, model = self._simulation, self._model
        for row, body in enumerate(model.bodies):
            if body.name not in model.grounded:
                self._centres[row] = evaluate_all(body.com, simulation.parameters)
        if self._often:
            simulation._survey.spent = math.inf
        self._find_blocks()

    def _find_blocks(self) -> None:
        """Note what kernels are given: finding an address takes longer than using it."""
        arrays, model = self._simulation._arrays, self._model
        self._from_loop = bool(self._simulation._tables.pairs)  # else no survey writes motions
        kept = len(model.bodies) * spatial.MOTION
        self._motions = arrays['motions'] if self._from_loop else np.zeros(kept)
        is_planar = int(self._from_loop and model.dimension == 2)
        places = [_block(array) for array in (self._motions, self._centres, self._bodies)]
        self._body_blocks = [len(model.bodies), is_planar, *places]
        places = [_block(array) for array in (arrays['joints'], arrays['state'], self._joints)]
        self._joint_blocks = [len(model.joint_names), *places]
        self._survey_out: Vector | None = None

    def look(self, margin: float | None = None) -> Instant:
        """
        Return all about now.

        Of pairs farther apart than a margin [m] the closest points are not asked for, and
        `pair_point` is midway between the centres of mass; default: in small models of none.
        """
        simulation = self._simulation
        if margin is None:
            few = len(self._bodies_of_pair) <= FEW_PAIRS
            margin = EVERYTHING if few else simulation.proximity_range
        near = simulation._survey.write(margin)
        self._place()
        self._write_joints(*self._joint_blocks)
        if simulation._survey.out is not self._survey_out:
            self._make_room(simulation._survey.out)
        self._summarise(near, *self._summary_blocks)
        count = int(self._contacts[0])
        rows = self._contacts[1 : 1 + summaries.ROW * count].reshape(count, summaries.ROW)
        return Instant(self._bodies.copy(), self._sums.copy(), rows.copy(), self._joints.copy())

    def places(self) -> tuple[Vector, Vector, Vector]:
        """Return attitude, centre of mass and origin of all bodies, and nothing else."""
        self._simulation._survey.write(0.0)  # writes where they are
        self._place()
        instant = Instant(self._bodies.copy(), self._sums, self._contacts, self._joints)
        return instant.rotation, instant.com, instant.position

    def nearness(self) -> Nearness:
        """Return the pairs of shapes whose boxes are nearer than ``proximity_range``."""
        records = self._simulation._survey(self._simulation.proximity_range)
        one = records[:, survey.PAIR_A].astype(np.int64)
        other = records[:, survey.PAIR_B].astype(np.int64)
        known = self._known[one, other]
        pair = known[:, summaries.KNOWN_PAIR].astype(np.int64)
        sign = known[:, summaries.KNOWN_SIGN :]
        first = records[:, survey.PAIR_POINT_A : survey.PAIR_POINT_A + 3]
        second = records[:, survey.PAIR_POINT_B : survey.PAIR_POINT_B + 3]
        bodies = self._bodies_of_pair[pair]
        return Nearness(
            pair,
            bodies[:, 0],
            bodies[:, 1],
            np.where(sign > 0.0, first, second),
            np.where(sign > 0.0, second, first),
            sign * records[:, survey.PAIR_NORMAL : survey.PAIR_NORMAL + 3],
            records[:, survey.PAIR_DISTANCE],
        )

    def _place(self) -> None:
        """Write the rows of the bodies."""
        if not self._from_loop:
            rows = self._motions.reshape(-1, spatial.MOTION)
            for row, body in zip(rows, self._simulation._bodies().values(), strict=True):
                row[:9] = np.reshape(body.rotation, (3, 3)).T.reshape(-1)
                row[9:12], row[12:18] = body.com, body.twist
        self._write_bodies(*self._body_blocks)

    def _make_room(self, records: Vector) -> None:
        """Make room for the contacts of as many records as there may be."""
        self._survey_out = records
        self._contacts = np.zeros(1 + summaries.ROW * MOST * (len(records) // survey.RECORD))
        blocks = (self._bodies, self._sums, self._contacts)
        self._summary_blocks = [
            _block(records[1:]),
            len(self._known),
            _block(self._known),
            len(self._sums),
            _block(self._pair_bodies),
            *map(_block, blocks),
        ]


def _block(array: Vector) -> Any:
    """Return an array as kernels take it: its address, or memory for plain Python."""
    return array.ctypes.data if available() else memory_of(array)


def _compiled(
    function: Callable[..., None], arguments: Sequence[str], cache: Any
) -> Callable[..., None]:
    """Return a kernel as machine code, or as it stands where that cannot be had."""
    if not available():
        return function
    kernel = Kernel(function, arguments, cache)

    def call(*given: Any) -> None:
        kernel.function(*given)  # the kernel is kept: it owns the code

    return call
