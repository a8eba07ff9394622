"""Changes from outside: of coordinates, live symbols and detection, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping

from numpy.typing import ArrayLike

from symcontact_ros.collision.detection import Detection
from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import normalise
from symcontact_ros.simulation.observing.energy_balance import EnergyBalance
from symcontact_ros.simulation.options import check_limits
from symcontact_ros.simulation.world.live_model import LiveModel
from symcontact_ros.types import finite_numbers


class Changes:
    """Changes of the state of a model, which the energy balance counts as work."""

    def __init__(self, live: LiveModel, energy: EnergyBalance) -> None:
        self._live = live
        self._energy = energy

    def set_state(self, q: ArrayLike | None, u: ArrayLike | None) -> None:
        """Set coordinates and speeds, or one of them; quaternions are made unit."""
        live = self._live
        both = list(live.coordinates())
        for i, (name, values) in enumerate((('q', q), ('u', u))):
            if values is not None:
                both[i] = finite_numbers(name, values, len(both[i]))
        before, old = self._energy.mechanical(), live.memory.whole_state.copy()
        anchors = live.memory.anchors.copy()
        normalise(live.model, both[0])
        live.set_coordinates(*both)
        try:
            self._energy.add_change(before)
        except ValueError as error:
            live.set_whole_state(old, anchors)
            raise OptionError(f'q and u: {error}') from error

    def configure(self, parameters: Mapping[str, float], detection: Detection) -> None:
        """Set values of some live symbols and a detection; the coordinates stay."""
        live = self._live
        changed = {**live.values, **{name: float(value) for name, value in parameters.items()}}
        _ = self._energy.start  # that of the state as it was, before it is changed
        before = self._energy.of_memory()
        old = live.values, live.memory.detection, live.memory.whole_state.copy()
        anchors = live.memory.anchors.copy()  # features of contact points stay what they are
        carried = live.memory.carried.copy()
        try:
            check_limits(live.model, changed)
            live.change(changed, detection)  # momenta follow masses
            live.memory.set_anchors(anchors)
            live.memory.carried[:] = carried
            self._energy.book(before, self._energy.of_memory())
        except (ValueError, ArithmeticError) as error:  # a formula without a value, for example
            live.use(*old[:2])
            live.set_whole_state(old[2], anchors)
            names = ', '.join(parameters)
            raise OptionError(f'{names}: {error}' if names else str(error)) from error
