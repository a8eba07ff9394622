"""Ground reactions: the contacts of a foot as one force, its centre of pressure, a free moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Sensor
from symcontact_ros.simulation.observing.instant import Contacts, Instant
from symcontact_ros.types import GroundReaction, Vector

# Below this part of all normal forces a push out of the ground is a rounding error.
LEAST_PUSH = 1e-9


class GroundReactions:
    """Ground reactions of the bodies of a model, and of its sensors of that type."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._rows = {name: row for row, name in enumerate(model.body_names)}
        self._fixed = [self._rows[name] for name in model.grounded]
        self.sensors = tuple(s for s in model.sensors if s.type == 'ground_reaction')

    def of(
        self, contacts: Contacts, bodies: str | Sequence[str], ground: str | None = None
    ) -> GroundReaction:
        """Return that of a body or several together; see `Simulation.ground_reaction`."""
        names = [bodies] if isinstance(bodies, str) else list(bodies)
        for name in names if ground is None else (*names, ground):
            self._model.body(name)
        grounds = self._fixed if ground is None else [self._rows[ground]]
        return reaction_of(contacts, [self._rows[name] for name in names], grounds)

    def read(self, sensor: Sensor, instant: Instant, noise: Vector) -> GroundReaction:
        """Return what a sensor measures, with the first four of some normal numbers as noise."""
        exact = self.of(instant.contacts, sensor.place)
        levels = [sensor.noise.get(key, 0.0) for key in ('force', 'torque')]
        return replace(
            exact,
            force=exact.force + levels[0] * noise[:3],
            free_moment=exact.free_moment + levels[1] * float(noise[3]),
            force_noise=levels[0],
            torque_noise=levels[1],
        )

    def places(self, instant: Instant) -> Vector:
        """Return the centre of pressure of every sensor, (n, 3); without: the centre of mass."""
        found = np.empty((len(self.sensors), 3))
        for row, sensor in enumerate(self.sensors):
            centre = self.of(instant.contacts, sensor.place).centre_of_pressure
            found[row] = instant.com[self._rows[sensor.place]] if centre is None else centre
        return found


def reaction_of(
    contacts: Contacts, bodies: Sequence[int], grounds: Sequence[int]
) -> GroundReaction:
    """Return the reaction on some bodies by others, by their rows."""
    a, b = contacts.body_a, contacts.body_b
    on_b = np.isin(b, bodies) & np.isin(a, grounds)
    chosen = on_b | (np.isin(a, bodies) & np.isin(b, grounds))
    signs = np.where(on_b[chosen], 1.0, -1.0)[:, None]
    points, forces = contacts.point[chosen], signs * contacts.force[chosen]
    normals, torques = signs * contacts.normal[chosen], signs * contacts.torque[chosen]
    force = forces.sum(axis=0)
    pushes = np.maximum((forces * normals).sum(axis=1), 0.0)
    push = pushes @ normals
    strength = float(np.linalg.norm(push))
    if strength <= LEAST_PUSH * pushes.sum():
        return GroundReaction(force, None, 0.0, None)
    normal = push / strength
    pressing = float(force @ normal)
    if pressing <= LEAST_PUSH * pushes.sum():
        return GroundReaction(force, None, 0.0, None)
    middle = pushes @ points / pushes.sum()  # a point of the ground plane
    moment = (np.cross(points - middle, forces) + torques).sum(axis=0)
    # The moment about another point of the plane is moment - arm x force, whose part along the
    # plane is that of moment - pressing arm x normal.
    arm = np.cross(normal, moment) / pressing
    free = float((moment - np.cross(arm, force)) @ normal)
    return GroundReaction(force, middle + arm, free, normal)
