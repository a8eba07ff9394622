"""Simulation of a model: the public interface."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
import copy
from ctypes import ArgumentError
from functools import partial
import hashlib
import logging
from pathlib import Path
import struct
import time
from typing import Any, TYPE_CHECKING

from numpy.typing import ArrayLike

from symcontact_ros.collision.detection import AnyPair, detection_of
from symcontact_ros.errors import DivergenceError, no_such, OptionError
from symcontact_ros.model.description import Description
from symcontact_ros.model.including.regrouping import with_part, without_bodies
from symcontact_ros.model.joint_stops import moved_starts
from symcontact_ros.model.library import load_part
from symcontact_ros.model.model import check_model, Model
from symcontact_ros.model.ordinary_files import read_ordinary
from symcontact_ros.model.progress import Progress, report_progress
from symcontact_ros.simulation.integrator_choice import (
    check_integrator,
    integrator_words,
    resolved_integrator,
)
from symcontact_ros.simulation.observing.energy import Energy
from symcontact_ros.simulation.observing.initial_overlaps import check_overlaps
from symcontact_ros.simulation.observing.momentum import Momentum
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.observing.pair_records import PairRecord
from symcontact_ros.simulation.observing.trust import Trust, trust_of
from symcontact_ros.simulation.options import (
    CHANGEABLE,
    check_count,
    check_options,
    check_state_values,
    check_step_size,
    check_values,
    fixed_step_integrator,
    MAX_DEPTH_RATIO,
    MAX_EXCEEDED_STEPS,
    MAX_RESIDUAL,
    MAX_SUBSTEPS,
    plain_options,
    write_guards,
    write_options,
)
from symcontact_ros.simulation.public_members import CHANGED, guarded_members
from symcontact_ros.simulation.saving.atomic_file import write_file
from symcontact_ros.simulation.saving.carrying import carry
from symcontact_ros.simulation.saving.state_arrays import (
    anchor_array,
    restore_arrays,
    state_arrays,
    state_sizes,
)
from symcontact_ros.simulation.saving.state_bytes import (
    fingerprint_of,
    from_bytes,
    most_bytes,
    to_bytes,
)
from symcontact_ros.simulation.simulation_parts import Parts
from symcontact_ros.simulation.step.divergence import (
    diverged_body,
    divergence_message,
    is_finite,
    return_to_last_good,
    settle,
)
from symcontact_ros.simulation.step.pieces import Pieces
from symcontact_ros.simulation.step.reference_integrator import advance_by_reference
from symcontact_ros.simulation.step.stiff_joints import stiff_joint
from symcontact_ros.simulation.step.unsound import unsound_message
from symcontact_ros.simulation.world.exclusive import alone, busy
from symcontact_ros.simulation.world.guard_records import SOUND
from symcontact_ros.simulation.world.start_overlaps import body_pairs
from symcontact_ros.types import (
    Contact,
    GroundReaction,
    Pose,
    Proximity,
    Reading,
    Snapshot,
    Twist,
    Vector,
    whole_number,
    Wrench,
)

if TYPE_CHECKING:
    from symcontact_ros.simulation.observing.cross_check import CrossCheck
    from symcontact_ros.simulation.step.compiled_steps import CompiledSteps
    from symcontact_ros.simulation.world.applied_loads import AppliedLoads
    from symcontact_ros.simulation.world.live_model import LiveModel

_log = logging.getLogger(__name__)


def at_hand(parts: Parts) -> dict[str, Any]:
    """Return parts of a simulation as it has them: each look-up counts in control loops."""
    return {
        'parts': parts,
        '_compiled': parts.compiled_steps,
        '_live': parts.live,
        '_loads': parts.loads,
        '_lock': parts.live.memory.lock,
    }


@guarded_members(
    but=(
        *('step', 'q', 'set_effort'),  # by hand
        *('time', 'pairs', 'excluded_pairs', 'kernels_for', 'prepared', 'settings'),
    )
)
class Simulation:
    """
    A model, its state, and the loop that advances it.

    Parameters
    ----------
    model
        What to simulate.
    detector
        Collision detection; ``'sat'``: separating axes, closed forms, GJK: exact; ``'co'``:
        convex programs, which say in `counters` where the exact method had to help. None: the
        model's own, else ``'sat'``.
    integrator
        ``'rk4'`` (order 4), ``'verlet'`` (2) or ``'semi_implicit'`` (1), which keep angular
        momentum to rounding; ``'implicit'`` (1), which is stable with any stiffness, and
        ``'implicit2'`` (2), which resolves impacts; or ``'reference'``: SciPy's DOP853 with
        tight tolerances; ``'auto'`` chooses by the model (`used_integrator` has the choice).
        None: the model's own, else ``'auto'``.
    step_size
        Fixed step [s]; None: the model's own, else 1 ms.
    max_substeps
        Into how many substeps a step may be divided while stiff contacts last; 1: never.
    manifold
        ``'shared'``: all contact points of a pair share its stiffness; ``'single'``: the deepest
        one has all of it, as in the paper.
    proximity_range
        Pairs whose boxes are nearer than this are reported by `proximities` [m].
    co
        Options of ``detector='co'``: ``program`` (auto, min_distance, growth), ``solver``
        (builtin, ecos, cvxpy), ``core_radius`` and ``margin`` [m]; see docs/collision.md.
    max_residual
        DivergenceError where the energy balance is open by more than this part of the energy
        throughput since the state was set last (10 times as much with ``'verlet'``, 50 times with
        ``'semi_implicit'``, of lower order); looked at in every 100th step and at the end of every
        call of `step`. 0: never.
    max_depth_ratio
        DivergenceError where a contact is deeper than this part of how thick the thinner body is:
        of the smallest extent of its thickest shape, or of the shape itself where it is fixed to
        the world. 0: never.
    max_exceeded_steps
        DivergenceError where more steps in a row needed more substeps than ``max_substeps``, by so
        much that the integrator is not stable; without substeps, or with 0: never.
    seed
        Of the noise of sensors.
    progress
        Called with progress messages.
    checked
        Whether overlaps at the start are told, or refused where the model does so.
    kernels
        For models whose bodies change, see `kernels_for`; None: those of its pairs alone.

    Attributes
    ----------
    detector, integrator, step_size
        The settings in force.
    co, max_substeps, manifold, max_residual, max_depth_ratio, max_exceeded_steps
        The options in force; `configure` changes them.
    used_integrator
        The integrator that makes the steps: ``integrator``, or what ``'auto'`` has chosen.

    """

    detector: str
    co: Mapping[str, object]
    integrator: str
    max_substeps: int
    manifold: str
    max_residual: float
    max_depth_ratio: float
    max_exceeded_steps: float
    parts: Parts  # for tests and tools; not part of the interface
    _compiled: CompiledSteps
    _live: LiveModel
    _lock: Any
    _loads: AppliedLoads

    def __init__(
        self,
        model: Model,
        detector: str | None = None,
        integrator: str | None = None,
        step_size: float | None = None,
        *,
        max_substeps: int = MAX_SUBSTEPS,
        manifold: str = 'shared',
        proximity_range: float = 0.5,
        co: Mapping[str, object] | None = None,
        max_residual: float = MAX_RESIDUAL,
        max_depth_ratio: float = MAX_DEPTH_RATIO,
        max_exceeded_steps: float = MAX_EXCEEDED_STEPS,
        seed: int = 0,
        progress: Progress = report_progress,
        checked: bool = True,
        kernels: Sequence[AnyPair] | None = None,
    ) -> None:
        check_model(model)
        self.model = model
        self._contents = model.contents  # another one: it has been changed since
        run = model.run_settings(detector, integrator, step_size)
        given = plain_options(
            {
                'detector': run.detector,
                'integrator': run.integrator,
                'co': {} if co is None else co,
                'max_substeps': max_substeps,
                'manifold': manifold,
                'proximity_range': proximity_range,
                'max_residual': max_residual,
                'max_depth_ratio': max_depth_ratio,
                'max_exceeded_steps': max_exceeded_steps,
            }
        )
        sizes = plain_options({'step_size': run.step_size, 'seed': seed})
        self.step_size: float = sizes['step_size']
        self.steps = 0  # since the start
        self.seed: int = sizes['seed']  # of the noise of sensors
        whole_number('seed', self.seed, 0, 2**63 - 1)
        check_step_size(self.step_size)
        check_options(given)
        proximity_range = given.pop('proximity_range')
        self._set(given)
        self.used_integrator = resolved_integrator(model, self.integrator, self.step_size)
        check_integrator(model, self.used_integrator, self.step_size)
        detection = detection_of(model.dimension, self.detector, self.co)
        kind = fixed_step_integrator(self.used_integrator)
        parts = Parts(model, detection, kind, self.step_size, proximity_range, progress, kernels)
        for name, part in at_hand(parts).items():
            setattr(self, name, part)  # `__dict__` is not used: after it all look-ups are slower
        self._pieces = Pieces()
        self._alerts = 0  # that warnings were given of
        self._warned: set[str] = set()
        self._marked: tuple[Description | None, float, str] = (None, 0.0, '')
        self._apply_options()
        self.reset()
        if checked and (note := body_pairs(model).note()):
            _log.warning('%s: %s', model.name, note)
        if checked:
            self.check_start()

    def __repr__(self) -> str:
        return (
            f'<Simulation of {self.model.summary()}; at {self.time:.6g} s, '
            f'steps of {1e3 * self.step_size:g} ms, '
            f'{integrator_words(self.integrator, self.used_integrator)}, {self.detector}>'
        )

    @alone
    def __copy__(self) -> Simulation:
        """
        Return an independent simulation of the same model: the same state, options and loads.

        Both go on bit for bit alike, and neither touches the other. Compiled code is shared.
        """
        other = type(self).__new__(type(self))
        own = {'co': dict(self.co), '_pieces': Pieces(), '_warned': {*self._warned}}
        other.__dict__.update(self.__dict__, **own, **at_hand(copy.copy(self.parts)))
        return other

    def __getstate__(self) -> dict[str, Any]:
        """Return what `pickle` stores: model, options and `save_state`; no memory as it is."""
        return {
            'model': self.model,
            'options': {name: getattr(self, name) for name in (*CHANGEABLE, 'step_size', 'seed')},
            'state': self.save_state(),
        }

    def __setstate__(self, stored: Mapping[str, Any]) -> None:
        """Build the simulation anew, and go to its state."""
        self.__init__(stored['model'], **stored['options'])  # type: ignore[misc]
        self.restore_state(stored['state'])

    def configure(self, parameters: Mapping[str, float] | None = None, **options: object) -> None:
        """
        Change how the next steps are made, and live symbols; the coordinates stay.

        OptionError lists all invalid options; then nothing has changed.

        Parameters
        ----------
        parameters
            Values of live symbols.
        options
            ``detector``, ``co``, ``integrator``, ``max_substeps``, ``manifold``,
            ``proximity_range``, ``max_residual``, ``max_depth_ratio`` and ``max_exceeded_steps``,
            as for a new simulation: None is the model's own detector or integrator.
        """
        unknown = [name for name in options if name not in CHANGEABLE]
        if unknown:
            wrong = (str(no_such('option to change', name, CHANGEABLE)) for name in unknown)
            raise OptionError('; '.join(wrong))
        own = self.model.run_settings()
        for name in ('detector', 'integrator'):
            if name in options and options[name] is None:
                options[name] = getattr(own, name)
        options = plain_options(options)
        wanted = {name: getattr(self, name) for name in CHANGEABLE} | options
        check_options(wanted)
        detection = detection_of(self.model.dimension, wanted['detector'], wanted['co'])
        check_values(self.model, parameters or {})
        check_integrator(self.model, str(wanted['integrator']), self.step_size)
        memory = self.parts.live.memory
        if parameters or detection != memory.detection:
            self.parts.changes.configure(parameters or {}, detection)
        if any(getattr(self, name) != value for name, value in options.items()):
            self._set(options)
            if 'integrator' in options:
                self.used_integrator = resolved_integrator(
                    self.model, self.integrator, self.step_size
                )
            self._apply_options()
            memory.forget()

    def _set(self, options: Mapping[str, Any]) -> None:
        """Take options that are checked."""
        for name, value in options.items():
            setattr(self, name, value)

    def _apply_options(self) -> None:
        write_options(
            self.parts.live.memory.world,
            self.used_integrator,
            self.step_size,
            self.max_substeps,
            self.manifold,
        )
        write_guards(
            self.parts.live.memory.world,
            self.used_integrator,
            self.max_residual,
            self.max_depth_ratio,
            self.max_exceeded_steps,
        )
        self.parts.live.memory.drop_start()
        self._compiled.use_integrator(fixed_step_integrator(self.used_integrator))
        self.parts.live.write_joint_mobilities()

    @property
    def proximity_range(self) -> float:
        """Pairs whose boxes are nearer than this are reported by `proximities` [m]."""
        return self.parts.inspection.proximity_range

    @proximity_range.setter
    def proximity_range(self, value: float) -> None:
        check_options({**self.settings, 'proximity_range': value})
        self.parts.inspection.proximity_range = value

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names (a, b) of the bodies that may touch, a < b, in alphabetical order."""
        return self.parts.live.memory.layout.body_pairs

    @property
    def excluded_pairs(self) -> tuple[tuple[str, str], ...]:
        """Pairs that `exclude`, `self_collision` or overlaps at the start leave out of `pairs`."""
        return tuple(sorted(body_pairs(self.model).excluded))

    # State --------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step_size

    @property
    def q(self) -> Vector:
        """Coordinates, joint by joint: docs/models.md has their order."""
        # Guarded by hand as `step` is, for control loops.
        if self.model.contents is not self._contents:
            raise OptionError(CHANGED)
        lock, live = self._lock, self._live
        if not lock.acquire(False):
            raise busy('q')
        try:
            return live.q()
        finally:
            lock.release()

    @property
    def u(self) -> Vector:
        """Speeds, joint by joint."""
        return self.parts.live.u()

    def set_state(
        self,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        keep_anchors: bool = False,
    ) -> None:
        """
        Set coordinates and speeds, or one of them; quaternions are made unit.

        Friction that sticks lets go of everything, as if all had been lifted and put there.
        ``keep_anchors``: it holds what it held, as the anchors were stretched before.
        """
        self.parts.changes.set_state(q, u, keep_anchors)

    def reset(self, q: ArrayLike | None = None, u: ArrayLike | None = None) -> None:
        """
        Go back to the initial state and to time 0; applied loads are cleared.

        Servos with a target in the model hold it again. Coordinates and speeds, or one of them,
        may be given to start from instead: nothing is counted as work, unlike with `set_state`.
        OptionError, and no change, unless they are finite.
        """
        live = self.parts.live
        given = q is not None or u is not None
        start = self.parts.changes.start_at(q, u) if given else None
        self.steps = 0
        self._alerts = 0
        if not live.memory.return_to_start():
            live.memory.clear_counters()
            live.memory.whole_state[:] = 0.0
            live.set_state(live.start_state())
            self.parts.loads.clear()
            live.memory.keep_start()
        if start is not None:
            live.set_state(start)
        self.parts.energy.restart(at_start=start is None)

    def save_state(self) -> bytes:
        """
        Return all that the next steps depend on, for `restore_state`.

        They are the same bit for bit in a simulation with the same options.
        """
        arrays = state_arrays(self.parts.live, self.parts.energy, self.steps)
        return to_bytes(self._fingerprint(), arrays)

    def restore_state(self, data: bytes) -> None:
        """Go back to a saved state; OptionError, and no change, if it is none of this model."""
        arrays = from_bytes(self._fingerprint(), data, state_sizes(self.parts.live))
        check = partial(check_state_values, self.model)
        self.steps = restore_arrays(self.parts.live, self.parts.energy, arrays, check)

    def _fingerprint(self) -> str:
        """Return the mark of saved states, found once for a description of the model."""
        description, step_size, mark = self._marked
        if description is not self.model.contents or step_size != self.step_size:
            mark = fingerprint_of(self.model, self.step_size)
            self._marked = self.model.contents, self.step_size, mark
        return mark

    def save_checkpoint(self, path: str | Path) -> None:
        """Write `save_state` to a file, whole or not at all."""
        write_file(path, self.save_state())

    def restore_checkpoint(self, path: str | Path) -> None:
        """Go back to a state in a file; OptionError, and no change, if there is none in it."""
        most = most_bytes(state_sizes(self.parts.live))
        try:
            data = read_ordinary(Path(path), most)
        except ValueError as error:
            raise OptionError(f'{path}: {error}') from error
        self.restore_state(data)

    def state_hash(self) -> str:
        """Return a hash of time and state: equal for runs that are equal bit for bit."""
        digest = hashlib.sha256(struct.pack('<q', self.steps))
        digest.update(self.parts.live.memory.whole_state.tobytes())
        if self.parts.live.memory.layout.sticks:
            digest.update(anchor_array(self.parts.live).tobytes())
        return digest.hexdigest()

    # Bodies -------------------------------------------------------------------------------------

    def add(self, model: Model | str | Path, pose: Any = None, prefix: str = '') -> None:
        """
        Add all bodies of another model, in their initial state; all others go on as they are.

        `model` is then the whole. Observers and cross checks of before see nothing of it: make
        new ones. The energy that comes in is ``work_in``. OptionError or ModelError with all that
        does not fit; then nothing has changed.

        Parameters
        ----------
        model
            What is added: a model, or the name or path of one, or of a world such as 'floor'.
        pose
            Where it is: a ``Pose``, ``{'position': .., 'rpy': ..}``, or x, y, z and maybe roll,
            pitch, yaw [m, rad]; None: where its file puts it.
        prefix
            Of all its names, so that a model can be added several times.
        """
        part = model if isinstance(model, Model) else load_part(model)
        self.exchange(self.prepared(with_part(self.model, part, pose, prefix)))

    def remove(self, names: str | Sequence[str]) -> None:
        """
        Remove bodies, and what hangs on them; all others go on as they are.

        Their energy leaves as negative ``work_in``. Materials, live symbols and sensors go where
        nothing else uses them.

        Parameters
        ----------
        names
            Names of bodies, or the prefixes with which they were added; or one of them.
        """
        self.exchange(self.prepared(without_bodies(self.model, names)))

    def kernels_for(self, model: Model) -> list[AnyPair]:
        """
        Return the kernels of pairs that can stay in use with another model.

        If they do not suffice, a model in the place of this one has also those for a second
        instance of whatever moves in it, so that nothing is compiled when that comes.
        """
        kind = resolved_integrator(model, self.integrator, self.step_size)
        return self.parts.live.memory.layout.pairs if kind == self.used_integrator else []

    def prepared(
        self,
        model: Model,
        progress: Progress = report_progress,
        kernels: Sequence[AnyPair] | None = None,
    ) -> Simulation:
        """
        Return a simulation of another model with the options of this one, for `exchange`.

        It takes most of the time of an exchange, and another thread may do it meanwhile.
        """
        given = {**self.settings, 'seed': self.seed, 'progress': progress}
        known = self.kernels_for(model) if kernels is None else kernels
        return Simulation(model, **given, checked=False, kernels=known)

    @property
    def settings(self) -> dict[str, Any]:
        """All options in force, as a new simulation takes them, but the seed."""
        found = {name: getattr(self, name) for name in CHANGEABLE if name != 'proximity_range'}
        own = {'proximity_range': self.parts.inspection.proximity_range}
        return {**found, **own, 'step_size': self.step_size}

    def exchange(self, other: Simulation, keep: bool = True) -> None:
        """
        Take the model of another simulation; what both have goes on as it is in this one.

        Bodies, joints and live symbols are the same by name. OptionError changes nothing.

        Parameters
        ----------
        other
            One that this one has `prepared`; it is used up.
        keep
            Whether anything goes on; False: all is at the start, at time 0.
        """
        if other.step_size != self.step_size or other.parts is self.parts:
            raise OptionError('exchange: the other simulation must be one that was `prepared`')
        options = {name: getattr(self, name) for name in CHANGEABLE}
        other.configure(**{n: v for n, v in options.items() if getattr(other, n) != v})
        parts, energy = other.parts, self.parts.energy
        known: set[str] = set()
        if keep:
            known.update(self.model.body_names)
            before = energy.mechanical()
            carry(self.parts.live, parts.live)
            parts.energy.start = energy.start
            parts.energy.book(before, parts.energy.mechanical())
        check_overlaps(parts.live.memory, _records_of_others(parts.reports.records(0.0), known))
        if other.used_integrator != self.used_integrator:
            made = integrator_words(self.integrator, other.used_integrator)
            _log.warning('the integrator is %s now', made)
        # From here on nothing can fail.
        if not keep:
            self.steps = self._alerts = 0
        taken = ('used_integrator', 'model', '_contents')
        found = {name: getattr(other, name) for name in taken} | at_hand(parts)
        for name, value in found.items():
            setattr(self, name, value)

    # Live symbols and loads ---------------------------------------------------------------------

    @property
    def parameters(self) -> dict[str, float]:
        """The live symbols and their values now."""
        return dict(self.parts.live.values)

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
        arrays = self.parts.reports.arrays
        self.parts.loads.set_wrench(body, force, torque, point, arrays.centre)

    def clear_wrenches(self) -> None:
        """Take all applied wrenches away."""
        self.parts.loads.clear_wrenches()

    def set_effort(self, joint: str, value: float) -> None:
        """
        Apply a torque [N m] or force [N] to a joint of one degree of freedom, until changed.

        On a joint that mimics another one, ``multiplier * value`` acts on that one, in place of
        what was set there before.
        """
        # Guarded by hand as `step` is, for control loops.
        if self.model.contents is not self._contents:
            raise OptionError(CHANGED)
        lock, loads = self._lock, self._loads
        if not lock.acquire(False):
            raise busy('set_effort')
        try:
            loads.set_effort(joint, value)
        finally:
            lock.release()

    def set_target(
        self, joint: str, position: float | None = None, velocity: float | None = None
    ) -> None:
        """
        Let the servo of a joint follow a position [rad or m] and a velocity, or neither.

        A position beyond the limits of the joint is taken, since the stop holds it; the first one
        is logged.
        """
        loads, reason = self.parts.loads, f'target of {joint}'
        loads.set_target(joint, position, velocity)
        if position is None or reason in self._warned:
            return
        if text := loads.beyond_limits(joint, position):
            self._warned.add(reason)
            _log.warning('%s: the stop will hold it', text)

    def release(self, joint: str) -> None:
        """End the command of a joint: one that its model holds stays, others are let go."""
        self.parts.loads.release(joint)

    @property
    def servo_gains(self) -> dict[str, tuple[float, float]]:
        """Gains kp [N m/rad or N/m] and kd [N m s/rad or N s/m] of every servo now, by joint."""
        return self.parts.reports.servo_gains()

    # Stepping -----------------------------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """
        Advance by count steps.

        DivergenceError leaves the state before the one that is not finite; where the run is finite
        but not sound (``max_residual`` and others), that in which this was seen. Ctrl-C ends it
        after a whole step.
        """
        lock = self._lock
        if not lock.acquire(False):
            raise busy('step')
        try:
            if type(count) is int and count == 1 and self.used_integrator != 'reference':
                self._advance(count)
            else:
                self._advance_all(check_count(count, self.steps))
        finally:
            lock.release()

    def _advance_all(self, count: int) -> None:
        """Advance by a number of steps that is checked, in pieces between which signals act."""
        if self.used_integrator == 'reference':
            with self.parts.live.unchanged_on_error():
                advance_by_reference(self.parts.live.memory, self._compiled, count)
            self.steps += count
            self._check_soundness()
            return
        end, pieces, compiled = self.steps + count, self._pieces, self._compiled
        try:
            while self.steps < end:
                piece = min(pieces.size, end - self.steps)
                compiled.go_on(self.steps + piece < end)
                began = time.perf_counter()
                self._advance(piece)
                pieces.observe(piece, time.perf_counter() - began)
        finally:
            compiled.go_on(False)

    def _advance(self, count: int) -> None:
        """Advance by a number of steps in one compiled call."""
        if self.model.contents is not self._contents:
            raise OptionError(CHANGED)
        compiled = self._compiled  # looked up once: it counts in control loops
        try:
            made = compiled.advance(count)
        except (ArgumentError, TypeError):
            check_count(count, self.steps)  # only here, so that a valid count costs nothing
            raise
        except BaseException:  # Ctrl-C, for example
            self.steps += settle(self.parts.live, self._compiled)
            raise
        if made != count:
            raise self._divergence(made)
        self.steps += made
        if compiled.alerts[0] != self._alerts:
            self._warn()

    def _check_soundness(self) -> None:
        """Raise DivergenceError where a guard has seen something; the state is kept."""
        if self.parts.live.memory.world.guard.reason != SOUND:
            self.parts.live.memory.world.stops += 1
            raise DivergenceError(unsound_message(self.parts.live, self.time, self.proximities()))

    def _divergence(self, made: int) -> DivergenceError:
        """Go back to the last good state, after a number of good steps; return the error."""
        live = self.parts.live
        live.memory.world.stops += 1
        if live.memory.world.guard.reason != SOUND and is_finite(live):
            self.steps += made + 1
            return DivergenceError(unsound_message(live, self.time, self.proximities()))
        body = diverged_body(live)
        self.steps += return_to_last_good(live, self._compiled, made)
        stiff = stiff_joint(live)
        return DivergenceError(divergence_message(body, self.time, self.proximities(), stiff))

    def _warn(self) -> None:
        """Warn of what is new, and never again of the same."""
        self._alerts = self._compiled.alerts[0]
        for reason, text in self.parts.reports.alerts(self.max_substeps).items():
            if reason not in self._warned:
                self._warned.add(reason)
                _log.warning(text)

    # Reports ------------------------------------------------------------------------------------

    @property
    def counters(self) -> dict[str, float]:
        """
        Counters since the start, or the last `reset`.

        ``substeps``: of all steps, beyond the first of each; ``exceeded_steps``: steps that needed
        more than ``max_substeps``, of which ``largest_need`` is the most; ``saturated_steps``:
        with an actuator at its limit; ``overspeed_steps``: with a joint above the limit of its
        speed (`joint_counters` has both by joint); ``queries``: of pairs of shapes;
        ``broad_phases``; ``unproven``: queries with a depth that may not be the least one;
        ``fallbacks``: queries that the exact method answered instead of a convex program, and
        these by reason; of implicit steps ``newton_steps``: minimisations, one per island and
        stage; ``newton_iterations`` in all of them, ``newton_largest`` in one;
        ``not_converged``: those that missed the tolerance; ``unresolved_substeps``: the
        shortest ones of ``'implicit2'`` that were left to order 1.
        """
        return self.parts.reports.counters()

    @property
    def joint_counters(self) -> dict[str, dict[str, int]]:
        """``saturated_steps`` and ``overspeed_steps`` of every joint that has any, by name."""
        return self.parts.reports.joint_counters()

    def trust(self) -> Trust:
        """
        Return whether the results since the start, or the last `reset`, are to be trusted.

        Not, where a guard has stopped the run, implicit steps have not converged, steps needed
        more than ``max_substeps``, or the energy balance is open by a tenth of what stops a run.
        Good is what a run cannot tell from right: see docs/explanation/guards_and_substeps.md.
        """
        return trust_of(self.parts.live.memory.world, self.parts.energy.energy())

    def snapshot(self) -> Snapshot:
        """Return everything about this instant."""
        return self.parts.reports.snapshot(self.time)

    def observer(self, often: bool = True) -> Observer:
        """Return an observer: instants as arrays, in one compiled call each."""
        return Observer(self.parts.inspection, often)

    def check_start(self) -> None:
        """Warn of starts beyond limits and of overlaps; OptionError where these are refused."""
        for text in moved_starts(self.model):
            _log.warning(text)
        check_overlaps(self.parts.live.memory, self.records(0.0))

    def records(self, margin: float) -> list[PairRecord]:
        """Return a record of every pair of shapes that is nearer than a margin [m]."""
        return self.parts.reports.records(margin)

    def poses(self) -> dict[str, Pose]:
        """Return the pose of every body's origin and of every site, by name."""
        return self.parts.reports.poses()

    def twists(self) -> dict[str, Twist]:
        """Return the velocity of every body's centre of mass by name."""
        return self.parts.reports.twists()

    @property
    def body_poses(self) -> Vector:
        """
        Poses of all bodies, in the order of ``model.body_names``: (n, 7).

        Position of the body origin [m], then the quaternion x, y, z, w with w >= 0; world axes. An
        array of its own, which no step changes.
        """
        return self.parts.reports.arrays.body_poses()

    @property
    def body_twists(self) -> Vector:
        """
        Velocities of all bodies, in the order of ``model.body_names``: (n, 6).

        Of the centre of mass [m/s], then angular [rad/s]; world axes. An array of its own, which
        no step changes.
        """
        return self.parts.reports.arrays.body_twists()

    def contacts(self) -> list[Contact]:
        """Return the points of contact with their forces on body B."""
        return self.parts.reports.contacts()

    def proximities(self) -> list[Proximity]:
        """Return closest points and signed distance of every pair of shapes that is near."""
        return [record.proximity() for record in self.records(self.proximity_range)]

    def cross_check(self, detector: str, co: Mapping[str, object] | None = None) -> CrossCheck:
        """Return another detector, for the comparison of both on the states of this simulation."""
        from symcontact_ros.simulation.observing.cross_check import CrossCheck

        detection = detection_of(self.model.dimension, detector, co)
        return CrossCheck(self.parts.reports, detection, lambda: self.time)

    def contact_wrench(self, body: str, other: str | None = None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        return self.parts.reports.contact_wrench(body, other)

    def ground_reaction(
        self, body: str | Sequence[str], ground: str | None = None
    ) -> GroundReaction:
        """
        Return what the ground does to a foot now: force, centre of pressure, free moment.

        Parameters
        ----------
        body
            Name of the foot, or names of its parts, such as heel and toe.
        ground
            Name of the body that counts as the ground, which may move, as a treadmill does;
            omitted: all bodies that are fixed to the world.
        """
        return self.parts.reports.ground_reaction(body, ground)

    def sensors(self, contacts: Iterable[Contact] | None = None) -> dict[str, Reading]:
        """
        Return what the sensors of the model measure now, by name.

        Their noise is that of this ``seed`` and this step: reading twice gives the same.

        Parameters
        ----------
        contacts
            Those of a snapshot of now, where there is one; omitted: they are found.
        """
        return self.parts.reports.sensors(contacts, self.seed, self.steps)

    def energy(self) -> Energy:
        """Return the energy ledger [J]."""
        return self.parts.energy.energy()

    def momentum(self) -> Momentum:
        """Return linear and angular momentum of all that moves, about the world origin."""
        return self.parts.reports.momentum()


def _records_of_others(records: list[PairRecord], known: set[str]) -> Iterator[PairRecord]:
    """Yield the records of pairs with a body that is none of the known ones."""
    for record in records:
        near = record.proximity()
        if not {near.body_a, near.body_b} <= known:
            yield record
