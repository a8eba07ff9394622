"""Motions of all bodies, as the equations have them."""

from __future__ import annotations

from symcontact_ros.expressions import Values
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.simulation.equations.dynamics import Kinematics
from symcontact_ros.simulation.world.live_model import LiveModel


class BodyMotions:
    """Motions of the bodies of a model, fixed ones included: ``motions.now()``."""

    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self._fixed: dict[str, Kinematics] = {}
        self._fixed_values: Values | None = None  # with which they were found

    def now(self) -> dict[str, Kinematics]:
        """Return where every body is and how it moves, in the order of the model."""
        live = self._live
        found = live.dynamics.kinematics(*live.coordinates())
        if live.values is not self._fixed_values:
            self._fixed = {name: self._standing(name) for name in live.model.grounded}
            self._fixed_values = live.values
        found = {**self._fixed, **found}
        return {name: found[name] for name in live.model.body_names}

    def _standing(self, name: str) -> Kinematics:
        """Return where a body is that never moves."""
        model = self._live.model
        rotation, position = ground_pose(model, model.body(name), self._live.values)
        place = tuple(position.tolist())
        return Kinematics(tuple(rotation.ravel().tolist()), place, place, (0.0,) * 6)
