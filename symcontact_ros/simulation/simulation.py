"""A model in motion."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import ArgumentError
import hashlib
import logging
from pathlib import Path
import struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.collision.detection import Detection, detection_of
from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.model.model import check_model, Model
from symcontact_ros.simulation.equations.initial_state import initial_state, normalise
from symcontact_ros.simulation.equations.templates import Progress, tell
from symcontact_ros.simulation.observing.initial_overlaps import check_start
from symcontact_ros.simulation.observing.observation import Observed
from symcontact_ros.simulation.options import (
    CHANGEABLE,
    check_count,
    check_limits,
    check_options,
    check_step_size,
    check_values,
    write_options,
)
from symcontact_ros.simulation.saving import saved_state as saving
from symcontact_ros.simulation.step.divergence import divergence
from symcontact_ros.simulation.step.reference import advance as advance_reference
from symcontact_ros.simulation.step.stepper import Loop, Survey
from symcontact_ros.simulation.world.applied_loads import Loads
from symcontact_ros.types import finite_numbers, Vector, vector

_log = logging.getLogger(__name__)


class Simulation(Observed):
    """
    A model, its state, and the loop that advances it.

    Parameters
    ----------
    model
        What to simulate.
    detector
        Collision detection; ``'sat'``: separating axes, closed forms, GJK: exact; ``'co'``:
        convex programs, which say in `counters` where the exact method had to help.
    integrator
        ``'rk4'`` (order 4), ``'verlet'`` (2) or ``'semi_implicit'`` (1), which keep angular
        momentum to rounding, or ``'reference'``: SciPy's DOP853 with tight tolerances.
    step_size
        Fixed step [s].
    max_substeps
        Into how many parts a step may be cut while stiff contacts last; 1: never.
    manifold
        ``'shared'``: all contact points of a pair share its stiffness; ``'single'``: the deepest
        one has all of it, as in the paper.
    proximity_range
        Pairs whose boxes are nearer than this are told by `proximities` [m].
    co
        Options of ``detector='co'``: ``program`` (auto, min_distance, growth), ``solver``
        (builtin, ecos, cvxpy), ``core_radius`` and ``margin`` [m]; see docs/collision.md.
    progress
        Called with a word on what takes its time.

    """

    def __init__(
        self,
        model: Model,
        detector: str = 'sat',
        integrator: str = 'rk4',
        step_size: float = 1e-3,
        *,
        max_substeps: int = 64,
        manifold: str = 'shared',
        proximity_range: float = 0.5,
        co: Mapping[str, object] | None = None,
        progress: Progress = tell,
    ) -> None:
        check_model(model)
        self.detector = detector
        self.co: Mapping[str, object] = {} if co is None else co
        self.integrator = integrator
        self.max_substeps = max_substeps
        self.manifold = manifold
        self.proximity_range = proximity_range
        check_step_size(step_size)
        check_options({name: getattr(self, name) for name in CHANGEABLE})
        self.co = dict(self.co)
        super().__init__(model, detection_of(model.dimension, detector, co), step_size)
        self._progress = progress
        self._cache = Cache()
        self._build(self._cache, progress)
        self._loads = Loads(model, self._tables)
        self._make_loop()
        self._warned = False
        self.reset()
        check_start(self)

    def __repr__(self) -> str:
        return (
            f'<Simulation of {self.model.summary()}; at {self.time:.6g} s, '
            f'steps of {1e3 * self.step_size:g} ms, {self.integrator}, {self.detector}>'
        )

    def configure(self, parameters: Mapping[str, float] | None = None, **options: object) -> None:
        """
        Change how the next steps are made, and live symbols; the coordinates stay.

        OptionError tells all that cannot be, and then nothing has changed.

        Parameters
        ----------
        parameters
            Values of live symbols.
        options
            ``detector``, ``co``, ``integrator``, ``max_substeps``, ``manifold`` and
            ``proximity_range``, as for a new simulation.
        """
        unknown = [name for name in options if name not in CHANGEABLE]
        if unknown:
            wrong = (str(no_such('option to change', name, CHANGEABLE)) for name in unknown)
            raise OptionError('; '.join(wrong))
        wanted: dict[str, Any] = {name: getattr(self, name) for name in CHANGEABLE}
        wanted |= options
        check_options(wanted)
        detection = detection_of(self.model.dimension, wanted['detector'], wanted['co'])
        check_values(self.model, parameters or {})
        if parameters or detection != self._detection:
            self._change(parameters or {}, detection)
        if any(getattr(self, name) != value for name, value in options.items()):
            vars(self).update(options)
            self._make_loop()
            self._tables.forget()

    def _change(self, parameters: Mapping[str, float], detection: Detection) -> None:
        """Take values of live symbols and a detection, or neither."""
        changed = {**self._values, **{name: float(value) for name, value in parameters.items()}}
        before = self._mechanical()
        old = self._values, self._detection, self._whole.copy()
        q, u = self._coordinates.coordinates(self._state, self._values)
        try:
            check_limits(self.model, changed)
            self._use(changed, detection)
            self._put(self._coordinates.state(q, u, changed))  # momenta follow masses
            self._book_change(before)
        except (ValueError, ArithmeticError) as error:  # a formula without a value, for example
            self._use(*old[:2])
            self._put_back(old[2])
            names = ', '.join(parameters)
            raise OptionError(f'{names}: {error}' if names else str(error)) from error

    def _use(self, values: dict[str, float], detection: Detection) -> None:
        """Take values and detection everywhere; ValueError where they make no model."""
        self._dynamics.set_values(values)
        self._tables.use_detection(detection, values)
        self._loop.use_tables()
        self._values = values
        if '_observer' in vars(self):
            self._observer.refresh()
        if detection != self._detection:
            self._detection = detection
            self._survey = Survey(self._tables, self._cache, self._survey.spent)
            self._make_loop()

    def _make_loop(self) -> None:
        write_options(self)
        kind = 'rk4' if self.integrator == 'reference' else self.integrator
        self._loop = Loop(self._tables, kind, self._cache, self._progress)

    # State --------------------------------------------------------------------------------------

    def set_state(self, q: ArrayLike | None = None, u: ArrayLike | None = None) -> None:
        """Set coordinates and speeds, or one of them; quaternions are made unit."""
        parts = list(self._coordinates.coordinates(self._state, self._values))
        for i, (name, values) in enumerate((('q', q), ('u', u))):
            if values is not None:
                parts[i] = finite_numbers(name, values, len(parts[i]))
        before, old = self._mechanical(), self._whole.copy()
        normalise(self.model, parts[0])
        self._put(self._coordinates.state(parts[0], parts[1], self._values))
        try:
            self._book_change(before)
        except ValueError as error:
            self._put_back(old)
            raise OptionError(f'q and u: {error}') from error

    def _put(self, state: Vector) -> None:
        self._state[:] = state
        self._image['stage'][:] = state
        self._image['sums'][:] = 0.0  # where a run that diverged may have left what is no number
        self._tables.forget()
        self._weigh_joints()

    def _put_back(self, whole: Vector) -> None:
        """Go back to a state with its ledger."""
        self._whole[:] = whole
        self._put(self._state)

    def _weigh_joints(self) -> None:
        """Note how easily joints move: how stiff they may be for the step size."""
        rows = self._image['joints']
        if len(rows):
            q, u = self._coordinates.coordinates(self._state, self._values)
            starts = {place: i for i, place in self._tables.state_of_u.items()}
            speeds = [starts[place] for place in rows['u'].tolist()]
            rows['mobility'] = self._dynamics.mobilities(q, u, speeds)

    def reset(self) -> None:
        """Go back to the initial state and to time 0; applied loads are cleared."""
        self.steps = 0
        self._tables.clear_counters()
        self._whole[:] = 0.0
        self._loads.clear()
        self._put(self._coordinates.state(*initial_state(self.model, self._values), self._values))
        self._start = None
        self._first = self._state.copy()

    def save_state(self) -> bytes:
        """
        Return all that the next steps depend on, for `restore_state`.

        They are the same bit for bit in a simulation with the same options.
        """
        return saving.saved(self)

    def restore_state(self, data: bytes) -> None:
        """Go back to a saved state; OptionError if it is not one of this simulation."""
        saving.restore(self, data)

    def save_checkpoint(self, path: str | Path) -> None:
        """Write `save_state` to a file, whole or not at all."""
        saving.write_file(path, self.save_state())

    def restore_checkpoint(self, path: str | Path) -> None:
        """Go back to a state in a file."""
        self.restore_state(Path(path).read_bytes())

    def state_hash(self) -> str:
        """Return a hash of time and state: equal for runs that are equal bit for bit."""
        digest = hashlib.sha256(struct.pack('<q', self.steps))
        digest.update(self._whole.tobytes())
        return digest.hexdigest()

    # Live symbols and loads ---------------------------------------------------------------------

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Change live symbols; the next step uses them. OptionError changes nothing."""
        self.configure(parameters=values)

    def set_wrench(
        self,
        body: str,
        force: ArrayLike = (0.0, 0.0, 0.0),
        torque: ArrayLike = (0.0, 0.0, 0.0),
        point: ArrayLike | None = None,
    ) -> None:
        """
        Apply a force [N] and a torque [N m] to a body, world axes, until changed.

        The force acts at the centre of mass; a point of the world [m] gives it the lever that it
        has now, and that is kept.
        """
        levered = point is not None and body in self.model.body_names
        centre = self._bodies()[body].com if levered else (0.0, 0.0, 0.0)
        self._loads.set_wrench(body, force, torque, point, vector(centre))

    def clear_wrenches(self) -> None:
        """Take all applied wrenches away."""
        self._loads.clear_wrenches()

    def set_effort(self, joint: str, value: float) -> None:
        """Apply a torque [N m] or force [N] to a joint of one degree of freedom, until changed."""
        self._loads.set_effort(joint, value)

    def set_target(
        self, joint: str, position: float | None = None, velocity: float | None = None
    ) -> None:
        """Let the servo of a joint follow a position [rad or m] and a velocity, or neither."""
        self._loads.set_target(joint, position, velocity, self._values)

    # Stepping -----------------------------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """Advance by count steps; DivergenceError leaves the state before the bad one."""
        if self.integrator == 'reference':
            check_count(count)
            advance_reference(self, count)
            return
        before = self._loop.state.copy()
        try:
            made = self._loop(count)
        except (ArgumentError, TypeError):
            check_count(count)  # here, so that good ones cost nothing
            raise
        if made != count:
            check_count(count)
            made = self._resume(count, made, before)
        self.steps += made
        if not self._warned and self._loop.exceeded:
            self._warn()

    def _resume(self, count: int, made: int, before: Vector) -> int:
        """Go on where steps ended early; return how many were made in the end."""
        while made < count:
            near = self._tables.world.near_count
            if near <= len(self._image['near']):
                raise divergence(self, made, before)
            self._tables.make_room(near)
            self._loop.use_tables()
            made += self._loop(count - made)
        return made

    def _warn(self) -> None:
        self._warned = True
        _log.warning(
            'contacts or joints ask for steps in %g parts, max_substeps allows %d: make step_size '
            'smaller',
            np.ceil(self._tables.world.largest_need),
            self.max_substeps,
        )

    def _book_change(self, before: tuple[float, float]) -> None:
        """Book what a change from outside did to the energy as work; ValueError: it has none."""
        after = self._mechanical()
        if not np.isfinite(after).all():
            raise ValueError('the energy would be no finite number')
        ledger = self._tables.world.ledger
        ledger.work_in += after[0] - before[0]
        ledger.stored_in_contact += after[1] - before[1]
