"""Looks at a simulation many times a second: one compiled call each for what is near and where."""

from __future__ import annotations

import math
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.records import Image, specialized
from symcontact_ros.simulation.observing import instant_kernel as looks
from symcontact_ros.simulation.observing.inspection_kernel import Survey as SurveyRecord
from symcontact_ros.simulation.observing.instant import Instant, Nearness
from symcontact_ros.simulation.step.stepper import WorthCompiling
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.observing.observation import Observed

EVERYTHING = 1e300  # a margin that no pair exceeds
FEW_PAIRS = 64  # of bodies: up to here all of them are told, however far apart


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

    def __init__(self, simulation: Observed, often: bool = True) -> None:
        self._simulation = simulation
        self._often = often
        model = self._model = simulation.model
        self._bodies_of_pair = np.array(
            [[simulation._tables.index[name] for name in pair] for pair in model.pairs],
            dtype=np.int64,
        ).reshape(-1, 2)
        # One for all models of a dimension: looks need no kernels of pairs.
        self._type = specialized(simulation._tables.world_type, space=simulation._tables.space)
        arguments = [self._type, SurveyRecord, looks.Look]
        self._write = WorthCompiling(looks.write_look, arguments, simulation._cache)
        self._images: tuple[Image[Any], ...] = ()
        self._addresses: tuple[int, ...] = ()
        self._make_room(0)
        self.refresh()

    def refresh(self) -> None:
        """Take the live symbols and the options of the simulation as they are now."""
        simulation, model = self._simulation, self._model
        for row, body in enumerate(model.bodies):
            if body.name not in model.grounded:
                com = evaluate_all(body.com, simulation.parameters)
                self._out['centres']['position'][row] = com
        if self._often:
            self._write.spent = simulation._survey.spent = math.inf

    def look(self, margin: float | None = None) -> Instant:
        """
        Return all about now.

        Of pairs farther apart than a margin [m] the closest points are not asked for, and
        `pair_point` is midway between the centres of mass; default: in small models of none.
        """
        if margin is None:
            few = len(self._bodies_of_pair) <= FEW_PAIRS
            margin = EVERYTHING if few else self._simulation.proximity_range
        self._look(margin)
        copy = self._out.copy
        contacts = copy('contacts', int(self._contact_count[0]))
        return Instant(copy('bodies'), copy('pairs'), contacts, copy('joints'))

    def _look(self, margin: float) -> None:
        survey = self._simulation._survey
        survey.write(margin)
        if len(self._out['contacts']) < MOST * len(survey.out['records']):
            self._make_room(MOST * len(survey.out['records']))
        images = self._simulation._tables.image, survey.out, self._out
        if images != self._images:  # finding addresses takes a while
            self._images = images
            self._addresses = tuple(image.memory.ctypes.data for image in images)
        self._write.run(self._addresses, self._plain)

    def _plain(self) -> tuple[Any, ...]:
        """Return the arguments of a look in plain Python."""
        world, survey, out = self._images
        return self._type.at(floats_of(world.memory)), survey.record, out.record

    def places(self) -> tuple[Vector, Vector, Vector]:
        """Return attitude, centre of mass and origin of all bodies, and nothing else."""
        instant = self.look(0.0)
        return instant.rotation, instant.com, instant.position

    def nearness(self) -> Nearness:
        """Return the pairs of shapes whose boxes are nearer than ``proximity_range``."""
        records = self._simulation._survey(self._simulation.proximity_range)
        bodies = self._bodies_of_pair[records['bodies']]
        return Nearness(
            records['bodies'],
            bodies[:, 0],
            bodies[:, 1],
            records['point_a'],
            records['point_b'],
            records['normal'],
            records['distance'],
        )

    def _make_room(self, contacts: int) -> None:
        """Make room for contacts."""
        bodies = len(self._model.bodies)
        counts = {
            'centres': bodies,
            'bodies': bodies,
            'pairs': len(self._bodies_of_pair),
            'contacts': contacts,
            'joints': 3 * len(self._model.joint_names),
        }
        old = getattr(self, '_out', None)
        self._out: Image[looks.Look] = Image(looks.Look, counts)
        self._contact_count = self._out.field('contact_count')
        self._out['pairs']['body_a'], self._out['pairs']['body_b'] = self._bodies_of_pair.T
        if old is not None:
            self._out['centres'][:] = old['centres']
