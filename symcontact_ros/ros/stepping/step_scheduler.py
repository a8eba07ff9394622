"""
Scheduling of steps: by the wall clock, as fast as possible, in lockstep, or by request.

Independent of ROS. An audience is called at every instant to be published.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
import logging
import math
from pathlib import Path
import threading
import time
from typing import Protocol

from symcontact_ros.errors import DivergenceError, OptionError, SymcontactError
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.lockstep import Lockstep
from symcontact_ros.ros.stepping.pacing import Pacer, Run
from symcontact_ros.ros.stepping.snapshots import Snapshots
from symcontact_ros.simulation.simulation import Simulation

_log = logging.getLogger(__name__)
LONGEST_TICK = 0.1  # [s wall] of steps per tick: signals and services are handled between ticks
LONGEST_CALL = 0.02  # [s wall] of steps in one call
# [s wall] before time is set back, for subscribers to process messages with later stamps: a
# transform received after the jump of /clock stays in their buffer, and tf2 refuses all new ones.
QUIET = 0.05
MOST_STEPS = 1000  # in one call, independent of speed: the same in every run
LATEST = 2**31 - 1  # [s], 68 years: stamps of ROS count seconds in 32 bits
_TOO_LATE = f'stamps of ROS end at {LATEST} s'


class NoStampError(SymcontactError):
    """A step to a time that a stamp cannot hold."""


class Audience(Protocol):
    """Receiver of instants, at a simulated time [ns]."""

    def show_clock(self, time: int) -> None:
        """Publish the time alone."""

    def show(self, time: int) -> None:
        """Publish everything."""


class StepScheduler:
    """
    Scheduler of the steps of a simulation.

    Parameters
    ----------
    simulation, commands
        The simulation, and the commands for it.
    settings
        The node's parameters; replaced when they change.
    audience
        Called at every instant to be published.
    duration
        Simulated time at which to stop [s].
    take_commands
        Takes the commands received so far; called before what they must act on, or come before.
    interrupted
        Returns whether to make no more steps.

    """

    def __init__(
        self,
        simulation: Simulation,
        commands: Commands,
        settings: SimulationParameters,
        audience: Audience,
        duration: float,
        *,
        take_commands: Callable[[], None] = lambda: None,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.simulation = simulation
        self.duration = duration
        self.paused = settings.start_paused
        self.failure: SymcontactError | None = None
        self.lock = threading.RLock()  # held in a tick: an executor may have several threads
        self.take_commands = take_commands
        self.interrupted = interrupted
        self.pacer = Pacer(settings.step_size, settings.real_time_factor)
        self.lockstep = Lockstep(settings.lockstep_timeout) if settings.lockstep else None
        self.step_times: deque[float] = deque(maxlen=1000)  # [s wall] per step
        self.snapshots = Snapshots(simulation, commands)
        self._settings = settings
        self._commands = commands
        self._audience = audience
        self._run: Run | None = None  # after which to pause
        self._was_paused = False  # before the failure
        self._before = 0  # steps made before resets that let time go on
        self._late = -1  # instant whose late reply was reported [ns]
        self._saved = 0  # number of the step at which the state was saved last

    # Time ---------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """Steps since time 0."""
        return self._before + self.simulation.steps

    @property
    def nanoseconds(self) -> int:
        """Simulated time [ns], as on all stamps."""
        return round(self.steps * self.simulation.step_size * 1e9)

    @property
    def finished(self) -> bool:
        """Whether the duration is over, or the simulation diverged and that is to end it."""
        ends = self.failure is not None and self._settings.exit_on_divergence
        return ends or self._steps_left() <= 0

    @property
    def waiting(self) -> bool:
        """Whether the next step waits for a command."""
        return self.lockstep is not None and not self.lockstep.answered and not self.paused

    @property
    def follows_clock(self) -> bool:
        """Whether steps follow the wall clock: not paused, in lockstep or as fast as possible."""
        return not (self.paused or self.lockstep) and self._settings.real_time_factor > 0.0

    def _steps_left(self) -> float:
        if math.isinf(self.duration):
            return math.inf
        return round(self.duration / self.simulation.step_size) - self.steps

    @property
    def repeats(self) -> bool:
        """Whether the run begins anew at the duration of the model."""
        return self._settings.repeat and self.simulation.model.duration < math.inf

    def _steps_to_repeat(self) -> float:
        if not self.repeats:
            return math.inf
        simulation = self.simulation
        return round(simulation.model.duration / simulation.step_size) - simulation.steps

    def _allowed(self, count: int) -> int:
        """Return how many of some steps may be made before the end, a pause or a repetition."""
        run = count if self._run is None else self._run.left
        return int(min(count, run, self._steps_left(), self._steps_to_repeat()))

    # Requests --------------------------------------------------------------------------

    def follow(self, audience: Audience) -> None:
        """Go on with another model: states that were kept are of the one before."""
        self._audience = audience
        self.snapshots.clear()

    def configure(self, settings: SimulationParameters) -> None:
        """Set other parameters."""
        if settings.real_time_factor != self._settings.real_time_factor:
            self.pacer.factor = settings.real_time_factor
            self.pacer.restart()
        if settings.repeat and not self._settings.repeat:
            self._commands.is_used = False  # from now on
        self._settings = settings
        if self.lockstep is not None:
            self.lockstep.timeout = settings.lockstep_timeout

    def pause(self, paused: bool) -> None:
        """Pause or continue; a simulation that diverged continues only after a reset."""
        self.paused = paused or self.failure is not None
        self.pacer.restart()
        if self._run is not None:
            self._run.over = True
        self._run = None

    def run(self, count: int) -> Run:
        """Continue for some steps, then pause, unless paused before."""
        self.pause(False)
        self._run = Run(count)
        return self._run

    def step(self, count: int | None = None) -> None:
        """Make steps now, by default ``step_count``, and publish; `failure` has a divergence."""
        self.take_commands()  # commands sent before this request act on it
        try:
            self._make(self._settings.step_count if count is None else count)
        except (DivergenceError, NoStampError) as error:
            self.failure, self._was_paused = error, self.paused
        self.show()

    def reset(self, time_too: bool | None = None) -> None:
        """Go back to the initial state; time continues, unless set back or ``reset_time``."""
        self.take_commands()  # commands sent before do not count
        steps = self.steps
        self.simulation.reset()
        back = self._settings.reset_time if time_too is None else time_too
        if back:
            time.sleep(QUIET)
            self.snapshots.clear()
        self._before = 0 if back else steps
        self.snapshots.renew()
        self._commands.clear()
        self._begin_anew()

    def _repeat(self) -> None:
        """Go back to the initial state, which comes instead of the one that was shown last."""
        steps = self.steps
        self.simulation.reset()
        self._before = steps
        self.snapshots.renew()
        self._commands.clear()

    def take_part(self) -> None:
        """Let what repeats end: somebody has changed the state."""
        self._commands.is_used = True

    @property
    def is_disturbed(self) -> bool:
        """Whether a run that repeats is not alone any more."""
        return self._settings.repeat and self._commands.is_used

    def rewind(self) -> None:
        """Go back by ``rewind_time``, to the last state saved before; OptionError if none is."""
        self.take_commands()  # commands sent before do not count
        back = round(self._settings.rewind_time / self.simulation.step_size)
        saved = self.snapshots.before(self.steps - back)
        if saved is None:
            raise OptionError('no earlier state is kept: make steps, with a rewind_buffer above 0')
        time.sleep(QUIET)
        self.snapshots.restore(saved)
        self._before = saved.steps - self.simulation.steps
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Go on from another state."""
        self._saved = self.steps
        self._renew()
        self.pacer.restart()
        if self.failure is not None:
            self.failure = None
            self.paused = self._was_paused
        self._audience.show_clock(self.nanoseconds)  # before anything with the new stamp
        self.show()

    def reset_time(self) -> None:
        """Set time to 0 and leave the state unchanged."""
        self.take_commands()
        time.sleep(QUIET)
        self.snapshots.clear()
        self._before = -self.simulation.steps
        self._saved = 0
        self._commands.end_all()
        self._renew()
        self.show()

    def _renew(self) -> None:
        if self.lockstep is not None:
            self.lockstep.renew()

    def show(self) -> None:
        """Publish this instant."""
        self._audience.show(self.nanoseconds)
        if self.lockstep is not None:
            self.lockstep.published(self.nanoseconds, time.monotonic())

    def save(self) -> None:
        """Write the checkpoint, if there is a file for it; after a failure the last one stays."""
        if self._settings.checkpoint_file and self.failure is None:
            self._saved = self.steps
            try:
                self.simulation.save_checkpoint(Path(self._settings.checkpoint_file))
            except OSError as error:  # a full disk must not end a run
                _log.error('checkpoint not written: %s', error)

    # Ticks --------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Advance as far as wall clock, lockstep and the time of a tick allow."""
        if self.paused or self._steps_left() <= 0:
            return
        if self._steps_to_repeat() <= 0:
            self._repeat()
        now = time.monotonic()
        try:
            if self.lockstep is not None:
                self._step_on_reply(self.lockstep, now)
            elif self._settings.real_time_factor > 0.0:
                if not self._advance(self._due(now), now + LONGEST_TICK):
                    self.pacer.overrun()
            else:
                self._advance(10**9, now + 1.0 / self._settings.ticks_per_second)
        except (DivergenceError, NoStampError) as error:
            self.failure, self._was_paused = error, self._run is not None
            self.pause(True)
            self.show()  # the state that is kept
        if self._run is not None and self._run.left == 0:
            self.pause(True)
            self.show()
        period = self._settings.checkpoint_period / self.simulation.step_size
        if self.steps - self._saved >= period:
            self.save()

    def _due(self, now: float) -> int:
        """Return the number of steps due: whole control periods, if ticks are as rare."""
        settings = self._settings
        tick = 1.0 / settings.ticks_per_second
        period = settings.steps_per_publish
        if settings.control_rate and period * settings.step_size < 1.5 * tick * self.pacer.factor:
            # After a pause within a period, the first one is shorter.
            return max(0, self.pacer.due(now, period, 0.5 * tick) - self.steps % period)
        return self.pacer.due(now)

    def _step_on_reply(self, lockstep: Lockstep, now: float) -> None:
        """In lockstep, step if there is a reply; publish the instant again if that is late."""
        count = self._allowed(self._settings.steps_per_reply)
        if not lockstep.answered:
            if lockstep.overdue(now):
                self._warn_late()
                self.show()
        elif self.pacer.grants(now, count):
            self._make(count)
            self.show()

    def _warn_late(self) -> None:
        """Warn, once per instant, that there is no reply."""
        if self._late != self.nanoseconds:
            _log.warning(
                'lockstep: no message on %s with stamp %.9f s for %g s; still waiting',
                self._settings.lockstep_topic,
                1e-9 * self.nanoseconds,
                self._settings.lockstep_timeout,
            )
        self._late = self.nanoseconds

    def _advance(self, count: int, deadline: float) -> bool:
        """Make steps, publish every instant that is due; return whether all were made in time."""
        count = self._allowed(count)
        publish, clock = self._settings.steps_per_publish, self._settings.steps_per_clock
        while count > 0 and not self.interrupted():
            until = min(publish - self.steps % publish, clock - self.steps % clock, count)
            part = self._chunk(until)
            self._make(part)
            count -= part
            if self.steps % publish == 0:
                self.show()
                if self._settings.control_rate and count > 0:
                    self.take_commands()  # at every period, also where a tick makes several
            elif self.steps % clock == 0:
                self._audience.show_clock(self.nanoseconds)
            if time.monotonic() > deadline:
                return count == 0
        return True

    def _chunk(self, count: int) -> int:
        """Return how many of some steps to make in one call: calls must be short."""
        usual = self.step_times[-1] if self.step_times else 1e-4
        return max(1, min(count, int(LONGEST_CALL / max(usual, 1e-9))))

    def _make(self, count: int) -> None:
        """Make steps; commands start and end at their exact steps."""
        while count > 0 and not self.interrupted():
            self._commands.apply(self.steps)
            self.snapshots.offer(self.steps, self._settings.rewind_buffer)
            part = min(count, self._commands.steps_until_end(self.steps), MOST_STEPS)
            part = min(part, self.snapshots.steps_until_next(self.steps))
            if (self.steps + part) * self.simulation.step_size > LATEST:
                raise NoStampError(f'{_TOO_LATE}: set time back (reset_time)')
            began = time.perf_counter()
            self.simulation.step(part)
            self.step_times.append((time.perf_counter() - began) / part)
            count -= part
            if self._run is not None:
                self._run.left -= part
                self._run.made += part


def check_times(duration: float, start: float) -> None:
    """Raise OptionError if the end or the start of a run [s] has no stamp."""
    if LATEST < duration < math.inf:
        raise OptionError(f'duration must be at most {LATEST} s, got {duration:g} s: {_TOO_LATE}')
    if start >= LATEST:
        raise OptionError(f'the checkpoint is at {start:g} s: {_TOO_LATE}')
