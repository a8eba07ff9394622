"""Frames of a model on /tf: names, and the bodies they move with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.placements import matrix
from symcontact_ros.types import Vector

AXES = ('world', 'body')


@dataclass(frozen=True)
class Anchor:
    """A frame that moves with a body."""

    body: int  # row of the body
    rotation: Vector | None  # in the body; None: at its centre of mass, world axes
    origin: Vector | None  # in the body [m]; None: its centre of mass


class Frames:
    """
    Frames of a model; all but ``world_frame`` have the ``frame_prefix``.

    Parameters
    ----------
    model
        Whose bodies and sites they are.
    world
        Name of the inertial frame.
    prefix
        Prefix of all other frames, so that several simulations can share /tf.
    axes
        Of the frames ``<body>/com``: 'world' or 'body'.

    """

    def __init__(self, model: Model, world: str, prefix: str, axes: str) -> None:
        self.world = world
        self.prefix = prefix
        self.axes = axes
        self._rows = {name: row for row, name in enumerate(model.body_names)}
        self._sites = {
            site: (body.name, placement)
            for body in model.bodies
            for site, placement in body.sites.items()
        }
        if world in map(self.of, (*self._rows, *self._sites)):
            raise OptionError(
                f'world_frame {shown(world)} is the frame of a body or a site: rename it'
            )

    def of(self, name: str) -> str:
        """Return the frame of a body or of a site."""
        return f'{self.prefix}{name}'

    def com(self, body: str) -> str:
        """Return the frame at the centre of mass of a body."""
        return f'{self.prefix}{body}/com'

    def contact(self, a: str, b: str) -> str:
        """Return the frame at the contact of two bodies, world axes."""
        first, second = sorted((a, b))
        return f'{self.prefix}{first}/{second}/contact'

    def pressure(self, sensor: str) -> str:
        """Return the frame at the centre of pressure that a sensor measures, world axes."""
        return f'{self.prefix}{sensor}/centre_of_pressure'

    def anchor(self, frame: str, values: Values) -> Anchor | None:
        """Return the anchor of a frame; KeyError if it is none of a body, com or site."""
        if frame in ('', self.world):
            return None
        if not frame.startswith(self.prefix):
            raise KeyError(frame)
        name = frame[len(self.prefix) :]
        if name in self._rows:
            return Anchor(self._rows[name], np.eye(3), np.zeros(3))
        if name in self._sites:
            body, placement = self._sites[name]
            rotation = matrix(placement.rotation.evaluated(values))
            origin = np.array(evaluate_all(placement.position, values))
            return Anchor(self._rows[body], rotation, origin)
        body, _, last = name.rpartition('/')
        if last == 'com' and body in self._rows:
            rotation_of_com = np.eye(3) if self.axes == 'body' else None
            return Anchor(self._rows[body], rotation_of_com, None)
        raise KeyError(frame)
