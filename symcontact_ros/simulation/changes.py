"""Changes from outside: of coordinates, live symbols and detection, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.collision.detection import Detection
from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import initial_state, normalise
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
from symcontact_ros.simulation.options import check_limits
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.types import finite_numbers, Vector

LARGEST = 1e150  # of a coordinate or speed: its square is finite


def check_magnitudes(name: str, numbers: Vector) -> None:
    """Refuse numbers that a step could only make infinite."""
    beyond = np.flatnonzero(np.abs(numbers) > LARGEST)
    if len(beyond):
        first = int(beyond[0])
        raise OptionError(f'{name}[{first}] = {numbers[first]:g} is beyond {LARGEST:g}')


def _taken(
    present: tuple[Vector, Vector], q: ArrayLike | None, u: ArrayLike | None
) -> list[Vector]:
    """Return coordinates and speeds, those that are given in the place of the present ones."""
    both = list(present)
    for i, (name, values) in enumerate((('q', q), ('u', u))):
        if values is not None:
            both[i] = finite_numbers(name, values, len(both[i]))
            check_magnitudes(name, both[i])
    return both


class Changes:
    """Changes of the state of a model, which the energy balance counts as work."""

    def __init__(self, live: LiveModel, energy: EnergyBalance) -> None:
        self._live = live
        self._energy = energy

    def set_state(
        self, q: ArrayLike | None, u: ArrayLike | None, keep_anchors: bool = False
    ) -> None:
        """Set coordinates and speeds, or one of them; friction lets go, unless it is kept."""
        live = self._live
        both = _taken(live.coordinates(), q, u)
        before = self._energy.mechanical()
        anchors, carried = live.memory.anchors.copy(), live.memory.carried.copy()
        try:
            with live.unchanged_on_error(), np.errstate(over='ignore', invalid='ignore'):
                normalise(live.model, both[0])
                live.set_coordinates(*both)
                if keep_anchors:
                    live.memory.set_anchors(anchors)
                    live.memory.carried[:] = carried
                self._energy.add_change(before)
        except (ValueError, ArithmeticError) as error:
            raise OptionError(f'q and u: {error}') from error

    def start_at(self, q: ArrayLike | None, u: ArrayLike | None) -> Vector:
        """Return the state to start from, given coordinates and speeds, or one of them."""
        live = self._live
        both = _taken(initial_state(live.model, live.values), q, u)
        try:
            normalise(live.model, both[0])
            return live.state_of(*both)
        except (ValueError, ArithmeticError) as error:
            raise OptionError(f'q and u: {error}') from error

    def configure(self, parameters: Mapping[str, float], detection: Detection) -> None:
        """Set values of some live symbols and a detection; the coordinates stay."""
        live = self._live
        changed = {**live.values, **{name: float(value) for name, value in parameters.items()}}
        _ = self._energy.start  # that of the state as it was, before it is changed
        before = self._energy.of_memory()
        anchors = live.memory.anchors.copy()  # features of contact points stay what they are
        carried = live.memory.carried.copy()
        try:
            with live.unchanged_on_error():
                check_limits(live.model, changed)
                live.change(changed, detection)  # momenta follow masses
                live.memory.set_anchors(anchors)
                live.memory.carried[:] = carried
                self._energy.book(before, self._energy.of_memory())
        except (ValueError, ArithmeticError) as error:  # a formula without a value, for example
            names = ', '.join(parameters)
            raise OptionError(f'{names}: {error}' if names else str(error)) from error
