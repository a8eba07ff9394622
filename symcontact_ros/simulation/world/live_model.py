"""A model with values of its live symbols and a state, in the memory of its world."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import AnyPair, Detection
from symcontact_ros.expressions import evaluate_all, Values
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.memory import floats_of
from symcontact_ros.kernels.records import Image, Record, Rows
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.input_limits import seconds_for_pairs
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body
from symcontact_ros.model.progress import Progress, WAIT, with_time
from symcontact_ros.simulation.equations.dynamics import Dynamics, Selection
from symcontact_ros.simulation.equations.jacobians import Jacobians
from symcontact_ros.simulation.world.compiling import world_type_without_pairs
from symcontact_ros.simulation.world.coordinates import Coordinates
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.rebasing import FloatingBody, note_motions, rebase
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_memory import WorldMemory
from symcontact_ros.types import Vector


class _Floating(Record):
    """All floating bodies."""

    rows: Rows[FloatingBody]


class LiveModel:
    """
    A model in a state.

    Attributes
    ----------
    dynamics
        Its equations as numeric functions.
    memory
        The memory of its world, in which the state is.
    cache
        Where its compiled functions are stored.
    """

    def __init__(
        self,
        model: Model,
        detection: Detection,
        step_size: float,
        cache: Cache,
        progress: Progress,
        kernels: Sequence[AnyPair] | None = None,
    ) -> None:
        self.model = model
        self.cache = cache
        self.dynamics = Dynamics(model, cache=cache, progress=progress)
        time = seconds_for_pairs(len(model.pairs))
        if time > WAIT:
            progress(with_time(f'preparing {len(model.pairs)} pairs', time))
        layout = Layout(model, self.dynamics, detection.table, step_size, kernels)
        self.memory = WorldMemory(layout, detection, dict(model.parameters))
        self._coordinates = Coordinates(layout)
        self._image: object = None  # whose state `_read_q` and `_read_u` copy
        self._jacobians: Jacobians | None = None  # those that were used last

    @property
    def values(self) -> Values:
        """Values of the live symbols; a change of them gives another object."""
        return self.memory.values

    def use(self, values: Values, detection: Detection) -> None:
        """Take values of the live symbols and a detection; ValueError: they make no model."""
        self.dynamics.set_values(values)
        self.memory.fill(detection, values)

    @contextmanager
    def unchanged_on_error(self) -> Iterator[None]:
        """Take back, bit for bit, whatever has changed inside where that ends with an error."""
        kept = self.memory.kept()
        try:
            yield
        except BaseException:
            self.memory.take_back(kept)
            self.dynamics.set_values(self.values)
            raise

    def change(self, values: Values, detection: Detection) -> None:
        """Take the same in the present state: coordinates and speeds stay, momenta follow."""
        layout = self.memory.layout
        if self._coordinates.frames(values) != self._coordinates.frames(self.values):
            q, u = self.coordinates()  # of frames that move now
            self.use(values, detection)
            self.set_coordinates(q, u)
            return
        floating = Image(_Floating, {'rows': len(layout.floating)})
        rows = floating.record.rows
        for i, body in enumerate(layout.floating):
            rows[i].body = layout.index[body.name]
            rows[i].com = _com(body, self.values)
        note_motions(self._world(), rows)
        self.use(values, detection)
        for i, body in enumerate(layout.floating):
            rows[i].com = _com(body, values)
        rebase(self._world(), rows)
        self.set_state(self.memory.state.copy())

    def _world(self) -> AnyWorld:
        """Return the world as kernels of any model of its dimension take it."""
        memory = self.memory
        return world_type_without_pairs(memory).at(floats_of(memory.image.memory))

    def detach(self) -> None:
        """Have a state and values of its own, as a copy of another one."""
        self.dynamics = copy.copy(self.dynamics)
        self._coordinates = copy.copy(self._coordinates)
        self.memory = copy.copy(self.memory)
        self.memory.detach(self.dynamics)

    def q(self) -> Vector:
        """Return the coordinates."""
        if self.memory.image is not self._image:
            self._bind()
        read = self._read_q
        return self._coordinates.q(self.memory.state, self.values) if read is None else read()

    def u(self) -> Vector:
        """Return the speeds."""
        if self.memory.image is not self._image:
            self._bind()
        read = self._read_u
        return self._coordinates.u(self.memory.state, self.values) if read is None else read()

    def _bind(self) -> None:
        """Find how to copy q and u out of the present memory, where the state has them."""
        self._image = self.memory.image
        places = self._coordinates.places
        self._read_q, self._read_u = (_reader(self.memory.state, own) for own in places)

    def coordinates(self) -> tuple[Vector, Vector]:
        """Return q and u."""
        state, values = self.memory.state, self.values
        return self._coordinates.q(state, values), self._coordinates.u(state, values)

    def set_coordinates(self, q: Vector, u: Vector) -> None:
        """Go to a state that is given by q and u."""
        self.set_state(self.state_of(q, u))

    def state_of(self, q: Vector, u: Vector) -> Vector:
        """Return the state that is given by q and u, without its ledger."""
        return self._coordinates.state(q, u, self.values)

    def start_state(self) -> Vector:
        """Return the state at the start, by the live symbols of now."""
        return self.state_of(*initial_state(self.model, self.values))

    def set_state(self, state: Vector) -> None:
        """Go to a state, given without its ledger; friction lets go of everything."""
        memory = self.memory
        memory.state[:] = state
        memory.image['stage'][:] = state
        memory.image['sums'][:] = 0.0  # where a run that diverged may have left NaN
        memory.forget()
        memory.drop_anchors()
        self.write_joint_mobilities()

    def set_whole_state(self, whole: Vector, anchors: NDArray[Any]) -> None:
        """Go to a state, given with its ledger and the anchors of friction."""
        self.set_state(whole[: self.memory.layout.state_size])
        self.memory.whole_state[:] = whole
        self.memory.set_anchors(anchors)

    def jacobians(self, state: Vector, values: Values) -> tuple[Jacobians, Vector]:
        """Return the Jacobians, and q, of any state, maybe a past one with other values."""
        q = self._coordinates.q(state, values)
        if self._jacobians is None or self._jacobians.values is not values:
            self._jacobians = Jacobians(self.dynamics.with_values(values))
        return self._jacobians, q

    def write_joint_mobilities(self) -> None:
        """Write the mobilities of joints in this state, which limit the length of a substep."""
        rows = self.memory.image['joints']
        if len(rows) and not self.memory.is_implicit:
            rows['mobility'] = self.joint_mobilities(*self.coordinates())

    def joint_mobilities(self, q: Vector, u: Vector) -> Vector:
        """Return the mobilities of joints in any state [1/(kg m^2) or 1/kg]."""
        starts = {place: i for i, place in self.memory.layout.state_of_u.items()}
        speeds = [starts[place] for place in self.memory.image['joints']['u'].tolist()]
        return np.array(self.dynamics.mobilities(q, u, speeds))


def _reader(state: Vector, places: Selection | None) -> Callable[[], Vector] | None:
    """Return what copies the numbers at some places of the state; None: they have none."""
    if isinstance(places, slice):
        return state[places].copy
    if places is None:
        return None
    indices = np.array(places, dtype=int)
    return lambda: state[indices]


def _com(body: Body, values: Values) -> tuple[float, float, float]:
    """Return the centre of mass of a body in its own frame [m]."""
    x, y, z = evaluate_all(body.com, values)
    return x, y, z
