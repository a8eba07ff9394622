"""Saved states of a run, to go back in time by: one every `PERIOD`, within a time and a memory."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from symcontact_ros.ros.stepping.commands import Commands, HeldCommands
from symcontact_ros.simulation.simulation import Simulation

PERIOD = 0.05  # [s simulated] from one to the next; taking one takes 20 to 30 us
MOST_BYTES = 64_000_000  # of all of them; beyond, the oldest go


@dataclass(frozen=True)
class Snapshot:
    """A state of a run, with the commands in effect."""

    steps: int  # since time 0
    state: bytes
    commands: HeldCommands


class Snapshots:
    """
    Saved states of a simulation, the latest last.

    Parameters
    ----------
    simulation, commands
        What is saved.
    """

    def __init__(self, simulation: Simulation, commands: Commands) -> None:
        self._simulation = simulation
        self._commands = commands
        self._period = max(1, round(PERIOD / simulation.step_size))
        self._kept: deque[Snapshot] = deque()
        self._bytes = 0
        self._next = -1  # number of the step before which the next one is due; -1: any

    def __len__(self) -> int:
        return len(self._kept)

    def steps_until_next(self, steps: int) -> int:
        """Return the number of steps until the next one is due, at least 1."""
        return max(1, self._next - steps)

    def offer(self, steps: int, buffer: float) -> None:
        """Save the state at a number of steps if that is due; keep those of a time [s]."""
        if buffer <= 0.0:
            self.clear()
            self._next = steps + self._period
        elif steps >= self._next:
            self._next = steps + self._period
            self.cut(steps - 1)  # one of this step is older, and from before a reset
            state = self._simulation.save_state()
            self._kept.append(Snapshot(steps, state, self._commands.held()))
            self._bytes += len(state)
            oldest = steps - buffer / self._simulation.step_size
            while self._bytes > MOST_BYTES or self._kept[0].steps < oldest:
                self._bytes -= len(self._kept.popleft().state)

    def before(self, steps: int) -> Snapshot | None:
        """Return the last one that is not after a number of steps, else the oldest, or None."""
        earlier = (one for one in reversed(self._kept) if one.steps <= steps)
        return next(earlier, self._kept[0] if self._kept else None)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to one: live symbols keep their values, commands of then act again."""
        simulation, present = self._simulation, self._simulation.parameters
        simulation.restore_state(snapshot.state)
        then = simulation.parameters
        changed = {name: value for name, value in present.items() if then[name] != value}
        if changed:
            simulation.set_parameters(changed)
        self._commands.take_back(snapshot.commands)
        self.cut(snapshot.steps)
        self._next = snapshot.steps + self._period

    def cut(self, steps: int) -> None:
        """Forget those that are after a number of steps."""
        while self._kept and self._kept[-1].steps > steps:
            self._bytes -= len(self._kept.pop().state)

    def renew(self) -> None:
        """Take the next one at once: the state is another one now."""
        self._next = -1

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()
        self._bytes, self._next = 0, -1
